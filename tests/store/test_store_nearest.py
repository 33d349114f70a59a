"""Search among vectors, on both axes of time."""

import math
import random
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    HOME,
    INTRO,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    TRIP,
    bound,
    episode,
    mention,
    passage,
    rewritten,
)

from kgmem.errors import StoreError
from kgmem.model import FOREVER, Instant, Moment, identify
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Vector
from kgmem.store.loading import HalfCopy
from kgmem.store.protocol import Scope

EAST, NORTH_EAST, NORTH, WEST = (1.0, 0.0), (0.6, 0.8), (0.0, 2.0), (-0.5, 0.0)


def vector(kind, row, values):
    return Vector(kind, row if isinstance(row, str) else row.id, "m", values)


def embedded(*vectors):
    return ChangeSet("embed", vectors=tuple(vector(*each) for each in vectors))


PASSAGES = embedded(("passage", INTRO, EAST), ("passage", HOME, NORTH_EAST), ("passage", TRIP, NORTH))


def year(number):
    moment = Moment.year(number)
    return moment.first, moment.past


@pytest.fixture
def store(store):
    store.declare_vectors("m", 2)
    return store


@pytest.fixture
def near(store):
    def ids(values, kind="passage", limit=10, **times):
        return [hit.id for hit in store.nearest(kind, values, limit, **times)]

    return ids


def scores(hits):
    return [round(hit.score, 5) for hit in hits]


def test_best_first_with_the_cosine_and_no_more_than_asked_for(store, commit):
    commit(store, FIRST, SECOND, PASSAGES)
    hits = store.nearest("passage", (3.0, 0.0), 10)
    assert [hit.id for hit in hits] == [INTRO.id, HOME.id, TRIP.id]
    assert scores(hits) == [1, 0.6, 0]
    assert {hit.scope for hit in hits} == {Scope.EPISODES}
    assert scores(store.nearest("passage", WEST, 10)) == [0, -0.6, -1]
    assert store.nearest("passage", (3.0, 0.0), 1) == hits[:1]
    assert store.nearest("passage", EAST, 0) == ()


def test_each_kind_by_itself(store, commit):
    commit(store, FIRST, SECOND)
    commit(store, embedded(("passage", INTRO, EAST), ("fact", DIRECTS_FACT, EAST), ("entity", MIRA, EAST)))
    found = {kind: [(hit.scope, hit.id) for hit in store.nearest(kind, EAST, 5)] for kind in KINDS}
    assert found == {
        "passage": [(Scope.EPISODES, INTRO.id)],
        "fact": [(Scope.FACTS, DIRECTS_FACT.id)],
        "entity": [(Scope.ENTITIES, MIRA.id)],
    }
    with pytest.raises(ValueError, match="'note'"):
        store.nearest("note", EAST, 5)


KINDS = ("passage", "fact", "entity")


def test_a_vector_that_changed_is_found_where_it_is_now(store, commit, near):
    commit(store, FIRST, SECOND, PASSAGES, embedded(("passage", INTRO, WEST)))
    assert near(EAST) == [HOME.id, TRIP.id, INTRO.id]


def test_vectors_written_with_what_they_are_of(store, commit, near):
    commit(store, replace(FIRST, vectors=(vector("passage", HOME, EAST), vector("fact", DIRECTS_FACT, EAST))))
    assert (near(EAST), near(EAST, "fact"), near(EAST, "entity")) == ([HOME.id], [DIRECTS_FACT.id], [])


def test_a_question_of_another_dimension_is_refused(store, commit):
    commit(store, FIRST, PASSAGES)
    with pytest.raises(StoreError, match=r"3 dimensions .* m with 2") as caught:
        store.nearest("passage", (1.0, 0.0, 0.0), 5)
    assert caught.value.hint == "use the model that the group was begun with"


