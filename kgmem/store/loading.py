"""Taking a whole memory in, line for line of its dump, and what a group is until that is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from kgmem.errors import StoreError
from kgmem.store.generations import split_name


@dataclass(frozen=True, slots=True)
class HalfCopy:
    """What a group is while another memory is copied into it."""

    origin: str
    """The memory that is copied, in words: its group and its store."""
    dump: str
    """What its dump is known by: the same text for the same lines, and for no others."""
    lines: int = 0
    """How many lines of that dump are in, from the first on."""

    def refused(self, group: str, url: str) -> StoreError:
        """The error of who wants to use the group for anything else."""
        return StoreError(
            f"the group {group} in {url} is half a copy of {self.origin}: {self.lines:,} lines of it are in",
            f"the same `kgmem {'copy' if split_name(group) is None else 'reextract'}` again completes it",
        )


class Loader(Protocol):
    """Restores what a dump says: a memory that took in all lines of a dump gives that dump, line for line.

    From `begin` to `end` the group is half a copy, and of no other use: `Store.half_copy` says so, whatever stops the
    process in between, and `Store.writing` is refused. Each call is one transaction. What a dump leaves out is not
    restored: sizes and times of files (`Store.restat`), and what `Store.compare` keeps.
    """

    def begin(self, half: HalfCopy) -> HalfCopy:
        """Become half a copy, with no lines yet. What is there of another half copy is dropped.

        Raises:
            kgmem.errors.StoreError: the group holds something that is no half copy; nothing was changed.
        """

    def load(self, lines: Iterable[str], half: HalfCopy) -> HalfCopy:
        """Take in the lines that come next, in the order of the dump: all of them, or none.

        Args:
            lines: as `Store.dump` of any store gives them.
            half: what the group is now.

        Returns:
            What the group is then.

        Raises:
            kgmem.errors.StoreLockedError: it is something else, for another process went on with the copy.
            kgmem.errors.InvariantError: a line is none of a dump, or names what no line before it brought.
        """

    def end(self, half: HalfCopy) -> None:
        """Be whole. Search finds everything, and the clock goes on after the last transaction. Raises as `load`."""
