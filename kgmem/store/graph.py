"""What a walk over a memory asks: which passages and entities hang together, many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from kgmem.model import Id, Instant


@dataclass(frozen=True, slots=True)
class Tie:
    """A passage and an entity that hang together: it names it, or stands in a source that is about it."""

    passage: Id
    entity: Id
    own: bool
    """Whether the source is about it."""
    named: int
    """How many passages ever named the entity, counted no further than asked for: how little it says."""


class Graph(Protocol):
    """The passages and entities of one group; a part of `kgmem.store.protocol.Store`."""

    def ties(
        self,
        *,
        passages: Iterable[Id] = (),
        entities: Iterable[Id] = (),
        most: int,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Tie, ...]:
        """The ties of some passages and of some entities, each once, in no order.

        Args:
            passages: all ties of these.
            entities: the ties of these with the passages of their own sources, and with those that name them.
            most: of an entity that more passages than this ever named, only its own sources count: it sets nothing
                apart. `Tie.named` is at most one more.
            valid: world seconds [from, to); as `kgmem.store.protocol.Store` says, passages count by it.
            known: a recorded instant; as there.
        """

    def said(self, texts: Iterable[str], most: int) -> Mapping[str, int]:
        """How many passages ever held the words of each text in a row, counted up to `most`.

        A measure of how little the words say, like the statistics of the search index: a text of no words has none.
        """
