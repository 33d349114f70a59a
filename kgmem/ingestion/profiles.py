"""What the store knows of entities, as resolution compares them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from kgmem.extraction.ontology import Ontology
from kgmem.model import LINKS_TO, AliasKind, Fact, Id
from kgmem.resolution.names import name_key
from kgmem.resolution.profile import Profile, traits
from kgmem.store.protocol import FactQuery, Store

_STRENGTH = {kind: strength for strength, kind in enumerate(AliasKind)}
_FACTS = 400
"""Facts of an entity that are looked at: who has more has the newest like anybody."""
_MARK = "~"
"""Begins the keys under which the bearers of a trait are counted."""
_COUNTED = 1000
"""A trait that so many bear tells nothing."""
EVERY = _MARK
"""The key under which every entity is filed: to count the rows of a table costs a large memory much more."""


def trait_key(trait: str) -> str:
    """The key under which the bearers of a trait are filed."""
    return f"{_MARK}{trait}"


def trait_keys(profile: Profile) -> frozenset[str]:
    """The keys under which an entity is filed to be counted: one for each of its traits, and one for itself."""
    return frozenset((EVERY, *map(trait_key, traits(profile))))


class Bearers:
    """How many entities bear a trait, by what is filed: a `kgmem.resolution.profile.Rarity`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._total = store.filed(EVERY, sys.maxsize)
        self._counts: dict[str, int] = {}

    @property
    def total(self) -> int:
        """How many entities there are."""
        return self._total

    def bearers(self, trait: str) -> int:
        """How many of them have the trait, up to a number that is many."""
        found = self._counts.get(trait)
        if found is None:
            found = self._counts[trait] = self._store.filed(trait_key(trait), _COUNTED)
        return found


class Profiles:
    """Profiles of entities, each made once."""

    def __init__(self, store: Store, ontology: Ontology) -> None:
        self._store = store
        self._ontology = ontology
        self._made: dict[Id, Profile] = {}
        self._passages: dict[Id, frozenset[Id]] = {}

    def of(self, ids: Iterable[Id]) -> Mapping[Id, Profile]:
        """The profiles of entities that are there."""
        wanted = tuple(dict.fromkeys(ids))
        missing = [each for each in wanted if each not in self._made]
        if missing:
            self._make(missing)
        return {each: self._made[each] for each in wanted if each in self._made}

    def pair(self, one: Id, other: Id) -> tuple[Profile, Profile]:
        """Two profiles, which say whether the two are named side by side."""
        a, b = self._made[one], self._made[other]
        if self._passages[one].isdisjoint(self._passages[other]):
            return a, b
        return replace(a, together=frozenset({other})), replace(b, together=frozenset({one}))

    def _make(self, ids: list[Id]) -> None:
        entities = self._store.entities(ids)
        aliases = self._store.aliases_of(ids)
        named = self._store.passages_naming(ids)
        for each in ids:
            entity = entities.get(each)
            if entity is None:
                continue
            _, facts = self._store.facts(FactQuery(about=(each,), limit=_FACTS))
            said, neighbours = self._said(each, facts)
            rows = sorted(aliases.get(each, ()), key=lambda row: (_STRENGTH[row.kind], row.name))
            names = dict.fromkeys((entity.name, *(row.name for row in rows)))
            self._passages[each] = frozenset(named.get(each, {}))
            self._made[each] = Profile(
                id=each,
                type=entity.type,
                type_rank=entity.type_rank,
                subtype=entity.subtype,
                names=tuple(names),
                facts=said,
                single=frozenset(predicate for predicate in said if self._ontology.rule(predicate).single),
                neighbours=neighbours,
                anchored=any(row.kind is AliasKind.TITLE for row in rows),
                sources=frozenset(named.get(each, {}).values()),
            )

    def _said(self, entity: Id, facts: Iterable[Fact]) -> tuple[dict[str, frozenset[str]], frozenset[Id]]:
        """(values by predicate, entities it shares facts with). Bare links only make neighbours."""
        held = list(facts)
        others = {end for fact in held for end in (fact.subject, fact.object) if end and end != entity}
        names = {each.id: name_key(each.name) for each in self._store.entities(others).values()}
        said: dict[str, set[str]] = defaultdict(set)
        for fact in held:
            if fact.predicate == LINKS_TO:
                continue
            if fact.subject != entity:
                said[f"{fact.predicate} of"].add(names.get(fact.subject, ""))
            elif fact.object:
                said[fact.predicate].add(names.get(fact.object, ""))
            else:
                said[fact.predicate].add(name_key(fact.value or ""))
        return {predicate: frozenset(values) for predicate, values in said.items()}, frozenset(others)
