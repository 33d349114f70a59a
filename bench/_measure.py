"""What the benchmarks of speed share: a program run as a person runs it, its cost, and a table of figures.

Costs are CPU seconds, which other work on a shared machine disturbs least, and targets are ratios of two of them in
one run. A process is waited for by its own number, so its cost includes the worker processes that it waited for.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Spent:
    """What one process cost."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    """Seconds on the clock."""
    peak: int
    """Bytes of memory at most, of the process or the largest of its workers, whichever is larger.

    The benchmark's own memory when it started the process counts too: keep it small.
    """
    output: str


def run(*arguments: str | Path) -> Spent:
    """Run Python with these arguments at the root of the project, with none of the user's own settings.

    Those of Python neither: one that forbids it to keep compiled modules would have every start compile the program
    anew, as no installed program does.

    Raises:
        RuntimeError: it failed; the message is what it said.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("KGMEM_", "PYTHON"))}
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *map(str, arguments)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None  # noqa: S101 - for the type checker
    with process.stdout:
        output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))} gave {process.returncode}: {output}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Spent(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * unit, output)


class Program:
    """kgmem with a store and a configuration of its own in a folder."""

    def __init__(self, folder: Path, *, processes: int = 1, settings: str = "", embedding: str = "none") -> None:
        """Give it a folder; `settings` are lines of TOML that stand before any section; `embedding` names a model."""
        self._store = folder / "memory" / "memory.db"
        self._config = folder / "config.toml"
        text = f'{settings}\n[nlp]\nprocesses = {processes}\n\n[embedding]\nmodel = "{embedding}"\n'
        self._config.write_text(text, encoding="utf-8")

    def __call__(self, *arguments: str | Path) -> Spent:
        """Run one command."""
        options = ("--store", self.url, "--config", self._config)
        return run("-m", "kgmem", *options, *arguments)

    def forget(self) -> None:
        """Begin again with no store."""
        shutil.rmtree(self._store.parent, ignore_errors=True)

    @property
    def url(self) -> str:
        """Where the store is."""
        return f"sqlite:///{self._store}"

    @property
    def size(self) -> int:
        """Bytes of the store."""
        return sum(each.stat().st_size for each in self._store.parent.iterdir())


def median_cpu(runs: Sequence[Callable[[], Spent]], times: int) -> list[float]:
    """The median CPU of each, after one run that warms up; they take turns, so that a busy minute hits all alike."""
    for one in runs:
        one()
    rounds = [[one().cpu for one in runs] for _ in range(times)]
    return [statistics.median(costs) for costs in zip(*rounds, strict=True)]


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of the table; without a target it is there to be compared with."""

    what: str
    value: str
    target: str = ""
    met: bool = True


def at_most(what: str, value: float, limit: float, shown: str = "{:.2f}") -> Figure:
    """A figure that must not be larger than a limit."""
    return Figure(what, shown.format(value), f"at most {shown.format(limit)}", value <= limit)


def at_least(what: str, value: float, limit: float, shown: str = "{:.2f}") -> Figure:
    """A figure that must not be smaller than a limit."""
    return Figure(what, shown.format(value), f"at least {shown.format(limit)}", value >= limit)


def show(title: str, figures: Iterable[Figure]) -> None:
    """Print figures under a title."""
    rows = list(figures)
    wide = max(len(row.what) for row in rows)
    print(f"\n{title}")
    for row in rows:
        verdict = f"{row.target:18} {'met' if row.met else 'MISSED'}" if row.target else ""
        print(f"  {row.what:{wide}}  {row.value:>18}  {verdict}".rstrip())


def machine() -> str:
    """The machine in words, without its name."""
    cores = os.cpu_count() or 1
    return f"{cores} cores, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
