"""Taking in a dump: the way back from `kgmem.store.sqlite.dump`, table by table.

Rows are numbered anew, in the order in which they come. Search rows are written with the rows that they are of. Two
things that are searched are in no dump, for they are of the past and of no table: the title that a source had while a
passage stood in it (the present one is indexed), and the aliases of an entity that no note names any more (its name
is).
"""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Any, Final

import apsw

from kgmem.errors import InvariantError, StoreError, StoreLockedError
from kgmem.model import OPEN
from kgmem.store.changes import Vector
from kgmem.store.lines import no_line, read_bound, read_line
from kgmem.store.loading import HalfCopy
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.dump import BOUNDS, IDS, TABLES
from kgmem.store.sqlite.packing import pack_bound, pack_optional, unpack_id, unpack_optional
from kgmem.store.sqlite.write_names import list_entities
from kgmem.store.sqlite.write_vectors import put_vectors
from kgmem.store.text import prepare

Row = dict[str, Any]

_COLUMNS: Final = {
    "tx": "grp recorded_at kind source",
    "decision": "grp id kind source hash about entity others names note recorded_at retracted_at",
    "replay": "grp root commit at=upto",
    "entity": "grp id name type subtype type_rank",
    "source": "grp id kind root path title uid entity size mtime_ns hash removed_at",
    "source_path": "source# recorded_at closed_at root path",
    "episode": "grp id source# hash body",
    "source_episode": "source# recorded_at closed_at episode# occurred",
    "passage": "grp id source# live kind heading block text",
    "stands": "episode# passage# ordinal first_line last_line",
    "reply": "passage# grp model prompt told tokens_in tokens_out milliseconds",
    "mention": "passage# start past entity# surface rung",
    "alias": "grp source# entity# name key kind type subtype type_rank",
    "link": "grp source# key resolved",
    "claim": (
        "grp id slot source episode passage subject predicate object value statement quote line valid_from valid_to"
        " said kind scalar rung confidence recorded_at first_at withdrawn_at replaced"
    ),
    "ending": "claim# recorded_at kind at",
    "fact": (
        "grp id slot subject predicate object value statement valid_from valid_to holds_from holds_to confidence"
        " recorded_at closed_at"
    ),
    "evidence": "fact# claim# rival recorded_at closed_at",
    "conversation": "grp name",
    "message": (
        "grp id conversation% place asked_at known question gist answer as_of known_at thumb because seconds tokens"
        " model"
    ),
    "spoken_of": "message# role ordinal entity#",
    "step": "message# place name seconds note hits",
}
"""The columns of each table.

One with ``#`` holds the number of a row of that name, which a dump gives by its id, with ``%`` by its name; ``=`` comes
before what a dump calls it.
"""

_SEARCH_TABLES: Final = ("passage", "fact", "entity")
_OWN: Final = (  # children first
    "reply", "message", "conversation", "vector", "vector_block", "fact", "claim", "link", "alias", "passage",
    "episode", "source", "entity", "decision", "replay", "tx", "block", "proposal", "relinked",
)  # fmt: skip
"""Tables whose rows carry their group."""
_HANGING: Final = {
    "evidence": ("fact", "fact"), "ending": ("claim", "claim"), "mention": ("passage", "passage"),
    "step": ("message", "message"), "spoken_of": ("message", "message"),
    "archived": ("episode", "episode"),
    "stands": ("episode", "episode"), "source_episode": ("source", "source"), "source_path": ("source", "source"),
}  # fmt: skip
"""(column, table that it names) of tables whose rows hang on others."""


