"""The files of volumes: written and checked, read, removed; each step told to the store first."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from kgmem.errors import ArchiveError
from kgmem.store.archive import ArchiveStore, Shelved, State
from kgmem.store.volumes.places import open_place
from kgmem.store.volumes.reading import absent, damaged, forget_volumes, volume
from kgmem.store.volumes.volume import DamagedError, Volume, make


def write_volume(store: ArchiveStore, url: str, bodies: Iterable[str]) -> tuple[str, int]:
    """(name, bytes) of a new volume, which is begun, on its disk, and was read back.

    Raises:
        ArchiveError: it could not be written, or what was read back is something else. What there is of it is removed,
            as far as the place allows that.
    """
    name, content = make(bodies)
    place = open_place(url)
    place.size(name)  # where a place cannot be reached at all, nothing is begun that would have to be removed there
    store.begin(url, name, len(content))
    try:
        place.write(name, content)
        _compare(url, name, place.read(name))
    except ArchiveError:
        with suppress(ArchiveError):
            remove(store, Shelved(url, name, len(content), State.BEGUN))
        raise
    return name, len(content)


def _compare(url: str, name: str, again: bytes | None) -> None:
    """Raise ArchiveError if what was read back is not, to the last text, the volume of that name."""
    if again is None:
        raise absent(url, name)
    try:
        written = Volume(name, again)
        for digest in written.digests:
            written.body(digest)
    except DamagedError as error:
        raise damaged(url, name, error) from error


def bodies_of(shelved: Shelved) -> dict[str, str]:
    """The bodies that are in a volume and nowhere else, by what they are known by. Raises ArchiveError."""
    if not shelved.digests:
        return {}
    try:
        held = volume(shelved.url, shelved.name)
        return {digest: held.body(digest) for digest in sorted(shelved.digests)}
    except DamagedError as error:
        raise damaged(shelved.url, shelved.name, error) from error


def remove(store: ArchiveStore, shelved: Shelved) -> bool:
    """Remove the file of a volume that nothing points to, and then its name; gives whether that was so.

    The store says first that it is doomed: whoever is writing it finds that out before anything points to it.

    Raises:
        ArchiveError: it cannot be reached; it stays doomed.
    """
    if not store.doom(shelved.name):
        return False
    forget_volumes()
    open_place(shelved.url).remove(shelved.name)
    store.drop(shelved.name)
    return True
