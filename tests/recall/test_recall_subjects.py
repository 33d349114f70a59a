"""Of whom a sentence says what it says."""

from datetime import date

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask
from kgmem.recall.subjects import is_said_of

NOW = date(2026, 6, 1).toordinal() * 86_400
PERSON = "---\ntype: person\n---\n"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ruth was born in 1990.", True),
        ("Ruth Holm was born in 1990.", True),
        ("In 1990, in Kiel, Ruth was born.", True),
        ("Ruth, a baker from Kiel, was born in 1990.", True),
        ("Ruth and Paul were born in 1990.", True),
        ("Paul and Ruth were born in 1990.", True),
        ("She was born in 1990.", True),
        ("Ruth has a daughter, Elsa, born in 2020.", False),
        ("Ruth and Elsa Holm have a son, Tim, born in 2020.", False),
        ("Ruth's son was born in 2020.", False),
        ("The son of Ruth was born in 2020.", False),
        ("Ruth wrote to Zoe, Paul's sister, who was born in 1990.", False),
        ("Zoe wrote to Ruth, Paul's sister, who was born in 1990.", True),
        ("Elsa was born in 2020.", False),
    ],
)
def test_a_verb_is_said_of_the_name_before_it(sentence, expected):
    assert is_said_of({"ruth", "ruth holm"}, sentence.index("born"), sentence, skip={"she", "in", "the"}) is expected


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    notes = Notes(tmp_path_factory.mktemp("born"))
    notes.write({
        "Ruth Holm.md": PERSON + "Ruth Holm has a daughter, [[Elsa Holm]], born in 2020.\n\n"
        "works_at:: Tide (2015 – 2019)\nworks_at:: Moon (since 2020)\n",
        "Elsa Holm.md": PERSON + "Small.\n",
        "Omar.md": PERSON + "He is a joiner and builds boats in a shed.\n\nworks_at:: Tide (2015 – 2019)\n",
        "Lena.md": PERSON + "A painter. Lena retires in May 2030.\n\nworks_at:: Moon (2015 – 2019)\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(notes):
    with notes.store() as opened:
        yield opened


@pytest.mark.parametrize("asked", ["when was Ruth Holm born", "where was Ruth Holm born", "was Ruth Holm born in 2020"])
def test_what_is_said_of_a_daughter_is_not_said_of_her_mother(store, asked):
    assert "Elsa" not in ask(store, asked, now=NOW).text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("when does Omar retire", "Nothing in your notes on when Omar retires."),
        ("when does Ruth Holm retire", "Nothing in your notes on when Ruth Holm retires."),
        ("when did Ruth Holm retire", "Nothing in your notes on when Ruth Holm retired."),
        ("when did Omar retire", "Omar works at Tide (2015 – 2019)."),
        ("when did Ruth Holm leave", "Ruth Holm works at Tide (2015 – 2019, superseded)."),
        ("when does Omar leave", "Nothing in your notes on when Omar leaves."),
        ("when did Ruth Holm leave Tide", "Ruth Holm works at Tide (2015 – 2019, superseded)."),
    ],
)
def test_an_end_that_is_asked_for_is_the_last_and_in_its_tense(store, question, answer):
    assert ask(store, question, now=NOW).text == answer


def test_a_pronoun_means_whom_the_note_is_about(store):
    assert ask(store, "where does Omar build boats", now=NOW).text == (
        "Your notes say: “He is a joiner and builds boats in a shed.” (Omar.md:4)"
    )


def test_a_note_says_what_no_fact_does_of_an_end_to_come(store):
    assert ask(store, "when does Lena retire", now=NOW).text.startswith(
        "Your notes say: “Lena retires in May 2030.” (Lena.md:4"
    )
