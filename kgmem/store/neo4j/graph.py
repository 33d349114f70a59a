"""Reading which passages and entities hang together: what a walk over the graph asks for, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Final

from kgmem.model import Id, Instant, unique
from kgmem.store.graph import Tie
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.then import Then
from kgmem.store.neo4j.words import ever_query

_NAMED: Final = "COUNT { MATCH (e)<-[:MENTIONS]-(q:Passage) RETURN DISTINCT q LIMIT $cap }"
_OF_PASSAGES: Final = """
UNWIND $keys AS key MATCH (p:Passage {{key: key}}) WHERE {stands}
CALL (p) {{
  MATCH (p)-[:MENTIONS]->(e:Entity) RETURN e, 0 AS own
  UNION ALL
  MATCH (p)-[:PART_OF]->(:Source)-[:DESCRIBES]->(e:Entity) RETURN e, 1 AS own
}}
WITH e, p, max(own) AS own WITH e, collect([p.id, own]) AS tied
RETURN e.id, {named} AS named, tied
"""
_OF_ENTITIES: Final = """
UNWIND $keys AS key MATCH (e:Entity {{key: key}}) WITH e, {named} AS named
CALL (e, named) {{
  MATCH (e)<-[:MENTIONS]-(p:Passage) WHERE named < $cap AND {stands} RETURN p, 0 AS own
  UNION ALL
  MATCH (e)<-[:DESCRIBES]-(:Source)<-[:PART_OF]-(p:Passage) WHERE {stands} RETURN p, 1 AS own
}}
WITH e, named, p, max(own) AS own
RETURN e.id, named, collect([p.id, own]) AS tied
"""
_EVER: Final = """
CALL db.index.fulltext.queryNodes($index, $query, {limit: $most}) YIELD node
WITH node WHERE node.group = $group RETURN count(node)
"""


class Neo4jGraph:
    """See `kgmem.store.graph.Graph`."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Handle]]) -> None:
        self._reading = reading

    def ties(  # noqa: D102
        self,
        *,
        passages: Iterable[Id] = (),
        entities: Iterable[Id] = (),
        most: int,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Tie, ...]:
        with self._reading() as handle:
            return _ties(handle, passages, entities, most, Then(valid, known))

    def said(self, texts: Iterable[str], most: int) -> dict[str, int]:  # noqa: D102
        with self._reading() as handle:
            return _said(handle, texts, most)


def _ties(handle: Handle, passages: Iterable[Id], entities: Iterable[Id], most: int, then: Then) -> tuple[Tie, ...]:
    found: dict[tuple[Id, Id], Tie] = {}
    for asked, cypher in ((passages, _OF_PASSAGES), (entities, _OF_ENTITIES)):
        keys = handle.keys(asked)
        if keys:
            rows = handle.rows(
                cypher.format(stands=then.stands, named=_NAMED), keys=keys, cap=most + 1, **then.parameters
            )
            for entity, named, tied in rows:
                found.update(((passage, entity), Tie(passage, entity, bool(own), named)) for passage, own in tied)
    return tuple(found.values())


def _said(handle: Handle, texts: Iterable[str], most: int) -> dict[str, int]:
    asked = {text: ever_query(text) for text in unique(texts)} if handle.is_there() else {}
    index = f"{handle.label}_passages"
    return {
        text: int(handle.first(_EVER, index=index, query=query, most=most)[0])
        for text, query in asked.items()
        if query is not None
    }
