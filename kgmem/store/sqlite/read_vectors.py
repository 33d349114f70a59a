"""Reading vectors as they were written, and what has none. What searches among them is `kgmem.store.sqlite.nearest`."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kgmem.errors import StoreError
from kgmem.model import LINKS_TO, OPEN, Id
from kgmem.store.changes import Vector
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id, unpack_floats, unpack_id
from kgmem.store.sqlite.write_vectors import HEAD, SLOTS, models, put_vectors
from kgmem.store.vector_store import Unembedded

FIRST: Final = -(2**63)
"""Before every packed id."""
_PAGE: Final = 1000

_TEXTS: Final = {
    "passage": "SELECT r.id, s.title, r.heading, r.text FROM passage r CROSS JOIN source s ON s.nr = r.source",
    "fact": "SELECT r.id, r.statement FROM fact r",
    "entity": "SELECT r.id, r.name, coalesce(r.subtype, r.type) FROM entity r",
}
"""(packed id, texts that say what it is), by kind."""
_LIVE: Final = {
    "passage": "r.live = 1",
    "fact": f"r.closed_at = {OPEN} AND r.predicate <> '{LINKS_TO}'",
    "entity": "r.listed IS NOT NULL",
}
_HAS: Final = "EXISTS (SELECT 1 FROM vector v WHERE v.grp = r.grp AND v.kind = :kind AND v.id = r.id AND v.model = {})"
_LACKS: Final = f"r.grp = :grp AND ({{}} OR {_HAS.format(':present')}) AND NOT {_HAS.format(':model')}"

KINDS: Final = tuple(_TEXTS)


def vectors(handle: Handle, kind: str, start: int) -> tuple[list[Vector], int | None]:
    """(some vectors of a kind, from a packed id on; the packed id to go on from, if there may be more)."""
    present, _ = models(handle)
    page = handle.rows(
        "SELECT id, model, data, made_of FROM vector WHERE grp = ? AND kind = ? AND id >= ? AND model = ?"
        " ORDER BY id LIMIT ?",
        handle.grp,
        kind,
        start,
        present and present.name,
        _PAGE,
    )
    found = [
        Vector(kind, unpack_id(packed), model, unpack_floats(data), None if made_of is None else unpack_id(made_of))
        for packed, model, data, made_of in page
    ]
    return found, page[-1][0] + 1 if len(page) == _PAGE else None


def missing(handle: Handle, model: str) -> dict[str, int]:
    """See `kgmem.store.protocol.Store.missing_vectors`."""
    counts: dict[str, int] = {}
    for kind in KINDS:
        sql = f"SELECT count(*) FROM {kind} r WHERE {_LACKS.format(_LIVE[kind])}"
        counts[kind] = handle.connection.execute(sql, _bindings(handle, kind, model)).get
    return counts


def without(handle: Handle, kind: str, model: str, start: int) -> tuple[list[Unembedded], int | None]:
    """(some things that lack a vector, from a packed id on; the packed id to go on from, if there may be more)."""
    sql = f"{_TEXTS[kind]} WHERE r.id >= :start AND {_LACKS.format(_LIVE[kind])} ORDER BY r.id LIMIT {_PAGE}"
    page: list[Any] = handle.connection.execute(sql, {**_bindings(handle, kind, model), "start": start}).fetchall()
    found = [Unembedded(kind, unpack_id(packed), tuple(texts)) for packed, *texts in page]
    return found, page[-1][0] + 1 if len(page) == _PAGE else None


def _bindings(handle: Handle, kind: str, model: str) -> dict[str, Any]:
    present, _ = models(handle)
    return {"grp": handle.grp, "kind": kind, "model": model, "present": present and present.name}


def embedded(handle: Handle, model: str, hashes: Iterable[Id]) -> Mapping[Id, tuple[float, ...]]:
    """See `kgmem.store.protocol.Store.embedded`."""
    rows = handle.each(
        "SELECT made_of, data FROM vector WHERE made_of = ? AND model = ? LIMIT 1",
        [(pack_id(each), model) for each in set(hashes)],
    )
    return {unpack_id(made_of): unpack_floats(data) for made_of, data in rows}


def put_made(handle: Handle, made: Iterable[Vector]) -> int:
    """See `kgmem.store.protocol.Store.put_vectors`."""
    said = [each for each in made if each.hash is not None and each.hash == _said(handle, each)]
    put_vectors(handle, said)
    return len(said)


def _said(handle: Handle, vector: Vector) -> Id | None:
    """What the texts of a thing are known by now; None if it is gone."""
    row = handle.first(f"{_TEXTS[vector.kind]} WHERE r.grp = ? AND r.id = ?", handle.grp, pack_id(vector.id))
    return None if row is None else Unembedded(vector.kind, vector.id, tuple(row[1:])).hash


def refuse_gaps(handle: Handle) -> None:
    """Raise StoreError unless the coming vectors are all there."""
    _, coming = models(handle)
    if coming is None:
        raise StoreError("no vectors of another model are being made", "kgmem reembed --model NAME")
    lacking = sum(missing(handle, coming.name).values())
    if lacking:
        raise StoreError(f"{lacking} vectors of {coming.name} are not made yet", "`kgmem reembed` goes on")


def strange(handle: Handle) -> Iterator[str]:
    """See `kgmem.store.protocol.Store.strange_vectors`; also those whose codes are not where they should be."""
    known = {model.name: model.dimension for model in models(handle) if model}
    coded = dict(_coded(handle))
    for nr, kind, packed, model, length, place in handle.rows(
        "SELECT nr, kind, id, model, length(data), place FROM vector WHERE grp = ?", handle.grp
    ):
        if known.get(model) != length // 4 or coded.pop(place, None) != nr:
            yield f"the vector of {kind} {unpack_id(packed)}"
    yield from (f"the codes of vector {nr}, which is not there" for nr in coded.values())


def _coded(handle: Handle) -> Iterator[tuple[int, int]]:
    """(place, number of the vector's row) of every slot in use."""
    for block, data in handle.connection.execute("SELECT nr, data FROM vector_block WHERE grp = ?", (handle.grp,)):
        size = len(data) // SLOTS
        for number in range(SLOTS):
            (nr, _, _) = struct.unpack_from(HEAD, data, number * size)
            if nr:
                yield block * SLOTS + number, nr
