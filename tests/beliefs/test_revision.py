"""What an edit of a source does to the claims it made."""

from dataclasses import replace

from kgmem.beliefs import Rule, believe, revise, slot_id
from kgmem.model import UNKNOWN, Basis, Bound, Claim, Instant, Moment, Period

SINGLE, MANY = Rule(single=True), Rule(single=False)
SEEN = Bound(Moment.parse("2026-03-20"), Basis.OBSERVED)
FILE = Bound(Moment.parse("2026-03-01"), Basis.FILE)


def said(value, *, start=None, predicate="WORKS_AT", passage="p", scalar=False, on=FILE):
    bound = Bound(Moment.parse(start), Basis.STATED) if start else UNKNOWN
    return Claim(
        id="", source="s", episode="", passage=passage, subject="who", predicate=predicate, object=None, value=value,
        statement=f"works at {value}", quote=value, line=0, valid=Period(bound, UNKNOWN), said=on, scalar=scalar,
    )  # fmt: skip


def apply(before, stated, rule=SINGLE, *, episode="e", now=1):
    """The log after one more reading: [(slot, claim)] not withdrawn, and the revision that led there."""
    log = {claim.id for _, claim in before}
    revision = revise(
        before, stated, lambda _: rule, log.intersection,
        passages={claim.passage for claim in stated}, episode=episode, now=Instant(now), seen=SEEN,
    )  # fmt: skip
    ends = dict(revision.replaced)
    kept = [
        (slot, replace(claim, replaced=ends.get(claim.id, claim.replaced)))
        for slot, claim in before
        if claim.id not in revision.withdrawn
    ]
    return kept + list(revision.added), revision


def values(log, rule=SINGLE):
    beliefs = []
    for slot in dict.fromkeys(slot for slot, _ in log):
        beliefs += believe([claim for other, claim in log if other == slot], rule)
    return [(b.value, b.valid.start.shown, b.valid.end.shown) for b in sorted(beliefs, key=lambda b: b.holds_from)]


def test_reading_the_same_again_changes_nothing():
    log, _ = apply([], [said("Acme")])
    again, revision = apply(log, [said("Acme")], episode="e2", now=2)
    assert (again, revision.touched) == (log, ())


def test_a_touched_file_is_no_new_claim():
    log, _ = apply([], [said("Acme")])
    later = Bound(Moment.parse("2026-05-05"), Basis.FILE)
    assert apply(log, [said("Acme", on=later)], now=2)[1].added == ()


def test_an_edited_property_ends_where_the_edit_was_seen():
    log, _ = apply([], [said("Acme", passage="p1")])
    log, _ = apply(log, [said("Beta", passage="p2")], episode="e2", now=2)
    assert values(log) == [("Acme", None, "2026-03-20"), ("Beta", "2026-03-20", None)]


def test_an_edited_property_with_a_date_ends_at_that_date():
    log, _ = apply([], [said("Acme", start="2019", passage="p1")])
    log, _ = apply(log, [said("Beta", start="2023", passage="p2")], episode="e2", now=2)
    assert values(log) == [("Acme", "2019", "2023"), ("Beta", "2023", None)]


def test_an_edit_elsewhere_in_the_passage_keeps_the_date_that_an_earlier_edit_gave():
    log, _ = apply([], [said("Acme", passage="p1")])
    log, _ = apply(log, [said("Beta", passage="p2")], episode="e2", now=2)
    log, _ = apply(log, [said("Beta", passage="p3")], episode="e3", now=3)
    assert values(log) == [("Acme", None, "2026-03-20"), ("Beta", "2026-03-20", None)]


def test_a_name_that_means_somebody_else_now_is_no_edit():
    log, _ = apply([], [said("Acme, a note", passage="p1")])
    log, revision = apply(log, [said("Acme, a name", passage="p1")], now=2)
    assert (revision.replaced, values(log)) == ((), [("Acme, a name", None, None)])


def test_a_corrected_value_of_the_same_date_was_never_true():
    log, _ = apply([], [said("Acme", start="2019", passage="p1")])
    log, _ = apply(log, [said("Beta", start="2019", passage="p2")], episode="e2", now=2)
    assert values(log) == [("Beta", "2019", None)]


def test_a_corrected_date_of_the_same_value_restates_it():
    log, _ = apply([], [said("Acme", start="2019", passage="p1")])
    log, revision = apply(log, [said("Acme", start="2020", passage="p2")], episode="e2", now=2)
    assert values(log) == [("Acme", "2020", None)]
    assert len(revision.withdrawn) == 1


def test_a_removed_sentence_is_withdrawn():
    log, _ = apply([], [said("Acme")])
    log, revision = apply(log, [], episode="e2", now=2)
    assert (log, len(revision.withdrawn), revision.replaced) == ([], 1, ())


def test_what_replaced_something_and_goes_too_takes_both_along():
    log, _ = apply([], [said("Acme", passage="p1")])
    log, _ = apply(log, [said("Beta", passage="p2")], episode="e2", now=2)
    log, revision = apply(log, [], episode="e3", now=3)
    assert (values(log), len(revision.withdrawn)) == ([], 2)


def test_a_value_that_comes_back_is_another_claim():
    log, _ = apply([], [said("Acme", passage="p1")])
    log, _ = apply(log, [said("Beta", passage="p2")], episode="e2", now=2)
    log, revision = apply(log, [said("Acme", passage="p1")], episode="e3", now=3)
    assert len({claim.id for _, claim in log}) == 3
    assert len(revision.added) == 1


def test_a_claim_that_is_made_again_in_the_same_episode_is_another_claim():
    def made(taken, now):
        return revise(
            [], [said("Acme")], lambda _: SINGLE, taken, passages={"p"}, episode="e", now=Instant(now), seen=SEEN
        )

    first = made(set().intersection, 1)
    ids = {claim.id for _, claim in first.added}
    again = made(ids.intersection, 3)
    assert len({claim.id for _, claim in (*first.added, *again.added)}) == 2


def test_the_one_value_of_a_property_that_nobody_defined_replaces_its_own_earlier_value():
    log, _ = apply([], [said("draft", predicate="STAGE", passage="p1", scalar=True)], MANY)
    log, _ = apply(log, [said("done", predicate="STAGE", passage="p2", scalar=True)], MANY, episode="e2", now=2)
    assert values(log, MANY) == [("draft", None, "2026-03-20"), ("done", "2026-03-20", None)]


def test_a_value_of_a_list_is_withdrawn_and_retires_no_other():
    log, _ = apply([], [said("Bo"), said("Cy")], MANY)
    log, revision = apply(log, [said("Bo"), said("Di")], MANY, episode="e2", now=2)
    assert revision.replaced == ()
    assert [value for value, _, _ in values(log, MANY)] == ["Bo", "Di"]


def test_the_slots_of_all_that_changed_are_touched_once():
    log, _ = apply([], [said("Acme", passage="p1")])
    _, revision = apply(log, [said("Beta", passage="p2"), said("Gamma", passage="p3")], episode="e2", now=2)
    assert revision.touched == (slot_id("who", "WORKS_AT", "v:Acme", SINGLE),)
