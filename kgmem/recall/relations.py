"""Following facts from what a question names: "Mira's employer", "the company that Anna founded", "my manager"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kgmem.extraction.ontology import is_favourite
from kgmem.model import ALWAYS, FOREVER, Entity, EntityType, Fact, Id, Instant, unique
from kgmem.recall.cues import Cue, Cues, End
from kgmem.recall.facts import About, FactView, view
from kgmem.store.protocol import FactQuery, Store

MOST: Final = 200
"""Facts that one step may lead over."""
_SOME: Final = 12
"""Those that are read where they are counted: as many as stand beside a number."""
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
    noun: str = ""
    """How it was asked for, if a noun says more than the facts may: brother, son."""
    total: int | None = None
    """How many facts there are, where those that it leads over are some of them and somebody counted."""


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
        about: the facts that were read already.
    """

    def __init__(
        self,
        store: Store,
        cues: Cues,
        *,
        at: tuple[int, int],
        known: Instant | None = None,
        dated: bool = False,
        about: About | None = None,
    ) -> None:
        self.store = store
        self.cues = cues
        self.at = at
        self.known = known
        self.dated = dated
        self.about = About(store, known) if about is None else about

    def facts(self, entity: Id) -> tuple[Fact, ...]:
        """What is believed of an entity, of any world time, as subject or object; but for bare links.

        Of what very many facts are about, some: see `kgmem.recall.facts.some_about`.
        """
        return self.about(entity)[1]

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
        counted: bool = False,
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
            counted: how many there are is asked for, and some of them.
        """
        asked = unique(cues)
        started = tuple(ids[:_BEARERS])
        best = Hop(asked, noun=noun)
        for cue in asked:
            if counted and to is None and not (former or ever or self.cues.apart(noun)):
                total, some = self._counted(started, cue, end_of(cue))
                if some:
                    return replace(
                        best, facts=some, ends=_others((each.fact for each in some), started, "o"), total=total
                    )
            led = self._led_over(started, cue, end_of(cue), to)
            found = [fact for fact in led if _may_tell(fact, cue, self)]
            if to is not None:
                found = [fact for fact in found if fact.object in to or fact.subject in to]
            holding = found if ever else [fact for fact in found if self._counts(fact, cue, former=former)]
            if holding or (found and not best.facts):
                kept = (holding or found)[:MOST]
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

    def _led_over(self, ids: Sequence[Id], cue: Cue, end: End, to: Sequence[Id] | None) -> list[Fact]:
        """Facts with one of these at an end, of the predicate of a cue or of a person's own that means the same.

        Of what very many facts are about, those that lead `to` something are looked for from there.
        """
        names = {cue.predicate} | (self.cues.names_of(cue) if end != "o" else set())
        if cue.predicate == "PREFERS":
            names |= {fact.predicate for each in ids for fact in self.facts(each) if is_favourite(fact.predicate)}
        many = [each for each in ids if self.about(each)[0] > len(self.facts(each))]
        more = (
            fact
            for each in many
            for other in (to if to is not None else (each,))
            for name in sorted({cue.predicate, *(names & {fact.predicate for fact in self.facts(other)})})
            for fact in self.about(other, name)[1]
        )
        near = (fact for each in ids for fact in self.facts(each) if fact.predicate in names)
        found = (*more, *near) if to is None else (*near, *more)
        either = end == "either" or self.cues.is_symmetric(cue.predicate)
        return list(
            unique(
                fact
                for fact in found
                if (fact.subject in ids and (either or end == "s")) or (fact.object in ids and (either or end == "o"))
            )
        )

    def _counted(self, ids: Sequence[Id], cue: Cue, end: End) -> tuple[int, tuple[FactView, ...]]:
        """(how many facts of a predicate that hold now lead to the known, the first of them); none where all are read.

        Where the known is the object, for of what it is the subject all is read. Every such fact has another subject.
        """
        if end != "o" or cue.tells != "says" or self.dated or self.known is not None:
            return 0, ()
        if self.cues.is_symmetric(cue.predicate):
            return 0, ()
        if sum(self.about(each)[0] for each in ids) <= MOST:
            return 0, ()
        query = FactQuery(about=tuple(ids), predicate=cue.predicate, links=False, valid=self.at, limit=0)
        held = unique(fact for each in ids for fact in self.facts(each) if fact.predicate == cue.predicate)
        own = sum(fact.subject in ids and self.holds(fact) for fact in held)
        total = self.store.facts(query)[0] - own
        if not total:
            return 0, ()
        led = [fact for fact in held if fact.subject not in ids and self.holds(fact)][:_SOME]
        if len(led) < _SOME:
            found = self.store.facts(replace(query, limit=own + _SOME))[1]
            led = [fact for fact in found if fact.subject not in ids][:_SOME]
        return total, view(self.store, led)

    def _counts(self, fact: Fact, cue: Cue, *, former: bool) -> bool:
        if former:
            return fact.holds_to < FOREVER and fact.holds_to <= self.at[0]
        if not self.dated or cue.tells == "says" or self.cues.is_timeless(cue.predicate):
            return cue.is_over or self.holds(fact)
        return self.begins(fact) if cue.tells == "starts" else self.ends(fact)

    def begins(self, fact: Fact) -> bool:
        """Whether a fact begins in the time asked about; one that is open there began at no known time."""
        return fact.holds_from > ALWAYS and self.at[0] <= fact.holds_from < self.at[1]

    def ends(self, fact: Fact) -> bool:
        """Whether a fact ends in the time asked about: its end is the first second after it."""
        return fact.holds_to < FOREVER and self.at[0] < fact.holds_to <= self.at[1]


def _may_tell(fact: Fact, cue: Cue, ground: Ground) -> bool:
    """What began or ended is only known to have done so where there is a date of it."""
    if cue.is_over:
        return fact.holds_to < FOREVER
    timeless = ground.cues.is_timeless(cue.predicate)
    return cue.tells != "starts" or timeless or fact.valid.start.shown is not None


def is_told_as(hop: Hop, cues: Cues) -> bool:
    """Whether notes tell a fact of a step with the noun that was asked for, where others would say something else.

    Who is told of as a sibling may be no brother.
    """
    noun = cues.singular(hop.noun)
    if not cues.apart(noun):
        return True
    return any(
        noun in {cues.singular(word) for word in re.findall(r"[^\W\d_]+", each.quote)}
        for fact in hop.facts
        for each in fact.evidence
    )


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
