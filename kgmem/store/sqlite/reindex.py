"""Search rows of what is no longer live, for files of a time when only what is live could be searched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import apsw

from kgmem.model import OPEN
from kgmem.store.sqlite.connection import Handle
from kgmem.store.text import prepare

_PASSAGES: Final = """
SELECT p.nr, p.text, p.heading, s.title FROM passage p CROSS JOIN source s ON s.nr = p.source
WHERE p.grp = ? AND p.live = 0 ORDER BY p.nr
"""
_FACTS: Final = "SELECT nr, statement FROM fact WHERE grp = ? AND closed_at < ? ORDER BY nr"
_ENTITIES: Final = """
SELECT e.nr, e.name, '' FROM entity e
WHERE e.grp = ? AND e.listed IS NULL AND EXISTS (SELECT 1 FROM mention m WHERE m.entity = e.nr) ORDER BY e.nr
"""


def index_the_past(connection: apsw.Connection) -> None:
    """Add them for every group. A hidden entity is found by its name alone: its aliases went with their notes."""
    groups: list[Any] = connection.execute("SELECT nr FROM grp").fetchall()
    for (group,) in groups:
        handle = Handle(connection, group)
        handle.run(
            "INSERT OR REPLACE INTO fts_passage_@ (rowid, text, heading, title) VALUES (?, ?, ?, ?)",
            _prepared(handle.rows(_PASSAGES, group)),
        )
        handle.run(
            "INSERT OR REPLACE INTO fts_fact_@ (rowid, statement) VALUES (?, ?)",
            _prepared(handle.rows(_FACTS, group, OPEN)),
        )
        handle.run(
            "INSERT OR REPLACE INTO fts_entity_@ (rowid, name, aliases) VALUES (?, ?, ?)",
            _prepared(handle.rows(_ENTITIES, group)),
        )


def _prepared(rows: list[Any]) -> Iterator[tuple[Any, ...]]:
    return ((nr, *(prepare(text) for text in texts)) for nr, *texts in rows)
