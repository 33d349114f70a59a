"""Erasing what was answered from a source that is erased: its words may stand in an answer, and in the question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from kgmem.model import Id
from kgmem.store.conversations import ERASED
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import seek_id, unpack_id


def citing(handle: Handle, passages: Iterable[int], slots: Iterable[Id]) -> set[int]:
    """Rows of the messages whose hits are among some passages (by row), or are facts of some slots."""
    ids = [row for nr in passages for row in handle.rows("SELECT id FROM passage WHERE nr = ?", nr)]
    for slot in slots:
        ids += handle.rows("SELECT id FROM fact WHERE grp = ? AND slot = ?", handle.grp, seek_id(slot))
    found = handle.rows(
        "SELECT DISTINCT m.nr FROM message m CROSS JOIN step s ON s.message = m.nr, json_each(s.hits) h"
        " WHERE m.grp = ? AND h.value ->> 1 IN (SELECT value FROM json_each(?))",
        handle.grp,
        json.dumps([unpack_id(one) for (one,) in ids]),
    )
    return {nr for (nr,) in found}


def texts_about(handle: Handle, entities: Iterable[int]) -> dict[int, str]:
    """What was asked and answered in the messages about some entities (by row)."""
    return dict(
        handle.each(
            "SELECT m.nr, m.question || ' ' || m.answer FROM spoken_of s CROSS JOIN message m ON m.nr = s.message"
            " WHERE s.entity = ?",
            [(entity,) for entity in entities],
        )
    )


def names_of(handle: Handle, source: int, entities: Iterable[int]) -> dict[str, str | None]:
    """What a source calls things, each with the key of the name; and the names of some entities."""
    names = {name: None for (name,) in handle.each("SELECT name FROM entity WHERE nr = ?", [(nr,) for nr in entities])}
    return {**names, **dict(handle.rows("SELECT name, key FROM alias WHERE source = ?", source))}


def names_gone(handle: Handle, names: Mapping[str, str | None], entities: Iterable[int]) -> list[str]:
    """Those of some names by which nothing is called any more."""
    left = {name for (name,) in handle.each("SELECT name FROM entity WHERE nr = ?", [(nr,) for nr in entities])}
    given = handle.each(
        "SELECT DISTINCT key FROM alias WHERE grp = ? AND key = ?",
        [(handle.grp, key) for key in names.values() if key is not None],
    )
    keys = {key for (key,) in given}
    return [name for name, key in names.items() if name not in left and key not in keys]


def blank(handle: Handle, messages: Iterable[int]) -> None:
    """Leave of messages when they were asked, and nothing that anybody said."""
    gone = [(nr,) for nr in messages]
    handle.run(
        f"UPDATE message SET question = '{ERASED}', answer = '', because = '', gist = id, as_of = NULL,"  # noqa: S608
        " known_at = NULL WHERE nr = ?",
        gone,
    )
    handle.run("DELETE FROM step WHERE message = ?", gone)
    handle.run("DELETE FROM spoken_of WHERE message = ?", gone)
