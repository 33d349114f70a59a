"""Reading ahead: what a writer of a source asks for next comes with what it asks for first.

A server answers a query in a fraction of the time that the way there and back takes. While a transaction holds the
group's lock and has written nothing, what was read once stays true; so the answers to questions that always follow each
other are fetched together, and kept until then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kgmem.model import OPEN, Alias, Claim, Episode, Fact, Id, unique
from kgmem.store.neo4j import read_beliefs, read_names, read_texts
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.then import NOW

_SOURCE: Final = f"""
CALL () {{
  MATCH (s:Source {{key: $key}})-[h:CURRENT]->(e:Episode) RETURN collect([{read_texts.EPISODE}]) AS episodes
}}
CALL () {{
  {read_names.ALIASES_FROM} WITH * {read_names.IN_ORDER} RETURN collect([{read_names.NAMING}]) AS aliases
}}
CALL () {{
  {read_beliefs.ASSERTED} WITH c {read_beliefs.AS_MADE} RETURN collect([{read_beliefs.CLAIM}, c.replaced]) AS claims
}}
RETURN episodes, aliases, claims
"""
_SLOTS: Final = f"""
CALL () {{ {read_beliefs.CLAIMS_OF_SLOTS} RETURN collect([{read_beliefs.CLAIM}, c.replaced]) AS claims }}
CALL () {{ {read_beliefs.OPEN_FACTS} RETURN collect([{read_beliefs.FACT}, {read_beliefs.RESTING}]) AS facts }}
RETURN claims, facts
"""


class Ahead:
    """What one transaction read so far. Each question is answered as the function of its name in ``read_*`` would."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._sources: dict[Id, tuple[list[Any], list[Any], list[Any]]] = {}
        self._facts: dict[frozenset[Id], dict[Id, tuple[Fact, ...]]] = {}

    def episode(self, source: Id) -> Episode | None:
        """The current episode of a source."""
        episodes = self._about(source)[0]
        return read_texts.to_episode(episodes[0]) if episodes else None

    def aliases_from(self, source: Id) -> tuple[Alias, ...]:
        """The aliases that it gives."""
        return tuple(read_names.to_naming(row).alias for row in self._about(source)[1])

    def asserted(self, source: Id) -> tuple[tuple[Id, Claim], ...]:
        """The claims that it made."""
        return tuple((slot, read_beliefs.to_claim(row)) for slot, *row in self._about(source)[2])

    def claims(self, slots: Iterable[Id]) -> dict[Id, tuple[Claim, ...]]:
        """The claims of slots; their facts come along."""
        wanted = list(unique(slots))
        if not wanted:
            return {}
        claims, facts = self._handle.first(_SLOTS, slots=wanted, known=NOW, open=OPEN, told=NOW)
        self._facts[frozenset(wanted)] = read_beliefs.facts_by_slot(facts)
        return read_beliefs.claims_by_slot(claims)

    def open_facts(self, slots: Iterable[Id]) -> dict[Id, tuple[Fact, ...]]:
        """What is believed of slots."""
        wanted = frozenset(slots)
        if wanted not in self._facts:
            self._facts[wanted] = read_beliefs.open_facts(self._handle, wanted)
        return self._facts[wanted]

    def _about(self, source: Id) -> tuple[list[Any], list[Any], list[Any]]:
        if source not in self._sources:
            key = self._handle.key(source)
            episodes, aliases, claims = self._handle.first(_SOURCE, key=key, source=source, open=OPEN)
            self._sources[source] = episodes, aliases, claims
        return self._sources[source]
