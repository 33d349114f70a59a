"""When two questions are one, and what an earlier answer changes."""

import os
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from ingestion.notes import MONDAY, Notes
from store.test_store_sqlite import without_rights_to_write

from kgmem.model import Bound as At
from kgmem.model import Instant, Moment, Period
from kgmem.recall.conversation import Asking, ask_in, asked_line, gist_of, given_first, same_words
from kgmem.recall.reply import NOT_HERE
from kgmem.recall.why import GONE, find_answer, view_trace
from kgmem.store import open_store
from kgmem.store.conversations import MessageQuery, Thumb

NOW = 739_680 * 86_400
"""2026-03-02, in world seconds."""
ASKING = Asking("wine", Instant(1_000_000))


@pytest.fixture
def notes(tmp_path):
    files = {
        "Mira.md": "---\ntype: person\n---\nThe best nose I know.\n\n"
        "works_at:: [[Sud]] (since 2020)\nspeaks:: French\n",
        "Log.md": "Mira poured the red one.\n\nNobody spoke of Mira.\n",
    }
    notes = Notes(tmp_path)
    notes.write(files).ingest(MONDAY)
    return notes


@pytest.fixture
def reader(notes):
    store = open_store(notes.url, notes.group, readonly=True)
    yield store
    store.close()


def ask(store, question, asking=ASKING, **options):
    return ask_in(store, question, asking, now=NOW, **options)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Where does Mira work?", "  where DOES\tmira\nwork … "),
        ("Mira's dog", "mira’s dog"),
        ("ＷＨＯ?", "who"),
        ("«Où est-elle ?»", "où est elle"),
        ("STRASSE", "straße"),
        ("米拉在哪里？", "米拉在哪里"),
    ],
)
def test_the_same_question(one, other):
    assert same_words(one) == same_words(other)
    assert gist_of(one) == gist_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Where does Mira work?", "where did mira work"),
        ("Is the red wine good?", "is red wine good"),
    ],
)
def test_nearly_the_same_question(one, other):
    assert same_words(one) != same_words(other)
    assert gist_of(one) == gist_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("who is Mira", "where is Mira"),
        ("did Mira hire Bo", "did Bo hire Mira"),
        ("C++", "C#"),
        ("to Paris", "from Paris"),
        ("???", "!!!"),
        ("my manager", "her manager"),
        ("the", "an"),
    ],
)
def test_other_questions(one, other):
    assert gist_of(one) != gist_of(other)


def test_another_time_makes_another_question():
    year = Period(At(Moment.year(2019)), At(Moment.year(2019)))
    gists = {
        gist_of("Mira"),
        gist_of("Mira", year),
        gist_of("Mira", None, Instant(5)),
        gist_of("Mira", year, Instant(5)),
    }
    assert len(gists) == 4


def test_an_answer_is_kept_with_what_it_gave_first(reader):
    answer = ask(reader, "Where does Mira work?")
    _, (kept,) = reader.conversations().messages(MessageQuery())
    assert (kept.id, kept.question, kept.answer) == (
        answer.id,
        "Where does Mira work?",
        "Mira works at Sud (since 2020).",
    )
    assert kept.mentions == (answer.entities[0].entity.id,)
    assert given_first(kept) == (*answer.told, answer.passages[0].id)
    assert answer.passages[0].text == "The best nose I know."
    assert kept.trace.touched == (kept.mentions[0], answer.facts[-1].fact.object)
    steps = ["question", "own notes", "text", "fusion", "answer"]
    assert [step.name for step in kept.trace.steps] == steps


def test_an_earlier_answer_is_told_and_changes_nothing(reader):
    first = ask(reader, "Where does Mira work?")
    again = ask(reader, "where does mira work", replace(ASKING, asked_at=Instant(86_400_000_000)))
    assert [each.id for each in again.asked_before] == [first.id]
    assert [p.id for p in again.passages] == [p.id for p in first.passages]
    assert (again.text, again.notes) == (first.text, ())
    assert (
        asked_line(again.asked_before, again.question) == "asked before on 1970-01-01: Mira works at Sud (since 2020)."
    )


