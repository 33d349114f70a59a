"""Conversations in SQLite: a trace is one with its message, and the hits of a step are one JSON text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import apsw

from kgmem.errors import StoreMissingError
from kgmem.model import Id, Instant, identify
from kgmem.store.conversations import (
    PATIENCE_SECONDS,
    Conversation,
    Message,
    MessageQuery,
    Step,
    Thumb,
    Trace,
)
from kgmem.store.protocol import Hit, Scope
from kgmem.store.sqlite.connection import BUSY_SECONDS, Handle, connect, transaction, translated
from kgmem.store.sqlite.packing import pack_id, seek_id, unpack_id
from kgmem.store.sqlite.schema import find_group

TABLES: Final = """
CREATE TABLE conversation (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (grp, name)
) STRICT;

CREATE TABLE message (         -- a question with its answer and its trace
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  id INTEGER NOT NULL,
  conversation INTEGER NOT NULL REFERENCES conversation,
  place INTEGER NOT NULL,      -- from 1, there
  asked_at INTEGER NOT NULL,
  known INTEGER,               -- the recorded instant at which its hits stood where they were found
  question TEXT NOT NULL,
  gist INTEGER NOT NULL,       -- the same for questions that are nearly equal
  answer TEXT NOT NULL,
  as_of TEXT,
  known_at TEXT,
  thumb TEXT,
  because TEXT NOT NULL,
  seconds REAL NOT NULL,
  tokens INTEGER NOT NULL,
  model TEXT,
  UNIQUE (grp, id),
  UNIQUE (conversation, place)
) STRICT;
CREATE INDEX message_by_gist ON message (grp, gist, asked_at);
CREATE UNIQUE INDEX message_by_time ON message (grp, asked_at);

