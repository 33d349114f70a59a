"""Points, ranges and open periods: the top of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Final, Literal, NamedTuple

from kgmem.extraction.dates import absolute, spans, words
from kgmem.extraction.dates.points import STARTS as POINT_STARTS
from kgmem.extraction.dates.points import calendar_date, point
from kgmem.extraction.dates.reader import Found, Needs, Reader
from kgmem.extraction.dates.spans import Span
from kgmem.model import Basis, Bound, Period, Precision

Kind = Literal["point", "range", "since", "until"]

_TIME_WORDS: Final = frozenset({"in", "during", "throughout", "by", "around", "circa", "within", "over", "as"})
_PREPOSITIONS: Final = _TIME_WORDS | {"on", "at", "for"}
_AMOUNTS: Final = frozenset({"by", "around", "over", "within"})
"""These also stand before amounts, so that a round number after them is no year."""
_DEADLINES: Final = frozenset({"by", "before", "after", "within"})
"""These may look ahead, so that "by Friday" is not dated back to last Friday."""
_SINCE: Final = frozenset({"since", "starting", "beginning"})
_UNTIL: Final = frozenset({"until", "till", "til", "through"})
_TO: Final = frozenset({"to", "until", "till", "til", "through", "thru"})
_DAY_STARTS: Final = frozenset({"the", "#number", "#ordinal", *words.MONTHS})
_BEGINNINGS: Final = frozenset({"born", "died", "founded", "established", "est"})
"""After these, a bare year is a year: "born 1815"."""
_DASHES: Final = "-–—"
_LONGEST_LIST: Final = 12
_ONWARDS: Final = frozenset({"on", "onward", "onwards", "forward"})


class Reading(NamedTuple):
    """An expression in a text, in tokens; without a period it names a date that does not exist."""

    start: int
    end: int
    kind: Kind
    period: Period | None
    joined: bool = False
    """Both ends are named."""


class _Ends(NamedTuple):
    end: int
    first: Span
    last: Span | None
    """None for a period that has not ended."""


def read(reader: Reader, at: int, *, listed: bool = False) -> Reading | None:
    """The expression that starts at a token.

    Args:
        reader: the text.
        at: the index of the token.
        listed: a date stands just before, and only "," or "and" between: "in 2019 and 2020".
    """
    word = reader.word(at)
    handler = _HANDLERS.get(word)
    if handler:
        return handler(reader, at)
    counted = point(reader, at) if word == "in" else None  # "in two weeks' time"
    if counted and not counted.needs:
        return _settle(reader, at, counted)
    return _after_preposition(reader, at) if word in _PREPOSITIONS else _bare(reader, at, listed=listed)


def _since(reader: Reader, at: int) -> Reading | None:
    begin = at + 1 if reader.word(at) == "since" else reader.skip(at + 1, "in", "on", "from")
    found = _range_or_point(reader, begin, _TO, loose=True)
    if isinstance(found, _Ends):
        return _ranged(at, found)
    # "starting 2000 people"
    if not found or (begin == at + 1 and reader.word(at) != "since" and found.needs):
        return None
    return _open_end(reader, at, found)


def _open_end(reader: Reader, at: int, found: Found) -> Reading | None:
    span = _resolve(found, reader.anchor)
    if span is None and found.yearly and reader.anchor is None:
        return None
    return Reading(at, found.end, "since", span and Period(start=Bound(span.first, Basis.STATED)))


def _until(reader: Reader, at: int) -> Reading | None:
    found = point(reader, at + 1)
    if not found or (found.yearly and reader.anchor is None):
        return None
    span = _resolve(found, reader.anchor)
    return Reading(at, found.end, "until", span and Period(end=Bound(span.last, Basis.STATED)))


def _beside(reader: Reader, at: int) -> Reading | None:
    """Read "before 2019" (it ends with 2018), "after May 2021" (it starts with June), "after yesterday's talk"."""
    found = point(reader, at + 1)
    if not found or found.yearly or found.partial:
        return None
    if reader.kind(found.end) == "possessive" or not found.span:
        return _settle(reader, at + 1, found)
    try:
        if reader.word(at) == "before":
            end = Bound(spans.beside(found.span.first, -1), Basis.STATED)
            return Reading(at, found.end, "until", Period(end=end))
        start = Bound(spans.beside(found.span.last, 1), Basis.STATED)
    except (ValueError, OverflowError):
        return Reading(at, found.end, "point", None)
    return Reading(at, found.end, "since", Period(start=start))


def _from(reader: Reader, at: int) -> Reading | None:
    """Read "from March to May 2021", "between 2015 and 2018", "from 2019 on"; "a letter from 2019" is a point."""
    between = reader.word(at) == "between"
    found = _range_or_point(reader, at + 1, frozenset({"and"}) if between else _TO, loose=True)
    if isinstance(found, _Ends):
        return _ranged(at, found)
    if not found or between:
        return None
    if reader.word(found.end) in _ONWARDS:
        return _open_end(reader, at, replace(found, end=found.end + 1))
    # "from 1000 to 1500 users" counts
    return None if found.needs and reader.word(found.end) in _TO else _settle(reader, at + 1, found)


def _after_preposition(reader: Reader, at: int) -> Reading | None:
    word = reader.word(at)
    begin = at + 2 if reader.words(at, "as", "of") else at + 1
    found = _range_or_point(reader, begin, frozenset(), loose=word in _TIME_WORDS)
    if isinstance(found, _Ends):
        return _ranged(at, found)
    if not found or (word == "as" and begin == at + 1):
        return None
    if found.needs is Needs.TIME_WORD and word not in _TIME_WORDS:
        return None
    if word in _AMOUNTS and found.needs is Needs.TIME_WORD and (reader.year(begin) or 1) % 100 == 0:
        return None
    if word in _DEADLINES and (found.partial or (found.yearly and not reader.whole)):
        return Reading(at, found.end, "point", None)
    return _settle(reader, at, found)


def _bare(reader: Reader, at: int, *, listed: bool) -> Reading | None:
    found = _range_or_point(reader, at, _TO, loose=reader.whole)
    if isinstance(found, _Ends):
        return _ranged(at, found)
    if not found:
        return None
    enclosed = reader.mark(at - 1, "(") and reader.mark(found.end, ")")
    if found.needs and not (reader.whole or listed or enclosed or reader.word(at - 1) in _BEGINNINGS):
        return None
    return _settle(reader, at, found)


def _settle(reader: Reader, at: int, found: Found) -> Reading | None:
    """A point, in the year that a date just after it names: "in March and April 2021"."""
    later = _later_in_list(reader, found) if found.yearly else None
    if found.yearly and later:
        span = spans.latest(found.yearly, spans.day_of(later.first.first))
    else:
        span = _resolve(found, reader.anchor)
    if found.yearly and reader.anchor is None and span is None:
        return None
    point_like = span is None or span.first == span.last
    return Reading(at, found.end, "point" if point_like else "range", span and span.period)


def _later_in_list(reader: Reader, found: Found) -> Span | None:
    """The first date with a year in the list that goes on after one without."""
    for _ in range(_LONGEST_LIST):
        if reader.word(found.end) not in {"and", "or"} and not reader.mark(found.end, ","):
            return None
        begin = reader.skip(reader.skip(found.end + 1, "and", "or"), "in", "on", "the")
        later = calendar_date(reader, begin)
        if not later or not later.yearly:
            span = later.span if later else None
            return None if span is None or span.first.precision is Precision.YEAR else span
        found = later
    return None


def _resolve(found: Found, anchor: date | None) -> Span | None:
    if found.yearly:
        return spans.latest(found.yearly, anchor) if anchor else None
    return found.span


def _ranged(at: int, ends: _Ends) -> Reading:
    start = Bound(ends.first.first, Basis.STATED)
    if ends.last is None:
        return Reading(at, ends.end, "since", Period(start=start))
    return Reading(at, ends.end, "range", Period(start, Bound(ends.last.last, Basis.STATED)), joined=True)


def _range_or_point(reader: Reader, at: int, joins: frozenset[str], *, loose: bool) -> _Ends | Found | None:
    """Two dates with a word of `joins` or a dash between them, or else the date that is there.

    Args:
        reader: the text.
        at: the index of the first date.
        joins: the words that may stand between.
        loose: what stands before says that dates follow, so that "2015 to 2018" cannot be a number of things.
    """
    days = _days_of_month(reader, at, joins)
    if days:
        span = _resolve(days, reader.anchor)
        return _Ends(days.end, span, span) if span else None
    first = point(reader, at)
    if not first:
        return None
    if not reader.mark(first.end, _DASHES) and reader.word(first.end) not in joins:
        return first
    return _second(reader, at, first, loose=loose) or first


def _second(reader: Reader, at: int, first: Found, *, loose: bool) -> _Ends | Found | None:
    dash = reader.mark(first.end, _DASHES)
    begin = reader.skip(first.end + 1, "the")
    if reader.word(begin) in words.OPEN_ENDS and (loose or not first.needs or dash):
        span = _resolve(first, reader.anchor)
        return _Ends(begin + 1, span, None) if span else None
    last = point(reader, begin)
    if last and first.partial and last.partial and not loose:
        return Found(last.end)  # "Monday to Friday" tells a habit
    if not last or not _may_join(reader, at, first, last, dash=dash, loose=loose):
        return None
    return _join(reader, first, last)


def _days_of_month(reader: Reader, at: int, joins: frozenset[str]) -> Found | None:
    """Read "3–5 May 2021", "from the 3rd to the 5th of May", "May 3-5, 2021"."""
    if reader.token(at).key not in _DAY_STARTS:
        return None
    before = absolute.month_name(reader, at)
    first = absolute.day_number(reader, reader.skip(before.end if before else at, "the"))
    if not first or not (reader.mark(first[0], _DASHES) or reader.word(first[0]) in joins):
        return None
    second = absolute.day_number(reader, reader.skip(first[0] + 1, "the"))
    month = before or (absolute.month_name(reader, reader.skip(second[0], "of")) if second else None)
    if not second or not month or (before and reader.mark(second[0], _DASHES)):
        return None
    low, high = first[1], second[1]
    end = second[0] if before else month.end
    found = absolute.dated(
        reader, end, lambda year: spans.days(date(year, month.number, low), date(year, month.number, high))
    )
    return found if month.sure or found.span else None


def _may_join(reader: Reader, at: int, first: Found, last: Found, *, dash: bool, loose: bool) -> bool:
    if loose or (dash and first.needs and last.needs and _two_years(reader, at, first, last)):
        return not (first.needs and last.partial)
    return not last.needs


def _two_years(reader: Reader, at: int, first: Found, last: Found) -> bool:
    """Whether "1998-2003" stands alone, not in a row of numbers and not after "pp."."""
    before = at - 1 if not reader.mark(at - 1, ".") else at - 2
    alone = not (
        reader.mark(at - 1, _DASHES + "+") or reader.mark(last.end, _DASHES) or reader.kind(at - 1) == "number"
    )
    return (
        alone
        and reader.word(before) not in words.BEFORE_OTHER_NUMBERS
        and all(found.span is not None and found.span.first.precision is Precision.YEAR for found in (first, last))
    )


def _join(reader: Reader, first: Found, last: Found) -> _Ends | None:
    """Both ends with their years: each may take its own from the other, "from November to February 2021"."""
    start, stop = first.span, last.span
    if stop is None and start is not None and last.yearly and not first.partial:
        stop = spans.earliest(last.yearly, spans.day_of(start.first.first))
    stop = stop or _resolve(last, reader.anchor)
    if stop is not None and start is None and first.yearly:
        start = spans.latest(first.yearly, spans.day_of(stop.first.first))
    if start is None or stop is None:
        return None
    if first.partial and last.partial and start.first.first > stop.last.past:
        # The nearest Monday lies after the nearest Friday: the Monday of that Friday's week is meant.
        start = spans.day(spans.day_of(start.first.first) - timedelta(weeks=1))
    return _Ends(last.end, start, stop)


_HANDLERS: Final[dict[str, Callable[[Reader, int], Reading | None]]] = {
    **dict.fromkeys(_SINCE, _since),
    **dict.fromkeys(_UNTIL, _until),
    **dict.fromkeys(("before", "after"), _beside),
    **dict.fromkeys(("from", "between"), _from),
}

STARTS: Final = POINT_STARTS | _PREPOSITIONS | frozenset(_HANDLERS)
"""The keys of every token that an expression may begin with: the others need no look."""
