"""Fetching bodies from volumes, each volume once as long as it is needed often."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kgmem.errors import ArchiveError
from kgmem.store.volumes.places import Place, open_place
from kgmem.store.volumes.volume import HEADER_BYTES, SUFFIX, DamagedError, Header, Volume, header_length, read_header

_KEPT_VOLUMES: Final = 8
"""A compressed volume is seldom more than 3 MB."""
_MOVED: Final = "put it back from a backup; if the archive was moved: kgmem archive --moved-to FOLDER"


def read_body(url: str, name: str, digest: str) -> str:
    """A body by where it was put.

    Where its volume is gone, for an erasure wrote the others anew meanwhile, another one of the place may hold it.

    Raises:
        ArchiveError: it cannot be had, or is not what it was.
    """
    try:
        return volume(url, name).body(digest)
    except (DamagedError, ArchiveError) as error:
        elsewhere = _find(url, name, digest)
        if elsewhere is not None:
            return elsewhere
        if isinstance(error, DamagedError):
            raise damaged(url, name, error) from error
        raise


@lru_cache(maxsize=_KEPT_VOLUMES)
def volume(url: str, name: str) -> Volume:
    """A volume, read whole and checked.

    Raises:
        ArchiveError: it is not there, or cannot be reached.
        DamagedError: it is not what its name says.
    """
    content = _place(url).read(name)
    if content is None:
        raise absent(url, name)
    return Volume(name, content)


def forget_volumes() -> None:
    """Keep nothing that was read: some of it was erased."""
    volume.cache_clear()
    _place.cache_clear()


def header(place: Place, name: str) -> Header | None:
    """What a volume says of itself, without a look at the rest; None if there is none. Raises DamagedError."""
    start = place.read(name, HEADER_BYTES)
    if start is None:
        return None
    needed = header_length(start)
    if needed > len(start):
        start = place.read(name, needed) or b""
    return read_header(start)


def absent(url: str, name: str) -> ArchiveError:
    """The error of who needs a volume that is not there."""
    return ArchiveError(f"archived text is in {url}/{name}, which is not there", _MOVED)


def damaged(url: str, name: str, why: DamagedError) -> ArchiveError:
    """The error of who needs a volume that is not what it was."""
    return ArchiveError(f"archived text is in {url}/{name}, which is damaged: {why}", "put it back from a backup")


@lru_cache(maxsize=_KEPT_VOLUMES)
def _place(url: str) -> Place:
    return open_place(url)


def _find(url: str, gone: str, digest: str) -> str | None:
    """A body in whichever other volume of a place holds it."""
    try:
        place = _place(url)
        names = [each for each in place.names() if each.endswith(SUFFIX) and each != gone]
    except ArchiveError:
        return None
    return next((body for name in names if (body := _held(place, url, name, digest)) is not None), None)


def _held(place: Place, url: str, name: str, digest: str) -> str | None:
    try:
        told = header(place, name)
        return volume(url, name).body(digest) if told is not None and digest in told.bodies else None
    except (DamagedError, ArchiveError):
        return None
