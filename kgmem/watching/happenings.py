"""What a watch tells, one thing at a time."""

from __future__ import annotations

from dataclasses import dataclass

from kgmem.model import Problem, Report


@dataclass(frozen=True, slots=True)
class Started:
    """Changes are noticed from now on, before the first scan begins."""

    roots: tuple[tuple[str, str], ...]
    """(folder, ``events`` or ``polling``)"""


@dataclass(frozen=True, slots=True)
class Scanned:
    """A folder was compared with the memory as a whole: at the start, and when it is back."""

    root: str
    report: Report
    seconds: float


@dataclass(frozen=True, slots=True)
class Changed:
    """Changes were taken in, and can be asked about."""

    root: str
    paths: tuple[str, ...]
    """What was added, changed, moved (where it is now) or removed, below the root."""
    report: Report
    seconds: float


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that is no use, or went wrong; told once, until it is over and comes again."""

    root: str
    problem: Problem
    """Its path is that of a note, or empty: the folder or the memory is meant."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A folder is not there, or nothing that was in it is. Nothing is concluded from that."""

    root: str
    message: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The end, as somebody wished."""

    scans: int
    """How many times a folder was compared with the memory."""
    batches: int
    """How many of them brought something."""


Happening = Started | Scanned | Changed | Trouble | Waiting | Stopped
