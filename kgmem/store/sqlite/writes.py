"""One change set, written whole: the order of its parts, and the group's clock."""

from __future__ import annotations

from kgmem.errors import InvariantError
from kgmem.model import Alias, Id, Instant, Passage
from kgmem.store.changes import ChangeSet
from kgmem.store.clock import Clock, Tick
from kgmem.store.sqlite import decisions, replies, write_beliefs, write_names, write_texts, write_vectors
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_optional
from kgmem.store.sqlite.write_texts import Kept


def clock_of(handle: Handle) -> Clock:
    """The group's clock."""
    return Clock(*handle.first("SELECT clock_last, clock_base FROM grp WHERE nr = ?", handle.grp))


def write(handle: Handle, changes: ChangeSet, time: Tick) -> None:
    """Write a change set. If it says nothing new, then no transaction is logged and the clock stands still.

    Raises:
        StoreError: a vector's model or dimension is not the group's.
        InvariantError: a reference names nothing.
    """
    before = handle.connection.total_changes()
    source, touched = _write_source(handle, changes, time.at)
    touched |= _write_parts(handle, changes, source, time.at)
    write_beliefs.put_claims(handle, changes.claims, time.at)
    write_beliefs.put_endings(handle, changes.endings, time.at)
    write_beliefs.close_facts(handle, changes.closed, time.at)
    write_beliefs.open_facts(handle, changes.opened, time.at)
    write_beliefs.support_facts(handle, changes.supported, time.at)
    if changes.vectors:
        write_vectors.put_vectors(handle, changes.vectors)
    replies.put_replies(handle, changes.replies)
    decisions.put_decisions(handle, changes.decisions, changes.retracted, time.at)
    write_names.list_entities(handle, touched)
    if handle.connection.total_changes() > before:
        write_names.put_relinked(handle, changes.relinked, time.at)
        _log(handle, changes, time)
    if changes.source is not None:
        write_texts.touch_source(handle, changes.source)


def _write_source(handle: Handle, changes: ChangeSet, at: Instant) -> tuple[Kept | None, set[int]]:
    """Entities first, for a source may be about one; gives the source whose parts the set holds."""
    touched = write_names.put_entities(handle, changes.entities)
    if changes.moved_root is not None:
        write_texts.move_root(handle, *changes.moved_root, at)
    if changes.removed is not None:
        gone = write_texts.find_source(handle, changes.removed)
        if gone.live:
            touched |= write_texts.remove_source(handle, gone, at)
            write_names.put_links(handle, gone.nr, ())
            touched |= write_names.put_aliases(handle, gone.nr, ())
    if changes.source is not None:
        write_texts.put_source(handle, changes.source, at)
    identity = _source_of(changes)
    return None if identity is None else write_texts.find_source(handle, identity), touched


def _source_of(changes: ChangeSet) -> Id | None:
    """The one source whose episode, passages, aliases or links the set holds."""
    if changes.source is not None:
        return changes.source.id
    if changes.episode is not None:
        return changes.episode.source
    named: tuple[Passage | Alias, ...] = (*changes.passages, *(changes.aliases or ()))
    return named[0].source if named else None


def _write_parts(handle: Handle, changes: ChangeSet, source: Kept | None, at: Instant) -> set[int]:
    parts = (changes.episode, changes.passages or None, changes.mentions, changes.aliases, changes.links)
    if all(part is None for part in parts):
        return set()
    if source is None or not source.live:
        raise InvariantError("the change set holds parts of a source that is not live, or names no source")
    touched: set[int] = set()
    episode = source.current[0]
    if changes.episode is not None:
        episode = write_texts.put_episode(handle, source, changes.episode, at)
    if changes.passages or changes.episode is not None:
        if episode is None:
            raise InvariantError("the change set holds passages, and their source has no episode")
        touched |= write_texts.put_passages(handle, source, episode, changes.passages)
    if changes.mentions is not None:
        touched |= write_texts.put_mentions(handle, source, changes.mentions)
    if changes.aliases is not None:
        touched |= write_names.put_aliases(handle, source.nr, changes.aliases)
    if changes.links is not None:
        write_names.put_links(handle, source.nr, changes.links)
    return touched


def _log(handle: Handle, changes: ChangeSet, time: Tick) -> None:
    source = _source_of(changes) or changes.removed
    handle.run(
        "INSERT INTO tx (grp, recorded_at, kind, source) VALUES (?, ?, ?, ?)",
        [(handle.grp, time.at, changes.kind, pack_optional(source))],
    )
    handle.run("UPDATE grp SET clock_last = ?, clock_base = ? WHERE nr = ?", [(time.at, time.base, handle.grp)])
