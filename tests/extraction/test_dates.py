"""Expected intervals were worked out by hand against a calendar; the anchor is Wednesday, 15 May 2024."""

from __future__ import annotations

from datetime import date

import pytest

from kgmem.extraction.dates import Expression, find_dates, read_period
from kgmem.model import Basis, Period

ANCHOR = date(2024, 5, 15)

ABSOLUTE = [
    ("2015", "2015", "2015"),
    ("0360", "0360", "0360"),
    ("2015-03", "2015-03", "2015-03"),
    ("2015-03-07", "2015-03-07", "2015-03-07"),
    ("2015-03-07T10:00:00+02:00", "2015-03-07T08:00:00Z", "2015-03-07T08:00:00Z"),
    ("2015-03-07 10:00", "2015-03-07T10:00:00Z", "2015-03-07T10:00:00Z"),
    ("20240115", "2024-01-15", "2024-01-15"),
    ("2023-W12", "2023-03-20", "2023-03-26"),
    ("2023-W12-3", "2023-03-22", "2023-03-22"),
    ("2021/03/05", "2021-03-05", "2021-03-05"),
    ("13/5/2021", "2021-05-13", "2021-05-13"),
    ("5/13/2021", "2021-05-13", "2021-05-13"),
    ("03/03/2021", "2021-03-03", "2021-03-03"),
    ("15.01.2024", "2024-01-15", "2024-01-15"),
    ("April 2023", "2023-04", "2023-04"),
    ("in April 2023", "2023-04", "2023-04"),
    ("april, 2023", "2023-04", "2023-04"),
    ("Sept. 2021", "2021-09", "2021-09"),
    ("may 2024", "2024-05", "2024-05"),
    ("December 0001", "0001-12", "0001-12"),
    ("3 May 2021", "2021-05-03", "2021-05-03"),
    ("3rd of May, 2021", "2021-05-03", "2021-05-03"),
    ("the third of May 2021", "2021-05-03", "2021-05-03"),
    ("May 3, 2021", "2021-05-03", "2021-05-03"),
    ("May the 3rd, 2021", "2021-05-03", "2021-05-03"),
    ("03-Mar-2021", "2021-03-03", "2021-03-03"),
    ("Monday, 3 May 2021", "2021-05-03", "2021-05-03"),
    ("Mon, May 3rd 2021", "2021-05-03", "2021-05-03"),
    ("at 10:30 on 3 May 2021", "2021-05-03", "2021-05-03"),
    ("3 May 2021 at 10:30 pm", "2021-05-03", "2021-05-03"),
    ("the morning of 3 May 2021", "2021-05-03", "2021-05-03"),
    ("29 February 2020", "2020-02-29", "2020-02-29"),
    ("14 July 1789", "1789-07-14", "1789-07-14"),
    ("in 1789", "1789", "1789"),
    ("the year 2150", "2150", "2150"),
    ("AD 476", "0476", "0476"),
    ("476 AD", "0476", "0476"),
    ("Q3 2023", "2023-07", "2023-09"),
    ("2023 Q3", "2023-07", "2023-09"),
    ("the third quarter of 2023", "2023-07", "2023-09"),
    ("the first half of 2023", "2023-01", "2023-06"),
    ("H2 2023", "2023-07", "2023-12"),
    ("summer 2019", "2019-06", "2019-08"),
    ("the summer of 2019", "2019-06", "2019-08"),
    ("Fall 2019", "2019-09", "2019-11"),
    ("winter 2019", "2019-12", "2020-02"),
    ("the winter of 2019/20", "2019-12", "2020-02"),
    ("early 2019", "2019-01", "2019-04"),
    ("mid-2019", "2019-05", "2019-08"),
    ("late 2019", "2019-09", "2019-12"),
    ("early May 2021", "2021-05-01", "2021-05-10"),
    ("mid-May 2021", "2021-05-11", "2021-05-20"),
    ("late February 2021", "2021-02-21", "2021-02-28"),
    ("late summer 2019", "2019-08", "2019-08"),
    ("the beginning of 2020", "2020-01", "2020-01"),
    ("the end of 2020", "2020-12", "2020-12"),
    ("the end of March 2021", "2021-03-21", "2021-03-31"),
    ("the 1990s", "1990", "1999"),
    ("the 90s", "1990", "1999"),
    ("the 1800s", "1800", "1899"),
    ("the '90s", "1990", "1999"),
    ("the nineties", "1990", "1999"),
    ("the early 1990s", "1990", "1993"),
    ("the mid-1990s", "1994", "1996"),
    ("the 19th century", "1801", "1900"),
    ("the twenty-first century", "2001", "2100"),
    ("Christmas 2020", "2020-12-25", "2020-12-25"),
    ("New Year's Eve 2020", "2020-12-31", "2020-12-31"),
    ("Easter 2021", "2021-04-04", "2021-04-04"),
    ("Good Friday 2021", "2021-04-02", "2021-04-02"),
    ("the week of 5 May 2021", "2021-05-03", "2021-05-09"),
    ("the weekend of 5 May 2021", "2021-05-08", "2021-05-09"),
    ("the first Monday of May 2021", "2021-05-03", "2021-05-03"),
    ("last Friday in June 2020", "2020-06-26", "2020-06-26"),
    ("the second week of May 2021", "2021-05-08", "2021-05-14"),
    ("between March and May 2021", "2021-03", "2021-05"),
    ("from 2015 to 2018", "2015", "2018"),
    ("2015-2018", "2015", "2018"),
    ("2015 – 2018", "2015", "2018"),
    ("2019–21", "2019", "2021"),
    ("March–May 2021", "2021-03", "2021-05"),
    ("from November to February 2021", "2020-11", "2021-02"),
    ("from November 2020 to February", "2020-11", "2021-02"),
    ("3–5 May 2021", "2021-05-03", "2021-05-05"),
    ("May 3-5, 2021", "2021-05-03", "2021-05-05"),
    ("from the 3rd to the 5th of May 2021", "2021-05-03", "2021-05-05"),
    ("20 March to 3 April 2021", "2021-03-20", "2021-04-03"),
    ("from the beginning of 2020 until mid-2021", "2020-01", "2021-08"),
    ("since 2021", "2021", None),
    ("since May 2021", "2021-05", None),
    ("from 2021 onwards", "2021", None),
    ("starting in March 2021", "2021-03", None),
    ("from 2019 to present", "2019", None),
    ("from 2019 until now", "2019", None),
    ("2015 – today", "2015", None),
    ("after 3 May 2021", "2021-05-04", None),
    ("after 2019", "2020", None),
    ("until 2020", None, "2020"),
    ("until the end of 2020", None, "2020-12"),
    ("before 2019", None, "2018"),
    ("before March 2021", None, "2021-02"),
]

