"""Writing vectors: a row each, exact, and beside the rows their codes in blocks, which a search reads first.

A block is a BLOB of `SLOTS` slots of one group, kind and model. A slot holds the number of its vector's row, the scale
and the radius of its codes, and a code of eight bits for each component of the vector at unit length: the component is
near scale times code, and the whole vector within the radius of them. Nothing in a block says what counts at which
time, so that nothing in it goes stale: what a slot is of is looked up in the rows.

A slot is written in place, of a block that was made with all its room: only the pages of that slot change.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Final

from kgmem.errors import StoreError
from kgmem.store.changes import Vector
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_floats, pack_id, pack_optional, unpack_floats
from kgmem.store.vector_store import VectorModel
from kgmem.store.vectors import direction, refuse_twin

SLOTS: Final = 256
"""Vectors in a block."""
HEAD: Final = "<qff"
"""Before the codes of a slot: the number of the row, or 0 where the slot is free, the scale, and the radius."""
_LARGEST: Final = 127

TABLES: Final = """
ALTER TABLE grp ADD COLUMN coming_model TEXT;         -- vectors of it are made beside those that are searched
ALTER TABLE grp ADD COLUMN coming_dimension INTEGER;

ALTER TABLE vector RENAME TO vector_before;
CREATE TABLE vector (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  model TEXT NOT NULL,
  made_of INTEGER,             -- what the texts are known by that it was made of
  place INTEGER NOT NULL,      -- where its codes are: the number of the block times 256, and the slot
  data BLOB NOT NULL,          -- little-endian 32-bit floats
  UNIQUE (grp, kind, id, model)
) STRICT;
CREATE INDEX vector_by_text ON vector (made_of, model) WHERE made_of IS NOT NULL;

CREATE TABLE vector_block (
  nr INTEGER PRIMARY KEY,
  grp INTEGER NOT NULL,
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  used INTEGER NOT NULL,       -- slots from the first on that were ever written
  data BLOB NOT NULL
) STRICT;
CREATE INDEX vector_block_of ON vector_block (grp, kind, model);
"""

_STORED: Final = "SELECT nr, place, data, made_of FROM vector WHERE grp = ? AND kind = ? AND id = ? AND model = ?"
_INSERT: Final = "INSERT INTO vector (grp, kind, id, model, made_of, place, data) VALUES (?, ?, ?, ?, ?, ?, ?)"


def carry_over(handle: Handle) -> None:
    """Give the vectors of an older file their codes, group by group. One that is not its group's own is left out."""
    rows: Iterable[Any] = handle.connection.execute(
        "SELECT g.nr, v.kind, v.id, v.model, v.data FROM vector_before v CROSS JOIN grp g ON g.nr = v.grp"
        " AND g.vector_model = v.model AND length(v.data) = 4 * g.vector_dimension"
    )
    for grp, *key, data in rows:
        _write(Handle(handle.connection, grp), key, data, None)
    handle.connection.execute("DROP TABLE vector_before")


def put_vectors(handle: Handle, vectors: Iterable[Vector]) -> None:
    """New and changed vectors.

    Raises:
        StoreError: the model or the dimension is neither the group's nor the coming one.
    """
    known = models(handle)
    for vector in vectors:
        if VectorModel(vector.model, len(vector.values)) not in known:
            present = known[0]
            raise StoreError(
                f"a vector of {vector.model} with {len(vector.values)} dimensions does not fit this group's: "
                + (f"{present.name} with {present.dimension}" if present else "none are declared"),
                "use the model that the group was begun with",
            )
        data, made_of = pack_floats(vector.values), pack_optional(vector.hash)
        _write(handle, (vector.kind, pack_id(vector.id), vector.model), data, made_of)


