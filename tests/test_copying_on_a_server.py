"""From a file to a Neo4j server and back: the same memory in all three, whatever stopped the copying."""

import contextlib
import multiprocessing
import signal
from datetime import datetime

import pytest
from ingestion.notes import WEDNESDAY
from ingestion.test_any_history import ONTOLOGY
from test_copying import StoppedError, copy_and_die, copy_to, hits, lived_in, opened, reader_of, stopping

from kgmem.checkup import check_up
from kgmem.errors import StoreError
from kgmem.memory import Memory
from kgmem.model import Counts, Decision, DecisionKind, identify
from kgmem.sources.obsidian import Vault
from kgmem.store import copying
from kgmem.store.changes import ChangeSet
from kgmem.store.copying import Copied
from kgmem.store.protocol import FactQuery

pytestmark = pytest.mark.neo4j


@pytest.fixture
def lived(tmp_path, monkeypatch):
    """A memory of every kind of decision, which a copy takes some chunks for."""
    notes = lived_in(tmp_path)
    with notes.store(WEDNESDAY) as store, store.writing() as transaction:
        anna, robert = store.source("People/Anna Berg.md"), store.source("Robert Keane.md")
        means = Decision(identify(1), DecisionKind.MEANS, source=anna.id, entity=robert.entity, names=("Rob",))
        taken = Decision(identify(2), DecisionKind.TAKEN, source=robert.id, others=(anna.entity,), names=("Zoë",))
        same = Decision(identify(3), DecisionKind.SAME, entity=anna.entity, others=(identify("gone"),))
        apart = Decision(identify(4), DecisionKind.DISTINCT, entity=anna.entity, others=(robert.entity,))
        transaction.commit(ChangeSet("decide", decisions=(means, taken, same, apart)))
    monkeypatch.setattr(copying, "_CHUNK", 30)
    return notes


@pytest.fixture
def there(graph):
    """The server, and a group there."""
    return {"url": graph.url, "group": graph.group()}


def test_a_memory_goes_to_a_server_and_back(lived, there, tmp_path):
    with lived.store(WEDNESDAY) as source:
        lines = list(source.dump())
        assert copy_to(source, **there) == Copied(len(lines), 0)
        with opened(**there, now=datetime.fromisoformat(WEDNESDAY)) as server:
            assert list(server.dump()) == lines
            assert copy_to(server, tmp_path / "back.db") == Copied(len(lines), 0)
            with opened(tmp_path / "back.db") as back:
                assert list(back.dump()) == lines
            check_the_same(source, server)
            assert set(server.decisions()) == set(source.decisions())
            live_on(lived, server, lines)


def check_the_same(source, other):
    """What no dump says."""
    assert list(other.sources()) == list(source.sources())
    assert other.proposals() == source.proposals() != ()
    assert other.compared_upto() == source.compared_upto() is not None
    assert other.stats().counts == source.stats().counts
    entities = source.named_since(None)
    assert other.named_since(None) == entities
    assert other.keys_of(entities) == source.keys_of(entities)
    for words in ("Keane", "Porto", "sails", "cheese"):
        assert hits(other, words) == hits(source, words)


def live_on(notes, store, lines):
    """Nothing is new to the copy but what is new."""
    memory = Memory(store, ONTOLOGY)
    assert memory.ingest(Vault(notes.vault)).counts == Counts(unchanged=3)
    assert memory.resolver(reader_of).resolve().compared == 0
    assert list(store.dump()) == lines
    assert [check.name for check in check_up(store, ONTOLOGY) if not check.ok] == []
    notes.write({"New.md": "Annie met [[Robert Keane]].\n"})
    assert memory.ingest(Vault(notes.vault)).counts == Counts(added=1, unchanged=3)
    assert [check.name for check in check_up(store, ONTOLOGY) if not check.ok] == []


def test_the_graph_of_a_copy_is_the_graph_of_a_life(lived, there, graph):
    """Relationships that no dump says: current facts, what took the place of what, who is who."""
    with lived.store() as source:
        copy_to(source, **there)
    rows = graph.driver.execute_query(
        "MATCH (:Entity {group: $group})-[r:RELATED_TO|SAME_AS]->(b) RETURN type(r) AS kind, r.status AS status,"
        " r.predicate AS predicate, b.name AS name UNION ALL MATCH (n:Fact {group: $group})-[r:SUPERSEDES]->(o:Fact)"
        " RETURN type(r) AS kind, n.statement AS status, null AS predicate, o.statement AS name",
        group=there["group"],
    ).records
    found = [tuple(record.values()) for record in rows]
    assert sorted(row[1] for row in found if row[0] == "SUPERSEDES" and row[3] == "Robert Keane works at Nord.") == [
        "Robert Keane works at Nord.",  # now with an end
        "Robert Keane works at Sud.",
    ]
    assert {row[1:] for row in found if row[0] == "SAME_AS"} == {
        ("proposed", None, "Robert Keane"),
        ("rejected", None, "Anna Berg"),
    }
    with lived.store() as source:
        _, facts = source.facts(FactQuery())
        names = {
            one: entity.name for one, entity in source.entities(each.object for each in facts if each.object).items()
        }
    assert sorted(row[2:] for row in found if row[0] == "RELATED_TO") == sorted(
        (each.predicate, names[each.object]) for each in facts if each.object
    )
    assert ("WORKS_AT", "Sud") in {row[2:] for row in found}


@pytest.mark.parametrize("after", [0, 2])
def test_a_copy_that_is_broken_off_goes_on(lived, there, after):
    with lived.store() as source:
        lines = list(source.dump())
        with contextlib.suppress(StoppedError):
            copy_to(source, progress=stopping(after), **there)
        with pytest.raises(StoreError, match=f"half a copy of .*: {30 * (after + 1)} lines"), opened(**there):
            pass
        assert copy_to(source, **there) == Copied(len(lines), 30 * (after + 1))
        with opened(**there) as server:
            assert list(server.dump()) == lines


def test_a_process_that_is_killed_leaves_half_a_copy(lived, there):
    process = multiprocessing.get_context("spawn").Process(
        target=copy_and_die, args=(lived.url, there["url"], 3, there["group"])
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with lived.store() as source:
        with opened(**there, unfinished=True) as half:
            assert half.half_copy().lines == 27
            assert half.verify() == ()
        copied = copy_to(source, **there)
        assert copied.before == 27
        with opened(**there) as server:
            assert list(server.dump()) == list(source.dump())


def test_half_a_copy_of_another_memory_is_dropped(lived, there):
    with lived.store() as source, contextlib.suppress(StoppedError):
        copy_to(source, progress=stopping(2), **there)
    lived.write({"New.md": "Lunch with [[Anna Berg]].\n"}).ingest(WEDNESDAY)
    with lived.store(WEDNESDAY) as source:
        assert copy_to(source, **there).before == 0
        with opened(**there) as server:
            assert list(server.dump()) == list(source.dump())


def test_what_decides_a_name_in_a_note_is_erased_with_it(lived, there):
    with lived.store(WEDNESDAY) as source:
        copy_to(source, **there)
    with opened(**there, now=datetime.fromisoformat(WEDNESDAY)) as server:
        back = Memory(server, ONTOLOGY).back
        anna = server.source("People/Anna Berg.md")
        back.forget(anna, Vault(lived.vault))
        back.erase(anna, None)
        kinds = {decision.kind for decision in server.decisions() if decision.source == anna.id}
        assert kinds == {DecisionKind.FORGET}
        assert DecisionKind.TAKEN in {decision.kind for decision in server.decisions()}
        assert "Annie" not in "".join(server.dump())
