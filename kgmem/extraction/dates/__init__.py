"""Dates, periods and relative expressions in English text: a grammar of our own, pure and linear in the text.

What the grammar decides
* A day is a day, without a zone; a clock beside it is read and not kept. Only ISO 8601 with a clock is an instant.
* Weeks start on Monday. Seasons are those of the northern half of the earth, in whole months: summer is June to
  August, and the winter of 2019 is December 2019 to February 2020.
* A date without its year ("in May", "on 3 May", "Monday", "on the 5th") is the nearest one that starts on or before
  the anchor, the anchor's own included; "next" and "coming" are the nearest after it.
* A quarter, season, week, decade or "late 2019" is no moment: it is a period from its first to its last month, day
  or year. The thirds of a year are January to April, May to August, September to December; of a month the days
  1 to 10, 11 to 20 and the rest.
* "Two weeks ago" is a week and "two years ago" a year. "A few" is two to five, "a couple" one to three.
* "Before 2019" ends with 2018 and "after 2019" starts with 2020.
* What two readers would read differently is not a date: 3/5/2021, "the 20s", "by Friday", a bare 1984.
* A day that does not exist is not a date, and no part of it is one. `read_dates` also gives what looks like a date and
  could not be read: there the text says when, and nobody may put another date in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from kgmem.extraction.dates.expressions import STARTS, Kind, Reading, read
from kgmem.extraction.dates.properties import split_dated
from kgmem.extraction.dates.reader import Reader
from kgmem.extraction.dates.spans import day_of
from kgmem.extraction.dates.unread import date_like
from kgmem.extraction.dates.words import MONTHS, SEASONS
from kgmem.model import Period, Precision

_OF_A_YEAR: Final = frozenset({"#number", "#ordinal", *MONTHS, *SEASONS})

__all__ = ["Dates", "Expression", "find_dates", "read_dates", "read_period", "split_dated"]


@dataclass(frozen=True, slots=True)
class Expression:
    """A date or period in a text, with the words that say so.

    `kind` is "point" where both bounds are the same moment, "range" where they differ, "since" where the end is
    unknown and "until" where the start is. A range that the text inverts stays inverted: `Period.empty` tells.
    """

    start: int
    """Of the span in the text, with the preposition: code points, half-open."""
    end: int
    text: str
    period: Period
    kind: Kind
    joined: bool = False
    """Of a range: both ends are named, "from 2015 to 2018"; a season or "the nineties" is one date that takes time."""


class Dates(NamedTuple):
    """The dates of a text."""

    text: str
    found: tuple[Expression, ...]
    refused: tuple[tuple[int, int], ...]
    """Spans that the grammar took for a date which does not exist, or which is two at once."""

    @property
    def unread(self) -> tuple[tuple[int, int], ...]:
        """Spans of what looks like a date and could not be read."""
        return date_like(self.text, [(each.start, each.end) for each in self.found], self.refused)


def find_dates(text: str, anchor: date | None) -> tuple[Expression, ...]:
    """The dates that `read_dates` finds."""
    return read_dates(text, anchor).found


def read_dates(text: str, anchor: date | None) -> Dates:
    """All dates in a text, in order, none inside another, the longest from each start; and what is only like one.

    Args:
        text: English prose, or anything: what is not a date is passed over.
        anchor: the day that relative words count from; None finds only dates that need none.
    """
    reader = Reader(text, anchor)
    found: list[Expression] = []
    refused: list[tuple[int, int]] = []
    at, last = 0, -1
    while at < len(reader.tokens):
        may_start = reader.tokens[at].key in STARTS
        within = _within_year(reader, at, found, last) if may_start else None
        reading = read(within or reader, at, listed=_listed(reader, last, at)) if may_start else None
        if reading is None:
            at += 1
            continue
        at = reading.end
        if reading.period is not None:
            found.append(_expression(reader, reading, reading.period))
            last = at
        else:
            refused.append((reader.tokens[reading.start].start, reader.tokens[reading.end - 1].end))
    return Dates(text, tuple(found), tuple(refused))


def read_period(text: str, anchor: date | None = None) -> Period | None:
    """The period that the whole text names, or None: for ``--as-of 2019``, ``last March``, ``since May 2021``.

    A text of its own may be shorter than prose: "2019", "May", "now" and "20240115" are dates here.
    """
    reader = Reader(text, anchor, whole=True)
    reading = read(reader, 0) if reader.tokens else None
    return reading.period if reading and reading.end == len(reader.tokens) else None


def _listed(reader: Reader, last: int, at: int) -> bool:
    """Whether only "," or "and" stands between the last date and this token."""
    return last > 0 and last < at == reader.skip(reader.skip(last, ","), "and", "or")


def _within_year(reader: Reader, at: int, found: list[Expression], last: int) -> Reader | None:
    """A reader that counts from the year just named: "two years ago, in March"."""
    if not found or at != reader.skip(last, ",") or reader.word(at) not in {"in", "on"}:
        return None
    named, before = reader.token(reader.skip(at + 1, "the")).key, found[-1]
    year = before.period.start.moment
    if before.kind != "point" or year is None or year.precision is not Precision.YEAR or named not in _OF_A_YEAR:
        return None
    return reader.counting_from(day_of(year.past - 1))


def _expression(reader: Reader, reading: Reading, period: Period) -> Expression:
    start, end = reader.tokens[reading.start].start, reader.tokens[reading.end - 1].end
    return Expression(start, end, reader.text[start:end], period, reading.kind, reading.joined)
