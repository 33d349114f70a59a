"""Reading entities, aliases and mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kgmem.model import OPEN, UNKNOWN, Alias, AliasKind, Bound, Entity, EntityType, Id, Instant, Mention, unique
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import lookup
from kgmem.store.neo4j.then import Then
from kgmem.store.protocol import EntityCard, EntityQuery, Naming, Neighbour
from kgmem.store.sqlite.packing import unpack_bound

_TYPES: Final = {str(each): each for each in EntityType}
_KINDS: Final = {str(each): each for each in AliasKind}
_STRENGTH: Final = {kind: place for place, kind in enumerate(AliasKind)}

ENTITY: Final = "e.id, e.name, e.type, e.subtype, e.type_rank"
NAMING: Final = f"{ENTITY}, s.id, a.name, a.name_key, a.kind, a.type, a.subtype, a.type_rank"
_ID: Final = "e.id < '8', e.id"
"""The order of ids where names do not decide: that of signed numbers, as in the other store."""
IN_ORDER: Final = f"ORDER BY a.name_key, a.type_rank, e.name, {_ID}, s.path, {_ID.replace('e.', 's.')}, a.name, a.kind"

NAMED: Final = "MATCH (e:Entity {key: key})<-[:NAMES]-(a:Alias)<-[:GIVES]-(s:Source)"
OF_KEYS: Final = "UNWIND $keys AS key MATCH (e:Entity {key: key})"
LINKED: Final = (
    "UNWIND $wanted AS one"
    " MATCH (a:Alias {group: $group, lookup: one[0], name_key: one[1]}) USING INDEX a:Alias(group, lookup)"
    " WHERE a.entity = one[2] AND a.kind = $link"
)


def namings(handle: Handle, keys: Iterable[str], *, strongest: bool = False) -> dict[str, tuple[Naming, ...]]:
    """See `kgmem.store.protocol.Store.namings`."""
    found: dict[str, list[Naming]] = {}
    rows = handle.rows(
        "UNWIND $wanted AS pair"
        " MATCH (a:Alias {group: $group, lookup: pair[0], name_key: pair[1]}) USING INDEX a:Alias(group, lookup)"
        f" MATCH (a)-[:NAMES]->(e:Entity) MATCH (a)<-[:GIVES]-(s:Source) RETURN {NAMING} {IN_ORDER}",
        wanted=[[lookup(key), key] for key in unique(keys)],
    )
    for naming in map(to_naming, rows):
        found.setdefault(naming.alias.key, []).append(naming)
    return {key: _strongest(each) if strongest else tuple(each) for key, each in found.items()}


def _strongest(namings: Sequence[Naming]) -> tuple[Naming, ...]:
    """One of each entity, in the same order."""
    best: dict[Id, Naming] = {}
    for naming in sorted(namings, key=lambda each: (_STRENGTH[each.alias.kind], each.alias.type_rank)):
        best.setdefault(naming.entity.id, naming)
    return tuple(each for each in namings if best[each.entity.id] is each)


def _named(aliases: Iterable[Alias]) -> tuple[Alias, ...]:
    """The first of each name."""
    first: dict[str, Alias] = {}
    for alias in aliases:
        first.setdefault(alias.name, alias)
    return tuple(first.values())


def linked(handle: Handle, names: Iterable[tuple[str, Id]]) -> frozenset[str]:
    """See `kgmem.store.protocol.Store.linked`."""
    asked = linked_asked(names)
    rows = handle.rows(f"{LINKED} RETURN DISTINCT a.name_key", **asked) if asked["wanted"] else []
    return frozenset(key for (key,) in rows)


def linked_asked(names: Iterable[tuple[str, Id]]) -> dict[str, Any]:
    """The parameters of `LINKED`."""
    return {"wanted": [[lookup(key), key, entity] for key, entity in unique(names)], "link": str(AliasKind.LINK)}


def relinked(handle: Handle) -> dict[str, Instant]:
    """See `kgmem.store.protocol.Store.relinked`."""
    rows = handle.rows("MATCH (r:Relinked {group: $group}) RETURN r.name, r.at")
    return {name: Instant(at) for name, at in rows}


def rungs(handle: Handle) -> frozenset[str]:
    """See `kgmem.store.protocol.Store.rungs`."""
    rows = handle.rows("MATCH (p:Passage {group: $group})-[m:MENTIONS]->(:Entity) WHERE p.live RETURN DISTINCT m.rung")
    return frozenset(rung for (rung,) in rows)


def anchors(handle: Handle) -> Iterator[Naming]:
    """See `kgmem.store.protocol.Store.anchors`."""
    rows = handle.rows(
        "MATCH (o:Source {group: $group})-[:DESCRIBES]->(e:Entity) WHERE o.removed_at = $open WITH DISTINCT e"
        f" MATCH (e)<-[:NAMES]-(a:Alias)<-[:GIVES]-(s:Source) WHERE a.kind IN $kinds RETURN {NAMING} {IN_ORDER}",
        kinds=[str(AliasKind.TITLE), str(AliasKind.ALIAS)],
        open=OPEN,
    )
    return map(to_naming, rows)


def aliases_of(handle: Handle, ids: Iterable[Id]) -> dict[Id, tuple[Alias, ...]]:
    """See `kgmem.store.protocol.Store.aliases_of`."""
    keys = handle.keys(ids)
    if not keys:
        return {}
    return by_entity(handle.rows(f"UNWIND $keys AS key {NAMED} RETURN {NAMING} {IN_ORDER}", keys=keys))


def by_entity(rows: Iterable[Any]) -> dict[Id, tuple[Alias, ...]]:
    """The aliases of rows of `NAMING`, in their order."""
    found: dict[Id, list[Alias]] = {}
    for naming in map(to_naming, rows):
        found.setdefault(naming.entity.id, []).append(naming.alias)
    return {entity: tuple(aliases) for entity, aliases in found.items()}


def aliases_from(handle: Handle, source: Id) -> tuple[Alias, ...]:
    """See `kgmem.store.protocol.Store.aliases_from`."""
    rows = handle.rows(
        f"MATCH (s:Source {{key: $key}})-[:GIVES]->(a:Alias)-[:NAMES]->(e:Entity) RETURN {NAMING} {IN_ORDER}",
        key=handle.key(source),
    )
    return tuple(to_naming(row).alias for row in rows)


def entities(handle: Handle, ids: Iterable[Id]) -> dict[Id, Entity]:
    """See `kgmem.store.protocol.Store.entities`."""
    keys = handle.keys(ids)
    if not keys:
        return {}
    rows = handle.rows(f"{OF_KEYS} RETURN {ENTITY}", keys=keys)
    return {each.id: each for each in map(to_entity, rows)}


_SORTS: Final = {
    "mentions": "mentions DESC",
    "sources": "sources DESC",
    "name": "e.name",
    "first_seen": "coalesce(first, first_file)",
    "last_seen": "coalesce(last, last_file) IS NULL, coalesce(last, last_file) DESC",
}
"""Null comes last where numbers rise."""


def cards(handle: Handle, query: EntityQuery) -> tuple[int, tuple[EntityCard, ...]]:
    """See `kgmem.store.protocol.Store.cards`.

    Raises:
        ValueError: there is no such order.
    """
    if query.sort not in _SORTS:
        raise ValueError(f"entities cannot be sorted by {query.sort!r}")
    then = Then(query.valid, query.known)
    start, where = _chosen(query)
    parameters = {
        **then.parameters,
        "keys": None if query.ids is None else handle.keys(query.ids),
        "type": None if query.type is None else str(query.type),
    }
    kept = "" if query.hidden else "WITH * WHERE mentions > 0"
    limit = "" if query.limit is None else "LIMIT $limit"
    page = handle.rows(
        f"""
        {start}{where}
        CALL (e) {{
          MATCH (e)<-[m:MENTIONS]-(p:Passage) MATCH {then.placed} WHERE {then.counts} WITH DISTINCT m, s, h
          RETURN count(m) AS mentions, count(DISTINCT s) AS sources,
            min(h.dated) AS first, max(h.dated) AS last, min(h.filed) AS first_file, max(h.filed) AS last_file
        }}
        {kept}
        RETURN {ENTITY}, mentions, sources, first, last, first_file, last_file
        ORDER BY {_SORTS[query.sort]}, e.name, {_ID} SKIP $offset {limit}
        """,
        **parameters,
        offset=query.offset,
        limit=query.limit,
    )
    total = len(page)
    if query.limit is not None or query.offset:
        counted = where if query.hidden else f"{where}{' AND' if where else ' WHERE'} {then.seen}"
        total = handle.first(f"{start}{counted} RETURN count(e)", **parameters)[0]
    named = {entity: _named(some) for entity, some in aliases_of(handle, (row[0] for row in page)).items()}
    return int(total), tuple(_card(row, named) for row in page)


def _chosen(query: EntityQuery) -> tuple[str, str]:
    """(what finds the entities of a query, its condition)."""
    of_type = " WHERE e.type = $type" if query.type is not None else ""
    if query.ids is not None:
        return "UNWIND $keys AS key MATCH (e:Entity {key: key})", of_type
    return "MATCH (e:Entity {group: $group})", of_type


def neighbours(handle: Handle, identity: Id, limit: int, then: Then) -> tuple[int, tuple[Neighbour, ...]]:
    """See `kgmem.store.protocol.Store.neighbours`."""
    rows = handle.rows(
        f"""
        MATCH (me:Entity {{key: $key}})
        CALL (me) {{
          MATCH (f:Fact {{group: $group, subject: me.id}}) USING INDEX f:Fact(group, subject)
          WHERE f.object IS NOT NULL AND {then.believed}
          RETURN f.object AS id, count(f) AS facts, 0 AS passages
          UNION ALL
          MATCH (f:Fact {{group: $group, object: me.id}}) USING INDEX f:Fact(group, object) WHERE {then.believed}
          RETURN f.subject AS id, count(f) AS facts, 0 AS passages
          UNION ALL
          MATCH (me)<-[:MENTIONS]-(p:Passage) WHERE {then.stands}
          WITH DISTINCT p MATCH (p)-[:MENTIONS]->(o:Entity)
          RETURN o.id AS id, 0 AS facts, count(DISTINCT p) AS passages
        }}
        WITH id, sum(facts) AS facts, sum(passages) AS passages, $group + '/' + id AS key WHERE id <> $id
        MATCH (e:Entity {{key: key}})
        RETURN {ENTITY}, facts, passages ORDER BY facts DESC, passages DESC, e.name, {_ID}
        """,
        key=handle.key(identity),
        id=identity,
        **then.parameters,
    )
    return len(rows), tuple(Neighbour(to_entity(row), row[5], row[6]) for row in rows[:limit])


def mentions_of(handle: Handle, identity: Id, limit: int, then: Then) -> tuple[int, tuple[Mention, ...]]:
    """See `kgmem.store.protocol.Store.mentions_of`."""
    found = (
        f"MATCH (e:Entity {{key: $key}})<-[m:MENTIONS]-(p:Passage) MATCH {then.placed} WHERE {then.counts}"
        " WITH DISTINCT m, p, s, h"
    )
    parameters = {"key": handle.key(identity), **then.parameters}
    total = handle.first(f"{found} RETURN count(m)", **parameters)[0]
    rows = handle.rows(
        f"{found} RETURN p.id, m.start, m.past, m.surface, m.rung"
        " ORDER BY h.occurred DESC, s.path, s.id, p.first_at, p.ordinal, m.start, m.past LIMIT $limit",
        limit=limit,
        **parameters,
    )
    return int(total), tuple(Mention(passage, identity, *rest) for passage, *rest in rows)


def mentions_in(handle: Handle, source: Id) -> tuple[Mention, ...]:
    """See `kgmem.store.protocol.Store.mentions_in`. A text that stands twice counts where it stands first."""
    rows = handle.rows(
        "MATCH (:Source {key: $key})-[:CURRENT]->(:Episode)-[t:HAS_PASSAGE]->(p:Passage) WHERE p.live"
        " WITH p, min(t.ordinal) AS ordinal MATCH (p)-[m:MENTIONS]->(e:Entity)"
        " RETURN p.id, e.id, m.start, m.past, m.surface, m.rung ORDER BY ordinal, m.start, m.past, e.id",
        key=handle.key(source),
    )
    return tuple(Mention(*row) for row in rows)


def to_entity(row: Any) -> Entity:
    """The entity of a row that begins as `ENTITY` says."""
    one, name, kind, subtype, rank = row[:5]
    return Entity(one, name, _TYPES[kind], subtype, rank)


def to_naming(row: Any) -> Naming:
    """The naming of a row of `NAMING`."""
    entity = to_entity(row)
    source, name, key, kind, proposed, subtype, rank = row[5:]
    return Naming(Alias(entity.id, source, name, key, _KINDS[kind], _TYPES[proposed], subtype, rank), entity)


def _card(row: Any, named: dict[Id, tuple[Alias, ...]]) -> EntityCard:
    entity = to_entity(row)
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
