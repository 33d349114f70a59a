"""A lock between processes that the operating system holds: it ends with its holder, however that ends.

Whether the file exists says nothing. It stays when the lock is let go, for to remove it would let two processes hold
locks on two files of one name. It can hold a line about the holder, which others read while they wait.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Lock
from typing import Final

_PLACE: Final = 1 << 30
"""The byte that is locked, far behind the text: Windows lets nobody read a locked byte."""
_TEXT_BYTES: Final = 256
_POLL_SECONDS: Final = 0.05

_here: dict[Path, tuple[int, int]] = {}
"""(descriptor, how often it was taken) of the locks of this process."""
_here_guard = Lock()


class LockTakenError(Exception):
    """Another process kept the lock; `told` is what it says about itself, and may be empty."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


@contextmanager
def locked(
    path: Path, told: str, *, wait_seconds: float, waiting: Callable[[str], None] | None = None
) -> Iterator[None]:
    """Hold a lock, which belongs to the process: taken again inside, it is simply held.

    POSIX record locks are used where there are, not `flock`: a child that a killed holder leaves behind inherits none.

    Args:
        path: the file of the lock, made for its owner only where there is none.
        told: what others are told about the holder, in less than 256 bytes of UTF-8.
        wait_seconds: how long to wait for another process; 0 tries once.
        waiting: called once, with what the holder tells, when there is something to wait for.

    Raises:
        LockTakenError: another process kept it.
        OSError: the file cannot be made or opened.
    """
    path = path.resolve()
    if not _again(path):
        _take(path, told, time.monotonic() + wait_seconds, waiting)
    try:
        yield
    finally:
        _let_go(path)


def _again(path: Path) -> bool:
    with _here_guard:
        if path in _here:
            descriptor, times = _here[path]
            _here[path] = (descriptor, times + 1)
        return path in _here


def _take(path: Path, told: str, deadline: float, waiting: Callable[[str], None] | None) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    with ExitStack() as undo:
        undo.callback(os.close, descriptor)
        while not _try(descriptor):
            if time.monotonic() >= deadline:
                raise LockTakenError(_read(descriptor))
            if waiting is not None:
                waiting(_read(descriptor))
                waiting = None
            time.sleep(min(_POLL_SECONDS, max(0.0, deadline - time.monotonic())))
        _write(descriptor, told)
        undo.pop_all()
    with _here_guard:
        _here[path] = (descriptor, 1)


def _let_go(path: Path) -> None:
    with _here_guard:
        descriptor, times = _here[path]
        if times > 1:
            _here[path] = (descriptor, times - 1)
            return
        del _here[path]
    _write(descriptor, "")
    os.close(descriptor)  # which lets go of the lock


def _write(descriptor: int, told: str) -> None:
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, told.encode()[:_TEXT_BYTES])


def _read(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, _TEXT_BYTES).decode("utf-8", "replace")


if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PLACE)
        except (BlockingIOError, PermissionError):
            return False
        return True
