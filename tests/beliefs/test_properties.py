"""What must hold of beliefs for any claims at all."""

from itertools import pairwise

from beliefs.claims import claims
from hypothesis import given
from hypothesis import strategies as st

from kgmem.beliefs import Rule, believe
from kgmem.beliefs.spans import is_undated, span_of
from kgmem.model import ClaimKind

SINGLE, MANY = Rule(single=True), Rule(single=False)


def fold(some, rule):
    """Fold as the memory does: each slot for itself."""
    if rule.single:
        return believe(some, rule)
    return tuple(
        b for value in sorted({c.value for c in some}) for b in believe([c for c in some if c.value == value], rule)
    )


@given(claims(), st.randoms(use_true_random=False), st.sampled_from([SINGLE, MANY]))
def test_the_order_of_arrival_does_not_matter(some, random, rule):
    shuffled = list(some)
    random.shuffle(shuffled)
    assert fold(shuffled, rule) == fold(some, rule)


@given(claims(), st.sampled_from([SINGLE, MANY]))
def test_saying_everything_twice_says_nothing_new(some, rule):
    assert fold(some + some, rule) == fold(some, rule)


@given(claims())
def test_a_single_valued_slot_holds_at_most_one_value_at_any_instant(some):
    beliefs = believe(some, SINGLE)
    assert all(one.holds_to <= next_one.holds_from for one, next_one in pairwise(beliefs))


@given(claims(), st.sampled_from([SINGLE, MANY]))
def test_intervals_are_never_empty_and_show_their_own_ends(some, rule):
    for belief in fold(some, rule):
        assert belief.holds_from < belief.holds_to
        start, end = belief.valid.start.moment, belief.valid.end.moment
        assert start is None or start.first == belief.holds_from
        assert end is None or belief.holds_to in (end.first, end.past)


@given(claims(), st.sampled_from([SINGLE, MANY]))
def test_no_claim_is_lost(some, rule):
    used = {claim for belief in fold(some, rule) for claim in belief.evidence + belief.rivals}
    for claim in some:
        covers = is_undated(claim) or span_of(claim) is not None
        if claim.kind is ClaimKind.HOLDS and covers and not claim.valid.empty:
            assert claim.id in used


@given(claims(), st.sampled_from([SINGLE, MANY]))
def test_every_belief_rests_on_a_claim_of_its_value(some, rule):
    by_id = {claim.id: claim for claim in some}
    for belief in fold(some, rule):
        assert belief.value in {by_id[claim].value for claim in belief.evidence}


@given(claims(values="A"))
def test_a_slot_of_one_value_is_the_same_under_either_rule(some):
    def cover(beliefs):
        edges = sorted({e for b in beliefs for e in (b.holds_from, b.holds_to)})
        return [(a, b) for a, b in pairwise(edges) if any(x.holds_from <= a and b <= x.holds_to for x in beliefs)]

    def merged(beliefs):
        out = []
        for a, b in cover(beliefs):
            out = [*out[:-1], (out[-1][0], b)] if out and out[-1][1] == a else [*out, (a, b)]
        return out

    assert merged(believe(some, SINGLE)) == merged(believe(some, MANY))
