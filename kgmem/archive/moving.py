"""Old bodies go to volumes, and come back.

What goes is what no daily work reads: the bodies of episodes that are not current any more, superseded ones and those
of sources that are gone. The current body of a note that is long unchanged stays, for every ingest may have to read it
again, with the names that others gave meanwhile. Passages, vectors, spans, claims and facts stay in any case: answers,
searches, evidence, `history` and `diff` ask for no body.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from kgmem.archive.files import bodies_of, remove, write_volume
from kgmem.archive.tidying import Tidied, tidy, unless_it_fails
from kgmem.errors import ArchiveError, StoreLockedError
from kgmem.model import Instant
from kgmem.store.archive import ArchiveStore, Old, Shelved, State
from kgmem.store.volumes.places import is_local, open_place, path_of
from kgmem.store.volumes.reading import forget_volumes
from kgmem.store.volumes.volume import BODY_BYTES, digest_of

Progress = Callable[[str, int, int], None]
"""Told (what is done now, bodies done, bodies in all)."""

_TRIES: Final = 3
"""So often others may be quicker before they are given the way."""


@dataclass(slots=True)
class Moved:
    """What a run did."""

    bodies: int = 0
    bytes: int = 0
    """Of these bodies."""
    volumes: int = 0
    volume_bytes: int = 0
    """Of their files."""
    url: str = ""
    """Where they are; empty if nothing moved."""
    tidied: Tidied = field(default_factory=Tidied)
    problems: list[ArchiveError] = field(default_factory=list)
    """Volumes that could not be brought back."""


def put_away(store: ArchiveStore, base: str, before: Instant, progress: Progress) -> Moved:
    """Move the bodies of episodes recorded before an instant. Stopped anywhere, nothing is lost; again, it goes on.

    Args:
        store: what the store knows of its archive.
        base: the folder, or URL, in which the memory has a folder of its own.
        before: younger ones stay.
        progress: told after each volume.

    Raises:
        ArchiveError: the place cannot be written to, or gives back something else; what is left stays in the store.
        StoreLockedError: other processes archive the same.
    """
    moved = Moved(tidied=tidy(store))
    total = store.waiting(before)[0]
    failed = 0
    while olds := store.old(before, BODY_BYTES):
        url = _folder_of(store, base)
        size = _put(store, url, olds)
        if size is None:
            failed += 1
            if failed == _TRIES:
                raise StoreLockedError("another process is archiving", "try again when it is done")
            continue
        moved.url = url
        moved.volumes += 1
        moved.volume_bytes += size
        moved.bodies += len(olds)
        moved.bytes += sum(len(each.body.encode("utf-8")) for each in olds)
        progress("archiving", moved.bodies, total)
    return moved


def bring_back(store: ArchiveStore, progress: Progress) -> Moved:
    """Put all bodies back; what cannot be had is told, and stays where it is."""
    moved = Moved(tidied=tidy(store))
    shelves = [each for each in store.shelves() if each.digests]
    total, done = sum(len(each.digests) for each in shelves), 0
    for each in shelves:
        try:
            bodies = bodies_of(each)
        except ArchiveError as error:
            moved.problems.append(error)
            continue
        count = store.bring_back(each.name, bodies)
        if count is not None:
            moved.bodies += count
            moved.bytes += sum(len(body.encode("utf-8")) for body in bodies.values())
            moved.volumes += 1
            unless_it_fails(moved.tidied, remove, store, each)
        done += len(each.digests)
        progress("restoring", done, total)
    return moved


def moved_to(store: ArchiveStore, base: str) -> tuple[int, tuple[Shelved, ...]]:
    """Look for volumes that are not where they were in another place; gives (how many are there, which are not).

    Only the folder of the memory itself is looked for, by its name, or volumes right in the place.

    Raises:
        ArchiveError: the place cannot be read.
    """
    forget_volumes()
    found: dict[str, str] = {}
    lost = [each for each in store.shelves() if each.state is not State.BEGUN and not _is_there(each.url, each.name)]
    for url in dict.fromkeys(each.url for each in lost):
        names = [each.name for each in lost if each.url == url]
        own = f"{base.rstrip('/')}/{PurePath(url).name}"
        for candidate in (own, base.rstrip("/")):
            if any(open_place(candidate).size(name) is not None for name in names):
                found[url] = candidate
                store.move(url, candidate)
                break
    return sum(each.url in found for each in lost), tuple(each for each in lost if each.url not in found)


def _is_there(url: str, name: str) -> bool:
    try:
        return open_place(url).size(name) is not None
    except ArchiveError:
        return False


def _folder_of(store: ArchiveStore, base: str) -> str:
    """The folder of this memory in a place: the one that it has there, or a new one, which no other memory uses."""
    import secrets

    for each in reversed(store.shelves()):
        if _parent_of(each.url) == _parent_of(f"{base.rstrip('/')}/x"):
            return each.url
    return f"{base.rstrip('/')}/{secrets.token_hex(8)}"


def _parent_of(url: str) -> str:
    return str(path_of(url).parent) if is_local(url) else url.rpartition("/")[0]


def _put(store: ArchiveStore, url: str, olds: tuple[Old, ...]) -> int | None:
    """Move some bodies into one volume; gives the bytes of its file, or None if somebody was quicker."""
    name, size = write_volume(store, url, (each.body for each in olds))
    if store.keep(name, {each.episode: digest_of(each.body) for each in olds}):
        return size
    remove(store, Shelved(url, name, size, State.BEGUN))
    return None
