"""What has no vector, vectors that follow the texts, and those of another model beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from kgmem.errors import StoreError
from kgmem.model import LINKS_TO, OPEN, Id
from kgmem.store.changes import Vector
from kgmem.store.neo4j import schema
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.rows import send
from kgmem.store.neo4j.sides import read_sides
from kgmem.store.neo4j.vectors import PIECES, misfit, row_of
from kgmem.store.vector_store import Unembedded, VectorModel
from kgmem.store.vectors import refuse_twin

_PAGE: Final = 1000
_NOWHERE: Final = "none"
"""The side of a model that the group knows nothing of: all lacks its vectors."""

_ROWS: Final = {"passage": "Passage", "fact": "Fact", "entity": "Entity"}
_LIVE: Final = {
    "passage": "r.live",
    "fact": f"r.closed_at = {OPEN} AND r.predicate <> '{LINKS_TO}'",
    "entity": "r.listed IS NOT NULL",
}
_TEXTS: Final = {
    "passage": "MATCH (r)-[:PART_OF]->(s:Source) RETURN r.key, r.id, [s.title, r.heading, r.text]",
    "fact": "RETURN r.key, r.id, [r.statement]",
    "entity": "RETURN r.key, r.id, [r.name, coalesce(r.subtype, r.type)]",
}
_HAS: Final = "EXISTS {{ MATCH (:Embedding {{key: $group + '/{kind}/' + r.id + ${side}}}) }}"
_COUNT: Final = "MATCH (r:{label} {{group: $group}}) WHERE {lacks} RETURN count(r)"
_WITHOUT: Final = (
    "MATCH (r:{label}) USING INDEX r:{label}(key) WHERE r.key > $after AND r.key STARTS WITH $prefix"
    " AND r.group = $group AND {lacks} WITH r ORDER BY r.key LIMIT $page {texts} ORDER BY r.key"
)
_SAID: Final = "UNWIND $keys AS key MATCH (r:{label} {{key: key}}) {texts}"
_EMBEDDED: Final = """
UNWIND $hashes AS hash MATCH (v:Embedding {made_of: hash}) WHERE v.model = $model
WITH hash, head(collect(v.values)) AS values RETURN hash, values
"""

_PREPARE: Final = """
MATCH (g:Group {key: $group}) SET g.coming_model = $model, g.coming_dimension = $dimension
"""
_SWITCH: Final = """
MATCH (g:Group {key: $group})
SET g.vector_model = g.coming_model, g.vector_dimension = g.coming_dimension, g.vector_side = $side,
    g.coming_model = null, g.coming_dimension = null
"""
_DROP_SOME: Final = """
MATCH (v:Embedding) USING INDEX v:Embedding(group) WHERE v.group = $group AND v.model <> $keep AND v:`{label}`
WITH v LIMIT $page DETACH DELETE v RETURN count(*)
"""

Unit = Callable[[], AbstractContextManager[None]]
"""All queries of a block as one transaction, with the group's lock."""


def missing(handle: Handle, model: str) -> dict[str, int]:
    """See `kgmem.store.protocol.Store.missing_vectors`."""
    sides = _suffixes(handle, model)
    return {
        kind: handle.first(_COUNT.format(label=label, lacks=_lacks(kind)), **sides)[0] for kind, label in _ROWS.items()
    }


def without(handle: Handle, kind: str, model: str, after: str) -> tuple[list[Unembedded], str | None]:
    """(some things that lack a vector, after a key; the key to go on after, if there may be more)."""
    query = _WITHOUT.format(label=_ROWS[kind], lacks=_lacks(kind), texts=_TEXTS[kind])
    page = handle.rows(query, after=after, prefix=handle.key(""), page=_PAGE, **_suffixes(handle, model))
    found = [Unembedded(kind, one, tuple(texts)) for _, one, texts in page]
    return found, page[-1][0] if len(page) == _PAGE else None


def _lacks(kind: str) -> str:
    has, wanted = (_HAS.format(kind=kind, side=side) for side in ("present", "wanted"))
    return f"({_LIVE[kind]} OR {has}) AND NOT {wanted}"


