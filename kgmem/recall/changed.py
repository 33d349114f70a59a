"""What changed: values that followed one another in the world, and beliefs that were given up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from kgmem.model import ALWAYS, FOREVER, Basis, Fact, Id
from kgmem.recall.facts import FactView, view
from kgmem.recall.relations import Ground
from kgmem.store.protocol import FactQuery

_DAY: Final = 86_400
_LOOKED_AT: Final = 2_000
"""Facts of a period that are looked at."""
_MOST: Final = 6
"""Changes that are told."""


def changes(ground: Ground, ids: Sequence[Id]) -> tuple[tuple[FactView, ...], ...]:
    """Values that followed one another, the latest change first; in the time asked about, if it asks about one."""
    facts = [fact for each in ids for fact in ground.facts(each) if fact.subject in ids]
    ordered = sorted(facts, key=lambda fact: (fact.subject, fact.predicate, fact.holds_from, fact.holds_to))
    rows = [list(group) for _, group in groupby(ordered, key=lambda fact: (fact.subject, fact.predicate))]
    changed = [_changed(row, ground) for row in rows]
    told = sorted((row for row in changed if row), key=lambda row: (-_last_edge(row), row[0].predicate))[:_MOST]
    views = iter(view(ground.store, [fact for row in told for fact in row], ground.known))
    return tuple(tuple(next(views) for _ in row) for row in told)


def changes_of_all(ground: Ground) -> tuple[tuple[FactView, ...], ...]:
    """What began or ended in the time asked about, whatever it is of; the latest first, each by itself."""
    _, facts = ground.store.facts(FactQuery(valid=ground.at, links=False, known=ground.known, limit=_LOOKED_AT))
    edged = [(fact, _within(fact, ground)) for fact in facts if not _is_of_one_day(fact)]
    ordered = sorted((pair for pair in edged if pair[1]), key=lambda pair: (-max(pair[1]), pair[0].id))
    views = view(ground.store, [fact for fact, _ in ordered[:_MOST]], ground.known)
    return tuple((each,) for each in views)


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
        return [fact for fact in row if ground.begins(fact) or ground.ends(fact)]
    return list(row[-2:]) if len(row) > 1 and any(_edges(fact) for fact in row) else []


def _edges(fact: Fact) -> tuple[int, ...]:
    return tuple(edge for edge in (fact.holds_from, fact.holds_to) if ALWAYS < edge < FOREVER)


def _last_edge(row: Sequence[Fact]) -> int:
    return max(edge for fact in row for edge in _edges(fact))
