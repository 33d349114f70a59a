"""What comparing entities needs: keys to find each other by, and the pairs that wait for a decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kgmem.model import Id, Instant, identify, unique
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import checked
from kgmem.store.neo4j.rows import Row, send
from kgmem.store.protocol import Proposal


def upto(handle: Handle) -> Instant | None:
    """See `kgmem.store.protocol.Store.compared_upto`."""
    row = handle.first("MATCH (g:Group {key: $group}) RETURN g.compared_upto")
    return None if row is None or row[0] is None else Instant(row[0])


def named_since(handle: Handle, since: Instant | None) -> frozenset[Id]:
    """See `kgmem.store.protocol.Store.named_since`."""
    if since is None:
        rows = handle.rows("MATCH (e:Entity {group: $group}) WHERE e.listed IS NOT NULL RETURN e.id")
    else:
        rows = handle.rows(_NAMED_SINCE, since=since)
    return frozenset(one for (one,) in rows)


_NAMED_SINCE: Final = """
MATCH (t:Transaction {group: $group}) WHERE t.recorded_at > $since AND t.source IS NOT NULL
WITH DISTINCT $group + '/' + t.source AS key MATCH (s:Source {key: key})
CALL (s) {
  MATCH (s)-[:CURRENT]->(:Episode)-[:HAS_PASSAGE]->(p:Passage)-[:MENTIONS]->(e:Entity) WHERE p.live RETURN e
  UNION
  MATCH (s)-[:GIVES]->(:Alias)-[:NAMES]->(e:Entity) WHERE e.listed IS NOT NULL RETURN e
}
RETURN DISTINCT e.id
"""


def passages_naming(handle: Handle, entities: Iterable[Id]) -> dict[Id, dict[Id, Id]]:
    """See `kgmem.store.protocol.Store.passages_naming`."""
    found: dict[Id, dict[Id, Id]] = {}
    rows = handle.rows(
        "UNWIND $keys AS key MATCH (e:Entity {key: key})<-[:MENTIONS]-(p:Passage) WHERE p.live"
        " RETURN DISTINCT e.id, p.id, p.source",
        keys=handle.keys(entities),
    )
    for entity, passage, source in rows:
        found.setdefault(entity, {})[passage] = source
    return found


def blocked(handle: Handle, keys: Iterable[str]) -> dict[str, tuple[Id, ...]]:
    """See `kgmem.store.protocol.Store.blocked`."""
    rows = handle.rows(
        "UNWIND $keys AS key MATCH (b:Block {key: key})<-[:FILED_UNDER]-(e:Entity)"
        " RETURN b.name, e.id ORDER BY e.id < '8', e.id",
        keys=[_key(handle, key) for key in unique(keys)],
    )
    found: dict[str, list[Id]] = {}
    for name, entity in rows:
        found.setdefault(name, []).append(entity)
    return {name: tuple(each) for name, each in found.items()}


def keys_of(handle: Handle, entities: Iterable[Id]) -> dict[Id, tuple[str, ...]]:
    """See `kgmem.store.protocol.Store.keys_of`."""
    keys = handle.keys(entities)
    filed_under = (
        "UNWIND $keys AS key MATCH (e:Entity {key: key})-[:FILED_UNDER]->(b:Block) RETURN e.id, collect(b.name)"
    )
    rows = handle.rows(filed_under, keys=keys) if keys else []
    return {one: tuple(sorted(names)) for one, names in rows}


def filed(handle: Handle, key: str, limit: int) -> int:
    """See `kgmem.store.protocol.Store.filed`."""
    row = handle.first(_FILED, key=_key(handle, key))
    return 0 if row is None else min(int(row[0]), limit)


_FILED: Final = """
MATCH (b:Block {key: $key}) USING INDEX b:Block(key) RETURN COUNT { (b)<-[:FILED_UNDER]-() }
"""
"""A node knows how many relationships it has. To count up to a limit, a plan that was made before there were any walks
all of a group's."""


def proposals(handle: Handle) -> tuple[Proposal, ...]:
    """See `kgmem.store.protocol.Store.proposals`."""
    rows = handle.rows(
        "MATCH (one:Entity)-[r:SAME_AS {group: $group, status: 'proposed'}]->(other:Entity)"
        " RETURN one.id, other.id, r.score, r.reasons"
        " ORDER BY r.score DESC, one.id < '8', one.id, other.id < '8', other.id"
    )
    return tuple(Proposal(one, other, score, tuple(reasons)) for one, other, score, reasons in rows)


def put(
    handle: Handle,
    blocks: Mapping[Id, Iterable[str]],
    proposed: Iterable[Proposal],
    dropped: Iterable[tuple[Id, Id]],
    last: Instant | None,
) -> int:
    """See `kgmem.store.protocol.Store.compare`. Only what differs is written: most entities keep their keys."""
    before = keys_of(handle, blocks)
    filings: dict[str, list[Row]] = {"new": [], "gone": []}
    for entity, names in blocks.items():
        wanted, held = dict.fromkeys(names), dict.fromkeys(before.get(entity, ()))
        key = handle.key(checked(entity))
        filings["new"] += [{"entity": key, "key": _key(handle, name), "name": name} for name in wanted.keys() - held]
        filings["gone"] += [{"entity": key, "key": _key(handle, name)} for name in held.keys() - wanted]
    send(handle, _FILE, filings)
    send(
        handle,
        _PROPOSE,
        {
            "dropped": [dict(zip(("one", "other"), map(handle.key, sorted(pair)), strict=True)) for pair in dropped],
            "proposed": [_proposal(handle, each) for each in proposed],
            "upto": [] if last is None else [{"last": last}],
        },
    )
    return int(handle.first(_WAITING)[0])


def _proposal(handle: Handle, proposal: Proposal) -> dict[str, object]:
    one, other = sorted((proposal.one, proposal.other))
    said = {"score": float(proposal.score), "reasons": list(proposal.reasons)}
    return {"one": handle.key(checked(one)), "other": handle.key(checked(other)), **said}


def _key(handle: Handle, name: str) -> str:
    return handle.key(identify("block", name))


_FILE: Final = {
    "new": (
        "MATCH (e:Entity {key: row.entity})"
        " MERGE (b:Block {key: row.key}) ON CREATE SET b.group = $group, b.name = row.name"
        " CREATE (e)-[:FILED_UNDER {group: $group}]->(b)"
    ),
    "gone": (
        "MATCH (e:Entity {key: row.entity}) MATCH (b:Block {key: row.key}) MATCH (e)-[f:FILED_UNDER]->(b) DELETE f"
        " WITH b WHERE NOT EXISTS { (b)<-[:FILED_UNDER]-(:Entity) } DELETE b"
    ),
}
_PROPOSE: Final = {
    "dropped": ("MATCH (:Entity {key: row.one})-[r:SAME_AS {status: 'proposed'}]->(:Entity {key: row.other}) DELETE r"),
    "proposed": (
        "MATCH (one:Entity {key: row.one}) MATCH (other:Entity {key: row.other})"
        " MERGE (one)-[r:SAME_AS {status: 'proposed'}]->(other)"
        " SET r.group = $group, r.score = row.score, r.reasons = row.reasons"
    ),
    "upto": "MATCH (g:Group {key: $group}) SET g.compared_upto = row.last",
}
_WAITING: Final = "MATCH (:Entity)-[r:SAME_AS {group: $group, status: 'proposed'}]->(:Entity) RETURN count(r)"
