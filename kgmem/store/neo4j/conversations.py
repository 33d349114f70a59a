"""Conversations in the graph: messages chained by NEXT, each with the trace that it initiated and whom that touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from itertools import count
from typing import Any, Final

from kgmem.errors import InvariantError, StoreMissingError
from kgmem.model import Id, Instant, identify, show_instant
from kgmem.store.conversations import Conversation, Message, MessageQuery, Step, Thumb, Trace
from kgmem.store.neo4j.connection import BUSY_SECONDS, Handle
from kgmem.store.neo4j.failures import translated
from kgmem.store.neo4j.keys import checked
from kgmem.store.neo4j.rows import Row, send
from kgmem.store.protocol import Hit, Scope

CONVERSATION: Final = (
    "MERGE (c:Conversation {key: row.key}) ON CREATE SET c.group = $group, c.id = row.id, c.name = row.name"
)
MESSAGE: Final = """
MATCH (c:Conversation {key: row.conversation})
CREATE (c)-[:HAS_MESSAGE]->(m:Message)<-[:INITIATED_BY]-(t:Trace)
SET m = row.message, t = row.trace
WITH c, m OPTIONAL MATCH (c)-[:HAS_MESSAGE]->(before:Message) WHERE before.place = m.place - 1
FOREACH (one IN CASE WHEN before IS NULL THEN [] ELSE [before] END | CREATE (one)-[:NEXT]->(m))
"""
SPOKEN_OF: Final = {
    "mentions": (
        "MATCH (m:Message {key: row.message}) MATCH (e:Entity {key: row.entity})"
        " CREATE (m)-[:MENTIONS {group: $group, ordinal: row.ordinal}]->(e)"
    ),
    "touched": (
        "MATCH (t:Trace {key: row.trace}) MATCH (e:Entity {key: row.entity})"
        " CREATE (t)-[:TOUCHED {group: $group, ordinal: row.ordinal}]->(e)"
    ),
}
STEP: Final = """
MATCH (t:Trace {key: row.trace}) CREATE (t)-[:HAS_STEP]->(s:Step) SET s = row.step
WITH s, row CALL (s, row) {
  UNWIND row.touched AS key MATCH (e:Entity {key: key}) CREATE (s)-[:TOUCHED {group: $group}]->(e)
}
"""

PIECES: Final = {"conversation": CONVERSATION, "message": MESSAGE, **SPOKEN_OF, "step": STEP}
"""What adds a message, in order."""

_END: Final = """
CALL () {
  OPTIONAL MATCH (:Conversation {key: $key})-[:HAS_MESSAGE]->(m:Message) RETURN coalesce(max(m.place), 0) + 1 AS place
}
CALL () { MATCH (g:Group {key: $group}) RETURN g.clock_last AS known }
CALL () {
  OPTIONAL MATCH (m:Message {group: $group}) WHERE $at <= m.asked_at < $at + $most RETURN collect(m.asked_at) AS taken
}
RETURN place, known, taken
"""
"""(where a conversation ends, the last recorded instant, instants from one on at which something was asked)."""
_JUDGE: Final = "MATCH (m:Message {key: $key}) SET m.thumb = $thumb, m.because = $because"
_EVERY: Final = """
MATCH (c:Conversation {group: $group})-[:HAS_MESSAGE]->(m:Message)
RETURN c.name, count(m), min(m.asked_at), max(m.asked_at) AS last ORDER BY last DESC
"""
_CONDITIONS: Final = {
    "conversation": "m.conversation = $conversation",
    "gist": "m.gist = $gist",
    "starts": "m.id STARTS WITH $starts",
}
_TOLD: Final = """
WITH m ORDER BY m.{order} DESC LIMIT $most
MATCH (t:Trace)-[:INITIATED_BY]->(m)
CALL (m) { MATCH (m)-[r:MENTIONS]->(e:Entity) WITH r, e ORDER BY r.ordinal RETURN collect(e.id) AS mentions }
CALL (t) { MATCH (t)-[r:TOUCHED]->(e:Entity) WITH r, e ORDER BY r.ordinal RETURN collect(e.id) AS touched }
CALL (t) { MATCH (t)-[:HAS_STEP]->(s:Step) WITH s ORDER BY s.place RETURN collect(properties(s)) AS steps }
RETURN properties(m), properties(t), mentions, touched, steps ORDER BY m.{order} DESC
"""
_OWN: Final = ("id conversation place asked_at known question gist answer as_of known_at thumb because").split()
"""Columns of a dump that a message itself has; its trace has the others."""
_PATIENCE_SECONDS: Final = 2.0
"""More than beside a file: a server that is slow to answer is not one that somebody holds."""
_AT_ONCE: Final = 1000
"""Messages of one instant, at most."""
_ALL: Final = 2**53
"""More messages than there are."""


class Neo4jConversations:
    """See `kgmem.store.conversations.Conversations`."""

    def __init__(self, handle: Handle, reading: Callable[[], AbstractContextManager[Handle]]) -> None:
        """Args: `reading` gives a handle around a read."""
        self._handle = handle
        self._reading = reading

    @contextmanager
    def _writing(self, seconds: float) -> Iterator[Handle]:
        """A transaction that holds the group's lock, for which it waits so long: so no two writers block each other."""
        handle = self._handle
        if handle.in_transaction:
            raise InvariantError("a message is no part of a transaction")
        if not handle.is_there():
            raise StoreMissingError(f"the group {handle.group} holds nothing yet", "kgmem ingest PATH")
        with translated(handle.address):
            found = handle.begin(seconds)
            try:
                if found.half is not None:
                    raise found.half.refused(handle.group, handle.address.shown)
                yield handle
                handle.commit()
            finally:
                handle.roll_back()

    def add(self, message: Message) -> Message:
        """See the protocol."""
        name = message.conversation
        with self._writing(_PATIENCE_SECONDS) as handle:
            key = handle.key(identify("conversation", name))
            place, last, taken = handle.first(_END, key=key, at=message.asked_at, most=_AT_ONCE)
            at = next(at for at in count(message.asked_at) if at not in taken)
            kept = replace(
                message,
                id=identify("message", name, at, message.question),
                place=place,
                asked_at=Instant(at),
                known=last if message.known is None else message.known,
            )
            send(handle, PIECES, _rows(handle, kept))
        return kept

    def judge(self, message: Id, thumb: Thumb, because: str) -> None:
        """See the protocol."""
        with self._writing(BUSY_SECONDS) as handle:
            handle.write(_JUDGE, key=handle.key(checked(message)), thumb=str(thumb), because=because)

    def every(self) -> tuple[Conversation, ...]:
        """See the protocol."""
        with self._reading() as handle:
            rows = handle.rows(_EVERY)
        return tuple(Conversation(name, count, Instant(first), Instant(last)) for name, count, first, last in rows)

    def messages(self, query: MessageQuery) -> tuple[int, tuple[Message, ...]]:
        """See the protocol."""
        every = {"conversation": query.conversation, "gist": query.gist, "starts": query.starts}
        asked = {name: value for name, value in every.items() if value is not None}
        conditions = "".join(f" AND {_CONDITIONS[name]}" for name in asked)
        order = "asked_at" if query.conversation is None else "place"
        hint = next(
            (f" USING INDEX m:Message(group, {name})" for name in ("gist", "conversation") if name in asked), ""
        )
        found = f"MATCH (m:Message {{group: $group}}){hint} WHERE true{conditions}"
        with self._reading() as handle:
            rows = handle.rows(
                found + _TOLD.replace("{order}", order), **asked, most=_ALL if query.limit is None else query.limit
            )
            total = len(rows)
            if query.limit is not None and total == query.limit:
                ((total,),) = handle.rows(f"{found} RETURN count(m)", **asked)
        return total, tuple(_message(*row) for row in rows)


