"""Passages for a question: by words, by meaning, and by what hangs together, made one ranking.

    text ──┬──────────────▶ ┐
           ├─▶ graph ─────▶ ├─▶ fusion ─▶ time ─▶ no repetition
    names ─┘   vectors ───▶ ┘

What the arms weigh depends on the question. Where most of what its words find is about one thing, it is a question
about that, and the words find the place; where they scatter, the answer is more often near what the question names
than like the question. The numbers are in `kgmem.recall.weights`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from kgmem.errors import UserError
from kgmem.model import Id, Instant
from kgmem.recall.diversity import choose
from kgmem.recall.fusion import add, best_first
from kgmem.recall.graph import walk
from kgmem.recall.question import Named
from kgmem.recall.texts import Texts
from kgmem.recall.times import tells_of
from kgmem.recall.weights import WEIGHTS, Mix, Weights
from kgmem.store.conversations import Step
from kgmem.store.graph import Remembered, Tie
from kgmem.store.protocol import Hit, Placed, Scope, Store
from kgmem.store.text import STOP_WORDS, words

if TYPE_CHECKING:
    from kgmem.embedding.embedder import Embedder

VECTORS = "vectors"
"""The step that looks for what means the same; its note says what it failed for."""
FRAME_KINDS = frozenset({"title", "heading", "property"})
"""Passages that say little by themselves; properties are facts already."""
_ASKING = frozenset(
    """know knew known say says said tell told write wrote written note notes believe believed everything remind
    january february march april june july august september october november december today yesterday year month week
    day last""".split()
)
"""Words of a question that ask, or say when, and name nothing that could lead on."""
_SHOWN = 20
"""Hits of an arm that a trace keeps."""
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Passages of prose, the best first, and how they were found."""

    hits: tuple[Hit, ...]
    placed: Mapping[Id, Placed]
    """Where these stand."""
    steps: tuple[Step, ...]


def retrieve(
    store: Store,
    question: str,
    named: Sequence[Named],
    *,
    limit: int,
    now: int | None = None,
    valid: tuple[int, int] | None = None,
    period: tuple[int, int] | None = None,
    known: Instant | None = None,
    embedder: Embedder | None = None,
    weights: Weights = WEIGHTS,
    texts: Texts | None = None,
    walks: bool = True,
) -> Retrieved:
    """The passages that a question is best answered from.

    Args:
        store: the memory.
        question: in words.
        named: the names in it that the memory knows.
        limit: bounds the passages.
        now: a world second; with it, and without any other time, newer passages are a little better.
        valid: world seconds [from, to), as `Store` takes them.
        period: world seconds [from, to) that the question asks about: passages that say a date in them are better, and
            none is left out.
        known: the recorded instant to ask about; now without it.
        embedder: of the model that the group's vectors are of; without it there is no arm of vectors.
        weights: what the arms are worth.
        texts: what the question read already.
        walks: no leaves passages to the words and vectors: what it names says nothing more.
    """
    texts = Texts(store, known) if texts is None else texts
    if not (named or any(word not in STOP_WORDS for word in words(question))):
        return Retrieved((), {}, (Step("text", note="the question has no word to look for"),))
    asked = _Asked(store, texts, weights, valid, known)
    text = asked.text(question)
    seeds = asked.seeds(named) if walks else {}
    mix = asked.mix(text, {} if _only_names(question, named) else seeds) if walks else replace(weights.one, graph=0.0)
    vectors = asked.vectors(question, embedder if mix.vectors else None)
    graph = asked.graph(text, seeds, mix)
    least = mix.faint * max(graph.values(), default=0.0)
    graph = {each: score for each, score in graph.items() if score >= least or each in text or each in vectors}
    scores = add(((mix.text, text), (mix.vectors, vectors), (mix.graph, graph))) or add([(1.0, text)])
    placed = texts.placed(best_first(scores)[: limit + weights.placed])
    prose = {each: where for each, where in placed.items() if where.passage.kind not in FRAME_KINDS}
    if not prose:  # nothing but a property says it
        prose = {each: where for each, where in placed.items() if where.passage.kind == "property" and each in text}
    rated = {each: scores[each] for each in prose}
    if period is not None:
        rated = {each: score * _told(prose[each], period, weights) for each, score in rated.items()}
    elif now is not None and valid is None and known is None:
        rated = {each: score * _recency(prose[each], now, weights) for each, score in rated.items()}
    asked.note("fusion", rated)
    chosen = choose(rated, {each: where.passage.text for each, where in prose.items()}, limit)
    hits = tuple(Hit(Scope.EPISODES, each, rated[each]) for each in chosen)
    return Retrieved(hits, {each: prose[each] for each in chosen}, tuple(asked.steps))


