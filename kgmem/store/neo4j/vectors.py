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
from kgmem.store.neo4j.schema import make_vector_index
from kgmem.store.sqlite.packing import pack_floats, unpack_floats

if TYPE_CHECKING:
    from kgmem.store.neo4j.connection import Handle

PIECES: Final = {
    "vectors_put": (
        "MERGE (v:Embedding {key: row.properties.key}) SET v += row.properties, v:$($label)"
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
    "vectors_follow": "MATCH (v:Embedding {key: row.key}) SET v += row.properties",
}
_PAGE: Final = 1000

_DECLARE: Final = """
MATCH (g:Group {key: $group}) SET g.writer = $group
SET g.vector_model = coalesce(g.vector_model, $model), g.vector_dimension = coalesce(g.vector_dimension, $dimension)
RETURN g.vector_model, g.vector_dimension
"""
_READ: Final = """
MATCH (v:Embedding) USING INDEX v:Embedding(key)
WHERE v.key > $after AND v.key STARTS WITH $prefix AND v.group = $group
RETURN v.key, v.id, v.model, v.values ORDER BY v.key LIMIT $page
"""
_STRANGE: Final = """
MATCH (g:Group {key: $group}) MATCH (v:Embedding {group: $group})
WHERE g.vector_model IS NULL OR v.model <> g.vector_model OR size(v.values) <> g.vector_dimension
RETURN v.kind, v.id
"""


def declare(handle: Handle, model: str, dimension: int) -> None:
    """Say what the group's vectors are, and make their index.

    Raises:
        StoreError: they are something else already.
    """
    declared = handle.write(_DECLARE, model=model, dimension=dimension)
    if declared != [[model, dimension]]:
        held, size = declared[0]
        raise StoreError(
            f"this group holds vectors of {held} with {size} dimensions, not {model} with {dimension}",
            "use that model, or another group",
        )
    if not handle.in_transaction:
        make_vector_index(handle, dimension)


def put_vectors(work: Work, vectors: Iterable[Vector]) -> None:
    """New and changed vectors.

    Raises:
        StoreError: the model or the dimension is not the group's.
    """
    model, dimension = work.held.vector_model, work.held.vector_dimension
    for vector in vectors:
        if (vector.model, len(vector.values)) != (model, dimension):
            raise StoreError(
                f"a vector of {vector.model} with {len(vector.values)} dimensions does not fit this group's: "
                + (f"{model} with {dimension}" if model else "none are declared"),
                "use the model that the group was begun with",
            )
        row = row_of(work.handle, vector)
        if work.held.vectors.get((vector.kind, vector.id)) != (vector.model, row["properties"]["digest"]):
            work.put("vectors_put", **row)


def follow(work: Work, kind: str, identity: Id, **properties: Any) -> None:
    """Tell the vector of a row what changed of the row's time, if there is such a vector."""
    if work.held.vector_model is not None:
        work.put("vectors_follow", key=work.handle.key(kind, identity), properties=properties)


def row_of(handle: Handle, vector: Vector) -> Row:
    """The row of a vector; its digest tells whether it changed."""
    packed = pack_floats(vector.values)
    properties = {
        "key": handle.key(vector.kind, checked(vector.id)),
        "group": handle.group,
        "kind": vector.kind,
        "id": vector.id,
        "model": vector.model,
        "digest": hashlib.blake2b(packed, digest_size=8).hexdigest(),
    }
    return {"properties": properties, "values": _sent(handle, packed)}


def _sent(handle: Handle, packed: bytes) -> Any:
    values = unpack_floats(packed)
    return SentVector(struct.pack(f">{len(values)}f", *values), "f32") if handle.takes_vectors else list(values)


def vectors(handle: Handle, kind: str, after: str) -> Iterator[tuple[str, Vector]]:
    """A page of the vectors of one kind after a key, each with its key."""
    rows = handle.rows(_READ, after=after, prefix=handle.key(kind, ""), page=_PAGE)
    return ((key, Vector(kind, one, model, tuple(values))) for key, one, model, values in rows)


def strange(handle: Handle) -> tuple[str, ...]:
    """See `kgmem.store.protocol.Store.strange_vectors`."""
    return tuple(f"the vector of {kind} {one}" for kind, one in handle.rows(_STRANGE))
