"""Generations in SQLite: groups with a row that says of which group they are which generation, and one pointer each."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final

import apsw

from kgmem.store.generations import Generation, Holder, is_current, is_this, name_of, no_such, this_process
from kgmem.store.sqlite import archive, load, schema
from kgmem.store.sqlite.connection import Handle

TABLES: Final = """
CREATE TABLE generation (      -- groups that are a generation of another one, or the first one of itself
  grp INTEGER PRIMARY KEY REFERENCES grp,
  "of" TEXT NOT NULL,
  number INTEGER NOT NULL,
  made_of TEXT NOT NULL DEFAULT '',
  UNIQUE ("of", number)
) STRICT;

CREATE TABLE pointer (         -- which generation a group is now
  "of" TEXT PRIMARY KEY,
  grp INTEGER NOT NULL REFERENCES grp,
  before INTEGER REFERENCES grp,
  process INTEGER,             -- who makes a generation
  host TEXT,
  seen REAL
) STRICT, WITHOUT ROWID;
"""


class SqliteGenerations:
    """See `kgmem.store.generations.Generations`."""

    def __init__(
        self,
        group: str,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[Handle]],
        writing: Callable[[], AbstractContextManager[Handle]],
    ) -> None:
        """Args: `reading` and `writing` give a handle around a block, which is one transaction."""
        self._group = group
        self._connection = connection
        self._reading = reading
        self._writing = writing

    def every(self) -> tuple[Generation, ...]:
        """See the protocol."""
        with self._reading() as handle:
            rows = handle.rows(
                "SELECT g.number, p.grp = g.grp, p.before IS g.grp, g.made_of FROM generation g"
                ' CROSS JOIN pointer p ON p."of" = g."of" WHERE g."of" = ? ORDER BY g.number',
                self._group,
            )
        return tuple(
            Generation(number, name_of(self._group, number), bool(now), bool(before), made_of)
            for number, now, before, made_of in rows
        )

    def hold(self) -> None:
        """See the protocol."""
        with self._writing() as handle:
            self._begin(handle)
            now = time.time()
            row = handle.first('SELECT process, host, seen FROM pointer WHERE "of" = ?', self._group)
            if row[0] is not None:
                holder = Holder(*row)
                if not (is_this(holder) or holder.is_gone(now)):
                    raise holder.refused(self._group)
            one = this_process(now)
            self._hold(handle, one.process, one.host, one.seen)

    def let_go(self) -> None:
        """See the protocol."""
        with self._writing() as handle:
            row = handle.first('SELECT process, host, seen FROM pointer WHERE "of" = ?', self._group)
            if row is not None and row[0] is not None and is_this(Holder(*row)):
                self._hold(handle, None, None, None)

    def _hold(self, handle: Handle, process: int | None, host: str | None, seen: float | None) -> None:
        handle.run(
            'UPDATE pointer SET process = ?, host = ?, seen = ? WHERE "of" = ?', [(process, host, seen, self._group)]
        )

    def _begin(self, handle: Handle) -> None:
        """Say that what the group is now is its first generation, unless it has a pointer."""
        if handle.first('SELECT 1 FROM pointer WHERE "of" = ?', self._group) is None:
            handle.run('INSERT INTO generation (grp, "of", number) VALUES (?, ?, 1)', [(handle.grp, self._group)])
            handle.run('INSERT INTO pointer ("of", grp) VALUES (?, ?)', [(self._group, handle.grp)])

    def make(self) -> Generation:
        """See the protocol."""
        with self._writing() as handle:
            self._begin(handle)
            row = handle.first(
                "SELECT g.number, g.grp = p.grp OR g.grp IS p.before FROM generation g"
                ' CROSS JOIN pointer p ON p."of" = g."of" WHERE g."of" = ? ORDER BY g.number DESC',
                self._group,
            )
            number, answered = row
            if answered:
                number = self._free_number(handle)
                made = schema.add_group(handle.connection, name_of(self._group, number))
                handle.run('INSERT INTO generation (grp, "of", number) VALUES (?, ?, ?)', [(made, self._group, number)])
            else:
                handle.run(
                    "UPDATE generation SET made_of = '' WHERE \"of\" = ? AND number = ?", [(self._group, number)]
                )
        return Generation(number, name_of(self._group, number))

    def _free_number(self, handle: Handle) -> int:
        number = 1 + int(handle.first('SELECT max(number) FROM generation WHERE "of" = ?', self._group)[0])
        while handle.first("SELECT 1 FROM grp WHERE name = ?", name_of(self._group, number)) is not None:
            number += 1
        return number

    def complete(self, number: int, made_of: str) -> None:
        """See the protocol."""
        with self._writing() as handle:
            handle.run(
                'UPDATE generation SET made_of = ? WHERE "of" = ? AND number = ?', [(made_of, self._group, number)]
            )

    def promote(self, number: int, when: Callable[[], bool]) -> bool:
        """See the protocol."""
        with self._writing() as handle:
            coming = self._number_of(handle, number)
            if not when():
                return False
            handle.run(
                'UPDATE pointer SET before = grp, grp = ? WHERE "of" = ? AND grp <> ?', [(coming, self._group, coming)]
            )
        return True

    def drop(self, number: int) -> None:
        """See the protocol."""
        # All rows of the generation go, and none outside it names one: see `SqliteLoader.begin`.
        self._connection.pragma("foreign_keys", False)
        try:
            with self._writing() as handle:
                gone = self._number_of(handle, number)
                if handle.first("SELECT 1 FROM pointer WHERE grp = ?", gone) is not None:
                    raise is_current(name_of(self._group, number))
                archive.doom_all(handle, gone, handle.grp)
                load.drop_rows(Handle(handle.connection, gone))
                handle.run("UPDATE pointer SET before = NULL WHERE before = ?", [(gone,)])
                handle.run("DELETE FROM generation WHERE grp = ?", [(gone,)])
                schema.remove_group(handle.connection, gone)
        finally:
            self._connection.pragma("foreign_keys", True)

    def _number_of(self, handle: Handle, number: int) -> int:
        row = handle.first('SELECT grp FROM generation WHERE "of" = ? AND number = ?', self._group, number)
        if row is None:
            raise no_such(name_of(self._group, number))
        return int(row[0])
