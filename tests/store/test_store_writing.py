"""Transactions, the clock, groups, vectors and the dump."""

import json
import multiprocessing
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from store.conftest import NOON
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    INTRO,
    LOG_MD,
    MIRA,
    MIRA_MD,
    PARIS,
    SECOND,
    SLOT,
    rewritten,
)

from kgmem.errors import InvariantError, StoreError, UserError
from kgmem.model import Instant, Replayed, Source, identify, to_instant
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Vector
from kgmem.store.protocol import EntityQuery, FactQuery, Scope


def rows(store, table):
    return [line for line in map(json.loads, store.dump()) if line["table"] == table]


def test_a_block_without_a_commit_writes_nothing(store):
    with store.writing():
        pass
    assert store.stats().last_recorded is None


def test_an_error_in_the_block_rolls_back(store, commit):
    commit(store, FIRST)
    before = list(store.dump())

    class Interrupted(BaseException):
        pass

    def interrupted():
        with store.writing() as transaction:
            transaction.commit(SECOND)
            raise Interrupted

    with pytest.raises(Interrupted):
        interrupted()
    assert list(store.dump()) == before
    assert store.search(Scope.EPISODES, "flew", 5) == ()
    commit(store, SECOND)
    assert len(list(store.sources())) == 2


def test_a_failed_commit_leaves_nothing_even_if_its_error_is_caught(store):
    with store.writing() as transaction, pytest.raises(InvariantError):
        transaction.commit(replace(FIRST, closed=(identify("none"),)))
    assert store.stats().counts["sources"] == 0


def test_one_transaction_writes_one_set(store):
    def twice():
        with store.writing() as transaction:
            transaction.commit(FIRST)
            transaction.commit(SECOND)

    with pytest.raises(InvariantError):
        twice()
    assert list(store.sources()) == []


def test_transactions_do_not_nest(store):
    with store.writing() as outer:
        with pytest.raises(InvariantError), store.writing():
            pass
        outer.commit(FIRST)
    assert list(store.sources()) == [MIRA_MD]


def test_what_was_committed_is_read_within_the_block(store):
    with store.writing() as transaction:
        assert store.episode(MIRA_MD.id) is None
        transaction.commit(FIRST)
        assert store.passages_of(MIRA_MD.id)[0] == INTRO


def test_the_same_set_twice_is_one(store, commit):
    commit(store, FIRST, SECOND)
    before = list(store.dump())
    stats = store.stats()
    commit(store, FIRST, SECOND)
    assert list(store.dump()) == before
    assert store.stats().last_recorded == stats.last_recorded


def test_a_batch_is_many_transactions(store, commit):
    def interrupted():
        with store.batch():
            commit(store, FIRST)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(store.sources()) == [MIRA_MD]


def test_a_transaction_that_breaks_off_takes_no_half_of_a_batch_with_it(store, commit):
    def broken_off():
        with store.batch() as batch:
            batches.append(batch)
            commit(store, FIRST)
            commit(store, replace(SECOND, mentions=(replace(SECOND.mentions[0], passage=identify("nowhere")),)))

    batches = []
    with pytest.raises(InvariantError, match="passage"):
        broken_off()
    assert [source.path for source in store.sources()] == ([MIRA_MD.path] if batches[0].kept else [])
    assert bool(rows(store, "passage")) == batches[0].kept
    commit(store, FIRST, SECOND)
    assert len(list(store.sources())) == 2


def test_names_that_are_linked_anew_are_kept_until_somebody_looked_after_them(store, commit):
    first = commit(store, replace(FIRST, relinked=frozenset({"nord", "paris"})))
    assert store.relinked() == {"nord": first, "paris": first}
    again = commit(store, rewritten("Paris", relinked=frozenset({"paris"})))
    assert store.relinked() == {"nord": first, "paris": again}
    store.look_after({"nord": first, "paris": first})
    assert store.relinked() == {"paris": again}
    commit(store, rewritten("Paris", relinked=frozenset({"nord"})))  # says nothing new
    store.look_after({"paris": again})
    assert store.relinked() == {}
    assert store.stats().last_recorded == again