def test_what_was_nearly_the_same_is_told_with_its_words(reader):
    ask(reader, "Where does Mira work?")
    again = ask(reader, "Where did Mira work?")
    said = "asked before on 1970-01-01 as “Where does Mira work?”: Mira works at Sud (since 2020)."
    assert asked_line(again.asked_before, again.question) == said


def test_what_was_no_answer_ranks_last(reader):
    first = ask(reader, "red", limit=1)
    assert [p.text for p in first.passages] == ["Mira poured the red one."]
    reader.conversations().judge(first.id, Thumb.DOWN, "")
    again = ask(reader, "Red?", limit=1)
    assert [p.id for p in again.passages] == [first.passages[0].id]  # there is no other
    said, back = again.notes[0].split("; ")
    assert said == "you said of the answer of 1970-01-01 that it is none: the first passage ranks last"
    assert back == f"`kgmem feedback {first.id[:8]} up` takes that back"
    mira = ask(reader, "Where does Mira work?")
    reader.conversations().judge(mira.id, Thumb.DOWN, "she left")
    again = ask(reader, "where does Mira work")
    assert again.text == "Nothing else in your notes answers this."
    assert [fact.fact.predicate for fact in again.facts][-1] == "WORKS_AT"
    assert again.passages[-1].id == mira.passages[0].id
    assert again.passages[0].id == mira.passages[1].id
    (note,) = again.notes
    assert note.startswith("you said of the answer of 1970-01-01 that it is none (she left): ")
    assert note.split(";")[0].endswith(": what it told is not told again, the first passage ranks last")
    assert given_first(reader.conversations().messages(MessageQuery(limit=1))[1][0]) == (mira.passages[1].id,)


def test_what_does_not_fit_is_left_out(reader):
    mira = ask(reader, "Mira", limit=1)
    reader.conversations().judge(mira.id, Thumb.DOWN, "")
    assert {*mira.told} == {fact.fact.id for fact in mira.facts}
    again = ask(reader, "Mira", limit=1)
    assert mira.passages[0].id != again.passages[0].id
    assert (
        again.notes[0]
        .split(";")[0]
        .endswith("that it is none: what it told is not told again, the first passage is left out")
    )


def test_another_question_is_not_touched_by_it(reader):
    first = ask(reader, "Where does Mira work?")
    reader.conversations().judge(first.id, Thumb.DOWN, "")
    other = ask(reader, "Who works at Sud?")
    assert other.asked_before == ()
    assert ask(reader, "Where does Mira work?", as_of=Period(At(Moment.year(2021)), At(Moment.year(2021)))).told


def test_what_was_liked_stays_and_comes_first(reader):
    first = ask(reader, "Where does Mira work?")
    reader.conversations().judge(first.id, Thumb.DOWN, "")
    second = ask(reader, "Where does Mira work?")
    reader.conversations().judge(second.id, Thumb.UP, "")
    third = ask(reader, "Where does Mira work?")
    assert third.passages[0].id == second.passages[0].id
    reader.conversations().judge(first.id, Thumb.UP, "")
    assert ask(reader, "Where does Mira work?").text == first.text


def test_who_thinks_better_of_it_is_heard(reader):
    first = ask(reader, "Where does Mira work?")
    reader.conversations().judge(first.id, Thumb.UP, "")
    second = ask(reader, "Where does Mira work?")
    assert second.told == first.told
    reader.conversations().judge(second.id, Thumb.DOWN, "she left")
    assert ask(reader, "Where does Mira work?").text == "Nothing else in your notes answers this."
    reader.conversations().judge(second.id, Thumb.UP, "")
    assert ask(reader, "Where did Mira work?").text == first.text


def test_nothing_is_kept_in_private(reader):
    answer = ask(reader, "Mira", None)
    assert (answer.id, reader.stats().counts["messages"]) == (None, 0)
    assert answer.as_json()["trace"]["id"] is None