RELATIVE = [
    ("today", "2024-05-15", "2024-05-15"),
    ("now", "2024-05-15", "2024-05-15"),
    ("tonight", "2024-05-15", "2024-05-15"),
    ("this morning", "2024-05-15", "2024-05-15"),
    ("yesterday", "2024-05-14", "2024-05-14"),
    ("yesterday evening", "2024-05-14", "2024-05-14"),
    ("last night", "2024-05-14", "2024-05-14"),
    ("tomorrow", "2024-05-16", "2024-05-16"),
    ("the day before yesterday", "2024-05-13", "2024-05-13"),
    ("the day after tomorrow", "2024-05-17", "2024-05-17"),
    ("3 days ago", "2024-05-12", "2024-05-12"),
    ("two weeks ago", "2024-04-29", "2024-05-05"),
    ("three months ago", "2024-02", "2024-02"),
    ("three years ago", "2021", "2021"),
    ("two decades ago", "2000", "2009"),
    ("a year ago today", "2023-05-15", "2023-05-15"),
    ("a few days ago", "2024-05-10", "2024-05-13"),
    ("a couple of weeks ago", "2024-04-22", "2024-05-12"),
    ("in 3 days", "2024-05-18", "2024-05-18"),
    ("in two weeks' time", "2024-05-27", "2024-06-02"),
    ("a week from now", "2024-05-20", "2024-05-26"),
    ("last week", "2024-05-06", "2024-05-12"),
    ("this week", "2024-05-13", "2024-05-19"),
    ("next week", "2024-05-20", "2024-05-26"),
    ("last weekend", "2024-05-11", "2024-05-12"),
    ("this weekend", "2024-05-18", "2024-05-19"),
    ("last month", "2024-04", "2024-04"),
    ("last quarter", "2024-01", "2024-03"),
    ("last year", "2023", "2023"),
    ("next year", "2025", "2025"),
    ("late last year", "2023-09", "2023-12"),
    ("the end of the year", "2024-12", "2024-12"),
    ("the last three weeks", "2024-04-24", "2024-05-15"),
    ("the past few months", "2023-12", "2024-05-15"),
    ("June 11-12th", "2023-06-11", "2023-06-12"),
    ("the past year", "2023-05-15", "2024-05-15"),
    ("the next 10 days", "2024-05-15", "2024-05-25"),
    ("Monday", "2024-05-13", "2024-05-13"),
    ("on Wednesday", "2024-05-15", "2024-05-15"),
    ("Thursday", "2024-05-09", "2024-05-09"),
    ("last Wednesday", "2024-05-08", "2024-05-08"),
    ("next Wednesday", "2024-05-22", "2024-05-22"),
    ("this coming Friday", "2024-05-17", "2024-05-17"),
    ("Monday of last week", "2024-05-06", "2024-05-06"),
    ("Friday the 13th", "2023-10-13", "2023-10-13"),
    ("on the 5th", "2024-05-05", "2024-05-05"),
    ("on the 31st", "2024-03-31", "2024-03-31"),
    ("the 5th of last month", "2024-04-05", "2024-04-05"),
    ("in May", "2024-05", "2024-05"),
    ("in June", "2023-06", "2023-06"),
    ("last March", "2024-03", "2024-03"),
    ("last May", "2023-05", "2023-05"),
    ("next May", "2025-05", "2025-05"),
    ("on 15 May", "2024-05-15", "2024-05-15"),
    ("on 16 May", "2023-05-16", "2023-05-16"),
    ("May of last year", "2023-05", "2023-05"),
    ("29 February", "2024-02-29", "2024-02-29"),
    ("in the summer", "2023-06", "2023-08"),
    ("last summer", "2023-06", "2023-08"),
    ("next summer", "2024-06", "2024-08"),
    ("last winter", "2023-12", "2024-02"),
    ("last Christmas", "2023-12-25", "2023-12-25"),
    ("from Monday to Friday", "2024-05-06", "2024-05-10"),
    ("from March to May", "2024-03", "2024-05"),
    ("since last summer", "2023-06", None),
    ("since yesterday", "2024-05-14", None),
    ("until last Friday", None, "2024-05-10"),
]


