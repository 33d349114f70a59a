"""A person's word outranks their notes, outlives every ingest, and can be taken back."""

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from ingestion.test_taking_back import back, undo

from kgmem.checkup import check_up
from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.ingestion.correction import Correction
from kgmem.memory import Memory
from kgmem.model import UNKNOWN, Basis, Bound, Entity, EntityType, Moment
from kgmem.resolution.directory import named_entity
from kgmem.sources.obsidian import Vault
from kgmem.store.protocol import FactQuery

MIRA = "---\ntype: person\nworks_at: Château Nord (since 2015)\nlikes: tea\n---\n"
NORD, TEA = "Mira | WORKS_AT | Château Nord | since 2015", "Mira | LIKES | tea | date unknown"
SUD = Entity(named_entity("château sud"), "Château Sud", EntityType.ORGANIZATION, None, 4)


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path).write({"Mira.md": MIRA})


def correct(notes, predicate, correction, now=TUESDAY):
    with notes.store(now) as store:
        (fact,) = store.facts(FactQuery(predicate=predicate))[1]
        done = Memory(store, load_ontology()).correct(fact, correction)
        assert [check for check in check_up(store, load_ontology()) if not check.ok] == []
        return done


def stated(text):
    return Bound(Moment.parse(text), Basis.STATED)


def test_what_is_wrong_is_believed_no_more(notes):
    notes.ingest(MONDAY)
    correct(notes, "LIKES", Correction(wrong=True, because="She told me."))
    assert notes.facts() == [NORD]
    assert notes.facts_known("2026-03-02") == [TEA, NORD]


def test_another_object_holds_for_the_same_time(notes):
    notes.ingest(MONDAY)
    correct(notes, "WORKS_AT", Correction(target=SUD))
    assert notes.facts() == [TEA, "Mira | WORKS_AT | Château Sud | since 2015"]
    assert notes.entities()["Château Sud"] == 1


def test_another_value_and_other_dates(notes):
    notes.ingest(MONDAY)
    correct(notes, "LIKES", Correction(value="green tea"))
    correct(notes, "WORKS_AT", Correction(start=stated("2014-09"), end=stated("2020")))
    assert notes.facts() == [
        "Mira | LIKES | green tea | date unknown",
        "Mira | WORKS_AT | Château Nord | 2014-09 – 2020",
    ]
    correct(notes, "WORKS_AT", Correction(end=UNKNOWN), WEDNESDAY)
    assert "Mira | WORKS_AT | Château Nord | since 2014-09" in notes.facts()


def test_it_outlives_what_is_read_later(notes):
    notes.ingest(MONDAY)
    correct(notes, "LIKES", Correction(wrong=True))
    correct(notes, "WORKS_AT", Correction(target=SUD))
    corrected = notes.facts()
    notes.ingest(WEDNESDAY, reread=True)
    notes.write({"Mira.md": MIRA + "\nMore.\n", "Jon.md": "---\ncolleagues: [[Mira]]\n---\n"}).ingest(WEDNESDAY)
    assert [fact for fact in notes.facts() if fact.startswith("Mira")] == corrected
    notes.write({"Mira.md": MIRA.replace("likes: tea", "likes: coffee")}).ingest(WEDNESDAY)
    assert "Mira | LIKES | coffee | since an edit seen 2026-03-04" in notes.facts()
    assert not [fact for fact in notes.facts() if "LIKES | tea" in fact]


def test_it_is_evidence_with_its_reason(notes):
    notes.ingest(MONDAY)
    correct(notes, "WORKS_AT", Correction(target=SUD, because="I misread her card"))
    with notes.store() as store:
        (fact,) = store.facts(FactQuery(predicate="WORKS_AT"))[1]
        (told,) = store.evidence(fact.evidence).values()
    assert (told.path, told.line) == ("correction of 2026-03-03T10:00:00Z", 1)
    assert told.quote == (
        "Not so: Mira works at Château Nord from 2015. Mira works at Château Sud from 2015. I misread her card."
    )


def test_it_can_be_undone(notes):
    notes.ingest(MONDAY)
    before = notes.facts()
    correct(notes, "LIKES", Correction(wrong=True))
    assert undo(notes).what.kind == "correction"
    assert notes.facts() == before


def test_it_outlives_that_its_note_is_forgotten_and_comes_back(notes):
    notes.ingest(MONDAY)
    correct(notes, "LIKES", Correction(wrong=True))
    back(notes, lambda b, store: b.forget(store.source("Mira.md"), Vault(notes.vault)))
    assert notes.facts() == []
    back(notes, lambda b, _store: b.undo(b.last(), Vault(notes.vault)))
    assert notes.facts() == [NORD]


@pytest.mark.parametrize(
    ("correction", "message"),
    [
        (Correction(), "says so already"),
        (Correction(start=stated("2015")), "says so already"),
        (Correction(end=stated("2010")), "ends before it starts"),
    ],
)
def test_what_is_no_correction(notes, correction, message):
    notes.ingest(MONDAY)
    with pytest.raises(UserError, match=message):
        correct(notes, "WORKS_AT", correction)
