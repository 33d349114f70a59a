"""Everything that a group holds, as text: numbers of rows, sizes and times of files, and search rows are left out."""

# ruff: noqa: S608 -- statements are put together from constants, and every value is bound

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from kgmem.store.lines import show_bound
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import unpack_bound, unpack_floats, unpack_optional
from kgmem.store.sqlite.pointers import POINTER, WHERE, pointer_of

TABLES: Final = {
    "tx": "SELECT recorded_at, kind, source FROM tx WHERE grp = ? ORDER BY recorded_at",
    "decision": (
        "SELECT id, kind, source, hash, about, entity, others, names, note, recorded_at, retracted_at FROM decision"
        " WHERE grp = ? ORDER BY id"
    ),
    "replay": 'SELECT root, "commit", at AS upto FROM replay WHERE grp = ? ORDER BY root',
    "entity": "SELECT id, name, type, subtype, type_rank FROM entity WHERE grp = ? ORDER BY id",
    "source": (
        "SELECT s.id, s.kind, s.root, s.path, s.title, s.uid, s.entity, s.hash, s.removed_at, e.id AS episode"
        " FROM source s LEFT JOIN episode e ON e.nr = s.episode WHERE s.grp = ? ORDER BY s.id"
    ),
    "source_path": (
        "SELECT s.id AS source, h.recorded_at, h.closed_at, h.root, h.path"
        " FROM source s CROSS JOIN source_path h ON h.source = s.nr WHERE s.grp = ? ORDER BY s.id, h.recorded_at"
    ),
    "episode": (
        f"SELECT e.id, s.id AS source, e.hash, e.body, {POINTER}"
        f" FROM episode e CROSS JOIN source s ON s.nr = e.source {WHERE} WHERE e.grp = ? ORDER BY e.id"
    ),
    "source_episode": (
        "SELECT s.id AS source, h.recorded_at, h.closed_at, e.id AS episode, h.occurred FROM source s"
        " CROSS JOIN source_episode h ON h.source = s.nr CROSS JOIN episode e ON e.nr = h.episode"
        " WHERE s.grp = ? ORDER BY s.id, h.recorded_at"
    ),
    "passage": (
        "SELECT p.id, s.id AS source, p.live, p.kind, p.heading, p.block, p.text"
        " FROM passage p CROSS JOIN source s ON s.nr = p.source WHERE p.grp = ? ORDER BY p.id"
    ),
    "stands": (
        "SELECT e.id AS episode, p.id AS passage, t.ordinal, t.first_line, t.last_line"
        " FROM episode e CROSS JOIN stands t ON t.episode = e.nr CROSS JOIN passage p ON p.nr = t.passage"
        " WHERE e.grp = ? ORDER BY e.id, t.ordinal, p.id"
    ),
    "reply": (
        "SELECT p.id AS passage, r.model, r.prompt, r.told, r.tokens_in, r.tokens_out, r.milliseconds"
        " FROM reply r CROSS JOIN passage p ON p.nr = r.passage WHERE r.grp = ? ORDER BY p.id"
    ),
    "mention": (
        "SELECT p.id AS passage, m.start, m.past, e.id AS entity, m.surface, m.rung"
        " FROM passage p CROSS JOIN mention m ON m.passage = p.nr CROSS JOIN entity e ON e.nr = m.entity"
        " WHERE p.grp = ? ORDER BY p.id, m.start, m.past, e.id"
    ),
    "alias": (
        "SELECT s.id AS source, e.id AS entity, a.name, a.key, a.kind, a.type, a.subtype, a.type_rank"
        " FROM alias a CROSS JOIN source s ON s.nr = a.source CROSS JOIN entity e ON e.nr = a.entity"
        " WHERE a.grp = ? ORDER BY s.id, e.id, a.name, a.kind, a.type, a.subtype, a.type_rank, a.key"
    ),
    "link": (
        "SELECT s.id AS source, l.key, l.resolved FROM link l CROSS JOIN source s ON s.nr = l.source"
        " WHERE l.grp = ? ORDER BY s.id, l.key"
    ),
    "claim": (
        "SELECT id, slot, source, episode, passage, subject, predicate, object, value, statement, quote, line,"
        " valid_from, valid_to, said, kind, scalar, rung, confidence, recorded_at, first_at, withdrawn_at, replaced"
        " FROM claim WHERE grp = ? ORDER BY id"
    ),
    "ending": (
        "SELECT c.id AS claim, n.recorded_at, n.kind, n.at FROM claim c CROSS JOIN ending n ON n.claim = c.nr"
        " WHERE c.grp = ? ORDER BY c.id, n.recorded_at, n.kind"
    ),
    "fact": (
        "SELECT id, slot, subject, predicate, object, value, statement, valid_from, valid_to, holds_from, holds_to,"
        " confidence, recorded_at, closed_at FROM fact WHERE grp = ? ORDER BY id"
    ),
    "evidence": (
        "SELECT f.id AS fact, c.id AS claim, v.rival, v.recorded_at, v.closed_at"
        " FROM fact f CROSS JOIN evidence v ON v.fact = f.nr CROSS JOIN claim c ON c.nr = v.claim"
        " WHERE f.grp = ? ORDER BY f.id, c.id, v.rival, v.recorded_at"
    ),
    "vectors": "SELECT vector_model AS model, vector_dimension AS dimension FROM grp WHERE nr = ?",
    "vector": (
        "SELECT v.kind, v.id, v.model, v.made_of, v.data FROM vector v CROSS JOIN grp g ON g.nr = v.grp"
        " AND g.vector_model = v.model WHERE v.grp = ? ORDER BY v.kind, v.id"
    ),
    "conversation": "SELECT name FROM conversation WHERE grp = ? ORDER BY name",
    "message": (
        "SELECT m.id, c.name AS conversation, m.place, m.asked_at, m.known, m.question, m.gist, m.answer, m.as_of,"
        " m.known_at, m.thumb, m.because, m.seconds, m.tokens, m.model"
        " FROM message m CROSS JOIN conversation c ON c.nr = m.conversation WHERE m.grp = ? ORDER BY c.name, m.place"
    ),
    "spoken_of": (
        "SELECT m.id AS message, s.role, s.ordinal, e.id AS entity FROM message m"
        " CROSS JOIN spoken_of s ON s.message = m.nr CROSS JOIN entity e ON e.nr = s.entity"
        " WHERE m.grp = ? ORDER BY m.asked_at, s.role, s.ordinal"
    ),
    "step": (
        "SELECT m.id AS message, s.place, s.name, s.seconds, s.note, s.hits FROM message m"
        " CROSS JOIN step s ON s.message = m.nr WHERE m.grp = ? ORDER BY m.asked_at, s.place"
    ),
}
"""A statement for each table, with the group to bind."""