CREATE TABLE spoken_of (       -- the entities of a message
  message INTEGER NOT NULL REFERENCES message,
  role TEXT NOT NULL,          -- mentions: the question names it; touched: the answer speaks of it
  ordinal INTEGER NOT NULL,
  entity INTEGER NOT NULL REFERENCES entity ON DELETE CASCADE,
  PRIMARY KEY (message, role, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX spoken_of_by_entity ON spoken_of (entity);

CREATE TABLE step (
  message INTEGER NOT NULL REFERENCES message,
  place INTEGER NOT NULL,
  name TEXT NOT NULL,
  seconds REAL NOT NULL,
  note TEXT NOT NULL,
  hits TEXT NOT NULL,          -- JSON: [[scope, id, score], …]
  PRIMARY KEY (message, place)
) STRICT, WITHOUT ROWID;
"""

_MESSAGES: Final = (
    "SELECT m.nr, m.id, c.name, m.place, m.asked_at, m.known, m.question, m.gist, m.answer, m.as_of, m.known_at,"
    " m.thumb, m.because, m.seconds, m.tokens, m.model"
    " FROM message m CROSS JOIN conversation c ON c.nr = m.conversation WHERE m.grp = :grp"
)
_ROLES: Final = ("mentions", "touched")
_SHORT_LOG_BYTES: Final = 2**20
"""A kept answer takes a tenth of it, at most."""


class SqliteConversations:
    """See `kgmem.store.conversations.Conversations`."""

    def __init__(
        self,
        path: Path,
        group: str,
        reading: Callable[[], AbstractContextManager[Handle]],
    ) -> None:
        """Args: `reading` gives a handle around a read."""
        self._path = path
        self._group = group
        self._reading = reading

    @contextmanager
    def _writing(self, seconds: float) -> Iterator[Handle]:
        """A transaction through a connection of its own, for a reader has none that writes, and one that waits so long.

        Raises:
            StoreMissingError: nothing was ever written for the group, and a question is no reason to make it.
        """
        with translated(self._path), closing(connect(self._path, readonly=False, busy_seconds=seconds)) as connection:
            with transaction(connection):
                group = find_group(connection, self._group)
                if group is None:
                    raise StoreMissingError(f"the group {self._group} holds nothing yet", "kgmem ingest PATH")
                yield Handle(connection, group)
            self._empty_log(connection)

    def _empty_log(self, connection: apsw.Connection) -> None:
        """Bring a short log into the file, if nobody is reading or writing.

        The reader that asked closes last, and cannot do it: who may only read the folder would find a log that nobody
        can read there. A long one is left to the writer whose it is.
        """
        log = self._path.with_name(f"{self._path.name}-wal")
        if log.exists() and log.stat().st_size <= _SHORT_LOG_BYTES:
            connection.set_busy_timeout(0)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def add(self, message: Message) -> Message:
        """See the protocol."""
        with self._writing(PATIENCE_SECONDS) as handle:
            conversation, place = _place(handle, message.conversation)
            at = _free_instant(handle, message.asked_at)
            known = message.known
            if known is None:
                known = handle.first("SELECT clock_last FROM grp WHERE nr = ?", handle.grp)[0]
            identity = identify("message", message.conversation, at, message.question)
            kept = replace(message, id=identity, place=place, asked_at=at, known=known)
            _insert(handle, kept, conversation)
        return kept

    def judge(self, message: Id, thumb: Thumb, because: str) -> None:
        """See the protocol."""
        with self._writing(BUSY_SECONDS) as handle:
            handle.run(
                "UPDATE message SET thumb = ?, because = ? WHERE grp = ? AND id = ?",
                [(thumb, because, handle.grp, pack_id(message))],
            )

    def every(self) -> tuple[Conversation, ...]:
        """See the protocol."""
        with self._reading() as handle:
            rows = handle.rows(
                "SELECT c.name, count(*), min(m.asked_at), max(m.asked_at) FROM conversation c"
                " CROSS JOIN message m ON m.conversation = c.nr WHERE c.grp = ?"
                " GROUP BY c.nr ORDER BY max(m.asked_at) DESC",
                handle.grp,
            )
        return tuple(Conversation(name, count, Instant(first), Instant(last)) for name, count, first, last in rows)

    def messages(self, query: MessageQuery) -> tuple[int, tuple[Message, ...]]:
        """See the protocol."""
        conditions, bindings = _conditions(query)
        order = "m.asked_at" if query.conversation is None else "m.place"
        with self._reading() as handle:
            shared = {"grp": handle.grp, **bindings}
            found = handle.connection.execute(
                f"{_MESSAGES}{conditions} ORDER BY {order} DESC LIMIT :most",
                {**shared, "most": -1 if query.limit is None else query.limit},
            ).fetchall()
            total = len(found)
            if query.limit is not None and total == query.limit:
                counted = f"SELECT count(*) FROM ({_MESSAGES}{conditions})"  # noqa: S608 -- constants
                total = handle.connection.execute(counted, shared).get
            return total, tuple(_message(handle, row) for row in found)


def _conditions(query: MessageQuery) -> tuple[str, dict[str, Any]]:
    """The conditions in SQL, and what is bound in them."""
    parts = ""
    bindings: dict[str, Any] = {}
    if query.conversation is not None:
        parts += " AND m.conversation = (SELECT nr FROM conversation WHERE grp = :grp AND name = :conversation)"
        bindings["conversation"] = query.conversation
    if query.gist is not None:
        parts += " AND m.gist = :gist"
        bindings["gist"] = seek_id(query.gist)
    if query.starts is not None:
        parts += " AND format('%016x', m.id) GLOB :starts || '*'"
        bindings["starts"] = query.starts if query.starts.isalnum() else "-"
    return parts, bindings


def _place(handle: Handle, name: str) -> tuple[int, int]:
    """(number of the row of a conversation, which is made if it is new; place of its next message)."""
    handle.run("INSERT OR IGNORE INTO conversation (grp, name) VALUES (?, ?)", [(handle.grp, name)])
    conversation = handle.first("SELECT nr FROM conversation WHERE grp = ? AND name = ?", handle.grp, name)[0]
    last = handle.first("SELECT max(place) FROM message WHERE conversation = ?", conversation)[0]
    return conversation, (last or 0) + 1


def _free_instant(handle: Handle, at: Instant) -> Instant:
    """The first instant from one on at which nothing was asked."""
    while handle.first("SELECT 1 FROM message WHERE grp = ? AND asked_at = ?", handle.grp, at):
        at = Instant(at + 1)
    return at


def _insert(handle: Handle, message: Message, conversation: int) -> None:
    trace = message.trace
    handle.run(
        "INSERT INTO message (grp, id, conversation, place, asked_at, known, question, gist, answer, as_of, known_at,"
        " thumb, because, seconds, tokens, model) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                handle.grp, pack_id(message.id), conversation, message.place, message.asked_at, message.known,
                message.question, pack_id(message.gist), message.answer, message.as_of, message.known_at,
                message.thumb, message.because, trace.seconds, trace.tokens, trace.model,
            )
        ],
    )  # fmt: skip
    nr = handle.connection.last_insert_rowid()
    spoken = [
        (nr, role, ordinal, handle.grp, pack_id(entity))
        for role, entities in zip(_ROLES, (message.mentions, trace.touched), strict=True)
        for ordinal, entity in enumerate(entities)
    ]
    handle.run(
        "INSERT INTO spoken_of (message, role, ordinal, entity)"
        " SELECT ?, ?, ?, nr FROM entity WHERE grp = ? AND id = ?",
        spoken,
    )
    handle.run(
        "INSERT INTO step (message, place, name, seconds, note, hits) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (nr, place, step.name, step.seconds, step.note, json.dumps([[h.scope, h.id, h.score] for h in step.hits]))
            for place, step in enumerate(trace.steps)
        ],
    )


def _message(handle: Handle, row: Sequence[Any]) -> Message:
    nr, identity, name, place, asked_at, known, question, gist, answer, as_of, known_at, thumb, because, *spent = row
    steps = handle.rows("SELECT name, hits, seconds, note FROM step WHERE message = ? ORDER BY place", nr)
    spoken: Mapping[str, list[Id]] = {role: [] for role in _ROLES}
    for role, entity in handle.rows(
        "SELECT s.role, e.id FROM spoken_of s CROSS JOIN entity e ON e.nr = s.entity WHERE s.message = ?"
        " ORDER BY s.role, s.ordinal",
        nr,
    ):
        spoken[role].append(unpack_id(entity))
    return Message(
        conversation=name,
        asked_at=Instant(asked_at),
        question=question,
        gist=unpack_id(gist),
        answer=answer,
        as_of=as_of,
        known_at=known_at,
        known=None if known is None else Instant(known),
        mentions=tuple(spoken["mentions"]),
        trace=Trace(tuple(_step(*each) for each in steps), tuple(spoken["touched"]), *spent),
        thumb=None if thumb is None else Thumb(thumb),
        because=because,
        id=unpack_id(identity),
        place=place,
    )


def _step(name: str, hits: str, seconds: float, note: str) -> Step:
    return Step(name, tuple(Hit(Scope(scope), one, score) for scope, one, score in json.loads(hits)), seconds, note)
