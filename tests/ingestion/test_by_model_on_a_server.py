"""What a model reads, with the memory on a Neo4j server."""

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from ingestion.readers import Reader, read
from ingestion.test_by_model import KNOWN, MIRA, SIBLINGS, VAULT, ZOE, sound
from ingestion.test_erasing import erase

from kgmem.ingestion.batching import Bounds
from kgmem.llm.spending import Limits

pytestmark = pytest.mark.neo4j


@pytest.fixture
def notes(tmp_path, graph):
    notes = Notes(tmp_path, graph.group())
    notes.url = graph.url
    notes.write(VAULT)
    notes.ingest()
    return notes


def test_it_is_asked_once_believed_and_gone_with_its_words(notes):
    assert read(notes, Reader(KNOWN), bounds=Bounds(1), limits=Limits(calls=1)).left == 1
    assert notes.facts() == [MIRA]
    assert read(notes, Reader(KNOWN), MONDAY).passages == 1
    assert notes.facts() == [SIBLINGS, MIRA, ZOE]
    before = notes.dump()
    notes.ingest(TUESDAY, reread=True)
    again = Reader({})
    read(notes, again, TUESDAY)
    assert (again.asked, notes.dump()) == ([], before)
    sound(notes)
    notes.write({"Log.md": "Nobody came.\n"})
    notes.ingest(WEDNESDAY)
    assert [len(notes.facts_known(day)) for day in ("2026-03-02", "2026-03-03", "2026-03-04")] == [3, 3, 0]
    sound(notes)


def test_what_is_erased_leaves_no_word_of_a_model(notes):
    read(notes, Reader(KNOWN))
    erase(notes, "Log.md")
    assert not any("cellar" in line or '"table":"reply"' in line for line in notes.dump())
