"""World and recorded dates as options of a command."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from kgmem.errors import UserError

if TYPE_CHECKING:
    from kgmem.model import Instant, Period

_HINT = "write it like 2024, 2024-03, 2024-03-07, or in words: last March"


def world_period(text: str | None, today: date) -> Period | None:
    """The period that `--as-of` asks about: all of a year for a year, and open where it says since or until.

    Raises:
        UserError: it is no date.
    """
    if text is None:
        return None
    from kgmem.extraction.dates import read_period

    period = read_period(text, today)
    if period is None:
        from kgmem.extraction.dates.foreign import read_foreign_period
        from kgmem.recall.times import LANGUAGES

        period = read_foreign_period(text, today, LANGUAGES)
    if period is None or period.empty:
        raise UserError(f"no such date: {text!r}", _HINT)
    return period


def recorded_instant(text: str | None, today: date) -> Instant | None:
    """The last instant of what `--known-at` names: all that was recorded on that day, or in that year, counts.

    Of what has a beginning and no end ("since May 2021") that is the last instant of its beginning.

    Raises:
        UserError: it is no date.
    """
    period = world_period(text, today)
    if period is None:
        return None
    from kgmem.recall.times import last_instant

    end = period.end.moment or period.start.moment
    if end is None:
        raise UserError(f"no such date: {text!r}", _HINT)
    return last_instant(end)


def today(now: datetime | None) -> date:
    """The day that relative dates start from, by the clock of this machine's time zone, pinned or not."""
    return (now or datetime.now(UTC)).astimezone().date()


def world_now(now: datetime | None) -> int:
    """The world second in which the day of `today` begins: facts that hold then are current."""
    return today(now).toordinal() * 86_400