IDS: Final = (
    "id",
    "slot",
    "source",
    "episode",
    "passage",
    "entity",
    "subject",
    "object",
    "claim",
    "fact",
    "message",
    "gist",
    "made_of",
)
"""Columns that hold ids."""
BOUNDS: Final = ("occurred", "valid_from", "valid_to", "said", "replaced", "at")
"""Columns that hold packed bounds."""


def dump(handle: Handle, file: Path) -> Iterator[str]:
    """See `kgmem.store.protocol.Store.dump`."""
    for table, sql in TABLES.items():
        cursor = handle.connection.execute(sql, (handle.grp,))
        for row in cursor if table != "episode" else _whole(cursor, file):
            names = (column[0] for column in cursor.get_description())
            line = {name: _SHOWN.get(name, _as_is)(value) for name, value in zip(names, row, strict=table != "episode")}
            yield json.dumps({"table": table, **line}, ensure_ascii=False, separators=(",", ":"))


def _whole(rows: Iterable[Any], file: Path) -> Iterator[Any]:
    """Episodes with their bodies, wherever these are."""
    for *row, body, url, name, digest in rows:
        pointer = pointer_of((url, name, digest), file)
        yield (*row, body if pointer is None else pointer.read())


def _as_is(value: Any) -> Any:
    return value


_SHOWN: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(IDS, unpack_optional),
    **dict.fromkeys(BOUNDS, lambda packed: None if packed is None else show_bound(unpack_bound(packed))),
    "data": lambda packed: list(unpack_floats(packed)),
    "hits": json.loads,
}