class SqliteLoader:
    """See `kgmem.store.protocol.Loader`."""

    def __init__(self, connection: apsw.Connection, transaction: Callable[[], AbstractContextManager[Handle]]) -> None:
        """Args: `transaction` gives a handle to write with, around a block that is written whole or not at all."""
        self._connection = connection
        self._transaction = transaction

    def begin(self, half: HalfCopy) -> HalfCopy:
        """See the protocol."""
        # All rows of the group go, and none outside it names one. To look for such rows, SQLite reads whole tables.
        self._connection.pragma("foreign_keys", False)
        try:
            with self._transaction() as handle:
                if handle.first("SELECT 1 FROM half_copy WHERE grp = ?", handle.grp) is not None:
                    drop_rows(handle)
                elif _holds_something(handle):
                    raise StoreError(
                        "the group to copy into holds something else already", "name another one with --to-group"
                    )
                handle.run(
                    "INSERT INTO half_copy (grp, origin, dump, lines) VALUES (?, ?, ?, 0)",
                    [(handle.grp, half.origin, half.dump)],
                )
        finally:
            self._connection.pragma("foreign_keys", True)
        return HalfCopy(half.origin, half.dump)

    def load(self, lines: Iterable[str], half: HalfCopy) -> HalfCopy:
        """See the protocol."""
        rows = [_parse(line) for line in lines]
        with self._transaction() as handle:
            after = HalfCopy(half.origin, half.dump, half.lines + len(rows))
            _advance(handle, half, after.lines)
            for table, group in groupby(rows, key=lambda row: row[0]):
                _put(handle, table, [values for _, values in group])
        return after

    def end(self, half: HalfCopy) -> None:
        """See the protocol."""
        with self._transaction() as handle:
            _advance(handle, half, half.lines)
            entities = handle.rows("SELECT nr FROM entity WHERE grp = ?", handle.grp)
            list_entities(handle, (nr for (nr,) in entities))
            hidden = handle.rows(
                "SELECT nr, name FROM entity e WHERE grp = ? AND listed IS NULL"
                " AND EXISTS (SELECT 1 FROM mention m WHERE m.entity = e.nr) ORDER BY nr",
                handle.grp,
            )
            _index(handle, "entity", "name, aliases", ((nr, name, "") for nr, name in hidden))
            _set_clock(handle)
            handle.run("DELETE FROM half_copy WHERE grp = ?", [(handle.grp,)])


def _holds_something(handle: Handle) -> bool:
    """Whether the group has a row of its own."""
    tables = " UNION ALL ".join(f"SELECT 1 FROM {table} WHERE grp = ?1" for table in _OWN)
    declared = "SELECT 1 FROM grp WHERE nr = ?1 AND vector_model IS NOT NULL"
    return handle.first(f"{tables} UNION ALL {declared}", handle.grp) is not None


def drop_rows(handle: Handle) -> None:
    """Delete all that the group has, and leave the group."""
    for table, (column, parent) in _HANGING.items():
        handle.run(f"DELETE FROM {table} WHERE {column} IN (SELECT nr FROM {parent} WHERE grp = ?)", [(handle.grp,)])
    for table in (*_OWN, "half_copy"):
        handle.run(f"DELETE FROM {table} WHERE grp = ?", [(handle.grp,)])
    for table in _SEARCH_TABLES:
        handle.run(f"INSERT INTO fts_{table}_@ (fts_{table}_@) VALUES ('delete-all')", [()])
    handle.run(
        "UPDATE grp SET clock_last = NULL, clock_base = NULL, vector_model = NULL, vector_dimension = NULL,"
        " coming_model = NULL, coming_dimension = NULL, compared_upto = NULL WHERE nr = ?",
        [(handle.grp,)],
    )


def _advance(handle: Handle, half: HalfCopy, lines: int) -> None:
    """Say how many lines are in, if nobody else took any in.

    Raises:
        StoreLockedError: somebody did, or the copy is complete.
    """
    advanced = handle.run(
        "UPDATE half_copy SET lines = ? WHERE grp = ? AND origin = ? AND dump = ? AND lines = ?",
        [(lines, handle.grp, half.origin, half.dump, half.lines)],
    )
    if not advanced:
        raise StoreLockedError("another process went on with this copy", "try again when it is done")


def _parse(line: str) -> tuple[str, Row]:
    """(table, row as it is bound) of a line.

    Raises:
        InvariantError: it is no line of a dump.
    """
    table, row = read_line(line)
    try:
        values = {name: _BOUND.get(name, _as_is)(value) for name, value in row.items()}
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise no_line(line) from error
    if table not in TABLES:
        raise InvariantError(f"a dump has no table {table!r}")
    return table, values


