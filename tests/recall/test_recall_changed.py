"""What changed: of one thing or of all, in a period, and never silently cut."""

from datetime import date

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask
from kgmem.recall.context import context

NOW = date(2026, 6, 1).toordinal() * 86_400
PERSON = "---\ntype: person\n---\n"
LATER = [f"Guest {number:02}" for number in range(1, 15)]
"""More than are told."""


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    notes = Notes(tmp_path_factory.mktemp("changes"))
    notes.write({
        "Ada Quill.md": PERSON + "lives_in:: Rome (2010 – 2014)\n\nAda Quill lives in Bath.\n",
        "Ida.md": PERSON + "lives_in:: Kiel (2012 – 2023-04)\nlives_in:: Odense (since 2023-05)\n"
        "works_at:: [[Tide]] (since 2011)\n",
        "Tide.md": "---\ntype: company\n---\nA start.\n",
        **{f"{name}.md": PERSON + f"lives_in:: Kiel (since 2020-{number // 2 + 1:02})\n"
           for number, name in enumerate(LATER)},
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(notes):
    with notes.store() as opened:
        yield opened


def asked(store, question):
    return ask(store, question, now=NOW)


def test_what_nobody_dated_changed_at_no_time(store):
    assert asked(store, "what changed for Ada Quill since 2023").text == (
        "Since 2023: Nothing in your notes on a change of Ada Quill."
    )


def test_what_ended_in_the_period_is_told(store):
    assert asked(store, "what changed for Ada Quill until 2014").text == (
        "Until 2014: Ada Quill lives in Rome (2010 – 2014, superseded)."
    )


def test_of_several_values_only_those_of_the_period_are_told(store):
    assert asked(store, "what changed for Ida since 2023").text == (
        "Since 2023: Ida lives in Kiel (2012 – 2023-04, superseded). Then: Ida lives in Odense (since 2023-05)."
    )


def test_changes_of_all_things_stand_with_what_they_followed(store):
    assert asked(store, "what changed since 2022").text == (
        "Since 2022: Ida lives in Kiel (2012 – 2023-04, superseded). Then: Ida lives in Odense (since 2023-05)."
    )


def test_more_changes_than_are_told_are_counted(store):
    found = asked(store, "what changed since 2020")
    assert found.text.endswith("Showing 12 of 15, the latest.")
    assert found.text.count("lives in Kiel (since 2020") == 11


def test_a_count_of_what_was_not_all_looked_at_is_a_least_one(store, monkeypatch):
    monkeypatch.setattr("kgmem.recall.changed._LOOKED_AT", 5)
    assert " of at least " in asked(store, "what changed since 2020").text


def test_a_context_block_has_the_changes_with_their_places(store):
    block = context(asked(store, "what changed since 2022"), 500)
    assert [(item.source, item.line) for item in block.items if item.kind == "fact"] == [("Ida.md", 4), ("Ida.md", 5)]
