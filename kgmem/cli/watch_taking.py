"""What becomes of what a watch finds: one memory opened for each batch, and models that are loaded once."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kgmem.cli.session import Session
from kgmem.errors import UserError

if TYPE_CHECKING:
    from kgmem.cli.by_model import Asking
    from kgmem.embedding.embedder import Embedder
    from kgmem.extraction.entities import Recognizer
    from kgmem.extraction.gliner.labelling import Labeller
    from kgmem.extraction.ontology import Ontology
    from kgmem.ingestion.run import Progress
    from kgmem.memory import Memory
    from kgmem.model import Report
    from kgmem.sources.document import Reader

SOON: Final = 1.0
"""Seconds until what was put off for something else goes on."""
_PATIENCE: Final = 2.0
"""Seconds to wait for another command before what happens meanwhile is looked at."""
MODEL_QUIET: Final = 60.0
"""Seconds without a change before a model is asked: it may cost money, and a note that is being written is not done."""


class Keeper:
    """Keeps the memory up to date.

    The store is opened for each batch and closed after it: so a generation that was promoted meanwhile is met, a file
    that was put back is read, and nobody is kept from writing.
    """

    def __init__(
        self, here: Session, progress: Progress, *, nlp: bool, embeddings: bool, asking: Asking | None = None
    ) -> None:
        """Load nothing yet; `progress` is told after each source; `asking` says what a model reads besides."""
        self._here = here
        self._progress = progress
        self._nlp = nlp
        self._embeddings = embeddings
        self._asking = asking
        self._readers: dict[str, Reader] = {}
        """What a model may have to read, by folder."""
        self._ask_at = math.inf

    def take_in(self, reader: Reader, confirm: Callable[[int, int], bool], progress: Progress) -> Report:
        """See `kgmem.watching.watch.Taking.take_in`."""

        def tell(done: int, total: int, path: str) -> None:
            self._progress(done, total, path)
            progress(done, total, path)

        self._readers[reader.root] = reader
        self._ask_at = time.monotonic() + MODEL_QUIET
        with self._memory() as memory, self._here.writing_turn(_PATIENCE):
            return memory.ingest(reader, confirm=confirm, progress=tell)

    def follow(self, enough: Callable[[], bool]) -> float | None:
        """Vectors of what was read, and then what a model reads; see `kgmem.watching.watch.Taking.follow`."""
        if not self._embed(enough):
            return SOON
        if self._asking is None:
            return None
        left = self._ask_at - time.monotonic()
        if left > 0:
            return None if left == math.inf else left
        if not self._ask(self._asking, enough):
            return MODEL_QUIET
        self._ask_at = math.inf
        return None if self._embed(enough) else SOON

    @contextmanager
    def _memory(self) -> Iterator[Memory]:
        from kgmem.memory import Memory

        bands = self._here.config().bands
        with self._here.changing() as store:
            yield Memory(store, lambda: self._ontology, self._recognizer, bands, labeller=self._labeller)

    def _ask(self, asking: Asking, enough: Callable[[], bool]) -> bool:
        """Let a model read what it is to; says whether it could, as far as its limits allow."""
        from kgmem.llm.spending import Spent
        from kgmem.llm.structured import find_structured

        def tell(done: int, total: int, path: str) -> None:
            self._progress(done, total, path)
            if enough():
                raise KeyboardInterrupt

        model, spent = find_structured(asking.settings), Spent(asking.limits, asking.price)
        with self._memory() as memory, self._here.writing_turn(_PATIENCE):
            outcome = memory.read_by_model(
                self._readers.values(), model, asking.extract, spent, bounds=asking.bounds, progress=tell
            )
        if outcome.trouble is not None:
            raise UserError(f"no model reads the notes: {outcome.trouble.message}", outcome.trouble.hint)
        return not outcome.interrupted

    def _embed(self, enough: Callable[[], bool]) -> bool:
        """Make the vectors that are missing; says whether all are there."""
        embedder = self._embedder
        if embedder is None:
            return True
        from kgmem.ingestion.embedding import embed

        with self._here.changing() as store, self._here.writing_turn(_PATIENCE):
            outcome = embed(store, _Yielding(embedder, enough))
        if outcome.trouble is not None:
            raise UserError(f"{outcome.left:,} vectors are missing: {outcome.trouble.message}", outcome.trouble.hint)
        return not outcome.interrupted

    @cached_property
    def _ontology(self) -> Ontology:
        return self._here.ontology()

    @cached_property
    def _recognizer(self) -> Recognizer | None:
        return self._here.recognizer() if self._nlp else None

    @cached_property
    def _labeller(self) -> Labeller | None:
        return self._here.labeller() if self._nlp else None

    @cached_property
    def _embedder(self) -> Embedder | None:
        return self._here.embedder() if self._embeddings else None


class _Yielding:
    """An embedder that gives way: it ends, as by Ctrl-C, as soon as something else is to be done."""

    def __init__(self, embedder: Embedder, enough: Callable[[], bool]) -> None:
        self._embedder = embedder
        self._enough = enough

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Iterator[tuple[float, ...]]:
        for vector in self._embedder.embed(texts):
            yield vector
            if self._enough():
                raise KeyboardInterrupt
