"""Vectors: what a group's are, and the rows that a change set makes of them.

A server keeps them as lists of numbers. They are sent as the driver's vectors where the server takes those: lists cost
ten times the client's time.

Beside its values a vector bears what its row says of its time, so that an index which can filter leaves out what does
not count before it chooses the nearest. It follows the row in the same transaction.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from neo4j.vector import Vector as SentVector

from kgmem.errors import StoreError
from kgmem.model import Id
from kgmem.store.changes import Vector
from kgmem.store.neo4j.keys import checked
from kgmem.store.neo4j.rows import Row, Work
from kgmem.store.neo4j.schema import make_vector_index, vector_label
from kgmem.store.neo4j.sides import OTHER, vector_key
from kgmem.store.sqlite.packing import pack_floats, unpack_floats
from kgmem.store.vector_store import VectorModel

if TYPE_CHECKING:
    from kgmem.store.neo4j.connection import Handle

_BOTH: Final = "UNWIND [{0}, {0} + '/" + OTHER + "'] AS key MATCH (v:Embedding {{key: key}})"
_OF_ROW: Final = _BOTH.format("row.key")

PIECES: Final = {
    "vectors_put": (
        "MERGE (v:Embedding {key: row.properties.key}) SET v += row.properties, v:$(row.label)"
        " WITH v, row CALL db.create.setNodeVectorProperty(v, 'values', row.values)"
        " WITH v, $group + '/' + v.id AS of"
        " CALL (v, of) { WITH v, of WHERE v.kind = 'passage' MATCH (p:Passage {key: of}) SET v.state = p.state }"
        " CALL (v, of) { WITH v, of WHERE v.kind = 'entity' MATCH (e:Entity {key: of}) SET v.state = e.state }"
        " CALL (v, of) { WITH v, of WHERE v.kind = 'fact' MATCH (f:Fact {key: of})"
        " SET v.state = f.state, v.recorded_at = f.recorded_at, v.closed_at = f.closed_at,"
        " v.holds_from = f.holds_from, v.holds_to = f.holds_to }"
    ),
}
FOLLOW: Final = {
    "vectors_follow": f"{_OF_ROW} SET v += row.properties",
    "vectors_drop": f"{_OF_ROW} DETACH DELETE v",
}
_PAGE: Final = 1000

_DECLARE: Final = """
MATCH (g:Group {key: $group}) SET g.writer = $group
SET g.vector_model = coalesce(g.vector_model, $model), g.vector_dimension = coalesce(g.vector_dimension, $dimension)
RETURN g.vector_model, g.vector_dimension, g.vector_side
"""
_READ: Final = """
MATCH (v:Embedding) USING INDEX v:Embedding(key)
WHERE v.key > $after AND v.key STARTS WITH $prefix AND v.group = $group
MATCH (g:Group {key: $group}) WHERE v.model = g.vector_model
RETURN v.key, v.id, v.model, v.values, v.made_of ORDER BY v.key LIMIT $page
"""
_STRANGE: Final = """
MATCH (g:Group {key: $group}) MATCH (v:Embedding {group: $group})
WHERE NOT any(each IN [[g.vector_model, g.vector_dimension], [g.coming_model, g.coming_dimension]]
  WHERE coalesce(each = [v.model, size(v.values)], false))
RETURN v.kind, v.id
"""


def declare(handle: Handle, wanted: VectorModel) -> None:
    """Say what the group's vectors are, and make their index.

    Raises:
        StoreError: they are something else already.
    """
    ((held, size, side),) = handle.write(_DECLARE, model=wanted.name, dimension=wanted.dimension)
    if (held, size) != (wanted.name, wanted.dimension):
        raise StoreError(
            f"this group holds vectors of {held} with {size} dimensions, not {wanted.name} with {wanted.dimension}",
            "use that model, or another group",
        )
    if not handle.in_transaction:
        make_vector_index(handle, wanted.dimension, side or "")


def put_vectors(work: Work, vectors: Iterable[Vector]) -> None:
    """New and changed vectors of the group's model.

    Raises:
        StoreError: the model or the dimension is not the group's.
    """
    sides = work.held.vector_sides
    dropped = {row["key"] for row in work.rows.get("vectors_drop", ())}
    for vector in vectors:
        if sides.present is None or VectorModel(vector.model, len(vector.values)) != sides.present:
            raise misfit(vector, sides.present)
        row = row_of(work.handle, vector, sides.side)
        held = work.held.vectors.get((vector.kind, vector.id))
        changed = held != (vector.model, row["properties"]["digest"], vector.hash)
        if changed or work.handle.key(vector.kind, vector.id) in dropped:
            work.put("vectors_put", **row)


def misfit(vector: Vector, present: VectorModel | None) -> StoreError:
    """The error of a vector that cannot be compared with those that are there."""
    return StoreError(
        f"a vector of {vector.model} with {len(vector.values)} dimensions does not fit this group's: "
        + (f"{present.name} with {present.dimension}" if present else "none are declared"),
        "use the model that the group was begun with",
    )


def follow(work: Work, kind: str, identity: Id, **properties: Any) -> None:
    """Tell the vector of a row what changed of the row's time, if there is such a vector."""
    if work.held.vector_sides.present is not None:
        work.put("vectors_follow", key=work.handle.key(kind, identity), properties=properties)


def drop(work: Work, kind: str, identity: Id) -> None:
    """Let go of the vector of what is called something else from now on, if there is one."""
    if work.held.vector_sides.present is not None:
        work.put("vectors_drop", key=work.handle.key(kind, identity))


def row_of(handle: Handle, vector: Vector, side: str = "") -> Row:
    """The row of a vector on a side of the group; its digest tells whether it changed."""
    packed = pack_floats(vector.values)
    properties = {
        "key": vector_key(handle, vector.kind, checked(vector.id), side),
        "group": handle.group,
        "kind": vector.kind,
        "id": vector.id,
        "model": vector.model,
        "made_of": vector.hash,
        "digest": hashlib.blake2b(packed, digest_size=8).hexdigest(),
    }
    return {"properties": properties, "values": _sent(handle, packed), "label": vector_label(handle.label, side)}


def _sent(handle: Handle, packed: bytes) -> Any:
    values = unpack_floats(packed)
    return SentVector(struct.pack(f">{len(values)}f", *values), "f32") if handle.takes_vectors else list(values)


def vectors(handle: Handle, kind: str, after: str) -> Iterator[tuple[str, Vector]]:
    """A page of the vectors of one kind after a key, each with its key."""
    rows = handle.rows(_READ, after=after, prefix=handle.key(kind, ""), page=_PAGE)
    return ((key, Vector(kind, one, model, tuple(values), made_of)) for key, one, model, values, made_of in rows)


def strange(handle: Handle) -> tuple[str, ...]:
    """See `kgmem.store.protocol.Store.strange_vectors`."""
    return tuple(f"the vector of {kind} {one}" for kind, one in handle.rows(_STRANGE))
