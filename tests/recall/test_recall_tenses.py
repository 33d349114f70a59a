"""What is over is not told as present, and what was at another time is no answer for the time asked about."""

from datetime import date

import pytest

from kgmem.recall.context import Item
from kgmem.recall.phrasing import carried
from kgmem.recall.tenses import asked_of

NOW = date(2026, 6, 1).toordinal() * 86_400
YEAR_2019 = tuple(date(year, 1, 1).toordinal() * 86_400 for year in (2019, 2020))


def item(kind, text, begins=0):
    return Item(kind, text, "Mira.md", 1, 1, begins=begins)


def block(then=False):
    """Lines 1 and 2 are facts of now and of 2019; 3 and 4 are passages."""
    return (
        item("past" if then else "fact", "- Mira lives in Avignon (since 2023-05). [Mira.md:15]"),
        item("fact" if then else "past", "- Mira lives in Mâcon (2015 – 2023-04). [Mira.md:14]"),
        item("passage", "[Mira.md:14] lives_in:: Mâcon (2015 – 2023-04) lives_in:: Avignon (since 2023-05)", 12),
        item("passage", "[Log.md:3] Mira lives in Avignon with a cat. In 2019 Mira sang in Dijon.", 10),
    )


def stands(sentence, question, *, dated=False):
    items = block(dated)
    asked = asked_of(items, YEAR_2019 if dated else (NOW, NOW + 1), dated=dated)
    return carried(sentence, [each.text for each in items], question, asked)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Mira lives in Avignon [1].", True),
        ("Mira lives in Avignon [1][2].", True),
        ("Mira lives in Mâcon [2].", False),
        ("Mira lives in Mâcon [1][2].", False),
        ("Mira lives in Avignon and Mâcon [1][2].", False),
        ("Mira has lived in Mâcon since 2015 [2].", False),
        ("Mira lived in Mâcon [2].", True),
        ("Mira lived in Mâcon until 2023 [2].", True),
        ("Mira lived in Mâcon, and lives in Avignon [1][2].", True),
        ("Mira lived in Mâcon, and lives in Mâcon [1][2].", False),
        ("In 2015, Mira lived in Mâcon [2].", True),
        ("In 2015, Mira lives in Mâcon [2].", False),
        ("Mira in Mâcon [2].", False),
        ("Mira lives in Mâcon, where she lived [2].", False),
        ("Mira lives in Avignon [3].", True),
        ("Mira lives in Mâcon [3].", False),
        ("Mira lived in Mâcon [3].", True),
    ],
)
def test_a_sentence_of_now_rests_on_what_holds_now(sentence, expected):
    assert stands(sentence, "where does Mira live") is expected


def test_a_name_is_no_verb():
    items = (item("past", "- Fred lives in Mâcon (2015 – 2023-04). [Fred.md:14]"),)
    asked = asked_of(items, (NOW, NOW + 1), dated=False)
    lines = [each.text for each in items]
    assert not carried("Fred lives in Mâcon [1].", lines, "where does Fred live", asked)
    assert carried("Fred lived in Mâcon [1].", lines, "where does Fred live", asked)


def test_is_married_is_present_and_was_married_past():
    items = (item("past", "- Mira is married to Bo (2010 – 2015). [Mira.md:5]"),)
    asked = asked_of(items, (NOW, NOW + 1), dated=False)
    lines = [each.text for each in items]
    assert not carried("Mira is married to Bo [1].", lines, "who is Mira married to", asked)
    assert carried("Mira was married to Bo [1].", lines, "who is Mira married to", asked)


def test_words_of_the_question_do_not_make_a_line_hold():
    assert not stands("Mira lives in Mâcon [2].", "does Mira live in Mâcon")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Mira lived in Mâcon [2].", True),
        ("Mira lives in Mâcon [3].", True),
        ("Mira lived in Avignon [1].", False),
        ("Mira lived in Avignon [3].", False),
        ("Mira sang in Dijon [4].", True),
    ],
)
def test_a_sentence_of_a_period_rests_on_what_held_in_it(sentence, expected):
    assert stands(sentence, "where did Mira live in 2019", dated=True) is expected
