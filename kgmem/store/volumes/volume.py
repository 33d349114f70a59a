"""The form of a volume: many bodies in one file, which is named after its content.

    magic, 8 bytes | length of the header, 4 bytes little-endian | header | blocks

The header is a frame of JSON: ``{"made": a random word, "blocks": [[offset, length, bytes], …], "bodies": {digest:
[block, start, length], …}}``; offsets count from the end of the header. A block is a frame of bodies one after the
other: the revisions of one source lie together, so that each costs little more than what it changed. A body is known by
the digest of its UTF-8. The random word makes two volumes of the same bodies two names, so that whoever deletes one
never deletes another's.
"""

from __future__ import annotations

import json
import secrets
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from kgmem.store.volumes.zstd import compress, decompress

SUFFIX: Final = ".kgmem-volume"
"""The end of the name of a volume's file."""
BODY_BYTES: Final = 8 * 2**20
"""So many bytes of bodies make a volume: what reading one body from far away may cost, and erasing one writes anew."""
_BLOCK_BYTES: Final = 2**20
MAGIC: Final = b"KGMVOL1\n"
START: Final = struct.Struct("<8sI")
_MOST_HEADER: Final = 2**26
_KEPT_BLOCKS: Final = 16


class DamagedError(ValueError):
    """A file is no volume, or not the one that it is named after."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a volume says of itself."""

    blocks: tuple[tuple[int, int, int], ...]
    """(offset from the start of the file, length, bytes when it is read)."""
    bodies: dict[str, tuple[int, int, int]]
    """(block, start in it, length) by digest."""
    size: int
    """Bytes of the file."""


def digest_of(body: str) -> str:
    """What a body is known by: 32 hexadecimal digits."""
    return blake2b(body.encode("utf-8"), digest_size=16).hexdigest()


def make(bodies: Iterable[str]) -> tuple[str, bytes]:
    """(name, content) of a volume of some bodies, each kept once; those that are alike are to come together."""
    places: dict[str, tuple[int, int, int]] = {}
    frames: list[bytes] = []
    blocks: list[tuple[int, int, int]] = []
    offset = 0
    for members in _blocks(bodies):
        start = 0
        for digest, data in members:
            places[digest] = (len(blocks), start, len(data))
            start += len(data)
        frames.append(compress(b"".join(data for _, data in members)))
        blocks.append((offset, len(frames[-1]), start))
        offset += len(frames[-1])
    told = {"made": secrets.token_hex(8), "blocks": blocks, "bodies": places}
    header = compress(json.dumps(told, separators=(",", ":")).encode())
    content = b"".join((START.pack(MAGIC, len(header)), header, *frames))
    return name_of(content), content


def name_of(content: bytes) -> str:
    """The name of the file with that content."""
    return blake2b(content, digest_size=16).hexdigest() + SUFFIX


def _blocks(bodies: Iterable[str]) -> Iterator[list[tuple[str, bytes]]]:
    """Bodies of about a block each, with their digests; one that came before is left out."""
    seen: set[str] = set()
    block: list[tuple[str, bytes]] = []
    size = 0
    for body in bodies:
        digest, data = digest_of(body), body.encode("utf-8")
        if digest in seen:
            continue
        seen.add(digest)
        if block and size + len(data) > _BLOCK_BYTES:
            yield block
            block, size = [], 0
        block.append((digest, data))
        size += len(data)
    if block:
        yield block


HEADER_BYTES: Final = 2**16
"""A first guess at how much of a file `read_header` needs."""


def header_length(start: bytes) -> int:
    """How many bytes of a file its header ends at. Raises DamagedError if it begins like no volume."""
    if len(start) < START.size:
        raise DamagedError("it is cut off")
    magic, length = START.unpack_from(start)
    if magic != MAGIC or length > _MOST_HEADER:
        raise DamagedError("it is no volume")
    return int(START.size + length)


def read_header(content: bytes) -> Header:
    """The header of a file, or of its start. Raises DamagedError."""
    past = header_length(content)
    if len(content) < past:
        raise DamagedError("it is cut off")
    try:
        told: dict[str, Any] = json.loads(decompress(content[START.size : past], _MOST_HEADER))
        blocks = tuple((past + int(offset), int(length), int(held)) for offset, length, held in told["blocks"])
        bodies = {
            digest: (int(block), int(start), int(size)) for digest, (block, start, size) in told["bodies"].items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DamagedError(f"its header cannot be read: {error}") from error
    return Header(blocks, bodies, max((offset + length for offset, length, _ in blocks), default=past))


class Volume:
    """A volume in memory, whose content is what its name says."""

    def __init__(self, name: str, content: bytes) -> None:
        """Check it. Raises DamagedError: it is not the file of that name, or no volume."""
        if name_of(content) != name:
            raise DamagedError("its content is not what its name says")
        self._content = content
        self._header = read_header(content)
        self._block = lru_cache(maxsize=_KEPT_BLOCKS)(self._read_block)

    @property
    def digests(self) -> frozenset[str]:
        """What its bodies are known by."""
        return frozenset(self._header.bodies)

    def body(self, digest: str) -> str:
        """A body. Raises DamagedError if it is not there, or is another one."""
        if digest not in self._header.bodies:
            raise DamagedError("it does not hold that text")
        block, start, length = self._header.bodies[digest]
        try:
            text = self._block(block)[start : start + length].decode("utf-8")
        except (ValueError, IndexError) as error:
            raise DamagedError(f"a block cannot be read: {error}") from error
        if digest_of(text) != digest:
            raise DamagedError("a text in it is not what it was")
        return text

    def _read_block(self, number: int) -> bytes:
        offset, length, held = self._header.blocks[number]
        return decompress(self._content[offset : offset + length], held)
