"""Search among vectors: the codes in blocks say which may be near, and their rows say how near they are.

That the codes are rounded loses nothing: with each stands how far the vector may be from them, so that the cosine of
what was not looked at has a bound, and the search ends only where none of those can be among the best (the
vector-approximation file of Weber, Schek and Blott 1998). What does not count at the time asked about is left out as it
is looked at. The only place here that needs NumPy.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kgmem.store.protocol import Hit
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import unpack_id
from kgmem.store.sqlite.then import Then
from kgmem.store.sqlite.write_vectors import SLOTS
from kgmem.store.vectors import direction, refuse_others, scope_of

_FEWEST: Final = 256
"""Vectors that are looked at first, for fewer cost about as much."""
_WIDER: Final = 4
"""How many more are looked at each time that those before were not enough."""
_SLACK: Final = 1e-4
"""More than single precision can be wrong by in a sum of 4,096 products."""

_DECLARED: Final = "SELECT vector_model, vector_dimension, clock_last FROM grp WHERE nr = ?"
_BLOCKS: Final = "SELECT used, data FROM vector_block WHERE grp = ? AND kind = ? AND model = ?"
_EACH: Final = (
    "SELECT v.id, v.data FROM json_each(:numbers) n CROSS JOIN vector v ON v.nr = n.value"
    " CROSS JOIN {0} {1} ON {1}.grp = v.grp AND {1}.id = v.id WHERE {2}"
)


def nearest(handle: Handle, kind: str, values: Sequence[float], limit: int, then: Then) -> tuple[Hit, ...]:
    """See `kgmem.store.protocol.Store.nearest`."""
    scope = scope_of(kind)
    model, dimension, last = handle.first(_DECLARED, handle.grp) or (None, None, None)
    if model is None and last is None:
        return ()  # nothing was ever written
    refuse_others(values, model, dimension)
    way = direction(values)
    if way is None or limit <= 0 or model is None:
        return ()
    numbers, bounds = _bounds(handle, kind, model, np.array(way))
    ids, scores = np.empty(0, np.int64), np.empty(0)
    for some, beyond in _portions(numbers, bounds, max(_FEWEST, 2 * limit)):
        found = _compare(handle, kind, some, np.array(way), then)
        ids, scores = np.concatenate((ids, found[0])), np.concatenate((scores, found[1]))
        if len(scores) >= limit and np.partition(scores, -limit)[-limit] > beyond:
            break
    best = np.lexsort((ids.view(np.uint64), -scores))[:limit]
    return tuple(Hit(scope, unpack_id(int(ids[each])), float(scores[each])) for each in best)


def _bounds(
    handle: Handle, kind: str, model: str, way: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """(numbers of rows, the most that the cosine of each can be), of all vectors of a kind."""
    slot = np.dtype([("nr", "<i8"), ("scale", "<f4"), ("radius", "<f4"), ("codes", "i1", (len(way),))])
    asked, codes = way.astype(np.float32), np.empty((SLOTS, len(way)), np.float32)
    numbers, bounds = [np.empty(0, np.int64)], [np.empty(0, np.float32)]
    for used, data in handle.connection.execute(_BLOCKS, (handle.grp, kind, model)):
        block = np.frombuffer(data, slot, SLOTS)
        np.copyto(codes, block["codes"])
        numbers.append(block["nr"][:used].copy())  # a view would keep the whole block in memory
        bounds.append((codes @ asked * block["scale"] + block["radius"] + _SLACK)[:used])
    every, most = np.concatenate(numbers), np.concatenate(bounds)
    return every[every > 0], most[every > 0]


def _portions(
    numbers: npt.NDArray[np.int64], bounds: npt.NDArray[np.float32], size: int
) -> Iterator[tuple[npt.NDArray[np.int64], float]]:
    """(numbers, the highest bound of those that come later) from the highest bounds on, more and more at a time."""
    rest = np.arange(len(numbers))
    while len(rest):
        if len(rest) <= size:
            yield numbers[rest], -np.inf
            return
        order = np.argpartition(-bounds[rest], size)
        some, rest = rest[order[:size]], rest[order[size:]]
        yield numbers[some], float(bounds[rest].max())
        size *= _WIDER


def _compare(
    handle: Handle, kind: str, numbers: npt.NDArray[np.int64], way: npt.NDArray[np.float64], then: Then
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """(packed ids, cosines) of those vectors that count and point anywhere."""
    sql = {
        "passage": _EACH.format("passage", "p", then.stands),
        "fact": _EACH.format("fact", "f", then.believed),
        "entity": _EACH.format("entity", "e", then.seen),
    }[kind]
    bindings = {**then.bindings, "numbers": json.dumps(np.sort(numbers).tolist())}
    rows: list[Any] = handle.connection.execute(sql, bindings).fetchall()
    ids = np.array([packed for packed, _ in rows], np.int64)
    held = np.frombuffer(b"".join(data for _, data in rows), "<f4").reshape(-1, len(way)).astype(np.float64)
    lengths = np.sqrt(np.vecdot(held, held))  # of double precision, in which squares do not overflow
    whole = np.isfinite(lengths) & (lengths > 0)
    return ids[whole], held[whole] @ way / lengths[whole]
