"""Everything that a group holds, as text: the very lines that the other store gives for the same memory.

Rows come in the order of ids as signed numbers of 64 bits, which is how the other store keeps them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from kgmem.store.lines import show_bound
from kgmem.store.neo4j import replies
from kgmem.store.neo4j.archive import POINTER, whole
from kgmem.store.neo4j.connection import Handle
from kgmem.store.sqlite.packing import unpack_bound


def _by(*ids: str) -> str:
    return ", ".join(f"{each} < '8', {each}" for each in ids)


TABLES: Final = {
    "tx": "MATCH (t:Transaction {group: $group}) RETURN t.recorded_at, t.kind, t.source ORDER BY t.recorded_at",
    "decision": (
        "MATCH (d:Decision {group: $group}) RETURN d.id, d.kind, d.source, d.hash, d.about, d.entity,"
        f" d.others, d.names, d.note, d.recorded_at, d.retracted_at ORDER BY {_by('d.id')}"
    ),
    "replay": "MATCH (r:Replay {group: $group}) RETURN r.root, r.commit, r.at AS upto ORDER BY r.root",
    "entity": (
        f"MATCH (e:Entity {{group: $group}}) RETURN e.id, e.name, e.type, e.subtype, e.type_rank ORDER BY {_by('e.id')}"
    ),
    "source": (
        "MATCH (s:Source {group: $group}) OPTIONAL MATCH (s)-[:CURRENT]->(e:Episode)"
        " RETURN s.id, s.kind, s.root, s.path, s.title, s.uid, s.entity, s.hash, s.removed_at, e.id AS episode"
        f" ORDER BY {_by('s.id')}"
    ),
    "source_path": (
        "MATCH (s:Source {group: $group})-[:STOOD_AT]->(q:Place)"
        f" RETURN s.id AS source, q.recorded_at, q.closed_at, q.root, q.path ORDER BY {_by('s.id')}, q.recorded_at"
    ),
    "episode": (
        f"MATCH (e:Episode {{group: $group}}) RETURN e.id, e.source, e.hash, e.body, {POINTER} ORDER BY {_by('e.id')}"
    ),
    "source_episode": (
        "MATCH (s:Source {group: $group})-[h:HAS_EPISODE]->(e:Episode)"
        " RETURN s.id AS source, h.recorded_at, h.closed_at, e.id AS episode, h.occurred"
        f" ORDER BY {_by('s.id')}, h.recorded_at"
    ),
    "passage": (
        "MATCH (p:Passage {group: $group}) RETURN p.id, p.source, p.live, p.kind, p.heading, p.block, p.text"
        f" ORDER BY {_by('p.id')}"
    ),
    "stands": (
        "MATCH (e:Episode {group: $group})-[t:HAS_PASSAGE]->(p:Passage)"
        " RETURN e.id AS episode, p.id AS passage, t.ordinal, t.first_line, t.last_line"
        f" ORDER BY {_by('e.id')}, t.ordinal, {_by('p.id')}"
    ),
    "reply": f"{replies.DUMP} ORDER BY {_by('p.id')}",
    "mention": (
        "MATCH (p:Passage {group: $group})-[m:MENTIONS]->(e:Entity)"
        " RETURN p.id AS passage, m.start, m.past, e.id AS entity, m.surface, m.rung"
        f" ORDER BY {_by('p.id')}, m.start, m.past, {_by('e.id')}"
    ),
    "alias": (
        "MATCH (s:Source {group: $group})-[:GIVES]->(a:Alias)"
        " RETURN s.id AS source, a.entity, a.name, a.name_key AS key, a.kind, a.type, a.subtype, a.type_rank"
        f" ORDER BY {_by('s.id', 'a.entity')}, a.name, a.kind, a.type, a.subtype IS NOT NULL, a.subtype, a.type_rank,"
        " a.name_key"
    ),
    "link": (
        "MATCH (s:Source {group: $group})-[:LINKS]->(l:Link)"
        f" RETURN s.id AS source, l.name AS key, l.resolved ORDER BY {_by('s.id')}, l.name"
    ),
    "claim": (
        "MATCH (c:Claim {group: $group}) RETURN c.id, c.slot, c.source, c.episode, c.passage, c.subject, c.predicate,"
        " c.object, c.value, c.statement, c.quote, c.line, c.valid_from, c.valid_to, c.said, c.kind, c.scalar, c.rung,"
        f" c.confidence, c.recorded_at, c.first_at, c.withdrawn_at, c.replaced ORDER BY {_by('c.id')}"
    ),
    "ending": (
        "MATCH (n:Ending {group: $group}) RETURN n.claim, n.recorded_at, n.kind, n.at"
        f" ORDER BY {_by('n.claim')}, n.recorded_at, n.kind"
    ),
    "fact": (
        "MATCH (f:Fact {group: $group}) RETURN f.id, f.slot, f.subject, f.predicate, f.object, f.value, f.statement,"
        " f.valid_from, f.valid_to, f.holds_from, f.holds_to, f.confidence, f.recorded_at, f.closed_at"
        f" ORDER BY {_by('f.id')}"
    ),
    "evidence": (
        "MATCH (f:Fact {group: $group})-[v:EVIDENCE]->(c:Claim)"
        " RETURN f.id AS fact, c.id AS claim, v.rival, v.recorded_at, v.closed_at"
        f" ORDER BY {_by('f.id', 'c.id')}, v.rival, v.recorded_at"
    ),
    "vectors": "MATCH (g:Group {key: $group}) RETURN g.vector_model AS model, g.vector_dimension AS dimension",
    "vector": (
        "MATCH (g:Group {key: $group}) MATCH (v:Embedding {group: $group}) WHERE v.model = g.vector_model"
        " RETURN v.kind, v.id, v.model, v.made_of, v.values AS data"
        f" ORDER BY v.kind, {_by('v.id')}"
    ),
    "conversation": "MATCH (c:Conversation {group: $group}) RETURN c.name ORDER BY c.name",
    "message": (
        "MATCH (t:Trace)-[:INITIATED_BY]->(m:Message {group: $group}) RETURN m.id, m.conversation, m.place,"
        " m.asked_at, m.known, m.question, m.gist, m.answer, m.as_of, m.known_at, m.thumb, m.because, t.seconds,"
        " t.tokens, t.model ORDER BY m.conversation, m.place"
    ),
    "spoken_of": (
        "MATCH (m:Message {group: $group}) CALL (m) {"
        " MATCH (m)-[r:MENTIONS]->(e:Entity) RETURN 'mentions' AS role, r.ordinal AS ordinal, e.id AS entity UNION ALL"
        " MATCH (m)<-[:INITIATED_BY]-(:Trace)-[r:TOUCHED]->(e:Entity)"
        " RETURN 'touched' AS role, r.ordinal AS ordinal, e.id AS entity"
        " } RETURN m.id AS message, role, ordinal, entity ORDER BY m.asked_at, role, ordinal"
    ),
    "step": (
        "MATCH (m:Message {group: $group})<-[:INITIATED_BY]-(:Trace)-[:HAS_STEP]->(s:Step)"
        " RETURN m.id AS message, s.place, s.name, s.seconds, s.note,"
        " [i IN range(0, size(s.ids) - 1) | [s.scopes[i], s.ids[i], s.scores[i]]] AS hits"
        " ORDER BY m.asked_at, s.place"
    ),
}
"""A query for each table. A column is called as its property, or as the query says."""

BOUNDS: Final = ("occurred", "valid_from", "valid_to", "said", "replaced", "at")
"""Columns that hold packed world dates."""
FLAGS: Final = ("live", "resolved", "scalar", "rival")
"""Columns that are true or false here, and 1 or 0 in a dump."""


def dump(handle: Handle) -> Iterator[str]:
    """See `kgmem.store.protocol.Store.dump`."""
    for table, cypher in TABLES.items():
        rows = handle.stream(cypher)
        for columns, row in rows if table != "episode" else whole(rows):
            names = (column.rpartition(".")[2] for column in columns)
            line = {name: _SHOWN.get(name, _as_is)(value) for name, value in zip(names, row, strict=True)}
            yield json.dumps({"table": table, **line}, ensure_ascii=False, separators=(",", ":"))


def _as_is(value: Any) -> Any:
    return value


_SHOWN: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(BOUNDS, lambda packed: None if packed is None else show_bound(unpack_bound(packed))),
    **dict.fromkeys(FLAGS, int),
    "others": json.dumps,
    "names": lambda names: json.dumps(names, ensure_ascii=False),
    "data": lambda values: [float(value) for value in values],
}
