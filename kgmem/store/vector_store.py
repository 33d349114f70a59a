"""What a store does with vectors but search them: they follow the texts, and a second model comes beside the first.

They are no knowledge, for all of them can be made again: what writes them here is no transaction of the memory. A
change set may also bring vectors with what they are of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kgmem.model import Id, identify

if TYPE_CHECKING:
    from kgmem.store.changes import Vector


@dataclass(frozen=True, slots=True)
class VectorModel:
    """What vectors are of: only those of one model can be compared."""

    name: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Unembedded:
    """Something that has no vector of a model, and the texts that say what it is."""

    kind: str
    """passage, fact or entity."""
    id: Id
    texts: tuple[str, ...]
    """Of a passage the title of its note, its headings and its text; of a fact its statement; of an entity its name and
    what it is."""

    @property
    def hash(self) -> Id:
        """What the texts are known by."""
        return identify(*self.texts)


class VectorStore(Protocol):
    """The part of a store that is about vectors."""

    def declare_vectors(self, model: str, dimension: int) -> None:
        """Say what the group's vectors are. Saying the same again is fine.

        Raises:
            kgmem.errors.StoreError: the group declared another model or dimension.
        """

    def vector_model(self) -> VectorModel | None:
        """What the group's vectors are, if it declared it."""

    def prepare_vectors(self, model: str, dimension: int) -> None:
        """Begin to make vectors of another model beside those of the present one, which go on being searched.

        Saying the same again goes on; naming a third model drops what was made of the second, and naming the present
        one drops it and begins nothing.

        Raises:
            kgmem.errors.StoreError: the group declares no vectors.
        """

    def coming_model(self) -> VectorModel | None:
        """The model of which vectors are made beside those that are searched."""

    def switch_vectors(self) -> None:
        """Search the coming vectors from now on, and drop the others: all at once.

        Raises:
            kgmem.errors.StoreError: none are coming, or something that has a vector, or should, has none of them.
        """

    def missing_vectors(self, model: str) -> Mapping[str, int]:
        """By kind, of how many things `without_vectors` would tell."""

    def without_vectors(self, kind: str, model: str) -> Iterator[Unembedded]:
        """What should have a vector of a model and has none: what is live, or has a vector of another model.

        Bare links are left out: two names, which say nothing that the entities do not.
        """

    def embedded(self, model: str, hashes: Iterable[Id]) -> Mapping[Id, tuple[float, ...]]:
        """The vectors of texts that were embedded before with a model, by `Unembedded.hash`, in whatever group."""

    def put_vectors(self, vectors: Iterable[Vector]) -> int:
        """Keep vectors of what is there already: no transaction, nothing logical, the clock stands still.

        One of a thing that is gone, or says something else by now, is left out. All of them carry a hash.

        Returns:
            How many were kept.

        Raises:
            kgmem.errors.StoreError: a model or dimension is neither the group's nor the coming one.
        """

    def vectors(self, kind: str) -> Iterator[Vector]:
        """The stored vectors of one kind, of the group's model."""
