"""Reading sources, episodes, passages and where they stand."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from kgmem.model import OPEN, Episode, Id, Instant, Passage, Replayed, Source, unique
from kgmem.store.protocol import Placed
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import seek_id, unpack_bound, unpack_id, unpack_optional
from kgmem.store.sqlite.pointers import POINTER, WHERE, pointer_of
from kgmem.store.sqlite.then import Then
from kgmem.store.text import phrase

_EPISODE: Final = (
    f"SELECT e.id, e.hash, e.body, h.occurred, h.recorded_at, h.closed_at, {POINTER} FROM source s"
    f" CROSS JOIN source_episode h ON h.source = s.nr CROSS JOIN episode e ON e.nr = h.episode {WHERE}"
    " WHERE s.grp = ? AND s.id = ?"
)
_SOURCE: Final = "SELECT id, kind, root, path, title, uid, entity, size, mtime_ns, hash FROM source s"


def roots(handle: Handle) -> tuple[tuple[str, str, int], ...]:
    """See `kgmem.store.protocol.Store.roots`."""
    sql = "SELECT kind, root, count(*) FROM source WHERE grp = ? AND removed_at = ? GROUP BY root, kind ORDER BY 2, 1"
    return tuple(handle.rows(sql, handle.grp, OPEN))


def sources(handle: Handle, root: str | None) -> Iterator[Source]:
    """See `kgmem.store.protocol.Store.sources`."""
    live = f"{_SOURCE} WHERE grp = ? AND removed_at = ?"
    if root is None:
        rows = handle.rows(f"{live} ORDER BY path, root", handle.grp, OPEN)
    else:
        rows = handle.rows(f"{live} AND root = ? ORDER BY path", handle.grp, OPEN, root)
    return (_source(row) for row in rows)


def source(handle: Handle, name: str) -> Source | None:
    """See `kgmem.store.protocol.Store.source`."""
    by_id = handle.first(f"{_SOURCE} WHERE grp = ? AND id = ? AND removed_at = ?", handle.grp, seek_id(name), OPEN)
    if by_id is not None:
        return _source(by_id)
    at_path = handle.rows(f"{_SOURCE} WHERE grp = ? AND path = ? AND removed_at = ?", handle.grp, name, OPEN)
    return _source(at_path[0]) if len(at_path) == 1 else None


def sources_ever(handle: Handle, ids: Iterable[Id]) -> dict[Id, Source]:
    """See `kgmem.store.protocol.Store.sources_ever`."""
    rows = handle.each(f"{_SOURCE} WHERE grp = ? AND id = ?", [(handle.grp, seek_id(one)) for one in unique(ids)])
    return {each.id: each for each in map(_source, rows)}


def sources_called(handle: Handle, path: str) -> tuple[Source, ...]:
    """See `kgmem.store.protocol.Store.sources_called`."""
    rows = handle.rows(
        f"{_SOURCE} WHERE s.grp = ?1 AND (s.path = ?2 OR EXISTS"
        " (SELECT 1 FROM source_path h WHERE h.source = s.nr AND h.path = ?2)) ORDER BY s.removed_at DESC, s.nr",
        handle.grp,
        path,
    )
    return tuple(map(_source, rows))


def paths(handle: Handle, identity: Id) -> tuple[tuple[str, str], ...]:
    """See `kgmem.store.protocol.Store.paths`."""
    rows = handle.rows(
        "SELECT h.root, h.path FROM source s CROSS JOIN source_path h ON h.source = s.nr"
        " WHERE s.grp = ? AND s.id = ? ORDER BY h.recorded_at",
        handle.grp,
        seek_id(identity),
    )
    return tuple((root, path) for root, path in rows)


def replayed(handle: Handle, root: str) -> Replayed | None:
    """See `kgmem.store.protocol.Store.replayed`."""
    row = handle.first('SELECT "commit", at FROM replay WHERE grp = ? AND root = ?', handle.grp, root)
    return None if row is None else Replayed(row[0], Instant(row[1]))


def sources_about(handle: Handle, entity: Id, known: Instant | None = None) -> tuple[Source, ...]:
    """See `kgmem.store.protocol.Store.sources_about`."""
    live = "removed_at = ?3"
    if known is not None:
        live = "EXISTS (SELECT 1 FROM source_path h WHERE h.source = s.nr AND h.recorded_at <= ?3 AND h.closed_at > ?3)"
    rows = handle.rows(
        f"{_SOURCE} WHERE grp = ?1 AND entity = ?2 AND {live} ORDER BY +path, root",  # +: not by the index of all paths
        handle.grp,
        seek_id(entity),
        OPEN if known is None else known,
    )
    return tuple(_source(row) for row in rows)


def episode(handle: Handle, identity: Id, file: Path) -> Episode | None:
    """See `kgmem.store.protocol.Store.episode`."""
    row = handle.first(f"{_EPISODE} AND h.closed_at = ?", handle.grp, seek_id(identity), OPEN)
    return None if row is None else _episode(identity, row, file)


def episodes(handle: Handle, identity: Id, file: Path) -> tuple[Episode, ...]:
    """See `kgmem.store.protocol.Store.episodes`."""
    rows = handle.rows(f"{_EPISODE} ORDER BY h.recorded_at", handle.grp, seek_id(identity))
    return tuple(_episode(identity, row, file) for row in rows)


def source_of(handle: Handle, identity: Id) -> Id | None:
    """See `kgmem.store.protocol.Store.source_of`."""
    row = handle.first(
        "SELECT s.id FROM episode e CROSS JOIN source s ON s.nr = e.source WHERE e.grp = ? AND e.id = ?",
        handle.grp,
        seek_id(identity),
    )
    return None if row is None else unpack_id(row[0])


def passages_of(handle: Handle, identity: Id, known: Instant | None = None) -> tuple[Passage, ...]:
    """See `kgmem.store.protocol.Store.passages_of`."""
    then = Then(known=known)
    rows = handle.connection.execute(
        "SELECT p.id, p.kind, p.heading, p.text, p.block, t.first_line, t.last_line"
        f" FROM source s{then.episode} CROSS JOIN stands t ON t.episode = {then.current}"
        " CROSS JOIN passage p ON p.nr = t.passage"
        f" WHERE s.grp = :grp AND s.id = :id AND {then.live} ORDER BY t.ordinal",
        {**then.bindings, "grp": handle.grp, "id": seek_id(identity)},
    )
    return tuple(_passage(identity, row) for row in rows)


def placed(handle: Handle, passages: Iterable[Id], known: Instant | None = None) -> dict[Id, Placed]:
    """See `kgmem.store.protocol.Store.placed`. A text that stands twice is placed where it stands first."""
    then = Then(known=known)
    rows = handle.connection.executemany(
        "SELECT s.id, p.id, p.kind, p.heading, p.text, p.block, t.first_line, t.last_line,"
        f" s.root, s.path, s.title, {then.occurred}, s.kind"
        f" FROM passage p CROSS JOIN source s ON s.nr = p.source{then.episode}"
        f" CROSS JOIN stands t ON t.episode = {then.current} AND t.passage = p.nr"
        f" WHERE p.grp = :grp AND p.id = :id AND {then.live} ORDER BY t.ordinal LIMIT 1",
        [{**then.bindings, "grp": handle.grp, "id": seek_id(one)} for one in unique(passages)],
    )
    return {unpack_id(row[1]): _placed(row) for row in rows}


def sources_naming(handle: Handle, keys: Iterable[str], phrases: Iterable[str]) -> frozenset[Id]:
    """See `kgmem.store.protocol.Store.sources_naming`."""
    if not handle.grp:
        return frozenset()
    by_key = [(handle.grp, key) for key in unique(keys)]
    found = {row[0] for table in ("link", "alias") for row in handle.each(_NAMING[table], by_key)}
    for text in unique(phrases):
        expression = phrase(text)
        if expression is not None:
            found.update(row[0] for row in handle.rows(_NAMING["words"], f"text : {expression}"))
        elif text:
            found.update(row[0] for row in handle.rows(_NAMING["signs"], handle.grp, text))
    return frozenset(unpack_id(packed) for packed in found)


_NAMING: Final = {
    "link": "SELECT s.id FROM link l CROSS JOIN source s ON s.nr = l.source WHERE l.grp = ? AND l.key = ?",
    "alias": "SELECT s.id FROM alias a CROSS JOIN source s ON s.nr = a.source WHERE a.grp = ? AND a.key = ?",
    "words": (
        "SELECT DISTINCT s.id FROM fts_passage_@ f CROSS JOIN passage p ON p.nr = f.rowid"
        " CROSS JOIN source s ON s.nr = p.source WHERE fts_passage_@ MATCH ? AND p.live = 1"
    ),
    "signs": (  # a name without a letter, such as an emoji: no index has it
        "SELECT DISTINCT s.id FROM passage p CROSS JOIN source s ON s.nr = p.source"
        " WHERE p.grp = ? AND p.live = 1 AND instr(p.text, ?)"
    ),
}


def _episode(source: Id, row: Any, file: Path) -> Episode:
    packed, digest, body, occurred, recorded_at, closed_at, *pointer = row
    text = pointer_of(pointer, file) or body
    return Episode(
        unpack_id(packed), source, digest, text, unpack_bound(occurred), Instant(recorded_at), Instant(closed_at)
    )


def _source(row: Any) -> Source:
    packed, kind, root, path, title, uid, entity, size, mtime_ns, digest = row
    return Source(unpack_id(packed), kind, root, path, title, uid, unpack_optional(entity), size, mtime_ns, digest)


def _passage(source: Id, row: Sequence[Any]) -> Passage:
    packed, *rest = row
    return Passage(unpack_id(packed), source, *rest)


def _placed(row: Any) -> Placed:
    source, *passage, root, path, title, occurred, kind = row
    return Placed(_passage(unpack_id(source), passage), root, path, title, unpack_bound(occurred), kind)