def test_a_store_is_the_same_for_all_who_open_it(place, tmp_path):
    home = place.open("one").home()
    assert place.open("two").home() == home
    other = open_store(f"sqlite:///{tmp_path / 'other.db'}", "one")
    assert other.home() != home
    other.close()


def test_recorded_time_is_the_clocks(place, commit):
    noon = to_instant(NOON)
    assert commit(place.at(0), FIRST) == noon
    assert commit(place.at(1), SECOND) == noon + 3_600_000_000
    assert rows(place.at(2), "tx") == [
        {"table": "tx", "recorded_at": noon, "kind": "ingest", "source": MIRA_MD.id},
        {"table": "tx", "recorded_at": noon + 3_600_000_000, "kind": "ingest", "source": LOG_MD.id},
    ]


def test_a_clock_that_stands_still_ticks_by_a_microsecond(place, commit):
    store = place.at(0)
    noon = to_instant(NOON)
    assert [commit(store, each) for each in (FIRST, SECOND, rewritten("x"))] == [noon, noon + 1, noon + 2]
    assert commit(place.at(0), rewritten("y")) == noon + 3


def test_a_clock_set_before_the_last_transaction_is_refused(place, commit):
    commit(place.at(1), FIRST)
    with pytest.raises(UserError, match="2026-03-02T13:00:00Z"):
        commit(place.at(0), SECOND)
    assert len(list(place.at(0).sources())) == 1


def test_a_machine_whose_clock_went_back_waits_for_recorded_time(place, commit):
    future = datetime.now(NOON.tzinfo) + timedelta(days=9)
    last = commit(place.open(now=future), FIRST)
    assert commit(place.open(), SECOND) == last + 1


def test_a_clock_without_a_zone_is_refused(place):
    with pytest.raises(UserError):
        place.open(now=datetime(2026, 3, 2))  # noqa: DTZ001 -- the fault that is tested


def test_a_transaction_with_no_news_does_not_move_the_clock(place, commit):
    commit(place.at(0), FIRST)
    commit(place.at(5), FIRST)
    assert place.at(1).stats().last_recorded == to_instant(NOON)


def replay(store, at, *changes):
    """Write change sets, a transaction each, for one instant of the past; gives when they were recorded."""
    recorded = []
    for each in changes:
        with store.writing(at) as transaction:
            transaction.commit(each)
        recorded.append(transaction.recorded_at)
    return recorded


def test_a_transaction_of_the_past_is_recorded_then(place, commit):
    store = place.at(0)
    then = Instant(to_instant(NOON) - 86_400_000_000)
    assert replay(store, then, FIRST, SECOND) == [then, then + 1]
    assert replay(store, Instant(then + 5), rewritten("x")) == [then + 5]
    assert commit(store, rewritten("y")) == to_instant(NOON)
    assert [line["recorded_at"] for line in rows(store, "tx")] == [then, then + 1, then + 5, to_instant(NOON)]


def test_the_next_instant_of_a_replay_may_come_before_the_last_transaction_of_the_one_before(store):
    then = to_instant(NOON)
    assert replay(store, then, FIRST, SECOND, rewritten("x")) == [then, then + 1, then + 2]
    assert replay(store, Instant(then + 1), rewritten("y")) == [then + 3]


@pytest.mark.parametrize("early", [1, 3_600_000_000])
def test_the_past_before_the_last_transaction_is_refused(place, commit, early):
    store = place.at(0)
    commit(store, FIRST)
    before = list(store.dump())
    with pytest.raises(UserError, match="2026-03-02T12:00:00Z"):
        replay(store, Instant(to_instant(NOON) - early), SECOND)
    assert list(store.dump()) == before


def test_the_past_is_refused_where_recorded_time_waits_for_the_clock(place, commit):
    future = datetime.now(NOON.tzinfo) + timedelta(days=9)
    commit(place.open(now=future), FIRST)
    last = commit(place.open(), SECOND)
    with pytest.raises(UserError):
        replay(place.open(), Instant(last - 86_400_000_000), rewritten("x"))


