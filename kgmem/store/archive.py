"""What a store knows of bodies that were moved out of it.

A body goes in three steps, none of which can lose it. A volume is *begun*: its name is in the store before its file is
anywhere. The file is written, and read back. Then one transaction empties the bodies and points to the volume, which is
*kept* from then on. A volume that is *doomed* is pointed to by nothing, and its file is to be removed before the store
forgets its name. One that is *tainted* may hold, beside others, a body that was erased: the others are to be written
anew. So are those of a *spare* one, which holds a body that is in the store again, but that can wait.

Whether a body is in the store is no knowledge: it is in no dump, ticks no clock, and no transaction of the log tells of
it. Every call that writes is one transaction.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from kgmem.model import Id, Instant
from kgmem.store.generations import Holder, is_this

LEAST_BYTES: Final = 128
"""Shorter bodies stay: a pointer is not much less."""


class State(StrEnum):
    """What is to be done with a volume."""

    BEGUN = "begun"
    KEPT = "kept"
    SPARE = "spare"
    TAINTED = "tainted"
    DOOMED = "doomed"


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a body is."""

    url: str
    """The folder of its volume."""
    name: str
    digest: str
    """See `kgmem.store.volumes.volume.digest_of`."""

    def read(self) -> str:
        """See `kgmem.model.Archived`."""
        from kgmem.store.volumes.reading import read_body  # here: who only asks what is known reads no body

        return read_body(self.url, self.name, self.digest)


@dataclass(frozen=True, slots=True)
class Shelved:
    """A volume as the store knows it."""

    url: str
    name: str
    size: int
    """Bytes of its file."""
    state: State
    digests: frozenset[str] = frozenset()
    """What the bodies are known by that are in it and nowhere else."""
    holder: Holder | None = None
    """Who is writing it, while it is only begun."""

    def is_being_written(self, now: float) -> bool:
        """Whether another process that still runs began it; `now` in seconds since the Unix epoch."""
        held = self.holder is not None and not is_this(self.holder) and not self.holder.is_gone(now)
        return self.state is State.BEGUN and held


@dataclass(frozen=True, slots=True)
class Old:
    """A body that may go."""

    episode: Id
    body: str


class ArchiveStore(Protocol):
    """What a store does with the bodies of its group. See the module."""

    def beside(self) -> Path | None:
        """The folder beside the memory; None for one on a server."""

    def waiting(self, before: Instant) -> tuple[int, int]:
        """(number, bytes) of the bodies that may go: see `old`."""

    def old(self, before: Instant, most_bytes: int) -> tuple[Old, ...]:
        """Some bodies that may go, those of one source together: of about so many bytes in all, and at least one.

        An episode may go that is not current, was recorded before an instant, and says more than a pointer.
        """

    def shelves(self) -> tuple[Shelved, ...]:
        """All volumes, in the order in which they were begun."""

    def begin(self, url: str, name: str, size: int) -> None:
        """Say that a volume will be written, by this process."""

    def keep(self, name: str, bodies: Mapping[Id, str]) -> bool:
        """Empty the bodies of episodes, and point to a volume that was begun.

        Args:
            name: the volume.
            bodies: by episode, what its body is known by: all that are in the volume.

        Returns:
            Whether it was done. Nothing is if one of them became current, was erased or archived by another process
            meanwhile, or the volume is no longer to be written.
        """

    def take_over(self, before: str, after: str, digests: frozenset[str]) -> bool:
        """Point to a volume that was begun wherever another one was pointed to, which is doomed then.

        Args:
            before: the other one.
            after: the one that was begun.
            digests: what is in it.

        Returns:
            Whether it was done. Nothing is if that is not just what points to the other one.
        """

    def bring_back(self, name: str, bodies: Mapping[str, str]) -> int | None:
        """Put the bodies of a volume back, by what they are known by, and doom it; gives how many episodes have one.

        None, and nothing is done, if something else points to the volume than when it was read.
        """

    def doom(self, name: str) -> bool:
        """Say that the file of a volume is to be removed, if it is to be: nothing points to it, and nothing will."""

    def drop(self, name: str) -> None:
        """Forget a doomed volume whose file is removed."""

    def move(self, before: str, after: str) -> None:
        """Say that all volumes of a place are in another one."""

    def shrink(self, freed: int = 0) -> bool:
        """Give space that nothing fills back to the disk, if it is worth it; no if others keep it from that.

        Args:
            freed: bytes of bodies that were moved, for a store that cannot tell by itself what is unused.
        """


def rest(shelves: Iterable[Shelved]) -> tuple[Shelved, ...]:
    """The volumes that something is still to be done with, and that no other process is at work on."""
    now = time.time()
    return tuple(each for each in shelves if each.state is not State.KEPT and not each.is_being_written(now))
