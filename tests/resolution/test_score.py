"""Whether two entities are one: the rules, the reasons, and what must hold of any two."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.errors import ConfigurationError
from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.profile import Census, Profile, fact_trait, name_trait, neighbour_trait
from kgmem.resolution.score import score

NOBODY_KNOWN = Census()
COOPER = {"facts": {"WORKS_AT": frozenset({"amblard"}), "ROLE": frozenset({"cooper"})}}
NEAR = {"neighbours": frozenset({"nora", "lukas"})}


def entity(mark, names, kind=EntityType.PERSON, rank=Rank.SAID, **more):
    return Profile(mark, kind, rank, names=(names,) if isinstance(names, str) else names, **more)


def verdict(one, other, kind=EntityType.PERSON, rarity=NOBODY_KNOWN, **more):
    return score(entity("a", one, kind, **more), entity("b", other, kind, **more), rarity)


def band(one, other, kind=EntityType.PERSON, **more):
    return Bands().of(verdict(one, other, kind, **more).score)


def born(day, **more):
    return {"facts": {"BORN_ON": frozenset({day})}, "single": frozenset({"BORN_ON"}), **more}


def texts(found):
    return [reason.text for reason in found.reasons]


def test_the_same_full_name_needs_something_else_in_common():
    assert band("Anna Berg", "Anna Berg") is Band.PENDING
    assert band("Anna Berg", "Anna Berg", **COOPER) is Band.MERGE
    assert band("Anna Berg", "Anna Berg", **NEAR) is Band.MERGE
    assert band("Anna Berg", "Anna Berg", sources=frozenset({"one", "two"})) is Band.PENDING
    assert band(("Anna Berg", "Whistler"), ("Anna Berg", "Whistler")) is Band.MERGE
    assert band(("Anna Berg", "Anna"), ("Anna Berg", "Anna")) is Band.PENDING


def test_two_jobs_and_towns_keep_homonyms_in_review():
    places = frozenset({"LIVES_IN", "WORKS_AT"})
    nurse = entity("a", "Anna Berg", facts={"LIVES_IN": frozenset({"malmö"}), "WORKS_AT": frozenset({"clinic"})})
    seller = entity("b", "Anna Berg", facts={"LIVES_IN": frozenset({"oslo"}), "WORKS_AT": frozenset({"korn labs"})})
    both = [replace(each, single=places, neighbours=frozenset({"nora", "vinterra"})) for each in (nurse, seller)]
    assert Bands().of(score(*both, NOBODY_KNOWN).score) is Band.PENDING


def test_a_nickname_is_asked_about_and_merged_only_by_what_identifies():
    found = verdict("Bob Keane", "Robert Keane", **COOPER)
    assert Bands().of(found.score) is Band.PENDING
    assert "Bob is short for Robert" in texts(found)
    assert "both works at amblard" in texts(found)
    assert band("Bob Keane", "Robert Keane", **born("1970-04-12")) is Band.MERGE
    assert band("Bob Keane", "Robert Keane", **born("1970-01-01")) is Band.PENDING
    assert band("Bob Keane", "Robert Keane", **born("1970")) is Band.PENDING


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("J. Marchetti", "Giulia Marchetti"),
        ("A.C.", "Dr. Amara Chen"),
        ("Chris", "Chris"),
        ("Chris", "Chris Young"),
        ("Chris", "Christopher Young"),
        ("Dr. Chen", "Amara Chen"),
    ],
)
def test_initials_and_single_names_are_asked_about_only_in_context(one, other):
    assert band(one, other) is Band.NEW
    assert band(one, other, **COOPER) is Band.PENDING


@pytest.mark.parametrize("name", ["Chris", "Chris Young", "C."])
def test_a_given_name_alone_is_never_merged(name):
    everything = {**born("1984-05-03"), **NEAR, "sources": frozenset({"one", "two"})}
    assert verdict("Chris", name, **everything).score < 0.95


def test_names_in_other_spellings():
    assert band("Karpathy, Andrej", "Andrej Karpathy", **COOPER) is Band.MERGE
    assert band("Jürgen Müller", "Jurgen Muller") is Band.PENDING
    assert band("Chen Wei", "Wei Chen", **COOPER) is Band.PENDING
    assert band("张伟", "张伟") is Band.PENDING
    assert band("张伟", "张玮", **COOPER) is Band.NEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John Smith Jr.", "John Smith Sr."),
        ("Henry VIII", "Henry VII"),
        ("Sir John Cox, 2nd Baronet", "Sir John Cox, 9th Baronet"),
        ("Anna Berg (cousin)", "Anna Berg (Vinterra)"),
        ("Nora Feldt", "Lukas Brandt"),
    ],
)
def test_persons_that_are_never_one(one, other):
    assert band(one, other, **COOPER, **NEAR) is Band.NEW


def test_siblings_share_much_and_are_two():
    home = {"facts": {"LIVES_IN": frozenset({"malmö"}), "BORN_IN": frozenset({"lund"})}}
    assert band("Nora Feldt", "Sofia Feldt", **home) is Band.NEW
    one, other = (entity(mark, name, neighbours=frozenset({"a", "b"}), **born("1984-05-03"))
                  for mark, name in (("a", "Nora Feldt"), ("b", "Sofia Feldt")))  # fmt: skip
    assert Bands().of(score(one, other, NOBODY_KNOWN).score) is Band.NEW


def test_a_slip_in_a_family_name_is_asked_about():
    assert band("Lionel Hopkins", "Lionel Hopkims", **COOPER) is Band.PENDING
    assert band("Charles Denton", "Charles D3nton", **born("1970-04-12")) is Band.PENDING


def test_a_digit_in_the_place_of_a_letter_is_asked_about_only_in_context():
    assert band("Charles Denton", "Charles D3nton") is Band.NEW
    assert band("Charles Denton", "Charles D3nton", **NEAR) is Band.PENDING


def test_conflicts_order_what_waits():
    single = frozenset({"LIVES_IN", "BORN_IN", "ROLE"})
    nurse = entity("a", "Anna Berg", facts={"LIVES_IN": frozenset({"bonn"}), "BORN_IN": frozenset({"bonn"})},
                   single=single, anchored=True)  # fmt: skip

    def beside(**facts):
        said = {predicate: frozenset({value}) for predicate, value in facts.items()}
        return score(nurse, entity("b", "Anna Berg", facts=said, single=single, anchored=True), NOBODY_KNOWN).score

    assert [beside(ROLE="nurse"), beside(LIVES_IN="kiel"), beside(LIVES_IN="kiel", BORN_IN="kiel")] == [
        0.94, 0.93, 0.92,
    ]  # fmt: skip
    assert beside(LIVES_IN="bonn", BORN_IN="bonn") == 0.94


def test_dates_of_birth():
    def two(day, other_day):
        return score(entity("a", "Anna Berg", **born(day)), entity("b", "Anna Berg", **born(other_day)), NOBODY_KNOWN)

    conflict = two("1984", "1991")
    assert conflict.score < 0.85
    (reason,) = [reason for reason in conflict.reasons if "conflict" in reason.text]
    assert (reason.text, reason.weight) == ("born on 1984 and 1991 conflict", -6.0)
    assert two("1984", "1984-05-03").score >= 0.95
    assert two("1984-05-03", "1984-03-05").score >= 0.95
    assert two("1984-05-03", "1984-05-08").score >= 0.95
    assert two("1984-05-03", "1991-11-20").score < two("1984-05-03", "1984-77-63").score < 0.95


@pytest.mark.parametrize("kind", [each for each in EntityType if each is not EntityType.PERSON])
def test_a_thing_of_the_same_name_is_one_unless_a_fact_conflicts(kind):
    assert band("Kestrel", "kestrel", kind) is Band.MERGE
    done, begun = ({"facts": {"STATUS": frozenset({state})}, "single": frozenset({"STATUS"})} for state in "ab")
    one, other = entity("a", "Kestrel", kind, **done), entity("b", "Kestrel", kind, **begun)
    assert Bands().of(score(one, other, NOBODY_KNOWN).score) is Band.PENDING


def test_two_editions_of_an_event_are_two():
    one, other = (
        entity(year, "Harvest fair", EntityType.EVENT, facts={"HAPPENED_ON": frozenset({f"{year}-09-01"})},
               single=frozenset({"HAPPENED_ON"}))
        for year in ("2024", "2025")
    )  # fmt: skip
    assert Bands().of(score(one, other, NOBODY_KNOWN).score) is Band.NEW


def test_organizations():
    kind = EntityType.ORGANIZATION
    assert band("Acme Corp", "ACME Corporation", kind) is Band.MERGE
    assert band("Acme Corp", "Acme", kind) is Band.MERGE
    assert band("Acme Inc", "Acme GmbH", kind) is Band.PENDING
    assert band("Acme", "Acme Labs", kind, **COOPER, **NEAR) is Band.NEW
    assert band("Acme Corp", "Acme", EntityType.OBJECT) is Band.NEW


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        ("the Olo Radio", "Olo Radio", 'Olo Radio and the Olo Radio differ only in "the"'),
        ("Olo Radio Ltd", "Olo Radio", "Olo Radio and Olo Radio Ltd differ only in the legal form"),
        ("The Olo Radio", "Olo Radio Ltd", 'Olo Radio Ltd and The Olo Radio differ only in "the" and the legal form'),
    ],
)
def test_the_reason_says_what_differs_between_two_organizations(one, other, text):
    found = verdict(one, other, EntityType.ORGANIZATION)
    assert texts(found) == [text]
    assert Bands().of(found.score) is Band.MERGE


def test_the_reason_says_what_differs_between_two_things():
    assert texts(verdict("the Olo Mast", "Olo Mast", EntityType.OBJECT)) == [
        'Olo Mast and the Olo Mast differ only in "the"'
    ]
    assert texts(verdict("Mast of Olo", "Olo Mast", EntityType.OBJECT)) == [
        "Mast of Olo and Olo Mast are the same words in another order"
    ]


def test_one_sentence_may_call_one_thing_two_names():
    kind = EntityType.ORGANIZATION
    one, other = (
        entity(mark, name, kind, together=frozenset("ab")) for mark, name in (("a", "Acme"), ("b", "Acme Inc"))
    )
    found = score(one, other, NOBODY_KNOWN)
    assert Bands().of(found.score) is Band.MERGE
    assert texts(found) == ["Acme and Acme Inc differ only in the legal form"]
    assert score(replace(one, neighbours=frozenset("b")), other, NOBODY_KNOWN).score < 0.95


def test_guesses_of_two_types_may_be_one_thing():
    place, firm = (entity(mark, "Larkspur", kind, Rank.GUESS) for mark, kind in
                   (("a", EntityType.LOCATION), ("b", EntityType.PERSON)))  # fmt: skip
    assert Bands().of(score(place, firm, NOBODY_KNOWN).score) is Band.PENDING
    chris = [replace(each, names=("Chris",)) for each in (place, firm)]
    assert Bands().of(score(*chris, NOBODY_KNOWN).score) is Band.NEW


def test_a_slip_in_a_short_name_is_never_merged_by_itself():
    kind = EntityType.ORGANIZATION
    assert band("Mowald Records", "Dowald Records", kind) is Band.PENDING
    assert band("Mowald Records", "Dowald Records", kind, **COOPER, **NEAR) is Band.PENDING


def test_the_shorter_of_two_names_that_are_short_for_each_other_is_the_short_one():
    assert "Tom is short for Thomas" in texts(verdict("Tom Ashby", "Thomas Ashby"))


def test_what_two_have_in_common_is_said_from_their_side():
    found = verdict("Acme", "Acme", EntityType.ORGANIZATION, facts={"WORKS_AT of": frozenset({"bo"})})
    assert "bo works at both" in texts(found)


def test_an_alias_that_is_the_others_name_is_asked_about():
    kind = EntityType.ORGANIZATION
    assert band(("IBM", "Big Blue"), "Big Blue", kind) is Band.PENDING
    assert band(("IBM", "Big Blue"), "Big Blue", kind, **COOPER) is Band.MERGE
    assert band(("Rev A", "the bulletin"), ("Rev B", "the bulletin"), kind, **COOPER) is Band.NEW
    assert band(("ASR1603", "ASR1605"), "ASR1605", kind) is Band.PENDING


def test_long_titles_may_lack_a_word_when_the_authors_agree():
    title = "Fast and accurate text classification by linear discriminant projections"
    facts = {"facts": {"WRITTEN_BY": frozenset({"roy s", "chakrabarti s"}), "PUBLISHED_ON": frozenset({"2003"})}}
    assert band(title, title.replace("projections", "projectoins"), EntityType.OBJECT, **facts) is Band.MERGE
    assert band(title, f"{title} revisited", EntityType.OBJECT, **facts) is Band.MERGE
    assert band(title, f"{title} revisited", EntityType.OBJECT) is Band.PENDING
    assert band("Harbour Clinic Malmö", "Harbour Clinic Lund", EntityType.OBJECT, **facts) is Band.NEW


def test_a_type_that_persons_said_is_not_overruled():
    boat = entity("boat", "Nora Feldt", EntityType.OBJECT, Rank.TAG, **COOPER, **NEAR)
    sister = entity("sister", "Nora Feldt", EntityType.PERSON, Rank.SAID, **COOPER, **NEAR)
    assert score(boat, sister, NOBODY_KNOWN).score < 0.95
    assert "one is Object, the other Person" in texts(score(boat, sister, NOBODY_KNOWN))
    guess = replace(boat, type_rank=Rank.NOTE)
    assert score(guess, sister, NOBODY_KNOWN).score >= 0.95


def test_side_by_side_in_one_sentence_speaks_against():
    one, other = entity("a", "Anna Berg", **COOPER), entity("b", "Anna Berg", **COOPER)
    beside = replace(one, together=frozenset({"b"}))
    assert score(one, other, NOBODY_KNOWN).score >= 0.95 > score(beside, other, NOBODY_KNOWN).score
    assert score(other, replace(one, neighbours=frozenset({"b"})), NOBODY_KNOWN).score < 0.95


def test_a_fact_that_changed_does_not_outdo_what_keeps_two_apart():
    facts = {"EMAIL": frozenset({"anna@example.org"})}
    one = entity("a", "Anna Berg", facts={**facts, "ROLE": frozenset({"nurse"})}, single=frozenset({"ROLE"}))
    other = entity("b", "Anna Berg", facts={**facts, "ROLE": frozenset({"cooper"})}, neighbours=frozenset({"a"}))
    assert score(one, other, NOBODY_KNOWN).score < 0.95
    assert score(one, replace(other, neighbours=frozenset()), NOBODY_KNOWN).score >= 0.95


def test_reasons_are_ordered_and_name_what_they_are_about():
    found = verdict("Anna Berg", "Anna Berg", **NEAR)
    assert texts(found) == ["both are called Anna Berg", "both are connected with 2 same entities"]
    assert found.reasons[1].entities == ("lukas", "nora")
    assert [reason.weight for reason in found.reasons] == sorted((r.weight for r in found.reasons), reverse=True)


def test_a_common_value_says_less_than_a_rare_one():
    people = [entity(str(number), f"Person {number}", facts={"GENDER": frozenset({"x"})}) for number in range(5000)]
    facts = {"GENDER": frozenset({"x"}), "ROLE": frozenset({"cooper"})}
    one, other = entity("a", "Anna Berg", facts=facts), entity("b", "Anna Berg", facts=facts)
    weights = {reason.text: reason.weight for reason in score(one, other, Census.of([*people, one, other])).reasons}
    assert weights["both gender x"] < 0.5
    assert weights["both role cooper"] > 5


def test_a_census_counts_each_trait_of_an_entity_once():
    one = entity("a", ("Anna Berg", "Berg, Anna"), facts={"ROLE": frozenset({"nurse"})}, neighbours=frozenset({"n"}))
    census = Census.of([one, entity("b", "Otto Berg")])
    assert census.total == 2
    assert census.bearers(name_trait("berg")) == 2
    assert census.bearers(name_trait("anna")) == 1
    assert census.bearers(fact_trait("ROLE", "nurse")) == census.bearers(neighbour_trait("n")) == 1


def test_bands():
    assert [Bands().of(value) for value in (0.0, 0.8499, 0.85, 0.9499, 0.95, 1.0)] == [
        Band.NEW, Band.NEW, Band.PENDING, Band.PENDING, Band.MERGE, Band.MERGE,
    ]  # fmt: skip
    assert Bands(merge=0.99, pending=0.5).of(0.95) is Band.PENDING
    for merge, pending in ((0.5, 0.9), (1.1, 0.5), (0.9, 0.0)):
        with pytest.raises(ConfigurationError):
            Bands(merge, pending)


NAMES = st.sampled_from(
    "Anna Berg|A. Berg|Ann Berg|Anna|Berg, Anna|Otto Berg|Bob Keane|Robert Keane|Robert Kean|Chris|Müller|Muller"
    "|Acme|Acme Corp|Acme Labs|ACME|NYC|New York City|U.S.A.|USA|SR-052|SR-053|Rev A|Rev B|张伟|Иван Петров|C++|C#"
    "|Cellar Atlas Survey of the Garonne Valley|Cellar Atlas Survey of the Garonne Vallye|D3nton|Denton| |?!".split("|")
)
VALUES = st.frozensets(
    st.sampled_from(["1984", "1984-05-03", "1984-03-05", "1991", "oslo", "oslo city", "x"]), max_size=2
)
IDS = st.frozensets(st.sampled_from("abcdef"), max_size=4)


@st.composite
def profiles(draw, names=NAMES):
    predicates = ["BORN_ON", "LIVES_IN", "ROLE", "EMAIL"]
    return Profile(
        draw(st.sampled_from("ab")),
        draw(st.sampled_from(EntityType)),
        draw(st.sampled_from(Rank)),
        draw(st.sampled_from([None, "Book", "Boat"])),
        tuple(draw(st.lists(names, min_size=1, max_size=3, unique=True))),
        draw(st.dictionaries(st.sampled_from(predicates), VALUES)),
        draw(st.frozensets(st.sampled_from(predicates))),
        draw(IDS),
        draw(IDS),
        draw(IDS),
    )


RARITIES = st.sampled_from(
    [
        Census(),
        Census(20, {name_trait("anna"): 9, neighbour_trait("a"): 15}),
        Census(100_000, {name_trait("berg"): 400, fact_trait("ROLE", "x"): 60_000}),
    ]
)


@given(profiles(), profiles(), RARITIES)
def test_a_score_is_a_probability_and_the_same_both_ways(a, b, rarity):
    found = score(a, b, rarity)
    assert 0 <= found.score <= 1
    assert found == score(b, a, rarity)


@given(profiles(), profiles(), RARITIES, st.sampled_from(["fact", "neighbour", "source", "name", "person's name"]))
def test_evidence_that_agrees_never_lowers_a_score(a, b, rarity, kind):
    def more(profile):
        match kind:
            case "fact":
                return replace(profile, facts={**profile.facts, "MET_IN": frozenset({"porto"})})
            case "neighbour":
                return replace(profile, neighbours=profile.neighbours | {"zoe"})
            case "source":
                return replace(profile, sources=profile.sources | {"note"})
            case "name":
                return replace(profile, names=(*profile.names, "Whistler"))
            case _:
                return replace(profile, names=(*profile.names, "Zoe Quint"))

    assert score(more(a), more(b), rarity).score >= score(a, b, rarity).score


def test_a_common_value_in_common_does_not_hide_two_that_nearly_agree():
    common = Census(100_000, {fact_trait("ROLE", "x"): 60_000})
    a, b = (
        entity(mark, "Anna Berg", facts={"ROLE": frozenset({role})})
        for mark, role in (("a", "oslo"), ("b", "oslo city"))
    )
    with_x = [replace(each, facts={"ROLE": each.facts["ROLE"] | {"x"}}) for each in (a, b)]
    assert score(*with_x, common).score >= score(a, b, common).score
    weights = {reason.text: reason.weight for reason in score(*with_x, common).reasons}
    assert weights["role oslo and oslo city nearly agree"] == 2.5


@given(profiles(), profiles(), RARITIES, st.sampled_from(["BORN_ON", "LIVES_IN", "ROLE", "EMAIL"]), VALUES)
def test_the_same_value_on_both_sides_never_lowers_a_score(a, b, rarity, predicate, values):
    def more(profile):
        return replace(profile, facts={**profile.facts, predicate: profile.facts.get(predicate, frozenset()) | values})

    if values:
        assert score(more(a), more(b), rarity).score >= score(a, b, rarity).score - 1e-9


NUMBERED = st.tuples(st.text(alphabet="abc XYZ-", max_size=8), st.text(alphabet="abc ", max_size=4))


@given(NUMBERED, st.integers(0, 999), st.integers(0, 999), profiles(), profiles())
def test_a_digit_that_differs_is_not_even_asked_about(around, one, other, a, b):
    if one != other:
        a, b = (replace(each, names=(str(number).join(around),)) for each, number in ((a, one), (b, other)))
        assert score(a, b, NOBODY_KNOWN).score < 0.85
