"""How text is cut for the index, and how any text becomes a query."""

import pytest

from kgmem.store.text import match, phrase, prepare, words


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("Plain ASCII stays", "Plain ASCII stays"),
        ("Straße", "strasse"),
        ("页面路", "页 页面 面 面路 路"),
        ("由", "由"),
        ("用Python写", "用 python 写"),
        ("日本、東京", "日 日本 本 東 東京 京"),
        ("0\U00016b37é", "0 é"),
        ("Αθήνας", "αθηνασ"),
        ("カード", "カ カー ー ード ド"),
        ("น้ำ", "น้ํ น้ํา า"),
        ("हिन्दी", "हिन्दी"),
        ("１２ﬁ", "12fi"),
    ],
)
def test_text_as_it_is_indexed(text, prepared):
    assert " ".join(prepare(text).split()) == prepared


def test_composed_and_decomposed_text_are_prepared_alike():
    assert prepare("Caf\u00e9 \ud55c") == prepare("Cafe\u0301 \u1112\u1161\u11ab")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++ (really)", ("c", "really")),
        ('say "no" OR NEAR(x)*', ("say", "no", "or", "near", "x")),
        ("foo_bar-baz", ("foo", "bar", "baz")),
        ("", ()),
        ("\x00 ^ \ud800 🦊", ()),
        ("நன்றி", ("நன்றி",)),
    ],
)
def test_words_have_no_signs(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("Mira", '"mira"'),
        ("the work of Mira", '"the work of mira" OR "work" OR "mira"'),
        ("who is it", '"who is it" OR "who" OR "is" OR "it"'),
        ("May will come", '"may will come" OR "may" OR "will" OR "come"'),
        ("路由", '"路 路由 由" OR "路由"'),
        ("由", '"由"'),
        ("Mira mira", '"mira mira" OR "mira"'),
        ("?!", None),
    ],
)
def test_a_query_asks_for_any_word_and_for_the_whole(text, expression):
    assert match(text) == expression


def test_a_very_long_text_asks_for_its_first_words():
    expression = match(" ".join(f"w{number}" for number in range(500)))
    assert expression.count(" OR ") == 63
    assert expression.endswith('"w63"')


def test_a_phrase_keeps_every_word_in_order():
    assert phrase("The Work of Mira!") == '"the work of mira"'
    assert phrase("…") is None
