"""What was begun and not ended, erased or brought back: volumes that nobody points to, or that hold too much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kgmem.archive.files import bodies_of, remove, write_volume
from kgmem.errors import ArchiveError
from kgmem.store.archive import ArchiveStore, Shelved, State, rest


@dataclass(slots=True)
class Tidied:
    """What was put in order, and what could not be."""

    removed: int = 0
    """Files that nothing pointed to."""
    rewritten: int = 0
    """Files that held more than was pointed to."""
    left: list[ArchiveError] = field(default_factory=list)
    """Why some are still as they were: the next run tries again."""


def tidy(store: ArchiveStore) -> Tidied:
    """Remove files that nothing points to, and write those anew that hold what was erased or is in the store again.

    Only files whose names the store knows are touched: others may be another memory's. One that cannot be reached is
    left, and told.
    """
    tidied = Tidied()
    for each in rest(store.shelves()):
        if each.state in {State.SPARE, State.TAINTED} and each.digests:
            tidied.rewritten += unless_it_fails(tidied, _rewrite, store, each)
        else:
            tidied.removed += unless_it_fails(tidied, remove, store, each)
    return tidied


def unless_it_fails(
    tidied: Tidied, act: Callable[[ArchiveStore, Shelved], bool], store: ArchiveStore, shelved: Shelved
) -> bool:
    """Do something with a volume whose place may refuse it, and note if it does; gives whether it was done."""
    try:
        return act(store, shelved)
    except ArchiveError as error:
        tidied.left.append(error)
        return False


def _rewrite(store: ArchiveStore, shelved: Shelved) -> bool:
    """Write anew what is pointed to. Where another process is quicker, or more is erased, the next run sees to it."""
    name = write_volume(store, shelved.url, bodies_of(shelved).values())[0]
    done = store.take_over(shelved.name, name, shelved.digests)
    remove(store, shelved if done else Shelved(shelved.url, name, 0, State.BEGUN))
    return done
