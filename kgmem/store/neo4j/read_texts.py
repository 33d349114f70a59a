"""Reading sources, episodes, passages and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from kgmem.model import OPEN, Episode, Id, Instant, Passage, Replayed, Source, identify, unique
from kgmem.store.neo4j.archive import POINTER, pointer_of
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import lookup
from kgmem.store.neo4j.then import Then
from kgmem.store.neo4j.words import phrase_query
from kgmem.store.protocol import Placed
from kgmem.store.sqlite.packing import unpack_bound

_SOURCE: Final = "s.id, s.kind, s.root, s.path, s.title, s.uid, s.entity, s.size, s.mtime_ns, s.hash"
_PASSAGE: Final = "p.id, s.id, p.kind, p.heading, p.text, p.block, t.first_line, t.last_line"
EPISODE: Final = f"e.id, s.id, e.hash, e.body, h.occurred, h.recorded_at, h.closed_at, {POINTER}"


def roots(handle: Handle) -> tuple[tuple[str, str, int], ...]:
    """See `kgmem.store.protocol.Store.roots`."""
    rows = handle.rows(
        "MATCH (s:Source {group: $group}) WHERE s.removed_at = $open"
        " RETURN s.kind AS kind, s.root AS root, count(s) AS sources ORDER BY root, kind",
        open=OPEN,
    )
    return tuple((kind, root, count) for kind, root, count in rows)


def sources(handle: Handle, root: str | None) -> Iterator[Source]:
    """See `kgmem.store.protocol.Store.sources`."""
    where = "{group: $group}" if root is None else "{group: $group, root: $root}"
    rows = handle.rows(
        f"MATCH (s:Source {where}) WHERE s.removed_at = $open RETURN {_SOURCE} ORDER BY s.path, s.root",
        root=root,
        open=OPEN,
    )
    return (Source(*row) for row in rows)


def source(handle: Handle, name: str) -> Source | None:
    """See `kgmem.store.protocol.Store.source`."""
    live = f"WHERE s.removed_at = $open RETURN {_SOURCE}"
    by_id = handle.first(f"MATCH (s:Source {{key: $key}}) {live}", key=handle.key(name), open=OPEN)
    if by_id is not None:
        return Source(*by_id)
    at_path = handle.rows(
        f"MATCH (s:Source {{group: $group, lookup: $lookup, path: $path}}) USING INDEX s:Source(group, lookup) {live}",
        lookup=lookup(name),
        path=name,
        open=OPEN,
    )
    return Source(*at_path[0]) if len(at_path) == 1 else None


def sources_ever(handle: Handle, ids: Iterable[Id]) -> dict[Id, Source]:
    """See `kgmem.store.protocol.Store.sources_ever`."""
    rows = handle.rows(f"UNWIND $keys AS key MATCH (s:Source {{key: key}}) RETURN {_SOURCE}", keys=handle.keys(ids))
    return {row[0]: Source(*row) for row in rows}


def sources_called(handle: Handle, path: str) -> tuple[Source, ...]:
    """See `kgmem.store.protocol.Store.sources_called`."""
    rows = handle.rows(
        f"""
        CALL () {{
          MATCH (s:Source {{group: $group, lookup: $lookup, path: $path}}) USING INDEX s:Source(group, lookup) RETURN s
          UNION
          MATCH (q:Place {{group: $group, lookup: $lookup, path: $path}})<-[:STOOD_AT]-(s:Source)
          USING INDEX q:Place(group, lookup) RETURN s
        }}
        RETURN {_SOURCE} ORDER BY s.removed_at DESC, s.first_at
        """,
        lookup=lookup(path),
        path=path,
    )
    return tuple(Source(*row) for row in rows)


def paths(handle: Handle, identity: Id) -> tuple[tuple[str, str], ...]:
    """See `kgmem.store.protocol.Store.paths`."""
    rows = handle.rows(
        "MATCH (:Source {key: $key})-[:STOOD_AT]->(q:Place) RETURN q.root, q.path ORDER BY q.recorded_at",
        key=handle.key(identity),
    )
    return tuple((root, path) for root, path in rows)


def replayed(handle: Handle, root: str) -> Replayed | None:
    """See `kgmem.store.protocol.Store.replayed`."""
    row = handle.first("MATCH (r:Replay {key: $key}) RETURN r.commit, r.at", key=handle.key(identify("replay", root)))
    return None if row is None else Replayed(row[0], Instant(row[1]))


def sources_about(handle: Handle, entity: Id, known: Instant | None = None) -> tuple[Source, ...]:
    """See `kgmem.store.protocol.Store.sources_about`."""
    live = "s.removed_at = $open"
    if known is not None:
        live = "EXISTS { MATCH (s)-[:STOOD_AT]->(q:Place) WHERE q.recorded_at <= $known AND q.closed_at > $known }"
    rows = handle.rows(
        f"MATCH (:Entity {{key: $key}})<-[:DESCRIBES]-(s:Source) WHERE {live} RETURN {_SOURCE} ORDER BY s.path, s.root",
        key=handle.key(entity),
        known=known,
        open=OPEN,
    )
    return tuple(Source(*row) for row in rows)


def episode(handle: Handle, identity: Id) -> Episode | None:
    """See `kgmem.store.protocol.Store.episode`."""
    row = handle.first(
        f"MATCH (s:Source {{key: $key}})-[h:CURRENT]->(e:Episode) RETURN {EPISODE}", key=handle.key(identity)
    )
    return None if row is None else to_episode(row)


def episodes(handle: Handle, identity: Id) -> tuple[Episode, ...]:
    """See `kgmem.store.protocol.Store.episodes`."""
    rows = handle.rows(
        f"MATCH (s:Source {{key: $key}})-[h:HAS_EPISODE]->(e:Episode) RETURN {EPISODE} ORDER BY h.recorded_at",
        key=handle.key(identity),
    )
    return tuple(to_episode(row) for row in rows)


def source_of(handle: Handle, identity: Id) -> Id | None:
    """See `kgmem.store.protocol.Store.source_of`."""
    row = handle.first("MATCH (e:Episode {key: $key}) RETURN e.source", key=handle.key(identity))
    return None if row is None else str(row[0])


def passages_of(handle: Handle, identity: Id, known: Instant | None = None) -> tuple[Passage, ...]:
    """See `kgmem.store.protocol.Store.passages_of`."""
    then = Then(known=known)
    rows = handle.rows(
        f"MATCH (s:Source {{key: $key}}) MATCH {then.path} MATCH (ep)-[t:HAS_PASSAGE]->(p:Passage)"
        f" WHERE {then.live} RETURN {_PASSAGE} ORDER BY t.ordinal",
        key=handle.key(identity),
        **then.parameters,
    )
    return tuple(Passage(*row) for row in rows)


def placed(handle: Handle, passages: Iterable[Id], known: Instant | None = None) -> dict[Id, Placed]:
    """See `kgmem.store.protocol.Store.placed`. A text that stands twice is placed where it stands first."""
    then = Then(known=known)
    rows = handle.rows(
        f"UNWIND $keys AS key MATCH (p:Passage {{key: key}})-[:PART_OF]->(s:Source) MATCH {then.path}"
        f" MATCH (ep)-[t:HAS_PASSAGE]->(p) WHERE {then.live}"
        f" RETURN {_PASSAGE}, s.root, s.path, s.title, h.occurred, s.kind ORDER BY t.ordinal DESC",
        keys=handle.keys(passages),
        **then.parameters,
    )
    return {row[0]: _placed(row) for row in rows}


def sources_naming(handle: Handle, keys: Iterable[str], phrases: Iterable[str]) -> frozenset[Id]:
    """See `kgmem.store.protocol.Store.sources_naming`."""
    found: set[Id] = set()
    wanted = [[lookup(key), key] for key in unique(keys)]
    if wanted:
        found.update(one for (one,) in handle.rows(_NAMING, wanted=wanted))
    for text in unique(phrases):
        asked = phrase_query(text)
        if asked is not None:
            if handle.is_there():
                query, held = asked
                parameters = {"index": f"{handle.label}_passages", "query": query, "words": f" {held} "}
                found.update(one for (one,) in handle.rows(_HOLDING_WORDS, **parameters))
        elif text:
            found.update(one for (one,) in handle.rows(_HOLDING_SIGNS, text=text))
    return frozenset(found)


_NAMING: Final = """
UNWIND $wanted AS pair
CALL (pair) {
  MATCH (l:Link {group: $group, lookup: pair[0], name: pair[1]})<-[:LINKS]-(s:Source)
  USING INDEX l:Link(group, lookup) RETURN s.id AS id
  UNION
  MATCH (a:Alias {group: $group, lookup: pair[0], name_key: pair[1]})<-[:GIVES]-(s:Source)
  USING INDEX a:Alias(group, lookup) RETURN s.id AS id
}
RETURN DISTINCT id
"""
_HOLDING_WORDS: Final = (
    "CALL db.index.fulltext.queryNodes($index, $query) YIELD node"
    " WITH node WHERE node.group = $group AND ' ' + node.text_words + ' ' CONTAINS $words"
    " RETURN DISTINCT node.source"
)
_HOLDING_SIGNS: Final = (  # a name without a letter, such as an emoji: no index has it
    "MATCH (p:Passage {group: $group}) WHERE p.live AND p.text CONTAINS $text RETURN DISTINCT p.source"
)


def to_episode(row: Any) -> Episode:
    """The episode of a row of `EPISODE`."""
    one, source, digest, body, occurred, recorded_at, closed_at, told = row
    text = pointer_of(told) or body
    return Episode(one, source, digest, text, unpack_bound(occurred), Instant(recorded_at), Instant(closed_at))


def _placed(row: Any) -> Placed:
    *passage, root, path, title, occurred, kind = row
    return Placed(Passage(*passage), root, path, title, unpack_bound(occurred), kind)
