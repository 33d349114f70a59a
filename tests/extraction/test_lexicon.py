import pickle
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.extraction.lexicon import Lexicon, Span
from kgmem.resolution.names import name_key


def lexicon(*names: str) -> Lexicon:
    return Lexicon((name, name_key(name)) for name in names)


def surfaces(names: list[str], prose: str) -> list[str]:
    return [span.surface for span in lexicon(*names).find(prose)]


def test_span_points_into_the_text():
    assert lexicon("Ada Lovelace").find("Met Ada Lovelace today") == [Span(4, 16, "Ada Lovelace", "ada lovelace")]


def test_no_names_find_nothing():
    assert lexicon().find("Ada") == []


def test_no_text_holds_nothing():
    assert lexicon("Ada").find("") == []


def test_leftmost_then_longest_wins_and_spans_do_not_overlap():
    names = ["New York", "New York Times", "Times Square", "York"]
    assert surfaces(names, "The New York Times Square") == ["New York Times"]
    assert surfaces(names, "New York, York, Times Square") == ["New York", "York", "Times Square"]


def test_long_hit_that_is_refused_does_not_hide_a_short_one():
    assert surfaces(["Ada Love", "Ada"], "Ada Lovelace") == ["Ada"]


@pytest.mark.parametrize(
    ("name", "prose"),
    [
        ("Ada", "Adam came"),
        ("Ada", "MacAda came"),
        ("Ada", "Ada1"),
        ("Ada", "ADA_KEY"),
        ("Ada", "Ada\N{COMBINING ACUTE ACCENT}"),
        ("Paul", "Jean-Paul came"),
        ("Jean", "Jean-Paul came"),
        ("Apollo", "Apollo-11"),
        ("Brien", "O'Brien came"),
        ("Node", "Node.js runs"),
        ("Python 3", "on Python 3.11"),
        ("Acme", "www.Acme.com"),
        ("Ada", "Ada@acme.com"),
        ("Notepad", "in Notepad++ today"),
        ("Disney", "on Disney+ tonight"),
        ("Muller", "Müller"),
    ],
)
def test_name_inside_something_else_is_not_found(name, prose):
    assert surfaces([name], prose) == []


@pytest.mark.parametrize(
    ("name", "prose"),
    [
        ("Acme", "Acme's plan"),
        ("Acme", "Acme’s plan"),
        ("ACME", "ACME'S PLAN"),
        ("Acme", "an Acme-style plan"),
        ("Acme", "the pre-Acme years"),
        ("Acme", "le bilan d'Acme"),
        ("Acme", "(Acme)"),
        ("Acme", "Acme."),
        ("Acme", "Acme/Bosch"),
        ("Acme", "Acme+Bosch"),
        ("Acme", "-Acme"),
        ("Acme", "@Acme"),
        ("C++", "C++, C#"),
        ("Node.js", "Node.js's loop"),
        ("Jean-Paul", "Jean-Paul's"),
        ("O'Brien", "O'Brien"),
    ],
)
def test_name_with_something_beside_it_is_found(name, prose):
    assert surfaces([name], prose) == [name]


@pytest.mark.parametrize(
    ("name", "prose", "found"),
    [
        ("Jot", "jot it down", []),
        ("Jot", "Jot and JOT", ["Jot", "JOT"]),
        ("iPhone", "an iPhone, an IPHONE, an iphone", ["iPhone", "IPHONE"]),
        ("k8s", "on k8s and K8S", ["k8s", "K8S"]),
        ("GPT4", "gpt4, GPT4", ["GPT4"]),
        ("trust", "trust, Trust", []),
        ("follow-up", "a follow-up", []),
        ("operational transform", "Operational Transform", ["Operational Transform"]),
        ("Operational Transform", "an operational transform", ["operational transform"]),
        ("The Wire", "the wire, the Wire, The Wire", ["the Wire", "The Wire"]),
        ("the wire", "The Wire", []),
        ("שלום", "שלום", ["שלום"]),
    ],
)
def test_case_tells_names_from_words(name, prose, found):
    assert surfaces([name], prose) == found


def test_the_same_word_as_a_name_and_as_a_concept_is_found_as_the_name():
    assert surfaces(["trust", "Trust"], "trust in Trust") == ["Trust"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "A",
        "ß",
        "中",
        "2015",
        "2023-09-12",
        "2023-W37",
        "12 March 2023",
        "March 5th, 2023",
        "2023年9月12日",
        "The",
        "Monday",
    ],
)
def test_names_that_say_nothing_never_match(name):
    assert len(lexicon(name)) == 0
    assert surfaces([name], f"on {name} again") == []


