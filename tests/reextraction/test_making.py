"""A memory read again: what comes, goes and stays, what was decided, and what happens beside it."""

from contextlib import closing
from dataclasses import replace
from datetime import datetime

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY
from reextraction.again import Again, ontology_with

from kgmem.errors import NotFoundError, StoreError, StoreLockedError
from kgmem.extraction.entities import Recognizer
from kgmem.memory import Memory
from kgmem.model import Instant, Moment, identify, to_instant
from kgmem.recall.times import first_instant
from kgmem.reextraction.replay import Wish
from kgmem.sources.obsidian import Vault
from kgmem.store.conversations import Message, MessageQuery
from kgmem.store.protocol import FactQuery

FIRST = {
    "Mira.md": "---\ntype: person\n---\nworks_at:: [[Nord]] (2015 – 2020)\n\nowes:: [[Sud]]\n",
    "Nord.md": "---\ntype: company\n---\nA place.\n",
}


@pytest.fixture
def twice(notes):
    """Mira at Nord, then at Sud: three readings on two days."""
    notes.write(FIRST).ingest(MONDAY)
    notes.write({"Mira.md": "---\ntype: person\n---\nworks_at:: [[Sud]] (since 2021)\n\nowes:: [[Sud]]\n"})
    notes.ingest(TUESDAY)
    return notes


def test_the_same_extraction_draws_the_same_memory_byte_for_byte(twice):
    again = Again(twice)
    before = again.dump()
    assert again.make() == ([], [], [])
    assert again.dump("default~2") == before
    again.promote()
    assert again.dump() == again.dump("default~1") == before
    assert again.generations() == ["1", "[2]"]


def test_what_a_new_ontology_says_is_shown_and_the_memory_stays(twice):
    again = Again(
        twice,
        ontology_with(twice.vault.parent, "predicates:\n  OWES: {phrase: '{s} is in debt to {o}', names: [owes]}\n"),
    )
    before = again.dump()
    added, lost, changed = again.make()
    assert (added, lost) == ([], [])
    assert changed == [("Mira | OWES | Sud | date unknown", "Mira | OWES | Sud | date unknown")]
    assert again.dump() == before
    assert again.generations() == ["[1]", "2"]


def test_a_key_that_means_another_predicate_today_was_meant_so_from_the_first_day(twice):
    text = "predicates:\n  IN_DEBT_TO: {phrase: '{s} is in debt to {o}', names: [owes]}\n"
    again = Again(twice, ontology_with(twice.vault.parent, text))
    added, lost, _ = again.make()
    assert added == ["Mira | IN_DEBT_TO | Sud | date unknown"]
    assert lost == ["Mira | OWES | Sud | date unknown"]
    again.promote()
    known = twice.facts_known("2026-03-02")
    assert known == ["Mira | IN_DEBT_TO | Sud | date unknown", "Mira | WORKS_AT | Nord | 2015 – 2020"]
    with closing(again.open("default~1")) as old:
        assert {fact.predicate for fact in old.facts(FactQuery())[1]} >= {"OWES"}


def test_only_what_was_recorded_since_is_read_again(twice):
    text = "predicates:\n  IN_DEBT_TO: {phrase: '{s} is in debt to {o}', names: [owes]}\n"
    again = Again(twice, ontology_with(twice.vault.parent, text))
    again.promote(Wish(since=first_instant(Moment.parse("2026-03-03"))))
    assert "Mira | OWES | Sud | date unknown" in twice.facts_known("2026-03-02")
    assert [each for each in twice.facts_known("2026-03-03") if "WORKS_AT" not in each] == [
        "Mira | IN_DEBT_TO | Sud | date unknown"
    ]
    later = Again(twice, version="2")
    assert later.make(Wish(since=first_instant(Moment.parse("2026-03-04")))) == ([], [], [])


def test_only_a_chosen_rung_is_read_again(notes):
    notes.write({"Log.md": "Jon Berg works at Nord.\n\nowes:: Sud\n"}).ingest(MONDAY)
    said = notes.facts()
    again = Again(notes, ontology_with(notes.vault.parent, "predicates:\n  IN_DEBT_TO: {names: [owes]}\n"))
    assert again.make(Wish(rungs=frozenset({"sentences"}))) == ([], [], [])
    added, lost, _ = Again(notes, again.means.ontology, version="2").make(Wish(rungs=frozenset({"structure"})))
    assert added == ["Log | IN_DEBT_TO | Sud | date unknown"]
    assert lost == [each for each in said if "OWES" in each]


