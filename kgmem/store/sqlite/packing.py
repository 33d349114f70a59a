"""Model values as SQLite keeps them.

An id of sixteen hexadecimal digits is the signed 64-bit integer of the same bits. A `Bound` is one integer,
``first * 64 + precision * 8 + basis``: where it ends follows from its precision, and integers sort by date. A
bound without a moment is ``-1 - basis``. A moment that is not the whole of a year, month, day or second keeps
its four parts as text.
"""

from __future__ import annotations

import calendar
import struct
from datetime import date
from functools import lru_cache
from typing import Final

from kgmem.errors import InvariantError
from kgmem.model import UNKNOWN, Basis, Bound, Id, Moment, Precision

_BITS: Final = 2**64 - 1
_DAY: Final = 86_400
_LAST_DAY: Final = date.max.toordinal()
_BASES: Final = tuple(Basis)
_BASIS_NUMBER: Final = {basis: number for number, basis in enumerate(_BASES)}

FILE_BASIS: Final = _BASIS_NUMBER[Basis.FILE]
"""The last three bits of a packed bound that rests on a file's time."""


def seek_id(identity: Id) -> int | None:
    """The integer of an id to look for; None, which matches nothing, for what is no id."""
    if len(identity) != 16:  # noqa: PLR2004 -- the digits of 64 bits
        return None
    try:
        number = int(identity, 16)
    except ValueError:
        return None
    return number - 2**64 if number >> 63 else number


def pack_id(identity: Id) -> int:
    """The integer of an id to write.

    Raises:
        InvariantError: it is no id.
    """
    number = seek_id(identity)
    if number is None:
        raise InvariantError(f"not an id: {identity!r}")
    return number


def pack_optional(identity: Id | None) -> int | None:
    """The integer of an id to write, if there is one. Raises as `pack_id`."""
    return None if identity is None else pack_id(identity)


def unpack_id(number: int) -> Id:
    """The id of an integer."""
    return "%016x" % (number & _BITS)


def unpack_optional(number: int | None) -> Id | None:
    """The id of an integer, if there is one."""
    return None if number is None else unpack_id(number)


def pack_bound(bound: Bound) -> int | str:
    """A bound as one value. See the module."""
    basis = _BASIS_NUMBER[bound.basis]
    moment = bound.moment
    if moment is None:
        return -1 - basis
    if moment.first > 0 and moment.past == _past(moment.first, moment.precision):
        return moment.first * 64 + moment.precision * 8 + basis
    return f"{moment.first} {moment.past} {moment.precision:d} {basis}"


@lru_cache(maxsize=8192)
def unpack_bound(packed: int | str) -> Bound:
    """The bound of a packed value."""
    if isinstance(packed, str):
        first, past, precision, basis = (int(part) for part in packed.split())
        return Bound(Moment(first, past, Precision(precision)), _BASES[basis])
    if packed < 0:
        return Bound(None, _BASES[-1 - packed])
    first, kind = packed >> 6, Precision(packed >> 3 & 7)
    return Bound(Moment(first, _past(first, kind), kind), _BASES[packed & 7])


def pack_floats(values: tuple[float, ...]) -> bytes:
    """Little-endian 32-bit floats."""
    return struct.pack(f"<{len(values)}f", *values)


def unpack_floats(packed: bytes) -> tuple[float, ...]:
    """The floats of a blob."""
    return struct.unpack(f"<{len(packed) // 4}f", packed)


def _past(first: int, precision: Precision) -> int:
    """The end of the whole year, month, day or second that starts there; 0 where none does."""
    if precision is Precision.INSTANT:
        return first + 1
    if first % _DAY or not 1 <= first // _DAY <= _LAST_DAY:
        return 0
    if precision is Precision.DAY:
        return first + _DAY
    start = date.fromordinal(first // _DAY)
    if start.day != 1 or (precision is Precision.YEAR and start.month != 1):
        return 0
    if precision is Precision.MONTH:
        return first + calendar.monthrange(start.year, start.month)[1] * _DAY
    return first + (366 if calendar.isleap(start.year) else 365) * _DAY


PACKED_UNKNOWN: Final = pack_bound(UNKNOWN)
"""A bound of which nothing is known."""
