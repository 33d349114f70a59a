"""Bodies that were moved out of the graph: see `kgmem.store.archive`.

An episode is ``KEPT_IN`` a volume, by a relationship that says what its body is known by.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from kgmem.model import OPEN, Id, Instant
from kgmem.store.archive import LEAST_BYTES, Old, Pointer, Shelved, State
from kgmem.store.generations import Holder, this_process
from kgmem.store.loading import HalfCopy
from kgmem.store.neo4j.connection import Handle

POINTER: Final = "head([(e)-[k:KEPT_IN]->(v:Volume) | [v.url, v.name, k.digest]])"
"""What `pointer_of` takes, of an episode ``e``."""
BACK: Final = {
    "bodies_back": (
        "MATCH (e:Episode {key: row.key})-[k:KEPT_IN]->(v:Volume)"
        f" SET e.body = row.body, e.bytes = row.bytes, v.state = CASE v.state WHEN '{State.KEPT}' THEN"
        f" '{State.SPARE}' ELSE v.state END DELETE k"
    ),
}
"""The body of an episode that becomes current is in the store again."""
TAINT: Final = f"""
CALL () {{ MATCH (v:Volume {{group: $group}}) WHERE v.state = '{State.SPARE}' SET v.state = '{State.TAINTED}' }}
CALL () {{
  UNWIND $episodes AS key MATCH (:Episode {{key: key}})-[:KEPT_IN]->(v:Volume) WHERE v.state = '{State.KEPT}'
  SET v.state = '{State.TAINTED}'
}}
"""
"""What holds, or may still hold, the bodies of episodes that go is to be written anew."""
DOOM_ALL: Final = f"""
MATCH (v:Volume {{group: $dropped}}) SET v.state = '{State.DOOMED}', v.group = $heir, v.key = $heir + '/' + v.name
"""
"""The volumes of a group that is dropped are left to another one, which removes their files."""

_MAY_GO: Final = """
MATCH (s:Source {group: $group})-[h:HAS_EPISODE]->(e:Episode) WHERE e.bytes >= $least
WITH s, e, min(h.recorded_at) AS since, max(h.closed_at) AS until WHERE since < $before AND until < $open
"""
_SHELVES: Final = """
MATCH (v:Volume {group: $group})
RETURN v.url, v.name, v.size, v.state, [(v)<-[k:KEPT_IN]-(:Episode) | k.digest], v.process, v.host, v.began
ORDER BY v.number, v.name
"""
_BEGIN: Final = """
CALL () { MATCH (o:Volume {group: $group}) RETURN coalesce(max(o.number), 0) + 1 AS number }
CREATE (v:Volume) SET v = $told, v.group = $group, v.number = number
"""
_FREE: Final = """
UNWIND $rows AS row MATCH (e:Episode {key: row.key})
WHERE NOT EXISTS { (e)-[:KEPT_IN]->(:Volume) } AND NOT EXISTS { (e)<-[:CURRENT]-(:Source) }
RETURN count(e)
"""
_KEEP: Final = """
MATCH (v:Volume {key: $key}) SET v.state = $state
WITH v UNWIND $rows AS row MATCH (e:Episode {key: row.key})
SET e.body = '', e.bytes = 0 CREATE (e)-[:KEPT_IN {group: $group, digest: row.digest}]->(v)
"""
_TAKE_OVER: Final = """
MATCH (v:Volume {key: $after}) MATCH (e:Episode)-[k:KEPT_IN]->(:Volume {key: $before})
CREATE (e)-[:KEPT_IN {group: $group, digest: k.digest}]->(v) DELETE k
"""
_BRING_BACK: Final = """
UNWIND $rows AS row MATCH (e:Episode)-[k:KEPT_IN {digest: row.digest}]->(:Volume {key: $key})
SET e.body = row.body, e.bytes = row.bytes DELETE k RETURN count(e)
"""
_STATE: Final = """
MATCH (v:Volume {key: $key}) RETURN v.state, [(v)<-[k:KEPT_IN]-(:Episode) | k.digest]
"""
_MARK: Final = "MATCH (v:Volume {key: $key}) SET v.state = $state"
_DROP: Final = "MATCH (v:Volume {key: $key}) WHERE v.state = $state DETACH DELETE v"
_MOVE: Final = "MATCH (v:Volume {group: $group}) WHERE v.url = $before SET v.url = $after"


def pointer_of(told: Any) -> Pointer | None:
    """The pointer that `POINTER` gives, if there is one."""
    return None if told is None else Pointer(*told)


class Neo4jArchive:
    """See `kgmem.store.archive.ArchiveStore`."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Handle]],
        handle: Handle,
        transaction: Callable[[], AbstractContextManager[HalfCopy | None]],
    ) -> None:
        """Args: `transaction` is one around a block, which locks the group."""
        self._reading = reading
        self._handle = handle
        self._transaction = transaction

    def beside(self) -> Path | None:
        """See the protocol."""
        return None

    def waiting(self, before: Instant) -> tuple[int, int]:
        """See the protocol."""
        with self._reading() as handle:
            row = handle.first(f"{_MAY_GO} RETURN count(e), sum(e.bytes)", **_asked(before))
        return row[0], row[1]

    def old(self, before: Instant, most_bytes: int) -> tuple[Old, ...]:
        """See the protocol."""
        with self._reading() as handle:
            rows = handle.rows(f"{_MAY_GO} RETURN e.key, e.bytes ORDER BY s.id, since, e.id", **_asked(before))
            keys: list[str] = []
            for key, size in rows:
                most_bytes -= size
                if keys and most_bytes < 0:
                    break
                keys.append(key)
            bodies = handle.rows("UNWIND $keys AS key MATCH (e:Episode {key: key}) RETURN key, e.id, e.body", keys=keys)
        by_key = {key: Old(episode, body) for key, episode, body in bodies}
        return tuple(by_key[key] for key in keys if key in by_key)

    def shelves(self) -> tuple[Shelved, ...]:
        """See the protocol."""
        with self._reading() as handle:
            rows = handle.rows(_SHELVES)
        return tuple(
            Shelved(url, name, size, State(state), frozenset(digests), Holder(*holder))
            for url, name, size, state, digests, *holder in rows
        )

    def begin(self, url: str, name: str, size: int) -> None:
        """See the protocol."""
        with self._transaction():
            one = this_process(time.time())
            told = {"key": self._handle.key(name), "url": url, "name": name, "size": size, "state": State.BEGUN}
            told |= {"process": one.process, "host": one.host, "began": one.seen}
            self._handle.write(_BEGIN, told=told)

    def keep(self, name: str, bodies: Mapping[Id, str]) -> bool:
        """See the protocol."""
        with self._transaction():
            key = self._found(name, State.BEGUN)
            rows = [{"key": self._handle.key(one), "digest": digest} for one, digest in bodies.items()]
            if key is None or self._handle.first(_FREE, rows=rows)[0] != len(rows):
                return False
            self._handle.write(_KEEP, key=key, state=State.KEPT, rows=rows)
        return True

    def take_over(self, before: str, after: str, digests: frozenset[str]) -> bool:
        """See the protocol."""
        with self._transaction():
            old, new = self._found(before, State.SPARE, State.TAINTED), self._found(after, State.BEGUN)
            if old is None or new is None or self._pointed(old) != digests:
                return False
            self._handle.write(_TAKE_OVER, before=old, after=new)
            self._handle.write(_MARK, key=new, state=State.KEPT)
            self._handle.write(_MARK, key=old, state=State.DOOMED)
        return True

    def bring_back(self, name: str, bodies: Mapping[str, str]) -> int | None:
        """See the protocol."""
        with self._transaction():
            key = self._found(name, State.KEPT, State.SPARE, State.TAINTED)
            if key is None or self._pointed(key) != bodies.keys():
                return None
            rows = [
                {"digest": digest, "body": body, "bytes": len(body.encode("utf-8"))} for digest, body in bodies.items()
            ]
            count = self._handle.write(_BRING_BACK, key=key, rows=rows)[0][0]
            self._handle.write(_MARK, key=key, state=State.DOOMED)
        return int(count)

    def doom(self, name: str) -> bool:
        """See the protocol."""
        with self._transaction():
            key = self._found(name, State.BEGUN, State.DOOMED, State.SPARE, State.TAINTED)
            if key is None or self._pointed(key):
                return False
            self._handle.write(_MARK, key=key, state=State.DOOMED)
        return True

    def drop(self, name: str) -> None:
        """See the protocol."""
        with self._transaction():
            self._handle.write(_DROP, key=self._handle.key(name), state=State.DOOMED)

    def move(self, before: str, after: str) -> None:
        """See the protocol."""
        with self._transaction():
            self._handle.write(_MOVE, before=before, after=after)

    def shrink(self, freed: int = 0) -> bool:  # noqa: ARG002
        """See the protocol: a server uses such space again, and gives none back."""
        return True

    def _found(self, name: str, *states: State) -> str | None:
        """The key of a volume in one of some states."""
        key = self._handle.key(name)
        row = self._handle.first(_STATE, key=key)
        return key if row is not None and row[0] in states else None

    def _pointed(self, key: str) -> frozenset[str]:
        return frozenset(self._handle.first(_STATE, key=key)[1])


def _asked(before: Instant) -> dict[str, Any]:
    return {"least": LEAST_BYTES, "before": before, "open": OPEN}


def whole(rows: Iterable[tuple[tuple[str, ...], list[Any]]]) -> Iterable[tuple[tuple[str, ...], list[Any]]]:
    """Rows of episodes with their bodies, wherever these are: the last column says where."""
    for columns, (*row, body, told) in rows:
        pointer = pointer_of(told)
        yield columns[:-1], [*row, body if pointer is None else pointer.read()]
