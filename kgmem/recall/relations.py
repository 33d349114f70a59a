"""Following facts from what a question names: "Mira's employer", "the company that Anna founded", "my manager"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kgmem.model import FOREVER, Entity, EntityType, Fact, Id, Instant, unique
from kgmem.recall.cues import Cue, Cues, End
from kgmem.recall.facts import FactView, facts_about, view
from kgmem.store.protocol import Store

_MOST: Final = 200
"""Facts that one step may lead over."""
_BEARERS: Final = 6
"""Homonyms that are followed side by side."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A step over facts, from what was known to what stands at their other ends."""

    cues: tuple[Cue, ...]
    """What was asked for."""
    facts: tuple[FactView, ...] = ()
    """That it leads over; none if nothing is known."""
    past: bool = False
    """They do not hold at the time asked about."""
    ends: tuple[Id, ...] = ()
    """The entities at their other ends."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question that names nothing."""

    start: int
    end: int
    text: str

    @property
    def lower(self) -> str:
        """The word, folded."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Ref:
    """A stretch of a question that means entities, by name or over facts."""

    start: int
    end: int
    ids: tuple[Id, ...]
    """Homonyms side by side."""
    possessive: bool = False
    hops: tuple[Hop, ...] = ()
    """The steps that led to them."""
    origin: tuple[Id, ...] = ()
    """What the last step led from."""
    own: bool = False
    """"I": the owner."""

    @property
    def unknown(self) -> bool:
        """Whether the facts that it is meant by are not there."""
        return bool(self.hops) and not self.hops[-1].facts


Item = Word | Ref


class Ground:
    """The memory at the time that a question asks about, and what words mean in it.

    Args:
        store: the memory.
        cues: what words ask for.
        at: world seconds [from, to): the time asked about.
        known: the recorded instant asked about; now without it.
        dated: the question asks about that time, and not about now.
    """

    def __init__(
        self, store: Store, cues: Cues, *, at: tuple[int, int], known: Instant | None = None, dated: bool = False
    ) -> None:
        self.store = store
        self.cues = cues
        self.at = at
        self.known = known
        self.dated = dated
        self._facts: dict[Id, tuple[Fact, ...]] = {}

    def facts(self, entity: Id) -> tuple[Fact, ...]:
        """What is believed of an entity, of any world time, as subject or object; but for bare links."""
        if entity not in self._facts:
            self._facts[entity] = facts_about(self.store, entity, known=self.known)
        return self._facts[entity]

    def holds(self, fact: Fact) -> bool:
        """Whether a fact holds at some second of the time asked about."""
        return fact.holds_from < self.at[1] and self.at[0] < fact.holds_to

    def hop(
        self,
        ids: Sequence[Id],
        cues: Iterable[Cue],
        end_of: Callable[[Cue], End],
        *,
        to: Sequence[Id] | None = None,
        former: bool = False,
        ever: bool = False,
        noun: str = "",
    ) -> Hop:
        """The facts that the first cue which has any leads over.

        Args:
            ids: what is known.
            cues: what is asked for, the likeliest first.
            end_of: the end of a fact at which the known stands.
            to: only facts with one of these at the other end.
            former: only those that ended.
            ever: those of all times.
            noun: how it was asked for: who is a father is no mother.
        """
        asked = unique(cues)
        started = tuple(ids[:_BEARERS])
        best = Hop(asked)
        for cue in asked:
            found = [fact for fact in self._led_over(started, cue, end_of(cue)) if _may_tell(fact, cue, self)]
            if to is not None:
                found = [fact for fact in found if fact.object in to or fact.subject in to]
            holding = found if ever else [fact for fact in found if self._counts(fact, cue, former=former)]
            if holding or (found and not best.facts):
                kept = (holding or found)[:_MOST]
                facts = self._told_as(view(self.store, kept, self.known), noun)
                ends = _others((each.fact for each in facts), started, end_of(cue))
                best = replace(best, facts=facts, past=not holding, ends=ends)
            if holding and best.facts:
                break
        return best

    def entities(self, ids: Iterable[Id]) -> dict[Id, Entity]:
        """Entities by id."""
        return dict(self.store.entities(unique(ids)))

    def _told_as(self, facts: Sequence[FactView], noun: str) -> tuple[FactView, ...]:
        """Facts but for those that notes tell with a noun that says something else."""
        others = self.cues.apart(noun)
        return tuple(fact for fact in facts if not others or not _only_says(fact, noun, others, self.cues))

    def _led_over(self, ids: Sequence[Id], cue: Cue, end: End) -> list[Fact]:
        """Facts with one of these at an end, of the predicate of a cue or of a person's own that means the same."""
        names = {cue.predicate} | (self.cues.names_of(cue) if end != "o" else set())
        found = (fact for each in ids for fact in self.facts(each) if fact.predicate in names)
        either = end == "either" or self.cues.is_symmetric(cue.predicate)
        return list(
            unique(
                fact
                for fact in found
                if (fact.subject in ids and (either or end == "s")) or (fact.object in ids and (either or end == "o"))
            )
        )

    def _counts(self, fact: Fact, cue: Cue, *, former: bool) -> bool:
        if former:
            return fact.holds_to < FOREVER and fact.holds_to <= self.at[0]
        if not self.dated or cue.tells == "says" or self.cues.is_timeless(cue.predicate):
            return cue.is_over or self.holds(fact)
        return self.begins(fact) if cue.tells == "starts" else self.ends(fact)

    def begins(self, fact: Fact) -> bool:
        """Whether a fact begins in the time asked about."""
        return self.at[0] <= fact.holds_from < self.at[1]

    def ends(self, fact: Fact) -> bool:
        """Whether a fact ends in the time asked about: its end is the first second after it."""
        return self.at[0] < fact.holds_to <= self.at[1]


