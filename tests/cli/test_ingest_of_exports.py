"""`kgmem ingest` with exports of highlights, alone and in a folder of notes."""

import json

import pytest
from cli.transcripts import speak
from sources.highlights import row, table


@pytest.fixture
def here(alone):
    """A vault with a note and an export."""
    (alone / "vault" / ".obsidian").mkdir(parents=True)
    (alone / "vault" / "Readwise").mkdir()
    (alone / "vault" / "Tides.md").write_text("Slow and good.\n")
    (alone / "vault" / "Readwise" / "export.csv").write_text(
        table(row("The moon pulls", note="Ask [[Mira]]."), row("x", "Winds"))
    )
    return alone


def ingest(*words):
    code, out, err = speak(["ingest", *words, "--no-nlp", "--no-embeddings", "--json"])
    assert (code, err) == (0, "")
    told = json.loads(out)
    return [told[key] for key in ("added", "changed", "moved", "removed", "unchanged")], told["problems"]


@pytest.mark.usefixtures("here")
def test_one_file_belongs_to_the_vault_around_it():
    assert ingest("vault/Readwise/export.csv") == ([2, 0, 0, 0, 0], [])
    assert ingest("vault") == ([1, 0, 0, 0, 2], [])
    assert ingest("vault/Readwise/export.csv") == ([0, 0, 0, 0, 2], [])
    assert ingest("vault/Tides.md") == ([0, 0, 0, 0, 1], [])
    _, out, _ = speak(["show", "Tides", "--json"])
    assert json.loads(out)["sources"] == 2


def test_one_file_without_a_vault_belongs_to_its_folder(alone):
    (alone / "downloads").mkdir()
    (alone / "downloads" / "a.csv").write_text(table(row("x")))
    (alone / "downloads" / "b.csv").write_text(table(row("y", "Winds")))
    assert ingest("downloads/a.csv") == ([1, 0, 0, 0, 0], [])
    assert ingest("downloads") == ([1, 0, 0, 0, 1], [])


def test_a_file_that_nothing_reads_is_refused(here):
    (here / "vault" / "image.png").write_bytes(b"x")
    code, _, err = speak(["ingest", "vault/image.png", "--no-nlp"])
    assert (code, err.splitlines()[0]) == (1, "kgmem: no source: image.png")


def test_a_file_that_is_no_export_is_a_problem(here):
    (here / "vault" / "budget.csv").write_text("Month,Sum\nMay,3\n")
    counts, problems = ingest("vault/budget.csv")
    assert (counts, [each["kind"] for each in problems]) == ([0, 0, 0, 0, 0], ["export"])


def test_a_folder_taken_for_exports_reports_other_tables(here):
    (here / "vault" / "budget.csv").write_text("Month,Sum\nMay,3\n")
    counts, problems = ingest("vault", "--as-kind", "readwise")
    assert counts == [3, 0, 0, 0, 0]
    assert [(each["path"], each["kind"]) for each in problems] == [("budget.csv", "export")]


def test_search_and_ask_show_a_highlight_of_two_exports_once(here):
    (here / "vault" / "again.csv").write_text(table(row("The moon pulls!", note="Ask [[Mira]].")))
    ingest("vault")
    _, out, _ = speak(["search", "pulls", "--in", "episodes"])
    assert out.splitlines() == [
        "passage  The moon pulls!  again.csv#Tides:7  also Readwise/export.csv#Tides:7",
    ]
    _, out, _ = speak(["ask", "What pulls?", "--json"])
    (passage,) = (each for each in json.loads(out)["passages"] if "pulls" in each["text"])
    assert passage["also"] == [{"source": "Readwise/export.csv#Tides", "line": 7}]


@pytest.mark.usefixtures("here")
def test_a_book_can_be_looked_at_and_forgotten():
    ingest("vault")
    code, out, _ = speak(["doctor", "Readwise/export.csv#Tides", "--json"])
    assert (code, json.loads(out)["note"]["title"]) == (0, "Tides")
    assert speak(["forget", "Readwise/export.csv#Tides"])[0] == 0
    assert ingest("vault") == ([0, 0, 0, 0, 2], [])
