"""Ctrl-C and a polite kill: both stop the program where it is safe, and its exit code says which it was."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Final

from kgmem.errors import ExitCode

_HEEDED: Final = (signal.SIGINT, signal.SIGTERM)
_OF_SIGNALS: Final = 128
"""What shells add to the number of a signal."""

_met: list[int] = []


def heed() -> None:
    """Stop for signals from now on; those that the caller has told the program to ignore stay ignored."""
    ours = os.getpid()

    def stop(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != ours:  # a worker that was forked: whoever forked it looks after it
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        met(number)
        raise KeyboardInterrupt

    for each in _HEEDED:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, stop)


def met(number: int) -> None:
    """Remember that a signal came."""
    _met.append(number)


def exit_code(code: int) -> int:
    """The exit code of a run that ended with another: 130 after Ctrl-C, 143 after a kill, unless all was done."""
    stopped = _OF_SIGNALS + _met[0] if _met and code != ExitCode.DONE else code
    _met.clear()
    return stopped
