"""Generations on a server: groups that say of which group they are which, and the pointer on the node of that group.

A server keeps the rows of a transaction in memory, so a generation is dropped in portions. It is half a copy from the
first on, which nobody can open by mistake; broken off, it is dropped further by the next call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final

from kgmem.store.generations import Generation, Holder, is_current, is_this, name_of, no_such, this_process, waiting_of
from kgmem.store.loading import HalfCopy
from kgmem.store.neo4j import schema
from kgmem.store.neo4j.archive import DOOM_ALL
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import key_of, search_label
from kgmem.store.neo4j.rows import MOST_ROWS
from kgmem.store.neo4j.sides import OTHER

_BEGIN: Final = """
MATCH (p:Group {key: $named}) WHERE p.current IS NULL
SET p.of = $named, p.number = 1, p.made_of = '', p.current = $named
"""
_EVERY: Final = """
MATCH (p:Group {key: $named}) WHERE p.current IS NOT NULL
MATCH (g:Group) USING INDEX g:Group(of) WHERE g.of = $named
RETURN g.number, g.key = p.current, coalesce(g.key = p.before, false), g.made_of, g.key ORDER BY g.number
"""
_HOLDER: Final = "MATCH (p:Group {key: $named}) RETURN p.process, p.host, p.seen"
_HOLD: Final = "MATCH (p:Group {key: $named}) SET p.process = $process, p.host = $host, p.seen = $seen"
_TAKEN: Final = "MATCH (g:Group {key: $key}) RETURN 1"
_MAKE: Final = """
MERGE (g:Group {key: $key})
ON CREATE SET g.group = $key, g.label = $label, g.of = $named, g.number = $number
SET g.made_of = ''
"""
_COMPLETE: Final = "MATCH (g:Group {of: $named, number: $number}) SET g.made_of = $made_of"
_PROMOTE: Final = """
MATCH (p:Group {key: $named}) WHERE p.current <> $key SET p.before = p.current, p.current = $key
"""
_MARK: Final = """
MATCH (g:Group {key: $key}) SET g.made_of = '', g.copy_origin = $origin, g.copy_dump = '', g.copy_lines = 0
WITH g MATCH (p:Group {key: $named}) WHERE p.before = $key SET p.before = null
"""
_DROP_SOME: Final = """
MATCH (n:{label}) USING INDEX n:{label}(key) WHERE n.key STARTS WITH $prefix AND n.group = $group
WITH n LIMIT $most DETACH DELETE n RETURN count(*)
"""
_GONE: Final = """
MATCH (g:Group {key: $key}) WHERE g.key <> $named DELETE g
"""
_FIRST_GONE: Final = """
MATCH (g:Group {key: $key}) WHERE g.key = $named
SET g.number = null, g.of = null, g.clock_last = null, g.clock_base = null, g.vector_model = null,
  g.vector_dimension = null, g.compared_upto = null, g.vector_side = null, g.coming_model = null,
  g.coming_dimension = null, g.copy_origin = null, g.copy_dump = null, g.copy_lines = null
"""
"""The node of the group stays, for the pointer is on it."""
_DROPPED: Final = "a generation that is being dropped"


class Neo4jGenerations:
    """See `kgmem.store.generations.Generations`."""

    def __init__(self, handle: Handle, transaction: Callable[[], AbstractContextManager[HalfCopy | None]]) -> None:
        """Args: `transaction` is one around a block, and locks the generation that is current."""
        self._handle = handle
        self._named = handle.named
        self._transaction = transaction

    def every(self) -> tuple[Generation, ...]:
        """See the protocol."""
        return self._told(self._rows())

    def _told(self, rows: list[Any]) -> tuple[Generation, ...]:
        return tuple(
            Generation(number, name_of(self._named, number), is_now, before, made_of)
            for number, is_now, before, made_of, _ in rows
        )

    def _rows(self) -> list[Any]:
        return self._handle.rows(_EVERY, named=self._named)

    def hold(self) -> None:
        """See the protocol."""
        with self._transaction():
            self._handle.write(_BEGIN, named=self._named)
            now = time.time()
            holder = self._holder()
            if holder is not None and not (is_this(holder) or holder.is_gone(now)):
                raise holder.refused(self._named)
            one = this_process(now)
            self._handle.write(_HOLD, named=self._named, process=one.process, host=one.host, seen=one.seen)

    def let_go(self) -> None:
        """See the protocol."""
        with self._transaction():
            holder = self._holder()
            if holder is not None and is_this(holder):
                self._handle.write(_HOLD, named=self._named, process=None, host=None, seen=None)

    def _holder(self) -> Holder | None:
        row = self._handle.first(_HOLDER, named=self._named)
        return None if row is None or row[0] is None else Holder(*row)

    def make(self) -> Generation:
        """See the protocol. Its search indexes come after it, and before anybody opens it."""
        with self._transaction():
            self._handle.write(_BEGIN, named=self._named)
            rows = self._rows()
            waiting = waiting_of(self._told(rows))
            number = waiting.number if waiting else self._free_number(rows)
            name = name_of(self._named, number)
            self._handle.write(_MAKE, named=self._named, key=name, label=search_label(name), number=number)
        schema.make_search_indexes(self._handle, search_label(name))
        return Generation(number, name)

    def _free_number(self, rows: list[Any]) -> int:
        number = 1 + max(number for number, *_ in rows)
        while self._handle.first(_TAKEN, key=name_of(self._named, number)) is not None:
            number += 1
        return int(number)

    def complete(self, number: int, made_of: str) -> None:
        """See the protocol."""
        with self._transaction():
            self._handle.write(_COMPLETE, named=self._named, number=number, made_of=made_of)

    def promote(self, number: int, when: Callable[[], bool]) -> bool:
        """See the protocol."""
        with self._transaction():
            key = self._key_of(number)
            if not when():
                return False
            self._handle.write(_PROMOTE, named=self._named, key=key)
        return True

    def drop(self, number: int) -> None:
        """See the protocol."""
        with self._transaction():
            key = self._key_of(number)
            if any(is_now for _, is_now, _, _, each in self._rows() if each == key):
                raise is_current(name_of(self._named, number))
            self._handle.write(_MARK, named=self._named, key=key, origin=_DROPPED)
        for label in schema.IN_A_GROUP:
            drop = _DROP_SOME.format(label=label)
            dropped = MOST_ROWS
            while dropped == MOST_ROWS:
                ((dropped,),) = self._handle.write(drop, group=key, prefix=key_of(key, ""), most=MOST_ROWS)
        schema.drop_indexes(self._handle, search_label(key), ("", OTHER))
        with self._transaction():
            self._handle.write(DOOM_ALL, dropped=key, heir=self._handle.group)
            self._handle.write(_FIRST_GONE, named=self._named, key=key)
            self._handle.write(_GONE, named=self._named, key=key)

    def _key_of(self, number: int) -> str:
        for each, *_, key in self._rows():
            if each == number:
                return str(key)
        raise no_such(name_of(self._named, number))
