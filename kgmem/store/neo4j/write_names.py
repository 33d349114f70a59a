"""Entities, aliases and links: the rows that a change set makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kgmem.model import Alias, Entity, Id, Instant, identify
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.held import Elsewhere, HeldSource
from kgmem.store.neo4j.keys import checked, labels_of, lookup
from kgmem.store.neo4j.rows import Work, portions
from kgmem.store.neo4j.vectors import drop, follow
from kgmem.store.neo4j.words import DEAD, LIVE, indexed

ENTITIES: Final = {
    "entities_new": "CREATE (e:Entity) SET e = row.properties, e:$(row.labels), e:$($label)",
    "entities_set": ("MATCH (e:Entity {key: row.key}) REMOVE e:$(row.gone) SET e += row.properties, e:$(row.labels)"),
}
PIECES: Final = {
    "aliases_drop": (
        "MATCH (:Source {key: row.source})-[g:GIVES]->(a:Alias {key: row.key}) DELETE g"
        " WITH a WHERE NOT EXISTS { (a)<-[:GIVES]-(:Source) } DETACH DELETE a"
    ),
    "aliases_new": (
        "MATCH (s:Source {key: row.source}) MATCH (e:Entity {key: row.entity})"
        " MERGE (a:Alias {key: row.properties.key}) ON CREATE SET a = row.properties"
        " MERGE (a)-[:NAMES]->(e) CREATE (s)-[:GIVES {group: $group}]->(a)"
    ),
    "links_drop": "MATCH (l:Link {key: row.key}) DETACH DELETE l",
    "links_new": (
        "MATCH (s:Source {key: row.source}) CREATE (s)-[:LINKS {group: $group}]->(l:Link) SET l = row.properties"
    ),
    "links_set": "MATCH (l:Link {key: row.key}) SET l.resolved = row.resolved",
    "entities_list": "MATCH (e:Entity {key: row.key}) SET e += row.properties",
}

RELINKED: Final = {
    "relinked": "MERGE (r:Relinked {key: row.key}) SET r.group = $group, r.name = row.name, r.at = $at",
}
_LOOK_AFTER: Final = "UNWIND $rows AS row MATCH (r:Relinked {key: row.key}) WHERE r.at <= row.at DELETE r"


def put_entities(work: Work, entities: Iterable[Entity]) -> set[Id]:
    """New and changed entities; gives those whose name changed."""
    renamed: set[Id] = set()
    for one, entity in {entity.id: entity for entity in entities}.items():
        stored = work.held.entities.get(one)
        properties = {
            "name": entity.name,
            "type": str(entity.type),
            "subtype": entity.subtype,
            "type_rank": entity.type_rank,
        }
        labels = labels_of(entity)
        if stored is None:
            properties |= {"key": work.handle.key(checked(one)), "group": work.group, "id": one}
            work.put("entities_new", properties=properties, labels=labels)
            work.held.hidden.add(one)
        elif stored != entity:
            gone = [label for label in labels_of(stored) if label not in labels]
            work.put("entities_set", key=work.handle.key(one), properties=properties, labels=labels, gone=gone)
            drop(work, "entity", one)
            if stored.name != entity.name:
                renamed.add(one)
        work.held.entities[one] = entity
    return renamed


def put_aliases(work: Work, source: HeldSource, aliases: Iterable[Alias]) -> set[Id]:
    """Make these the aliases of a source; gives the entities that won or lost a name."""
    wanted: dict[Alias, None] = {}
    for alias in aliases:
        work.held.require("entity", alias.entity)
        wanted[_of(alias, source)] = None
    gone = [alias for alias in source.aliases if alias not in wanted]
    come = [alias for alias in wanted if alias not in source.aliases]
    where = work.handle.key(source.id)
    for alias in gone:
        work.put("aliases_drop", source=where, key=_alias_key(work.handle, alias))
    for alias in come:
        properties = alias_properties(work.handle, alias)
        work.put("aliases_new", source=where, entity=work.handle.key(alias.entity), properties=properties)
    source.aliases = wanted
    return {alias.entity for alias in (*gone, *come)}


def _of(alias: Alias, source: HeldSource) -> Alias:
    """The alias as one of this source, whatever source it says."""
    if alias.source == source.id:
        return alias
    named = (alias.name, alias.key, alias.kind, alias.type, alias.subtype, alias.type_rank)
    return Alias(alias.entity, source.id, *named)


def _alias_key(handle: Handle, alias: Alias) -> str:
    parts = (alias.entity, alias.name, alias.key, alias.kind, alias.type, alias.subtype, alias.type_rank)
    return handle.key(identify("alias", *parts))


def alias_properties(handle: Handle, alias: Alias) -> dict[str, Any]:
    """The columns of an alias."""
    return {
        "key": _alias_key(handle, alias),
        "group": handle.group,
        "entity": alias.entity,
        "name": alias.name,
        "name_key": alias.key,
        "lookup": lookup(alias.key),
        "kind": str(alias.kind),
        "type": str(alias.type),
        "subtype": alias.subtype,
        "type_rank": alias.type_rank,
    }


def put_links(work: Work, source: HeldSource, links: Iterable[tuple[str, bool]]) -> None:
    """Make these the links of a source. A key that resolved once counts as resolved."""
    wanted: dict[str, bool] = {}
    for name, resolved in links:
        wanted[name] = resolved or wanted.get(name, False)
    for name in source.links.keys() - wanted.keys():
        work.put("links_drop", key=_link_key(work.handle, source.id, name))
    for name, resolved in wanted.items():
        if name not in source.links:
            properties = link_properties(work.handle, source.id, name, resolved=resolved)
            work.put("links_new", source=work.handle.key(source.id), properties=properties)
        elif source.links[name] != resolved:
            work.put("links_set", key=_link_key(work.handle, source.id, name), resolved=resolved)
    source.links = wanted


def _link_key(handle: Handle, source: Id, name: str) -> str:
    return handle.key(source, identify("link", name))


def link_properties(handle: Handle, source: Id, name: str, *, resolved: bool) -> dict[str, Any]:
    """The columns of a link."""
    key = _link_key(handle, source, name)
    return {"key": key, "group": handle.group, "name": name, "lookup": lookup(name), "resolved": resolved}


def list_entities(work: Work, touched: Iterable[Id], changed: Mapping[Id, HeldSource]) -> None:
    """Bring up to date what entities are searched by, as the sources that change will name and mention them.

    An entity with no live mention is hidden, not lost: its words stay as they were last, for the past is searched too.
    """
    live = {passage for source in changed.values() for passage in source.passages}
    mentioned = {span[3] for span in work.held.mentions if span[0] in live}
    named: dict[Id, set[str]] = {}
    for source in changed.values():
        for alias in source.aliases:
            named.setdefault(alias.entity, set()).add(alias.name)
    for one in sorted(set(touched)):
        rest = work.held.elsewhere.get(one, _NOTHING)
        name = work.held.entities[one].name if one in work.held.entities else rest.name
        names = {*rest.names, *named.get(one, ())} if rest.seen or one in mentioned else None
        _list(work, one, name, rest.listed, names)


_NOTHING: Final = Elsewhere()


def _list(work: Work, entity: Id, name: str, before: str | None, names: set[str] | None) -> None:
    """One entity under these names; None hides it."""
    if names is None:
        if before is not None:
            work.put("entities_list", key=work.handle.key(entity), properties={"listed": None, "state": DEAD})
            follow(work, "entity", entity, state=DEAD)
        return
    others = [each for each in sorted(names) if each != name]
    after = "\n".join([name, *others])
    if after != before:
        words = {"name_words": indexed(name), "alias_words": indexed("\n".join(others))}
        work.put("entities_list", key=work.handle.key(entity), properties={"listed": after, "state": LIVE, **words})
        follow(work, "entity", entity, state=LIVE)


def put_relinked(work: Work, keys: Iterable[str]) -> None:
    """Keep names that a source began or ceased to link to."""
    for name in sorted(keys):
        work.put("relinked", key=work.handle.key(identify("relinked", name)), name=name)


def look_after(handle: Handle, keys: Mapping[str, Instant]) -> None:
    """See `kgmem.store.protocol.Store.look_after`."""
    rows = [{"key": handle.key(identify("relinked", name)), "at": at} for name, at in keys.items()]
    for portion in portions(("rows",), {"rows": rows}):
        handle.write(_LOOK_AFTER, **portion)