def _rows(handle: Handle, message: Message) -> dict[str, list[Row]]:
    """What `PIECES` take."""
    spoken = {"mentions": message.mentions, "touched": message.trace.touched}
    return {
        "conversation": [conversation_row(handle, message.conversation)],
        "message": [message_row(handle, _said(message))],
        **{
            role: [
                spoken_row(handle, {"message": message.id, "entity": one, "ordinal": ordinal})
                for ordinal, one in enumerate(entities)
            ]
            for role, entities in spoken.items()
        },
        "step": [step_row(handle, _step_said(message, place)) for place in range(len(message.trace.steps))],
    }


def _step_said(message: Message, place: int) -> Row:
    """A step as a dump says it."""
    step = message.trace.steps[place]
    hits = [[str(hit.scope), hit.id, hit.score] for hit in step.hits]
    said = {"name": step.name, "seconds": step.seconds, "note": step.note, "hits": hits}
    return {"message": message.id, "place": place, **said}


def _said(message: Message) -> Row:
    """A message as a dump says it."""
    trace = message.trace
    return {
        "id": message.id,
        "conversation": message.conversation,
        "place": message.place,
        "asked_at": message.asked_at,
        "known": message.known,
        "question": message.question,
        "gist": message.gist,
        "answer": message.answer,
        "as_of": message.as_of,
        "known_at": message.known_at,
        "thumb": None if message.thumb is None else str(message.thumb),
        "because": message.because,
        "seconds": trace.seconds,
        "tokens": trace.tokens,
        "model": trace.model,
    }


