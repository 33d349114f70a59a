"""Erasing what was answered from a source that is erased: its words may stand in an answer, and in the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from kgmem.model import Id
from kgmem.store.conversations import ERASED
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import lookup

_CITING: Final = """
CALL () {
  UNWIND $slots AS slot MATCH (f:Fact {group: $group, slot: slot}) USING INDEX f:Fact(group, slot)
  RETURN collect(f.id) AS facts
}
MATCH (m:Message {group: $group})<-[:INITIATED_BY]-(:Trace)-[:HAS_STEP]->(s:Step)
WHERE any(one IN s.ids WHERE one IN facts OR one IN $passages)
RETURN DISTINCT m.key
"""
_TEXTS: Final = """
UNWIND $entities AS id WITH $group + '/' + id AS key MATCH (e:Entity {key: key})
CALL (e) {
  MATCH (m:Message)-[:MENTIONS]->(e) RETURN m
  UNION
  MATCH (m:Message)<-[:INITIATED_BY]-(:Trace)-[:TOUCHED]->(e) RETURN m
}
RETURN DISTINCT m.key, m.question + ' ' + m.answer
"""
_NAMES: Final = """
CALL () {
  UNWIND $entities AS id WITH $group + '/' + id AS key MATCH (e:Entity {key: key}) RETURN e.name AS name, null AS key
  UNION
  MATCH (:Source {key: $source})-[:GIVES]->(a:Alias) RETURN a.name AS name, a.name_key AS key
}
RETURN name, key ORDER BY key IS NULL DESC
"""
_LEFT: Final = """
CALL () {
  UNWIND $entities AS id WITH $group + '/' + id AS key MATCH (e:Entity {key: key}) RETURN e.name AS left
  UNION
  UNWIND $keys AS row MATCH (a:Alias {group: $group, lookup: row.lookup}) WHERE a.name_key = row.key
  RETURN a.name_key AS left
}
RETURN left
"""
_BLANK: Final = """
UNWIND $messages AS key MATCH (m:Message {key: key})<-[:INITIATED_BY]-(t:Trace)
SET m.question = $erased, m.answer = '', m.because = '', m.gist = m.id, m.as_of = null, m.known_at = null
WITH m, t
CALL (m) { MATCH (m)-[r:MENTIONS]->() DELETE r }
CALL (t) { MATCH (t)-[r:TOUCHED]->() DELETE r }
CALL (t) { MATCH (t)-[:HAS_STEP]->(s:Step) DETACH DELETE s }
"""


def citing(handle: Handle, passages: Sequence[Id], slots: Sequence[Id]) -> set[str]:
    """Keys of the messages whose hits are among some passages, or are facts of some slots."""
    return {key for (key,) in handle.rows(_CITING, passages=list(passages), slots=list(slots))}


def texts_about(handle: Handle, entities: Sequence[Id]) -> dict[str, str]:
    """What was asked and answered in the messages about some entities, by key."""
    return dict(handle.rows(_TEXTS, entities=list(entities)))


def names_of(handle: Handle, source: str, entities: Sequence[Id]) -> dict[str, str | None]:
    """What a source (by key) calls things, each with the key of the name; and the names of some entities."""
    return dict(handle.rows(_NAMES, source=source, entities=list(entities)))


def names_gone(handle: Handle, names: Mapping[str, str | None], entities: Sequence[Id]) -> list[str]:
    """Those of some names by which nothing is called any more."""
    keys = [{"key": key, "lookup": lookup(key)} for key in names.values() if key is not None]
    left = {one for (one,) in handle.rows(_LEFT, keys=keys, entities=list(entities))}
    return [name for name, key in names.items() if name not in left and key not in left]


def blank(handle: Handle, messages: Iterable[str]) -> None:
    """Leave of messages when they were asked, and nothing that anybody said."""
    handle.write(_BLANK, messages=sorted(messages), erased=ERASED)
