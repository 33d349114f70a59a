"""What notes disagree on: values that contradict each other for the same date, and names that several things bear."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kgmem.beliefs.spans import is_undated, span_of
from kgmem.extraction.marks import is_free, link_spans
from kgmem.model import UNDATED, Claim, Entity, Fact, Id, Period, unique
from kgmem.recall.facts import FactView, entity_json, evidence_json, view
from kgmem.recall.names import cards_of
from kgmem.recall.pairs import Quote, named_json, quote_at
from kgmem.store.protocol import EntityCard, Evidence, FactQuery, Placed, Scope, Store

_LOOKED_AT: Final = 200
"""Passages with a word of an ambiguous name that are read to see whether they mean nobody."""
_OWN: Final = frozenset({"title", "heading", "property"})
"""Kinds of passages in which a note speaks of itself."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A value that claims give in place of what is believed."""

    claim: Claim
    """The first claim that gives it."""
    object: Entity | None
    evidence: tuple[Evidence, ...]

    @property
    def id(self) -> Id:
        """A name for it: that of its claim."""
        return self.claim.id

    @property
    def target(self) -> str:
        """The name of the object, or the value."""
        return self.object.name if self.object else self.claim.value or ""

    @property
    def period(self) -> Period:
        """When it would hold, as far as the claim itself says so."""
        span = None if is_undated(self.claim) else span_of(self.claim)
        return Period(span.begin, span.end) if span else UNDATED

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "id": self.id,
            "object": entity_json(self.object) if self.object else None,
            "value": self.claim.value,
            "says": self.claim.statement,
            "valid_from": self.period.start.shown,
            "valid_to": self.period.end.shown,
            "evidence": [evidence_json(each) for each in self.evidence],
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """A fact that is believed, though other claims of the same world date say otherwise."""

    view: FactView
    rivals: tuple[Rival, ...]

    @property
    def id(self) -> Id:
        """A name for it: that of the fact."""
        return self.view.fact.id

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "id": self.id,
            "fact": self.view.as_json(),
            "says": self.view.says,
            "rivals": [rival.as_json() for rival in self.rivals],
        }


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name that several entities bear, so that a text which does not link means nobody by it."""

    name: str
    cards: tuple[EntityCard, ...]
    """Who bears it, the most mentioned first."""
    open: tuple[Quote, ...]
    """Where a text uses it, and nothing settles who is meant."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "name": self.name,
            "entities": [named_json(card) for card in self.cards],
            "open": [{"source": each.path, "line": each.line, "quote": each.text} for each in self.open],
        }


def find_conflicts(store: Store) -> tuple[Conflict, ...]:
    """Every fact that is believed and disputed, by subject, predicate and date."""
    _, facts = store.facts(FactQuery(links=False))
    return _conflicts(store, [fact for fact in facts if fact.rivals])


def still_open(store: Store, conflict: Conflict) -> Conflict | None:
    """A conflict as it is now; None if nothing disputes the fact any more, or it is not believed."""
    fact = conflict.view.fact
    held = store.open_facts([fact.slot]).get(fact.slot, ())
    same = [each for each in held if each.rivals and _saying(each) == _saying(fact)]
    found = _conflicts(store, same[:1])
    return found[0] if found else None


def _saying(fact: Fact) -> tuple[object, ...]:
    return fact.object, fact.value, fact.holds_from


def _conflicts(store: Store, facts: Sequence[Fact]) -> tuple[Conflict, ...]:
    claims = {c.id: c for each in store.claims(slots=unique(f.slot for f in facts)).values() for c in each}
    entities = store.entities(unique(claim.object for claim in claims.values() if claim.object))
    found = ((each, tuple(_rivals(each, claims, entities))) for each in view(store, facts))
    return tuple(Conflict(each, rivals) for each, rivals in found if rivals)


def _rivals(each: FactView, claims: Mapping[Id, Claim], entities: Mapping[Id, Entity]) -> Iterator[Rival]:
    """What is claimed in place of a fact, value by value."""
    by_target: dict[str, list[Evidence]] = {}
    for evidence in each.rivals:
        claim = claims.get(evidence.claim)
        if claim is not None and claim.target and (claim.object, claim.value) != (each.fact.object, each.fact.value):
            by_target.setdefault(claim.target, []).append(evidence)
    for some in by_target.values():
        first = claims[some[0].claim]
        yield Rival(first, entities.get(first.object) if first.object else None, tuple(some))


# -- names


def find_ambiguous(store: Store) -> tuple[AmbiguousName, ...]:
    """Every name that several entities own, those that texts use without a link first."""
    names: dict[str, str] = {}
    owners: dict[str, dict[Id, None]] = {}
    for naming in store.anchors():
        names.setdefault(naming.alias.key, naming.alias.name)
        owners.setdefault(naming.alias.key, {})[naming.entity.id] = None
    several = {key: tuple(ids) for key, ids in owners.items() if len(ids) > 1}
    found = [
        AmbiguousName(names[key], _most_mentioned(store, ids), tuple(_open(store, names[key])))
        for key, ids in several.items()
    ]
    return tuple(sorted(found, key=lambda each: (-len(each.open), each.name)))


def _most_mentioned(store: Store, ids: Sequence[Id]) -> tuple[EntityCard, ...]:
    return tuple(sorted(cards_of(store, ids), key=lambda card: -card.mentions))


def _open(store: Store, name: str) -> Iterator[Quote]:
    """Where a text uses a name, and no entity was taken to be meant; one place for each sentence."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    hits = store.search(Scope.EPISODES, name, _LOOKED_AT)
    placed = store.placed([hit.id for hit in hits])
    using = [each for each in placed.values() if each.passage.kind not in _OWN and word.search(each.passage.text)]
    taken = _taken(store, unique(each.passage.source for each in using))
    quotes = (
        quote_at(each, *match.span())
        for each in sorted(using, key=_place)
        for match in word.finditer(each.passage.text)
        if is_free(*match.span(), taken.get(each.passage.id, []), link_spans(each.passage.text))
    )
    yield from unique(quotes)


def _taken(store: Store, sources: Iterable[Id]) -> dict[Id, list[tuple[int, int]]]:
    """The spans of passages that name an entity."""
    spans: dict[Id, list[tuple[int, int]]] = {}
    for source in sources:
        for mention in store.mentions_in(source):
            spans.setdefault(mention.passage, []).append((mention.start, mention.end))
    return spans


def _place(placed: Placed) -> tuple[str, str, int]:
    return placed.root, placed.path, placed.passage.first_line
