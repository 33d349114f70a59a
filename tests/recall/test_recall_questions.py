from datetime import date

import pytest
from ingestion.notes import Notes

from kgmem.recall.answer import ask

NOW = date(2026, 6, 1).toordinal() * 86_400
PERSON = "---\ntype: person\n"


@pytest.fixture(scope="session")
def harbour(tmp_path_factory):
    """People and what they are to each other; no test changes it."""
    notes = Notes(tmp_path_factory.mktemp("harbour"))
    notes.write({
        "Ida.md": PERSON + "sister: '[[Ruth]]'\n"
        "manager:\n  - '[[Omar]] (2020 – 2023)'\n  - '[[Lena]] (since 2024)'\n"
        "lives_in: '[[Kiel]]'\nlanguages: [German, Danish]\n---\nThat is me. I met [[Omar]] at a fair in Odense.\n",
        "Ruth.md": PERSON + "born: 1990-05-02\nspouse: '[[Paul Holm]] (since 2015)'\nrole: baker\n---\nMy sister.\n",
        "Paul Holm.md": PERSON + "aliases: [Paul]\nlives_in: '[[Aarhus]]'\nfather: '[[Nils]]'\n"
        "works_at: '[[Quay Press]] (since 2019)'\n---\nPaul is a printer.\n",
        "Nils.md": PERSON + "---\nThe father of Paul.\n",
        "Omar.md": PERSON + "works_at:\n  - '[[Quay Press]] (2010 – 2018)'\n  - '[[Tide]] (since 2019)'\n---\nTall.\n",
        "Lena.md": PERSON + "works_at: '[[Tide]]'\n---\nQuiet.\n",
        "Quay Press.md": "---\ntype: company\nfounded: 1950\nowner: '[[Nils]] (since 1999)'\n"
        "located_in: '[[Odense]]'\nboats: 4\nlisted: false\n---\nA printer of charts.\n",
        "Tide.md": "---\ntype: company\nfounder: '[[Lena]]'\nparent_company: '[[Moon]]'\n---\nA start.\n",
        "Moon.md": "---\ntype: company\n---\nFar away.\n",
        "Odense.md": "---\ntype: city\ncountry: '[[Denmark]]'\n---\nA city.\n",
        "Kiel.md": "---\ntype: city\n---\nA city.\n",
        "Aarhus.md": "---\ntype: city\n---\nA city.\n",
        "North/Jan Voss.md": PERSON + "lives_in: '[[Kiel]]'\n---\nFrom the north.\n",
        "South/Jan Voss.md": PERSON + "lives_in: '[[Odense]]'\n---\nFrom the south.\n",
        "2026-01-05.md": "[[Ruth]] painted the blue door of the boathouse.\n\n[[Omar]] might buy a yacht one day.\n",
    }).ingest()  # fmt: skip
    return notes


@pytest.fixture
def store(harbour):
    with harbour.store() as opened:
        yield opened


