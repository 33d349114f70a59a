"""Copying a memory from one store to another, with its whole past and all decisions.

What is copied is the dump. Its lines go over in chunks, each with the number of lines that are in then, in one
transaction: a copy that is broken off is known by it, and goes on there. What no dump says goes over through the same
calls as in daily life. At the end both dumps are compared, line by line, before the copy is of any use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Final, TypeVar

from kgmem.errors import InvariantError, NotFoundError, StoreError
from kgmem.store.loading import HalfCopy
from kgmem.store.protocol import Store

T = TypeVar("T")

Progress = Callable[[str, int, int], None]
"""Told (what is done now, lines done, lines in all; 0 while nobody knows)."""

_CHUNK: Final = 2000
"""Lines of one transaction."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy came to."""

    lines: int
    """Lines of the dump; all are in the copy, and it has no others."""
    before: int
    """Lines that were there already, from a copy that was broken off."""


def measure(source: Store, progress: Progress) -> HalfCopy:
    """The memory of a store, as a copy of which all lines are in.

    Raises:
        NotFoundError: it holds nothing.
    """
    import hashlib  # here: it brings all of OpenSSL

    digest = hashlib.blake2b(digest_size=16)
    number = 0
    with _lines(source) as lines:
        for number, line in enumerate(lines, 1):
            digest.update(f"{line}\n".encode())
            if not number % _CHUNK:
                progress("reading", number, 0)
    if not source.transactions():
        raise NotFoundError(f"the group {source.group} in {source.url} holds nothing", "kgmem ingest PATH")
    return HalfCopy(f"the group {source.group} in {source.url}", digest.hexdigest(), number)


def copy(source: Store, target: Store, whole: HalfCopy, progress: Progress, *, drop: bool = False) -> Copied:
    """Make a group of another store the same memory. Broken off at any point, it goes on when it is called again.

    Args:
        source: what is copied; it is only read.
        target: an empty group, or one that a copy of this memory was begun into.
        whole: what `measure` said of the source.
        progress: told after each chunk.
        drop: take a group that is half a copy of another memory too; what is there of that is dropped.

    Raises:
        StoreError: the target holds something else, or the source was written to meanwhile. What was copied is no
            memory yet: it stays half a copy.
        InvariantError: the dumps differ, and the source did not change.
    """
    half = target.half_copy()
    if half is None and target.transactions():
        return _as_before(source, target, whole, progress)
    if half is None or half.dump != whole.dump:
        half = _begin(target, half, whole, drop=drop)
    try:
        _go_on(source, target, half, whole, progress)
    except InvariantError as error:
        if measure(source, _silent).dump == whole.dump:
            raise
        raise StoreError(
            "the memory was written to while it was copied", "the same command again copies it as it is now"
        ) from error
    return Copied(whole.lines, half.lines)


def _go_on(source: Store, target: Store, half: HalfCopy, whole: HalfCopy, progress: Progress) -> None:
    loader = target.loader()
    with _lines(source) as lines:
        for chunk in _chunks(islice(lines, half.lines, None)):
            half = loader.load(chunk, half)
            progress("copying", half.lines, whole.lines)
    carry(source, target)
    different = _differences(source, target, whole.lines, progress)
    if different:
        raise InvariantError(f"{len(different)} lines of the copy differ, one is {different[0][:200]}")
    loader.end(half)


def _begin(target: Store, half: HalfCopy | None, whole: HalfCopy, *, drop: bool) -> HalfCopy:
    """Begin, or begin anew: the same memory has changed since, or another one is to give way."""
    if half is not None and half.origin != whole.origin and not drop:
        raise StoreError(
            f"the group {target.group} in {target.url} is half a copy of {half.origin}",
            "--yes drops that, or name another group with --to-group",
        )
    return target.loader().begin(HalfCopy(whole.origin, whole.dump))


def _as_before(source: Store, target: Store, whole: HalfCopy, progress: Progress) -> Copied:
    """A copy that is complete may be asked for again."""
    if _differences(source, target, whole.lines, progress):
        raise StoreError(
            f"the group {target.group} in {target.url} holds something else already",
            "name another one with --to-group; a copy of an earlier day is not brought up to date",
        )
    return Copied(whole.lines, whole.lines)


def carry(source: Store, target: Store) -> None:
    """What no dump says: how entities are found by those that may be them, what is proposed, and how files looked."""
    for entities in _chunks(sorted(source.named_since(None))):
        target.compare(source.keys_of(entities), (), ())
    proposals = source.proposals()
    stale = {(each.one, each.other) for each in target.proposals()} - {(each.one, each.other) for each in proposals}
    target.compare({}, proposals, stale, source.compared_upto())
    target.restat(source.sources())


def _differences(source: Store, target: Store, total: int, progress: Progress) -> list[str]:
    """Lines that only one of the dumps has. Stores that order rows in other ways may hold the same."""
    unmatched: Counter[str] = Counter()
    with _lines(source) as ours, _lines(target) as theirs:
        for number, (one, other) in enumerate(zip_longest(ours, theirs), 1):
            if one != other:
                for line, count in ((one, 1), (other, -1)):
                    if line is not None:
                        unmatched[line] += count
                        if not unmatched[line]:
                            del unmatched[line]
            if not number % _CHUNK:
                progress("comparing", min(number, total), total)
    return list(unmatched)


@contextmanager
def _lines(store: Store) -> Iterator[Iterator[str]]:
    """The dump of a store, which lets go of it at the end of a block, however far it was read."""
    lines = store.dump()
    try:
        yield lines
    finally:
        if isinstance(lines, Generator):
            lines.close()


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(items)
    while chunk := list(islice(rest, _CHUNK)):
        yield chunk


def _silent(_stage: str, _done: int, _total: int) -> None:
    pass
