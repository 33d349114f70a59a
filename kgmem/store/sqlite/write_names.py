"""Writing entities, aliases and links, and the search rows of entities."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kgmem.errors import InvariantError
from kgmem.model import Alias, Entity, Id, Instant, unique
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id
from kgmem.store.sqlite.write_vectors import drop_vectors
from kgmem.store.text import prepare

_IS_SEEN: Final = """
EXISTS (SELECT 1 FROM mention m CROSS JOIN passage p ON p.nr = m.passage WHERE m.entity = e.nr AND p.live = 1)
"""
"""Whether the entity ``e`` has a live mention."""


def put_entities(handle: Handle, entities: Iterable[Entity]) -> set[int]:
    """Write new and changed entities; gives the numbers of those whose name changed.

    The vector of one that changed goes: it was made of what the entity was called before.
    """
    wanted = {pack_id(entity.id): entity for entity in entities}
    found = handle.each(
        "SELECT id, nr, name, type, subtype, type_rank FROM entity WHERE grp = ? AND id = ?",
        [(handle.grp, packed) for packed in wanted],
    )
    stored = {packed: row for packed, *row in found}
    handle.run(
        "INSERT INTO entity (grp, id, name, type, subtype, type_rank) VALUES (?, ?, ?, ?, ?, ?)",
        [(handle.grp, packed, *_columns(new)) for packed, new in wanted.items() if packed not in stored],
    )
    changed = [
        (wanted[packed], nr, name)
        for packed, (nr, name, *rest) in stored.items()
        if (name, *rest) != _columns(wanted[packed])
    ]
    handle.run(
        "UPDATE entity SET name = ?, type = ?, subtype = ?, type_rank = ? WHERE nr = ?",
        [(*_columns(new), nr) for new, nr, _ in changed],
    )
    drop_vectors(handle, "entity", (pack_id(new.id) for new, _, _ in changed))
    return {nr for new, nr, name in changed if new.name != name}


def _columns(entity: Entity) -> tuple[str, str, str | None, int]:
    return entity.name, entity.type, entity.subtype, entity.type_rank


def entity_numbers(handle: Handle, ids: Iterable[Id]) -> dict[Id, tuple[int, bool]]:
    """(number, whether it is hidden) of entities.

    Raises:
        InvariantError: one of them does not exist.
    """
    wanted = {pack_id(identity): identity for identity in ids}
    rows = handle.each(
        "SELECT id, nr, listed IS NULL FROM entity WHERE grp = ? AND id = ?",
        [(handle.grp, packed) for packed in wanted],
    )
    numbers = {wanted[packed]: (nr, bool(hidden)) for packed, nr, hidden in rows}
    if len(numbers) < len(wanted):
        missing = next(identity for identity in wanted.values() if identity not in numbers)
        raise InvariantError(f"no entity has the id {missing}")
    return numbers


def put_aliases(handle: Handle, source: int, aliases: Iterable[Alias]) -> set[int]:
    """Make these the aliases of a source; gives the numbers of entities that won or lost a name."""
    wanted = unique(aliases)
    numbers = entity_numbers(handle, (alias.entity for alias in wanted))
    new = {
        (numbers[a.entity][0], a.name, a.key, str(a.kind), str(a.type), a.subtype, a.type_rank): None for a in wanted
    }
    stored = {
        tuple(row): nr
        for nr, *row in handle.rows(
            "SELECT nr, entity, name, key, kind, type, subtype, type_rank FROM alias WHERE source = ?", source
        )
    }
    gone = [(row, nr) for row, nr in stored.items() if row not in new]
    come = [row for row in new if row not in stored]
    handle.run("DELETE FROM alias WHERE nr = ?", [(nr,) for _, nr in gone])
    handle.run(
        "INSERT INTO alias (grp, source, entity, name, key, kind, type, subtype, type_rank)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(handle.grp, source, *row) for row in come],
    )
    names = unique((row[0], row[1]) for row in (*come, *(row for row, _ in gone)))
    shared = handle.each(
        "SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM alias WHERE entity = ?1 AND name = ?2 AND source <> ?3)",
        [(*name, source) for name in names],
    )
    return {entity for entity, _ in set(names) - set(shared)}


def put_links(handle: Handle, source: int, links: Iterable[tuple[str, bool]]) -> None:
    """Make these the links of a source. A key that resolved once counts as resolved."""
    new: dict[str, bool] = {}
    for key, resolved in links:
        new[key] = resolved or new.get(key, False)
    stored = dict(handle.rows("SELECT key, resolved FROM link WHERE source = ?", source))
    handle.run("DELETE FROM link WHERE source = ? AND key = ?", [(source, key) for key in stored if key not in new])
    handle.run(
        "INSERT INTO link (source, key, grp, resolved) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET resolved = excluded.resolved",
        [(source, key, handle.grp, resolved) for key, resolved in new.items() if stored.get(key) != resolved],
    )


def list_entities(handle: Handle, numbers: Iterable[int]) -> None:
    """Bring the search rows of entities up to date.

    An entity with no live mention is hidden, not lost: its row stays as it was last, for the past is searched too.
    """
    come: list[tuple[int, str, str]] = []
    listed: list[tuple[str | None, int]] = []
    for number in sorted(numbers):
        name, before, seen = handle.first(
            f"SELECT e.name, e.listed, {_IS_SEEN} FROM entity e WHERE e.nr = ?",
            number,
        )
        others = [other for other in _names(handle, number) if other != name] if seen else []
        after = "\n".join([name, *others]) if seen else None
        if after == before:
            continue
        listed.append((after, number))
        if after is not None:
            come.append((number, prepare(name), prepare("\n".join(others))))
    handle.run("INSERT OR REPLACE INTO fts_entity_@ (rowid, name, aliases) VALUES (?, ?, ?)", come)
    handle.run("UPDATE entity SET listed = ? WHERE nr = ?", listed)


def _names(handle: Handle, entity: int) -> Iterator[str]:
    """The distinct names of an entity, each by one step of the index.

    A friend named in 5,000 notes has 5,000 aliases of three spellings.
    """
    row = handle.first("SELECT min(name) FROM alias WHERE entity = ?", entity)
    while row[0] is not None:
        yield row[0]
        row = handle.first("SELECT min(name) FROM alias WHERE entity = ? AND name > ?", entity, row[0])


def put_relinked(handle: Handle, keys: Iterable[str], at: Instant) -> None:
    """Keep names that a source began or ceased to link to."""
    rows = [(handle.grp, key, at) for key in sorted(keys)]
    handle.run("INSERT INTO relinked VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at", rows)


def look_after(handle: Handle, keys: Mapping[str, Instant]) -> None:
    """See `kgmem.store.protocol.Store.look_after`."""
    rows = [(handle.grp, key, at) for key, at in keys.items()]
    handle.run("DELETE FROM relinked WHERE grp = ? AND key = ? AND at <= ?", rows)
