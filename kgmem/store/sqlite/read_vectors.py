"""Reading vectors as they were written. What searches among them is `kgmem.store.sqlite.nearest`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kgmem.store.changes import Vector
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import unpack_floats, unpack_id

FIRST: Final = -(2**63)
"""Before every packed id."""
_PAGE: Final = 1000


def vectors(handle: Handle, kind: str, start: int) -> tuple[list[Vector], int | None]:
    """(some vectors of a kind, from a packed id on; the packed id to go on from, if there may be more)."""
    page = handle.rows(
        "SELECT id, model, data FROM vector WHERE grp = ? AND kind = ? AND id >= ? ORDER BY id LIMIT ?",
        handle.grp,
        kind,
        start,
        _PAGE,
    )
    found = [Vector(kind, unpack_id(packed), model, unpack_floats(data)) for packed, model, data in page]
    return found, page[-1][0] + 1 if len(page) == _PAGE else None


def strange(handle: Handle) -> Iterator[str]:
    """See `kgmem.store.protocol.Store.strange_vectors`."""
    rows = handle.rows(
        "SELECT v.kind, v.id FROM vector v JOIN grp g ON g.nr = v.grp WHERE v.grp = ?"
        " AND (v.model IS NOT g.vector_model OR length(v.data) <> 4 * g.vector_dimension)",
        handle.grp,
    )
    return (f"the vector of {kind} {unpack_id(packed)}" for kind, packed in rows)
