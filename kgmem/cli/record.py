"""What one run of a command came to: collected while it runs, written to the log file where there is one."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgmem.errors import ExitCode, KgmemError, SourceError, StoreError

if TYPE_CHECKING:
    from kgmem.config import Config

_DEBUG, _INFO, _WARNING, _ERROR = 10, 20, 30, 40
"""As in `logging`, which is imported where there is a log file."""


@dataclass
class Record:
    """One run. Counts and problems are paths and numbers: what a note says is none of its business."""

    command: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    error: KgmemError | None = None
    """Why it failed."""
    _config: Config | None = None
    _lines: list[tuple[int, str]] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)

    def use(self, config: Config) -> None:
        """Write to the file that a configuration names."""
        if self._config is None and config.log is not None:
            self._config = config
            self._add(_DEBUG, "begun")

    def count(self, **counts: int) -> None:
        """What was done, in numbers: ``added=3``. Those of one name add up."""
        for name, number in counts.items():
            self.counts[name] = self.counts.get(name, 0) + number

    def problem(self, kind: str, path: str | None = None, line: int | None = None) -> None:
        """What could not be read, written or asked, without a word of it."""
        where = {"path": path, "line": line}
        self._add(_WARNING, "problem", kind=kind, **{name: each for name, each in where.items() if each is not None})

    def happened(self, what: str, **counts: int) -> None:
        """An event of a command that runs for long: it is written at once."""
        self._add(_INFO, what, **counts)
        self._write()

    def end(self, code: int) -> None:
        """The run is over."""
        seconds = round(time.monotonic() - self._began, 2)
        failed = code not in {ExitCode.DONE, ExitCode.PROBLEMS}
        told: dict[str, Any] = {"code": int(code), "seconds": seconds, **self.counts}
        if self.error is not None:
            told["kind"] = type(self.error).__name__
            if isinstance(self.error, StoreError | SourceError):  # of others the message may quote a note
                told["message"] = str(self.error)
        self._add(_ERROR if failed else _INFO, _outcome(code), **told)
        self._write()

    def _add(self, level: int, what: str, **told: Any) -> None:
        """A line, on which nothing that comes from outside can begin another one."""
        if self._config is not None:
            values = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in told.items())
            self._lines.append((level, " ".join((self.command or "kgmem", what, *values))))

    def _write(self) -> None:
        """Write what is there; that it cannot be is said, and stops nothing."""
        if self._config is None or self._config.log is None:
            return
        from kgmem.cli.log import Discreet, write
        from kgmem.locks import LockTakenError

        lines, self._lines = self._lines, []
        try:
            write(self._config.log, lines, Discreet(os.environ, [self._config.server_password]))
        except (OSError, LockTakenError) as error:
            reason = getattr(error, "strerror", None) or "others write to it all the time"
            sys.stderr.write(f"the log {self._config.log.file} cannot be written: {reason}\n")


def _outcome(code: int) -> str:
    if code > 128:  # noqa: PLR2004 - as shells number what a signal stopped
        return "stopped"
    return {ExitCode.DONE: "done", ExitCode.PROBLEMS: "done"}.get(ExitCode(code), "failed")
