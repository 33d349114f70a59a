"""What changed: values that followed one another in the world, and beliefs that were given up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from kgmem.model import ALWAYS, FOREVER, Basis, Fact, Id
from kgmem.recall.facts import FactView, view
from kgmem.recall.relations import Ground
from kgmem.recall.wording import ends
from kgmem.store.protocol import FactQuery

_DAY: Final = 86_400
_LOOKED_AT: Final = 2_000
"""Facts of a period that are looked at."""
_MOST: Final = 12
"""Rows that are told."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed: rows of values that followed one another, the latest change first."""

    rows: tuple[tuple[FactView, ...], ...]
    """Those that are told."""
    total: int
    """How many rows there are."""
    more: bool = False
    """There may be others, for not all facts of the time were looked at."""

    @property
    def facts(self) -> tuple[FactView, ...]:
        """All that are told."""
        return tuple(fact for row in self.rows for fact in row)


def changes(ground: Ground, ids: Sequence[Id]) -> Changes:
    """Values that followed one another, the latest change first; in the time asked about, if it asks about one.

    Where none did, what began or ended on a date that somebody stated.
    """
    facts = [fact for each in ids for fact in ground.facts(each) if fact.subject in ids]
    ordered = sorted(facts, key=lambda fact: (fact.subject, fact.predicate, fact.holds_from, fact.holds_to))
    rows = [list(group) for _, group in groupby(ordered, key=lambda fact: (fact.subject, fact.predicate))]
    changed = [_changed(row, ground) for row in rows]
    if not any(changed) and not ground.dated:
        changed = [[fact] for fact in facts if _is_dated(fact) and not ground.cues.is_timeless(fact.predicate)]
    return _told(sorted((row for row in changed if row), key=lambda row: (-_last_edge(row), row[0].predicate)), ground)


def changes_of_all(ground: Ground) -> Changes:
    """What began or ended in the time asked about, whatever it is of."""
    total, facts = ground.store.facts(FactQuery(valid=ground.at, links=False, known=ground.known, limit=_LOOKED_AT))
    edges = {fact: _within(fact, ground) for fact in facts if not _is_of_one_day(fact)}
    slots: dict[Id, list[Fact]] = {}
    for fact in sorted((each for each, within in edges.items() if within), key=lambda each: (each.holds_from, each.id)):
        slots.setdefault(fact.slot, []).append(fact)
    last = {slot: max(edge for fact in row for edge in edges[fact]) for slot, row in slots.items()}
    rows = [slots[slot] for slot in sorted(slots, key=lambda slot: (-last[slot], slot))]
    return replace(_told(rows, ground), more=total > len(facts))


def _told(rows: Sequence[Sequence[Fact]], ground: Ground) -> Changes:
    told = rows[:_MOST]
    views = iter(view(ground.store, [fact for row in told for fact in row], ground.known))
    return Changes(tuple(tuple(next(views) for _ in row) for row in told), len(rows))


def _within(fact: Fact, ground: Ground) -> tuple[int, ...]:
    """The stated ends of a fact that lie in the time asked about."""
    stated = (
        (fact.valid.start, fact.holds_from, ground.begins(fact)),
        (fact.valid.end, fact.holds_to, ground.ends(fact)),
    )
    return tuple(edge for bound, edge, within in stated if within and bound.basis is Basis.STATED)


def _is_of_one_day(fact: Fact) -> bool:
    """Whether it never went on: the mood of a day."""
    return fact.holds_to - fact.holds_from <= _DAY


def _changed(row: Sequence[Fact], ground: Ground) -> list[Fact]:
    """Of values in the order of time those that gave way to another, or came in its place."""
    if ground.dated:
        return [fact for fact in row if _is_edged(fact, ground)]
    return list(row[-2:]) if len(row) > 1 and any(_edges(fact) for fact in row) else []


def _is_edged(fact: Fact, ground: Ground) -> bool:
    """Whether an end of a fact that a person may be shown lies in the time asked about: a file's time is none."""
    start, end = ends(fact)
    return bool((start.shown and ground.begins(fact)) or (end.shown and ground.ends(fact)))


def _is_dated(fact: Fact) -> bool:
    stated = any(each.moment and each.basis is Basis.STATED for each in (fact.valid.start, fact.valid.end))
    return stated and not _is_of_one_day(fact) and bool(_edges(fact))


def _edges(fact: Fact) -> tuple[int, ...]:
    return tuple(edge for edge in (fact.holds_from, fact.holds_to) if ALWAYS < edge < FOREVER)


def _last_edge(row: Sequence[Fact]) -> int:
    return max((edge for fact in row for edge in _edges(fact)), default=ALWAYS)
