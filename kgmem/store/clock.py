"""Recorded time only moves forward: when a transaction that begins now, or is replayed for then, is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from kgmem.errors import UserError
from kgmem.model import Instant, show_instant, to_instant


@dataclass(frozen=True, slots=True)
class Tick:
    """The time of one transaction."""

    base: Instant
    """What the clock said; never less than for the transaction before."""
    at: Instant
    """The recorded time: that, or a microsecond after the transaction before."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A group's clock, as its last transaction left it; None of both before the first."""

    last: Instant | None = None
    """The recorded time of that transaction."""
    base: Instant | None = None
    """What the clock said then."""

    def tick(self, now: Instant, *, pinned: bool) -> Tick:
        """The time of a transaction that begins now.

        A clock of the machine may go backwards, and recorded time waits for it; a time that a person set must not.

        Raises:
            UserError: `now` was set, and lies before what the clock said at the last transaction.
        """
        if pinned and self.base is not None and now < self.base:
            raise UserError(
                f"the clock is set to {show_instant(now)}, before the last recorded {show_instant(self.base)}",
                "set KGMEM_NOW to a later instant, or leave it unset",
            )
        return self._next(now)

    def tick_at(self, at: Instant) -> Tick:
        """The time of a transaction that is recorded for an instant of the past, as if the clock had said so.

        Raises:
            UserError: the group's last transaction was recorded for a later one.
        """
        if self.base is not None and at < self.base:
            raise UserError(
                f"nothing can be recorded at {show_instant(at)}:"
                f" this group has recorded something at {show_instant(self.base)}",
                "recorded time only moves forward: replay a history into a group of its own, with --group NAME",
            )
        return self._next(at)

    def _next(self, now: Instant) -> Tick:
        return Tick(
            base=now if self.base is None else max(now, self.base),
            at=now if self.last is None else Instant(max(now, self.last + 1)),
        )


def instant_of(now: datetime) -> Instant:
    """Recorded time of a clock that a person set.

    Raises:
        UserError: it has no time zone.
    """
    if now.tzinfo is None:
        raise UserError(f"the clock is set to {now.isoformat()}, which has no time zone", "add Z, or an offset")
    return to_instant(now)