def ends(period: Period | None) -> tuple[str | None, str | None]:
    assert period is not None
    return period.start.shown, period.end.shown


@pytest.mark.parametrize(("text", "start", "end"), ABSOLUTE)
def test_absolute(text, start, end):
    assert ends(read_period(text)) == (start, end)


@pytest.mark.parametrize(("text", "start", "end"), RELATIVE)
def test_relative(text, start, end):
    assert ends(read_period(text, ANCHOR)) == (start, end)


@pytest.mark.parametrize("text", [text for text, *_ in RELATIVE])
def test_relative_words_mean_nothing_without_an_anchor(text):
    assert read_period(text) is None
    assert find_dates(f"We met {text}.", None) == ()


def test_every_known_bound_is_stated():
    period = read_period("from 2015 to 2018")
    assert period is not None
    assert (period.start.basis, period.end.basis) == (Basis.STATED, Basis.STATED)
    since = read_period("since 2015")
    assert since is not None
    assert since.end == Period().end


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("in April 2023", "point"),
        ("yesterday", "point"),
        ("Q3 2023", "range"),
        ("from 2015 to 2018", "range"),
        ("since 2021", "since"),
        ("from 2019 to present", "since"),
        ("until 2020", "until"),
        ("before 2020", "until"),
    ],
)
def test_kinds(text, kind):
    (found,) = find_dates(text, ANCHOR)
    assert found.kind == kind


def test_an_inverted_range_stays_inverted():
    period = read_period("from 2021 to 2019")
    assert period is not None
    assert ends(period) == ("2021", "2019")
    assert period.empty


def test_spans_and_order_in_a_sentence():
    text = "Mira moved in April 2023, after five years (2015–2018) away; yesterday's talk was on 3 May."
    assert [found.text for found in find_dates(text, ANCHOR)] == ["in April 2023", "2015–2018", "yesterday", "on 3 May"]


def test_code_points_not_bytes():
    (found,) = find_dates("Zoë 🤝 Ján, 3 May 2021", None)
    assert found == Expression(11, 21, "3 May 2021", found.period, "point")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in March and April 2021", [("2021-03", "2021-03"), ("2021-04", "2021-04")]),
        ("in November or January 2021", [("2020-11", "2020-11"), ("2021-01", "2021-01")]),
        ("in 2019, 2020 and 2021", [("2019", "2019"), ("2020", "2020"), ("2021", "2021")]),
        ("in May, June and July 2021", [("2021-05", "2021-05"), ("2021-06", "2021-06"), ("2021-07", "2021-07")]),
        ("two years ago, in March", [("2022", "2022"), ("2022-03", "2022-03")]),
        ("in 2019, in the summer", [("2019", "2019"), ("2019-06", "2019-08")]),
        ("born 1815", [("1815", "1815")]),
        ("a letter from 2019", [("2019", "2019")]),
        ("I may go in May.", [("2024-05", "2024-05")]),
        ("met on Sat. and 2024-05-01 10:00-11:00", [("2024-05-11", "2024-05-11"), ("2024-05-01", "2024-05-01")]),
        ("finished [[2024-03-05]] at last", [("2024-03-05", "2024-03-05")]),
        ("in April\n2023 it rained", [("2023-04", "2023-04")]),
        ("- in April\n- 2023 things", [("2024-04", "2024-04")]),
        ("MAY 2021, JUNE 3RD 2021", [("2021-05", "2021-05"), ("2021-06-03", "2021-06-03")]),
        ("after yesterday's meeting", [("2024-05-14", "2024-05-14")]),
        ("by 2020 he ran it", [("2020", "2020")]),
    ],
)
def test_in_prose(text, expected):
    assert [ends(found.period) for found in find_dates(text, ANCHOR)] == expected


@pytest.mark.parametrize(
    "text", ["", "   ", "in", "since", "from 2019 to", "2019 and more", "May 3rd with Jon", "(2015)"]
)
def test_the_whole_text_must_be_a_date(text):
    assert read_period(text, ANCHOR) is None


def test_the_edges_of_the_calendar():
    assert find_dates("tomorrow and next year", date.max) == ()
    assert find_dates("yesterday and 3 days ago", date.min) == ()
    assert read_period("after 9999") is None
    assert ends(read_period("9999-12-31")) == ("9999-12-31", "9999-12-31")
