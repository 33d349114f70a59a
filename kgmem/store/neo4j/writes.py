"""One change set, written whole: compared in memory with what is kept, then sent in few statements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kgmem.errors import InvariantError
from kgmem.model import OPEN, Id, Instant, Replayed, Source, identify
from kgmem.store.changes import ChangeSet
from kgmem.store.clock import Tick
from kgmem.store.neo4j import decisions, replies, vectors, write_beliefs, write_names, write_texts
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.held import HeldSource, read_held, source_of
from kgmem.store.neo4j.keys import lookup
from kgmem.store.neo4j.rows import Work, send

_LOG: Final = {
    "log": (
        "CREATE (t:Transaction) SET t = row.properties"
        " WITH row MATCH (g:Group {key: $group}) SET g.clock_last = $at, g.clock_base = row.base"
    ),
}
STATEMENTS: Final[tuple[Mapping[str, str], ...]] = (
    {
        **write_names.ENTITIES,
        **write_texts.PIECES,
        **write_names.PIECES,
        **write_beliefs.PIECES,
        **write_texts.TOUCH,
        **write_names.RELINKED,
        **vectors.FOLLOW,
        **_LOG,
    },
    {**decisions.PIECES, **vectors.PIECES, **replies.PIECES},
)
"""What a change set may send, in order: each a query, for those of its pieces that have rows."""

_RESTAT: Final = """
UNWIND $rows AS row MATCH (s:Source {key: row.key}) SET s += row.properties
WITH s, row WHERE s.removed_at < $open SET s += row.gone
"""
_REPLAYED: Final = """
MERGE (r:Replay {key: $key}) SET r.group = $group, r.root = $root, r.commit = $commit, r.at = $at
"""


def write(handle: Handle, changes: ChangeSet, time: Tick) -> bool:
    """Write a change set. If it says nothing new, then no transaction is logged and the clock stands still.

    Nothing is sent before the whole set is known to be sound.

    Raises:
        StoreError: a vector's model or dimension is not the group's.
        InvariantError: a reference names nothing.

    Returns:
        Whether it said anything new.
    """
    work = Work(handle, read_held(handle, changes), time.at)
    changed: dict[Id, HeldSource] = {}
    touched = _compare_source(work, changes, changed)
    write_beliefs.put_claims(work, changes.claims)
    write_beliefs.put_endings(work, changes.endings)
    closed = write_beliefs.close_facts(work, changes.closed)
    write_beliefs.open_facts(work, changes.opened, closed)
    write_beliefs.support_facts(work, changes.supported)
    vectors.put_vectors(work, changes.vectors)
    replies.put_replies(work, changes.replies)
    decisions.put_decisions(work, changes.decisions, changes.retracted)
    write_names.list_entities(work, touched, changed)
    moved = changes.moved_root is not None and _move_root(work, *changes.moved_root)
    news = moved or bool(work.rows)
    if changes.source is not None:
        write_texts.touch_source(work, changes.source, work.held.sources[changes.source.id])
    if news:
        write_names.put_relinked(work, changes.relinked)
        _log(work, changes, time)
    for pieces in STATEMENTS:
        send(handle, pieces, work.rows, at=time.at, open=OPEN, label=handle.label, **write_beliefs.MORE)
    return news


def _compare_source(work: Work, changes: ChangeSet, changed: dict[Id, HeldSource]) -> set[Id]:
    """Entities first, for a source may be about one; gives the entities whose names or mentions may have changed."""
    touched = write_names.put_entities(work, changes.entities)
    if changes.removed is not None:
        gone = work.held.source(changes.removed)
        if gone.live:
            changed[gone.id] = gone
            touched |= write_texts.remove_source(work, gone)
            write_names.put_links(work, gone, ())
            touched |= write_names.put_aliases(work, gone, ())
    if changes.source is not None:
        write_texts.put_source(work, changes.source)
    identity = source_of(changes)
    source = None if identity is None else work.held.source(identity)
    if source is not None:
        changed[source.id] = source
    return touched | _compare_parts(work, changes, source)


def _compare_parts(work: Work, changes: ChangeSet, source: HeldSource | None) -> set[Id]:
    parts = (changes.episode, changes.passages or None, changes.mentions, changes.aliases, changes.links)
    if all(part is None for part in parts):
        return set()
    if source is None or not source.live:
        raise InvariantError("the change set holds parts of a source that is not live, or names no source")
    touched: set[Id] = set()
    episode = source.episode
    if changes.episode is not None:
        episode = write_texts.put_episode(work, source, changes.episode)
    if changes.passages or changes.episode is not None:
        if episode is None:
            raise InvariantError("the change set holds passages, and their source has no episode")
        touched |= write_texts.put_passages(work, source, episode, changes.passages)
    if changes.mentions is not None:
        touched |= write_texts.put_mentions(work, source, changes.mentions)
    if changes.aliases is not None:
        touched |= write_names.put_aliases(work, source, changes.aliases)
    if changes.links is not None:
        write_names.put_links(work, source, changes.links)
    return touched


def _move_root(work: Work, before: str, after: str) -> bool:
    """Say that a folder stands somewhere else, with all that is known of it; gives whether there was anything."""
    handle = work.handle
    sources = handle.write(write_texts.MOVE_ROOT, before=before, after=after, at=work.at, open=OPEN)
    key = handle.key(identify("replay", after))
    replays = handle.write(write_texts.MOVE_REPLAYS, before=before, after=after, key=key)
    return bool(sources[0][0] or replays[0][0])


def _log(work: Work, changes: ChangeSet, time: Tick) -> None:
    work.put(
        "log",
        base=time.base,
        properties={
            "key": work.handle.key(time.at),
            "group": work.group,
            "recorded_at": time.at,
            "kind": changes.kind,
            "source": source_of(changes) or changes.removed,
        },
    )


def restat(handle: Handle, sources: list[Source]) -> None:
    """Keep files' sizes and times, and what their folder is taken for.

    Of one that is not live also its path and content: that is how it is known when it comes back.
    """
    rows: list[dict[str, Any]] = [
        {
            "key": handle.key(source.id),
            "properties": {"size": source.size, "mtime_ns": source.mtime_ns, "kind": str(source.kind)},
            "gone": {"path": source.path, "lookup": lookup(source.path), "hash": source.hash},
        }
        for source in sources
    ]
    if rows:
        handle.write(_RESTAT, rows=rows, open=OPEN)


def put_replayed(handle: Handle, root: str, upto: Replayed) -> None:
    """Keep how far the history of a folder was replayed."""
    key = handle.key(identify("replay", root))
    handle.write(_REPLAYED, key=key, root=root, commit=upto.commit, at=Instant(upto.at))