def said(store, question, **options):
    return ask(store, question, now=NOW, owner="Ida", **options).text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who works at Quay Press?", "Paul Holm works at Quay Press (since 2019)."),
        ("At which company does Paul work?", "Paul Holm works at Quay Press (since 2019)."),
        ("Who owns Quay Press?", "Quay Press belongs to Nils (since 1999)."),
        ("What does Nils own?", "Quay Press belongs to Nils (since 1999)."),
        ("Who does Ida report to?", "Ida reports to Lena (since 2024)."),
        ("Who reports to Lena?", "Ida reports to Lena (since 2024)."),
        ("Who is Ruth married to?", "Ruth is married to Paul Holm (since 2015)."),
        ("When did Ruth marry Paul?", "Ruth is married to Paul Holm (since 2015)."),
        ("When was Quay Press founded?", "Quay Press founded 1950."),
        ("When was Ruth born?", "Ruth was born on 1990-05-02."),
        ("How old is Ruth?", "Ruth was born on 1990-05-02."),
        ("Where is Quay Press?", "Quay Press is in Odense (date unknown)."),
        ("Who used to work at Quay Press?", "Omar works at Quay Press (2010 – 2018, superseded)."),
        ("What does Ruth do?", "Ruth is baker (date unknown)."),
        ("Who speaks Danish?", "Ida speaks Danish (date unknown)."),
        ("How many boats does Quay Press have?", "Quay Press – boats: 4 (date unknown)."),
    ],
)
def test_a_fact_that_is_asked_for_is_the_answer(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many languages do I speak?", "2 in your notes: Danish, German."),
        ("How many people work at Tide?", "2 in your notes: Omar, Lena."),
        ("How many employers has Omar had?", "2 in your notes: Quay Press, Tide."),
    ],
)
def test_what_is_counted_stands_beside_the_number(store, question, answer):
    number, _, names = said(store, question).rstrip(".").partition(": ")
    expected, _, listed = answer.rstrip(".").partition(": ")
    assert (number, sorted(names.split(", "))) == (expected, sorted(listed.split(", ")))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Does Nils own Quay Press?", "Yes: Quay Press belongs to Nils (since 1999)."),
        ("Does Paul own Quay Press?", "Not as far as your notes tell: Quay Press belongs to Nils (since 1999)."),
        ("Is Lena my manager?", "Yes: Ida reports to Lena (since 2024)."),
        ("Is Omar my manager?", "Not as far as your notes tell: Ida reports to Lena (since 2024)."),
        ("Is Ruth a baker?", "Yes: Ruth is baker (date unknown)."),
        ("Is Ruth a farmer?", "Not as far as your notes tell: Ruth is baker (date unknown)."),
        ("Is Quay Press in Odense?", "Yes: Quay Press is in Odense (date unknown)."),
        ("Is Quay Press listed?", "Not as far as your notes tell: Quay Press – listed: false (date unknown)."),
        ("Is Quay Press in Kiel?", "Not as far as your notes tell: Quay Press is in Odense (date unknown)."),
        ("Is Omar married?", "Nothing in your notes on whether Omar is married."),
        (
            "Was Omar my manager in 2021?",
            "As of 2021 (the whole year): Yes: Ida reports to Omar (2020 – 2023).",
        ),
    ],
)
def test_yes_needs_a_fact_and_no_is_never_bare(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer", "through"),
    [
        ("Where does the husband of Ruth live?", "Paul Holm lives in Aarhus", "Ruth is married to Paul Holm"),
        ("Where does my sister's husband work?", "Paul Holm works at Quay Press", "Ruth is married to Paul Holm"),
        ("Who founded the company that Omar works at?", "Lena founded Tide", "Omar works at Tide"),
        ("Who owns the company where Paul works?", "Quay Press belongs to Nils", "Paul Holm works at Quay Press"),
        ("Where is Paul's employer?", "Quay Press is in Odense", "Paul Holm works at Quay Press"),
        ("Who is the father of Ruth's husband?", "Nils is a parent of Paul Holm", "Ruth is married to Paul Holm"),
        ("Who owns Lena's employer?", "Tide – parent company: Moon", "Lena works at Tide"),
        ("In which country is Paul's employer?", "Odense is in Denmark", "Quay Press is in Odense"),
    ],
)
def test_two_facts_are_both_told(store, question, answer, through):
    first, _, rest = said(store, question).partition(" Through: ")
    assert first.startswith(answer)
    assert through in rest


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was my manager before Lena?", "Ida reports to Omar (2020 – 2023, superseded)."),
        ("Who was my manager after Omar?", "Ida reports to Lena (since 2024)."),
        ("Where did Omar work before Tide?", "Omar works at Quay Press (2010 – 2018, superseded)."),
        (
            "Who was my manager when Omar left Quay Press?",
            (
                "As of 2018 (when Omar left Quay Press): Nothing in your notes"
                " for then; at other times: Ida reports to Lena (since 2024). Ida reports to Omar (2020 – 2023)."
            ),
        ),
        ("Where did Omar work after Quay Press?", "Omar works at Tide (since 2019)."),
    ],
)
def test_who_came_before_or_after(store, question, answer):
    assert said(store, question).partition(" Through: ")[0] == answer


@pytest.mark.parametrize(
    "question",
    ["Where did Omar work before Moon?", "Did Omar join a choir?", "Who does Omar teach?", "Is Omar from Kiel?"],
)
def test_a_fact_that_leaves_words_out_is_no_answer(store, question):
    assert said(store, question) == "No note says it in so many words."


