"""Full-text search. The match is always the outer loop: joined the other way round, SQLite runs it once a row."""

from __future__ import annotations

from typing import Final

from kgmem.store.protocol import Hit, Scope
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import unpack_id
from kgmem.store.text import match

_SEARCH: Final = (
    "SELECT t.id, -hits.rank"
    " FROM (SELECT rowid, rank FROM fts_{0}_@ WHERE fts_{0}_@ MATCH ? ORDER BY rank LIMIT ?) hits"
    " CROSS JOIN {0} t ON t.nr = hits.rowid WHERE t.grp = ?"
)
SEARCHES: Final = {
    Scope.FACTS: _SEARCH.format("fact"),
    Scope.ENTITIES: _SEARCH.format("entity"),
    Scope.EPISODES: _SEARCH.format("passage"),
}
"""A statement for each scope, with the expression, the limit and the group to bind."""


def search(handle: Handle, scope: Scope, text: str, limit: int) -> tuple[Hit, ...]:
    """See `kgmem.store.protocol.Store.search`. A hit in episodes is a passage. There are no communities yet."""
    expression = match(text)
    if expression is None or scope not in SEARCHES or limit <= 0 or not handle.grp:
        return ()
    rows = handle.rows(SEARCHES[scope], expression, limit, handle.grp)
    hits = (Hit(scope, unpack_id(packed), score) for packed, score in rows)
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id)))
