"""Full-text search. What is no longer live stays in the index, so that the past can be searched.

For the present the index itself knows what is live, and gives the best of that alone. For another time it gives all
that match, best first, and each is looked at before it counts.
"""

from __future__ import annotations

from typing import Final

from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.then import Then
from kgmem.store.neo4j.words import ENTITY_FIELDS, FACT_FIELDS, PASSAGE_FIELDS, query
from kgmem.store.protocol import Hit, Scope

_INDEXED: Final = {
    Scope.FACTS: ("facts", FACT_FIELDS),
    Scope.ENTITIES: ("entities", ENTITY_FIELDS),
    Scope.EPISODES: ("passages", PASSAGE_FIELDS),
}


def search(handle: Handle, scope: Scope, text: str, limit: int, then: Then) -> tuple[Hit, ...]:
    """See `kgmem.store.protocol.Store.search`. A hit in episodes is a passage. There are no communities yet."""
    if scope not in _INDEXED or limit <= 0:
        return ()
    index, fields = _INDEXED[scope]
    expression = query(text, fields, live=then.is_now)
    if expression is None or not handle.is_there():
        return ()
    row, condition = {
        Scope.FACTS: ("f", then.believed),
        Scope.ENTITIES: ("e", then.seen),
        Scope.EPISODES: ("p", then.stands),
    }[scope]
    rows = handle.rows(
        f"CALL db.index.fulltext.queryNodes($index, $query, $options) YIELD node, score WITH node AS {row}, score"
        f" WHERE {row}.group = $group AND {condition}"
        f" RETURN {row}.id, score ORDER BY score DESC, {row}.id LIMIT $limit",
        **then.parameters,
        index=f"{handle.label}_{index}",
        query=expression,
        options={"limit": limit} if then.is_now else {},
        limit=limit,
    )
    return tuple(Hit(scope, one, score) for one, score in rows)
