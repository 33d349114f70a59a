"""Erasing: rows go for good, and then the bytes that they left in the file."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import apsw

from kgmem.model import OPEN, Id, Instant
from kgmem.store.changes import Erasure
from kgmem.store.conversations import holding
from kgmem.store.sqlite import erase_messages, write_beliefs
from kgmem.store.sqlite.archive import take_out
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id, seek_id, unpack_id
from kgmem.store.sqlite.write_vectors import drop_vectors

NAMELESS: Final = "(erased)"
"""The name of an entity that only the past of other sources still speaks of."""

_SPOKEN_OF: Final = """
SELECT e.id,
  EXISTS (SELECT 1 FROM alias WHERE entity = ?1) OR EXISTS (SELECT 1 FROM mention WHERE entity = ?1),
  EXISTS (SELECT 1 FROM source s WHERE s.grp = e.grp AND s.entity = e.id)
  OR EXISTS (SELECT 1 FROM claim c WHERE c.grp = e.grp AND e.id IN (c.subject, c.object))
  OR EXISTS (SELECT 1 FROM fact f WHERE f.grp = e.grp AND f.subject = e.id)
  OR EXISTS (SELECT 1 FROM fact f WHERE f.grp = e.grp AND f.object = e.id)
FROM entity e WHERE e.nr = ?1
"""
"""(id, whether a source calls it something, whether anything else speaks of it)."""


def claims_of(handle: Handle, source: Id, episode: Id | None) -> tuple[tuple[Id, Id], ...]:
    """See `kgmem.store.protocol.Store.claims_ever`."""
    rows = handle.rows(
        "SELECT slot, id FROM claim WHERE grp = ?1 AND source = ?2 AND (?3 IS NULL OR episode = ?3) ORDER BY nr",
        handle.grp,
        seek_id(source),
        None if episode is None else seek_id(episode),
    )
    return tuple((unpack_id(slot), unpack_id(claim)) for slot, claim in rows)


def instants(handle: Handle, slot: Id, without: Iterable[Id]) -> tuple[Instant, ...]:
    """See `kgmem.store.protocol.Store.instants`."""
    gone = {seek_id(each) for each in without}
    rows = handle.rows(
        "SELECT c.id, c.recorded_at, c.withdrawn_at, n.recorded_at FROM claim c"
        " LEFT JOIN ending n ON n.claim = c.nr WHERE c.grp = ? AND c.slot = ?",
        handle.grp,
        seek_id(slot),
    )
    found = {Instant(at) for packed, *ats in rows if packed not in gone for at in ats if at is not None and at < OPEN}
    return tuple(sorted(found))


def erase(handle: Handle, what: Erasure) -> None:
    """Delete the rows of a source, or of one of its episodes, and write the beliefs of its slots anew."""
    nr, entity = handle.first(
        "SELECT nr, entity FROM source WHERE grp = ? AND id = ?", handle.grp, pack_id(what.source)
    )
    episodes, passages = _texts(handle, nr, what.episode)
    entities = _concerned(handle, nr, passages, what)
    if entity is not None:
        entities |= {
            each for (each,) in handle.rows("SELECT nr FROM entity WHERE grp = ? AND id = ?", handle.grp, entity)
        }
    citing = erase_messages.citing(handle, passages, what.slots)
    spoken, names = erase_messages.texts_about(handle, entities), erase_messages.names_of(handle, nr, entities)
    _erase_beliefs(handle, what)
    _erase_texts(handle, episodes, passages)
    if what.episode is None:
        for table in ("alias", "link", "source_path"):
            handle.run(f"DELETE FROM {table} WHERE source = ?", [(nr,)])
        handle.run(
            "DELETE FROM decision WHERE grp = ? AND source = ? AND kind IN ('means', 'taken')",
            [(handle.grp, pack_id(what.source))],
        )
        handle.run("DELETE FROM source WHERE nr = ?", [(nr,)])
    for at, closed, opened, supported in what.rebuilt:
        write_beliefs.close_facts(handle, closed, at)
        write_beliefs.open_facts(handle, opened, at)
        write_beliefs.support_facts(handle, supported, at)
    _forget_comparisons(handle, entities)
    _drop_nameless(handle, entities)
    gone = erase_messages.names_gone(handle, names, entities)
    erase_messages.blank(handle, citing | holding(spoken, gone))


def _texts(handle: Handle, source: int, episode: Id | None) -> tuple[list[int], list[int]]:
    """Numbers of (episodes, passages that stand in no other)."""
    if episode is None:
        episodes = handle.rows("SELECT nr FROM episode WHERE source = ?", source)
        passages = handle.rows("SELECT nr FROM passage WHERE source = ?", source)
    else:
        episodes = handle.rows("SELECT nr FROM episode WHERE grp = ? AND id = ?", handle.grp, pack_id(episode))
        passages = handle.rows(
            "SELECT DISTINCT t.passage FROM stands t WHERE t.episode = ?1"
            " AND NOT EXISTS (SELECT 1 FROM stands o WHERE o.passage = t.passage AND o.episode <> ?1)",
            episodes[0][0],
        )
    return [each for (each,) in episodes], [each for (each,) in passages]


def _concerned(handle: Handle, source: int, passages: Iterable[int], what: Erasure) -> set[int]:
    """Numbers of the entities that may be left without anything that speaks of them."""
    found = {
        each for (each,) in handle.each("SELECT entity FROM mention WHERE passage = ?", [(nr,) for nr in passages])
    }
    if what.episode is None:
        found |= {each for (each,) in handle.rows("SELECT entity FROM alias WHERE source = ?", source)}
    ends = handle.each(
        "SELECT e.nr FROM claim c CROSS JOIN entity e ON e.grp = c.grp AND e.id IN (c.subject, c.object)"
        " WHERE c.grp = ? AND c.id = ?",
        [(handle.grp, pack_id(claim)) for claim in what.claims],
    )
    return found | {each for (each,) in ends}


def _erase_beliefs(handle: Handle, what: Erasure) -> None:
    rows = handle.each(
        "SELECT nr, id FROM fact WHERE grp = ? AND slot = ?", [(handle.grp, pack_id(slot)) for slot in what.slots]
    )
    facts = dict(rows)
    claims = [(handle.grp, pack_id(claim)) for claim in what.claims]
    handle.run("DELETE FROM evidence WHERE fact = ?", [(nr,) for nr in facts])
    handle.run("DELETE FROM fts_fact_@ WHERE rowid = ?", [(nr,) for nr in sorted(facts)])
    handle.run("DELETE FROM fact WHERE nr = ?", [(nr,) for nr in facts])
    drop_vectors(handle, "fact", facts.values())
    handle.run("DELETE FROM ending WHERE claim = (SELECT nr FROM claim WHERE grp = ? AND id = ?)", claims)
    handle.run("DELETE FROM claim WHERE grp = ? AND id = ?", claims)


def _erase_texts(handle: Handle, episodes: Sequence[int], passages: Iterable[int]) -> None:
    gone = [(nr,) for nr in sorted(passages)]
    handle.run("DELETE FROM mention WHERE passage = ?", gone)
    handle.run("DELETE FROM fts_passage_@ WHERE rowid = ?", gone)
    handle.run("DELETE FROM stands WHERE passage = ?", gone)
    drop_vectors(handle, "passage", (each for (each,) in handle.each("SELECT id FROM passage WHERE nr = ?", gone)))
    handle.run("DELETE FROM reply WHERE passage = ?", gone)
    handle.run("DELETE FROM passage WHERE nr = ?", gone)
    take_out(handle, episodes)
    for nr in episodes:
        handle.run("DELETE FROM stands WHERE episode = ?", [(nr,)])
        handle.run("DELETE FROM source_episode WHERE episode = ?", [(nr,)])
        handle.run("UPDATE source SET episode = NULL WHERE episode = ?", [(nr,)])
        handle.run("DELETE FROM episode WHERE nr = ?", [(nr,)])


def _forget_comparisons(handle: Handle, entities: Iterable[int]) -> None:
    """Names stand in the keys and reasons of comparisons: all are to be made again."""
    rows = [handle.first("SELECT grp, id FROM entity WHERE nr = ?", nr) for nr in entities]
    named = [(grp, packed, f'%"{unpack_id(packed)}"%') for grp, packed in rows]
    handle.run(
        "UPDATE decision SET note = '', names = iif(EXISTS (SELECT 1 FROM entity e"
        "   CROSS JOIN alias a ON a.entity = e.nr WHERE e.grp = ?1 AND e.id = ?2), names, '[]')"
        " WHERE grp = ?1 AND (entity = ?2 OR others LIKE ?3)",
        named,
    )
    handle.run("DELETE FROM block WHERE grp = ? AND entity = ?", rows)
    handle.run("DELETE FROM proposal WHERE grp = ?1 AND ?2 IN (one, other)", rows)
    handle.run("UPDATE grp SET compared_upto = NULL WHERE nr = ?", [(handle.grp,)])


def _drop_nameless(handle: Handle, entities: Iterable[int]) -> None:
    """Delete entities of which nothing speaks any more; one that only the past knows keeps its place, and no name."""
    for nr in sorted(entities):
        row = handle.first(_SPOKEN_OF, nr)
        if row is None or row[1]:
            continue
        handle.run("DELETE FROM fts_entity_@ WHERE rowid = ?", [(nr,)])
        drop_vectors(handle, "entity", [row[0]])
        if row[2]:
            handle.run("UPDATE entity SET name = ?, listed = NULL WHERE nr = ?", [(NAMELESS, nr)])
        else:
            handle.run("DELETE FROM entity WHERE nr = ?", [(nr,)])


def scrub(connection: apsw.Connection, path: Path) -> bool:
    """Overwrite what deleted rows left behind: in search tables, free pages, the log, and copies made by migrations.

    Gives whether the log could be emptied: another process that reads keeps it.
    """
    for (grp,) in connection.execute("SELECT nr FROM grp").fetchall():
        for scope in ("passage", "fact", "entity"):
            connection.execute(f"INSERT INTO fts_{scope}_{grp} (fts_{scope}_{grp}) VALUES ('optimize')")
    connection.execute("VACUUM")
    [(busy, _, _)] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    for copy in path.parent.glob(f"{path.name}.before-*"):
        copy.unlink()
    return not busy
