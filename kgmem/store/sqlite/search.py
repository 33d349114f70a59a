"""Full-text search. The match is always the outer loop: joined the other way round, SQLite runs it once a row.

What is no longer live stays in the index, so that the past can be searched. The match gives its rows best first, and
each is looked at before it counts: rows that are not of the time asked about take no place from those that are.

A word that very many rows hold says little, and to rate them all is most of what a search costs. Where other words of
the text find enough rows, of any time, it only adds to the score of these, as in the queries for common terms that
Lucene once had.
"""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kgmem.store.protocol import Hit, Scope
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import unpack_id
from kgmem.store.sqlite.then import Then
from kgmem.store.text import alternatives

COMMON: Final = 5_000
"""Rows of a word from which on it finds none by itself."""

_TABLES: Final = {Scope.FACTS: "fact", Scope.ENTITIES: "entity", Scope.EPISODES: "passage"}
_SEARCH: Final = (
    "SELECT {1}.id, -hits.rank FROM fts_{0}_@ hits CROSS JOIN {0} {1} ON {1}.nr = hits.rowid"
    " WHERE fts_{0}_@ MATCH :text AND {1}.grp = :grp AND {2} ORDER BY hits.rank LIMIT :limit"
)


def search(handle: Handle, scope: Scope, text: str, limit: int, then: Then) -> tuple[Hit, ...]:
    """See `kgmem.store.protocol.Store.search`. A hit in episodes is a passage. There are no communities yet."""
    counts = {Scope.FACTS: then.believed, Scope.ENTITIES: then.seen, Scope.EPISODES: then.stands}
    terms = alternatives(text)
    if not terms or scope not in _TABLES or limit <= 0 or not handle.grp:
        return ()
    table = _TABLES[scope]
    statement = _SEARCH.format(table, table[0], counts[scope]).replace("@", str(handle.grp))
    bindings = {**then.bindings, "grp": handle.grp, "limit": limit}
    hits = (Hit(scope, unpack_id(packed), score) for packed, score in _rated(handle, statement, bindings, scope, terms))
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id)))[:limit]


def _rated(
    handle: Handle, statement: str, bindings: dict[str, Any], scope: Scope, terms: Sequence[tuple[str, ...]]
) -> list[tuple[int, float]]:
    """(packed id, score) of the best rows, at least."""

    def found(expression: str) -> list[tuple[int, float]]:
        return list(handle.connection.execute(statement, {**bindings, "text": expression}))

    common = _common(handle, scope, terms)
    rare = [term for term in terms if term not in common]
    if rare and common and _rows(handle, scope, rare, bindings["limit"]) == bindings["limit"]:
        # A row with a common word is rated with it by the second search, and one without it by the first.
        return list({**dict(found(_any(rare))), **dict(found(f"({_any(rare)}) AND ({_any(common)})"))}.items())
    return found(_any(terms))


def _common(handle: Handle, scope: Scope, terms: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Those of the terms that are one word, and that very many rows hold."""
    (last,) = handle.first(f"SELECT max(id) FROM fts_{_TABLES[scope]}_@_docsize")
    if (last or 0) <= COMMON:
        return []
    return [term for term in terms if len(term) == 1 and _rows(handle, scope, [term], COMMON + 1) > COMMON]


def _rows(handle: Handle, scope: Scope, terms: Sequence[tuple[str, ...]], most: int) -> int:
    """How many rows, of any time, hold any of some terms, counted no further than `most`."""
    table = f"fts_{_TABLES[scope]}_@"
    counted = f"SELECT count(*) FROM (SELECT rowid FROM {table} WHERE {table} MATCH ? LIMIT ?)"
    return int(handle.first(counted, _any(terms), most)[0])


def _any(terms: Sequence[tuple[str, ...]]) -> str:
    """An FTS5 expression for any of some terms, each words in a row."""
    return " OR ".join(f'"{" ".join(each)}"' for each in terms)
