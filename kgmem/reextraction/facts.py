"""What was believed about a slot at every recorded instant, from the lives of its claims: as rows of a dump."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kgmem.beliefs import Refolded, RuleOf, rebuild
from kgmem.model import OPEN, Bound, Claim, Fact, Id, Instant
from kgmem.store.lines import show_bound

Life = tuple[Claim, tuple[tuple[Instant, Bound | None], ...]]
"""(claim, when and how it ended)."""


@dataclass(slots=True)
class _Version:
    """A fact as it is believed for a time, with what it rests on."""

    fact: Fact
    closed_at: Instant = OPEN
    evidence: dict[tuple[Id, bool, Instant], Instant] = field(default_factory=dict)
    """(claim, whether it says otherwise, since when), until when."""


def believed(slot: Id, lives: Sequence[Life], rule_of: RuleOf) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """(facts, evidence) of a slot, as rows of a dump."""
    versions: dict[Id, _Version] = {}
    for at, change in rebuild(slot, _history(lives), rule_of):
        _apply(versions, at, change)
    evidence = [
        {"fact": name, "claim": claim, "rival": int(rival), "recorded_at": since, "closed_at": until}
        for name, version in versions.items()
        for (claim, rival, since), until in version.evidence.items()
    ]
    return [_row(version) for version in versions.values()], evidence


def _history(lives: Sequence[Life]) -> Iterator[tuple[Instant, list[Claim]]]:
    """For each instant at which claims came or ended, those that were in the fold after it."""
    instants = {claim.recorded_at for claim, _ in lives} | {at for _, ended in lives for at, _ in ended}
    for now in sorted(instants):
        yield now, [claim for life in lives if (claim := _as_of(life, now)) is not None]


def _as_of(life: Life, now: Instant) -> Claim | None:
    claim, ended = life
    if claim.recorded_at > now:
        return None
    replaced = None
    for at, bound in ended:
        if at <= now:
            if bound is None:
                return None
            replaced = bound
    return replace(claim, replaced=replaced)


def _apply(versions: dict[Id, _Version], at: Instant, change: Refolded) -> None:
    for gone in change.closed:
        versions[gone].closed_at = at
    for fact in change.opened:
        rests = [*((claim, False) for claim in fact.evidence), *((claim, True) for claim in fact.rivals)]
        versions[fact.id] = _Version(fact, evidence={(claim, rival, at): OPEN for claim, rival in rests})
    for name, claims in change.supported:
        _support(versions[name].evidence, at, claims)


def _support(rows: dict[tuple[Id, bool, Instant], Instant], at: Instant, claims: Iterable[Id]) -> None:
    """As a store writes it: claims that say otherwise stay, unless they are among these."""
    wanted = set(claims)
    standing = [row for row, until in rows.items() if until == OPEN]
    resting = {claim for claim, rival, _ in standing if not rival}
    for row in standing:
        if row[1] == (row[0] in wanted):
            rows[row] = at
    for claim in wanted - resting:
        rows.setdefault((claim, False, at), OPEN)


def _row(version: _Version) -> dict[str, Any]:
    fact = version.fact
    return {
        "id": fact.id, "slot": fact.slot, "subject": fact.subject, "predicate": fact.predicate, "object": fact.object,
        "value": fact.value, "statement": fact.statement, "valid_from": show_bound(fact.valid.start),
        "valid_to": show_bound(fact.valid.end), "holds_from": fact.holds_from, "holds_to": fact.holds_to,
        "confidence": fact.confidence, "recorded_at": fact.recorded_at, "closed_at": version.closed_at,
    }  # fmt: skip