def test_homonyms_stand_side_by_side(store):
    told = said(store, "Where does Jan Voss live?")
    assert told in {
        f"Jan Voss lives in {one} (date unknown). Jan Voss lives in {other} (date unknown)."
        for one, other in (("Kiel", "Odense"), ("Odense", "Kiel"))
    }


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was Ruth born?", "Nothing in your notes on where Ruth was born."),
        ("Where did Omar study?", "Nothing in your notes on where Omar studied."),
        ("How many children does Lena have?", "Nothing in your notes on how many children Lena has."),
        ("Who is married to Lena?", "Nothing in your notes on who is married to Lena."),
        ("Is the owner of Tide married?", "Nothing in your notes on whether the owner of Tide is married."),
        ("Who founded Moon?", "Nothing in your notes on who founded Moon."),
        ("What is the phone number of Ruth?", "Nothing in your notes on what the phone number of Ruth is."),
        ("Where does my brother live?", "Nothing in your notes on where your brother lives."),
        ("Who is the mother of Paul?", "Nothing in your notes on who the mother of Paul is."),
        ("Who is Agatha Christie?", "Not in your notes."),
        ("How old is Paul Newman?", "Not in your notes."),
        ("Where does the Pope live?", "Not in your notes."),
        ("How tall is Ruth?", "No note says it in so many words."),
        (
            "Where did Omar work in 2005?",
            (
                "As of 2005 (the whole year): Nothing in your notes for then; at other times:"
                " Omar works at Tide (since 2019). Omar works at Quay Press (2010 – 2018)."
            ),
        ),
    ],
)
def test_what_no_fact_says_is_declined(store, question, answer):
    assert said(store, question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who painted the blue door?", "“Ruth painted the blue door of the boathouse.” (2026-01-05.md:1)"),
        ("Where did I meet Omar?", "“I met Omar at a fair in Odense.” (Ida.md:10)"),
        ("Will Omar buy a yacht?", "“Omar might buy a yacht one day.” (2026-01-05.md:3)"),
        (
            "When did Ruth paint the door?",
            "“Ruth painted the blue door of the boathouse.” (2026-01-05.md:1, noted 2026-01-05)",
        ),
    ],
)
def test_a_sentence_with_every_word_is_quoted(store, question, answer):
    assert said(store, question) == f"Your notes say: {answer}"


def test_what_changed_tells_what_followed_what(store):
    assert said(store, "What changed about Omar?") == (
        "Omar works at Quay Press (2010 – 2018, superseded). Then: Omar works at Tide (since 2019)."
    )
    assert said(store, "What changed about Nils?") == "Nothing in your notes on a change of Nils."
    assert said(store, "What changed for Omar in 2018?") == (
        "As of 2018 (the whole year): Omar works at Quay Press (2010 – 2018, superseded)."
    )
    assert said(store, "What changed in 2024?") == "As of 2024 (the whole year): Ida reports to Lena (since 2024)."


def test_without_an_owner_nobody_is_i(store):
    found = ask(store, "Where does my sister live?", now=NOW)
    assert "Kiel" not in found.text
    assert found.notes == ('nobody said who “I” is: write owner = "…" in the configuration',)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Where does Ida live, and does Omar own Quay Press?",
            "Ida lives in Kiel (date unknown). Not as far as your notes tell: Quay Press belongs to Nils (since 1999).",
        ),
        (
            "Where does Omar work and where did he work in 2015?",
            "Omar works at Tide (since 2019). As of 2015 (the whole year): Omar works at Quay Press (2010 – 2018).",
        ),
        (
            "Who owns Quay Press and when was it founded?",
            "Quay Press belongs to Nils (since 1999). Quay Press founded 1950.",
        ),
        (
            "Who is Ruth married to and where does he live?",
            "Ruth is married to Paul Holm (since 2015). Paul Holm lives in Aarhus (date unknown).",
        ),
        (
            "Where does Lena work and who is her boss?",
            "Lena works at Tide (date unknown). Nothing in your notes on who Lena's boss is.",
        ),
        (
            "Where does Paul live and how tall is he?",
            "Paul Holm lives in Aarhus (date unknown). “How tall is Paul Holm?” No note says it in so many words.",
        ),
    ],
)
def test_both_of_two_questions_are_answered(store, question, answer):
    assert said(store, question) == answer


def test_what_is_known_of_who_is_reached(store):
    assert said(store, "What do I know about my manager?").startswith("Lena ")
    assert said(store, "What do I know about Ruth's role?") == "Ruth is baker (date unknown)."


def test_who_is_reached_is_among_the_entities(store):
    found = ask(store, "Where does the husband of Ruth live?", now=NOW, owner="Ida")
    assert [card.entity.name for card in found.entities] == ["Ruth", "Paul Holm"]


@pytest.mark.parametrize(
    "question",
    [
        "the of and to",
        "who is",
        "what?",
        "my",
        "is",
        '"Ruth" AND (NEAR/3 OR *',
        "Ruth:^2 ~0.5 [a TO z] && || ! \\ {x}",
        "who's 'the\" -- ; DROP TABLE fact",
        "Où habite Ruth ?",
        "鲁特住在哪里？",
        "where " * 2_000,
        "Ruth's " * 1_500,
        "who is the father of " * 500 + "Paul",
        "\x00\ud800",
        "🙂",
    ],
)
def test_odd_questions_get_an_answer(store, question):
    found = ask(store, question, now=NOW, owner="Ida")
    assert isinstance(found.text, str)
    assert len(found.passages) <= 5


def test_an_empty_memory_has_nothing(tmp_path):
    with Notes(tmp_path).store() as opened:
        assert ask(opened, "Where does my sister live?", now=NOW, owner="Ida").text == "Not in your notes."