class _Asked:
    """The arms of one question, and the steps that they took."""

    def __init__(
        self, store: Store, texts: Texts, weights: Weights, valid: tuple[int, int] | None, known: Instant | None
    ) -> None:
        self.steps: list[Step] = []
        self._store = store
        self._texts = texts
        self._graph = Remembered(store.graph())
        self._weights = weights
        self._valid = valid
        self._known = known
        self._titled: set[Id] = set()
        self._began = perf_counter()

    def note(self, name: str, scores: Mapping[Id, float], scope: Scope = Scope.EPISODES, why: str = "") -> None:
        """Keep what a step brought, and the time since the one before."""
        best = tuple(Hit(scope, each, scores[each]) for each in best_first(scores)[:_SHOWN])
        ended = perf_counter()
        self.steps.append(Step(name, best, ended - self._began, why))
        self._began = ended

    def text(self, question: str) -> dict[Id, float]:
        """Passages by the words of the question."""
        scores = {hit.id: hit.score for hit in self._texts.found(question, self._weights.reach, self._valid)}
        self.note("text", scores)
        return scores

    def vectors(self, question: str, embedder: Embedder | None) -> dict[Id, float]:
        """Passages by meaning, where they have vectors."""
        if embedder is None:
            return {}
        scores: dict[Id, float] = {}
        why = ""
        try:
            [values] = embedder.embed([question])
            reach = self._weights.reach
            found = self._store.nearest("passage", values, reach, valid=self._valid, known=self._known)
            scores = {hit.id: hit.score for hit in found if hit.score >= self._weights.alike}
        except UserError as error:  # no vectors here, or their server does not answer: the other arms do
            why = error.message
        self.note(VECTORS, scores, why=why)
        return scores

    def seeds(self, named: Sequence[Named]) -> dict[Id, float]:
        """The entities of the question, and how likely a walk begins at each: the rarer, the likelier.

        A name is as rare as its words are: of what many passages speak, only few may have been read as a name.
        Homonyms share what their name gets.
        """
        entities = [entity for each in named for entity in each.entities]
        ties = self._ties(entities=entities)
        read = {tie.entity: tie.named for tie in ties}
        self._titled = {tie.entity for tie in ties if tie.own}
        said = self._graph.said([each.text for each in named], self._weights.said) if named else {}
        seeds: dict[Id, float] = {}
        for each in named:
            for entity in each.entities:
                often = max(1, read.get(entity, 1), said.get(each.text, 1))
                seeds[entity] = seeds.get(entity, 0.0) + 1 / often / len(each.entities)
        total = sum(seeds.values())
        seeds = {entity: seed / total for entity, seed in seeds.items()}
        self.note("names", seeds, Scope.ENTITIES)
        return seeds

    def mix(self, text: Mapping[Id, float], seeds: Mapping[Id, float]) -> Mix:
        """What the arms weigh for this question; without seeds, those of one about one thing."""
        weights = self._weights
        best = {each: text[each] for each in best_first(text)[: weights.looked_at]}
        one = sum(share for entity, share in seeds.items() if entity in self._titled) < weights.titled
        if best and not one:
            ties = self._ties(passages=best)
            total = sum(best.values()) * weights.looked_at / len(best)  # few passages agree by chance
            own: dict[Id, float] = {}
            meant = dict.fromkeys(best, 0.0)
            for tie in ties:
                meant[tie.passage] += seeds.get(tie.entity, 0.0)
                if tie.own:
                    own[tie.entity] = own.get(tie.entity, 0.0) + best[tie.passage] / total
            agreed_named = sum(best[each] / total * part for each, part in meant.items())
            one = max(own.values(), default=0.0) >= weights.agreed or agreed_named >= weights.agreed_named
        mix = weights.one if one else weights.several
        arms = weights.arms
        return replace(
            mix,
            text=mix.text if "text" in arms else 0.0,
            graph=mix.graph if "graph" in arms else 0.0,
            vectors=mix.vectors if "vectors" in arms else 0.0,
        )

    def graph(self, text: Mapping[Id, float], seeds: Mapping[Id, float], mix: Mix) -> dict[Id, float]:
        """Passages near what the question names, or near what its words find."""
        if not mix.graph:
            return {}
        share = mix.seeds if seeds else 1.0
        best = best_first(text)[: self._weights.seeds]
        total = sum(text[each] for each in best)
        most = max(text.values(), default=1.0)
        scores = walk(
            self._graph,
            {entity: (1 - share) * seed for entity, seed in seeds.items()} if share < 1 else {},
            {each: share * text[each] / total for each in best},
            weights=self._weights.graph,
            words={each: score / most for each, score in text.items()},
            valid=self._valid,
            known=self._known,
        )
        self.note("graph", scores)
        return scores

    def _ties(
        self, *, passages: Sequence[Id] | Mapping[Id, float] = (), entities: Sequence[Id] = ()
    ) -> tuple[Tie, ...]:
        most = self._weights.graph.most
        return self._graph.ties(passages=passages, entities=entities, most=most, valid=self._valid, known=self._known)


def _only_names(question: str, named: Sequence[Named]) -> bool:
    """Whether a question asks nothing of what it names: "Mira", "what about Mira in 2018"."""
    rest = question
    for each in sorted(named, key=lambda each: -each.start):
        rest = f"{rest[: each.start]} {rest[each.end :]}"
    return all(word in STOP_WORDS or word in _ASKING or word.isdecimal() for word in words(rest))


def _recency(placed: Placed, now: int, weights: Weights) -> float:
    """What a passage's date multiplies its score by. One without a date that a person is shown is of any time."""
    moment = placed.occurred.moment
    if moment is None or placed.occurred.shown is None:
        return 1.0
    days = max(0, now - moment.first) / _DAY
    return 1 + weights.recent * float(0.5 ** (days / weights.half_life))


def _told(placed: Placed, period: tuple[int, int], weights: Weights) -> float:
    """What the dates that a passage says multiply its score by."""
    return 1 + weights.told * tells_of(placed.passage.text, placed.occurred, period)