def _may_tell(fact: Fact, cue: Cue, ground: Ground) -> bool:
    """What began or ended is only known to have done so where there is a date of it."""
    if cue.is_over:
        return fact.holds_to < FOREVER
    timeless = ground.cues.is_timeless(cue.predicate)
    return cue.tells != "starts" or timeless or fact.valid.start.shown is not None


def _others(facts: Iterable[Fact], ids: Sequence[Id], end: End) -> tuple[Id, ...]:
    found = []
    for fact in facts:
        at_subject = fact.subject in ids and end != "o"
        other = fact.object if at_subject else fact.subject
        if other is not None:
            found.append(other)
    return unique(found)


def typed(ground: Ground, hop: Hop, noun: str) -> Hop:
    """A step to what is of the type that a noun says, where some of its ends are; else as it is."""
    said = ground.cues.ontology.type_named(noun)
    if said is None or not hop.ends:
        return hop
    kinds = ground.entities(hop.ends)
    fits = {each for each in hop.ends if each in kinds and kinds[each].type is said[0]}
    if not fits:
        return hop
    facts = tuple(each for each in hop.facts if each.fact.object in fits or each.fact.subject in fits)
    return replace(hop, facts=facts, ends=tuple(each for each in hop.ends if each in fits))


def upwards(ground: Ground, hop: Hop, noun: str) -> tuple[Hop, ...]:
    """From places to the country or region that they are in, if that is what a noun asks for; else nothing.

    Its subtype has to say that it is one, or the property that says where the place is.
    """
    said = ground.cues.ontology.type_named(noun)
    if said is None or said[0] is not EntityType.LOCATION:
        return ()
    steps: list[Hop] = []
    for _ in range(3):
        places = ground.entities(hop.ends)
        if any(place.subtype == said[1] for place in places.values()) or _quotes(hop, noun):
            return tuple(steps)
        hop = ground.hop(hop.ends, (Cue("LOCATED_IN", "s"),), lambda cue: cue.first)
        if not hop.facts:
            break
        steps.append(hop)
    return ()


def _only_says(fact: FactView, noun: str, others: frozenset[str], cues: Cues) -> bool:
    """Whether all that tells a fact has one of some nouns, and not the one that was asked for."""
    texts = [{cues.singular(word) for word in re.findall(r"[^\W\d_]+", each.quote)} for each in fact.evidence]
    return bool(texts) and all(not others.isdisjoint(words) and cues.singular(noun) not in words for words in texts)


def _quotes(hop: Hop, noun: str) -> bool:
    return any(each.quote.lower().startswith(noun) for fact in hop.facts for each in fact.evidence)
