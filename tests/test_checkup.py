"""A check-up finds what is broken, and a re-fold mends what follows from the claims."""

import apsw
import pytest
from ingestion.notes import Notes

from kgmem.checkup import check_up, misbelieved_slots
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.store import open_store

ONTOLOGY = load_ontology()
VAULT = {
    "Mira.md": "---\ntype: person\n---\nworks_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)\n",
    "Sud.md": "---\ntype: company\n---\nMira is here.\n",
}


@pytest.fixture
def notes(tmp_path):
    notes = Notes(tmp_path)
    notes.write(VAULT).ingest()
    return notes


def checked(notes):
    with notes.store() as store:
        return {check.name: check for check in check_up(store, ONTOLOGY)}


def broken(notes):
    return {name for name, check in checked(notes).items() if not check.ok}


def tamper(notes, sql):
    """Break a rule behind the memory's back, with references unchecked."""
    connection = apsw.Connection(notes.url.removeprefix("sqlite:///"))
    connection.execute(f"PRAGMA foreign_keys = OFF; {sql}")
    connection.close()


def test_a_memory_is_born_sound(notes):
    assert len(checked(notes)) == 8
    assert broken(notes) == set()


def test_a_memory_of_nothing_is_sound(tmp_path):
    assert broken(Notes(tmp_path)) == set()


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("DELETE FROM claim", "the store is sound"),
        ("UPDATE fact SET holds_to = holds_to + 100000000 WHERE value IS NULL", "one value at a time"),
        ("UPDATE claim SET withdrawn_at = recorded_at", "every fact rests on a claim, every claim on a passage"),
        ("UPDATE claim SET kind = 'ends'", "beliefs follow from the claims, in any order"),
        ("UPDATE fact SET recorded_at = recorded_at + 50000000", "the past is what it was"),
        ("INSERT INTO vector VALUES (1, 1, 'passage', 7, 'unknown', NULL, 256, x'00')", "vectors are the group's own"),
    ],
)
def test_what_was_tampered_with_is_found(notes, sql, found):
    tamper(notes, sql)
    assert found in broken(notes)


def test_a_refold_mends_facts_that_do_not_follow(notes):
    facts = notes.facts()
    tamper(notes, "UPDATE fact SET statement = 'Mira works nowhere.', holds_to = holds_from + 1")
    assert broken(notes) >= {"beliefs follow from the claims, in any order"}
    store = open_store(notes.url, "default")
    try:
        memory = Memory(store, ONTOLOGY)
        assert memory.refold(misbelieved_slots(store, ONTOLOGY)) > 0
    finally:
        store.close()
    assert notes.facts() == facts
    assert "beliefs follow from the claims, in any order" not in broken(notes)
