"""Reading ahead: what a writer of sources asks for next comes with what it asks for first.

A server answers a query in a fraction of the time that the way there and back takes. While a transaction holds the
group's lock, nobody else writes: what was read stays true until its own change set says otherwise. So the answers to
questions that always follow each other are fetched together, those about the sources of a batch for all of them at
once, and kept until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from kgmem.model import OPEN, Alias, AliasKind, Claim, Entity, Episode, Fact, Id, unique
from kgmem.store.changes import ChangeSet
from kgmem.store.neo4j import read_beliefs, read_names, read_texts
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.held import source_of
from kgmem.store.neo4j.then import NOW
from kgmem.store.protocol import Coming

_SOURCES: Final = f"""
CALL () {{
  UNWIND $sources AS source WITH source, $group + '/' + source AS key
  CALL (key) {{
    MATCH (s:Source {{key: key}})-[h:CURRENT]->(e:Episode) RETURN collect([{read_texts.EPISODE}]) AS episodes
  }}
  CALL (key) {{
    MATCH (s:Source {{key: key}})-[:GIVES]->(a:Alias)-[:NAMES]->(e:Entity)
    WITH * {read_names.IN_ORDER} RETURN collect([{read_names.NAMING}]) AS aliases
  }}
  CALL (source) {{
    MATCH (c:Claim {{group: $group, source: source}}) USING INDEX c:Claim(group, source) WITH c {read_beliefs.AS_MADE}
    RETURN collect(c.id) AS ever,
      collect(CASE WHEN c.withdrawn_at = $open THEN [{read_beliefs.CLAIM}, c.replaced] END) AS claims
  }}
  RETURN collect([source, episodes, aliases, claims, ever]) AS sources
}}
CALL () {{ {read_names.LINKED} RETURN collect(DISTINCT [a.name_key, a.entity]) AS linked }}
RETURN sources, linked
"""
_BELIEFS: Final = f"""
CALL () {{ {read_beliefs.CLAIMS_OF_SLOTS} RETURN collect([{read_beliefs.CLAIM}, c.replaced]) AS claims }}
CALL () {{ {read_beliefs.OPEN_FACTS} RETURN collect([{read_beliefs.FACT}, {read_beliefs.RESTING}]) AS facts }}
CALL () {{ {read_names.OF_KEYS} RETURN collect([{read_names.ENTITY}]) AS entities }}
CALL () {{
  UNWIND $named AS key {read_names.NAMED} WITH * {read_names.IN_ORDER} RETURN collect([{read_names.NAMING}]) AS namings
}}
RETURN claims, facts, entities, namings
"""


@dataclass(frozen=True, slots=True)
class _About:
    """What is kept of one source."""

    episode: Episode | None
    aliases: tuple[Alias, ...]
    asserted: tuple[tuple[Id, Claim], ...]
    ever: frozenset[Id]
    """Every claim that it ever made."""


class Ahead:
    """What a writer read so far. Each question is answered as the function of its name in ``read_*`` would."""

    def __init__(self, handle: Handle, coming: Coming) -> None:
        """Args: `coming` is read with the first question of its kind."""
        self._handle = handle
        self._coming = coming
        self._sources: dict[Id, _About] = {}
        self._linked: dict[tuple[str, Id], bool] = {}
        self._expected: tuple[frozenset[Id], frozenset[Id]] = (frozenset(), frozenset())
        self._facts: dict[frozenset[Id], dict[Id, tuple[Fact, ...]]] = {}
        self._entities: dict[Id, Entity | None] = {}
        self._aliases: dict[Id, tuple[Alias, ...]] = {}

    def expect(self, entities: Iterable[Id], named: Iterable[Id]) -> None:
        """Entities that will be asked for, and those of them whose aliases will be."""
        self._expected = frozenset(entities), frozenset(named)

    def still(self) -> Coming:
        """What was read and not written since, or is still to be read: for another transaction to begin with."""
        return Coming((*self._coming.sources, *self._sources), (*self._coming.names, *self._linked))

    def forget(self, changes: ChangeSet) -> None:
        """Whatever a change set may make untrue. What one source's transaction asked for, no other asks for."""
        self._expected = frozenset(), frozenset()
        self._facts, self._entities, self._aliases = {}, {}, {}
        ended = {ending.claim for ending in changes.endings}
        gone = {one for one in (source_of(changes), changes.removed) if one is not None}
        gone |= {claim.source for _, claim in changes.claims}
        gone |= {one for one, about in self._sources.items() if any(claim.id in ended for _, claim in about.asserted)}
        before = [self._sources.pop(one, None) for one in gone]
        if changes.aliases is not None or changes.removed is not None:
            self._relink(before, changes.aliases or ())
        if changes.moved_root is not None:
            self._sources = {}

    def _relink(self, before: Iterable[_About | None], after: Iterable[Alias]) -> None:
        """What a source links to is linked; what it no longer links to, others may link to."""
        now = _links(after)
        unsure: set[tuple[str, Id]] = set()
        for about in before:
            unsure |= _links(about.aliases) if about else {pair for pair, linked in self._linked.items() if linked}
        self._linked = {pair: linked for pair, linked in self._linked.items() if pair not in unsure - now}
        self._linked |= dict.fromkeys(now & self._linked.keys(), True)

    # -- what sources say

    def episode(self, source: Id) -> Episode | None:
        """The current episode of a source."""
        return self._about(source).episode

    def aliases_from(self, source: Id) -> tuple[Alias, ...]:
        """The aliases that it gives."""
        return self._about(source).aliases

    def asserted(self, source: Id) -> tuple[tuple[Id, Claim], ...]:
        """The claims that it makes."""
        return self._about(source).asserted

    def claims_taken(self, source: Id, ids: Iterable[Id]) -> frozenset[Id]:
        """Of some ids, those of claims that it ever made."""
        return self._about(source).ever & frozenset(ids)

    def linked(self, names: Iterable[tuple[str, Id]]) -> frozenset[str]:
        """Of (key, entity) pairs, the keys under which a link means that entity."""
        wanted = list(unique(names))
        self._read_sources((), wanted)
        return frozenset(pair[0] for pair in wanted if self._linked[pair])

    def _about(self, source: Id) -> _About:
        self._read_sources((source,), ())
        return self._sources[source]

    def _read_sources(self, sources: Iterable[Id], names: Iterable[tuple[str, Id]]) -> None:
        """Read what is not yet known of these; and if that is anything, all that is coming with it."""
        missing = [one for one in sources if one not in self._sources]
        unknown = [pair for pair in names if pair not in self._linked]
        if not (missing or unknown):
            return
        coming, self._coming = self._coming, Coming()
        missing = list(unique((*missing, *(one for one in coming.sources if one not in self._sources))))
        unknown = list(unique((*unknown, *(pair for pair in coming.names if pair not in self._linked))))
        asked = read_names.linked_asked(unknown)
        rows, linked = self._handle.first(_SOURCES, sources=missing, open=OPEN, **asked)
        self._sources.update(_abouts(rows))
        means = {(key, entity) for key, entity in linked}
        self._linked.update((pair, pair in means) for pair in unknown)

    # -- what is believed

    def claims(self, slots: Iterable[Id]) -> dict[Id, tuple[Claim, ...]]:
        """The claims of slots; their facts come along, and the entities that are expected."""
        wanted = list(unique(slots))
        return self._read_beliefs(wanted) if wanted else {}

    def open_facts(self, slots: Iterable[Id]) -> dict[Id, tuple[Fact, ...]]:
        """What is believed of slots."""
        wanted = frozenset(slots)
        if wanted not in self._facts:
            self._facts[wanted] = read_beliefs.open_facts(self._handle, wanted)
        return self._facts[wanted]

    def entities(self, ids: Iterable[Id]) -> dict[Id, Entity]:
        """Entities by id."""
        wanted = list(unique(ids))
        if any(one not in self._entities for one in wanted):
            if not set(wanted) <= self._expected[0]:
                return read_names.entities(self._handle, wanted)
            self._read_beliefs([])
        return {one: entity for one in wanted if (entity := self._entities[one]) is not None}

    def aliases_of(self, ids: Iterable[Id]) -> dict[Id, tuple[Alias, ...]]:
        """The aliases of entities."""
        wanted = list(unique(ids))
        if any(one not in self._aliases for one in wanted):
            return read_names.aliases_of(self._handle, wanted)
        return {one: aliases for one in wanted if (aliases := self._aliases[one])}

    def _read_beliefs(self, slots: list[Id]) -> dict[Id, tuple[Claim, ...]]:
        entities, named = self._expected
        claims, facts, known, namings = self._handle.first(
            _BELIEFS,
            slots=slots,
            keys=self._handle.keys(sorted(entities)),
            named=self._handle.keys(sorted(named)),
            known=NOW,
            open=OPEN,
            told=NOW,
        )
        self._facts[frozenset(slots)] = read_beliefs.facts_by_slot(facts)
        found = map(read_names.to_entity, known)
        self._entities |= {**dict.fromkeys(entities), **{each.id: each for each in found}}
        self._aliases |= {**dict.fromkeys(named, ()), **read_names.by_entity(namings)}
        return read_beliefs.claims_by_slot(claims)


def _links(aliases: Iterable[Alias]) -> set[tuple[str, Id]]:
    return {(alias.key, alias.entity) for alias in aliases if alias.kind is AliasKind.LINK}


def _abouts(rows: Iterable[Any]) -> Iterator[tuple[Id, _About]]:
    for source, episodes, aliases, claims, ever in rows:
        yield (
            source,
            _About(
                read_texts.to_episode(episodes[0]) if episodes else None,
                tuple(read_names.to_naming(row).alias for row in aliases),
                tuple((slot, read_beliefs.to_claim(row)) for slot, *row in claims),
                frozenset(ever),
            ),
        )
