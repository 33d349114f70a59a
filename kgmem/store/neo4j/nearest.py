"""Search among vectors by the server's index, which is approximate, and as good as exact where it rounds nothing off.

Where the index can filter, it leaves out what does not count before it chooses. What it cannot tell, the rows do:
then it is asked for more than is wanted, and for more again, until there are enough or it has no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.schema import FILTERS, vector_index
from kgmem.store.neo4j.then import Then
from kgmem.store.neo4j.words import LIVE
from kgmem.store.protocol import Hit
from kgmem.store.vectors import direction, refuse_others, scope_of

_LEAST: Final = 50
"""An index that is asked for very few overlooks some: it walks on only as long as it may still find that many."""
_WIDER: Final = 8
_EXACT: Final = 2**53
"""An index compares numbers as floating-point ones: beyond this the open end is no longer after the instant before it.
No date that a person may mean is so large; a larger number stands for an open end."""

_DECLARED: Final = """
MATCH (g:Group {key: $group}) RETURN g.vector_model, g.vector_dimension, g.clock_last, g.vector_side
"""
_INDEX: Final = "SHOW VECTOR INDEXES YIELD name, state, properties WHERE name = $name RETURN state, properties"

_FILTERED: Final = (
    "CYPHER 25 MATCH (v) SEARCH v IN (VECTOR INDEX `{index}` FOR $values WHERE {filter} LIMIT $wanted) SCORE AS score"
)
_UNFILTERED: Final = "CALL db.index.vector.queryNodes('{index}', $wanted, $values) YIELD node AS v, score"
_SCAN: Final = (
    "MATCH (v:Embedding {{group: $group}}) WHERE v.kind = $kind AND v.model = $model"
    " WITH v, vector.similarity.cosine(v.values, $values) AS score WHERE score IS NOT NULL"
)
_COUNTED: Final = """
WITH collect({{kind: v.kind, id: v.id, score: score}}) AS seen
CALL (seen) {{
  UNWIND seen AS one WITH one, $group + '/' + one.id AS key WHERE one.kind = $kind
  MATCH {row} WHERE {condition}
  WITH one ORDER BY one.score DESC, one.id LIMIT $limit
  RETURN collect([one.id, one.score]) AS hits
}}
RETURN size(seen), hits
"""


def nearest(handle: Handle, kind: str, values: Sequence[float], limit: int, then: Then) -> tuple[Hit, ...]:
    """See `kgmem.store.protocol.Store.nearest`."""
    scope = scope_of(kind)
    model, dimension, last, side = handle.first(_DECLARED) or (None,) * 4
    if model is None and last is None:
        return ()  # nothing was ever written
    refuse_others(values, model, dimension)
    way = direction(values)
    if way is None or limit <= 0:
        return ()
    parameters = {**then.parameters, **_bounds(then), "live": LIVE, "kind": kind, "values": way, "limit": limit}
    query = _query(handle, kind, then, vector_index(handle.label, side or ""))
    hits = _widening(handle, query, max(limit, _LEAST), {**parameters, "model": model})
    return tuple(Hit(scope, one, 2 * score - 1) for one, score in hits)


def _widening(handle: Handle, query: str, wanted: int, parameters: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The hits of a query, which sees so many vectors at first; (id, score from 0 to 1) each."""
    while True:
        seen, hits = handle.first(query, **parameters, wanted=wanted)
        if len(hits) >= parameters["limit"] or seen != wanted:
            return list(hits)
        wanted *= _WIDER


def _query(handle: Handle, kind: str, then: Then, name: str) -> str:
    """What finds the nearest, by the index of that name; without one, by looking at all."""
    filters = _filters(handle, name)
    if filters is None:
        start = _SCAN.format()
    elif filters:
        start = _FILTERED.format(index=name, filter=_filter(kind, then))
    else:
        start = _UNFILTERED.format(index=name)
    row, condition = {
        "passage": ("(p:Passage {key: key})", then.stands),
        "fact": ("(f:Fact {key: key})", then.believed),
        "entity": ("(e:Entity {key: key})", then.seen),
    }[kind]
    return start + _COUNTED.format(row=row, condition=condition)


def _filters(handle: Handle, name: str) -> bool | None:
    """Whether the index filters; None if there is none at work, and then a handle asks again the next time."""
    if name not in handle.filters_vectors:
        found = handle.first(_INDEX, name=name)
        if found is None or found[0] != "ONLINE":
            return None
        handle.filters_vectors[name] = set(FILTERS) <= set(found[1])
    return handle.filters_vectors[name]


def _filter(kind: str, then: Then) -> str:
    """What vectors themselves tell: their kind, what counts now, and when facts were believed and held."""
    if then.is_now:
        return "v.kind = $kind AND v.state = $live"
    if kind != "fact":
        return "v.kind = $kind"
    recorded = "v.state = $live" if then.known is None else "v.recorded_at <= $instant AND v.closed_at > $instant"
    held = " AND v.holds_from < $until AND v.holds_to > $from" if then.valid else ""
    return f"v.kind = $kind AND {recorded}{held}"


def _bounds(then: Then) -> dict[str, int]:
    """The parameters of a filter, as numbers that an index compares exactly."""
    numbers = {"instant": then.known or 0, "from": (then.valid or (0, 0))[0], "until": (then.valid or (0, 0))[1]}
    return {name: max(-_EXACT, min(number, _EXACT)) for name, number in numbers.items()}