def test_a_group_that_declares_no_vectors_refuses_once_anything_is_written(place, commit):
    other = place.open("other")
    assert other.nearest("passage", EAST, 5) == ()
    commit(other, FIRST)
    with pytest.raises(StoreError, match="declares no vectors") as caught:
        other.nearest("passage", EAST, 5)
    assert caught.value.hint


def test_nothing_is_near_where_nothing_is(near):
    assert near(EAST) == near(EAST, "fact") == near(EAST, "entity") == []


@pytest.mark.parametrize("nowhere", [(0.0, 0.0), (math.nan, 1.0), (math.inf, 1.0)])
def test_a_vector_that_points_nowhere_is_near_nothing(store, commit, near, nowhere):
    commit(store, FIRST, PASSAGES)
    assert near(nowhere) == []


def test_nothing_is_near_a_stored_vector_of_zeros(store, commit, near):
    commit(store, FIRST, embedded(("passage", INTRO, (0.0, 0.0)), ("passage", HOME, WEST)))
    assert near(EAST) == [HOME.id]


def test_another_group_is_never_seen(place, store, commit, near):
    other = place.open("other")
    other.declare_vectors("m", 2)
    commit(store, FIRST, embedded(("passage", HOME, NORTH)))
    commit(other, FIRST, SECOND, PASSAGES)
    assert near(EAST) == [HOME.id]
    assert len(other.nearest("passage", EAST, 10)) == 3


def test_a_vector_of_what_is_not_there_is_not_found(store, commit, near):
    commit(store, FIRST, embedded(("passage", identify("x"), EAST), ("fact", INTRO, EAST), ("passage", INTRO, NORTH)))
    assert (near(EAST), near(EAST, "fact")) == ([INTRO.id], [])


def test_a_passage_that_left_is_not_found_and_one_that_returns_is(store, commit, near):
    first = commit(store, FIRST, PASSAGES)
    second = commit(store, rewritten("Mira sails"))
    assert near(EAST) == near(EAST, known=second) == []
    assert near(EAST, known=first) == [INTRO.id, HOME.id]
    commit(store, FIRST)
    assert near(EAST) == [INTRO.id, HOME.id]
    commit(store, ChangeSet("remove", removed=MIRA_MD.id))
    assert near(EAST) == []
    assert near(EAST, known=first) == [INTRO.id, HOME.id]


def test_a_passage_is_left_out_of_a_period_before_its_note_was_written(store, commit, near):
    known = commit(store, FIRST, SECOND, PASSAGES)  # Mira's note is of 2024-05, the log of 2023-11
    assert near(EAST, valid=year(2022)) == []
    assert near(EAST, valid=year(2023)) == [TRIP.id]
    assert near(EAST, valid=year(2024)) == [INTRO.id, HOME.id, TRIP.id]
    assert near(EAST, valid=year(2023), known=known) == [TRIP.id]


def test_those_that_count_are_found_behind_many_that_do_not(store, commit, near):
    """More than an index gives at once, all of them nearer."""
    texts = [f"line {number}" for number in range(200)]
    old = tuple(passage(LOG_MD, text) for text in texts)
    revision = episode(LOG_MD, "many", bound("2023-11"))
    before = commit(store, ChangeSet("ingest", source=LOG_MD, episode=revision, passages=old))
    commit(store, FIRST, embedded(*(("passage", each, EAST) for each in old)), embedded(("passage", HOME, NORTH)))
    assert set(near(EAST, limit=300)) == {HOME.id, *(each.id for each in old)}
    commit(store, ChangeSet("remove", removed=LOG_MD.id))
    assert near(EAST, limit=1) == [HOME.id]
    assert near(EAST, limit=1, valid=year(2024)) == [HOME.id]
    assert set(near(EAST, limit=300, known=before)) == {each.id for each in old}


