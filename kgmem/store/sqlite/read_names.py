"""Reading entities, aliases and mentions."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kgmem.model import OPEN, UNKNOWN, Alias, AliasKind, Bound, Entity, EntityType, Id, Instant, Mention, unique
from kgmem.store.protocol import EntityCard, EntityQuery, Naming, Neighbour
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import FILE_BASIS, seek_id, unpack_bound, unpack_id
from kgmem.store.sqlite.then import Then

_TYPES: Final = {str(each): each for each in EntityType}
_KINDS: Final = {str(each): each for each in AliasKind}

_ENTITY: Final = "SELECT e.id, e.name, e.type, e.subtype, e.type_rank"
_NAMING: Final = f"""
{_ENTITY}, s.id, a.name, a.key, a.kind, a.type, a.subtype, a.type_rank
FROM alias a CROSS JOIN entity e ON e.nr = a.entity CROSS JOIN source s ON s.nr = a.source
"""
_WHENS: Final = " ".join(f"WHEN '{kind}' THEN {place}" for place, kind in enumerate(_KINDS))
_STRONGEST: Final = f"""
{_NAMING} WHERE a.nr IN (
  SELECT nr FROM (
    SELECT b.nr, min(CASE b.kind {_WHENS} END * 100 + b.type_rank)
    FROM alias b WHERE b.grp = ? AND b.key = ? GROUP BY b.entity))
"""
"""The other columns of a row with min() are those of the row that has the least."""
_ALIASES: Final = f"""
{_ENTITY}, s.id, a.name, a.key, a.kind, a.type, a.subtype, a.type_rank
FROM entity e CROSS JOIN alias a ON a.entity = e.nr CROSS JOIN source s ON s.nr = a.source
WHERE e.grp = ? AND e.id = ?
"""
_NAMES: Final = f"""
{_ENTITY}, s.id, a.name, a.key, a.kind, a.type, a.subtype, min(a.type_rank)
FROM entity e CROSS JOIN alias a ON a.entity = e.nr CROSS JOIN source s ON s.nr = a.source
WHERE e.grp = ? AND e.id = ? GROUP BY a.name
"""
_NAMING_ORDER: Final = " ORDER BY a.key, a.type_rank, e.name, e.id, s.path, s.id, a.name, a.kind"


def namings(handle: Handle, keys: Iterable[str], *, strongest: bool = False) -> dict[str, tuple[Naming, ...]]:
    """See `kgmem.store.protocol.Store.namings`."""
    found: dict[str, list[Naming]] = {}
    sql = f"{_STRONGEST if strongest else f'{_NAMING} WHERE a.grp = ? AND a.key = ?'} {_NAMING_ORDER}"
    for row in handle.each(sql, [(handle.grp, key) for key in unique(keys)]):
        naming = _naming(row)
        found.setdefault(naming.alias.key, []).append(naming)
    return {key: tuple(each) for key, each in found.items()}


def linked(handle: Handle, names: Iterable[tuple[str, Id]]) -> frozenset[str]:
    """See `kgmem.store.protocol.Store.linked`."""
    rows = handle.each(
        "SELECT a.key FROM entity e CROSS JOIN alias a ON a.grp = e.grp AND a.key = ? AND a.entity = e.nr"
        " WHERE e.grp = ? AND e.id = ? AND a.kind = ? LIMIT 1",
        [(key, handle.grp, seek_id(entity), AliasKind.LINK) for key, entity in names],
    )
    return frozenset(key for (key,) in rows)


def rungs(handle: Handle) -> frozenset[str]:
    """See `kgmem.store.protocol.Store.rungs`."""
    rows = handle.rows(
        "SELECT DISTINCT m.rung FROM passage p CROSS JOIN mention m ON m.passage = p.nr WHERE p.grp = ? AND p.live = 1",
        handle.grp,
    )
    return frozenset(rung for (rung,) in rows)


def anchors(handle: Handle) -> Iterator[Naming]:
    """See `kgmem.store.protocol.Store.anchors`. The plus sign keeps it from walking all sources for each name."""
    rows = handle.rows(
        f"{_NAMING} WHERE a.grp = ?1 AND a.kind IN (?2, ?3)"
        " AND EXISTS (SELECT 1 FROM source o WHERE o.grp = ?1 AND o.entity = e.id AND +o.removed_at = ?4)"
        f" {_NAMING_ORDER}",
        handle.grp,
        AliasKind.TITLE,
        AliasKind.ALIAS,
        OPEN,
    )
    return (_naming(row) for row in rows)


def relinked(handle: Handle) -> dict[str, Instant]:
    """See `kgmem.store.protocol.Store.relinked`."""
    return {key: Instant(at) for key, at in handle.rows("SELECT key, at FROM relinked WHERE grp = ?", handle.grp)}


def aliases_of(handle: Handle, ids: Iterable[Id], *, names: bool = False) -> dict[Id, tuple[Alias, ...]]:
    """See `kgmem.store.protocol.Store.aliases_of`; with `names` one for each name."""
    sql = f"{_NAMES if names else _ALIASES} {_NAMING_ORDER}"
    rows = handle.each(sql, [(handle.grp, seek_id(one)) for one in unique(ids)])
    found: dict[Id, list[Alias]] = {}
    for row in rows:
        alias = _naming(row).alias
        found.setdefault(alias.entity, []).append(alias)
    return {entity: tuple(aliases) for entity, aliases in found.items()}


def aliases_from(handle: Handle, source: Id) -> tuple[Alias, ...]:
    """See `kgmem.store.protocol.Store.aliases_from`."""
    rows = handle.rows(
        f"{_ENTITY}, s.id, a.name, a.key, a.kind, a.type, a.subtype, a.type_rank"
        " FROM source s CROSS JOIN alias a ON a.source = s.nr CROSS JOIN entity e ON e.nr = a.entity"
        f" WHERE s.grp = ? AND s.id = ? {_NAMING_ORDER}",
        handle.grp,
        seek_id(source),
    )
    return tuple(_naming(row).alias for row in rows)


def entities(handle: Handle, ids: Iterable[Id]) -> dict[Id, Entity]:
    """See `kgmem.store.protocol.Store.entities`."""
    rows = handle.each(
        f"{_ENTITY} FROM entity e WHERE e.grp = ? AND e.id = ?",
        [(handle.grp, seek_id(one)) for one in unique(ids)],
    )
    return {each.id: each for each in (_entity(row) for row in rows)}


_SORTS: Final = {
    "mentions": "mentions DESC, name, id",
    "sources": "sources DESC, name, id",
    "name": "name, id",
    "first_seen": "coalesce(first, first_file) IS NULL, coalesce(first, first_file), name, id",
    "last_seen": "coalesce(last, last_file) IS NULL, coalesce(last, last_file) DESC, name, id",
}

_SEEN: Final = f"""
SELECT e.id AS id, e.name AS name, e.type, e.subtype, e.type_rank,
  count(*) AS mentions, count(DISTINCT p.source) AS sources,
  min(iif({{occurred}} > 0 AND {{occurred}} & 7 <> {FILE_BASIS}, {{occurred}}, NULL)) AS first,
  max(iif({{occurred}} > 0 AND {{occurred}} & 7 <> {FILE_BASIS}, {{occurred}}, NULL)) AS last,
  min(iif({{occurred}} > 0 AND {{occurred}} & 7 = {FILE_BASIS}, {{occurred}}, NULL)) AS first_file,
  max(iif({{occurred}} > 0 AND {{occurred}} & 7 = {FILE_BASIS}, {{occurred}}, NULL)) AS last_file