def test_how_far_a_history_was_replayed_is_kept_by_root_and_group(place):
    store = place.at(0)
    assert store.replayed("/vault") is None
    store.mark_replayed("/vault", Replayed("c1", Instant(5)))
    store.mark_replayed("/vault", Replayed("c2", Instant(7)))
    assert store.replayed("/vault") == Replayed("c2", Instant(7))
    assert store.replayed("/other") is None
    assert place.at(0, "yours").replayed("/vault") is None
    assert place.open(readonly=True).replayed("/vault") == Replayed("c2", Instant(7))
    assert store.stats().last_recorded is None
    assert rows(store, "replay") == [{"table": "replay", "root": "/vault", "commit": "c2", "upto": 7}]


def test_groups_that_hold_the_same_vault_never_meet(place, commit):
    mine, yours = place.open("mine"), place.open("yours")
    commit(mine, FIRST, SECOND)
    assert list(yours.sources()) == []
    assert yours.source(MIRA_MD.id) is None
    assert yours.search(Scope.EPISODES, "Mira", 5) == ()
    assert yours.search(Scope.ENTITIES, "Mira", 5) == ()
    assert yours.search(Scope.FACTS, "Mira", 5) == ()
    assert yours.claims() == {}
    assert yours.open_facts([SLOT]) == {}
    assert yours.facts(FactQuery()) == (0, ())
    assert yours.evidence([DIRECTS.id]) == {}
    assert yours.entities([MIRA.id]) == {}
    assert yours.cards(EntityQuery(hidden=True)) == (0, ())
    assert yours.namings(["mira"]) == {}
    assert list(yours.anchors()) == []
    assert yours.placed([INTRO.id]) == {}
    assert yours.sources_naming(["mira", "paris"], ["Mira"]) == frozenset()
    assert yours.neighbours(MIRA.id, 5) == (0, ())
    assert yours.mentions_of(MIRA.id, 5) == (0, ())
    assert set(yours.stats().counts.values()) == {0}

    commit(yours, FIRST, ChangeSet("ingest", closed=(DIRECTS_FACT.id,)), rewritten("gone"))
    assert mine.passages_of(MIRA_MD.id)[0] == INTRO
    assert mine.open_facts([SLOT])[SLOT][0].id == DIRECTS_FACT.id
    assert yours.open_facts([SLOT]) == {}
    assert [hit.id for hit in mine.search(Scope.EPISODES, "directs", 5)] == [INTRO.id]
    assert mine.cards(EntityQuery(ids=(PARIS.id,)))[1][0].mentions == 2


def test_what_another_group_holds_changes_no_score(place, commit):
    mine, yours = place.open("mine"), place.open("yours")
    commit(mine, FIRST, SECOND)
    before = mine.search(Scope.EPISODES, "Mira Paris", 5)
    commit(yours, FIRST, *(rewritten(f"Mira {number}") for number in range(9)))
    assert mine.search(Scope.EPISODES, "Mira Paris", 5) == before


def test_a_group_has_a_clock_of_its_own(place, commit):
    commit(place.at(9, "mine"), FIRST)
    assert commit(place.at(0, "yours"), FIRST) == to_instant(NOON)


def test_a_reader_sees_what_a_writer_commits_and_not_before(place, commit):
    writer = place.open()
    reader = place.open(readonly=True)
    with writer.writing() as transaction:
        transaction.commit(FIRST)
        assert list(reader.sources()) == []
    assert list(reader.sources()) == [MIRA_MD]
    with pytest.raises(StoreError):
        commit(reader, SECOND)
    with pytest.raises(StoreError):
        reader.restat([MIRA_MD])


def test_a_reader_that_came_before_its_group(place, commit):
    place.open("other")
    reader = place.open("late", readonly=True)
    assert list(reader.sources()) == []
    assert reader.stats().last_recorded is None
    assert [reader.search(scope, "directs", 5) for scope in Scope] == [(), (), (), ()]
    assert reader.sources_naming(["mira"], ["directs"]) == frozenset()
    commit(place.open("late"), FIRST)
    assert list(reader.sources()) == [MIRA_MD]
    assert [hit.id for hit in reader.search(Scope.EPISODES, "directs", 5)] == [INTRO.id]


