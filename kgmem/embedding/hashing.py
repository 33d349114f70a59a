"""Keys that near vectors share: the sides of random hyperplanes that a vector lies on (Charikar 2002).

Two vectors at an angle a lie on one side of a random hyperplane with probability 1 - a/pi. A key is the sides of `bits`
hyperplanes, and each of `tables` gives one: two vectors share a key with probability 1 - (1 - (1 - a/pi)^bits)^tables.

    cosine            .9     .8     .7     .6     .5     .3     .1     .0
    12 bits, 46      1.000  .952   .755   .502   .300   .090   .023   .011
    16 bits, 116     1.000  .950   .664   .350   .162   .030   .005   .002

Twelve bits are the default: what is unlike shares a key seldom enough, at less than half of the keys.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

TABLES: Final = 46
BITS: Final = 12

_STEPS: Final = 2**30
"""Components are counted in steps of 1/2^30. Sums of whole numbers below 2^53 are exact: no order of adding, no
processor and no release of numpy can tip a vector to the other side."""


def vector_keys(values: Sequence[float], *, tables: int = TABLES, bits: int = BITS) -> tuple[str, ...]:
    """A key for each table, such as ``v:03:1a2``, the same on every machine and forever.

    `values` are the components of a unit vector, all of a size: hyperplanes tell little of a vector that lies along an
    axis.
    """
    steps = np.rint(np.asarray(values, dtype=np.float64) * _STEPS)
    sides = (_hyperplanes(len(values), tables, bits) @ steps >= 0).reshape(tables, bits)
    codes = sides @ (1 << np.arange(bits, dtype=np.int64))
    digits = -(-bits // 4)
    return tuple(f"v:{table:02x}:{code:0{digits}x}" for table, code in enumerate(codes.tolist()))


def share_probability(cosine: float, tables: int = TABLES, bits: int = BITS) -> float:
    """The probability that vectors of that cosine share a key."""
    alike = 1 - math.acos(max(-1.0, min(1.0, cosine))) / math.pi
    return 1 - (1 - alike**bits) ** tables


@cache
def _hyperplanes(dimension: int, tables: int, bits: int) -> NDArray[np.float64]:
    """(tables * bits, dimension) of +1 and -1. A hash gives the signs: generators of random numbers change."""
    length = -(-dimension // 8)
    seeds = (f"kgmem {table} {bit}".encode() for table in range(tables) for bit in range(bits))
    digests = b"".join(hashlib.shake_128(seed).digest(length) for seed in seeds)
    signs = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(tables * bits, length), axis=1)
    return signs[:, :dimension].astype(np.float64) * 2 - 1
