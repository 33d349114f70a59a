"""What a later note takes back, what is only planned, and who came before one who took over."""

from datetime import date

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask

NOW = date(2026, 6, 1).toordinal() * 86_400
PERSON = "---\ntype: person\n---\n"
LIKED = "“I like oysters very much.” (2023-05-02.md:1)"
STOPPED = "“I stopped eating oysters today.” (2024-03-09.md:1"


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    notes = Notes(tmp_path_factory.mktemp("later"))
    notes.write({
        "Ida.md": PERSON + "That is me.\n\nlives_in:: Kiel (since 2015)\n",
        "Omar.md": PERSON + "lives_in:: Kiel (since 2015)\n",
        "Choir.md": "---\ntype: project\n---\nlead:: [[Ida]] (2015 – 2018)\nlead:: [[Omar]] (since 2019)\n",
        "2023-05-02.md": "I like oysters very much.\n\nI love plums.\n",
        "2024-03-09.md": "I stopped eating oysters today.\n",
        "2025-03-09.md": "I like plums from Kiel.\n\nOmar might move to Malta one day. He has not decided.\n",
        "2025-04-01.md": "I still love plums, and I like pears.\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(notes):
    with notes.store() as opened:
        yield opened


@pytest.mark.parametrize("owner", [None, "Ida"])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("do I like oysters", f"Your notes say: {LIKED}; and later: {STOPPED})"),
        ("do I love plums", "Your notes say: “I still love plums, and I like pears.” (2025-04-01.md:1)"),
        ("when did I quit oysters", f"Your notes say: {STOPPED}, noted 2024-03-09)"),
    ],
)
def test_the_newest_note_counts_and_one_that_ends_it_is_told_too(store, question, answer, owner):
    assert ask(store, question, now=NOW, owner=owner).text == answer


def test_a_plan_is_told_beside_the_no(store):
    assert ask(store, "is Omar moving to Malta", now=NOW).text == (
        "Not as far as your notes tell: Omar lives in Kiel (since 2015). But your notes say: "
        "“Omar might move to Malta one day. He has not decided.” (2025-03-09.md:3)"
    )


def test_a_no_without_a_plan_stands_alone(store):
    assert ask(store, "is Ida moving to Malta", now=NOW).text == (
        "Not as far as your notes tell: Ida lives in Kiel (since 2015)."
    )


@pytest.mark.parametrize("tail", ["", " took over", " did", " came"])
def test_who_came_before_one_who_took_over(store, tail):
    assert ask(store, f"who led the choir before Omar{tail}", now=NOW).text == (
        "Choir is led by Ida (2015 – 2018, superseded)."
    )
