"""The time that a question asks about: a date in its words, or something of which the memory knows the date.

The date in "where did Mira live in 2019" asks about the world then; the one in "what did I know about Mira in March"
about the memory as it was then. Two dates are not one clear date, and then neither counts; nor does what only looks
like one. What did not count is told, so that nobody takes an answer for now for one of then.
A name is a name: in "who came to Trip 2019" there is no date. A note that is called by a date, such as a daily note,
is what a question about nothing else is about; beside another name the date counts as a date too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from kgmem.model import Bound, Instant, Moment, Period, Precision, day_of, show_instant, to_instant
from kgmem.recall.question import Named, find_names
from kgmem.store.protocol import Store

if TYPE_CHECKING:
    from kgmem.extraction.dates import Expression

LANGUAGES: Final = ("fr", "de", "es")
"""Whose dates are read where ours find none, if the library for that is installed."""

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_OF_DATES: Final = frozenset(
    """january february march april may june july august september october november december
    jan feb mar apr jun jul aug sept sep oct nov dec spring summer autumn fall winter
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
    day days week weeks weekend weekends month months quarter quarters year years decade decades fortnight fortnights
    today yesterday tomorrow tonight now then ago last next this past previous coming recently lately since until
    thirties forties fifties sixties seventies eighties nineties century easter christmas eve new morning""".split()
)
"""One of them, or a digit, stands in every English date."""
_OF_FOREIGN_DATES: Final = frozenset(
    """hier dernier dernière jours jour semaine semaines mois ans an année gestern vorgestern letzte letzten
    letztes letzter tag tagen woche wochen monat monaten jahr jahren ayer anteayer pasado pasada""".split()
)
_OF_HAPPENINGS: Final = frozenset("before after since until till when".split())

_DAY: Final = 86_400
_LAST_DAY: Final = date.max.toordinal()
_EPOCH_DAY: Final = date(1970, 1, 1).toordinal()
_KNEW: Final = re.compile(
    r"\bdid\s+(?:i|we)\s+(?:(?:already|still|really|actually|first)\s+)?(?:know|believe|think|assume|suppose|expect)\b"
    r"|\b(?:i|we)\s+(?:(?:already|still|really|actually|first)\s+)?(?:knew|believed|thought|assumed|supposed|expected)\b"
    r"|\b(?:had\s+(?:i|we)|(?:i|we)\s+had)\s+(?:known|believed|thought|assumed)\b"
    r"|\b(?:was|were)\s+(?:already\s+|still\s+)?(?:known|believed|thought)\b",
    re.IGNORECASE,
)
"""A person's knowing, in the past: the date beside it is a date of the memory."""
_PREPOSITION: Final = re.compile(
    r"(?:(?:in|on|at|by|for|from|of|as|since|until|till|before|after|during|throughout|around|over|within|the)\s+)+",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”]*[“”]")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks about: names, and times where it says any."""

    named: tuple[Named, ...]
    """The names in it, but for those that are only part of a date."""
    as_of: Period | None = None
    known: Moment | None = None
    """What was known at the end of it."""
    because: str = ""
    """How it says the period, where that is no date: ``before Mira moved to Lyon``."""
    said: str = ""
    """The words of the date, or of what happened."""
    unread: tuple[str, ...] = ()
    """Words that look like a date, and name none."""
    several: tuple[str, ...] = ()
    """Dates of which none counts, as they are more than one."""


def read_question(
    store: Store, question: str, today: date, *, known: Instant | None = None, owner: str | None = None
) -> Asked:
    """What a question asks about.

    Args:
        store: the memory, for names and for the dates of what happened.
        question: in words.
        today: the day that relative words count from.
        known: the recorded instant that is asked about; without it what the question says, else now.
        owner: a name of whom "I" means.
    """
    named = find_names(store, question, known=known)
    found = _dates(question, today)
    dates = [each for each in found if not each.period.empty and _is_date(each, question, named)]
    unread = _unread(question, found, named, today)
    if len({each.period for each in dates}) == 1:
        only = dates[0]
        period = only.period
        at = period.end.moment or period.start.moment if _KNEW.search(question) else None
        if at is not None and known is None:
            known = last_instant(at)
        rest = question[: only.start] + " " * (only.end - only.start) + question[only.end :]
        dated = [name for name in named if only.start <= name.start < only.end and _is_named_by_date(name)]
        names = (*find_names(store, rest, known=known), *dated)
        names = tuple(sorted(names, key=lambda name: name.start))
        return Asked(names, None if at else period, at, said=only.text, unread=unread)
    if not dates and not _OF_HAPPENINGS.isdisjoint(question.lower().split()):
        from kgmem.recall.happened import find_happening

        happened = find_happening(store, question, named, today, known=known, owner=owner)
        if happened is not None:
            return Asked(named, happened.period, because=happened.words, said=happened.words, unread=unread)
    return Asked(named, unread=unread, several=tuple(each.text for each in dates))