def drop_vectors(handle: Handle, kind: str, ids: Iterable[int]) -> None:
    """Delete the vectors of what is gone, or is called something else; by packed id."""
    keys = [(handle.grp, kind, packed) for packed in ids]
    rows = handle.each("SELECT place, length(data) FROM vector WHERE grp = ? AND kind = ? AND id = ?", keys)
    for place, length in list(rows):
        _fill(handle, place, bytes(struct.calcsize(HEAD) + length // 4))
    handle.run("DELETE FROM vector WHERE grp = ? AND kind = ? AND id = ?", keys)


def models(handle: Handle) -> tuple[VectorModel | None, VectorModel | None]:
    """(the group's model, the coming one)."""
    row = handle.first(
        "SELECT vector_model, vector_dimension, coming_model, coming_dimension FROM grp WHERE nr = ?", handle.grp
    )
    name, dimension, coming, coming_dimension = row or _NOTHING
    return (
        None if name is None else VectorModel(name, dimension),
        None if coming is None else VectorModel(coming, coming_dimension),
    )


_NOTHING: Final[tuple[Any, ...]] = (None,) * 4
"""What is told of a group in which nothing was ever written."""


def declare(handle: Handle, wanted: VectorModel) -> None:
    """Say what the group's vectors are.

    Raises:
        StoreError: they are something else already.
    """
    present, _ = models(handle)
    if present is None:
        handle.run(
            "UPDATE grp SET vector_model = ?, vector_dimension = ? WHERE nr = ?",
            [(wanted.name, wanted.dimension, handle.grp)],
        )
    elif present != wanted:
        raise StoreError(
            f"this group holds vectors of {present.name} with {present.dimension} dimensions, not {wanted.name} with"
            f" {wanted.dimension}",
            "use that model, or another group",
        )


def prepare(handle: Handle, wanted: VectorModel) -> None:
    """See `kgmem.store.protocol.Store.prepare_vectors`."""
    present, coming = models(handle)
    refuse_twin(present, wanted)
    if wanted == coming:
        return
    if coming is not None:
        _drop_model(handle, coming.name)
    following = (None, None) if wanted == present else (wanted.name, wanted.dimension)
    handle.run("UPDATE grp SET coming_model = ?, coming_dimension = ? WHERE nr = ?", [(*following, handle.grp)])


def switch(handle: Handle) -> None:
    """Make the coming vectors the group's; that none is missing is for the caller to know."""
    present, coming = models(handle)
    if present is not None and coming is not None:
        _drop_model(handle, present.name)
    handle.run(
        "UPDATE grp SET vector_model = coming_model, vector_dimension = coming_dimension, coming_model = NULL,"
        " coming_dimension = NULL WHERE nr = ?",
        [(handle.grp,)],
    )


def _drop_model(handle: Handle, model: str) -> None:
    for table in ("vector", "vector_block"):
        handle.run(f"DELETE FROM {table} WHERE grp = ? AND model = ?", [(handle.grp, model)])  # noqa: S608 - two names


def _write(handle: Handle, key: Sequence[Any], data: bytes, made_of: int | None) -> None:
    """Write what a vector is by (kind, packed id, model)."""
    row = handle.first(_STORED, handle.grp, *key)
    if row is None:
        kind, _, model = key
        place = _free(handle, kind, model, len(data) // 4)
        handle.run(_INSERT, [(handle.grp, *key, made_of, place, data)])
        _fill(handle, place, slot(handle.connection.last_insert_rowid(), unpack_floats(data)))
    elif row[2:] != (data, made_of):
        handle.run("UPDATE vector SET data = ?, made_of = ? WHERE nr = ?", [(data, made_of, row[0])])
        _fill(handle, row[1], slot(row[0], unpack_floats(data)))


def slot(nr: int, values: Sequence[float]) -> bytes:
    """What stands in the block of a vector: see the module. A vector that points nowhere has codes of zeros."""
    way = direction(values) or [0.0] * len(values)
    (scale,) = struct.unpack("<f", struct.pack("<f", max(map(abs, way), default=0.0) / _LARGEST))
    codes = [round(value / scale) for value in way] if scale else [0] * len(way)
    radius = math.hypot(*(value - scale * code for value, code in zip(way, codes, strict=True)))
    return struct.pack(f"{HEAD}{len(codes)}b", nr, scale, radius, *codes)


def _free(handle: Handle, kind: str, model: str, dimension: int) -> int:
    """The place of the next free slot."""
    last = handle.first(
        "SELECT nr, used FROM vector_block WHERE grp = ? AND kind = ? AND model = ? ORDER BY nr DESC LIMIT 1",
        handle.grp,
        kind,
        model,
    )
    if last is None or last[1] == SLOTS:
        handle.run(
            "INSERT INTO vector_block (grp, kind, model, used, data) VALUES (?, ?, ?, 0, zeroblob(?))",
            [(handle.grp, kind, model, SLOTS * (struct.calcsize(HEAD) + dimension))],
        )
        last = handle.connection.last_insert_rowid(), 0
    nr, used = last
    handle.run("UPDATE vector_block SET used = ? WHERE nr = ?", [(used + 1, nr)])
    return int(nr * SLOTS + used)


def _fill(handle: Handle, place: int, content: bytes) -> None:
    block, number = divmod(place, SLOTS)
    with handle.connection.blob_open("main", "vector_block", "data", block, True) as blob:
        blob.seek(number * len(content))
        blob.write(content)
