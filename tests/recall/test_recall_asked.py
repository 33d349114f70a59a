"""Questions by kind: what a question word wants, other words for a value, two in one, other languages."""

from datetime import date

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask
from kgmem.recall.compound import halves

NOW = date(2026, 6, 1).toordinal() * 86_400
PERSON = "---\ntype: person\n"


@pytest.fixture(scope="session")
def orchard(tmp_path_factory):
    """People, a mill and a shed; no test changes it."""
    notes = Notes(tmp_path_factory.mktemp("orchard"))
    notes.write({
        "Greta Lund.md": PERSON + "lives_in:\n  - '[[Bergen]] (2015 – 2019)'\n  - '[[Turku]] (since 2020)'\n"
        "works_at: '[[Mill]]'\ninstrument: viola\nlanguages: [Finnish]\n---\n"
        "Greta speaks Finnish and some Estonian. Greta and [[Aron Vik]] have a son, Per.\n",
        "Aron Vik.md": PERSON + "born: 1979-03-04\nlives_in: '[[Turku]]'\nmember_of: '[[Mill]] (2010 – 2014)'\n---\n"
        "Aron is my manager and likes pears.\n",
        "Ida Lund.md": PERSON + "manager: '[[Aron Vik]]'\nsibling: '[[Tove Lund]]'\n---\nThat is me.\n",
        "Tove Lund.md": PERSON + "---\nOf the north.\n",
        "2026-02-04.md": "Rain.\n\n[[Tove Lund]] sowed rye.\n",
        "Mill.md": "---\ntype: company\nsubtype: press\nfounded: 1931\nowner: '[[Aron Vik]] (since 2012)'\n"
        "located_in: '[[Turku]]'\nlead:\n  - '[[Greta Lund]] (2015 – 2019)'\n  - '[[Aron Vik]] (since 2020)'\n"
        "---\nThe house was founded in 1931. It stands on posts.\n",
        "Barn.md": "---\ntype: company\n---\nOle Strand founded the barn in 1950.\n",
        "Shed.md": "---\ntype: project\nstatus:\n  - active (2024-01 – 2025-02)\n  - paused (since 2025-03)\n"
        "deadline: 2026-09-01\n---\nBoards.\n",
        "Atlas.md": "---\ntype: book\npublisher: '[[Quill]]'\n---\n[[Quill]] will publish it.\n",
        "Almanac.md": "---\ntype: book\npublisher: '[[Quill]]'\n---\n[[Quill]] published it in spring.\n",
        "Quill.md": "---\ntype: company\n---\nA house of books.\n",
        "Turku.md": "---\ntype: city\n---\nA city.\n",
        "Bergen.md": "---\ntype: city\n---\nA city.\n",
        "2026-02-03.md": "I did not leave the choir.\n\nGreta lent me a ladder.\n",
        "Film.md": "---\ntype: film\n---\nA film.\n\n说明:: 他有六本护照\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(orchard):
    with orchard.store() as opened:
        yield opened


def said(store, question):
    return ask(store, question, now=NOW, owner="Ida Lund").text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When was the Mill founded?", "Mill founded 1931."),
        ("Who founded the Mill?", "Nothing in your notes on who founded the Mill."),
        ("Where was the Mill founded?", "Nothing in your notes on where the Mill was founded."),
        ("Where was Greta's employer founded?", "Nothing in your notes on where Greta's employer was founded."),
        ("Who founded the Barn?", "Your notes say: “Ole Strand founded the barn in 1950.” (Barn.md:4)"),
        ("When did Greta start at the Mill?", "Nothing in your notes on when Greta started at the Mill."),
    ],
)
def test_the_answer_is_of_the_kind_that_the_question_word_wants(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who manages Ida Lund?", "Ida Lund reports to Aron Vik (date unknown)."),
        ("Who does Aron manage?", "Ida Lund reports to Aron Vik (date unknown)."),
        ("Who manages Aron Vik?", "Nothing in your notes on who manages Aron Vik."),
    ],
)
def test_who_manages_is_not_whom_they_manage(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Shed paused?", "Yes: The status of Shed is paused (since 2025-03)."),
        ("Is the Shed active?", "Not as far as your notes tell: The status of Shed is paused (since 2025-03)."),
        (
            "Was the Shed active in 2024?",
            "As of 2024 (the whole year): Yes: The status of Shed is active (2024-01 – 2025-02).",
        ),
        ("Is the Shed red?", "No note says it in so many words."),
        ("When is the Shed due?", "Shed – deadline: 2026-09-01."),
        ("What instrument does Greta play?", "Greta Lund – instrument: viola (date unknown)."),
        ("What instrument does Greta hate?", "No note says it in so many words."),
    ],
)
def test_a_property_is_found_in_other_words(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize("question", ["How many children does Greta have?", "Does Greta have children?"])
def test_a_child_may_be_told_of_as_a_son(store, question):
    told = said(store, question)
    assert "Per" in told
    assert not told.startswith("Nothing")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Did Quill publish the Atlas?",
            "Not as far as your notes tell: your notes say “Quill will publish it.” (Atlas.md:5)",
        ),
        ("Did Quill publish the Almanac?", "Yes: Almanac is published by Quill (date unknown)."),
        ("Does Greta speak Estonian?", "Your notes say: “Greta speaks Finnish and some Estonian.” (Greta Lund.md:10)"),
        ("Does Greta speak Finnish?", "Yes: Greta Lund speaks Finnish (date unknown)."),
        ("Did I leave the choir?", "Your notes say: “I did not leave the choir.” (2026-02-03.md:1)"),
    ],
)
def test_yes_is_said_of_nothing_that_is_planned_or_is_something_else(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Where does Greta live?", ["Greta Lund"]),
        ("Where does Aron live?", ["Aron Vik"]),
        ("What about Lund?", ["Greta Lund", "Ida Lund", "Tove Lund"]),
        ("When did Greta Garbo die?", []),
        ("Where does Old Lund live?", []),
    ],
)
def test_a_first_or_last_name_that_stands_alone_is_of_whoever_has_it(store, question, names):
    assert sorted(card.entity.name for card in ask(store, question, now=NOW).entities) == names


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who took over the Mill from Greta?", "Mill is led by Aron Vik (since 2020)."),
        ("Who succeeded Greta as lead of the Mill?", "Mill is led by Aron Vik (since 2020)."),
        ("Which press is in Turku?", "Mill is in Turku (date unknown)."),
        (
            "Who owns the press in Turku?",
            "Mill belongs to Aron Vik (since 2012). Through: Mill is in Turku (date unknown).",
        ),
        (
            "What happened to the Mill?",
            "Mill is led by Greta Lund (2015 – 2019, superseded). Then: Mill is led by Aron Vik (since 2020).",
        ),
        ("Who lent me a ladder?", "Your notes say: “Greta lent me a ladder.” (2026-02-03.md:3)"),
    ],
)
def test_who_came_after_and_what_is_there(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Où habite Greta ?", "Greta Lund lives in Turku (since 2020)."),
        ("Où habitait Greta en 2017 ?", "As of 2017 (the whole year): Greta Lund lives in Bergen (2015 – 2019)."),
        ("Wo wohnte Greta im Jahr 2017?", "As of 2017 (the whole year): Greta Lund lives in Bergen (2015 – 2019)."),
        ("¿Dónde vivía Greta en el 2017?", "As of 2017 (the whole year): Greta Lund lives in Bergen (2015 – 2019)."),
        ("Où habitait Greta avant 2018 ?", "Until 2017: Greta Lund lives in Bergen (2015 – 2019)."),
        ("¿Quién es el dueño de Mill?", "Mill belongs to Aron Vik (since 2012)."),
        ("Wem gehört Mill?", "Mill belongs to Aron Vik (since 2012)."),
        ("Quand est né Aron ?", "Aron Vik was born on 1979-03-04."),
        ("¿Cuándo nació Aron?", "Aron Vik was born on 1979-03-04."),
        ("Greta Lund住在哪里？", "Greta Lund lives in Turku (since 2020)."),
        ("Greta Lund 2017年住在哪里？", "As of 2017 (the whole year): Greta Lund lives in Bergen (2015 – 2019)."),
        ("Mill的老板是谁？", "Mill belongs to Aron Vik (since 2012)."),
        ("Où Greta a-t-elle étudié ?", "Nothing in your notes on that."),
        ("Wo tanzt Greta?", "No note says it in so many words."),
    ],
)
def test_questions_in_other_languages_are_read(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many projects are paused?", "1 in your notes: Shed."),
        ("Which project is paused?", "The status of Shed is paused (since 2025-03)."),
        ("Is the Mill a press?", "Yes: Mill – subtype: press (date unknown)."),
        ("Is Turku a company?", "No note says it in so many words."),
        ("Was weiß ich über Tove?", "Ida Lund is a sibling of Tove Lund (date unknown)."),
    ],
)
def test_what_things_are(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Tove my sister?", "Ida Lund is a sibling of Tove Lund (date unknown)."),
        ("How many brothers do I have?", "Ida Lund is a sibling of Tove Lund (date unknown)."),
        ("How many siblings do I have?", "1 in your notes: Tove Lund."),
    ],
)
def test_who_is_told_of_as_a_sibling_may_be_no_brother(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where will Greta live?", "Nothing in your notes on where Greta will live."),
        ("Who will publish the Atlas?", "Your notes say: “Quill will publish it.” (Atlas.md:5)"),
    ],
)
def test_what_is_so_now_is_no_answer_to_what_will_be(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What did I do on 3 February 2026?", "“I did not leave the choir.” (2026-02-03.md:1)"),
        ("What happened on 3 February 2026?", "“I did not leave the choir.” (2026-02-03.md:1)"),
        ("What did Tove do on 4 February 2026?", "“Tove Lund sowed rye.” (2026-02-04.md:3)"),
    ],
)
def test_the_note_of_a_day_says_what_was_done(store, question, answer):
    found = ask(store, question, now=NOW, owner="Ida Lund")
    assert found.text.partition(": ")[2] == f"Your notes of that day say: {answer}"
    assert found.passages[0].source == answer.rpartition("(")[2].partition(":")[0]


def test_what_only_a_property_says_is_found(store):
    assert [each.source for each in ask(store, "护照", now=NOW).passages] == ["Film.md"]


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Where does Bo live and who is his boss?", ("Where does Bo live", "who is his boss?")),
        ("Is Bo well and does he sing?", ("Is Bo well", "does he sing?")),
        ("When and where did Bo sing?", ("When and where did Bo sing?", "")),
        ("Where does Bo sing and since when?", ("Where does Bo sing", "")),
        ("Where does Bo live, and is he well?", ("Where does Bo live", "is he well?")),
        ("Which firm did Bo and Ann found?", ("Which firm did Bo and Ann found?", "")),
        ("What do I know about Bo and where he was?", ("What do I know about Bo and where he was?", "")),
        ("Bo, who lives here", ("Bo, who lives here", "")),
    ],
)
def test_where_a_second_question_begins(question, parts):
    assert halves(question) == parts


def test_an_answer_keeps_the_whole_question(store):
    asked = "Where does Aron live and since when?"
    assert ask(store, asked, now=NOW).question == asked
