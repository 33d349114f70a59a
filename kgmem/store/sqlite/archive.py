"""Bodies that were moved out of the file: see `kgmem.store.archive`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from itertools import groupby
from pathlib import Path
from typing import Final

import apsw

from kgmem.errors import StoreError, StoreLockedError
from kgmem.model import OPEN, Id, Instant
from kgmem.store.archive import LEAST_BYTES, Old, Shelved, State
from kgmem.store.generations import Holder, this_process
from kgmem.store.sqlite import connection as files
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id, unpack_id
from kgmem.store.sqlite.pointers import BESIDE, shown
from kgmem.store.volumes.places import is_local, path_of

TABLES: Final = """
CREATE TABLE volume (          -- files that hold bodies: see kgmem.store.archive
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  name TEXT NOT NULL,
  url TEXT NOT NULL,           -- its folder; one that begins with ./ is beside this file
  size INTEGER NOT NULL,
  state TEXT NOT NULL,
  process INTEGER NOT NULL,    -- who began it, and when
  host TEXT NOT NULL,
  began REAL NOT NULL,
  UNIQUE (grp, name)
) STRICT;

CREATE TABLE archived (        -- a row for each episode whose body is in a volume, and empty here
  episode INTEGER PRIMARY KEY REFERENCES episode,
  volume INTEGER NOT NULL REFERENCES volume,
  digest TEXT NOT NULL
) STRICT;
CREATE INDEX archived_by_volume ON archived (volume);
"""

_WORTH: Final = 20
"""A twentieth of a file that nothing fills is worth a copy of the rest."""

_MAY_GO: Final = """
FROM source s CROSS JOIN source_episode h ON h.source = s.nr CROSS JOIN episode e ON e.nr = h.episode
WHERE s.grp = ?1 AND octet_length(e.body) >= ?2
GROUP BY s.nr, e.nr HAVING min(h.recorded_at) < ?3 AND max(h.closed_at) < ?4
"""
_POINTED: Final = "SELECT DISTINCT digest FROM archived WHERE volume = ?"


def take_out(handle: Handle, episodes: Iterable[int]) -> None:
    """Some episodes are erased: what holds, or may still hold, their bodies is to be written anew."""
    handle.run("UPDATE volume SET state = ? WHERE grp = ? AND state = ?", [(State.TAINTED, handle.grp, State.SPARE)])
    for nr in episodes:
        _let_go(handle, nr, State.TAINTED)


def _let_go(handle: Handle, episode: int, state: State) -> None:
    handle.run(
        "UPDATE volume SET state = ? WHERE state = ? AND nr = (SELECT volume FROM archived WHERE episode = ?)",
        [(state, State.KEPT, episode)],
    )
    handle.run("DELETE FROM archived WHERE episode = ?", [(episode,)])


def put_back(handle: Handle, episode: int, body: Callable[[], str]) -> None:
    """The body of an episode that becomes current is in the store again."""
    if handle.first("SELECT 1 FROM archived WHERE episode = ?", episode) is not None:
        handle.run("UPDATE episode SET body = ? WHERE nr = ?", [(body(), episode)])
        _let_go(handle, episode, State.SPARE)


def doom_all(handle: Handle, group: int, heir: int) -> None:
    """Leave the volumes of a group that is dropped to another one, which removes their files."""
    handle.run("UPDATE volume SET state = ?, grp = ? WHERE grp = ?", [(State.DOOMED, heir, group)])


class SqliteArchive:
    """See `kgmem.store.archive.ArchiveStore`."""

    def __init__(
        self,
        path: Path,
        connection: apsw.Connection,
        reading: Callable[[], AbstractContextManager[Handle]],
        writing: Callable[[], AbstractContextManager[Handle]],
    ) -> None:
        """Args: `reading` and `writing` give a handle around a block, which is one transaction."""
        self._path = path
        self._connection = connection
        self._reading = reading
        self._writing = writing

    def beside(self) -> Path | None:
        """See the protocol."""
        return self._path.with_name(f"{self._path.name}.archive")

    def waiting(self, before: Instant) -> tuple[int, int]:
        """See the protocol."""
        with self._reading() as handle:
            row = handle.first(
                f"SELECT count(*), coalesce(sum(size), 0) FROM (SELECT octet_length(e.body) AS size {_MAY_GO})",  # noqa: S608 -- constants
                handle.grp, LEAST_BYTES, before, OPEN,
            )  # fmt: skip
        return row[0], row[1]

    def old(self, before: Instant, most_bytes: int) -> tuple[Old, ...]:
        """See the protocol."""
        found: list[Old] = []
        size = 0
        with self._reading() as handle:
            bindings = (handle.grp, LEAST_BYTES, before, OPEN)
            rows = handle.rows(f"SELECT e.nr, octet_length(e.body) {_MAY_GO} ORDER BY s.nr, e.nr", *bindings)
            for nr, length in rows:
                if found and size + length > most_bytes:
                    break
                packed, body = handle.first("SELECT id, body FROM episode WHERE nr = ?", nr)
                found.append(Old(unpack_id(packed), body))
                size += length
        return tuple(found)

    def shelves(self) -> tuple[Shelved, ...]:
        """See the protocol."""
        with self._reading() as handle:
            rows = handle.rows(
                "SELECT v.nr, v.url, v.name, v.size, v.state, v.process, v.host, v.began, a.digest FROM volume v"
                " LEFT JOIN archived a ON a.volume = v.nr WHERE v.grp = ? ORDER BY v.nr",
                handle.grp,
            )
        return tuple(
            Shelved(
                shown(url, self._path), name, size, State(state), frozenset(row[8] for row in own if row[8]),
                Holder(*holder),
            )
            for (_, url, name, size, state, *holder), own in groupby(rows, key=lambda row: row[:8])
        )  # fmt: skip

    def begin(self, url: str, name: str, size: int) -> None:
        """See the protocol."""
        with self._writing() as handle:
            one = this_process(time.time())
            handle.run(
                "INSERT INTO volume (grp, name, url, size, state, process, host, began)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(handle.grp, name, self._stored(url), size, State.BEGUN, one.process, one.host, one.seen)],
            )

    def keep(self, name: str, bodies: Mapping[Id, str]) -> bool:
        """See the protocol."""
        with self._writing() as handle:
            nr = _found(handle, name, State.BEGUN)
            episodes = [_free(handle, episode) for episode in bodies]
            if nr is None or None in episodes:
                return False
            handle.run("UPDATE episode SET body = '' WHERE nr = ?", [(each,) for each in episodes])
            pointers = zip(episodes, [nr] * len(episodes), bodies.values(), strict=True)
            handle.run("INSERT INTO archived (episode, volume, digest) VALUES (?, ?, ?)", pointers)
            _mark(handle, nr, State.KEPT)
        return True

    def take_over(self, before: str, after: str, digests: frozenset[str]) -> bool:
        """See the protocol."""
        with self._writing() as handle:
            old, new = _found(handle, before, State.SPARE, State.TAINTED), _found(handle, after, State.BEGUN)
            if old is None or new is None or _pointed(handle, old) != digests:
                return False
            handle.run("UPDATE archived SET volume = ? WHERE volume = ?", [(new, old)])
            _mark(handle, new, State.KEPT)
            _mark(handle, old, State.DOOMED)
        return True

    def bring_back(self, name: str, bodies: Mapping[str, str]) -> int | None:
        """See the protocol."""
        with self._writing() as handle:
            nr = _found(handle, name, State.KEPT, State.SPARE, State.TAINTED)
            if nr is None or _pointed(handle, nr) != bodies.keys():
                return None
            count = handle.run(
                "UPDATE episode SET body = ?"
                " WHERE nr IN (SELECT episode FROM archived WHERE volume = ? AND digest = ?)",
                [(body, nr, digest) for digest, body in bodies.items()],
            )
            handle.run("DELETE FROM archived WHERE volume = ?", [(nr,)])
            _mark(handle, nr, State.DOOMED)
        return count

    def doom(self, name: str) -> bool:
        """See the protocol."""
        with self._writing() as handle:
            nr = _found(handle, name, State.BEGUN, State.DOOMED, State.SPARE, State.TAINTED)
            if nr is None or _pointed(handle, nr):
                return False
            _mark(handle, nr, State.DOOMED)
        return True

    def drop(self, name: str) -> None:
        """See the protocol."""
        with self._writing() as handle:
            handle.run(
                "DELETE FROM volume WHERE grp = ? AND name = ? AND state = ?", [(handle.grp, name, State.DOOMED)]
            )

    def move(self, before: str, after: str) -> None:
        """See the protocol."""
        with self._writing() as handle:
            handle.run(
                "UPDATE volume SET url = ? WHERE grp = ? AND url IN (?, ?)",
                [(self._stored(after), handle.grp, before, self._stored(before))],
            )

    def shrink(self, freed: int = 0) -> bool:
        """See the protocol. It takes the room of a second copy meanwhile.

        Emptied rows leave their pages half filled, and no other row ever goes there: a count of free pages alone would
        find nothing to give back.
        """
        with self._reading() as handle:
            pages, free, size = (
                int(handle.connection.pragma(each)) for each in ("page_count", "freelist_count", "page_size")
            )
            unused = _unused(handle, freed)
        if (free * size + unused) * _WORTH < pages * size:
            return True
        try:
            with files.translated(self._path):
                self._connection.execute("VACUUM")
                [(busy, _, _)] = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except (StoreLockedError, StoreError):
            return False
        return not busy

    def _stored(self, url: str) -> str:
        """A folder beside the file is known by its name, so that both can be moved together."""
        here = self._path.parent
        if is_local(url) and (path := path_of(url)).is_relative_to(here):
            return BESIDE + path.relative_to(here).as_posix()
        return url


def _found(handle: Handle, name: str, *states: State) -> int | None:
    """The number of a volume in one of some states."""
    row = handle.first("SELECT nr, state FROM volume WHERE grp = ? AND name = ?", handle.grp, name)
    return row[0] if row is not None and row[1] in states else None


def _free(handle: Handle, episode: Id) -> int | None:
    """The number of an episode whose body is here and may go."""
    row = handle.first(
        "SELECT e.nr FROM episode e WHERE e.grp = ? AND e.id = ?"
        " AND NOT EXISTS (SELECT 1 FROM archived a WHERE a.episode = e.nr)"
        " AND NOT EXISTS (SELECT 1 FROM source s WHERE s.nr = e.source AND s.episode = e.nr)",
        handle.grp,
        pack_id(episode),
    )
    return None if row is None else row[0]


def _pointed(handle: Handle, nr: int) -> frozenset[str]:
    return frozenset(digest for (digest,) in handle.rows(_POINTED, nr))


def _unused(handle: Handle, freed: int) -> int:
    """Bytes that nothing fills in the pages of episodes; what was freed, where this SQLite cannot tell."""
    try:
        row = handle.first("SELECT unused FROM dbstat WHERE name = 'episode' AND aggregate = TRUE")
    except apsw.SQLError:
        return freed
    return 0 if row is None else int(row[0])


def _mark(handle: Handle, nr: int, state: State) -> None:
    handle.run("UPDATE volume SET state = ? WHERE nr = ?", [(state, nr)])
