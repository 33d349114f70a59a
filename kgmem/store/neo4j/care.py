"""How much a group holds, and what is damaged."""

from __future__ import annotations

from typing import Final

from kgmem.model import OPEN, Instant
from kgmem.store.neo4j.connection import Handle
from kgmem.store.protocol import Stats

_COUNTS: Final = {
    "sources": "MATCH (n:Source {group: $group}) WHERE n.removed_at = $open RETURN count(n) AS n",
    "episodes": "MATCH (n:Episode {group: $group}) RETURN count(n) AS n",
    "passages": "MATCH (n:Passage {group: $group}) WHERE n.live RETURN count(n) AS n",
    "mentions": "MATCH (p:Passage {group: $group})-[n:MENTIONS]->(:Entity) WHERE p.live RETURN count(n) AS n",
    "entities": "MATCH (n:Entity {group: $group}) WHERE n.listed IS NOT NULL RETURN count(n) AS n",
    "aliases": "MATCH (:Source {group: $group})-[n:GIVES]->(:Alias) RETURN count(n) AS n",
    "claims": "MATCH (n:Claim {group: $group}) WHERE n.withdrawn_at = $open RETURN count(n) AS n",
    "facts": "MATCH (n:Fact {group: $group}) WHERE n.closed_at = $open RETURN count(n) AS n",
    "vectors": (
        "MATCH (g:Group {key: $group}) MATCH (n:Embedding {group: $group}) WHERE n.model = g.vector_model"
        " RETURN count(n) AS n"
    ),
    "transactions": "MATCH (n:Transaction {group: $group}) RETURN count(n) AS n",
    "conversations": "MATCH (n:Conversation {group: $group}) RETURN count(n) AS n",
    "messages": "MATCH (n:Message {group: $group}) RETURN count(n) AS n",
}
_STATS: Final = (
    "\n".join(f"CALL () {{ {cypher.replace(' AS n', f' AS {name}')} }}" for name, cypher in _COUNTS.items())
    + """
CALL () { MATCH (e:Episode {group: $group}) RETURN sum(e.bytes) AS bytes }
CALL () { OPTIONAL MATCH (g:Group {key: $group}) RETURN g.clock_last AS last }
CALL dbms.components() YIELD name, versions WITH * WHERE name = 'Neo4j Kernel'
RETURN last, bytes, versions[0], """
    + ", ".join(_COUNTS)
)

_DAMAGE: Final = """
CALL () {
  MATCH (p:Passage {group: $group}) WHERE NOT EXISTS { (p)-[:PART_OF]->(:Source) }
  RETURN 'passage ' + p.id + ' is part of no source' AS found
  UNION ALL
  MATCH (p:Passage {group: $group}) WHERE NOT EXISTS { (p)<-[:HAS_PASSAGE]-(:Episode) }
  RETURN 'passage ' + p.id + ' stands in no episode' AS found
  UNION ALL
  MATCH (e:Episode {group: $group}) WHERE NOT EXISTS { (e)<-[:HAS_EPISODE]-(:Source) }
  RETURN 'episode ' + e.id + ' is of no source' AS found
  UNION ALL
  MATCH (a:Alias {group: $group}) WHERE NOT EXISTS { (a)-[:NAMES]->(:Entity) } OR NOT EXISTS { (a)<-[:GIVES]-(:Source) }
  RETURN 'alias ' + a.name + ' names nothing, or no source gives it' AS found
  UNION ALL
  MATCH (c:Claim {group: $group}) WHERE NOT EXISTS { (c)<-[:ASSERTS]-(:Passage) }
  RETURN 'claim ' + c.id + ' stands in no passage' AS found
  UNION ALL
  MATCH (f:Fact {group: $group}) WHERE NOT EXISTS { (f)-[:ABOUT {role: 'subject'}]->(:Entity) }
    OR f.object IS NOT NULL AND NOT EXISTS { (f)-[:ABOUT {role: 'object'}]->(:Entity) }
  RETURN 'fact ' + f.id + ' is about an entity that is not there' AS found
  UNION ALL
  MATCH (m:Message {group: $group})
  WHERE NOT EXISTS { (m)<-[:HAS_MESSAGE]-(:Conversation) } OR NOT EXISTS { (m)<-[:INITIATED_BY]-(:Trace) }
  RETURN 'message ' + m.id + ' stands in no conversation, or has no trace' AS found
}
RETURN found LIMIT 100
"""
_INDEXES: Final = """
SHOW INDEXES YIELD name, state WHERE state <> 'ONLINE' AND (name STARTS WITH 'kgmem_' OR name STARTS WITH $label)
RETURN name, state
"""


def stats(handle: Handle) -> Stats:
    """See `kgmem.store.protocol.Store.stats`. The size is that of the texts: a server does not tell its own."""
    last, size, version, *counts = handle.first(_STATS, open=OPEN)
    return Stats(
        dict(zip(_COUNTS, counts, strict=True)),
        None if last is None else Instant(last),
        size,
        f"Neo4j {version}",
        handle.address.shown,
    )


def verify(handle: Handle) -> tuple[str, ...]:
    """See `kgmem.store.protocol.Store.verify`."""
    indexes = handle.rows(_INDEXES, label=handle.label)
    return (
        *(f"the index {name} is {state.lower()}" for name, state in indexes),
        *(found for (found,) in handle.rows(_DAMAGE)),
    )