def _suffixes(handle: Handle, model: str) -> dict[str, str]:
    """How the keys of the present vectors end, and those of the wanted ones."""
    sides = read_sides(handle)
    wanted = sides.side_of(model)
    return {
        "present": f"/{sides.side}" if sides.side else "",
        "wanted": f"/{_NOWHERE}" if wanted is None else f"/{wanted}" if wanted else "",
    }


def embedded(handle: Handle, model: str, hashes: Iterable[Id]) -> Mapping[Id, tuple[float, ...]]:
    """See `kgmem.store.protocol.Store.embedded`."""
    rows = handle.rows(_EMBEDDED, hashes=sorted(set(hashes)), model=model)
    return {hash_: tuple(values) for hash_, values in rows}


def put_made(handle: Handle, made: Iterable[Vector]) -> int:
    """See `kgmem.store.protocol.Store.put_vectors`; in a transaction that holds the lock."""
    vectors, sides = list(made), read_sides(handle)
    for vector in vectors:
        if VectorModel(vector.model, len(vector.values)) not in {sides.present, sides.coming}:
            raise misfit(vector, sides.present)
    said = {kind: _said(handle, kind, [each.id for each in vectors if each.kind == kind]) for kind in _ROWS}
    kept = [each for each in vectors if each.hash is not None and said[each.kind].get(each.id) == each.hash]
    rows: list[dict[str, Any]] = [row_of(handle, each, sides.side_of(each.model) or "") for each in kept]
    send(handle, PIECES, {"vectors_put": rows})
    return len(kept)


def _said(handle: Handle, kind: str, ids: list[Id]) -> dict[Id, Id]:
    """By id, what the texts of things are known by now."""
    if not ids:
        return {}
    rows = handle.rows(_SAID.format(label=_ROWS[kind], texts=_TEXTS[kind]), keys=handle.keys(ids))
    return {one: Unembedded(kind, one, tuple(texts)).hash for _, one, texts in rows}


def prepare(handle: Handle, wanted: VectorModel, unit: Unit) -> None:
    """See `kgmem.store.protocol.Store.prepare_vectors`. What is dropped goes in portions, each a transaction."""
    sides = read_sides(handle)
    refuse_twin(sides.present, wanted)
    if wanted == sides.coming:
        return
    with unit():
        handle.write(_PREPARE, model=None, dimension=None)
    drop_side(handle, sides.free, unit)
    if wanted != sides.present:
        schema.make_vector_index(handle, wanted.dimension, sides.free)
        with unit():
            handle.write(_PREPARE, model=wanted.name, dimension=wanted.dimension)


def switch(handle: Handle, unit: Unit) -> None:
    """See `kgmem.store.protocol.Store.switch_vectors`. The others are dropped after it: nothing finds them any more."""
    with unit():
        sides = read_sides(handle)
        if sides.coming is None:
            raise StoreError("no vectors of another model are being made", "kgmem reembed --model NAME")
        lacking = sum(missing(handle, sides.coming.name).values())
        if lacking:
            raise StoreError(f"{lacking} vectors of {sides.coming.name} are not made yet", "`kgmem reembed` goes on")
        handle.write(_SWITCH, side=sides.free)
    drop_side(handle, sides.side, unit)


def drop_side(handle: Handle, side: str, unit: Unit) -> None:
    """Delete the vectors on a side that is not searched, and their index."""
    label = schema.vector_label(handle.label, side)
    sides = read_sides(handle)
    keep = sides.present.name if sides.present else ""
    dropped = _PAGE
    while dropped == _PAGE:
        with unit():
            ((dropped,),) = handle.write(_DROP_SOME.format(label=label), keep=keep, page=_PAGE)
    schema.drop_vector_index(handle, side)
    handle.filters_vectors.pop(schema.vector_index(handle.label, side), None)


def pages(reading: Callable[[], AbstractContextManager[Handle]], kind: str, model: str) -> Iterator[Unembedded]:
    """See `kgmem.store.protocol.Store.without_vectors`; each page is a read of its own."""
    after: str | None = ""
    while after is not None:
        with reading() as handle:
            page, after = without(handle, kind, model, after)
        yield from page
