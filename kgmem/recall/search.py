"""Search over several scopes, with what each hit says and where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kgmem.model import Instant
from kgmem.recall.copies import key_of, once
from kgmem.recall.facts import view
from kgmem.recall.fusion import by_rank
from kgmem.recall.names import cards_of, named_exactly
from kgmem.store.protocol import FactQuery, Hit, Placed, Scope, Store

_COPIES: Final = 2
"""Passages that are found for each that is shown: some may be copies of others."""


@dataclass(frozen=True, slots=True)
class Found:
    """A hit that a person can read and open."""

    scope: Scope
    id: str
    text: str
    source: str | None
    line: int | None
    score: float
    root: str = ""
    heading: str = ""
    block: str | None = None
    kind: str = "obsidian"
    copied: str = ""
    """What the copies of a passage have in common: see `kgmem.recall.copies`."""
    also: tuple[tuple[str, str, int], ...] = ()
    """(root, source, line) of each place where else the same passage stands."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "scope": self.scope.value,
            "id": self.id,
            "text": self.text,
            "source": self.source,
            "line": self.line,
            "score": round(self.score, 6),
            **also_json(self.also),
        }


def also_json(places: Sequence[tuple[str, str, int]]) -> dict[str, Any]:
    """Where else a passage stands, in the form that scripts rely on; nothing if nowhere."""
    return {"also": [{"source": source, "line": line} for _, source, line in places]} if places else {}


def search(
    store: Store,
    terms: str,
    scopes: Sequence[Scope],
    limit: int,
    *,
    valid: tuple[int, int] | None = None,
    known: Instant | None = None,
) -> tuple[Found, ...]:
    """The best hits of some scopes, fused by rank; a name that is exactly what was typed comes first.

    Args:
        store: the memory.
        terms: words to look for.
        scopes: where.
        limit: bounds the hits of all scopes together.
        valid: world seconds [from, to): what `Store` says of them.
        known: the recorded instant to search at; now without it.
    """
    hits = {scope: _arm(store, scope, terms, limit, valid=valid, known=known) for scope in scopes}
    scores = by_rank([f"{scope}:{hit.id}" for hit in arm] for scope, arm in hits.items())
    found = [each for scope, arm in hits.items() for each in readable(store, scope, arm, known)]
    ranked = sorted(found, key=lambda each: (-scores[f"{each.scope}:{each.id}"], -each.score, each.scope, each.id))
    kept = once(ranked)[:limit]
    return tuple(replace(each, score=scores[f"{each.scope}:{each.id}"]) for each in kept)


def _arm(
    store: Store, scope: Scope, terms: str, limit: int, *, valid: tuple[int, int] | None, known: Instant | None
) -> list[Hit]:
    wanted = limit * _COPIES if scope is Scope.EPISODES else limit
    hits = list(store.search(scope, terms, wanted, valid=valid, known=known))
    if scope is Scope.ENTITIES:
        exact = named_exactly(store, terms)
        if valid is not None or known is not None:
            seen = cards_of(store, exact, valid=valid, known=known)
            exact = tuple(card.entity.id for card in seen if card.mentions)
        best = max((hit.score for hit in hits), default=0.0)
        distinct = {hit.id: hit for hit in hits}
        named = [Hit(scope, entity, best) for entity in exact]
        hits = named + [hit for hit in distinct.values() if hit.id not in set(exact)]
    return hits


def readable(store: Store, scope: Scope, hits: Sequence[Hit], known: Instant | None) -> list[Found]:
    """What hits of one scope say and where that stands, now or at a recorded instant; without what is not there."""
    if scope is Scope.FACTS:
        return _facts(store, hits, known)
    if scope is Scope.ENTITIES:
        return _entities(store, hits)
    placed = store.placed([hit.id for hit in hits], known=known)
    return [from_passage(placed[hit.id], hit.score) for hit in hits if hit.id in placed]


def from_passage(placed: Placed, score: float) -> Found:
    """A passage as a hit."""
    passage = placed.passage
    return Found(
        Scope.EPISODES, passage.id, passage.text, placed.path, passage.first_line, score, placed.root,
        passage.heading, passage.block, placed.kind, key_of(placed),
    )  # fmt: skip


def _facts(store: Store, hits: Sequence[Hit], known: Instant | None) -> list[Found]:
    scores = {hit.id: hit.score for hit in hits}
    _, facts = store.facts(FactQuery(ids=tuple(scores), known=known)) if scores else (0, ())
    found = []
    for each in view(store, facts, known):
        score = scores[each.fact.id]
        if each.evidence:
            first = each.evidence[0]
            place = (first.path, first.line, score, first.root)
            found.append(Found(Scope.FACTS, each.fact.id, each.says, *place, kind=first.kind))
        else:
            found.append(Found(Scope.FACTS, each.fact.id, each.says, None, None, score))
    return found


def _entities(store: Store, hits: Sequence[Hit]) -> list[Found]:
    scores = {hit.id: hit.score for hit in hits}
    return [
        Found(
            Scope.ENTITIES,
            card.entity.id,
            f"{card.entity.name} ({card.entity.type})",
            None,
            None,
            scores[card.entity.id],
        )
        for card in cards_of(store, list(scores))
    ]