def _unread(question: str, found: Sequence[Expression], named: Sequence[Named], today: date) -> tuple[str, ...]:
    """What looks like a date and is none, nor a name or quoted; a period that ends before it starts is none."""
    inverted = [(each.start, each.end) for each in found if each.period.empty]
    if not any(char.isdigit() for char in question):
        return tuple(question[start:end] for start, end in inverted)
    from kgmem.extraction.dates import read_dates

    taken = [(name.start, name.end) for name in named]
    taken += [quoted.span() for quoted in _QUOTED.finditer(question)]
    taken += [(each.start, each.end) for each in found if not each.period.empty]
    unread = [_bare(question, *span) for span in read_dates(question, today).unread]
    free = [span for span in unread if all(span[1] <= start or end <= span[0] for start, end in taken)]
    return tuple(question[start:end] for start, end in sorted({*inverted, *free}))


def _bare(question: str, start: int, end: int) -> tuple[int, int]:
    """The span of a date without the preposition before it."""
    preposition = _PREPOSITION.match(question, start, end)
    return preposition.end() if preposition else start, end


def _dates(question: str, today: date) -> tuple[Expression, ...]:
    """The dates in a question. A grammar is imported only for one that may hold any: that takes longer than to ask."""
    words = set(_LETTERS.findall(question.lower()))
    digits = any(char.isdigit() for char in question)
    found: tuple[Expression, ...] = ()
    if digits or not words.isdisjoint(_OF_DATES):
        from kgmem.extraction.dates import find_dates

        found = find_dates(question, today)
    if not found and (digits or not words.isdisjoint(_OF_FOREIGN_DATES)):
        from kgmem.extraction.dates.foreign import find_foreign_dates

        found = find_foreign_dates(question, today, LANGUAGES, years=True)
    return found


def _is_date(found: Expression, question: str, named: Sequence[Named]) -> bool:
    """Whether an expression is a date, and not quoted, nor a name or part of one."""
    start, end = _bare(question, found.start, found.end)
    if any(quoted.start() <= start and end <= quoted.end() for quoted in _QUOTED.finditer(question)):
        return False
    for name in named:
        apart = name.end <= start or end <= name.start
        within = start <= name.start and name.end <= end and name.end - name.start < end - start  # "May" in "May 2021"
        if not (apart or within or (len(named) > 1 and _is_named_by_date(name))):
            return False
    return True


def _is_named_by_date(name: Named) -> bool:
    from kgmem.extraction.dates import read_period

    return any(char.isdigit() for char in name.text) and read_period(name.text) is not None


def first_instant(moment: Moment) -> Instant:
    """The first recorded instant of a world moment."""
    return Instant((moment.first - _EPOCH_DAY * _DAY) * 1_000_000)


def last_instant(moment: Moment) -> Instant:
    """The last recorded instant of a moment: all that was recorded on that day, or in that year, counts."""
    days, seconds = divmod(moment.past - 1, _DAY)
    last = datetime.fromordinal(min(days, _LAST_DAY)).replace(tzinfo=UTC) + timedelta(seconds=seconds)
    return Instant(to_instant(last) + 999_999)


def current_second(now: int, known: Instant | None) -> int:
    """The world second that "current" means to a memory as it was known: that of its day, not of today."""
    return now if known is None else min(now, day_of(known).toordinal() * _DAY)


def moment_of(known: Instant) -> Moment:
    """A recorded instant as a person names it: the day that ends with it, else the second."""
    day, past = divmod(known + 1, _DAY * 1_000_000)
    last = date.fromordinal(_EPOCH_DAY + day - 1) if not past else None
    return Moment.day(last) if last else Moment.parse(show_instant(known))


def is_late(occurred: Bound, valid: tuple[int, int] | None) -> bool:
    """Whether a note was written after a period, by a date that a person may be shown."""
    return valid is not None and occurred.shown is not None and occurred.moment is not None and (
        occurred.moment.first >= valid[1]
    )  # fmt: skip


def tells_of(text: str, occurred: Bound, valid: tuple[int, int]) -> bool:
    """Whether a text names a date that meets a period: what was written later may still tell of it."""
    return any(_meets(period, valid) for period in _periods(text, occurred))


def tells_of_others(text: str, occurred: Bound, valid: tuple[int, int]) -> bool:
    """Whether what a text says is of other times than a period: by the dates that it names, else by its own."""
    periods = _periods(text, occurred)
    return not any(_reaches(period, valid) for period in periods) if periods else is_late(occurred, valid)


def _reaches(period: Period, valid: tuple[int, int]) -> bool:
    """Whether a period, open as it may be, meets another."""
    start, end = period.start.moment, period.end.moment
    return (start is None or start.first < valid[1]) and (end is None or valid[0] < end.past)


def _periods(text: str, occurred: Bound) -> list[Period]:
    """Those that a text names; what it says in relation to a day counts from its own."""
    from kgmem.extraction.dates import find_dates

    moment = occurred.moment if occurred.shown else None
    exact = moment is not None and moment.precision >= Precision.DAY
    anchor = date.fromordinal(moment.first // _DAY) if moment is not None and exact else None
    return [found.period for found in find_dates(text, anchor)]


def _meets(period: Period, valid: tuple[int, int]) -> bool:
    """Whether a period that has a beginning or an end meets another; one that is only open does not tell of it."""
    start, end = period.start.moment, period.end.moment
    if start is None or end is None:
        edge = start or end
        return edge is not None and edge.first < valid[1] and valid[0] < edge.past
    return start.first < valid[1] and valid[0] < end.past
