"""The passages of an answer: how the notes about what it names begin, then what the question leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from kgmem.errors import UserError
from kgmem.model import Id, Instant, unique
from kgmem.recall.copies import once
from kgmem.recall.question import Named
from kgmem.recall.retrieve import FRAME_KINDS, retrieve
from kgmem.recall.search import Found, from_passage
from kgmem.recall.texts import Texts
from kgmem.recall.times import is_late, tells_of
from kgmem.recall.weights import WEIGHTS
from kgmem.store.conversations import Step
from kgmem.store.protocol import Hit, Scope, Store

if TYPE_CHECKING:
    from kgmem.embedding.embedder import Embedder
    from kgmem.embedding.reranker import Reranker

_FOUND = 40
"""Passages that are found before few are taken of each note."""
_FEWER = 3
"""The same where they only illustrate an answer, for each that is shown."""
_NAMED = 3
"""Entities of a question that bring passages."""
_TELLING = 3
"""Passages that tell the facts of an answer."""
_READ = 12
"""Those among which prose is looked for."""
_EACH_NOTE = 2
"""Passages that one note may give."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What passages are looked for, and at what time."""

    question: str
    named: Sequence[Named]
    """The names in it."""
    entities: Sequence[Id]
    """What it is about, best first."""
    now: int
    """The world second."""
    valid: tuple[int, int] | None
    known: Instant | None
    """As `kgmem.store.protocol.Store` takes them."""
    telling: Sequence[Id] = ()
    """Passages that tell the facts of the answer, the first facts first."""
    shown: int = _FOUND
    """Passages that are shown."""
    walks: bool = True
    """Whether it needs what is near what it names; else its words find enough."""


def find_passages(
    store: Store, texts: Texts, wanted: Wanted, embedder: Embedder | None, reranker: Reranker | None = None
) -> tuple[list[Found], tuple[Step, ...]]:
    """The passages, the best first and few from each note; and the steps that found them.

    What was written after the period asked about only counts if it says a date that meets it.
    """
    began = perf_counter()
    embedder = embedder and _Once(embedder)
    begun = (each for entity in wanted.entities[:_NAMED] for each in _own_passages(store, entity, wanted.known))
    own = unique((*begun, *_prose(texts, wanted.telling[:_READ])[:_TELLING]))
    step = Step("own notes", tuple(Hit(Scope.EPISODES, each, 1.0) for each in own), perf_counter() - began)
    limit = _FOUND if wanted.walks else min(_FOUND, _FEWER * wanted.shown)
    found = retrieve(
        store, wanted.question, wanted.named,
        limit=limit, now=wanted.now, valid=wanted.valid, period=wanted.valid, known=wanted.known, embedder=embedder,
        texts=texts, walks=wanted.walks,
    )  # fmt: skip
    placed = {**found.placed, **texts.placed(own)}
    scores = {hit.id: hit.score for hit in found.hits}
    ranked = [hit.id for hit in found.hits]
    if valid := wanted.valid:
        late = retrieve(
            store, wanted.question, wanted.named, limit=limit, period=valid, known=wanted.known, embedder=embedder,
            texts=texts, walks=wanted.walks,
        )  # fmt: skip
        placed.update(late.placed)
        timely = {key for key, each in placed.items() if not is_late(each.occurred, valid)}
        rest = placed.keys() - timely
        telling = {key for key in rest if tells_of(placed[key].passage.text, placed[key].occurred, valid)}
        own = tuple(each for each in own if each in timely | telling)
        scores |= {hit.id: hit.score for hit in late.hits if hit.id in telling}
        ranked = sorted(scores, key=lambda each: (-scores[each], each))
    chosen = [each for each in own if each in placed]
    per_note = Counter(placed[each].path for each in chosen)
    for each in ranked:
        path = placed[each].path
        if each not in chosen and per_note[path] < _EACH_NOTE:
            per_note[path] += 1
            chosen.append(each)
    best = max(scores.values(), default=0.0)
    passages = once(from_passage(placed[each], best if each in own else scores[each]) for each in chosen)
    steps = (step, *found.steps)
    return (passages, steps) if reranker is None else _read_again(wanted.question, passages, reranker, steps)


def _read_again(
    question: str, passages: Sequence[Found], reranker: Reranker, steps: tuple[Step, ...]
) -> tuple[list[Found], tuple[Step, ...]]:
    """The first passages in the order of a reranker, and those behind as they were."""
    began = perf_counter()
    first = passages[: WEIGHTS.reranked]
    scores = reranker.scores(question, [each.text for each in first])
    order = sorted(range(len(first)), key=lambda place: (-scores[place], place))
    ranks = sorted((each.score for each in first), reverse=True)
    ordered = [replace(first[place], score=score) for place, score in zip(order, ranks, strict=True)]
    hits = tuple(Hit(Scope.EPISODES, first[place].id, scores[place]) for place in order)
    return [*ordered, *passages[len(first) :]], (*steps, Step("reranker", hits, perf_counter() - began))


class _Once:
    """An embedder that makes the vector of a question once: where it is a server, the way there is long.

    So is the wait for one that does not answer: what went wrong once goes wrong again at once.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.model = embedder.model
        self._embedder = embedder
        self._made: dict[str, tuple[float, ...]] = {}
        self._trouble: UserError | None = None

    @property
    def dimension(self) -> int:
        """See `Embedder.dimension`."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> Iterator[tuple[float, ...]]:
        """See `Embedder.embed`."""
        if self._trouble:
            raise self._trouble
        new = [text for text in unique(texts) if text not in self._made]
        try:
            self._made.update(zip(new, self._embedder.embed(new), strict=True))
        except UserError as error:
            self._trouble = error
            raise
        return (self._made[text] for text in texts)


def _prose(texts: Texts, passages: Sequence[Id]) -> list[Id]:
    """Those of some passages that are prose: what only a property says, the fact says as well."""
    return [each for each, where in texts.placed(passages).items() if where.passage.kind not in FRAME_KINDS]


def _own_passages(store: Store, entity: Id, known: Instant | None) -> list[Id]:
    """How the notes about an entity begin: their prose, or at least their title."""
    first: list[Id] = []
    for source in store.sources_about(entity, known=known):
        passages = store.passages_of(source.id, known=known)
        prose = [passage for passage in passages if passage.kind not in FRAME_KINDS]
        first += [passage.id for passage in (prose or passages)[:_EACH_NOTE]]
    return first
