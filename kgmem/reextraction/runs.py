"""Which transactions belong together: those of one ingest, which all knew the names of what it was going to read.

The log does not say so. An ingest reads again what did not change, then what is new, changed and moved, then takes
out what is gone, then reads again what names of these mean elsewhere; and it writes without a pause. From that follows
up to where an ingest may have gone on. Where two of them follow each other so that they look like one, the names
between are tried too: those are right with which the claims come out that were recorded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kgmem.model import Instant
from kgmem.reextraction.log import Entry

_PHASES: Final = {"added": 1, "changed": 2, "moved": 3, "removed": 4}
_BEGINS: Final = frozenset({"forget", "restore", "undo", "merge", "unmerge"})
"""What a person asked for: readings that follow from it come next."""
_AGAIN: Final = "replayed"
_LAST: Final = 5
_PAUSE: Final = 2_000_000
"""Microseconds after which an ingest is over."""
_FEW: Final = 12
"""A reading that is further from the end of its run is not tried with other names: to put them in order takes long."""


def ends_of_runs(entries: Sequence[Entry]) -> list[int]:
    """For each transaction, the place of the last one that may belong to the same ingest."""
    ends = list(range(len(entries)))
    for place in range(len(entries) - 2, -1, -1):
        if _goes_on(entries, place, ends[place + 1]):
            ends[place] = ends[place + 1]
    return ends


def instants(entries: Sequence[Entry], place: int, end: int) -> Iterator[Instant]:
    """The instants of which the names may be those that a reading knew, the likeliest first."""
    yield entries[end].at
    if end - place <= _FEW:
        yield from (entries[each].at for each in range(end - 1, place - 1, -1))


def _goes_on(entries: Sequence[Entry], place: int, end: int) -> bool:
    """Whether a transaction may belong to the same ingest as the next one, which ends there."""
    here, following = entries[place], entries[place + 1]
    if following.at - here.at > _PAUSE:
        return False
    if here.kind == following.kind:
        return here.kind in {*_PHASES, _AGAIN, "taken", "means"}
    if following.kind in _PHASES:
        return here.kind == _AGAIN or _PHASES.get(here.kind, _LAST) < _PHASES[following.kind]
    only_again = all(each.kind == _AGAIN for each in entries[place + 1 : end + 1])
    return following.kind == _AGAIN and only_again and (here.kind in _PHASES or here.kind in _BEGINS)
