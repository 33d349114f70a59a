"""The log file: a line for each command that ran, and one for each problem. Off unless `[log]` names a file.

It says what was done and never what notes say: paths and counts, and of an error only what it says about stores and
folders. Several processes write to it: each opens it under a lock, for the moment of a few lines, so that none writes
into a file that another one has just renamed.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from typing import Final

from kgmem.locks import locked
from kgmem.log_settings import LogSettings

_WAIT_SECONDS: Final = 5.0
_HIDDEN: Final = "…"
_SECRET_NAME: Final = re.compile(r"(?:KEY|TOKEN|PASSWORD|SECRET)$")
_SHORTEST_SECRET: Final = 4
"""Shorter values would be cut out of innocent words."""
_SECRETS: Final = re.compile(
    r"(?<=://)[^/?#\s\"]*@"  # who asks, in a URL
    r"|(?<=: bearer )[^\s\"]+|(?<=: token )[^\s\"]+"
    r"|\bsk-[\w-]{8,}"
    r"|(?<=key=)[^\s&\"]+|(?<=token=)[^\s&\"]+|(?<=password=)[^\s&\"]+|(?<=secret=)[^\s&\"]+",
    re.IGNORECASE,
)


class Discreet(logging.Filter):
    """Takes out of a line what lets somebody in: keys, tokens, passwords, also those of this environment."""

    def __init__(self, environ: Mapping[str, str], known: Iterable[str | None] = ()) -> None:
        """Args: `environ` may hold secrets, by their names; `known` are some."""
        super().__init__()
        found = {value for name, value in environ.items() if _SECRET_NAME.search(name.upper())}
        secrets = {each for each in (*found, *known) if each and len(each) >= _SHORTEST_SECRET}
        quoted = sorted({*secrets, *(json.dumps(each)[1:-1] for each in secrets)}, key=len, reverse=True)
        self._own = re.compile("|".join(map(re.escape, quoted))) if quoted else None

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line pass, without its secrets."""
        text = _SECRETS.sub(_HIDDEN, record.getMessage())
        record.msg, record.args = (self._own.sub(_HIDDEN, text) if self._own else text), ()
        return True


class _File(RotatingFileHandler):
    """The file, for its owner alone."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - the name that `logging` gave it
        """Say what went wrong to who writes, instead of a traceback to the terminal."""
        error = sys.exc_info()[1]
        if error is not None:
            raise error


def write(settings: LogSettings, lines: Iterable[tuple[int, str]], discreet: logging.Filter) -> None:
    """Add (level, text) lines, those that the settings want.

    Raises:
        OSError: the file cannot be written.
        LockTakenError: others write to it all the time.
    """
    least = logging.getLevelNamesMapping()[settings.level.upper()]
    wanted = [each for each in lines if each[0] >= least]
    if not wanted:
        return
    settings.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = settings.file.with_name(f"{settings.file.name}.lock")
    with locked(lock, "", wait_seconds=_WAIT_SECONDS):
        handler = _File(settings.file, maxBytes=settings.size, backupCount=settings.keep, delay=True)
        handler.addFilter(discreet)
        handler.setFormatter(_Line("%(asctime)s %(levelname)s %(process)d %(message)s"))
        try:
            for level, text in wanted:
                handler.handle(logging.LogRecord("kgmem", level, "", 0, text, (), None))
        finally:
            handler.close()


class _Line(logging.Formatter):
    """A line begins with its instant in UTC, to the second."""

    default_time_format = "%Y-%m-%dT%H:%M:%SZ"
    default_msec_format = None

    @staticmethod
    def converter(seconds: float | None) -> time.struct_time:
        """See `logging.Formatter`."""
        return time.gmtime(seconds)
