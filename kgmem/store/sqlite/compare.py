"""What comparing entities needs: keys to find each other by, and the pairs that wait for a decision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from kgmem.model import Id, Instant, unique
from kgmem.store.protocol import Proposal
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id, seek_id, unpack_id


def upto(handle: Handle) -> Instant | None:
    """See `kgmem.store.protocol.Store.compared_upto`."""
    row = handle.first("SELECT compared_upto FROM grp WHERE nr = ?", handle.grp)
    return None if row is None or row[0] is None else Instant(row[0])


def named_since(handle: Handle, since: Instant | None) -> frozenset[Id]:
    """See `kgmem.store.protocol.Store.named_since`."""
    if since is None:
        rows = handle.rows("SELECT id FROM entity WHERE grp = ? AND listed IS NOT NULL", handle.grp)
    else:
        rows = handle.rows(
            "WITH touched (nr) AS (SELECT DISTINCT s.nr FROM tx t"
            "   CROSS JOIN source s ON s.grp = t.grp AND s.id = t.source WHERE t.grp = ?1 AND t.recorded_at > ?2)"
            " SELECT e.id FROM touched CROSS JOIN passage p ON p.grp = ?1 AND p.live = 1 AND p.source = touched.nr"
            "   CROSS JOIN mention m ON m.passage = p.nr CROSS JOIN entity e ON e.nr = m.entity"
            " UNION SELECT e.id FROM touched CROSS JOIN alias a ON a.source = touched.nr"
            "   CROSS JOIN entity e ON e.nr = a.entity WHERE e.listed IS NOT NULL",
            handle.grp,
            since,
        )
    return frozenset(unpack_id(packed) for (packed,) in rows)


def passages_naming(handle: Handle, entities: Iterable[Id]) -> dict[Id, dict[Id, Id]]:
    """See `kgmem.store.protocol.Store.passages_naming`."""
    found: dict[Id, dict[Id, Id]] = {}
    rows = handle.each(
        "SELECT e.id, p.id, s.id FROM entity e CROSS JOIN mention m ON m.entity = e.nr"
        " CROSS JOIN passage p ON p.nr = m.passage AND p.live = 1 CROSS JOIN source s ON s.nr = p.source"
        " WHERE e.grp = ? AND e.id = ?",
        [(handle.grp, seek_id(one)) for one in unique(entities)],
    )
    for entity, passage, source in rows:
        found.setdefault(unpack_id(entity), {})[unpack_id(passage)] = unpack_id(source)
    return found


def blocked(handle: Handle, keys: Iterable[str]) -> dict[str, tuple[Id, ...]]:
    """See `kgmem.store.protocol.Store.blocked`."""
    found: dict[str, list[Id]] = {}
    rows = handle.each(
        "SELECT key, entity FROM block WHERE grp = ? AND key = ? ORDER BY entity",
        [(handle.grp, key) for key in unique(keys)],
    )
    for key, packed in rows:
        found.setdefault(key, []).append(unpack_id(packed))
    return {key: tuple(each) for key, each in found.items()}


def keys_of(handle: Handle, entities: Iterable[Id]) -> dict[Id, tuple[str, ...]]:
    """See `kgmem.store.protocol.Store.keys_of`."""
    found: dict[Id, list[str]] = {}
    rows = handle.each(
        "SELECT entity, key FROM block WHERE grp = ? AND entity = ? ORDER BY key",
        [(handle.grp, seek_id(one)) for one in unique(entities)],
    )
    for packed, key in rows:
        found.setdefault(unpack_id(packed), []).append(key)
    return {entity: tuple(keys) for entity, keys in found.items()}


def filed(handle: Handle, key: str, limit: int) -> int:
    """See `kgmem.store.protocol.Store.filed`."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM block WHERE grp = ? AND key = ? LIMIT ?)"
    return int(handle.first(counted, handle.grp, key, limit)[0])


def proposals(handle: Handle) -> tuple[Proposal, ...]:
    """See `kgmem.store.protocol.Store.proposals`."""
    rows = handle.rows(
        "SELECT one, other, score, reasons FROM proposal WHERE grp = ? ORDER BY score DESC, one, other", handle.grp
    )
    return tuple(
        Proposal(unpack_id(one), unpack_id(other), score, tuple(json.loads(reasons)))
        for one, other, score, reasons in rows
    )


def put(
    handle: Handle,
    blocks: Mapping[Id, Iterable[str]],
    proposed: Iterable[Proposal],
    dropped: Iterable[tuple[Id, Id]],
    last: Instant | None,
) -> int:
    """See `kgmem.store.protocol.Store.compare`."""
    handle.run("DELETE FROM block WHERE grp = ? AND entity = ?", [(handle.grp, pack_id(each)) for each in blocks])
    handle.run(
        "INSERT INTO block (grp, key, entity) VALUES (?, ?, ?)",
        [(handle.grp, key, pack_id(entity)) for entity, keys in blocks.items() for key in unique(keys)],
    )
    handle.run(
        "DELETE FROM proposal WHERE grp = ? AND one = ? AND other = ?",
        [(handle.grp, *map(pack_id, sorted(pair))) for pair in dropped],
    )
    handle.run(
        "INSERT INTO proposal (grp, one, other, score, reasons) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET score = excluded.score, reasons = excluded.reasons",
        [
            (handle.grp, *map(pack_id, sorted((p.one, p.other))), p.score, json.dumps(p.reasons, ensure_ascii=False))
            for p in proposed
        ],
    )
    if last is not None:
        handle.run("UPDATE grp SET compared_upto = ? WHERE nr = ?", [(last, handle.grp)])
    return int(handle.first("SELECT count(*) FROM proposal WHERE grp = ?", handle.grp)[0])
