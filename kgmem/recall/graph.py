"""Which passages are near what a question is about, over the graph of passages and entities.

Personalized PageRank as HippoRAG ranks passages by it (Gutiérrez and others, NeurIPS 2024), over the ties that ingest
made, with or without a model. Only the neighbourhood that matters is read, and only as far as it matters: what is left
to spread goes on from where there is most of it (Andersen, Chung and Lang, FOCS 2006). A question costs what the
answer needs to be exact, not what the memory holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log

from kgmem.model import Id, Instant
from kgmem.recall.weights import GraphWeights
from kgmem.store.graph import Graph, Tie

_Shares = list[tuple[Id, float]]
"""Whom a part of what arrives goes to, and how large a part."""


def weight_of(tie: Tie, weights: GraphWeights) -> float:
    """How strongly a passage is tied to an entity, against its other ties: the less it is named, the more it says."""
    return (weights.own if tie.own else 1.0) / log(1.5 + tie.named)


def walk(
    graph: Graph,
    entities: Mapping[Id, float],
    passages: Mapping[Id, float],
    *,
    weights: GraphWeights,
    words: Mapping[Id, float] | None = None,
    valid: tuple[int, int] | None = None,
    known: Instant | None = None,
) -> dict[Id, float]:
    """Passages by how much of a walk that begins at the seeds again and again is spent at each.

    Args:
        graph: of the memory; it is asked once a round.
        entities: seeds, and how likely the walk begins there; with `passages` they sum to 1 at most.
        passages: seeds too.
        weights: how far it goes, and along what.
        words: passages by how well their words fit, from 0 to 1: of the passages of an entity it prefers these.
        valid: world seconds [from, to), as `Store` takes them.
        known: the recorded instant to ask about; now without it.
    """
    return _Walk(weights, words or {}, entities, passages).go(graph, valid, known)


@dataclass(slots=True)
class _Side:
    """The passages, or the entities, that the walk came to."""

    left: dict[Id, float]
    """What is still to be spread."""
    settled: dict[Id, float] = field(default_factory=lambda: defaultdict(float))
    shares: dict[Id, _Shares] = field(default_factory=dict)
    """Of those that were read."""


class _Walk:
    def __init__(
        self,
        weights: GraphWeights,
        words: Mapping[Id, float],
        entities: Mapping[Id, float],
        passages: Mapping[Id, float],
    ) -> None:
        self._weights = weights
        self._words = words
        self._named: dict[Id, int] = {}
        self._texts = _Side(defaultdict(float, passages))
        self._things = _Side(defaultdict(float, entities))

    def go(self, graph: Graph, valid: tuple[int, int] | None, known: Instant | None) -> dict[Id, float]:
        for _ in range(self._weights.rounds):
            texts, things = self._ready()
            if not texts and not things:
                break
            new_texts = [each for each in texts if each not in self._texts.shares]
            new_things = [each for each in things if each not in self._things.shares]
            if new_texts or new_things:
                most = self._weights.most
                self._learn(
                    new_texts,
                    new_things,
                    graph.ties(passages=new_texts, entities=new_things, most=most, valid=valid, known=known),
                )
            from_texts, from_things = _taken(self._texts, texts), _taken(self._things, things)
            _spread(from_things, self._things, self._texts, self._weights.damping)
            _spread(from_texts, self._texts, self._things, self._weights.damping)
        return dict(self._texts.settled)

    def _ready(self) -> tuple[list[Id], list[Id]]:
        """The (passages, entities) with enough left to go on from."""
        least = self._weights.least
        texts = [each for each, left in self._texts.left.items() if left > least]
        things = [each for each, left in self._things.left.items() if left > least * self._named.get(each, 1)]
        return texts, things

    def _learn(self, texts: Iterable[Id], things: Iterable[Id], ties: Iterable[Tie]) -> None:
        """Note where passages and entities lead."""
        from_text: dict[Id, _Shares] = {each: [] for each in texts}
        from_thing: dict[Id, _Shares] = {each: [] for each in things}
        for tie in ties:
            self._named[tie.entity] = tie.named
            if tie.passage in from_text:
                from_text[tie.passage].append((tie.entity, weight_of(tie, self._weights)))
            if tie.entity in from_thing:
                fits = 1 + self._weights.words * self._words.get(tie.passage, 0.0)
                from_thing[tie.entity].append((tie.passage, fits * (self._weights.own if tie.own else 1.0)))
        self._texts.shares.update((each, _whole(shares)) for each, shares in from_text.items())
        self._things.shares.update((each, _whole(shares)) for each, shares in from_thing.items())


def _whole(parts: _Shares) -> _Shares:
    """Parts of one."""
    total = sum(part for _, part in parts)
    return [(each, part / total) for each, part in parts]


def _taken(side: _Side, ready: Iterable[Id]) -> _Shares:
    """What is left at some, which is to be spread."""
    return [(each, side.left.pop(each)) for each in ready]


def _spread(taken: _Shares, side: _Side, other: _Side, damping: float) -> None:
    """Settle what the walk loses on one side, and let the rest arrive on the other."""
    arrived = other.left
    for each, left in taken:
        side.settled[each] += (1 - damping) * left
        onward = damping * left
        for target, part in side.shares[each]:
            arrived[target] += onward * part
