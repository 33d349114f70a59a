"""What tells that something happened in a folder: the system's events, or looking through it now and then.

Reading is no change: a watch that counts it would wake itself up for ever.
"""

from __future__ import annotations

import errno
import logging
import os
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer

Touch = Callable[[str, bool], None]
"""Told (a path below the root, whether it is a folder); the root itself is the empty path."""

_TAKEN: Final = (
    FileCreatedEvent, FileModifiedEvent, FileMovedEvent, FileDeletedEvent,
    DirCreatedEvent, DirMovedEvent, DirDeletedEvent,
)  # fmt: skip
_LIMITS: Final = frozenset((errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM))
_PROCESS: Final = Path("/proc/self")


class NoEventsError(Exception):
    """The system gives no events of a folder; says why."""


class Events:
    """The events of a folder and of others that symbolic links in it lead to."""

    def __init__(self, root: str, touch: Touch, linked: Iterable[tuple[str, str]] = ()) -> None:
        """Begin to watch. `touch` is called in another thread.

        Args:
            root: an absolute folder.
            touch: told what happens.
            linked: (path below the root, real folder that it leads to).

        Raises:
            NoEventsError: the system can watch no more folders.
            OSError: the folder is not there, or may not be read.
        """
        # A folder made in two steps is met twice by watchdog, which sets the same callback again and warns of it.
        warnings.filterwarnings("ignore", "Callback with id .* already exists", RuntimeWarning)
        self._observer = Observer()
        before = _watches_held()
        places = [("", os.path.realpath(root)), *linked]
        for prefix, folder in places:
            handler = _Handler(folder, prefix, touch)
            self._observer.schedule(handler, folder, recursive=True, event_filter=list(_TAKEN))
        try:
            self._observer.start()
        except OSError as error:
            self._observer.stop()
            if error.errno in _LIMITS:
                raise NoEventsError(_LIMIT) from error
            raise
        if _is_short_of_watches(before, (folder for _, folder in places)):
            self.stop()
            raise NoEventsError(_LIMIT)

    def stop(self) -> None:
        """Watch no longer."""
        self._observer.stop()
        self._observer.join()


_LIMIT: Final = "the system can watch no more folders (on Linux: fs.inotify.max_user_watches)"


class _Handler(FileSystemEventHandler):
    def __init__(self, folder: str, prefix: str, touch: Touch) -> None:
        self._folder = folder
        self._prefix = prefix
        self._touch = touch

    def dispatch(self, event: FileSystemEvent) -> None:
        for place in (event.src_path, event.dest_path):
            if place:
                path = os.path.relpath(os.fsdecode(place), self._folder).replace(os.sep, "/")
                parts = [part for part in (self._prefix, path) if part not in {"", "."}]
                self._touch("/".join(parts), event.is_directory)


class Alarm(logging.Handler):
    """Calls for a look at everything where watchdog says that it lost something: it says so in its log alone."""

    def __init__(self, ring: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._ring = ring
        self._logger = logging.getLogger("watchdog")
        self._logger.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - whatever it says
        """Something was lost."""
        self._ring()

    def close(self) -> None:
        """Listen no longer."""
        self._logger.removeHandler(self)
        super().close()


def _is_short_of_watches(before: int | None, folders: Iterable[str]) -> bool:
    """Whether the system watches fewer folders anew than there are: watchdog passes over the rest in silence."""
    held = _watches_held()
    if held is None or before is None:
        return False
    return held - before < sum(1 for folder in folders for _ in os.walk(folder))


def _watches_held() -> int | None:
    """Folders that inotify watches for this process; None where there is no inotify."""
    table = _PROCESS / "fdinfo"
    if not table.is_dir():
        return None
    held = 0
    for each in table.iterdir():
        try:
            held += each.read_text().count("inotify wd:")
        except OSError:  # a file that was closed meanwhile
            continue
    return held