def test_an_answer_leaves_no_log_that_a_reader_of_the_folder_could_not_read(notes, reader):
    ask(reader, "Mira")
    assert (notes.vault.parent / "memory.db-wal").stat().st_size == 0
    with notes.store() as other, other.writing():  # a log that is in use is left alone
        assert ask(reader, "Mira").id is None
    assert ask(reader, "Mira").id


@pytest.mark.skipif(os.name == "nt", reason="rights of folders are others there")
def test_a_memory_that_nobody_may_write_answers(reader):
    ask(reader, "Mira")  # what it imports is imported while everything may be read
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        notes = Notes(folder)
        notes.write({"Mira.md": "Mira sails.\n"}).ingest(MONDAY)
        (folder / "memory.db").chmod(0o444)
        with without_rights_to_write(folder), closing(open_store(notes.url, notes.group, readonly=True)) as store:
            answer = ask(store, "Mira")
    assert [each.text for each in answer.passages] == ["Mira sails."]
    assert answer.id is None
    assert answer.notes[0].startswith("this answer is not kept: ")


@pytest.mark.parametrize(
    "question",
    [
        "?" * 10_000,
        "wine " * 2_000,
        "\x00\ud800 Mira",
        '"; DROP TABLE message; --',
        "🦊\u202e",
        "AND OR NOT *",
        "the of a",
    ],
)
def test_odd_questions_are_kept_and_found_again(reader, question):
    first = ask(reader, question)
    again = ask(reader, f" {question} ")
    assert first.id
    assert [each.id for each in again.asked_before] == [first.id]
    assert view_trace(reader, find_answer(reader, first.id)).message.question == question.replace("\ud800", "?")


def test_an_account_tells_what_stood_then(notes, reader):
    answer = ask(reader, "Where does Mira work?")
    notes.write({"Mira.md": "---\ntype: person\n---\nA nose for wine.\n"}).ingest("2026-03-03T10:00:00+00:00")
    told = view_trace(reader, find_answer(reader, answer.id[:6]))
    given = {hit.id: hit for hit in told.steps[-1].hits}
    assert given[answer.told[0]].text == "Mira works at Sud."
    assert (given[answer.passages[0].id].text, given[answer.passages[0].id].line) == ("The best nose I know.", 4)
    assert [each.name for each in told.touched] == ["Mira", "Sud"]
    later = ask(reader, "Where does Mira work?")
    assert later.asked_before[0].answer == "Mira works at Sud (since 2020)."
    assert "Sud" not in later.text


def test_an_answer_about_nothing(reader):
    answer = ask(reader, "who is the admiral of Ruritania")
    assert answer.text == NOT_HERE
    told = view_trace(reader, find_answer(reader, None))
    assert told.message.id == answer.id
    assert [hit.text for arm in told.steps for hit in arm.hits if hit.text == GONE] == []


@pytest.mark.parametrize("alike", ["where is Mira Castel working?", "where does Mira Castel work", "wo arbeitet Mira?"])
def test_a_thumbs_down_holds_for_what_is_understood_alike(tmp_path, alike):
    notes = Notes(tmp_path)
    notes.write({
        "Mira.md": "---\ntype: person\naliases: [Mira Castel]\n---\nworks_at:: [[Sud]] (since 2020)\nlives_in:: Lyon\n",
        "Sud.md": "---\ntype: company\n---\nA cellar.\n",
    }).ingest(MONDAY)  # fmt: skip
    with notes.store() as store:
        first = ask_in(store, "where does Mira work", ASKING, now=NOW)
        assert first.text == "Mira works at Sud (since 2020)."
        store.conversations().judge(first.id, Thumb.DOWN, "")
        assert "works at Sud" not in ask_in(store, alike, ASKING, now=NOW).text
        assert ask_in(store, "where does Mira Castel live", ASKING, now=NOW).text.startswith("Mira lives in Lyon")
