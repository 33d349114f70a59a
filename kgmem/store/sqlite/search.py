"""Full-text search. The match is always the outer loop: joined the other way round, SQLite runs it once a row.

What is no longer live stays in the index, so that the past can be searched. The match gives its rows best first, and
each is looked at before it counts: rows that are not of the time asked about take no place from those that are.
"""

from __future__ import annotations

from typing import Final

from kgmem.store.protocol import Hit, Scope
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import unpack_id
from kgmem.store.sqlite.then import Then
from kgmem.store.text import match

_SEARCH: Final = (
    "SELECT {1}.id, -hits.rank FROM fts_{0}_@ hits CROSS JOIN {0} {1} ON {1}.nr = hits.rowid"
    " WHERE fts_{0}_@ MATCH :text AND {1}.grp = :grp AND {2} ORDER BY hits.rank LIMIT :limit"
)


def search(handle: Handle, scope: Scope, text: str, limit: int, then: Then) -> tuple[Hit, ...]:
    """See `kgmem.store.protocol.Store.search`. A hit in episodes is a passage. There are no communities yet."""
    statements = {
        Scope.FACTS: _SEARCH.format("fact", "f", then.believed),
        Scope.ENTITIES: _SEARCH.format("entity", "e", then.seen),
        Scope.EPISODES: _SEARCH.format("passage", "p", then.stands),
    }
    expression = match(text)
    if expression is None or scope not in statements or limit <= 0 or not handle.grp:
        return ()
    bindings = {**then.bindings, "text": expression, "grp": handle.grp, "limit": limit}
    rows = handle.connection.execute(statements[scope].replace("@", str(handle.grp)), bindings)
    hits = (Hit(scope, unpack_id(packed), score) for packed, score in rows)
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id)))
