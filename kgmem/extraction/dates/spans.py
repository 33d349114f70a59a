"""Stretches of the calendar, from one moment to another: pure arithmetic.

Every function raises ValueError or OverflowError where the calendar (years 1 to 9999) has no such stretch.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, NamedTuple

from kgmem.model import Basis, Bound, Moment, Period, Precision

_CUTS: Final = {7: (2, 4), 28: (10, 20), 29: (10, 20), 30: (10, 20), 31: (10, 20)}
"""Where the early and the middle part end, in days of a week or of a month."""

_LENGTHS: Final = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
"""Of units that are a number of days."""


class Span(NamedTuple):
    """From the start of `first` to the end of `last`; the same moment twice is that moment."""

    first: Moment
    last: Moment

    @property
    def period(self) -> Period:
        """The span as a period that a text states."""
        return Period(Bound(self.first, Basis.STATED), Bound(self.last, Basis.STATED))


Yearly = Callable[[int], Span]
"""A stretch of every year ("3 May", "summer"), given the year."""


def moment(at: Moment) -> Span:
    """The span of one moment."""
    return Span(at, at)


def day(of: date) -> Span:
    """One day."""
    return moment(Moment.day(of))


def days(first: date, last: date) -> Span:
    """Whole days, both included."""
    return Span(Moment.day(first), Moment.day(last))


def months(year: int, month: int, count: int = 1) -> Span:
    """That many months from this one on; a month below 1 or above 12 belongs to a neighbouring year."""
    ends = (divmod(year * 12 + month - 1 + step, 12) for step in (0, count - 1))
    return Span(*(Moment.month(at, index + 1) for at, index in ends))


def years(first: int, last: int | None = None) -> Span:
    """Whole years, both included."""
    return Span(Moment.year(first), Moment.year(first if last is None else last))


def decade(year: int) -> Span:
    """The decade that a year is in: 1990 to 1999."""
    start = year // 10 * 10
    return years(max(start, 1), start + 9)


def century(number: int) -> Span:
    """The 19th century: 1801 to 1900."""
    return years(number * 100 - 99, number * 100)


def quarter(year: int, number: int) -> Span:
    """Three months; a number below 1 or above 4 belongs to a neighbouring year."""
    return months(year, number * 3 - 2, 3)


def week(of: date) -> Span:
    """Monday to Sunday around a day, as ISO 8601 counts weeks."""
    monday = of - timedelta(days=of.weekday())
    return days(monday, monday + timedelta(days=6))


def weekend(of: date) -> Span:
    """Saturday and Sunday of the week around a day."""
    saturday = of + timedelta(days=5 - of.weekday())
    return days(saturday, saturday + timedelta(days=1))


def easter(year: int) -> Span:
    """Easter Sunday of the western churches, by the computation of Meeus, Jones and Butcher."""
    golden, (high, low) = year % 19, divmod(year, 100)
    leaps, rest = divmod(high, 4)
    moon = (19 * golden + high - leaps - (high - (high + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * rest + 2 * (low // 4) - moon - low % 4) % 7
    month, index = divmod(moon + sunday - 7 * ((golden + 11 * moon + 22 * sunday) // 451) + 114, 31)
    return day(date(year, month, index + 1))


def nth_weekday(within: Span, weekday: int, nth: int) -> Span:
    """The nth such weekday inside a span, counted from 1; -1 is the last one."""
    first, last = day_of(within.first.first), day_of(within.last.past - 1)
    if nth < 0:
        found = last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))
    if not first <= found <= last:
        raise ValueError(f"no such weekday between {first} and {last}")
    return day(found)


def nth_week(within: Span, nth: int) -> Span:
    """The nth seven days inside a span, counted from 1; -1 is the last seven."""
    first, last = day_of(within.first.first), day_of(within.last.past - 1)
    start = last - timedelta(days=6) if nth < 0 else first + timedelta(days=7 * (nth - 1))
    return days(start, min(start + timedelta(days=6), last))


def shift(anchor: date, unit: str, count: int) -> Span:
    """The calendar unit that lies `count` units after the one around a day: as exact as its unit, no more."""
    if unit == "month":
        return months(anchor.year, anchor.month + count)
    if unit == "quarter":
        return quarter(anchor.year, (anchor.month + 2) // 3 + count)
    if unit == "year":
        return years(anchor.year + count)
    if unit == "decade":
        return decade(anchor.year + 10 * count)
    around = {"day": day, "week": week, "fortnight": week, "weekend": weekend}[unit]
    return around(anchor + timedelta(days=_LENGTHS[unit] * count))


def same_day(anchor: date, unit: str, count: int) -> date:
    """The day that lies that many units after a day; the 31st of a shorter month is its last day."""
    if unit in _LENGTHS:
        return anchor + timedelta(days=_LENGTHS[unit] * count)
    size = {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
    year, index = divmod(anchor.year * 12 + anchor.month - 1 + size * count, 12)
    return date(year, index + 1, min(anchor.day, calendar.monthrange(year, index + 1)[1]))


def day_of(seconds: int) -> date:
    """The day that a world second is in."""
    return date.fromordinal(seconds // 86_400)


def part(span: Span, which: int) -> Span:
    """The early (0), middle (1) or late (2) third of a span; a day or two have no parts."""
    units = _units(span)
    size = len(units)
    if size <= 2:  # noqa: PLR2004 - a day, a weekend
        return span
    # Only days have odd cuts: "late March" is the 21st to the 31st, the end of a week is Friday to Sunday.
    is_days = units[0].precision is Precision.DAY
    one, two = _CUTS[size] if is_days and size in _CUTS else (-(-size // 3), -(-2 * size // 3))
    piece = (units[:one], units[one:two], units[two:])[which]
    return Span(piece[0], piece[-1])


def edge(span: Span, which: int) -> Span:
    """What "the beginning", "the middle", "the end of" names: of a year its first or last month, else a third."""
    if which != 1 and span.first == span.last and span.first.precision is Precision.YEAR:
        units = _units(span)
        return moment(units[0] if which == 0 else units[-1])
    return part(span, which)


def _units(span: Span) -> list[Moment]:
    """The months of a year, the days of a month, and otherwise the moments of the ends' own precision."""
    precision = span.first.precision
    if span.first == span.last and precision < Precision.DAY:
        precision = Precision(precision + 1)
    if precision is Precision.INSTANT:
        return [span.first]
    first, last = day_of(span.first.first), day_of(span.last.past - 1)
    if precision is Precision.YEAR:
        return [Moment.year(year) for year in range(first.year, last.year + 1)]
    if precision is Precision.MONTH:
        numbers = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
        return [Moment.month(number // 12, number % 12 + 1) for number in numbers]
    return [Moment.day(date.fromordinal(number)) for number in range(first.toordinal(), last.toordinal() + 1)]


def beside(at: Moment, step: int) -> Moment:
    """The moment of the same precision just before (-1) or after (+1) this one."""
    if at.precision is Precision.INSTANT:
        return Moment(at.first + step, at.past + step, at.precision)
    on = day_of(at.first)
    unit = {Precision.YEAR: "year", Precision.MONTH: "month", Precision.DAY: "day"}[at.precision]
    return shift(on, unit, step).first


def latest(yearly: Yearly, by: date) -> Span | None:
    """The nearest one that starts on or before a day."""
    return _nearest(yearly, range(by.year, by.year - 9, -1), lambda span: span.first.first <= _start(by))


def latest_over(yearly: Yearly, before: date) -> Span | None:
    """The nearest one that is over before a day begins."""
    return _nearest(yearly, range(before.year, before.year - 9, -1), lambda span: span.last.past <= _start(before))


def earliest(yearly: Yearly, after: date) -> Span | None:
    """The nearest one that starts after a day."""
    return _nearest(yearly, range(after.year - 1, after.year + 10), lambda span: span.first.first > _start(after))


def current(yearly: Yearly, on: date) -> Span | None:
    """The one around a day, else the one of its calendar year."""
    around = _nearest(yearly, (on.year - 1, on.year), lambda span: span.first.first <= _start(on) < span.last.past)
    return around or _nearest(yearly, (on.year,), lambda _: True)


def _start(of: date) -> int:
    return of.toordinal() * 86_400


def _nearest(yearly: Yearly, candidates: range | tuple[int, ...], fits: Callable[[Span], bool]) -> Span | None:
    for year in candidates:
        try:
            span = yearly(year)
        except ValueError:  # 29 February, or beyond the calendar
            continue
        if fits(span):
            return span
    return None
