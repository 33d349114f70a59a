"""Sentences that look like claims and are none; each beside one that is."""

import pytest

from kgmem.extraction.relations.nobody import is_nobody
from kgmem.extraction.tongues import is_foreign


@pytest.mark.parametrize(
    "text",
    [
        "§ 2. The Vice Warden Bo Lang works at Acme.",
        "2026-01-02T03:04:05Z INFO  Bo Lang works at Acme",
        "Feb 02 04:05:06 athena cron[7]: Bo Lang works at Acme",
        "5 down: Bo Lang left Acme (4).",
        "The Director works at the Company.",
        "Perhaps it broke after Bo Lang joined Acme.",
        "Santa Claus lives in Lapland.",
        "Wij gaan niet naar het huis van Bo, want Bo works at Acme en dat is het.",
    ],
)
def test_nothing_is_claimed(said, text):
    assert said(text) == []


def test_the_line_beside_a_log_line_is_read(said):
    text = "2026-01-02T03:04:05Z INFO  Bo Lang works at Acme\nEva Lind works at Siemens."
    assert said(text) == ["Eva Lind | WORKS_AT | Siemens"]


def test_a_journal_may_say_when(said):
    assert said("2026-01-02 10:30 Eva Lind works at Siemens.") != []


def test_whose_name_shows_nobody_likes_only_if_a_note_says_so(said):
    assert said("Fortran likes indentation.") == [
        "Fortran | LIKES | indentation ?",
        "yields Fortran | DISLIKES | indentation",
    ]


@pytest.mark.parametrize("name", ["Treasurer", "the Board", "Santa Claus", "Mrs. Claus", "Goods"])
def test_nobody(name):
    assert is_nobody(name, frozenset({"treasurer"}))


@pytest.mark.parametrize("name", ["Bo Lang", "Board Games Club", "Santa Cruz", "Acme Company"])
def test_somebody(name):
    assert not is_nobody(name, frozenset({"treasurer"}))


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Er wohnt seit dem Mai nicht mehr bei uns.", True),
        ("Elle travaille chez nous depuis le printemps.", True),
        ("Vive en la ciudad con su hermana.", True),
        ("She lives in the Rue de la Paix.", False),
        ("Bo Lang, Acme, Lyon, 2020.", False),
        ("He said: es ist nicht so. I did not believe that it was what he wanted to say.", False),
    ],
)
def test_foreign(text, foreign):
    assert is_foreign(text) is foreign
