"""A terminal with somebody at it: runs the program on a pseudo-terminal of its own, presses keys, reads the screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

_STYLE = re.compile(r"\x1b\][^\x1b]*\x1b\\|\x1b\[[0-9;?]*[A-Za-z]")
_PATIENCE = 60
"""Seconds until a test gives up."""
_PROGRAM = (
    "import os, runpy; os.close(os.open(os.ttyname(0), os.O_RDWR));"  # Ctrl-C comes from the terminal that was opened
    " runpy.run_module('kgmem', run_name='__main__')"
)


class Terminal:
    """One run of the program."""

    def __init__(self, *words: str, environ: Mapping[str, str], columns: int = 80, rows: int = 40) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        held = {name: value for name, value in environ.items() if name not in {"COLUMNS", "LINES", "DISPLAY"}}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *words],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, env={**held, "TERM": "xterm"},
        )  # fmt: skip
        os.close(theirs)
        self.screen = ""
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def see(self, words: str) -> str:
        """Wait until words appear below what was seen before; gives the text up to their end."""
        until = time.monotonic() + _PATIENCE
        while (at := self.screen.find(words, self._read)) < 0:
            assert time.monotonic() < until, f"{words!r} never came:\n{self.screen}"
            assert self._more(), f"it ended without {words!r}:\n{self.screen}"
        start, self._read = self._read, at + len(words)
        return self.screen[start : self._read]

    def press(self, keys: str, prompt: str = "> ") -> None:
        """Press keys, when the program asks for one."""
        self.see(prompt)
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        """Wait until the program ends; gives its exit code."""
        while self._more():
            pass
        return self.process.wait(_PATIENCE)

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self._ours)[3] & termios.ECHO)

    def _more(self) -> bool:
        ready, _, _ = select.select([self._ours], [], [], 1)
        if not ready:
            return self.process.poll() is None
        try:
            some = os.read(self._ours, 65_536)
        except OSError:  # the other end is closed
            return False
        self.screen = _STYLE.sub("", self.screen + some.decode("utf-8", "replace")).replace("\r\n", "\n")
        return bool(some)
