"""Generations of a group: the same memory, drawn from its episodes at different times, side by side.

A generation is a group of its own, which is called ``GROUP~NUMBER`` and can be opened under that name. One pointer says
which of them the group is now: whoever opens the group opens that one, and who has it open follows the pointer, a
writer with the next transaction, a reader within a second. A group of which nobody made another one has no pointer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kgmem.errors import NotFoundError, StoreError, StoreLockedError

MARK: Final = "~"
"""Between the name of a group and the number of a generation."""
_SILENT_SECONDS: Final = 3600
"""Who said nothing for so long, on another machine, is gone."""
_REUSED_SECONDS: Final = 86_400
"""After so long a process of that number may be another one."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation of a group."""

    number: int
    """From 1, in the order in which they were made."""
    group: str
    """The name to open it by, whichever is current."""
    current: bool = False
    before: bool = False
    """It was current last, before the one that is."""
    made_of: str = ""
    """What it was made of, once it is complete; empty for the first one, and for one that is not complete."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who makes a generation."""

    process: int
    host: str
    seen: float
    """When it said so last, in seconds since the Unix epoch."""

    def is_gone(self, now: float) -> bool:
        """Whether it makes nothing any more: it ended, or said nothing for too long."""
        silent = now - self.seen
        if self.host != _host():
            return silent > _SILENT_SECONDS
        return silent > _REUSED_SECONDS or not _runs(self.process)

    def refused(self, group: str) -> StoreLockedError:
        """The error of who wants to do the same."""
        return StoreLockedError(
            f"process {self.process} on {self.host} is re-extracting the group {group}", "try again when it is done"
        )


class Generations(Protocol):
    """What a store does with the generations of its group. Every call that writes is one transaction."""

    def every(self) -> tuple[Generation, ...]:
        """All generations, by number; none if the group has no pointer."""

    def hold(self) -> None:
        """Be the one process that makes a generation, or say again that this one is.

        Raises:
            kgmem.errors.StoreLockedError: another process is.
        """

    def let_go(self) -> None:
        """Let others make one. Nothing if this process is not the one that makes it."""

    def make(self) -> Generation:
        """The generation that waits, made if there is none: see `waiting_of`. It is empty, or incomplete."""

    def complete(self, number: int, made_of: str) -> None:
        """Say what a generation was made of: it is complete."""

    def promote(self, number: int, when: Callable[[], bool]) -> bool:
        """Make a generation the current one, if that is right; gives whether it was done.

        Args:
            number: the generation.
            when: asked while nobody can write to the current generation.

        Raises:
            kgmem.errors.NotFoundError: there is no such generation.
            kgmem.errors.StoreLockedError: another process kept the lock.
        """

    def drop(self, number: int) -> None:
        """Delete a generation with all that it holds.

        Raises:
            kgmem.errors.NotFoundError: there is no such generation.
            kgmem.errors.StoreError: it is the current one.
        """


def waiting_of(every: Sequence[Generation]) -> Generation | None:
    """The generation that never answered: the newest, unless it is current or before.

    None is made while another one waits, so all that are older did answer. And the newest that answered is current, or
    before: to go back only exchanges these two.
    """
    newest = max(every, key=lambda each: each.number, default=None)
    return None if newest is None or newest.current or newest.before else newest


def this_process(now: float) -> Holder:
    """The process that asks."""
    return Holder(os.getpid(), _host(), now)


def is_this(holder: Holder) -> bool:
    """Whether a holder is the process that asks."""
    return (holder.process, holder.host) == (os.getpid(), _host())


def name_of(group: str, number: int) -> str:
    """The name of a generation."""
    return f"{group}{MARK}{number}"


def split_name(name: str) -> tuple[str, int] | None:
    """(group, number) of the name of a generation; None for any other name."""
    group, mark, number = name.rpartition(MARK)
    return (group, int(number)) if mark and group and number.isdecimal() and number.isascii() else None


def no_such(name: str) -> NotFoundError:
    """The error of who opens, or names, a generation that is not there."""
    return NotFoundError(f"there is no generation {name}", "`kgmem reextract --list` shows those that there are")


def is_current(name: str) -> StoreError:
    """The error of who wants to delete the generation that answers."""
    return StoreError(f"{name} is the generation that answers", "`kgmem reextract --back` makes another one current")


def _host() -> str:
    import platform  # here: a search does without it

    return platform.node()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
