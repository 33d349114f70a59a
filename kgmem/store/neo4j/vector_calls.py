"""The calls of `kgmem.store.vector_store.VectorStore` on a Neo4j server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from kgmem.store.vector_store import Unembedded, VectorModel

if TYPE_CHECKING:
    from kgmem.model import Id
    from kgmem.store.changes import Vector
    from kgmem.store.neo4j.connection import Handle


class Neo4jVectors(ABC):
    """The part of the store that is about vectors."""

    @abstractmethod
    def _aside(self) -> AbstractContextManager[Handle]:
        """Write what is no knowledge, and so ticks no clock."""

    @abstractmethod
    def _unit(self) -> AbstractContextManager[None]:
        """All queries of a block as one transaction, with the group's lock."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Handle]:
        """A read."""

    def declare_vectors(self, model: str, dimension: int) -> None:  # noqa: D102
        from kgmem.store.neo4j import vectors

        with self._aside() as handle:
            vectors.declare(handle, VectorModel(model, dimension))

    def prepare_vectors(self, model: str, dimension: int) -> None:  # noqa: D102
        from kgmem.store.neo4j import embed

        with self._aside() as handle:
            embed.prepare(handle, VectorModel(model, dimension), self._unit)

    def switch_vectors(self) -> None:  # noqa: D102
        from kgmem.store.neo4j import embed

        with self._aside() as handle:
            embed.switch(handle, self._unit)

    def put_vectors(self, vectors: Iterable[Vector]) -> int:  # noqa: D102
        from kgmem.store.neo4j import embed

        with self._aside() as handle, self._unit():
            return embed.put_made(handle, vectors)

    def vector_model(self) -> VectorModel | None:  # noqa: D102
        from kgmem.store.neo4j import sides

        with self._reading() as handle:
            return sides.read_sides(handle).present

    def coming_model(self) -> VectorModel | None:  # noqa: D102
        from kgmem.store.neo4j import sides

        with self._reading() as handle:
            return sides.read_sides(handle).coming

    def missing_vectors(self, model: str) -> Mapping[str, int]:  # noqa: D102
        from kgmem.store.neo4j import embed

        with self._reading() as handle:
            return embed.missing(handle, model)

    def without_vectors(self, kind: str, model: str) -> Iterator[Unembedded]:  # noqa: D102
        from kgmem.store.neo4j import embed

        return embed.pages(self._reading, kind, model)

    def embedded(self, model: str, hashes: Iterable[Id]) -> Mapping[Id, tuple[float, ...]]:  # noqa: D102
        from kgmem.store.neo4j import embed

        with self._reading() as handle:
            return embed.embedded(handle, model, hashes)

    def vectors(self, kind: str) -> Iterator[Vector]:  # noqa: D102
        from kgmem.store.neo4j import vectors

        after = ""
        while True:
            with self._reading() as handle:
                page = list(vectors.vectors(handle, kind, after))
            if not page:
                return
            yield from (vector for _, vector in page)
            after = page[-1][0]