def test_facts_of_both_axes(store, commit, near):
    later = replace(DIRECTS_FACT, id=identify("later"), holds_from=year(2020)[0])
    early = replace(DIRECTS_FACT, holds_from=year(2015)[0], holds_to=year(2017)[1])
    first = commit(store, replace(FIRST, opened=(early,)))
    commit(store, embedded(("fact", early, EAST)))
    second = commit(store, ChangeSet("ingest", opened=(later,)), embedded(("fact", later, NORTH_EAST)))
    assert near(EAST, "fact") == near(EAST, "fact", known=second) == [early.id, later.id]
    assert near(EAST, "fact", valid=year(2016)) == near(EAST, "fact", known=first) == [early.id]
    assert near(EAST, "fact", valid=(-FOREVER, FOREVER)) == [early.id, later.id]
    third = commit(store, ChangeSet("ingest", closed=(early.id,)))
    assert near(EAST, "fact") == near(EAST, "fact", known=third) == [later.id]
    assert near(EAST, "fact", known=second) == [early.id, later.id]
    assert near(EAST, "fact", known=second, valid=year(2021)) == [later.id]
    assert near(EAST, "fact", known=Instant(first - 1)) == near(EAST, "fact", valid=year(2018)) == []


def test_an_entity_is_found_while_it_is_mentioned(store, commit, near):
    entities = embedded(("entity", MIRA, EAST), ("entity", NORD, NORTH_EAST), ("entity", PARIS, NORTH))
    first = commit(store, FIRST, entities)
    assert near(EAST, "entity") == [MIRA.id, NORD.id, PARIS.id]
    commit(store, replace(FIRST, mentions=(mention(INTRO, MIRA), mention(HOME, PARIS))))
    assert near(EAST, "entity") == [MIRA.id, PARIS.id]
    commit(store, rewritten("elsewhere"))
    assert near(EAST, "entity") == []
    assert near(EAST, "entity", known=first) == [MIRA.id, PARIS.id]
    assert near(EAST, "entity", known=first, valid=year(2023)) == []
    commit(store, FIRST)
    assert near(EAST, "entity") == [MIRA.id, NORD.id, PARIS.id]


def test_a_question_in_a_transaction_sees_what_it_wrote(store, commit, near):
    commit(store, FIRST, PASSAGES)
    with store.batch():
        commit(store, rewritten("Mira sails"))
        assert near(EAST) == []


def test_vectors_declared_in_a_transaction_are_searched(place):
    other = place.open("other")
    with other.writing() as transaction:
        other.declare_vectors("m", 2)
        transaction.commit(replace(FIRST, vectors=PASSAGES.vectors[:2]))
    assert [hit.id for hit in other.nearest("passage", EAST, 1)] == [INTRO.id]


def test_a_restored_memory_is_searched_like_the_first_one(place, store, commit):
    first = commit(store, FIRST, SECOND)
    vectors = [("fact", DIRECTS_FACT, EAST), ("entity", MIRA, EAST), ("entity", PARIS, NORTH)]
    commit(store, PASSAGES, embedded(*vectors))
    commit(store, rewritten("Mira sails"), ChangeSet("i", closed=(DIRECTS_FACT.id,)))
    lines = list(store.dump())
    target = place.open("copy", unfinished=True)
    begun = target.loader().begin(HalfCopy("elsewhere", "0123456789abcdef"))
    target.loader().end(target.loader().load(lines, begun))
    for kind in KINDS:
        for times in ({}, {"known": first}, {"valid": year(2023)}, {"known": first, "valid": year(2016)}):
            hits = store.nearest(kind, EAST, 9, **times)
            assert [hit.id for hit in target.nearest(kind, EAST, 9, **times)] == [hit.id for hit in hits]
    assert [hit.id for hit in target.nearest("entity", EAST, 9)] == [MIRA.id, PARIS.id]
    assert [hit.id for hit in target.nearest("passage", EAST, 9)] == [TRIP.id]


# -- against looking at each by hand

STEPS = st.integers(0, 4)
FACTS = st.tuples(st.tuples(*[st.integers(-3, 3)] * 3), STEPS, STEPS, STEPS, STEPS)


def cosine(one, other):
    lengths = math.hypot(*one) * math.hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else None


