"""Erasing: rows go for good. What the server's own logs and free pages still hold is its keeper's to prune."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kgmem.model import OPEN, Id
from kgmem.store.changes import Erasure
from kgmem.store.conversations import holding
from kgmem.store.neo4j import erase_messages, write_beliefs
from kgmem.store.neo4j.archive import TAINT
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.held import read_held
from kgmem.store.neo4j.keys import checked
from kgmem.store.neo4j.rows import Work, send
from kgmem.store.neo4j.words import DEAD

NAMELESS: Final = "(erased)"
"""The name of an entity that only the past of other sources still speaks of."""

_TEXTS: Final = """
MATCH (s:Source {key: $source})
CALL (s) {
  MATCH (s)<-[:PART_OF]-(p:Passage)
  WHERE $episode IS NULL OR (
    EXISTS { MATCH (p)<-[:HAS_PASSAGE]-(:Episode {key: $episode}) }
    AND NOT EXISTS { MATCH (p)<-[:HAS_PASSAGE]-(o:Episode) WHERE o.key <> $episode }
  )
  RETURN collect(p.id) AS passages
}
CALL (s) {
  MATCH (s)-[:HAS_EPISODE]->(e:Episode) WHERE $episode IS NULL OR e.key = $episode
  RETURN collect(DISTINCT e.key) AS episodes
}
RETURN s.entity, passages, episodes
"""
"""(what the source is about, its passages that stand in no other episode, keys of its episodes)."""

_CONCERNED: Final = """
CALL () {
  UNWIND $passages AS key MATCH (:Passage {key: key})-[:MENTIONS]->(e:Entity) RETURN e.id AS id
  UNION
  MATCH (:Source {key: $whole})-[:GIVES]->(:Alias)-[:NAMES]->(e:Entity) RETURN e.id AS id
  UNION
  UNWIND $claims AS key MATCH (c:Claim {key: key}) UNWIND [c.subject, c.object] AS id RETURN id
}
WITH id WHERE id IS NOT NULL RETURN DISTINCT id
"""
"""The entities that may be left without anything that speaks of them."""

_BELIEFS: Final = """
CALL () {
  UNWIND $slots AS slot MATCH (f:Fact {group: $group, slot: slot}) USING INDEX f:Fact(group, slot)
  OPTIONAL MATCH (v:Embedding) WHERE v.key IN [$group + '/fact/' + f.id, $group + '/fact/' + f.id + '/b']
  OPTIONAL MATCH (:Entity {key: $group + '/' + f.subject})-[r:RELATED_TO {fact: f.id}]->(:Entity)
  DELETE r DETACH DELETE v, f
}
CALL () {
  UNWIND $claims AS key MATCH (c:Claim {key: key})
  OPTIONAL MATCH (c)-[:ENDED]->(n:Ending)
  DETACH DELETE n, c
}
"""
_PASSAGES: Final = """
UNWIND $passages AS id WITH id, $group + '/' + id AS key
MATCH (p:Passage {key: key})
OPTIONAL MATCH (v:Embedding) WHERE v.key IN [$group + '/passage/' + id, $group + '/passage/' + id + '/b']
DETACH DELETE v, p
"""
_EPISODES: Final = "UNWIND $episodes AS key MATCH (e:Episode {key: key}) DETACH DELETE e"
_SOURCE: Final = """
MATCH (s:Source {key: $source})
CALL (s) {
  MATCH (s)-[g:GIVES]->(a:Alias) DELETE g
  WITH a WHERE NOT EXISTS { (a)<-[:GIVES]-(:Source) } DETACH DELETE a
}
CALL (s) { MATCH (s)-[:LINKS]->(l:Link) DETACH DELETE l }
CALL (s) { MATCH (s)-[:STOOD_AT]->(q:Place) DETACH DELETE q }
CALL (s) { MATCH (d:Decision {group: $group}) WHERE d.source = s.id AND d.kind IN ['means', 'taken'] DELETE d }
DETACH DELETE s
"""

_COMPARISONS: Final = """
CALL () {
  UNWIND $entities AS id WITH id, $group + '/' + id AS key MATCH (e:Entity {key: key})
  OPTIONAL MATCH (e)-[f:FILED_UNDER]->(b:Block) DELETE f
  WITH DISTINCT e, b WHERE b IS NOT NULL AND NOT EXISTS { (b)<-[:FILED_UNDER]-(:Entity) } DELETE b
}
CALL () {
  UNWIND $entities AS id WITH id, $group + '/' + id AS key
  MATCH (:Entity {key: key})-[r:SAME_AS {status: 'proposed'}]-(:Entity) DELETE r
}
CALL () {
  MATCH (d:Decision {group: $group}) WHERE d.entity IN $entities OR any(one IN d.others WHERE one IN $entities)
  SET d.note = ''
  WITH d UNWIND $entities AS id
  WITH d, id, $group + '/' + id AS key WHERE d.entity = id OR id IN d.others
  OPTIONAL MATCH (e:Entity {key: key})
  WITH d, e WHERE e IS NULL OR NOT EXISTS { (e)<-[:NAMES]-(:Alias) } SET d.names = []
}
CALL () {
  UNWIND $entities AS id WITH id, $group + '/' + id AS key
  MATCH (:Entity {key: key})-[r:SAME_AS]-(:Entity) WHERE r.decision IS NOT NULL SET r.reasons = []
}
CALL () { MATCH (g:Group {key: $group}) SET g.compared_upto = null }
"""
"""Names stand in the keys and reasons of comparisons: all are to be made again."""

_SPOKEN_OF: Final = """
UNWIND $entities AS id WITH id, $group + '/' + id AS key MATCH (e:Entity {key: key})
WHERE NOT EXISTS { (e)<-[:NAMES]-(:Alias) } AND NOT EXISTS { (e)<-[:MENTIONS]-(:Passage) }
RETURN e.id, EXISTS { (e)<-[:DESCRIBES]-(:Source) } OR EXISTS { (e)<-[:ABOUT]-(:Fact) }
  OR EXISTS { MATCH (c:Claim {group: $group, subject: e.id}) USING INDEX c:Claim(group, subject) }
  OR EXISTS { MATCH (c:Claim {group: $group, object: e.id}) USING INDEX c:Claim(group, object) }
