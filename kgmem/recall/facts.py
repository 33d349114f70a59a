"""Facts as people and programs read them: with names, dates, and where each was written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kgmem.model import (
    FOREVER,
    OPEN,
    RUNGS_JOINED,
    UNKNOWN,
    Basis,
    Entity,
    Fact,
    Id,
    Instant,
    Period,
    show_instant,
    show_second,
    unique,
)
from kgmem.recall.identity import as_now, formerly, successors
from kgmem.recall.wording import ends
from kgmem.store.protocol import Evidence, FactQuery, Store

_MOST: Final = 100
"""Facts about one thing that an answer looks at, beside those that it is the subject of."""
_MOST_OF_ONE: Final = 200
"""The same, of one predicate."""


@dataclass(frozen=True, slots=True)
class FactView:
    """A fact with its entities and its evidence resolved."""

    fact: Fact
    subject: Entity
    object: Entity | None
    evidence: tuple[Evidence, ...]
    rivals: tuple[Evidence, ...]
    superseded_by: Id | None
    """The fact of the slot that holds next in world time, with another value."""

    @property
    def says(self) -> str:
        """What is believed, as a sentence."""
        return self.fact.statement

    def holds_in(self, valid: tuple[int, int]) -> bool:
        """Whether it holds at some second of ``[from, to)``."""
        return self.fact.holds_from < valid[1] and valid[0] < self.fact.holds_to

    @property
    def target(self) -> str:
        """The name of the object, or the value."""
        return self.object.name if self.object else self.fact.value or ""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        fact = self.fact
        start, end = ends(fact)
        return {
            "id": fact.id,
            "subject": entity_json(self.subject),
            "predicate": fact.predicate,
            "object": entity_json(self.object) if self.object else None,
            "value": fact.value,
            "statement": fact.statement,
            "valid_from": start.shown,
            "valid_from_basis": start.basis.value,
            "valid_to": end.shown,
            "valid_to_basis": end.basis.value if fact.holds_to < FOREVER else None,
            "holds": [show_second(fact.holds_from), show_second(fact.holds_to)],
            "recorded_at": show_instant(fact.recorded_at),
            "closed_at": None if fact.closed_at >= OPEN else show_instant(fact.closed_at),
            "superseded_by": self.superseded_by,
            "confidence": fact.confidence,
            "disputed": bool(self.rivals),
            "rivals": [evidence_json(each) for each in self.rivals],
            "evidence": [evidence_json(each) for each in self.evidence],
        }


def entity_json(entity: Entity) -> dict[str, str]:
    """An entity as it stands in a fact."""
    return {"id": entity.id, "name": entity.name, "type": entity.type.value}


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """A citation."""
    rung, *agreed = evidence.rung.split(RUNGS_JOINED)
    return {
        "source": evidence.path, "line": evidence.line, "quote": evidence.quote,
        "rung": rung, "agreed": agreed, "confidence": evidence.confidence,
    }  # fmt: skip


def find_facts(store: Store, query: FactQuery) -> tuple[int, tuple[FactView, ...]]:
    """(total, facts that a query asks for)."""
    total, facts = store.facts(query)
    return total, view(store, facts, query.known)


def current_facts(
    store: Store, entity: Id, *, valid: tuple[int, int] | None = None, known: Instant | None = None
) -> tuple[FactView, ...]:
    """What is believed of an entity, as subject or object, but for bare links.

    At a recorded instant also what was believed of whom its names meant then: see `kgmem.recall.identity`.
    """
    return view(store, facts_about(store, entity, valid=valid, known=known), known)


def facts_about(
    store: Store, entity: Id, *, valid: tuple[int, int] | None = None, known: Instant | None = None
) -> tuple[Fact, ...]:
    """The same without names and evidence, which take most of the time."""
    about = (entity,) if known is None else (entity, *formerly(store, entity))
    _, facts = store.facts(FactQuery(about=about, links=False, valid=valid, known=known))
    if known is None:
        return tuple(facts)
    return tuple(as_now(facts, {**successors(store, facts), **dict.fromkeys(about[1:], entity)}))


def some_about(
    store: Store,
    entity: Id,
    *,
    predicate: str | None = None,
    valid: tuple[int, int] | None = None,
    known: Instant | None = None,
) -> tuple[int, tuple[Fact, ...]]:
    """(how many there are, the facts of `facts_about`), of a predicate if one is given.

    Of a thing that very many facts are about, a town or a firm: all those that it is the subject of, and a hundred
    of the others.
    """
    about = (entity,) if known is None else (entity, *formerly(store, entity))
    most = _MOST if predicate is None else _MOST_OF_ONE
    query = FactQuery(about=about, predicate=predicate, links=False, valid=valid, known=known, limit=most)
    total, facts = store.facts(query)
    if total > len(facts):
        own = (store.facts(replace(query, about=None, subject=each, limit=None))[1] for each in about)
        facts = unique((*(fact for some in own for fact in some), *facts))
    if known is not None:
        facts = tuple(as_now(facts, {**successors(store, facts), **dict.fromkeys(about[1:], entity)}))
    return total, tuple(facts)


class About:
    """What `some_about` gives of things at all times, read once for each.

    Args:
        store: the memory.
        known: the recorded instant asked about; now without it.
    """

    def __init__(self, store: Store, known: Instant | None) -> None:
        self._store = store
        self._known = known
        self._read: dict[tuple[Id, str | None], tuple[int, tuple[Fact, ...]]] = {}

    def __call__(self, entity: Id, predicate: str | None = None) -> tuple[int, tuple[Fact, ...]]:
        """(how many there are, facts about an entity), of a predicate if one is given."""
        if (entity, predicate) not in self._read:
            self._read[entity, predicate] = some_about(self._store, entity, predicate=predicate, known=self._known)
        return self._read[entity, predicate]


def view(store: Store, facts: Sequence[Fact], known: Instant | None = None) -> tuple[FactView, ...]:
    """Facts with everything resolved, in a few reads for all of them together."""
    entities = store.entities(unique(i for f in facts for i in (f.subject, f.object) if i is not None))
    cited = store.evidence(unique(claim for fact in facts for claim in (*fact.evidence, *fact.rivals)))
    ended = unique(fact.slot for fact in facts if fact.holds_to < FOREVER)
    _, others = store.facts(FactQuery(slots=ended, known=known)) if ended else (0, ())
    by_slot: dict[Id, list[Fact]] = {}
    for other in {other.id: other for other in (*others, *facts)}.values():
        by_slot.setdefault(other.slot, []).append(other)
    current = {other.id for other in others}
    return tuple(
        FactView(
            fact=_without_file_date(fact, by_slot.get(fact.slot, ())),
            subject=entities[fact.subject],
            object=entities[fact.object] if fact.object else None,
            evidence=_cite(fact.evidence, cited),
            rivals=_cite(fact.rivals, cited),
            superseded_by=_next(fact, (o for o in by_slot.get(fact.slot, ()) if o.id in current)),
        )
        for fact in facts
    )


def _cite(claims: Iterable[Id], cited: Mapping[Id, Evidence]) -> tuple[Evidence, ...]:
    found = [cited[claim] for claim in claims if claim in cited]
    return tuple(sorted(found, key=lambda e: (not e.live, e.path, e.line, e.claim)))


def _without_file_date(fact: Fact, others: Iterable[Fact]) -> Fact:
    """A fact whose start is where another ended that ended by a file's time: that orders, and is never shown."""
    if fact.valid.start != UNKNOWN or fact.holds_to >= FOREVER:
        return fact
    before = (
        other.valid.end
        for other in others
        if other.holds_to == fact.holds_from
        and other.recorded_at < fact.closed_at
        and fact.recorded_at < other.closed_at
    )
    bound = next((end for end in before if end.basis is Basis.FILE), None)
    return replace(fact, valid=replace(fact.valid, start=bound)) if bound else fact


def _next(fact: Fact, others: Iterable[Fact]) -> Id | None:
    later = [
        other
        for other in others
        if other.holds_from >= fact.holds_to
        and (other.object, other.value) != (fact.object, fact.value)
    ]  # fmt: skip
    return min(later, key=lambda other: (other.holds_from, other.id)).id if later else None


def world_range(period: Period) -> tuple[int, int]:
    """The world seconds that a date or period asks about; an unknown end is open."""
    start, end = period.start.moment, period.end.moment
    return (start.first if start else -FOREVER), (end.past if end else FOREVER)
