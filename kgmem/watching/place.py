"""One folder that is watched: whether it is there, how its changes are noticed, and which of them count."""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from kgmem.errors import SourceError
from kgmem.sources.document import Reader
from kgmem.watching.drives import is_remote
from kgmem.watching.settling import Look, Settling
from kgmem.watching.timing import Timing
from kgmem.watching.watchers import Events, NoEventsError, Touch

_RULES: Final = frozenset((".obsidian/app.json", ".obsidian/templates.json", ".obsidian/daily-notes.json"))
"""Settings of Obsidian that say what is read, and how."""
_RULE_NAMES: Final = frozenset((".kgmemignore", ".kgmem-manifest.json"))
_ANY_NOTE: Final = "note.md"
_NOWHERE: Final = "its folder is on a drive of another machine"


class Entry(Protocol):
    """A file as a glance shows it."""

    @property
    def path(self) -> str:
        """Below the root."""


class Watchable(Reader, Protocol):
    """A reader of a folder that can be watched."""

    def wanted(self, path: str) -> bool:
        """Whether a scan would read the file at that path, by names, folders and ignore rules."""

    def glance(self) -> frozenset[Entry]:
        """Every file that a scan would read, with its size and time.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """

    def linked(self) -> tuple[tuple[str, str], ...]:
        """(path below the root, real folder) of each symbolic link that leads out of the folder.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """


class Place:
    """A folder that is watched."""

    def __init__(self, make: Callable[[], Watchable], timing: Timing, *, polling: bool = False) -> None:
        """Args: `make` makes the reader of the folder, anew where rules have changed; `polling` asks for no events."""
        self._make = make
        self._timing = timing
        self._polling = polling
        self.reader = make()
        self.root = self.reader.root
        self.settling = Settling(self._look, timing)
        self.stale = True
        """To be scanned, whatever was touched."""
        self.how = ""
        """``events`` or ``polling``; empty while the folder is not there."""
        self.because = ""
        """Why there are no events, where somebody may want to know."""
        self._events: Events | None = None
        self._glance: frozenset[Entry] = frozenset()
        self._identity: tuple[int, int] | None = None
        self._next_poll = math.inf

    def open(self, touch: Touch, now: float) -> bool:
        """Begin to notice changes; says whether the folder is there. `touch` may be called in another thread."""
        self.close()
        self._identity = _identity(self.root)
        self.because = ""
        try:
            if self._identity is None:
                return False
            if not self._polling and is_remote(self.root):
                self.because = _NOWHERE
            elif not self._polling:
                self._events = self._begin(touch)
            if self._events is None:
                self._glance = self.reader.glance()
                self._next_poll = now + self._timing.poll
        except (OSError, SourceError):
            self._identity = None
            return False
        self.how = "polling" if self._events is None else "events"
        self.stale = True
        return True

    def close(self) -> None:
        """Notice nothing any more."""
        self.how = ""
        self.settling = Settling(self._look, self._timing)
        self._next_poll = math.inf
        if self._events is not None:
            self._events.stop()
            self._events = None

    def is_as_opened(self) -> bool:
        """Whether the folder that is there, or its absence, is the one that was met when this was opened."""
        return _identity(self.root) == self._identity

    def due(self) -> float:
        """When there is something to do here."""
        if not self.how:
            return math.inf
        settled = self.settling.due()
        return min(self._next_poll, math.inf if settled is None else settled, -math.inf if self.stale else math.inf)

    def note(self, path: str, *, is_folder: bool, at: float) -> bool:
        """Something happened at a path; says whether that matters."""
        name = path.rpartition("/")[2]
        if path in _RULES or name in _RULE_NAMES:
            self.reader = self._make()
        elif _is_hidden(path) or not self.reader.wanted(f"{path}/{_ANY_NOTE}" if is_folder else path):
            return False
        self.settling.touch(path, at)
        return True

    def holds(self, path: str) -> bool:
        """Whether there is something at a path, readable or not."""
        return os.path.lexists(Path(self.root) / path)

    def poll(self, now: float) -> None:
        """Look through the folder, if it is time to.

        Raises:
            kgmem.errors.SourceError: it cannot be read.
        """
        if now < self._next_poll:
            return
        self._next_poll = now + self._timing.poll
        before, self._glance = self._glance, self.reader.glance()
        for path in {entry.path for entry in before ^ self._glance}:
            self.settling.touch(path, now)

    def _begin(self, touch: Touch) -> Events | None:
        try:
            return Events(self.root, touch, self.reader.linked())
        except NoEventsError as error:
            self.because = str(error)
            return None

    def _look(self, path: str) -> Look:
        try:
            found = (Path(self.root) / path).stat()
        except OSError:
            return None
        return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _identity(root: str) -> tuple[int, int] | None:
    """Which folder it is; None where it is not there, or may not be read."""
    try:
        with os.scandir(root):
            found = Path(root).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