def test_what_happens_meanwhile_is_taken_in_before_it_answers(twice):
    again = Again(twice)
    with closing(again.open()) as store:
        making = again.making(store)
        made = making.make()
        twice.write({"Jon.md": "---\ntype: person\n---\nworks_at:: [[Nord]]\n"}).ingest(WEDNESDAY)
        asked = Message("default", to_instant(datetime.fromisoformat(WEDNESDAY)), "Who?", identify("who"))
        with closing(again.open(readonly=True)) as other:
            other.conversations().add(asked)
        making.promote(made)
    assert "Jon | WORKS_AT | Nord | date unknown" in twice.facts()
    assert again.dump() == again.dump("default~1")
    with closing(again.open()) as store:
        assert store.conversations().messages(MessageQuery())[0] == 1


def test_a_memory_that_is_written_to_all_the_time_is_never_promoted(twice):
    again = Again(twice)
    number = 0

    def write(what, done, total):
        nonlocal number
        if what == "loading" and done == total:
            number += 1
            twice.write({f"New {number}.md": "news\n"}).ingest(WEDNESDAY)

    with pytest.raises(StoreLockedError, match="written to all the time"):
        again.promote(progress=write)
    assert again.generations()[0] == "[1]"
    again.promote()
    assert again.dump() == again.dump("default~1")


def test_what_was_decided_stays_decided(twice):
    def readers(root, kind):
        return Vault(root, kind=kind)

    twice.write({"M. Berg.md": "---\ntype: person\n---\nowes:: [[Nord]]\n", "Bad.md": "owes:: [[Nord]]\n"})
    twice.ingest(WEDNESDAY)
    again = Again(twice, ontology_with(twice.vault.parent, "predicates:\n  IN_DEBT_TO: {names: [owes]}\n"))
    with closing(again.open()) as store:
        memory = Memory(store, again.means.ontology)
        one, other = (store.source(f"{name}.md").entity for name in ("Mira", "M. Berg"))
        kept = memory.identity(readers).merge(one, other).kept.name
        memory.back.forget(store.source("Bad.md"), Vault(twice.vault))
        decided = store.decisions()
    again.promote()
    assert [each for each in twice.facts() if "IN_DEBT_TO" in each] == [
        f"{kept} | IN_DEBT_TO | Nord | date unknown",
        f"{kept} | IN_DEBT_TO | Sud | date unknown",
    ]
    with closing(again.open()) as store:
        assert store.decisions() == decided
        memory = Memory(store, again.means.ontology)
        memory.identity(readers).unmerge(next(each.id for each in decided if each.entity))
    assert [each for each in twice.facts() if "IN_DEBT_TO" in each] == [
        "M. Berg | IN_DEBT_TO | Nord | date unknown",
        "Mira | IN_DEBT_TO | Sud | date unknown",
    ]


def test_files_are_not_read(twice):
    again = Again(twice)
    before = again.dump()
    for file in twice.vault.glob("*.md"):
        file.write_text("owes:: [[Everything]]\n", encoding="utf-8")
    again.promote()
    assert again.dump() == before
    twice.remove("Mira.md", "Nord.md")
    twice.vault.rmdir()
    later = Again(twice, version="2")
    assert later.make() == ([], [], [])


def test_back_is_back_and_says_what_would_be_left(twice):
    again = Again(twice, ontology_with(twice.vault.parent, "predicates:\n  IN_DEBT_TO: {names: [owes]}\n"))
    before = again.dump()
    again.promote()
    drawn = again.dump()
    with closing(again.open()) as store:
        assert again.making(store).back().group == "default~1"
    assert again.dump() == before
    with closing(again.open()) as store:
        assert again.making(store).back().group == "default~2"
    assert again.dump() == drawn
    twice.write({"Jon.md": "news\n"}).ingest(WEDNESDAY)
    with closing(again.open()) as store:
        with pytest.raises(StoreError, match="1 transaction was recorded"):
            again.making(store).back()
        again.making(store).back(leave=True)
    assert again.dump() == before


def test_generations_are_dropped_by_a_call_of_their_own(twice):
    again = Again(twice)
    before = again.dump()
    with closing(again.open()) as store:
        with pytest.raises(NotFoundError, match="waits to be promoted"):
            again.making(store).discard()
        with pytest.raises(NotFoundError, match="go back to"):
            again.making(store).back()
        again.making(store).make()
        assert again.making(store).discard().number == 2
        again.making(store).promote(again.making(store).make())
        assert [each.number for each in again.making(store).prune()] == [1]
    assert again.generations() == ["[2]"]
    assert again.dump() == before
    with closing(again.open()) as store:
        assert store.generations().make().number == 3


def test_an_empty_group_has_nothing_to_read_again(notes):
    with (
        closing(Again(notes).open()) as store,
        pytest.raises(NotFoundError, match="holds nothing"),
        Again(notes).making(store).alone(),
    ):
        pass


def test_what_was_made_is_taken_again_unless_something_changed(twice):
    again, loaded = Again(twice), []

    def watch(what, _done, _total):
        loaded.append(what)

    again.make()
    again.make(progress=watch)
    assert "loading" not in loaded
    Again(twice, version="2").make(progress=watch)
    assert "loading" in loaded
    assert again.generations() == ["[1]", "2"]


