"""Taking in a dump: the way back from `kgmem.store.neo4j.dump`.

What the group is half a copy of stands on its own node, and only the last transaction takes it away. What must be done
in many transactions, for a server keeps the rows of each in memory, is therefore done before that, and may be done
again. Two things that are searched are in no dump: see `kgmem.store.sqlite.load`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Final

from kgmem.errors import StoreError, StoreLockedError
from kgmem.model import Instant
from kgmem.store.loading import HalfCopy
from kgmem.store.neo4j import decisions, load_rows, schema, vectors, write_names
from kgmem.store.neo4j.connection import Handle, half_of
from kgmem.store.neo4j.held import read_named
from kgmem.store.neo4j.rows import MOST_ROWS, Work, send
from kgmem.store.neo4j.sides import OTHER
from kgmem.store.neo4j.words import DEAD, indexed

_NO_DUMP: Final = ""
"""What the dump of a group is known by while something else is dropped from it: begun again, it is dropped further."""

_HALF: Final = "MATCH (g:Group {key: $group}) RETURN g.copy_origin, g.copy_dump, g.copy_lines"
_MARK: Final = """
MATCH (g:Group {key: $group})
SET g.copy_origin = $origin, g.copy_dump = $dump, g.copy_lines = $lines
"""
_HOLDS: Final = "MATCH (g:Group {key: $group}) RETURN g.vector_model IS NOT NULL OR " + " OR ".join(
    f"EXISTS {{ MATCH (n:{label} {{group: $group}}) }}" for label in schema.OF_A_GROUP
)
_DROP_SOME: Final = """
MATCH (n:{label}) USING INDEX n:{label}(key) WHERE n.key STARTS WITH $prefix AND n.group = $group
WITH n LIMIT $most DETACH DELETE n RETURN count(*)
"""
_FORGET: Final = """
MATCH (g:Group {key: $group})
SET g.clock_last = null, g.clock_base = null, g.vector_model = null, g.vector_dimension = null, g.compared_upto = null,
  g.has_replies = null, g.vector_side = null, g.coming_model = null, g.coming_dimension = null
"""
_FINISH: Final = """
MATCH (g:Group {key: $group})
SET g.copy_origin = null, g.copy_dump = null, g.copy_lines = null
WITH g
CALL () { MATCH (t:Transaction {group: $group}) RETURN max(t.recorded_at) AS last }
CALL () {
  MATCH (t:Transaction {group: $group})
  WHERE NOT EXISTS { MATCH (:Transaction {key: $group + '/' + (t.recorded_at - 1)}) }
  RETURN max(t.recorded_at) AS base
}
SET g.clock_last = last, g.clock_base = base
"""
"""The clock goes on where the log ends. What it said then is not in the log: transactions of one instant follow each
other by a microsecond, so the first of the last such run is the latest that it can be taken for."""

_ENTITIES: Final = """
MATCH (e:Entity) USING INDEX e:Entity(key) WHERE e.key > $after AND e.key STARTS WITH $prefix AND e.group = $group
RETURN e.key, e.id, e.name, e.listed, EXISTS { (e)<-[:MENTIONS]-(:Passage) } ORDER BY e.key LIMIT $most
"""


def half_copy(handle: Handle) -> HalfCopy | None:
    """See `kgmem.store.protocol.Store.half_copy`."""
    row = handle.first(_HALF)
    return None if row is None else half_of(row)


class Neo4jLoader:
    """See `kgmem.store.protocol.Loader`."""

    def __init__(self, handle: Handle, transaction: Callable[[], AbstractContextManager[HalfCopy | None]]) -> None:
        """Args: `transaction` is one around a block; it locks the group, and gives what that is half a copy of."""
        self._handle = handle
        self._transaction = transaction

    def begin(self, half: HalfCopy) -> HalfCopy:
        """See the protocol. What is dropped goes in portions, each a transaction."""
        begun = HalfCopy(half.origin, half.dump)
        with self._transaction() as found:
            held = _holds_something(self._handle)
            if held and found is None:
                raise StoreError(
                    "the group to copy into holds something else already", "name another one with --to-group"
                )
            _mark(self._handle, HalfCopy(half.origin, _NO_DUMP) if held else begun)
        if held:
            self._drop()
            with self._transaction() as found:
                if found is None or found.lines or _holds_something(self._handle):
                    raise _went_on()
                _mark(self._handle, begun)
        return begun

    def _drop(self) -> None:
        """Delete all that the group has, and leave the group."""
        for label in schema.IN_A_GROUP:
            dropped = MOST_ROWS
            while dropped == MOST_ROWS:
                with self._transaction() as found:
                    if found is None or found.dump != _NO_DUMP:
                        raise _went_on()
                    drop = _DROP_SOME.format(label=label)
                    ((dropped,),) = self._handle.write(drop, prefix=self._handle.key(""), most=MOST_ROWS)
        for side in ("", OTHER):
            schema.drop_vector_index(self._handle, side)
        with self._transaction():
            self._handle.write(_FORGET)

    def load(self, lines: Iterable[str], half: HalfCopy) -> HalfCopy:
        """See the protocol."""
        rows = [load_rows.parsed(line) for line in lines]
        after = HalfCopy(half.origin, half.dump, half.lines + len(rows))
        with self._transaction() as found:
            _require(found, half)
            number = half.lines
            for table, group in groupby(rows, key=lambda row: row[0]):
                values = [row for _, row in group]
                load_rows.put(self._handle, table, values, number)
                number += len(values)
            _mark(self._handle, after)
        return after

    def end(self, half: HalfCopy) -> None:
        """See the protocol."""
        after: str | None = ""
        while after is not None:
            with self._transaction() as found:
                _require(found, half)
                after = _list_entities(self._handle, after)
        dimension = self._handle.first("MATCH (g:Group {key: $group}) RETURN g.vector_dimension")[0]
        if dimension is not None:
            schema.make_vector_index(self._handle, dimension)
        with self._transaction() as found:
            _require(found, half)
            decisions.tie_pairs(self._handle)
            self._handle.write(_FINISH)


def _holds_something(handle: Handle) -> bool:
    return bool(handle.first(_HOLDS)[0])


def _mark(handle: Handle, half: HalfCopy) -> None:
    handle.write(_MARK, origin=half.origin, dump=half.dump, lines=half.lines)


def _require(found: HalfCopy | None, half: HalfCopy) -> None:
    """Raise StoreLockedError if somebody else took lines in, or completed the copy."""
    if found != half:
        raise _went_on()


def _went_on() -> StoreLockedError:
    return StoreLockedError("another process went on with this copy", "try again when it is done")


def _list_entities(handle: Handle, after: str) -> str | None:
    """Bring up to date what some entities are searched by; gives the key of the last of them, None if there are none.

    One that only passages of the past mention is found by its name.
    """
    rows = handle.rows(_ENTITIES, after=after, prefix=handle.key(""), most=MOST_ROWS)
    entities = [one for _, one, *_ in rows]
    work = Work(handle, read_named(handle, entities), Instant(0))
    write_names.list_entities(work, entities, {})
    live = {row["key"] for row in work.rows.get("entities_list", ())}
    for key, _, name, listed, mentioned in rows:
        if mentioned and listed is None and key not in live:
            words = {"name_words": indexed(name), "alias_words": "", "state": DEAD}
            work.put("entities_list", key=key, properties=words)
    send(handle, {"entities_list": write_names.PIECES["entities_list"], **vectors.FOLLOW}, work.rows)
    return rows[-1][0] if rows else None