def expected(facts, values, valid, known):
    """The cosines of facts that count, by id."""
    found = {}
    for number, (held, opened, closed, start, length) in enumerate(facts):
        believed = opened <= known < opened + closed + 1
        holds = valid is None or (start < valid[1] and start + length + 1 > valid[0])
        if believed and holds and (score := cosine(held, values)) is not None:
            found[identify("fact", number)] = score
    return found


def remember(store, facts):
    """Write the facts, each open from one step to another; gives the instant of each step."""
    store.declare_vectors("m", 3)
    instants = []
    made = [
        replace(
            DIRECTS_FACT,
            id=identify("fact", number),
            holds_from=start,
            holds_to=start + length + 1,
            evidence=(DIRECTS.id,),
        )
        for number, (_, _, _, start, length) in enumerate(facts)
    ]
    for step in range(10):
        opened = tuple(fact for fact, (_, at, *_) in zip(made, facts, strict=True) if at == step)
        closed = tuple(fact.id for fact, (_, at, more, *_) in zip(made, facts, strict=True) if at + more + 1 == step)
        with store.writing() as transaction:
            transaction.commit(replace(FIRST if step == 0 else ChangeSet("i"), opened=opened, closed=closed))
        instants.append(transaction.recorded_at)
    vectors = [("fact", fact, tuple(map(float, held[0]))) for fact, held in zip(made, facts, strict=True)]
    with store.writing() as transaction:
        transaction.commit(embedded(*vectors))
    return instants


@settings(max_examples=60, deadline=None)
@given(
    facts=st.lists(FACTS, max_size=12),
    values=st.tuples(*[st.integers(-3, 3)] * 3),
    valid=st.none() | st.tuples(STEPS, STEPS),
    known=st.none() | st.integers(0, 9),
    limit=st.integers(1, 5),
)
def test_the_best_are_those_that_looking_at_each_gives(facts, values, valid, known, limit):
    with tempfile.TemporaryDirectory() as folder, closing(open_store(str(Path(folder) / "m.db"), "g")) as store:
        instants = remember(store, facts)
        then = None if known is None else instants[known]
        hits = store.nearest("fact", values, limit, valid=valid, known=then)
    wanted = expected(facts, values, valid, 9 if known is None else known)
    assert [hit.score for hit in hits] == pytest.approx(sorted(wanted.values(), reverse=True)[:limit])
    assert {hit.id: hit.score for hit in hits} == pytest.approx({hit.id: wanted[hit.id] for hit in hits})


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    count=st.integers(1, 700),
    dimension=st.integers(1, 9),
    limit=st.integers(1, 20),
    closed=st.integers(1, 5),
)
def test_rounding_the_codes_loses_nothing(seed, count, dimension, limit, closed):
    """More vectors than a block holds, many of them alike, and some that do not count."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret hangs on it
    centre = [chance.gauss(0, 1) for _ in range(dimension)]
    rows = [tuple(each + chance.gauss(0, 0.01) for each in centre) for _ in range(count)]
    facts = [replace(DIRECTS_FACT, id=identify("fact", number)) for number in range(count)]
    gone = tuple(fact.id for fact in facts[::closed][:-1])
    with tempfile.TemporaryDirectory() as folder, closing(open_store(str(Path(folder) / "m.db"), "g")) as store:
        store.declare_vectors("m", dimension)
        vectors = [vector("fact", fact, row) for fact, row in zip(facts, rows, strict=True)]
        for changes in (replace(FIRST, opened=tuple(facts), vectors=tuple(vectors)), ChangeSet("i", closed=gone)):
            with store.writing() as transaction:
                transaction.commit(changes)
        hits = store.nearest("fact", centre, limit)
    wanted = sorted((cosine(row, centre) for fact, row in zip(facts, rows, strict=True) if fact.id not in gone))
    assert [hit.score for hit in hits] == pytest.approx(wanted[::-1][:limit], abs=1e-6)
