"""A bar for work in stages, on a terminal: what is done now, how much of how much, and the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kgmem.cli.output import Output

Stages = Callable[[str, int, int], None]
"""Told (what is done now, how much of it, of how much; 0 while nobody knows)."""


@contextmanager
def stages(output: Output, first: str = "reading") -> Iterator[Stages]:
    """The bar, which goes once the work is done; where nobody looks, nothing."""
    if output.quiet or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first, total=None)

        def tell(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total or None)

        yield tell


def _silent(_stage: str, _done: int, _total: int) -> None:
    pass