def _put(handle: Handle, table: str, rows: list[Row]) -> None:
    """Write rows of one table, with all that follows from them."""
    if table == "vectors":
        declared = [(row["model"], row["dimension"], handle.grp) for row in rows]
        handle.run("UPDATE grp SET vector_model = ?, vector_dimension = ? WHERE nr = ?", declared)
        return
    if table == "vector":
        put_vectors(handle, map(_vector, rows))
        return
    last = handle.first(f"SELECT max(nr) FROM {table}")[0] or 0 if table in {"passage", "fact"} else 0
    shared = {"grp": handle.grp, "size": 0, "mtime_ns": 0}
    try:
        handle.connection.executemany(_INSERTS[table], [{**shared, **row} for row in rows])
    except KeyError as error:
        raise InvariantError(f"a line of {table} lacks {error}") from error
    if table == "source_episode":
        _make_current(handle, (row for row in rows if row["closed_at"] == OPEN))
    elif table == "passage":
        born = handle.rows(
            "SELECT p.nr, p.text, p.heading, s.title FROM passage p CROSS JOIN source s ON s.nr = p.source"
            " WHERE p.nr > ? ORDER BY p.nr",
            last,
        )
        _index(handle, "passage", "text, heading, title", born)
    elif table == "fact":
        born = handle.rows("SELECT nr, statement FROM fact WHERE nr > ? ORDER BY nr", last)
        _index(handle, "fact", "statement", born)


def _vector(row: Row) -> Vector:
    try:
        values = tuple(map(float, row["data"]))
        return Vector(row["kind"], unpack_id(row["id"]), row["model"], values, unpack_optional(row["made_of"]))
    except KeyError as error:
        raise InvariantError(f"a line of vector lacks {error}") from error


def _make_current(handle: Handle, rows: Iterable[Row]) -> None:
    """A source knows its current episode, which came after it."""
    handle.connection.executemany(
        "UPDATE source SET episode = (SELECT nr FROM episode WHERE grp = :grp AND id = :episode), occurred = :occurred"
        " WHERE grp = :grp AND id = :source",
        [{"grp": handle.grp, **{name: row[name] for name in ("episode", "occurred", "source")}} for row in rows],
    )


def _index(handle: Handle, table: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write search rows, by rising number."""
    places = ", ".join("?" for _ in columns.split(", "))
    handle.run(
        f"INSERT OR REPLACE INTO fts_{table}_@ (rowid, {columns}) VALUES (?, {places})",
        [(nr, *map(prepare, texts)) for nr, *texts in rows],
    )


def _set_clock(handle: Handle) -> None:
    """The clock goes on where the log ends.

    What it said then is not in the log. Transactions of one instant follow each other by a microsecond, so the first
    of the last such run is the latest that it can be taken for.
    """
    handle.run(
        "UPDATE grp SET clock_last = (SELECT max(recorded_at) FROM tx WHERE grp = ?1), clock_base ="
        " (SELECT max(t.recorded_at) FROM tx t WHERE t.grp = ?1"
        "   AND NOT EXISTS (SELECT 1 FROM tx b WHERE b.grp = ?1 AND b.recorded_at = t.recorded_at - 1)) WHERE nr = ?1",
        [(handle.grp,)],
    )


def _insert(table: str, columns: str) -> str:
    names = ", ".join(f'"{column.split("=")[0].rstrip("#%")}"' for column in columns.split())
    values = ", ".join(_value(column.split("=")[-1]) for column in columns.split())
    return f"INSERT INTO {table} ({names}) VALUES ({values})"


def _value(said: str) -> str:
    name = said.rstrip("#%")
    known_by = "name" if said.endswith("%") else "id"
    return f":{said}" if name == said else f"(SELECT nr FROM {name} WHERE grp = :grp AND {known_by} = :{name})"


def _as_is(value: Any) -> Any:
    return value


_BOUND: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(IDS, pack_optional),
    **dict.fromkeys(BOUNDS, lambda said: None if said is None else pack_bound(read_bound(said))),
    "hits": json.dumps,
}
"""How values are bound that a dump shows in another form."""
_INSERTS: Final = {table: _insert(table, columns) for table, columns in _COLUMNS.items()}
