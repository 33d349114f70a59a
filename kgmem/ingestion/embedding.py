"""Vectors follow the texts: what lacks one is embedded, a few at a time, and what is done stays done."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from kgmem.errors import StoreError, UserError
from kgmem.ingestion.run import Progress, silent
from kgmem.model import Id
from kgmem.store.changes import Vector
from kgmem.store.protocol import Store
from kgmem.store.vector_store import Unembedded

if TYPE_CHECKING:
    from kgmem.embedding.embedder import Embedder

KINDS: Final = ("fact", "entity", "passage")
"""The short ones first: they are soon done, and most questions are about them."""
_WINDOW: Final = 512
"""Things that are put in the order of their length: the packaged model takes texts of one length together."""
_PORTION: Final = 32
"""Things that are embedded and written together: some seconds are lost at most where the power fails."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came of it."""

    model: str
    made: Mapping[str, int] = field(default_factory=dict)
    """By kind, how many were embedded."""
    reused: int = 0
    """How many have the vector of an equal text."""
    left: int = 0
    """How many still lack one."""
    seconds: float = 0.0
    """On the clock, of embedding alone."""
    passage_seconds: float = 0.0
    interrupted: bool = False
    trouble: UserError | None = None
    """Why it ended early."""

    @property
    def passages_per_second(self) -> float | None:
        """How fast passages were embedded; None if none were."""
        return self.made.get("passage", 0) / self.passage_seconds if self.passage_seconds else None

    def and_then(self, later: Embedded | None) -> Embedded:
        """Both as one: what more was embedded once more was read."""
        if later is None:
            return self
        kinds = {*self.made, *later.made}
        return replace(
            later,
            made={kind: self.made.get(kind, 0) + later.made.get(kind, 0) for kind in kinds},
            reused=self.reused + later.reused,
            seconds=self.seconds + later.seconds,
            passage_seconds=self.passage_seconds + later.passage_seconds,
        )


def text_of(thing: Unembedded) -> str:
    """What is embedded of a thing: all of its texts, the most general first."""
    return (", " if thing.kind == "entity" else "\n").join(text for text in thing.texts if text.strip())


def embed(store: Store, embedder: Embedder, progress: Progress = silent) -> Embedded:
    """Make the vectors that are missing. Ctrl-C ends it early, and what is made is kept.

    Raises:
        UserError: the group's vectors are of another model, or the embedder cannot tell its dimension.
    """
    present = store.vector_model()
    if present is not None and present.name != embedder.model:
        raise StoreError(
            f"the vectors of this memory are of {present.name}, and {embedder.model} is set",
            "`kgmem reembed` makes them anew",
        )
    total = sum(store.missing_vectors(embedder.model).values())
    if not total:
        return Embedded(embedder.model)
    store.declare_vectors(embedder.model, embedder.dimension)
    return _Embedding(store, embedder, progress, total).run()


def reembed(store: Store, embedder: Embedder, progress: Progress = silent) -> Embedded:
    """Make all vectors anew with another model; the present ones answer until the last one is made.

    Broken off at any point, it goes on when it is called again with the same model.

    Raises:
        UserError: as `embed` does, or others write faster than vectors are made; the present ones answer on.
    """
    if store.vector_model() is None:
        return embed(store, embedder, progress)
    store.prepare_vectors(embedder.model, embedder.dimension)
    if store.coming_model() is None:
        return embed(store, embedder, progress)
    outcome = Embedded(embedder.model)
    while total := sum(store.missing_vectors(embedder.model).values()):  # also of what is taken in meanwhile
        outcome = _Embedding(store, embedder, progress, total).run()
        if outcome.interrupted or outcome.trouble:
            return outcome
        if outcome.left >= total:
            break
    store.switch_vectors()
    return outcome


class _Embedding:
    """One run over what lacks a vector of a model."""

    def __init__(self, store: Store, embedder: Embedder, progress: Progress, total: int) -> None:
        self._store = store
        self._embedder = embedder
        self._progress = progress
        self._total = total
        self._done = 0
        self._made: Counter[str] = Counter()
        self._seconds = dict.fromkeys(KINDS, 0.0)

    def run(self) -> Embedded:
        interrupted, trouble = False, None
        try:
            for kind in KINDS:
                self._embed_all(kind)
        except KeyboardInterrupt:
            interrupted = True
        except UserError as error:
            trouble = error
        return Embedded(
            self._embedder.model,
            dict(self._made),
            reused=max(0, self._done - self._made.total()),
            left=sum(self._store.missing_vectors(self._embedder.model).values()),
            seconds=sum(self._seconds.values()),
            passage_seconds=self._seconds["passage"],
            interrupted=interrupted,
            trouble=trouble,
        )

    def _embed_all(self, kind: str) -> None:
        began = time.perf_counter()
        try:
            for portion in _portions(self._store.without_vectors(kind, self._embedder.model)):
                self._embed_some(kind, portion)
                self._progress(self._done, self._total, kind)
        finally:
            self._seconds[kind] = time.perf_counter() - began

    def _embed_some(self, kind: str, things: Sequence[Unembedded]) -> None:
        """Whatever ends it early, what was embedded by then is kept."""
        texts = {thing.hash: text_of(thing) for thing in things}
        vectors = dict(self._store.embedded(self._embedder.model, texts))
        new = [each for each in texts if each not in vectors]
        known = len(vectors)
        try:
            vectors.update(zip(new, self._embedder.embed([texts[each] for each in new]), strict=True))
        finally:
            self._made[kind] += len(vectors) - known
            self._done += self._store.put_vectors(self._vectors_of(things, vectors))

    def _vectors_of(self, things: Sequence[Unembedded], vectors: Mapping[Id, tuple[float, ...]]) -> Iterator[Vector]:
        for thing in things:
            if thing.hash in vectors:
                yield Vector(thing.kind, thing.id, self._embedder.model, vectors[thing.hash], thing.hash)


def _portions(things: Iterator[Unembedded]) -> Iterator[list[Unembedded]]:
    while window := list(islice(things, _WINDOW)):
        window.sort(key=lambda thing: (len(text_of(thing)), thing.id))
        yield from (window[start : start + _PORTION] for start in range(0, len(window), _PORTION))
