"""The texts that one question reads, each read and unpacked once, whoever needs it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kgmem.model import Id, Instant, unique
from kgmem.store.protocol import Hit, Placed, Scope, Store

if TYPE_CHECKING:
    from collections.abc import Mapping


class Texts:
    """Passages of a memory at a recorded instant, for as long as one question is answered.

    Args:
        store: the memory.
        known: the recorded instant asked about; now without it.
    """

    def __init__(self, store: Store, known: Instant | None) -> None:
        self._store = store
        self._known = known
        self._read: dict[Id, Placed | None] = {}
        self._found: dict[tuple[str, tuple[int, int] | None], tuple[int, tuple[Hit, ...]]] = {}

    def placed(self, passages: Iterable[Id]) -> Mapping[Id, Placed]:
        """What `Store.placed` gives, in the order asked for."""
        wanted = unique(passages)
        new = [each for each in wanted if each not in self._read]
        if new:
            read = self._store.placed(new, known=self._known)
            self._read.update((each, read.get(each)) for each in new)
        found = ((each, self._read[each]) for each in wanted)
        return {each: where for each, where in found if where is not None}

    def found(self, text: str, limit: int, valid: tuple[int, int] | None = None) -> tuple[Hit, ...]:
        """What `Store.search` finds among passages: the first of what was found before, where that is enough."""
        reach, hits = self._found.get((text, valid), (0, ()))
        if reach < limit:
            hits = self._store.search(Scope.EPISODES, text, limit, valid=valid, known=self._known)
            self._found[text, valid] = limit, hits
        return hits[:limit]
