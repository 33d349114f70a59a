"""What looks like a date and is none that can be read."""

from __future__ import annotations

from datetime import date

import pytest

from kgmem.extraction.dates import find_dates, read_dates


def unread(text):
    return [text[start:end] for start, end in read_dates(text, date(2024, 1, 8)).unread]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("joined on 03/04/2019", "on 03/04/2019"),
        ("joined on 5-3-2021.", "5-3-2021"),
        ("since 1.5.2020", "since 1.5.2020"),
        ("on 1. 5. 2020", "1. 5. 2020"),
        ("in '98", "'98"),
        ("in the 20s", "20s"),
        ("on 2021-02-30", "on 2021-02-30"),
        ("on 30 February 2021", "on 30 February 2021"),
        ("since 05/2020", "05/2020"),
    ],
)
def test_digits_that_say_when_and_cannot_be_read(text, expected):
    assert unread(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "in May 2019",
        "on 2019-03-04 and 13/04/2019",
        "1984 pages in 2000 words",
        "Python 3.11.14",
        "for 2,000 people",
        "by Friday",
        "rock 'n' roll",
        "the score was 5-3",
        "2019/20",
    ],
)
def test_what_is_a_date_or_nothing_like_one(text):
    assert unread(text) == []


def test_a_numbered_week_is_a_week():
    (found,) = find_dates("in week 12 of 2020", None)
    assert (found.period.start.shown, found.period.end.shown) == ("2020-03-16", "2020-03-22")
    assert find_dates("in week 54 of 2020", None) == ()
    assert find_dates("week 3 of the course", None) == ()


@pytest.mark.parametrize(
    ("text", "joined"),
    [("from 2015 to 2018", True), ("2015–2018", True), ("in the nineties", False), ("in summer 2018", False)],
)
def test_a_range_tells_whether_both_of_its_ends_are_named(text, joined):
    (found,) = find_dates(f"({text})", None)
    assert (found.kind, found.joined) == ("range", joined)
