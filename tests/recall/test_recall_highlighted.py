from datetime import date

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask

NOW = date(2026, 6, 1).toordinal() * 86_400
HEADER = (
    "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,"
    "Document tags\n"
)


@pytest.fixture
def library(tmp_path):
    notes = Notes(tmp_path)
    rows = "".join(
        f"{text},{title},Ida Lund,,,,,page,{number},2024-01-0{number} 10:00:00+00:00,\n"
        for number, (text, title) in enumerate(
            [("Salt waits.", "Harbours"), ("Rope remembers.", "Harbours"), ("Tar keeps.", "Harbours"),
             ("Ice sings.", "Harbours"), ("Bread rises.", "Ovens")], 1,
        )
    )  # fmt: skip
    copies = "Rope remembers.,Harbours,Ida Lund,,,,,page,2,2024-01-02 10:00:00+00:00,\n"
    notes.write({"export.csv": HEADER + rows, "again.csv": HEADER + copies, "Bo.md": "Bo tars boats.\n"}).ingest()
    with notes.store() as store:
        yield store


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "What did I highlight in Harbours?",
            (
                "4 highlights: “Rope remembers.” (again.csv#Harbours:8); “Salt waits.” (export.csv#Harbours:8); "
                "“Tar keeps.” (export.csv#Harbours:16); …"
            ),
        ),
        ("How many highlights do I have of Ovens?", "1 highlight: “Bread rises.” (export.csv#Ovens:8)"),
    ],
)
def test_what_was_highlighted_in_a_book_each_once(library, question, answer):
    found = ask(library, question, now=NOW)
    assert found.text == answer
    assert found.passages[0].text in answer


def test_nobody_highlighted_anything_in_a_person(library):
    assert "highlight" not in ask(library, "What did I highlight in Bo?", now=NOW).text
