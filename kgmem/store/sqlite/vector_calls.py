"""The calls of `kgmem.store.vector_store.VectorStore` on a SQLite file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from kgmem.store.vector_store import Unembedded, VectorModel

if TYPE_CHECKING:
    from kgmem.model import Id
    from kgmem.store.changes import Vector
    from kgmem.store.sqlite.connection import Handle


class SqliteVectors(ABC):
    """The part of the store that is about vectors."""

    @abstractmethod
    def _aside(self) -> AbstractContextManager[Handle]:
        """Write what is no knowledge."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Handle]:
        """One state of the file for all statements of a read."""

    def declare_vectors(self, model: str, dimension: int) -> None:  # noqa: D102
        from kgmem.store.sqlite import write_vectors

        with self._aside() as handle:
            write_vectors.declare(handle, VectorModel(model, dimension))

    def prepare_vectors(self, model: str, dimension: int) -> None:  # noqa: D102
        from kgmem.store.sqlite import write_vectors

        with self._aside() as handle:
            write_vectors.prepare(handle, VectorModel(model, dimension))

    def switch_vectors(self) -> None:  # noqa: D102
        from kgmem.store.sqlite import read_vectors, write_vectors

        with self._aside() as handle:
            read_vectors.refuse_gaps(handle)
            write_vectors.switch(handle)

    def put_vectors(self, vectors: Iterable[Vector]) -> int:  # noqa: D102
        from kgmem.store.sqlite import read_vectors

        with self._aside() as handle:
            return read_vectors.put_made(handle, vectors)

    def vector_model(self) -> VectorModel | None:  # noqa: D102
        from kgmem.store.sqlite import write_vectors

        with self._reading() as handle:
            return write_vectors.models(handle)[0]

    def coming_model(self) -> VectorModel | None:  # noqa: D102
        from kgmem.store.sqlite import write_vectors

        with self._reading() as handle:
            return write_vectors.models(handle)[1]

    def missing_vectors(self, model: str) -> Mapping[str, int]:  # noqa: D102
        from kgmem.store.sqlite import read_vectors

        with self._reading() as handle:
            return read_vectors.missing(handle, model)

    def without_vectors(self, kind: str, model: str) -> Iterator[Unembedded]:  # noqa: D102
        from kgmem.store.sqlite import read_vectors

        start: int | None = read_vectors.FIRST
        while start is not None:
            with self._reading() as handle:
                page, start = read_vectors.without(handle, kind, model, start)
            yield from page

    def embedded(self, model: str, hashes: Iterable[Id]) -> Mapping[Id, tuple[float, ...]]:  # noqa: D102
        from kgmem.store.sqlite import read_vectors

        with self._reading() as handle:
            return read_vectors.embedded(handle, model, hashes)

    def vectors(self, kind: str) -> Iterator[Vector]:  # noqa: D102
        from kgmem.store.sqlite import read_vectors

        start: int | None = read_vectors.FIRST
        while start is not None:
            with self._reading() as handle:
                page, start = read_vectors.vectors(handle, kind, start)
            yield from page
