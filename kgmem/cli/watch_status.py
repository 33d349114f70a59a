"""What a watch shows: a line for each event, a status line for people, objects for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, Protocol

from kgmem.cli.output import Output, clean
from kgmem.model import Counts, Problem
from kgmem.watching import Changed, Happening, Scanned, Started, Stopped, Trouble, Waiting

_SHOWN = 5
"""Paths of a batch that a line names."""
Status = Callable[[str], None]


class Show(Protocol):
    """Where a watch tells what happens; called with (done, total, path) after each source."""

    def tell(self, happening: Happening) -> None:
        """Something happened."""

    def __call__(self, done: int, total: int, path: str) -> None:
        """A source was read."""


@contextmanager
def showing(output: Output) -> Iterator[Show]:
    """The way to show it that suits who looks: a status line is there on a terminal alone, and gone at the end."""
    if output.as_json:
        yield _Objects(output)
    elif output.quiet or not sys.stderr.isatty():
        yield _Lines(output, _nowhere)
    else:
        with _status_line() as status:
            yield _Lines(output, status)


@contextmanager
def _status_line() -> Iterator[Status]:
    """A line below all others; it is drawn when it changes, not many times a second."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    shared = sys.stdout.isatty()
    with Live(
        console=console, auto_refresh=False, transient=True, redirect_stdout=shared, redirect_stderr=shared
    ) as live:

        def status(text: str) -> None:
            line = Text(clean(text), style="dim", no_wrap=True, overflow="ellipsis")
            live.update(line, refresh=True)

        yield status


def _nowhere(_text: str) -> None:
    """Show nobody."""


class _Lines:
    def __init__(self, output: Output, status: Status) -> None:
        self._output = output
        self._status = status
        self._notes: dict[str, int] = {}
        self._many = False
        self._last = ""

    def __call__(self, done: int, total: int, path: str) -> None:
        self._status(f"reading {done:,} of {total:,}  {path}")

    def tell(self, happening: Happening) -> None:
        self._status("")  # what is said stands on a line of its own
        match happening:
            case Started(roots):
                self._many = len(roots) > 1
                self._notes = {root: 0 for root, _ in roots}
                self._say(f"watching {', '.join(root for root, _ in roots)}; Ctrl-C ends it")
            case Scanned(root, report):
                self._notes[root] = report.notes
                self._say(f"{root}: {_counted(report.counts)}, {report.counts.unchanged:,} unchanged")
            case Changed(root, paths, report):
                self._notes[root] = report.notes
                self._last = f"; last change {_clock()}, {paths[-1] if paths else root}"
                self._say(f"{self._place(root)}{_counted(report.counts)}: {_named(paths)}")
            case Trouble(root, problem):
                self._trouble(root, problem)
            case Waiting(root, message):
                self._output.warn(f"{root}: {message}; waiting for it")
            case Stopped(_, batches):
                self._say(f"stopped after {batches:,} {'change' if batches == 1 else 'changes'}")
        self._output.flush()
        self._rest()

    def _say(self, text: str) -> None:
        if not self._output.quiet:
            self._output.line((f"{_clock()} ", "dim"), clean(text))

    def _place(self, root: str) -> str:
        return f"{root}: " if self._many else ""

    def _trouble(self, root: str, problem: Problem) -> None:
        where = f"{problem.path}:{problem.line}" if problem.path else root
        hint = f" ({problem.hint})" if problem.hint else ""
        self._output.warn(f"{where}: {problem.message}{hint}" if where else f"{problem.message}{hint}")

    def _rest(self) -> None:
        folders = f"{len(self._notes)} folders" if self._many else next(iter(self._notes), "")
        self._status(f"watching {folders}: {sum(self._notes.values()):,} notes{self._last}")


class _Objects:
    def __init__(self, output: Output) -> None:
        self._output = output

    def __call__(self, done: int, total: int, path: str) -> None:
        """Programs are told of what is done."""

    def tell(self, happening: Happening) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self._output.json_line({"event": _name(happening), "at": at, **_fields(happening)})


def _name(happening: Happening) -> str:
    return "problem" if isinstance(happening, Trouble) else type(happening).__name__.lower()


def _fields(happening: Happening) -> dict[str, Any]:
    match happening:
        case Started(roots):
            return {"roots": [{"root": root, "how": how} for root, how in roots]}
        case Scanned(root, report, seconds):
            return {"root": root, "notes": report.notes, **asdict(report.counts), "seconds": round(seconds, 3)}
        case Changed(root, paths, report, seconds):
            counts = asdict(report.counts)
            return {"root": root, "paths": list(paths), **counts, "seconds": round(seconds, 3)}
        case Trouble(root, problem):
            return {"root": root or None, **asdict(problem), "path": problem.path or None, "line": problem.line or None}
        case Waiting(root, message):
            return {"root": root, "message": message}
        case Stopped(scans, batches):
            return {"scans": scans, "batches": batches}


def _counted(counts: Counts) -> str:
    named = (("added", counts.added), ("changed", counts.changed), ("moved", counts.moved), ("removed", counts.removed))
    return ", ".join(f"{number:,} {name}" for name, number in named if number) or "nothing new"


def _named(paths: tuple[str, ...]) -> str:
    more = len(paths) - _SHOWN
    return ", ".join(paths[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def _clock() -> str:
    return datetime.now().astimezone().strftime("%H:%M:%S")
