"""Which of the files that changed have come to rest. Pure but for `look`, which says how a file is now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kgmem.watching.timing import Timing

Look = tuple[int, int] | None
"""(size, time of the last change in nanoseconds) of a file; None where there is none."""


@dataclass(frozen=True, slots=True)
class _Touched:
    first: float
    last: float
    since: float
    """From when on others wait for it."""
    look: Look


@dataclass(frozen=True, slots=True)
class Settled:
    """What to do at some time."""

    rested: frozenset[str] = frozenset()
    """May be read."""
    restless: frozenset[str] = frozenset()
    """Changed a moment ago: not to be read with the others."""


class Settling:
    """Collects paths that changed, and gives them away together once all rest, or the first has waited long enough."""

    def __init__(self, look: Callable[[str], Look], timing: Timing) -> None:
        self._look = look
        self._timing = timing
        self._touched: dict[str, _Touched] = {}

    def __bool__(self) -> bool:
        return bool(self._touched)

    def touch(self, path: str, now: float) -> None:
        """Something happened to a path."""
        before = self._touched.get(path)
        first, since = (before.first, before.since) if before else (now, now)
        self._touched[path] = _Touched(first, now, since, self._look(path))

    def due(self) -> float | None:
        """When to `take`; None if nothing changed."""
        if not self._touched:
            return None
        ready = [self._ready(each) for each in self._touched.values()]
        patience = min(each.since for each in self._touched.values()) + self._timing.patience
        return min(max(ready), max(min(ready), patience))

    def take(self, now: float) -> Settled:
        """What rests, once it is due; what does not is kept, and others wait for it anew."""
        for path, each in self._touched.items():
            if self._ready(each) <= now and (look := self._look(path)) != each.look:  # nobody told of that change
                self._touched[path] = replace(each, last=now, look=look)
        due = self.due()
        if due is None or now < due:
            return Settled()
        left = {path: replace(each, since=now) for path, each in self._touched.items() if self._ready(each) > now}
        rested = self._touched.keys() - left.keys()
        self._touched = left
        return Settled(frozenset(rested), frozenset(left))

    def _ready(self, each: _Touched) -> float:
        return min(each.last + self._timing.settle, each.first + self._timing.restless)