def vector(name, *values, model="m"):
    return Vector("passage", identify(name), model, values)


def test_vectors_come_back_by_kind(store, commit):
    store.declare_vectors("m", 2)
    store.declare_vectors("m", 2)
    commit(store, ChangeSet("embed", vectors=(vector("a", 0.5, -2.0), vector("b", 1.0, 0.0))))
    commit(store, ChangeSet("embed", vectors=(vector("a", 0.25, 4.0),)))
    assert {each.id: each for each in store.vectors("passage")} == {
        identify("a"): vector("a", 0.25, 4.0),
        identify("b"): vector("b", 1.0, 0.0),
    }
    assert list(store.vectors("fact")) == []


def test_more_vectors_than_are_read_at_once(store, commit):
    store.declare_vectors("m", 1)
    many = {identify(number): vector(number, float(number)) for number in range(2001)}
    commit(store, ChangeSet("embed", vectors=tuple(many.values())))
    assert {each.id: each for each in store.vectors("passage")} == many


@pytest.mark.parametrize("wrong", [vector("a", 1.0), vector("a", 1.0, 2.0, model="other")])
def test_a_vector_of_another_model_or_dimension_is_refused(store, commit, wrong):
    store.declare_vectors("m", 2)
    with pytest.raises(StoreError):
        commit(store, replace(FIRST, vectors=(wrong,)))
    assert list(store.sources()) == []


def test_vectors_must_be_declared_and_only_once(store, commit):
    with pytest.raises(StoreError):
        commit(store, ChangeSet("embed", vectors=(vector("a", 1.0),)))
    store.declare_vectors("m", 2)
    with pytest.raises(StoreError, match="not m with 3"):
        store.declare_vectors("m", 3)


def test_equal_memories_give_equal_dumps(place, commit, tmp_path):
    commit(place.at(0), FIRST, SECOND)
    elsewhere = open_store(str(tmp_path / "other.db"), "another name", now=NOON)
    commit(elsewhere, replace(FIRST, mentions=FIRST.mentions[::-1], aliases=FIRST.aliases[::-1]), SECOND)
    assert list(elsewhere.dump()) == list(place.at(0).dump())
    elsewhere.close()


def test_the_dump_says_what_is_kept(place, commit):
    store = place.at(0)
    commit(store, FIRST)
    assert {line["table"]: 0 for line in map(json.loads, store.dump())}.keys() == {
        "tx",
        "entity",
        "source",
        "source_path",
        "episode",
        "source_episode",
        "passage",
        "stands",
        "mention",
        "alias",
        "link",
        "claim",
        "fact",
        "evidence",
        "vectors",
    }
    (source,) = rows(store, "source")
    assert (source["id"], source["path"], source["hash"]) == (MIRA_MD.id, "People/Mira.md", "h1")
    assert "mtime_ns" not in source
    (claim,) = rows(store, "claim")
    assert (claim["valid_from"]["date"], claim["valid_to"]) == ("2015", {"basis": "unknown"})
    (kept,) = rows(store, "source_episode")
    assert (kept["recorded_at"], kept["occurred"]["date"]) == (to_instant(NOON), "2024-05-01")


def write_notes(url, group, name, count):
    """In a process of its own: so many notes, a transaction each."""
    store = open_store(url, group)
    for number in range(count):
        source = Source(identify(name, number), "obsidian", "/vault", f"{name} {number:02}", name)
        with store.writing() as transaction:
            transaction.commit(ChangeSet("ingest", source=source))
    store.close()


def test_two_processes_write_at_once_and_nothing_is_lost(place):
    spawn = multiprocessing.get_context("spawn")
    writers = [
        spawn.Process(target=write_notes, args=(place.url, place.group("default"), name, 50)) for name in ("ann", "ben")
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    store = place.open(readonly=True)
    assert [source.path for source in store.sources()] == [
        f"{name} {n:02}" for name in ("ann", "ben") for n in range(50)
    ]
    times = [Instant(line["recorded_at"]) for line in rows(store, "tx")]
    assert len(set(times)) == 100
    assert times == sorted(times)
