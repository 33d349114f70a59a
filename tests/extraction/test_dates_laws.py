from __future__ import annotations

from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from kgmem.extraction.dates import find_dates, read_period, split_dated
from kgmem.model import Moment

WORDS = """
the in on at by of and to from between since until before after early mid late end last this next past coming
May may March april Monday fri summer winter quarter Q3 Christmas week year years days ago couple a few two 3
31 2019 2020 0000 9999 1990s 90s 3rd 30th 29 February 2024-02-30 2024-05-01 3/5/2021 13/5/2021 10:30 pm ( ) -
– , . ' 's yesterday today now century night new day AD BC
"""
PIECES = st.sampled_from(WORDS.split())
NEAR_DATES = st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n", "  "])), max_size=12).map(
    lambda pieces: "".join(piece + gap for piece, gap in pieces)
)
TEXTS = NEAR_DATES | st.text(max_size=80)
ANCHORS = st.none() | st.dates()


@given(TEXTS, ANCHORS)
def test_any_text_gives_ordered_spans_that_slice_back(text, anchor):
    end = 0
    for found in find_dates(text, anchor):
        assert end <= found.start < found.end <= len(text)
        assert text[found.start : found.end] == found.text
        end = found.end


@given(TEXTS, ANCHORS)
def test_a_kind_says_which_bounds_are_known(text, anchor):
    for found in find_dates(text, anchor):
        start, stop = found.period.start.moment, found.period.end.moment
        assert (start is not None, stop is not None) == (found.kind != "until", found.kind != "since")
        if found.kind == "point":
            assert start == stop


@given(TEXTS, ANCHORS)
def test_any_text_may_be_asked_for(text, anchor):
    read_period(text, anchor)
    value, period = split_dated(text)
    assert (value == text) if period is None else text.startswith(value)


@given(TEXTS, st.dates(), st.dates())
def test_what_needs_no_anchor_does_not_move_with_it(text, one, other):
    period = read_period(text)
    if period is not None:
        assert read_period(text, one) == read_period(text, other) == period


@given(TEXTS)
def test_the_words_of_an_expression_say_the_same_alone(text):
    for found in find_dates(text, None):
        alone = read_period(found.text)
        assert alone is None or alone == found.period


def moments() -> st.SearchStrategy[Moment]:
    days = st.dates()
    return st.one_of(
        days.map(lambda day: Moment.year(day.year)),
        days.map(lambda day: Moment.month(day.year, day.month)),
        days.map(Moment.day),
        st.datetimes(min_value=datetime(1, 1, 1), timezones=st.just(UTC)).map(Moment.instant),  # noqa: DTZ001
    )


@given(moments())
def test_a_moment_as_text_reads_back(moment):
    period = read_period(str(moment))
    assert period is not None
    assert period.start.moment == period.end.moment == moment


@given(st.dates(), st.dates())
def test_two_days_with_a_dash_read_back_as_a_dated_property(first, last):
    _, period = split_dated(f"x ({first.isoformat()} – {last.isoformat()})")
    assert period is not None
    assert (period.start.moment, period.end.moment) == (Moment.day(first), Moment.day(last))


@given(st.dates(), st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 12, 31)))
def test_written_days_read_back(day, anchor):
    for text in (f"{day:%d %B} {day.year:04}", f"{day:%B} {day.day}, {day.year:04}"):
        period = read_period(text, anchor)
        assert period is not None
        assert period.start.moment == period.end.moment == Moment.day(day)
