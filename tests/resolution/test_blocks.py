"""Index keys: whom they bring together, and how few they are."""

from hypothesis import given
from hypothesis import strategies as st

from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.blocks import blocks
from kgmem.resolution.profile import Census, Profile
from kgmem.resolution.score import score

GIVEN = st.sampled_from("Robert Elizabeth William Giulia Nora Sofia Katharine Tomás Andrej Marguerite".split())
FAMILY = st.sampled_from("Keane Marchetti Feldt Karpathy Duarte Brandt Hutchens Lindqvist Müller Smith-Jones".split())
NICK = {"Robert": "Bob", "Elizabeth": "Liz", "William": "Bill", "Katharine": "Kate"}
WORD = st.sampled_from("Northwind Traders Harbour Clinic Atlas Survey Kestrel Institute Cellar Garonne".split())


def person(name, **more):
    return Profile(name, EntityType.PERSON, Rank.SAID, None, (name,), **more)


def thing(name, kind=EntityType.OBJECT, rank=Rank.SAID):
    return Profile(name, kind, rank, None, (name,))


def meet(one, other):
    return bool(blocks(one) & blocks(other))


@st.composite
def slips(draw, word):
    """The word with one letter left out, doubled, changed or swapped with the next."""
    at = draw(st.integers(0, len(word) - 2))
    return draw(
        st.sampled_from(
            [
                word[:at] + word[at + 1 :],
                word[: at + 1] + word[at:],
                word[:at] + "q" + word[at + 1 :],
                word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            ]
        )
    )


@st.composite
def variants(draw):
    first, last = draw(GIVEN), draw(FAMILY)
    full = f"{first} {last}"
    other = draw(
        st.sampled_from(
            [
                f"{NICK.get(first, first)} {last}",
                f"{first[0]}. {last}",
                f"{last}, {first}",
                f"{last} {first}",
                f"Dr. {first} K. {last} Jr.",
                f"{first} {last[0]}.",
                f"{draw(slips(first))} {last}",
                f"{first} {draw(slips(last))}",
                f"{NICK.get(first, first)} {draw(slips(last))}",
            ]
        )
    )
    facts = draw(st.sampled_from([{}, {"BORN_ON": frozenset({"1984-05-03"})}, {"WORKS_AT": frozenset({"acme"})}]))
    return person(full, facts=facts), person(other, facts=facts)


@given(variants())
def test_what_would_be_asked_about_shares_a_key(pair):
    one, other = pair
    if Bands().of(score(one, other, Census()).score) is not Band.NEW:
        assert meet(one, other)


@given(st.lists(WORD, min_size=1, max_size=7, unique=True), st.data())
def test_things_that_would_be_asked_about_share_a_key(words, data):
    at = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[:at], data.draw(slips(words[at])), *words[at + 1 :]]
    shuffled = data.draw(st.permutations(words))
    for other in (changed, shuffled, [*words, "Ltd"]):
        left, right = thing(" ".join(words)), thing(" ".join(other))
        if Bands().of(score(left, right, Census()).score) is not Band.NEW:
            assert meet(left, right)


def test_short_and_long_names_of_one_meet():
    assert meet(person("Bob Keane"), person("Robert Keane"))
    assert meet(person("J. Marchetti"), person("Giulia Marchetti"))
    assert meet(person("Müller"), person("Jürgen Muller"))
    assert meet(person("Bill Hutchins"), person("Bill Hutchens"))
    assert meet(thing("NYC", EntityType.LOCATION), thing("New York City", EntityType.LOCATION))
    assert meet(thing("Acme Corp", EntityType.ORGANIZATION), thing("Acme", EntityType.ORGANIZATION))
    assert meet(thing("Northwnd Traders"), thing("Northwind Traders"))


def test_a_single_name_or_initials_meet_a_full_name_in_one_context():
    acme = {"facts": {"WORKS_AT": frozenset({"acme"})}}
    assert meet(person("Bob", **acme), person("Robert Keane", **acme))
    assert meet(person("A.C.", **acme), person("Amara Chen", **acme))
    assert not meet(person("Bob"), person("Robert Keane"))
    assert not meet(person("Bob", **acme), person("Nora Feldt", **acme))


def test_others_do_not_meet():
    assert not meet(person("Nora Feldt"), person("Lukas Brandt"))
    assert not meet(person("Nora Feldt"), person("Nora Brandt"))
    assert not meet(thing("Cellar Atlas"), thing("Harbour Clinic"))
    assert not meet(thing("Melanoma"), thing("skin cancer"))


def test_a_type_that_nobody_said_is_indexed_in_both_ways():
    assert meet(thing("Robert Keane", rank=Rank.NOTE), person("Bob Keane"))
    assert not meet(thing("Robert Keane", rank=Rank.SAID), person("Bob Keane"))


def test_keys_are_few():
    facts = {"BORN_ON": frozenset({"1984-05-03"}), "LIVES_IN": frozenset({"bristol"}), "WORKS_AT": frozenset({"acme"})}
    full = person("Robert James Keane", facts=facts, neighbours=frozenset(f"{number:016x}" for number in range(90)))
    assert len(blocks(full)) <= 20
    assert len(blocks(person("Robert Keane"))) <= 8
    assert len(blocks(thing("A Vision for the Management of Complex Models of Streams"))) <= 12
    assert blocks(Profile("a", EntityType.OBJECT)) == frozenset()


def test_the_first_of_january_is_no_key_of_its_own():
    year, day = ({"facts": {"BORN_ON": frozenset({f"1984-{rest}"})}} for rest in ("01-01", "05-03"))
    assert not meet(person("Bruno Feldt", **year), person("Giulia Marchetti", **year))
    assert meet(person("Bruno Feldt", **day), person("Giulia Marchetti", **day))
