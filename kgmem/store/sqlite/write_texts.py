"""Writing sources, episodes, passages and mentions, and the search rows of passages."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgmem.errors import InvariantError
from kgmem.model import OPEN, Episode, Id, Instant, Mention, Passage, Replayed, Source
from kgmem.store.sqlite.archive import put_back
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import PACKED_UNKNOWN, pack_bound, pack_id, pack_optional
from kgmem.store.sqlite.write_names import entity_numbers
from kgmem.store.sqlite.write_vectors import drop_vectors
from kgmem.store.text import prepare


@dataclass(frozen=True, slots=True)
class Kept:
    """A source as it is kept: what the writing of its parts needs to know."""

    nr: int
    title: str
    live: bool
    current: tuple[int | None, int | str]
    """(number of the current episode, its date as it is packed)."""


def find_source(handle: Handle, identity: Id) -> Kept:
    """The source of that id, live or not.

    Raises:
        InvariantError: there never was one.
    """
    row = handle.first(
        "SELECT nr, title, removed_at = ?, episode, occurred FROM source WHERE grp = ? AND id = ?",
        OPEN,
        handle.grp,
        pack_id(identity),
    )
    if row is None:
        raise InvariantError(f"no source has the id {identity}")
    return Kept(row[0], row[1], bool(row[2]), (row[3], row[4]))


def put_source(handle: Handle, source: Source, at: Instant) -> None:
    """Write a source as it is from now on. Its size and time are written by `touch_source`: they are no knowledge."""
    row = handle.first(
        "SELECT nr, kind, root, path, title, uid, entity, hash, removed_at = ? FROM source WHERE grp = ? AND id = ?",
        OPEN,
        handle.grp,
        pack_id(source.id),
    )
    columns = (
        source.kind,
        source.root,
        source.path,
        source.title,
        source.uid,
        pack_optional(source.entity),
        source.hash,
    )
    if row is None:
        handle.run(
            "INSERT INTO source (kind, root, path, title, uid, entity, hash, grp, id, size, mtime_ns)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(*columns, handle.grp, pack_id(source.id), source.size, source.mtime_ns)],
        )
        _put_path(handle, handle.connection.last_insert_rowid(), source, at)
        return
    nr, before, live = row[0], row[1:8], bool(row[8])
    if live and before == columns:
        return
    handle.run(
        "UPDATE source SET kind = ?, root = ?, path = ?, title = ?, uid = ?, entity = ?, hash = ?, removed_at = ?"
        " WHERE nr = ?",
        [(*columns, OPEN, nr)],
    )
    if not live or before[1:3] != columns[1:3]:
        _close(handle, "source_path", nr, at)
        _put_path(handle, nr, source, at)
    if live and before[3] != source.title:
        _retitle(handle, nr, source.title)


def touch_source(handle: Handle, source: Source) -> None:
    """Keep a file's size and time, which spare the next walk a reading, and what its folder is taken for.

    Of one that is not live also its path and content: that is how it is known when it comes back.
    """
    handle.run(
        "UPDATE source SET size = ?1, mtime_ns = ?2, kind = ?3 WHERE grp = ?4 AND id = ?5"
        " AND (size, mtime_ns, kind) <> (?1, ?2, ?3)",
        [(source.size, source.mtime_ns, source.kind, handle.grp, pack_id(source.id))],
    )
    handle.run(
        "UPDATE source SET path = ?, hash = ? WHERE grp = ? AND id = ? AND removed_at < ?",
        [(source.path, source.hash, handle.grp, pack_id(source.id), OPEN)],
    )


def move_root(handle: Handle, before: str, after: str, at: Instant) -> None:
    """Say that a folder stands somewhere else, with all that is known of it."""
    live = handle.rows(
        "SELECT nr, path FROM source WHERE grp = ? AND root = ? AND removed_at = ?", handle.grp, before, OPEN
    )
    for nr, _ in live:
        _close(handle, "source_path", nr, at)
    handle.run(
        "INSERT INTO source_path (source, recorded_at, root, path) VALUES (?, ?, ?, ?)",
        [(nr, at, after, path) for nr, path in live],
    )
    handle.run("UPDATE source SET root = ? WHERE grp = ? AND root = ?", [(after, handle.grp, before)])
    handle.run("UPDATE replay SET root = ? WHERE grp = ? AND root = ?", [(after, handle.grp, before)])


def put_replayed(handle: Handle, root: str, upto: Replayed) -> None:
    """Keep how far the history of a folder was replayed."""
    handle.run(
        'INSERT INTO replay (grp, root, "commit", at) VALUES (?, ?, ?, ?)'
        ' ON CONFLICT DO UPDATE SET "commit" = excluded."commit", at = excluded.at',
        [(handle.grp, root, upto.commit, upto.at)],
    )


def remove_source(handle: Handle, source: Kept, at: Instant) -> set[int]:
    """Take a source out of what is live; gives the numbers of entities that its passages mentioned."""
    touched = _bury(handle, _live(handle, source.nr).values())
    _close(handle, "source_path", source.nr, at)
    _close(handle, "source_episode", source.nr, at)
    handle.run(
        "UPDATE source SET removed_at = ?, episode = NULL, occurred = ? WHERE nr = ?",
        [(at, PACKED_UNKNOWN, source.nr)],
    )
    return touched


def put_episode(handle: Handle, source: Kept, episode: Episode, at: Instant) -> int:
    """Make this the current episode of its source; gives its number.

    Raises:
        InvariantError: an episode of that id is kept with another source or text.
    """
    occurred = pack_bound(episode.occurred)
    kept = handle.first(
        "SELECT nr, source, hash FROM episode WHERE grp = ? AND id = ?", handle.grp, pack_id(episode.id)
    )
    if kept is None:
        handle.run(
            "INSERT INTO episode (grp, id, source, hash, body) VALUES (?, ?, ?, ?, ?)",
            [(handle.grp, pack_id(episode.id), source.nr, episode.hash, episode.body)],
        )
        nr = handle.connection.last_insert_rowid()
    elif kept[1:] == (source.nr, episode.hash):
        nr = kept[0]
        put_back(handle, nr, lambda: episode.body)
    else:
        raise InvariantError(f"the episode {episode.id} is kept with another source or text")
    if (nr, occurred) != source.current:
        if source.current[0] is not None:
            _close(handle, "source_episode", source.nr, at)
        handle.run(
            "INSERT INTO source_episode (source, recorded_at, episode, occurred) VALUES (?, ?, ?, ?)",
            [(source.nr, at, nr, occurred)],
        )
        handle.run("UPDATE source SET episode = ?, occurred = ? WHERE nr = ?", [(nr, occurred, source.nr)])
    return nr


def put_passages(handle: Handle, source: Kept, episode: int, passages: Sequence[Passage]) -> set[int]:
    """Make these the passages of the current episode, in order; what stood before and does not now is not live.

    Gives the numbers of entities whose mentions came to life or died with their passage.
    """
    in_order = [(pack_id(passage.id), passage) for passage in passages]
    wanted = dict(in_order)
    live = _live(handle, source.nr)
    touched = _bury(handle, [nr for packed, nr in live.items() if packed not in wanted])
    born = {packed: passage for packed, passage in wanted.items() if packed not in live}
    last = handle.first("SELECT max(nr) FROM passage")[0] or 0
    _bear(handle, source.nr, born)
    numbers = _live(handle, source.nr) if born else live
    touched |= _mentioned(handle, [nr for nr in numbers.values() if nr <= last])
    _index(handle, source.title, [(numbers[packed], passage.text, passage.heading) for packed, passage in born.items()])
    _place(handle, episode, [(numbers[packed], passage) for packed, passage in in_order])
    return touched


def put_mentions(handle: Handle, source: Kept, mentions: Iterable[Mention]) -> set[int]:
    """Make these the mentions of the live passages of a source; gives the numbers of entities that it concerns."""
    wanted = tuple(mentions)
    live = _live(handle, source.nr)
    numbers = entity_numbers(handle, (mention.entity for mention in wanted))
    new: dict[tuple[int, ...], tuple[str, str]] = {}
    for m in wanted:
        passage = live.get(pack_id(m.passage))
        if passage is None:
            raise InvariantError(f"no live passage of the source has the id {m.passage}")
        new[passage, m.start, m.end, numbers[m.entity][0]] = (m.surface, m.rung)
    rows = handle.each(
        "SELECT passage, start, past, entity, surface, rung FROM mention WHERE passage = ?",
        [(nr,) for nr in live.values()],
    )
    stored = {row[:4]: row[4:] for row in rows}
    gone = [span for span in stored if span not in new]
    handle.run("DELETE FROM mention WHERE passage = ? AND start = ? AND past = ? AND entity = ?", gone)
    handle.run(
        "INSERT INTO mention (passage, start, past, entity, surface, rung) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET surface = excluded.surface, rung = excluded.rung",
        [(*span, *named) for span, named in new.items() if stored.get(span) != named],
    )
    hidden = {nr for nr, is_hidden in numbers.values() if is_hidden}
    return {span[3] for span in gone} | hidden


def _put_path(handle: Handle, nr: int, source: Source, at: Instant) -> None:
    handle.run(
        "INSERT INTO source_path (source, recorded_at, root, path) VALUES (?, ?, ?, ?)",
        [(nr, at, source.root, source.path)],
    )


def _close(handle: Handle, table: str, source: int, at: Instant) -> None:
    handle.run(f"UPDATE {table} SET closed_at = ? WHERE source = ? AND closed_at = ?", [(at, source, OPEN)])


def _live(handle: Handle, source: int) -> dict[int, int]:
    """The numbers of the live passages of a source, by packed id."""
    return dict(handle.rows("SELECT id, nr FROM passage WHERE grp = ? AND live = 1 AND source = ?", handle.grp, source))


def _bear(handle: Handle, source: int, passages: Mapping[int, Passage]) -> None:
    """Write live passages; one that stood in the source before comes back to life."""
    handle.run(
        "INSERT INTO passage (grp, id, source, live, kind, heading, block, text) VALUES (?, ?, ?, 1, ?, ?, ?, ?)"
        " ON CONFLICT (grp, id) DO UPDATE SET live = 1",
        [(handle.grp, packed, source, p.kind, p.heading, p.block, p.text) for packed, p in passages.items()],
    )


def _bury(handle: Handle, numbers: Iterable[int]) -> set[int]:
    """Make passages not live, and leave their search rows for the past; gives the numbers of entities mentioned."""
    dead = [(nr,) for nr in sorted(numbers)]
    handle.run("UPDATE passage SET live = 0 WHERE nr = ?", dead)
    return _mentioned(handle, [nr for (nr,) in dead])


def _mentioned(handle: Handle, numbers: Iterable[int]) -> set[int]:
    found = handle.each("SELECT DISTINCT entity FROM mention WHERE passage = ?", [(nr,) for nr in numbers])
    return {entity for (entity,) in found}


def _retitle(handle: Handle, source: int, title: str) -> None:
    """Write the search rows of the live passages of a source anew; their vectors go, for they were of the title too."""
    live = _live(handle, source)
    rows = [handle.first("SELECT nr, text, heading FROM passage WHERE nr = ?", nr) for nr in sorted(live.values())]
    _index(handle, title, rows)
    drop_vectors(handle, "passage", live)


def _index(handle: Handle, title: str, passages: Iterable[tuple[int, str, str]]) -> None:
    """Write the search rows of (number, text, heading), by rising number: any other order splits the index.

    A passage that stood before has its row still, under the title that its source had then.
    """
    prepared = prepare(title)
    handle.run(
        "INSERT OR REPLACE INTO fts_passage_@ (rowid, text, heading, title) VALUES (?, ?, ?, ?)",
        [(nr, prepare(text), prepare(heading), prepared) for nr, text, heading in sorted(passages)],
    )


def _place(handle: Handle, episode: int, passages: Iterable[tuple[int, Passage]]) -> None:
    """Say where passages stand in an episode. A passage that a new reading no longer finds keeps its last place."""
    wanted = {(nr, ordinal): (passage.first_line, passage.last_line) for ordinal, (nr, passage) in enumerate(passages)}
    rows = handle.rows("SELECT passage, ordinal, first_line, last_line FROM stands WHERE episode = ?", episode)
    stored = {(nr, ordinal): (first, last) for nr, ordinal, first, last in rows}
    now = {nr for nr, _ in wanted}
    handle.run(
        "DELETE FROM stands WHERE episode = ? AND passage = ? AND ordinal = ?",
        [(episode, *place) for place in stored if place[0] in now and place not in wanted],
    )
    handle.run(
        "INSERT INTO stands (episode, passage, ordinal, first_line, last_line) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET first_line = excluded.first_line, last_line = excluded.last_line",
        [(episode, *place, *lines) for place, lines in wanted.items() if stored.get(place) != lines],
    )
