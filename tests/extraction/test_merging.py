"""What several rungs claim, made one: examples that can be checked by hand, then laws over any claims."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.errors import ConfigurationError
from kgmem.extraction.merging import merge, rungs_of
from kgmem.extraction.policy import Merging, Strategy
from kgmem.extraction.proposal import ClaimProposal, Ref
from kgmem.model import UNDATED, AliasKind, Basis, Bound, ClaimKind, Moment, Period
from kgmem.resolution.names import name_key

TITLE = "Ada"
SENTENCE = "Ada works at Château Nord."


def dates(start=None, end=None):
    return Period(*(Bound(Moment.parse(each), Basis.STATED) if each else Bound() for each in (start, end)))


def claim(target="Nord", rung="sentences", confidence=0.8, **options):
    values = {
        "block": 0, "predicate": "WORKS_AT", "subject": None, "object": Ref(target, AliasKind.TEXT), "value": None,
        "statement": f"Ada works at {target}.", "quote": SENTENCE, "line": 0, "rung": rung, "confidence": confidence,
    }  # fmt: skip
    return ClaimProposal(**{**values, **options})


def merged(*claims, **options):
    return merge(claims, TITLE, {"WORKS_AT", "MARRIED_TO"}.__contains__, Merging(**options))


def only(*claims, **options):
    (one,) = merged(*claims, **options).claims
    return one


# -- the same claim


def test_what_two_rungs_find_is_one_and_surer():
    one = only(claim(rung="llm", confidence=0.5), claim(rung="sentences", confidence=0.8))
    assert (one.rung, one.agreed, one.confidence) == ("sentences", ("llm",), 0.9)


def test_three_rungs_are_surer_still():
    one = only(*(claim(rung=rung, confidence=0.5) for rung in ("gliner", "grammar", "llm")))
    assert (one.rung, one.agreed, one.confidence) == ("grammar", ("gliner", "llm"), 0.875)


def test_the_more_precise_end_of_each_period_is_kept():
    one = only(claim(valid=dates("2020")), claim(rung="grammar", valid=dates("2020-04", "2023")))
    assert one.valid == dates("2020-04", "2023")
    assert one.rung == "sentences"


def test_the_subject_that_a_note_is_about_may_be_named_or_not():
    assert only(claim(subject=Ref("ada", AliasKind.TEXT)), claim(rung="grammar")).agreed == ("grammar",)


def test_the_two_ends_of_what_holds_both_ways_may_stand_in_either_order():
    bo, ada = Ref("Bo", AliasKind.TEXT), Ref("Ada", AliasKind.TEXT)
    both = {"predicate": "MARRIED_TO", "symmetric": True}
    assert only(claim(subject=ada, object=bo, **both), claim(rung="llm", subject=bo, object=ada, **both)).agreed == (
        "llm",
    )


@pytest.mark.parametrize(
    "other",
    [
        {"block": 1},
        {"predicate": "MEMBER_OF"},
        {"kind": ClaimKind.ENDS},
        {"object": Ref("Nord 2", AliasKind.TEXT), "predicate": "MEMBER_OF"},
        {"valid": dates("2021")},
        {"valid": dates(None, "2019")},
    ],
)
def test_what_differs_stays_apart(other):
    first = claim(valid=dates("2020")) if "valid" in other else claim()
    assert len(merged(first, claim(rung="grammar", **other)).claims) == 2


def test_values_are_text_that_must_be_the_same_to_the_letter():
    mine = {"object": None, "predicate": "SPEAKS"}
    assert len(merged(claim(value="C", **mine), claim(rung="llm", value="c", **mine)).claims) == 2
    assert len(merged(claim(value="C ", **mine), claim(rung="llm", value="C", **mine)).claims) == 1


def test_what_one_rung_says_of_two_times_it_means_twice():
    assert len(merged(claim(valid=dates("2010")), claim()).claims) == 2
    assert only(claim(), claim()).confidence == 0.8


def test_an_ending_that_one_rung_doubts_and_another_does_not_is_sure():
    one = only(claim(kind=ClaimKind.YIELDS, doubtful=True), claim(rung="grammar", kind=ClaimKind.ENDS))
    assert (one.kind, one.doubtful) == (ClaimKind.ENDS, False)


# -- what is not sure enough


def test_what_is_not_sure_enough_is_left_out_with_the_reason():
    found = merged(claim(confidence=0.4), claim(rung="structure", predicate="ROLE", confidence=0.4), min_confidence=0.5)
    assert [each.predicate for each in found.claims] == ["ROLE"]
    assert [(each.claim.predicate, each.why) for each in found.dropped] == [("WORKS_AT", "0.40 is less than 0.50")]


def test_two_that_are_not_sure_may_be_together():
    assert only(claim(confidence=0.4), claim(rung="llm", confidence=0.4), min_confidence=0.6).confidence == 0.64


@pytest.mark.parametrize("least", [-0.1, 1.5])
def test_a_least_confidence_is_between_0_and_1(least):
    with pytest.raises(ConfigurationError, match="not between 0 and 1"):
        Merging(min_confidence=least)


# -- rungs that disagree


@pytest.mark.parametrize(
    ("strategy", "kept"),
    [("agreement", "Sud"), ("confidence", "Nord"), ("span", "Château Nord"), ("ladder", "Château Nord")],
)
def test_a_strategy_decides_between_two_values_of_one_sentence(strategy, kept):
    claims = (
        claim("Château Nord", "sentences", 0.6),
        claim("Sud", "grammar", 0.3),
        claim("Sud", "gliner", 0.3),
        claim("Nord", "llm", 0.9),
    )
    found = merged(*claims, strategy=Strategy(strategy))
    assert [each.object.name for each in found.claims] == [kept]
    assert kept in {each.winner.object.name for each in found.dropped}
    assert all(each.why.endswith(f"says otherwise ({strategy})") for each in found.dropped)


def test_as_many_voices_each_the_better_rung_wins_by_default():
    assert only(claim("Sud", "llm", 0.99), claim("Nord", "sentences", 0.5)).object.name == "Nord"


@pytest.mark.parametrize("strategy", Strategy)
def test_what_the_form_of_a_note_says_always_stands(strategy):
    said = claim("A", "structure", 0.1)
    assert (
        only(claim("Château Nord", "llm", 1.0), claim("Château Nord", "grammar", 1.0), said, strategy=strategy) == said
    )


@pytest.mark.parametrize(
    "other",
    [
        {"predicate": "MEMBER_OF"},
        {"rung": "sentences"},
        {"kind": ClaimKind.ENDS},
        {"line": 3},
        {"quote": "Bo works at Sud."},
        {"valid": dates("2021")},
        {"subject": Ref("Bo", AliasKind.TEXT)},
    ],
)
def test_what_can_be_meant_together_is_kept(other):
    first = claim(valid=dates("2010", "2020"), predicate=other.get("predicate", "WORKS_AT"))
    assert len(merged(first, claim("Sud", **{"rung": "llm", **other})).claims) == 2


@pytest.mark.parametrize("kind", [ClaimKind.HOLDS, ClaimKind.ENDS])
def test_a_name_within_a_longer_one_is_meant_once_whatever_a_predicate_takes(kind):
    said = {"predicate": "KNOWS", "kind": kind}
    found = merged(claim("Old Bo", **said), claim("Bo", "grammar", **said))
    assert [each.object.name for each in found.claims] == ["Bo"]
    assert only(claim("Old Bo", **said), claim("Bo", "llm", **said), strategy=Strategy.LADDER).object.name == "Old Bo"
    assert len(merged(claim("Bo Li", **said), claim("Lin", "grammar", **said)).claims) == 2
    by_subject = [
        claim(subject=Ref(name, AliasKind.TEXT), rung=rung, **said)
        for name, rung in (("Per Skog", "llm"), ("Skog", "grammar"))
    ]
    assert [each.subject.name for each in merged(*by_subject).claims] == ["Skog"]
    assert [each.subject.name for each in merged(*by_subject, strategy=Strategy.SPAN).claims] == ["Per Skog"]


def test_a_rung_that_says_both_has_its_reasons():
    assert len(merged(claim("Nord"), claim("Sud"), claim("Sud", "llm")).claims) == 2


def test_two_spouses_of_one_are_at_odds_whichever_end_they_stand_at():
    both = {"predicate": "MARRIED_TO", "symmetric": True}
    ada, bo, cy = (Ref(name, AliasKind.TEXT) for name in ("Ada", "Bo", "Cy"))
    found = merged(claim(subject=ada, object=bo, **both), claim(rung="llm", subject=cy, object=ada, **both))
    assert [each.object.name for each in found.claims] == ["Bo"]


# -- laws

NAMES = st.sampled_from(["Ada", "Bo", "Nord", "Château Nord", "nord"])
MOMENTS = st.one_of(
    st.none(),
    st.sampled_from([Moment.year(2020), Moment.month(2020, 4), Moment.day(date(2020, 4, 1)), Moment.year(2021)]),
)
BOUNDS = MOMENTS.map(lambda moment: Bound(moment, Basis.STATED) if moment else Bound())
PERIODS = st.builds(Period, BOUNDS, BOUNDS).filter(lambda period: not period.empty)


@st.composite
def proposals(draw):
    predicate = draw(st.sampled_from(["WORKS_AT", "MARRIED_TO", "KNOWS"]))
    return claim(
        draw(NAMES),
        draw(st.sampled_from(["structure", "sentences", "grammar", "gliner", "llm", "other"])),
        draw(st.sampled_from([0.2, 0.5, 0.9, 1.0])),
        predicate=predicate,
        symmetric=predicate != "WORKS_AT",
        subject=draw(st.one_of(st.none(), NAMES.map(lambda name: Ref(name, AliasKind.TEXT)))),
        kind=draw(st.sampled_from([ClaimKind.HOLDS, ClaimKind.HOLDS, ClaimKind.ENDS, ClaimKind.YIELDS])),
        valid=draw(st.one_of(st.just(UNDATED), PERIODS)),
        block=draw(st.integers(0, 1)),
        line=draw(st.integers(0, 1)),
        doubtful=draw(st.booleans()),
    )


CLAIMS = st.lists(proposals(), max_size=9)
CHOICES = st.builds(Merging, st.sampled_from(Strategy), st.sampled_from([0.0, 0.6]))


def settle(claims, choice):
    return merge(claims, TITLE, {"WORKS_AT", "MARRIED_TO"}.__contains__, choice)


def saying(one):
    ends = (name_key(one.subject.name if one.subject else TITLE), name_key(one.object.name))
    kind = ClaimKind.HOLDS if one.kind is ClaimKind.HOLDS else ClaimKind.ENDS
    return one.block, one.predicate, tuple(sorted(ends)) if one.symmetric else ends, kind


@given(CLAIMS, CHOICES, st.randoms())
def test_the_order_of_arrival_changes_nothing(claims, choice, chance):
    mixed = list(claims)
    chance.shuffle(mixed)
    one, other = settle(claims, choice), settle(mixed, choice)
    assert sorted(map(repr, one.claims)) == sorted(map(repr, other.claims))
    assert list(map(repr, one.dropped)) == list(map(repr, other.dropped))


@given(CLAIMS, CHOICES)
def test_what_is_merged_is_merged(claims, choice):
    once = settle(claims, choice).claims
    again = settle(once, choice)
    assert (again.claims, again.dropped) == (once, ())


@given(CLAIMS, CHOICES)
def test_nothing_is_made_up_and_nothing_vanishes_without_a_word(claims, choice):
    found = settle(claims, choice)
    out = [*found.claims, *(each.claim for each in found.dropped)]
    assert {saying(each) for each in out} == {saying(each) for each in claims}
    for each in out:
        alike = [other for other in claims if saying(other) == saying(each)]
        assert each.valid.start in {other.valid.start for other in alike}
        assert each.valid.end in {other.valid.end for other in alike}
        assert rungs_of(each) <= {other.rung for other in alike}
        assert min(other.confidence for other in alike) <= each.confidence <= 1
        assert (each.statement, each.quote) in {(other.statement, other.quote) for other in alike}


@given(CLAIMS, CHOICES)
def test_no_single_valued_slot_has_two_values_in_a_sentence_by_rungs_that_disagree(claims, choice):
    kept = [each for each in settle(claims, choice).claims if each.predicate == "WORKS_AT" and each.valid == UNDATED]
    held = [each for each in kept if each.kind is ClaimKind.HOLDS]
    for one in held:
        for other in held:
            if saying(one)[:2] == saying(other)[:2] and saying(one)[2][0] == saying(other)[2][0]:
                disagree = not rungs_of(one) & rungs_of(other)
                assert not disagree or one.line != other.line or saying(one) == saying(other)