FROM entity e CROSS JOIN mention m ON m.entity = e.nr CROSS JOIN passage p ON p.nr = m.passage
  CROSS JOIN source s ON s.nr = p.source{{episode}}
WHERE {{joined}} AND {{where}}
GROUP BY e.nr
"""
_HIDDEN: Final = f"""
{_ENTITY}, 0, 0, NULL, NULL, NULL, NULL FROM entity e WHERE NOT ({{seen}}) AND {{where}}
"""


def cards(handle: Handle, query: EntityQuery) -> tuple[int, tuple[EntityCard, ...]]:
    """See `kgmem.store.protocol.Store.cards`.

    Raises:
        ValueError: there is no such order.
    """
    if query.sort not in _SORTS:
        raise ValueError(f"entities cannot be sorted by {query.sort!r}")
    then = Then(query.valid, query.known)
    where = ["e.grp = :grp"]
    bindings = {**then.bindings, "grp": handle.grp, "limit": -1 if query.limit is None else query.limit}
    if query.ids is not None:
        where.append("e.id IN (SELECT value FROM json_each(:ids))")
        bindings["ids"] = json.dumps([seek_id(one) for one in query.ids])
    if query.type is not None:
        where.append("e.type = :type")
        bindings["type"] = query.type
    parts = [_SEEN, _HIDDEN] if query.hidden else [_SEEN]
    found = " UNION ALL ".join(parts).format(
        where=" AND ".join(where), seen=then.seen, episode=then.episode, occurred=then.occurred, joined=then.joined
    )
    ordered = f"SELECT * FROM ({found}) ORDER BY {_SORTS[query.sort]} LIMIT :limit OFFSET :offset"
    page: list[Any] = handle.connection.execute(ordered, {**bindings, "offset": query.offset}).fetchall()
    if not query.hidden:
        where.append(then.seen)
    counted = f"SELECT count(*) FROM entity e WHERE {' AND '.join(where)}"
    total = handle.connection.execute(counted, bindings).get
    named = aliases_of(handle, (unpack_id(row[0]) for row in page), names=True)
    return int(total), tuple(_card(row, named) for row in page)


def neighbours(handle: Handle, identity: Id, limit: int, then: Then) -> tuple[int, tuple[Neighbour, ...]]:
    """See `kgmem.store.protocol.Store.neighbours`."""
    bindings = {**then.bindings, "grp": handle.grp, "id": seek_id(identity)}
    rows: list[Any] = handle.connection.execute(
        f"""
        WITH self (nr, id) AS MATERIALIZED (SELECT nr, id FROM entity WHERE grp = :grp AND id = :id),
        shared (passage) AS MATERIALIZED (
          SELECT DISTINCT m.passage
          FROM self CROSS JOIN mention m ON m.entity = self.nr CROSS JOIN passage p ON p.nr = m.passage
          WHERE {then.stands}
        ),
        near (id, facts, passages) AS (
          SELECT f.object, 1, 0 FROM fact f
          WHERE f.grp = :grp AND f.subject = :id AND +f.object IS NOT NULL AND {then.believed} -- +: not by an index
          UNION ALL
          SELECT f.subject, 1, 0 FROM fact f WHERE f.grp = :grp AND f.object = :id AND {then.believed}
          UNION ALL
          SELECT e.id, 0, count(DISTINCT m.passage)
          FROM shared CROSS JOIN mention m ON m.passage = shared.passage CROSS JOIN entity e ON e.nr = m.entity
          GROUP BY e.nr
        )
        SELECT e.id, e.name, e.type, e.subtype, e.type_rank, sum(near.facts) AS facts, sum(near.passages) AS passages
        FROM near CROSS JOIN entity e ON e.grp = :grp AND e.id = near.id
        WHERE near.id <> :id
        GROUP BY e.nr ORDER BY facts DESC, passages DESC, e.name, e.id
        """,
        bindings,
    ).fetchall()
    nearest = (Neighbour(_entity(row), row[5], row[6]) for row in rows[:limit])
    return len(rows), tuple(nearest)


def mentions_of(handle: Handle, identity: Id, limit: int, then: Then) -> tuple[int, tuple[Mention, ...]]:
    """See `kgmem.store.protocol.Store.mentions_of`."""
    joined = (
        "FROM entity e CROSS JOIN mention m ON m.entity = e.nr CROSS JOIN passage p ON p.nr = m.passage"
        f" CROSS JOIN source s ON s.nr = p.source{then.episode} WHERE e.grp = :grp AND e.id = :id AND {then.joined}"
    )
    bindings = {**then.bindings, "grp": handle.grp, "id": seek_id(identity), "limit": limit}
    total = int(handle.connection.execute(f"SELECT count(*) {joined}", bindings).get)
    rows = handle.connection.execute(
        f"SELECT p.id, m.start, m.past, m.surface, m.rung {joined}"
        f" ORDER BY {then.occurred} DESC, s.path, s.id, m.passage, m.start, m.past LIMIT :limit",
        bindings,
    )
    return total, tuple(Mention(unpack_id(packed), identity, *rest) for packed, *rest in rows)


def mentions_in(handle: Handle, source: Id) -> tuple[Mention, ...]:
    """See `kgmem.store.protocol.Store.mentions_in`. A text that stands twice counts where it stands first."""
    rows = handle.rows(
        "SELECT p.id, e.id, m.start, m.past, m.surface, m.rung,"
        " (SELECT min(t.ordinal) FROM stands t WHERE t.episode = s.episode AND t.passage = p.nr) AS ordinal"
        " FROM source s CROSS JOIN passage p ON p.grp = s.grp AND p.live = 1 AND p.source = s.nr"
        " CROSS JOIN mention m ON m.passage = p.nr CROSS JOIN entity e ON e.nr = m.entity"
        " WHERE s.grp = ? AND s.id = ? ORDER BY ordinal, m.start, m.past, e.id < 0, e.id",
        handle.grp,
        seek_id(source),
    )
    return tuple(Mention(unpack_id(passage), unpack_id(entity), *rest) for passage, entity, *rest, _ in rows)


def _entity(row: Any) -> Entity:
    """The entity of a row that begins as `_ENTITY` says."""
    packed, name, kind, subtype, rank = row[:5]
    return Entity(unpack_id(packed), name, _TYPES[kind], subtype, rank)


def _naming(row: Any) -> Naming:
    entity = _entity(row)
    source, name, key, kind, proposed, subtype, rank = row[5:]
    return Naming(Alias(entity.id, unpack_id(source), name, key, _KINDS[kind], _TYPES[proposed], subtype, rank), entity)


def _card(row: Any, named: dict[Id, tuple[Alias, ...]]) -> EntityCard:
    entity = _entity(row)
    mentions, sources, first, last, first_file, last_file = row[5:]
    return EntityCard(
        entity,
        named.get(entity.id, ()),
        mentions,
        sources,
        _seen(first_file if first is None else first),
        _seen(last_file if last is None else last),
    )


def _seen(packed: int | None) -> Bound:
    return UNKNOWN if packed is None else unpack_bound(packed)