def test_recorded_time_goes_on_after_a_promotion(twice):
    again = Again(twice)
    again.promote()
    with closing(again.open()) as store:
        last = store.stats().last_recorded
    assert Instant(last) < to_instant(datetime.fromisoformat(WEDNESDAY))
    twice.write({"Jon.md": "news\n"}).ingest(WEDNESDAY)
    with closing(again.open()) as store:
        assert store.transactions()[-1].recorded_at == to_instant(datetime.fromisoformat(WEDNESDAY))


def test_what_is_erased_is_erased_in_every_generation(twice):
    twice.write({"Secret.md": "Xylophone weather.\n\nowes:: [[Quux]]\n"}).ingest(WEDNESDAY)
    again = Again(twice)
    again.promote()
    Again(twice, version="2").make()
    assert again.generations() == ["1", "[2]", "3"]
    with closing(again.open()) as store:
        memory = Memory(store, again.means.ontology)
        source = store.source("Secret.md")
        memory.back.forget(source, Vault(twice.vault))
        assert memory.erase(source, None, Vault(twice.vault), lambda group: again.open(group, unfinished=True))
    assert again.generations() == ["1", "[2]"]
    for name in ("default", "default~1"):
        assert [line for line in again.dump(name) if "Quux" in line or "Xylophone" in line] == []
    file = twice.vault.parent / "memory.db"
    assert b"Xylophone" not in file.read_bytes()
    assert again.make() == ([], [], [])


@pytest.mark.skipif(not Recognizer.available(), reason="spaCy is not installed")
def test_a_memory_that_was_read_with_spacy_is_drawn_again_with_it(notes):
    text = "Robert Keane works at Nord.\n\nLater Anna Berg met Robert Keane in Lyon.\n"
    recognizer = Recognizer()
    again = Again(notes)
    again.means = replace(again.means, recognizer=recognizer)
    for now, files in ((MONDAY, {"Log.md": text, "Nord.md": "A place.\n"}), (TUESDAY, {"Anna Berg.md": "A friend.\n"})):
        notes.write(files)
        with notes.store(now) as store:
            Memory(store, again.means.ontology, recognizer).ingest(Vault(notes.vault))
    before = again.dump()
    assert any('"rung":"spacy"' in line for line in before)
    again.promote()
    assert again.dump() == before
    Again(notes, version="2").promote()
    assert [line for line in again.dump() if '"table":"mention"' in line and '"rung":"spacy"' in line] == []


def test_what_waits_is_promoted_as_it_was_made(twice):
    since = Wish(since=first_instant(Moment.parse("2026-03-03")), rungs=frozenset({"structure", "sentences"}))
    assert Wish.read(str(since)) == since
    assert Wish.read(str(Wish())) == Wish()
    again = Again(twice, ontology_with(twice.vault.parent, "predicates:\n  IN_DEBT_TO: {names: [owes]}\n"))
    again.make(since)
    twice.write({"Jon.md": "owes:: [[Nord]]\n"}).ingest(WEDNESDAY)
    again.promote(None)
    assert "Mira | OWES | Sud | date unknown" in twice.facts_known("2026-03-02")
    assert "Jon | IN_DEBT_TO | Nord | date unknown" in twice.facts()


def test_the_present_is_what_a_first_ingest_with_that_ontology_makes_of_the_notes(notes):
    notes.write(FIRST)
    notes.write(
        {"Jon.md": "Jon works at Nord.\n\nowes:: Mira\n\n[[Mira]] lives in [[Lyon]].\n", "Lyon.md": "A city.\n"}
    )
    notes.ingest(MONDAY)
    own = "predicates:\n  IN_DEBT_TO: {names: [owes], range: [Organization]}\n  WORKS_AT: {names: [toils at]}\n"
    ontology = ontology_with(notes.vault.parent, own)
    fresh = notes.copy()
    fresh._ontology = ontology  # noqa: SLF001 - the same notes, read with it from the first
    fresh.ingest(MONDAY)
    assert fresh.facts() != notes.facts()
    Again(notes, ontology).promote()
    assert notes.facts(links=True) == fresh.facts(links=True)
    assert notes.entities() == fresh.entities()


def test_a_name_means_the_note_of_its_own_folder_also_where_another_folder_calls_somebody_so(notes):
    notes.write({"Clara.md": "---\ntype: person\n---\nSails.\n", "Work.md": "Greta Holm reports to Clara.\n"})
    notes.ingest()
    beside = notes.vault.parent / "beside"
    beside.mkdir()
    (beside / "Clara Duarte.md").write_text("---\ntype: person\naliases: [Clara]\n---\nPaints.\n")
    notes.ingest(reader=Vault(beside))
    (fact,) = before = notes.facts()
    assert fact.startswith("Greta Holm | REPORTS_TO | Clara |")
    notes.ingest(reread=True)
    assert notes.facts() == before
    assert Again(notes).make() == ([], [], [])
