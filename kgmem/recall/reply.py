"""From a question to its first line: a fact, a sentence of a note, or that the notes do not say it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from kgmem.model import Id, Instant, unique
from kgmem.recall.clauses import PAST, SMALL, Understood
from kgmem.recall.direct import NO, change_lines, described, direct_answer
from kgmem.recall.facts import About, FactView
from kgmem.recall.kinds import Kind, read_kind
from kgmem.recall.meaning import meaning_of
from kgmem.recall.names import named_exactly
from kgmem.recall.phrases import items_of
from kgmem.recall.relations import Ground, Ref, Word
from kgmem.recall.understanding import understand
from kgmem.store.protocol import EntityCard, Placed, Scope, Store

if TYPE_CHECKING:
    from kgmem.extraction.ontology import Ontology
    from kgmem.recall.quoting import Sought
    from kgmem.recall.search import Found
    from kgmem.recall.texts import Texts
    from kgmem.recall.times import Asked

NOT_HERE: Final = "Not in your notes."
NOTHING_ELSE: Final = "Nothing else in your notes answers this."
NEAREST: Final = "No note says it in so many words."
NO_OWNER: Final = 'nobody said who “I” is: write owner = "…" in the configuration'
_OWN: Final = frozenset("i me my mine we us our".split())
_PLAIN: Final = frozenset("is are was were am be been the a an and about of on known".split())
"""Words beside a name that ask for nothing but it."""
GERMAN_WHAT: Final = re.compile(r"\s*was\s+(?:ist|sind|war|waren|wei(?:ß|ss)|macht|hat|besitzt)\b", re.IGNORECASE)
"""It begins as an English question does."""
_QUESTION_MARKS: Final = ("?", "？", "؟", "⸮", ";", "՞", "፧")
_WILL: Final = frozenset({"will", "shall", "won't", "won’t"})
_OF_SUBJECTS: Final = frozenset({Kind.WHEN, Kind.WHERE, Kind.YES_NO})
"""Kinds whose answer has to be said of whom they name, and not of somebody beside them."""
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
        texts: what the question reads of it.
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
        texts: Texts,
        question: str,
        asked: Asked,
        *,
        at: tuple[int, int],
        known: Instant | None,
        dated: bool,
        owner: str | None,
        ontology: Ontology | Callable[[], Ontology] | None,
    ) -> None:
        self._store, self._texts, self._question, self._known = store, texts, question, known
        self._at, self._dated, self._ontology = at, dated, ontology
        self.about = About(store, known)
        """The facts that were read."""
        self.changed: tuple[FactView, ...] = ()
        """What the line tells of what changed."""
        self.quoted: Id | None = None
        """The passage of the sentence that the line quotes."""
        self._asking = read_kind(question)
        self._times = _times(question, asked)
        me = named_exactly(store, owner)[:1] if owner else ()
        foreign = self._foreign()
        self._items = items_of(question, self._asking.rest, asked.named, self._times, me)
        if foreign:
            from kgmem.recall.foreign import in_english

            self._items = in_english(foreign, self._asking, self._items)
        self._is_foreign = bool(foreign)
        self._lost = not me and any(isinstance(each, Word) and each.lower in _OWN for each in self._items)

    def _foreign(self) -> str:
        """The language of a question that is none in English, whose kind counts then; nothing of anything else."""
        german = self._asking.kind is Kind.YES_NO and GERMAN_WHAT.match(self._question)
        if self._asking.kind is not Kind.WORDS and not german:
            return ""
        from kgmem.recall.foreign import read_foreign

        found = read_foreign(self._question)
        if found is None:
            return ""
        language, self._asking = found
        return language

    @property
    def sought(self) -> str:
        """The question as passages are sought with: no note is nearer for "know" in "what do I know about Mira"."""
        start = self._asking.rest if self._asking.kind is Kind.KNOWN else 0
        return " " * start + self._question[start:]

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
        return Ground(self._store, cues, at=self._at, known=self._known, dated=self._dated, about=self.about)

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
        open_kind = self._asking.kind in {Kind.KNOWN, Kind.WHO, Kind.WHICH}
        return (
            open_kind
            and self._is_plain()
            and (self._asking.kind is Kind.KNOWN or len(self._refs) <= 1)
            and all(not ref.possessive for ref in self._refs)
        )

    def _is_plain(self) -> bool:
        """Whether its words beside the names ask for nothing."""
        return all(each.lower in _PLAIN for each in self._items if isinstance(each, Word))

    @property
    def asks_more(self) -> bool:
        """Whether it has words that no fact answers: "Mira garden" asks for more than what is known of Mira."""
        return self.understood.kind is Kind.KNOWN and not self._is_plain()

    @property
    def telling(self) -> tuple[Id, ...]:
        """The passages that tell the facts which answer it, and that stand."""
        return unique(each.passage for fact in self.understood.facts for each in fact.evidence if each.live)

    @property
    def facts(self) -> tuple[FactView, ...]:
        """Those that answer the question, lead there, or are believed instead."""
        return (*self.understood.facts, *self.understood.through, *self.understood.instead, *self.changed)

    @property
    def meaning(self) -> tuple[str, ...]:
        """What it shares with the questions that are understood alike: see `kgmem.recall.meaning`."""
        return meaning_of(self._asking, self._items, None if self._only_names() else self.ground.cues)

    def is_told(self, cards: Sequence[EntityCard], *, now: bool, avoid: Collection[Id] = ()) -> bool:
        """Whether facts answer it, or it only names what `cards` are: then no passage is needed for the answer.

        Args:
            cards: the entities that it is about.
            now: whether it asks about now.
            avoid: facts that are no answer: somebody said so.
        """
        understood = _without(self.understood, avoid)
        if understood.kind is Kind.KNOWN:
            return bool(cards)
        if understood.kind in {Kind.OPEN, Kind.CHANGED} or self._is_to_come():
            return False
        return bool(direct_answer(understood, now=now))

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
        told = understood.kind is not Kind.OPEN and not self._is_to_come() and direct_answer(understood, now=now)
        if understood.kind is Kind.KNOWN and (not told or understood.leads_on):
            return described(cards, holding, now=now) if cards else self._searched(passages)
        if told:
            return self._planned(understood, told, cards, avoid) or told
        return self._of_day() or self._highlights() or self._quote(cards, avoid) or self._declined(cards, passages)

    def _searched(self, passages: Sequence[Found]) -> str:
        """Of words to look for, passages that have one say enough; those that were found by meaning alone do not."""
        if not passages:
            return NOT_HERE
        asks = self._question.rstrip().endswith(_QUESTION_MARKS)
        return NEAREST if asks or not self._store.search(Scope.EPISODES, self._question, 1, known=self._known) else ""

    def _of_day(self) -> str:
        """What the note of the day that it asks about says, where it asks what was done or happened then."""
        from kgmem.recall.days import asks_of_day, notes_of_day, told_on

        if not (self._dated and asks_of_day(self._items)):
            return ""
        found = told_on(self._store, notes_of_day(self._store, self._at), self._items, self._known)
        if found is None:
            return ""
        said, self.quoted = found
        return f"Your notes of that day say: {said}"

    def _highlights(self) -> str:
        """What was highlighted in the book that it names, where that is what it asks."""
        from kgmem.recall.highlighted import asks_of_highlights, highlights_of

        if self._dated or not asks_of_highlights(self._items):
            return ""
        found = highlights_of(self._store, self._items, self._known)
        if found is None:
            return ""
        said, self.quoted = found
        return said

    def _is_to_come(self) -> bool:
        """Whether it asks about what will be, of which no fact knows that began already."""
        said = {each.lower for each in self._items if isinstance(each, Word)}
        coming = any(each.fact.holds_from >= self._at[1] for each in self.understood.facts)
        return not _WILL.isdisjoint(said) and not self._dated and not coming

    def _declined(self, cards: Sequence[EntityCard], passages: Sequence[Found]) -> str:
        understood = self.understood
        if understood.cues and not understood.left and understood.kind is not Kind.OPEN:
            from kgmem.recall.declined import NOTHING, declined

            if self._is_foreign:
                return NOTHING
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
        from kgmem.recall.changed import Changes, changes, changes_of_all

        ground = self.ground
        if cards:
            found = changes(ground, [cards[0].entity.id])
        else:
            found = changes_of_all(ground) if self._dated else Changes((), 0)
        self.changed = found.facts
        of = f"a change of {cards[0].entity.name}" if cards else "what changed"
        return change_lines(found.rows, found.total, more=found.more) or f"Nothing in your notes on {of}."

    def _quote(self, cards: Sequence[EntityCard], avoid: Collection[Id]) -> str:
        """A sentence with all words of the question, of a note about what it names or of a passage with its words."""
        from kgmem.recall.quoting import quoted

        found = quoted(*self._looked_at(cards, avoid))
        if not found:
            return ""
        said, self.quoted = found
        return f"Your notes say: {said}"

    def _planned(self, understood: Understood, told: str, cards: Sequence[EntityCard], avoid: Collection[Id]) -> str:
        """Where notes only plan what is asked: a fact without a date is no yes then, and a no is told with the plan."""
        if self._asking.kind is not Kind.YES_NO:
            return ""
        if self._is_of_now() and not understood.facts:
            from kgmem.recall.quoting import plan

            said = plan(*self._looked_at(cards, avoid))
            return f"{told} But your notes say: {said}" if said else ""
        asks = self._question.split()[:1]
        undated = not any(each.fact.valid.start.shown for each in understood.facts)
        if not (asks and asks[0].lower() in PAST and understood.facts and undated):
            return ""
        from kgmem.recall.quoting import planned

        said = planned(*self._looked_at(cards, avoid))
        return f"{NO}: your notes say {said}" if said else ""

    def _looked_at(
        self, cards: Sequence[EntityCard], avoid: Collection[Id]
    ) -> tuple[Sought, dict[Id, Placed], dict[Id, frozenset[str]]]:
        """What a sentence has to hold, in which passages it is looked for, and what the names are called."""
        from kgmem.recall.quoting import Sought

        left = [each.text for each in self._items if isinstance(each, Word) and each.lower not in SMALL]
        entities = [each for ref in self._refs for each in ref.ids[:_HOMONYMS]]
        own = [
            passage.id
            for entity in entities
            for source in self._store.sources_about(entity, known=self._known)
            if source.size <= _LONG
            for passage in self._store.passages_of(source.id, known=self._known)[:_LOOKED_AT]
        ]
        hits = [hit.id for hit in self._texts.found(self._question, _LOOKED_AT)]
        looked_at = unique([*hits, *own])
        placed = self._texts.placed(looked_at)
        keys = self._keys(unique(entities), cards)
        return (
            Sought(
                self._asking.kind,
                self._items,
                left,
                self.ground.cues,
                coming=self._is_to_come(),
                now=self._asking.kind is Kind.YES_NO and self._is_of_now(),
                verb=self._verb() if self._asking.kind in _OF_SUBJECTS else "",
                valid=self._at if self._dated else None,
            ),
            {each: placed[each] for each in looked_at if each in placed and each not in avoid},
            keys,
        )

    def _keys(self, entities: Sequence[Id], cards: Sequence[EntityCard]) -> dict[Id, frozenset[str]]:
        """What entities are called. A card has one alias of each name, and what all notes link to has thousands."""
        aliases = {card.entity.id: card.aliases for card in cards if card.entity.id in entities}
        aliases |= self._store.aliases_of(each for each in entities if each not in aliases)
        return {entity: frozenset(alias.key for alias in named) for entity, named in aliases.items()}

    def _is_of_now(self) -> bool:
        first = self._question.split()[:1]
        return not self._dated and self._known is None and not (first and first[0].lower() in PAST)

    def _verb(self) -> str:
        """The word that says something of whom the question names first: the "born" of "when was Lukas born"."""
        who = next((each for each in self._items if isinstance(each, Ref) or each.lower in _OWN), None)
        after = [each for each in self._items if who is not None and each.start >= who.end]
        said = next((each for each in after if isinstance(each, Ref) or each.lower not in SMALL), None)
        return said.text if isinstance(said, Word) else ""

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
        return text


def _without(understood: Understood, avoid: Collection[Id]) -> Understood:
    if not avoid:
        return understood
    facts = tuple(each for each in understood.facts if each.fact.id not in avoid)
    less = len(understood.facts) - len(facts)
    return replace(understood, facts=facts, total=understood.total and understood.total - less)


def _times(question: str, asked: Asked) -> list[tuple[int, int]]:
    """Where a question says its times."""
    said = [each for each in (asked.said, *asked.unread, *asked.several) if each]
    return [(start, start + len(each)) for each in said if (start := question.find(each)) >= 0]
