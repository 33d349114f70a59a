"""Zstandard (RFC 8878), by whatever brings it."""

from __future__ import annotations

import sys
from typing import Final

from kgmem.errors import ArchiveError

_LEVEL: Final = 9
_HOW: Final = "pip install 'kgmem[archive]'"


def compress(data: bytes) -> bytes:
    """One frame. Raises ArchiveError if nothing here can make it."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ArchiveError("an archive needs zstd, which is not installed", _HOW) from None
    return bytes(zstd.compress(data, level=_LEVEL))


def decompress(data: bytes, most: int) -> bytes:
    """What a frame holds.

    Args:
        data: the frame, whole.
        most: the number of bytes that it may hold: a frame of a few may claim any number.

    Raises:
        ArchiveError: nothing here can read it.
        ValueError: it is no such frame, or holds more.
    """
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ArchiveError("an archived text needs zstd, which is not installed", _HOW) from None
    reader = zstd.ZstdDecompressor()
    try:
        held = reader.decompress(data, max_length=most + 1)
    except zstd.ZstdError as error:
        raise ValueError(str(error)) from error
    if len(held) > most or not reader.eof or reader.unused_data:
        raise ValueError("a frame is cut off, or holds more than it says")
    return bytes(held)
