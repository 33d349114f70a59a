"""Whether what is archived can be had."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from kgmem.archive.files import bodies_of
from kgmem.errors import ArchiveError
from kgmem.store.archive import Shelved, State
from kgmem.store.protocol import Store
from kgmem.store.volumes.places import open_place
from kgmem.store.volumes.reading import absent, damaged, forget_volumes, header
from kgmem.store.volumes.volume import DamagedError

_TO_DO: Final = {
    State.BEGUN: "was begun and is pointed to by nothing: `kgmem archive` removes it",
    State.DOOMED: "is pointed to by nothing: `kgmem archive` removes it",
    State.TAINTED: "may hold what was erased: `kgmem archive` writes it anew",
}


def unreadable(store: Store, *, quick: bool = False) -> Iterator[str]:
    """What is wrong with the archive of a memory.

    Args:
        store: the memory.
        quick: look at the size and the header of each volume alone, and not at every text in it.
    """
    now = time.time()
    forget_volumes()
    for each in store.archive().shelves():
        if each.state in _TO_DO and not each.is_being_written(now):
            yield f"{each.url}/{each.name} {_TO_DO[each.state]}"
        if each.digests:
            try:
                _look(each) if quick else bodies_of(each)
            except ArchiveError as error:
                yield told(error)


def told(error: ArchiveError) -> str:
    """An error with what helps, on one line."""
    return f"{error.message} ({error.hint})" if error.hint else error.message


def _look(shelved: Shelved) -> None:
    """Raise ArchiveError if a volume is not there, or seems to be another one."""
    place = open_place(shelved.url)
    size = place.size(shelved.name)
    try:
        told = header(place, shelved.name)
    except DamagedError as error:
        raise damaged(shelved.url, shelved.name, error) from error
    if size is None or told is None:
        raise absent(shelved.url, shelved.name)
    if not size == told.size == shelved.size:
        raise damaged(shelved.url, shelved.name, DamagedError(f"it has {size:,} bytes, not {shelved.size:,}"))
    if not shelved.digests <= told.bodies.keys():
        raise damaged(shelved.url, shelved.name, DamagedError("it does not hold what it should"))
