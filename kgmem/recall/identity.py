"""Who a name meant before: entities of which no note speaks any more, and those that their names mean now.

A name that no note is about stands for itself. When a note about it is made, the name means the entity of that note
from then on, and its claims are made again of that one; when the note goes, the name stands for itself again. To a
person that is one entity all along, so what was believed of either is told of the one that the name means now. Two
that had a note each are two, whatever they are called.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from kgmem.model import EntityType, Fact, Id, Instant, unique
from kgmem.recall.names import best_first
from kgmem.resolution.names import name_key
from kgmem.store.protocol import EntityQuery, Neighbour, Store

_ALL: Final = 2**31


def successors(store: Store, facts: Iterable[Fact]) -> dict[Id, Id]:
    """Of the entities in facts, those that nothing is called any more, each with the one that its name means now."""
    return _successors(store, (each for fact in facts for each in (fact.subject, fact.object) if each is not None))


def formerly(store: Store, entity: Id) -> tuple[Id, ...]:
    """The entities that the names of one meant before it, and that nothing is called any more."""
    known = store.entities([entity]).get(entity)
    if known is None:
        return ()
    own = name_key(known.name)
    keys = unique((own, *(alias.key for alias in store.aliases_of([entity]).get(entity, ()))))
    once = {each for key in keys for each in _alone(key)} - {entity}
    if entity in _alone(own):
        _, everyone = store.cards(EntityQuery(hidden=True))
        once |= {card.entity.id for card in everyone if not card.mentions and name_key(card.entity.name) == own}
    elif not store.namings([own]):
        return tuple(sorted(store.entities(once)))
    found = _successors(store, store.entities(once))
    return tuple(sorted(former for former, now in found.items() if now == entity))


def as_now(facts: Iterable[Fact], now: Mapping[Id, Id]) -> list[Fact]:
    """Facts of former entities as facts of those that their names mean now."""
    ids = (
        (fact, now.get(fact.subject, fact.subject), fact.object and now.get(fact.object, fact.object)) for fact in facts
    )
    return [
        fact if (fact.subject, fact.object) == (subject, target) else replace(fact, subject=subject, object=target)
        for fact, subject, target in ids
    ]


def neighbours(
    store: Store, entity: Id, limit: int, *, valid: tuple[int, int] | None = None, known: Instant | None = None
) -> tuple[int, tuple[Neighbour, ...]]:
    """(total, nearest): those of `Store.neighbours`, at a recorded instant with former entities under present ones."""
    if known is None:
        return store.neighbours(entity, limit, valid=valid)
    former = formerly(store, entity)
    near = [
        each for one in (entity, *former) for each in store.neighbours(one, _ALL, valid=valid, known=known)[1]
    ]  # fmt: skip
    now = _successors(store, (each.entity.id for each in near))
    entities = {each.entity.id: each.entity for each in near} | dict(store.entities(now.values()))
    found: dict[Id, Neighbour] = {}
    for each in near:
        one = now.get(each.entity.id, each.entity.id)
        held = found.get(one, Neighbour(entities[one], 0, 0))
        found[one] = Neighbour(entities[one], held.facts + each.facts, held.passages + each.passages)
    others = [each for one, each in found.items() if one not in (entity, *former)]
    others.sort(key=lambda each: (-each.facts, -each.passages, each.entity.name, each.entity.id))
    return len(others), tuple(others[:limit])


def _successors(store: Store, entities: Iterable[Id]) -> dict[Id, Id]:
    keys = {each.id: name_key(each.name) for each in store.entities(unique(entities)).values()}
    namings = store.namings(unique(keys.values()), strongest=True)
    found: dict[Id, Id] = {}
    for entity, key in keys.items():
        bearers = best_first([key], namings)
        if bearers and entity not in bearers and not _alone(key).isdisjoint((entity, bearers[0])):
            found[entity] = bearers[0]
    return found


def _alone(key: str) -> frozenset[Id]:
    """The ids under which a name may stand for itself."""
    from kgmem.resolution.directory import named_entity  # here: what only asks about now does without it

    return frozenset((named_entity(key), *(named_entity(key, kind) for kind in EntityType)))