def conversation_row(handle: Handle, name: str) -> Row:
    """What `CONVERSATION` takes. A name may be longer than an index bears."""
    identity = identify("conversation", name)
    return {"key": handle.key(identity), "id": identity, "name": name}


def message_row(handle: Handle, said: Mapping[str, Any]) -> Row:
    """What `MESSAGE` takes, of the columns of a dump."""
    identity = checked(said["id"])
    own = {name: said[name] for name in _OWN}
    asked = show_instant(said["asked_at"])
    spent = {name: said[name] for name in ("seconds", "tokens", "model")}
    return {
        "conversation": handle.key(identify("conversation", said["conversation"])),
        "message": {**own, "group": handle.group, "key": handle.key(identity), "asked": asked},
        "trace": {**spent, "group": handle.group, "key": handle.key("trace", identity)},
    }


def spoken_row(handle: Handle, said: Mapping[str, Any]) -> Row:
    """What `SPOKEN_OF` takes, of the columns of a dump."""
    message = said["message"]
    ends = {"message": handle.key(message), "trace": handle.key("trace", message), "entity": handle.key(said["entity"])}
    return {**ends, "ordinal": said["ordinal"]}


def step_row(handle: Handle, said: Mapping[str, Any]) -> Row:
    """What `STEP` takes, of the columns of a dump. A property holds a list of one kind, so hits are three."""
    message, hits = said["message"], said["hits"]
    own = {name: said[name] for name in ("place", "name", "seconds", "note")}
    parts = {
        "scopes": [scope for scope, _, _ in hits],
        "ids": [one for _, one, _ in hits],
        "scores": [float(score) for _, _, score in hits],
    }
    return {
        "trace": handle.key("trace", message),
        "step": {**own, **parts, "group": handle.group, "key": handle.key("step", message, said["place"])},
        "touched": handle.keys(one for scope, one, _ in hits if scope == Scope.ENTITIES),
    }


def _message(
    said: Mapping[str, Any],
    trace: Mapping[str, Any],
    mentions: Sequence[Id],
    touched: Sequence[Id],
    steps: Sequence[Mapping[str, Any]],
) -> Message:
    known, thumb = said.get("known"), said.get("thumb")
    told = tuple(_step(each) for each in steps)
    return Message(
        conversation=said["conversation"],
        asked_at=Instant(said["asked_at"]),
        question=said["question"],
        gist=said["gist"],
        answer=said["answer"],
        as_of=said.get("as_of"),
        known_at=said.get("known_at"),
        known=None if known is None else Instant(known),
        mentions=tuple(mentions),
        trace=Trace(told, tuple(touched), trace["seconds"], trace["tokens"], trace.get("model")),
        thumb=None if thumb is None else Thumb(thumb),
        because=said["because"],
        id=said["id"],
        place=said["place"],
    )


def _step(said: Mapping[str, Any]) -> Step:
    parts = zip(said["scopes"], said["ids"], said["scores"], strict=True)
    hits = tuple(Hit(Scope(scope), one, score) for scope, one, score in parts)
    return Step(said["name"], hits, said["seconds"], said["note"])
