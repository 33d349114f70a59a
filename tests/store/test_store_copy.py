"""Taking in a dump: what comes out again, and what a group is until all of it is in."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from store.conftest import NOON
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    HOME,
    INTRO,
    LOG_1,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    SLOT,
    TRIP,
    fact_of,
    rewritten,
    works_at,
)

from kgmem.errors import InvariantError, StoreError, StoreLockedError
from kgmem.model import (
    Basis,
    Bound,
    Decision,
    DecisionKind,
    Instant,
    Moment,
    Precision,
    Replayed,
    identify,
    to_instant,
)
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Ending, EndKind, Vector
from kgmem.store.conversations import Message, MessageQuery, Step, Thumb, Trace
from kgmem.store.loading import HalfCopy
from kgmem.store.protocol import FactQuery, Hit, Proposal, Scope

HALF = HalfCopy("the group default in elsewhere", "d1")
LATER = works_at(TRIP, LOG_1, "Sud", "2020")
AGREEING = works_at(TRIP, LOG_1, NORD, "2015", name="agreeing")
ODD = Bound(Moment(63_113_904_000, 63_113_904_100, Precision.INSTANT), Basis.OBSERVED)
"""A hundred seconds: no whole year, month, day or second."""
SAME = Decision(
    identify("d", 1), DecisionKind.SAME, entity=MIRA.id, others=(PARIS.id,), names=("Paris",), note="“both”"
)
FORGET = Decision(identify("d", 2), DecisionKind.FORGET, source=LOG_MD.id, hash="h2")


def instant(hours):
    return to_instant(NOON + timedelta(hours=hours))


@pytest.fixture
def past(place, commit):
    """A memory with a past in every table."""
    store = place.at(0)
    store.declare_vectors("m", 2)
    commit(store, FIRST, replace(SECOND, claims=((SLOT, AGREEING),)))
    store = place.at(1)
    supported = ((DIRECTS_FACT.id, tuple(sorted((DIRECTS.id, AGREEING.id)))),)
    commit(store, ChangeSet("correct", supported=supported))
    store = place.at(2)
    change = ChangeSet(
        "ingest",
        claims=((SLOT, LATER),),
        endings=(Ending(DIRECTS.id, EndKind.REPLACED, ODD), Ending(AGREEING.id, EndKind.WITHDRAWN)),
        closed=(DIRECTS_FACT.id,),
        opened=(fact_of(LATER, rivals=(DIRECTS,)),),
        vectors=(Vector("passage", INTRO.id, "m", (0.1, -2.5)), Vector("fact", DIRECTS_FACT.id, "m", (1.0, 0.0))),
        decisions=(SAME, FORGET),
    )
    commit(store, change, ChangeSet("undo", retracted=(FORGET.id,)))
    store = place.at(3)
    moved = replace(MIRA_MD, path="Old/Mira.md", title="Mira L.")
    commit(
        store,
        rewritten("Mira sails in Caf\u00e9 \u9875\u9762", moved, ODD, mentions=()),
        ChangeSet("removed", removed=LOG_MD.id),
    )
    store.mark_replayed("/vault", Replayed("abc", instant(3)))
    trace = Trace((Step("answer", (Hit(Scope.ENTITIES, PARIS.id, 0.5),), 0.25, "“n”"),), (MIRA.id,), 1.5, 7, "m")
    asked = Message(
        "wine", instant(9), "Who \u9875?", identify("gist"), "Mira", "2019", mentions=(PARIS.id, MIRA.id), trace=trace
    )
    for number in range(2):
        kept = store.conversations().add(replace(asked, asked_at=instant(9 - number)))
    store.conversations().judge(kept.id, Thumb.UP, "so")
    return store


def copied(store, place, size=10_000, group="copy", **clock):
    """A group that took in the dump of a store, so many lines at once."""
    lines = list(store.dump())
    target = place.open(group, unfinished=True, **clock)
    half = target.loader().begin(HALF)
    for first in range(0, len(lines), size):
        half = target.loader().load(lines[first : first + size], half)
    assert half == replace(HALF, lines=len(lines))
    target.loader().end(half)
    return target


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_what_a_dump_says_a_load_restores(past, place, size):
    target = copied(past, place, size)
    assert list(target.dump()) == list(past.dump())
    assert target.verify() == ()
    assert target.half_copy() is None
    said = {line["table"] for line in map(json.loads, target.dump())}
    assert {"decision", "replay", "ending", "vector", "source_episode", "evidence", "spoken_of", "step"} <= said


def test_a_restored_memory_answers_as_the_first_one(past, place):
    target = copied(past, place)
    for known in (None, instant(0), instant(1), instant(2)):
        assert target.facts(FactQuery(known=known)) == past.facts(FactQuery(known=known))
        assert target.claims(known=known) == past.claims(known=known)
        for scope in (Scope.FACTS, Scope.ENTITIES, Scope.EPISODES):
            for words in ("Mira", "directs Nord", "sails", "\u9875\u9762", "flew"):
                hits = [hit.id for hit in target.search(scope, words, 9, known=known)]
                assert hits == [hit.id for hit in past.search(scope, words, 9, known=known)]
    assert target.decisions() == past.decisions()
    assert target.episodes(MIRA_MD.id) == past.episodes(MIRA_MD.id)
    assert target.passages_of(MIRA_MD.id, known=instant(2)) == (INTRO, HOME)
    assert target.replayed("/vault") == Replayed("abc", instant(3))
    assert list(target.vectors("passage")) == list(past.vectors("passage"))
    assert target.conversations().messages(MessageQuery()) == past.conversations().messages(MessageQuery())
    assert target.stats().counts == past.stats().counts
    with pytest.raises(StoreError, match="not m with 3"):
        target.declare_vectors("m", 3)


def test_search_finds_in_a_restored_memory_what_it_found(past, place):
    target = copied(past, place)
    assert [hit.id for hit in target.search(Scope.FACTS, "Sud", 9)] == [fact_of(LATER).id]
    assert [hit.id for hit in target.search(Scope.EPISODES, "cafe", 9)] != []
    assert {hit.id for hit in target.search(Scope.EPISODES, "Mira", 9, known=instant(0))} >= {INTRO.id, HOME.id}


def test_sizes_and_times_of_files_are_not_restored(past, place):
    (source,) = copied(past, place).sources()
    assert (source.path, source.size, source.mtime_ns) == ("Old/Mira.md", 0, 0)


def test_the_clock_goes_on_where_the_log_ends(past, place, commit):
    last = past.stats().last_recorded
    assert last == instant(3) + 1
    target = copied(past, place, now=NOON + timedelta(hours=3))
    assert target.stats().last_recorded == last
    assert commit(target, ChangeSet("merge", entities=(replace(MIRA, name="M"),))) == last + 1
    early = place.open("copy", now=NOON + timedelta(hours=2))
    with pytest.raises(Exception, match="before the last recorded"), early.writing():
        pass


def test_a_group_is_half_a_copy_from_its_first_line_to_its_last(past, place):
    lines = list(past.dump())
    target = place.open("copy", unfinished=True)
    assert target.half_copy() is None
    half = target.loader().begin(replace(HALF, lines=99))
    assert half == target.half_copy() == HALF
    half = target.loader().load(lines[:20], half)
    assert half == target.half_copy() == replace(HALF, lines=20)
    assert len([line for line in target.dump() if '"table":"vectors"' not in line]) == 20
    half = target.loader().load(lines[20:], half)
    assert half == target.half_copy() == replace(HALF, lines=len(lines))
    target.loader().end(half)
    assert target.half_copy() is None


@pytest.mark.parametrize("readonly", [False, True])
def test_half_a_copy_is_of_no_other_use(past, place, readonly):
    target = place.open("copy", unfinished=True)
    target.loader().load(list(past.dump())[:5], target.loader().begin(HALF))
    named = place.group("copy")
    said = rf"the group {named} in .* is half a copy of the group default in elsewhere: 5 lines of it are in"
    with pytest.raises(StoreError, match=said) as caught:
        open_store(place.url, named, readonly=readonly)
    assert caught.value.hint == "the same `kgmem copy` again completes it"
    with pytest.raises(StoreError, match="half a copy"), target.writing():
        pass
    assert place.open("another").half_copy() is None


def test_a_group_that_holds_something_takes_no_copy_in(past, place):
    before = list(past.dump())
    with pytest.raises(StoreError, match="holds something else"):
        past.loader().begin(HALF)
    assert list(past.dump()) == before
    assert past.half_copy() is None
    declared = place.open("declared")
    declared.declare_vectors("m", 2)
    with pytest.raises(StoreError, match="holds something else"):
        declared.loader().begin(HALF)


def test_a_copy_that_is_begun_anew_drops_what_was_half_there(past, place):
    lines, neighbour = list(past.dump()), copied(past, place, group="neighbour")
    target = place.open("copy", unfinished=True)
    target.loader().load(lines, target.loader().begin(HALF))
    target.compare({MIRA.id: ["n:mira"]}, [Proposal(*sorted((MIRA.id, NORD.id)), 0.5)], (), Instant(5))
    other = replace(HALF, dump="d2")
    assert target.loader().begin(other) == target.half_copy() == other
    assert [line for line in target.dump() if '"table":"vectors","model":null' not in line] == []
    assert (target.proposals(), target.compared_upto(), target.keys_of([MIRA.id])) == ((), None, {})
    target.loader().end(target.loader().load(lines, other))
    assert list(target.dump()) == list(neighbour.dump()) == lines
    assert [hit.id for hit in target.search(Scope.FACTS, "Sud", 9)] == [fact_of(LATER).id]
    assert target.verify() == ()


def test_two_processes_do_not_take_in_the_same_lines(past, place):
    lines = list(past.dump())
    one, other = (place.open("copy", unfinished=True) for _ in range(2))
    half = one.loader().begin(HALF)
    further = one.loader().load(lines[:10], half)
    for stale in (half, replace(further, dump="d2"), replace(further, origin="?")):
        with pytest.raises(StoreLockedError, match="another process"):
            other.loader().load(lines[:10], stale)
        with pytest.raises(StoreLockedError):
            other.loader().end(stale)
    one.loader().end(other.loader().load(lines[10:], further))
    assert list(one.dump()) == lines


@pytest.mark.parametrize(
    "wrong",
    [
        "no JSON",
        "[]",
        '{"name":"x"}',
        '{"table":"colour","id":"00000000000000aa"}',
        '{"table":"entity","id":"00000000000000aa"}',
        '{"table":"link","source":"00000000000000aa","key":"x","resolved":0}',
    ],
)
def test_lines_go_in_together_or_not_at_all(past, place, wrong):
    lines = list(past.dump())
    target = place.open("copy", unfinished=True)
    half = target.loader().load(lines[:3], target.loader().begin(HALF))
    before = list(target.dump())
    with pytest.raises(InvariantError):
        target.loader().load([*lines[3:9], wrong], half)
    assert list(target.dump()) == before
    assert target.half_copy() == half


def test_the_keys_that_entities_are_filed_under(store, commit):
    commit(store, FIRST)
    store.compare({MIRA.id: ["n:mira", "f:m"], NORD.id: ["l:nord"]}, (), ())
    assert store.keys_of([MIRA.id, PARIS.id]) == {MIRA.id: ("f:m", "n:mira")}
    assert store.keys_of([]) == {}
