"""Words as a Neo4j server indexes them, questions as Lucene reads them, and rows as they are sent: by hand."""

import pytest

from kgmem.store.neo4j.rows import portions
from kgmem.store.neo4j.words import FACT_FIELDS, PASSAGE_FIELDS, indexed, joined, phrase_query, query


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("!? --", ""),
        ("Château: directing, WORKS", "chateau direct work"),
        ("Hà Nội", "ha noi"),
        ("页面路", "页 页面 面 面路 路"),
        ("a_b-c.d", "a b c d"),
        ('NEAR(x) AND "y" OR z*', "near x and y or z"),
    ],
)
def test_words_of_a_text(text, expected):
    assert indexed(text) == expected


def test_a_question_asks_for_its_words_in_a_row_and_for_each():
    assert query("the Red doors", PASSAGE_FIELDS, live=True) == (
        '+(words:"the red door"^1.0 words:"red"^1.0 words:"door"^1.0) +state:live^0'
    )
    assert query("door", {"name_words": 2.0, "alias_words": 1.0}, live=False) == (
        '+(name_words:"door"^2.0 alias_words:"door"^1.0)'
    )
    assert query("?!", FACT_FIELDS, live=True) is None


def test_nothing_of_lucenes_language_gets_through():
    asked = query('a:b" OR *:* ~2 ^9 [x TO y] \\ /re/ && !z', FACT_FIELDS, live=False)
    assert set(asked) <= set('+():"^ ._0123456789abcdefghijklmnopqrstuvwxyz')


def test_a_phrase_of_one_part_is_told_from_one_across_parts():
    assert joined("a b", "c", "d") == "a b ¶ c ¶ d"
    assert phrase_query("Mira's doors") == ('+words:"mira s door" +state:live^0', "mira s door")
    assert phrase_query("🦊") is None


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (9, [{"a": [1, 2, 3], "c": [4, 5]}]),
        (3, [{"a": [1, 2, 3]}, {"c": [4, 5]}]),
        (2, [{"a": [1, 2]}, {"a": [3], "c": [4]}, {"c": [5]}]),
        (5, [{"a": [1, 2, 3], "c": [4, 5]}]),
    ],
)
def test_very_many_rows_are_sent_in_portions_that_keep_their_order(most, expected):
    assert list(portions("abc", {"c": [4, 5], "a": [1, 2, 3]}, most)) == expected


def test_no_rows_are_no_portion():
    assert list(portions("abc", {"d": [1]}, 5)) == []