@pytest.mark.parametrize("name", ["Home", "Books", "Index", "About", "Inbox", "Notes", "README", "Book Notes", "To Do"])
def test_titles_of_index_notes_match_only_within_a_name(name):
    expected = [] if name != "Book Notes" else ["Book Notes"]
    assert surfaces([name], f"see {name} now") == expected
    assert surfaces([f"{name} Ltd"], f"see {name} Ltd now") == [f"{name} Ltd"]


def test_offsets_survive_a_folding_that_lengthens():
    prose = "İstanbul, Straße, Große Straße"
    assert lexicon("Istanbul", "İstanbul", "Große Straße").find(prose) == [
        Span(0, 8, "İstanbul", name_key("İstanbul")),
        Span(18, 30, "Große Straße", "grosse strasse"),
    ]


def test_sharp_s_is_two_letters_and_is_never_cut_in_half():
    assert surfaces(["Strasse"], "Straße") == ["Straße"]
    assert surfaces(["Gros"], "Groß") == []


def test_decomposed_text_is_found_by_its_composed_name():
    prose = unicodedata.normalize("NFD", "Zoë met Renée")
    assert lexicon("Renée").find(prose) == [Span(9, 15, unicodedata.normalize("NFD", "Renée"), "renée")]


def test_composed_text_is_found_by_its_decomposed_name():
    assert surfaces([unicodedata.normalize("NFD", "Renée")], "with Renée") == ["Renée"]


def test_decomposed_hangul():
    prose = unicodedata.normalize("NFD", "서울")
    assert lexicon("서울").find(prose) == [Span(0, len(prose), prose, "서울")]


@pytest.mark.parametrize("gap", [" ", "\n", "\t", "\N{NO-BREAK SPACE}", "\n    ", "  \n", "\r\n"])
def test_any_white_space_or_wrapped_line_parts_the_words_of_a_name(gap):
    prose = f"– Ada{gap}Lovelace!"
    assert lexicon("Ada Lovelace").find(prose) == [Span(2, len(prose) - 1, f"Ada{gap}Lovelace", "ada lovelace")]


@pytest.mark.parametrize("gap", ["  ", "\n\n", "\n  \n"])
def test_blanked_markup_and_paragraphs_part_names(gap):
    assert surfaces(["Ada Lovelace"], f"Ada{gap}Lovelace") == []


def test_blanked_code_of_any_length_is_passed_over():
    prose = f"Ada{' ' * 300_000}Ada"
    assert [span.start for span in lexicon("Ada").find(prose)] == [0, 300_003]


@pytest.mark.parametrize(
    ("name", "prose", "found"),
    [
        ("三体", "我在读三体这本书", ["三体"]),
        ("Python", "我用Python写代码", ["Python"]),
        ("กรุงเทพ", "ฉันอยู่กรุงเทพมานาน", ["กรุงเทพ"]),
        ("アニメ", "このアニメは", ["アニメ"]),
        ("アン", "アンケート", []),
        ("서울", "서울에서 만났다", ["서울"]),
        ("서울", "신서울", []),
        ("Acme", "Acme는 크다", ["Acme"]),
    ],
)
def test_scripts_without_spaces(name, prose, found):
    assert surfaces([name], prose) == found


def test_a_copy_in_another_process_finds_the_same():
    copy = pickle.loads(pickle.dumps(lexicon("Ada", "Große Straße")))  # noqa: S301
    assert [span.surface for span in copy.find("Ada, Große Straße")] == ["Ada", "Große Straße"]


@given(st.text(alphabet="aAßİé\u0301\u0345 \n\tfiﬁ中한\u1112\u1161\u11ab-'.", max_size=30))
def test_what_is_found_has_the_key_of_its_name(prose):
    names = ["Aß", "aA a", "İé", "中한", "A-a", "fi A", "한A"]
    for span in lexicon(*names).find(prose):
        assert prose[span.start : span.end] == span.surface
        assert name_key(span.surface) == span.key
        assert span.key in {name_key(name) for name in names}


@given(st.text(max_size=12), st.text(max_size=12))
def test_a_name_of_two_words_is_found_whatever_stands_around_it(before, after):
    prose = f"{before} (Ada Lovelace) {after}"
    assert Span(len(before) + 2, len(before) + 14, "Ada Lovelace", "ada lovelace") in lexicon("Ada Lovelace").find(
        prose
    )