"""
"""(id, whether anything speaks of it) of those that no source calls anything."""
_DROP: Final = """
CALL () {
  UNWIND $gone AS id WITH id, $group + '/' + id AS key MATCH (e:Entity {key: key}) DETACH DELETE e
}
CALL () {
  UNWIND $nameless AS id WITH id, $group + '/' + id AS key MATCH (e:Entity {key: key})
  SET e.name = $name, e.listed = null, e.state = $dead, e.name_words = null, e.alias_words = null
}
CALL () {
  UNWIND $gone + $nameless AS id
  MATCH (v:Embedding) WHERE v.key IN [$group + '/entity/' + id, $group + '/entity/' + id + '/b'] DETACH DELETE v
}
"""


def erase(handle: Handle, what: Erasure) -> None:
    """Delete the rows of a source, or of one of its episodes, and write the beliefs of its slots anew."""
    source = handle.key(checked(what.source))
    episode = None if what.episode is None else handle.key(checked(what.episode))
    entity, passages, episodes = handle.first(_TEXTS, source=source, episode=episode)
    claims = handle.keys(what.claims)
    entities = _concerned(handle, passages, claims, source if episode is None else None)
    if entity is not None:
        entities.add(entity)
    citing = erase_messages.citing(handle, passages, what.slots)
    spoken = erase_messages.texts_about(handle, sorted(entities))
    names = erase_messages.names_of(handle, source, sorted(entities))
    handle.write(_BELIEFS, slots=list(what.slots), claims=claims)
    handle.write(_PASSAGES, passages=passages)
    handle.write(TAINT, episodes=episodes)
    handle.write(_EPISODES, episodes=episodes)
    if episode is None:
        handle.write(_SOURCE, source=source)
    for at, closed, opened, supported in what.rebuilt:
        _rebuild(handle, at, closed, opened, supported)
    handle.write(_COMPARISONS, entities=sorted(entities))
    _drop_nameless(handle, entities)
    gone = erase_messages.names_gone(handle, names, sorted(entities))
    erase_messages.blank(handle, citing | holding(spoken, gone))


def _concerned(handle: Handle, passages: Iterable[Id], claims: list[str], whole: str | None) -> set[Id]:
    rows = handle.rows(_CONCERNED, passages=handle.keys(passages), claims=claims, whole=whole)
    return {one for (one,) in rows}


def _rebuild(handle: Handle, at: Any, closed: Any, opened: Any, supported: Any) -> None:
    """Beliefs as the claims of others alone made them at a recorded instant."""
    from kgmem.store.changes import ChangeSet

    changes = ChangeSet("rebuild", closed=closed, opened=opened, supported=supported)
    work = Work(handle, read_held(handle, changes), at)
    over = write_beliefs.close_facts(work, closed)
    write_beliefs.open_facts(work, opened, over)
    write_beliefs.support_facts(work, supported)
    send(handle, write_beliefs.PIECES, work.rows, at=at, open=OPEN, label=handle.label, **write_beliefs.MORE)


def _drop_nameless(handle: Handle, entities: Iterable[Id]) -> None:
    """Delete entities of which nothing speaks any more; one that only the past knows keeps its place, and no name."""
    rows = handle.rows(_SPOKEN_OF, entities=sorted(entities))
    nameless = [one for one, spoken_of in rows if spoken_of]
    gone = [one for one, spoken_of in rows if not spoken_of]
    if rows:
        handle.write(_DROP, gone=gone, nameless=nameless, name=NAMELESS, dead=DEAD)
