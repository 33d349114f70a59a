"""What a walk over a memory asks: which passages and entities hang together, many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from kgmem.model import Id, Instant, unique


class Tie(NamedTuple):
    """A passage and an entity that hang together: it names it, or stands in a source that is about it."""

    passage: Id
    entity: Id
    own: bool
    """Whether the source is about it."""
    named: int
    """How many passages ever named the entity, counted no further than asked for: how little it says."""


class Remembered:
    """A graph that is asked for the ties of a thing once, however often somebody wants them.

    Always for the same time and the same `most`.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._of: dict[Id, list[Tie]] = {}

    def ties(
        self,
        *,
        passages: Iterable[Id] = (),
        entities: Iterable[Id] = (),
        most: int,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Tie, ...]:
        """See `Graph.ties`."""
        texts, things = list(unique(passages)), list(unique(entities))
        new_texts, new_things = ({each for each in some if each not in self._of} for some in (texts, things))
        if new_texts or new_things:
            self._of.update({each: [] for each in (*new_texts, *new_things)})
            asked = ([each for each in texts if each in new_texts], [each for each in things if each in new_things])
            read = self._graph.ties(passages=asked[0], entities=asked[1], most=most, valid=valid, known=known)
            for tie in read:
                if tie.passage in new_texts:
                    self._of[tie.passage].append(tie)
                if tie.entity in new_things:
                    self._of[tie.entity].append(tie)
            if len(new_texts) + len(new_things) == len(texts) + len(things):
                return read
        found = (tie for each in (*texts, *things) for tie in self._of[each])
        return tuple({(tie.passage, tie.entity): tie for tie in found}.values())

    def said(self, texts: Iterable[str], most: int) -> Mapping[str, int]:
        """See `Graph.said`."""
        return self._graph.said(texts, most)


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
