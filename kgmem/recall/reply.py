"""From a question to its first line: a fact, a sentence of a note, or that the notes do not say it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from kgmem.model import Id, Instant, unique
from kgmem.recall.clauses import SMALL, Understood
from kgmem.recall.direct import change_lines, described, direct_answer
from kgmem.recall.facts import FactView
from kgmem.recall.kinds import Kind, read_kind
from kgmem.recall.names import named_exactly
from kgmem.recall.phrases import items_of
from kgmem.recall.relations import Ground, Ref, Word
from kgmem.recall.understanding import understand
from kgmem.store.protocol import EntityCard, Scope, Store

if TYPE_CHECKING:
    from kgmem.extraction.ontology import Ontology
    from kgmem.recall.search import Found
    from kgmem.recall.times import Asked

NOT_HERE: Final = "Not in your notes."
NOTHING_ELSE: Final = "Nothing else in your notes answers this."
NEAREST: Final = "No note says it in so many words."
NO_OWNER: Final = 'nobody said who “I” is: write owner = "…" in the configuration'
_OWN: Final = frozenset("i me my mine we us our".split())
_PLAIN: Final = frozenset("is are was were am be been the a an and about of on known".split())
"""Words beside a name that ask for nothing but it."""
_SECOND: Final = re.compile(
    r"[,;?]\s+(?:(?:and|but|or)\s+)?(?:who|what|when|where|which|how|is|was|are|were|do|does|did|has|had|have)\b",
    re.IGNORECASE,
)
"""Where a second question begins: the first line answers the first."""
_HOMONYMS: Final = 4
"""Of one name, in whose notes a sentence is looked for."""
_LONG: Final = 200_000
"""Bytes of a note above which only what its words find is looked at."""
_LOOKED_AT: Final = 40
"""Passages in which a sentence is looked for."""


@lru_cache(maxsize=1)
def _ours() -> Ontology:
    from kgmem.extraction.ontology import load_ontology

    return load_ontology()


class Reply:
    """A question, and what the facts say to it.

    Args:
        store: the memory.
        question: in words.
        asked: the names and times that it says.
        at: world seconds [from, to): the time that it is answered for.
        known: the recorded instant that it is answered for; now without it.
        dated: whether it asks about that time, and not about now.
        owner: a name of whom "I" means.
        ontology: what words mean, or what loads it: a question that only names something does without.
    """

    def __init__(
        self,
        store: Store,
        question: str,
        asked: Asked,
        *,
        at: tuple[int, int],
        known: Instant | None,
        dated: bool,
        owner: str | None,
        ontology: Ontology | Callable[[], Ontology] | None,
    ) -> None:
        self._store, self._question, self._known = store, question, known
        self._at, self._dated, self._ontology = at, dated, ontology
        self.quoted: Id | None = None
        """The passage of the sentence that the line quotes."""
        self._asking = read_kind(question)
        self._times = _times(question, asked)
        me = named_exactly(store, owner)[:1] if owner else ()
        second = _SECOND.search(question, self._asking.rest)
        self._first = second.start() if second and self._asking.kind is not Kind.WORDS else len(question)
        items = items_of(question, self._asking.rest, asked.named, self._times, me)
        self._items = [each for each in items if each.start < self._first]
        self._lost = not me and any(isinstance(each, Word) and each.lower in _OWN for each in self._items)

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the question could not count."""
        return (NO_OWNER,) if self._lost and self._asking.kind not in {Kind.WORDS, Kind.KNOWN} else ()

    @cached_property
    def ground(self) -> Ground:
        """The memory at the time asked about. Loads the ontology."""
        from kgmem.recall.cues import cues_of

        said = self._ontology or _ours
        cues = cues_of(said() if callable(said) else said)
        return Ground(self._store, cues, at=self._at, known=self._known, dated=self._dated)

    @cached_property
    def understood(self) -> Understood:
        """What the question asks, and the facts that answer it."""
        if self._asking.kind is Kind.WORDS or self._only_names():
            own = (each for ref in self._refs if ref.own for each in ref.ids)
            return Understood(Kind.KNOWN, reached=unique(own))
        return understand(self._asking, self._items, self.ground)

    @property
    def _refs(self) -> list[Ref]:
        return [each for each in self._items if isinstance(each, Ref)]

    def _only_names(self) -> bool:
        """Whether it asks who or what something is, or what is known of it."""
        words = [each.lower for each in self._items if isinstance(each, Word)]
        open_kind = self._asking.kind in {Kind.KNOWN, Kind.WHO, Kind.WHICH}
        return (
            open_kind
            and all(word in _PLAIN for word in words)
            and (self._asking.kind is Kind.KNOWN or len(self._refs) <= 1)
            and all(not ref.possessive for ref in self._refs)
        )

    @property
    def facts(self) -> tuple[FactView, ...]:
        """Those that answer the question, lead there, or are believed instead."""
        return (*self.understood.facts, *self.understood.through, *self.understood.instead)

    def line(
        self,
        cards: Sequence[EntityCard],
        facts: Sequence[FactView],
        passages: Sequence[Found],
        *,
        now: bool,
        avoid: Collection[Id] = (),
    ) -> str:
        """What is told first.

        Args:
            cards: the entities that it is about, best first.
            facts: what is believed of the first of them, at the time asked about.
            passages: what was found.
            now: whether it asks about now.
            avoid: facts that are not told: somebody said that they are no answer.
        """
        understood = self._joined(_without(self.understood, avoid))
        holding = [fact for fact in facts if fact.fact.id not in avoid]
        if (self.understood.facts and not understood.facts) or (facts and not holding and not understood.facts):
            return NOTHING_ELSE
        if understood.kind is Kind.CHANGED:
            return self._changes(cards)
        told = understood.kind is not Kind.OPEN and direct_answer(understood, now=now)
        if understood.kind is Kind.KNOWN and (not told or understood.leads_on):
            return described(cards, holding, now=now) if cards else "" if passages else NOT_HERE
        if told:
            return told
        return self._quote(avoid) or self._declined(cards, passages)

    def _declined(self, cards: Sequence[EntityCard], passages: Sequence[Found]) -> str:
        understood = self.understood
        if understood.cues and not understood.left and understood.kind is not Kind.OPEN:
            from kgmem.recall.declined import declined

            return declined(self._without_times(), self._asking, understood.subject, self.ground.cues)
        if not (cards or passages) or self._names_a_stranger():
            return NOT_HERE
        return NEAREST

    def _joined(self, understood: Understood) -> Understood:
        """Where what is believed instead joins the very two that are named, it is told as it is, and denies nothing.

        But where an end is asked for: what goes on speaks against that.
        """
        pairs = [(one.ids, other.ids) for one in self._refs for other in self._refs if one is not other]
        joining = tuple(
            each
            for each in understood.instead
            if any(each.fact.subject in one and each.fact.object in other for one, other in pairs)
        )
        if (
            understood.kind is not Kind.YES_NO
            or understood.facts
            or not joining
            or any(cue.is_over for cue in understood.cues)
        ):
            return understood
        return replace(understood, kind=Kind.WHICH, facts=joining, instead=())

    def _changes(self, cards: Sequence[EntityCard]) -> str:
        from kgmem.recall.changed import changes, changes_of_all

        ground = self.ground
        rows = changes(ground, [cards[0].entity.id]) if cards else changes_of_all(ground) if self._dated else ()
        of = f"a change of {cards[0].entity.name}" if cards else "what changed"
        return change_lines(rows) or f"Nothing in your notes on {of}."

    def _quote(self, avoid: Collection[Id]) -> str:
        """A sentence with all words of the question, of a note about what it names or of a passage with its words."""
        from kgmem.recall.quoting import Sought, quoted

        left = [each.text for each in self._items if isinstance(each, Word) and each.lower not in SMALL]
        entities = [each for ref in self._refs for each in ref.ids[:_HOMONYMS]]
        own = [
            passage.id
            for entity in entities
            for source in self._store.sources_about(entity, known=self._known)
            if source.size <= _LONG
            for passage in self._store.passages_of(source.id, known=self._known)[:_LOOKED_AT]
        ]
        hits = [hit.id for hit in self._store.search(Scope.EPISODES, self._question, _LOOKED_AT, known=self._known)]
        looked_at = unique([*hits, *own])
        placed = self._store.placed(looked_at, known=self._known)
        aliases = self._store.aliases_of(unique(entities))
        found = quoted(
            Sought(self._asking.kind, self._items, left, self.ground.cues, self._at if self._dated else None),
            {each: placed[each] for each in looked_at if each in placed and each not in avoid},
            {entity: frozenset(alias.key for alias in named) for entity, named in aliases.items()},
        )
        if not found:
            return ""
        said, self.quoted = found
        return f"Your notes say: {said}"

    def _names_a_stranger(self) -> bool:
        """Whether it names with a capital letter what no note speaks of."""
        first = min((each.start for each in self._items), default=0)
        strangers = [
            each.text
            for each in self._items
            if isinstance(each, Word) and each.text[:1].isupper() and each.lower not in SMALL
            and (each.start > first or self._asking.rest)
        ]  # fmt: skip
        return any(not self._store.search(Scope.EPISODES, each, 1, known=self._known) for each in strangers)

    def _without_times(self) -> str:
        text = self._question
        for start, end in sorted(self._times, reverse=True):
            text = text[:start] + " " * (end - start) + text[end:]
        return text[: self._first]


def _without(understood: Understood, avoid: Collection[Id]) -> Understood:
    if not avoid:
        return understood
    return replace(understood, facts=tuple(each for each in understood.facts if each.fact.id not in avoid))


def _times(question: str, asked: Asked) -> list[tuple[int, int]]:
    """Where a question says its times."""
    said = [each for each in (asked.said, *asked.unread, *asked.several) if each]
    return [(start, start + len(each)) for each in said if (start := question.find(each)) >= 0]
