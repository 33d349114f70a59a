"""A name that stood for itself, and then got a note: one entity to a person, two to the claims."""

from datetime import date, datetime

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.model import Instant, to_instant
from kgmem.recall.answer import ask
from kgmem.recall.facts import current_facts
from kgmem.recall.history import believed, cause_words, difference, find_ever, history
from kgmem.recall.identity import formerly, neighbours
from kgmem.recall.timeline import timeline
from kgmem.recall.wording import when

PERSON = "---\ntype: person\n---\n"
NOW = date(2026, 6, 1).toordinal() * 86_400


def company(*employees):
    return f"---\ntype: company\nemployees: {list(employees)}\n---\n"


def end_of(day):
    return to_instant(datetime.fromisoformat(f"{day[:10]}T23:59:59+00:00"))


@pytest.fixture
def notes(tmp_path):
    """Two companies employ one who has no note until Wednesday."""
    made = Notes(tmp_path)
    made.write({"Nord.md": company("[[Ada Lo]] (since 2015)")}).ingest(MONDAY)
    made.write({"Sud.md": company("[[Ada Lo]] (since 2023)")}).ingest(TUESDAY)
    made.write({"Ada Lo.md": PERSON}).ingest(WEDNESDAY)
    return made


def told(facts):
    return sorted(f"{each.subject.name} {each.target} {when(each.fact)}" for each in facts)


def test_what_was_known_before_the_note_is_of_the_one_entity(notes):
    with notes.store() as store:
        (card,) = find_ever(store, "Ada Lo")
        ada = card.entity.id
        assert len(formerly(store, ada)) == 1
        monday, tuesday = (current_facts(store, ada, known=end_of(day)) for day in (MONDAY, TUESDAY))
        (first,) = [each for each in monday if each.fact.predicate == "WORKS_AT"]
        assert first.fact.subject == first.subject.id == ada
    assert told(monday) == ["Ada Lo Nord since 2015"]
    assert told(tuesday) == ["Ada Lo Nord 2015 – 2023", "Ada Lo Sud since 2023"]


def test_a_question_about_the_past_finds_it(notes):
    with notes.store() as store:
        found = ask(store, "what did I know about Ada Lo on 2026-03-03", now=NOW)
    assert told(found.facts) == ["Ada Lo Nord 2015 – 2023", "Ada Lo Sud since 2023"]
    assert "Ada Lo works at Sud (since 2023)." in found.text
    assert [each.entity.name for each in found.neighbours] == ["Nord", "Sud"]


def test_its_history_goes_on_across_the_note(notes):
    with notes.store() as store:
        (slot,) = history(store, find_ever(store, "Ada Lo")[0].entity.id)
        drawn = timeline(store, find_ever(store, "Ada Lo")[0].entity, now=NOW)
    assert [
        (each.view.target, when(each.fact), believed(each.fact), each.closed_by and cause_words(each.closed_by))
        for each in slot.versions
    ] == [
        ("Nord", "since 2015", "believed 2026-03-02 10:00 – 2026-03-03 10:00", "Sud.md was added"),
        ("Nord", "2015 – 2023", "believed since 2026-03-03 10:00", None),
        ("Sud", "since 2023", "believed since 2026-03-03 10:00", None),
    ]
    assert len(drawn.instants) == 2


def test_a_note_for_a_name_is_nothing_learned_and_nothing_dropped(notes):
    with notes.store() as store:
        found = difference(store, end_of(TUESDAY))
        whole = difference(store, Instant(0))
    assert (found.learned, found.changed, found.dropped) == ((), (), ())
    assert told(each.view for each in whole.learned) == ["Ada Lo Nord 2015 – 2023", "Ada Lo Sud since 2023"]


def test_what_changed_together_with_the_note_is_a_change(notes):
    notes.write({"Sud.md": company("[[Ada Lo]] (since 2024)")}).ingest("2026-03-05T10:00:00+00:00")
    with notes.store() as store:
        found = difference(store, end_of(TUESDAY))
    (change,) = found.changed
    assert told(each.view for each in change.before) == ["Ada Lo Nord 2015 – 2023", "Ada Lo Sud since 2023"]
    assert told(each.view for each in change.after) == ["Ada Lo Nord 2015 – 2024", "Ada Lo Sud since 2024"]
    assert (found.learned, found.dropped) == ((), ())


def test_a_neighbour_of_then_is_named_once(notes):
    with notes.store() as store:
        (nord,) = find_ever(store, "Nord")
        total, near = neighbours(store, nord.entity.id, 10, known=end_of(MONDAY))
    assert (total, [each.entity.name for each in near]) == (1, ["Ada Lo"])


def test_two_that_had_a_note_each_are_two(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"Work/Ann.md": PERSON + "phone:: 1\n", "Home/Ann.md": PERSON + "phone:: 2\n"}).ingest(MONDAY)
    notes.remove("Home/Ann.md").ingest(TUESDAY)
    with notes.store() as store:
        now, once = find_ever(store, "Ann")
        assert formerly(store, now.entity.id) == ()
        assert told(current_facts(store, now.entity.id, known=end_of(MONDAY))) == ["Ann 1 date unknown"]
        assert once.mentions == 0
