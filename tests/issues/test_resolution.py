"""Public reports about who is who, as scores."""

from itertools import combinations

import pytest

from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.blocks import blocks
from kgmem.resolution.profile import Census, Profile
from kgmem.resolution.score import score

PERSON, ORGANIZATION, OBJECT, LOCATION = (
    EntityType.PERSON, EntityType.ORGANIZATION, EntityType.OBJECT, EntityType.LOCATION,
)  # fmt: skip


def entity(mark, name, kind=OBJECT, **more):
    return Profile(mark, kind, Rank.SAID, None, (name,), **more)


def band(one, other, kind=OBJECT, **more):
    return Bands().of(score(entity("a", one, kind, **more), entity("b", other, kind, **more), Census()).score)


def all_new(names, kind=OBJECT, **more):
    return all(band(one, other, kind, **more) is Band.NEW for one, other in combinations(names, 2))


@pytest.mark.parametrize("kind", EntityType)
@pytest.mark.parametrize(
    "names",
    [
        ("Safety Recommendation SR-2023-052", "Safety Recommendation SR-2023-053"),
        ("Annex 13 Amendment 16", "Annex 13 Amendment 17"),
        ("SB-2024-001 Rev A", "SB-2024-001 Rev B"),
    ],
)
def test_graphiti_1241_numbers_and_revisions_are_not_even_proposed(names, kind):
    shared = {
        "facts": {"PUBLISHED_BY": frozenset({"icao"}), "STATUS": frozenset({"open"})},
        "sources": frozenset({"n"}),
    }
    assert all_new(names, kind, **shared)


@pytest.mark.parametrize("kind", EntityType)
def test_graphify_878_part_numbers_and_longer_words_are_distinct(kind):
    assert all_new(("ASR1603", "ASR1605", "ASR1606"), kind)
    assert all_new(("cranel", "cranelr", "cranelrh"), kind)


def test_graphiti_1734_an_organization_in_unrelated_notes_is_one():
    notes = [
        entity(f"dgia{at}", "DGIA", ORGANIZATION, neighbours=frozenset({f"n{at}"}), sources=frozenset({f"s{at}"}))
        for at in range(4)
    ]
    assert all(Bands().of(score(one, other, Census()).score) is Band.MERGE for one, other in combinations(notes, 2))


def test_graphiti_one_given_name_is_nobody_in_particular():
    bakery = entity("baker", "Chris", PERSON, facts={"ROLE": frozenset({"baker"})}, sources=frozenset({"n1"}))
    dentist = entity("dentist", "Chris", PERSON, facts={"ROLE": frozenset({"dentist"})}, sources=frozenset({"n2"}))
    boat = entity("boat", "Chris", OBJECT, sources=frozenset({"n3"}))
    assert all(score(one, other, Census()).score < 0.85 for one, other in combinations((bakery, dentist, boat), 2))


def test_cognee_3534_acronyms():
    assert band("New York City", "NYC", LOCATION) is Band.PENDING
    assert band("U.S.A.", "USA", LOCATION) is Band.MERGE


def test_lightrag_1323_case_is_no_difference_and_a_kind_is_no_name():
    assert band("Melanoma", "melanoma") is Band.MERGE
    assert band("Melanoma", "skin cancer", neighbours=frozenset({"doctor", "clinic"})) is Band.NEW


@pytest.mark.parametrize("kind", EntityType)
def test_graphiti_other_scripts_and_signs_stay(kind):
    assert band("Иван Петров", "Анна Сидорова", kind) is Band.NEW
    assert band("C++", "C#", kind) is Band.NEW
    assert band("Müller", "Muller", kind) is Band.PENDING


MENTIONS = [
    # what the text calls it, its type, the text, what is known of it there, which entity it truly is
    ("Acme Corp", ORGANIZATION, 1, {}, "acme"),
    ("Giulia Marchetti", PERSON, 1, {"WORKS_AT": "acme corp"}, "marchetti"),
    ("Dr. Amara Chen", PERSON, 1, {"WORKS_AT": "northwind"}, "chen"),
    ("Northwind", ORGANIZATION, 2, {}, "northwind"),
    ("Acme", ORGANIZATION, 2, {}, "acme"),
    ("Amara Chen", PERSON, 2, {"WORKS_AT": "northwind"}, "chen"),
    ("J. Marchetti", PERSON, 3, {"WORKS_AT": "acme corp"}, "marchetti"),
    ("Kestrel", OBJECT, 3, {}, "kestrel"),
    ("The union", ORGANIZATION, 3, {}, "union"),
    ("ACME Corporation", ORGANIZATION, 4, {}, "acme"),
    ("A.C.", PERSON, 4, {"WORKS_AT": "northwind"}, "chen"),
    ("Kestrel", OBJECT, 4, {}, "kestrel"),
    ("Harbour Workers' Union", ORGANIZATION, 4, {}, "union"),
    ("Acme Labs", ORGANIZATION, 5, {}, "labs"),
    ("Northwind", ORGANIZATION, 5, {}, "northwind"),
    ("Giulia Marchetti", PERSON, 5, {"WORKS_AT": "acme corp"}, "marchetti"),
    ("Kestrel II", OBJECT, 5, {}, "second kestrel"),
    ("Marco Chen", PERSON, 5, {"WORKS_AT": "kestrel yard"}, "marco"),
]


def test_agent_memory_gold_clusters_of_a_labour_dispute():
    entities = [
        entity(f"{at}", name, kind, facts={key: frozenset({value}) for key, value in known.items()},
               sources=frozenset({f"text {text}"}))
        for at, (name, kind, text, known, _) in enumerate(MENTIONS)
    ]  # fmt: skip
    found = {Band.MERGE: set(), Band.PENDING: set(), Band.NEW: set()}
    for one, other in combinations(range(len(MENTIONS)), 2):
        verdict = score(entities[one], entities[other], Census.of(entities))
        found[Bands().of(verdict.score)].add((one, other))
    truth = [mention[4] for mention in MENTIONS]
    true = {pair for pairs in found.values() for pair in pairs if truth[pair[0]] == truth[pair[1]]}
    missed = {tuple(sorted((MENTIONS[one][0], MENTIONS[other][0]))) for one, other in true - found[Band.MERGE]}
    assert found[Band.MERGE] <= true
    assert found[Band.PENDING] <= true
    assert missed == {
        ("Giulia Marchetti", "J. Marchetti"), ("A.C.", "Dr. Amara Chen"), ("A.C.", "Amara Chen"),
        ("Harbour Workers' Union", "The union"),
    }  # fmt: skip
    assert all(
        blocks(entities[one]) & blocks(entities[other]) for one, other in found[Band.MERGE] | found[Band.PENDING]
    )
