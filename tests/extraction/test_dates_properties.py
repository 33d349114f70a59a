from __future__ import annotations

import pytest

from kgmem.extraction.dates import split_dated


@pytest.mark.parametrize(
    ("text", "value", "start", "end"),
    [
        ("[[Acme]] (2019-03 – 2021-06)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (2019-03-2021-06)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (2019-03 - 2021-06)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (2019-03—2021-06)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (2019-03 to 2021-06)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (2019-03 .. 2021-06)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (from 2019 to 2021)", "[[Acme]]", "2019", "2021"),
        ("[[Acme]] (2019-2021)", "[[Acme]]", "2019", "2021"),
        ("[[Acme]] (2019-03-01 – 2021)", "[[Acme]]", "2019-03-01", "2021"),
        ("[[Acme]] (Mar 2019 – Jun 2021)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (3 May 2019 – June 5, 2021)", "[[Acme]]", "2019-05-03", "2021-06-05"),
        ("[[Acme]] (since 2021)", "[[Acme]]", "2021", None),
        ("[[Acme]] (Since May 2021)", "[[Acme]]", "2021-05", None),
        ("[[Acme]] (from 2021)", "[[Acme]]", "2021", None),
        ("[[Acme]] (2015 – present)", "[[Acme]]", "2015", None),
        ("[[Acme]] (2015-now)", "[[Acme]]", "2015", None),
        ("[[Acme]] (Mar 2019-Jun 2021)", "[[Acme]]", "2019-03", "2021-06"),
        ("[[Acme]] (03-Mar-2019 – 2021)", "[[Acme]]", "2019-03-03", "2021"),
        ("[[Acme]] (2015 - now)", "[[Acme]]", "2015", None),
        ("[[Acme]] (until 2020)", "[[Acme]]", None, "2020"),
        ("[[Acme]] (since spring 2019)", "[[Acme]]", "2019-03", None),
        ("[[Acme]] (until mid-2020)", "[[Acme]]", None, "2020-08"),
        ("[[Acme]] (since mid-2020)", "[[Acme]]", "2020-05", None),
        ("[[Acme]] (until the end of 2019)", "[[Acme]]", None, "2019-12"),
        ("[[Acme]] (spring 2019 – mid 2020)", "[[Acme]]", "2019-03", "2020-08"),
        ("[[Acme]] (from Q3 2019 to 2021)", "[[Acme]]", "2019-07", "2021"),
        ("[[Acme]] (2015)", "[[Acme]]", "2015", "2015"),
        ("[[Acme]] (0360)", "[[Acme]]", "0360", "0360"),
        ("Acme (Paris) (2015)  ", "Acme (Paris)", "2015", "2015"),
        ("3 (2015)", "3", "2015", "2015"),
    ],
)
def test_a_value_may_end_in_a_period(text, value, start, end):
    found, period = split_dated(text)
    assert found == value
    assert (period and period.start.shown, period and period.end.shown) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[[Acme]]",
        "Acme (Paris)",
        "Acme (2019-02-30)",
        "Acme (2019-13 – 2020)",
        "Acme (0000)",
        "Acme (summer 2019)",
        "Acme (last year)",
        "Acme (May)",
        "Acme (v2015)",
        "Acme (2015, 2017)",
        "Acme (until yesterday)",
        "Acme (since forever)",
        "Acme (5-3-2021 – 6-3-2021)",
        "Acme (2015 – 2017 – 2019)",
        "Acme (until 2015 – 2017)",
        "Acme (2015-03-07T10:00:00Z)",
        "Acme 2015)",
        "Acme (2015) Ltd",
        "(2015)",
        "()",
        "Acme (since)",
        "Acme (12015)",
    ],
)
def test_anything_else_in_parentheses_belongs_to_the_value(text):
    assert split_dated(text) == (text, None)


def test_an_inverted_period_is_given_as_it_stands():
    value, period = split_dated("[[Acme]] (2021 – 2019)")
    assert value == "[[Acme]]"
    assert period is not None
    assert period.empty
