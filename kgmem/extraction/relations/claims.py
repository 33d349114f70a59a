"""From a matched phrase to claims: of whom, of what, and for which period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from kgmem.extraction.dates import Expression
from kgmem.extraction.ontology import UNTYPED, Ontology, Predicate, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, MentionProposal, Ref
from kgmem.extraction.relations.matching import Filled, Match
from kgmem.extraction.relations.subjects import Subject
from kgmem.extraction.relations.tokens import Sentence
from kgmem.extraction.relations.wordings import Slot
from kgmem.extraction.relations.words import BE
from kgmem.model import UNDATED, AliasKind, Basis, Bound, ClaimKind, EntityType, Moment, Period

_RUNG: Final = "sentences"
_CONFIDENCE: Final = 0.8
_PERSON: Final = Typing(EntityType.PERSON, None, Rank.RANGE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands, and what its note says."""

    block: int
    line: int
    quote: str
    said: Bound
    title: str
    owner: str | None
    person: bool
    """The note is about somebody."""
    anchor: date | None


@dataclass(frozen=True, slots=True)
class End:
    """One end of a claim: a reference, what the note is about, or text."""

    name: str
    ref: Ref | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What a phrase tells of its object: that it holds in a period, or ended."""

    kind: ClaimKind
    valid: Period
    said: Bound
    gone: Period | None = None
    """When that ended which gave way to it, if it is said apart."""


class Claims:
    """Collects what the sentences of a document say."""

    def __init__(self, ontology: Ontology, roles: Predicate | None) -> None:
        self._predicates = ontology.predicates
        self._roles = roles
        self.claims: list[ClaimProposal] = []
        self.mentions: list[MentionProposal] = []

    def add(self, sentence: Sentence, match: Match, place: Place) -> bool:
        """Take in a match; gives whether it came to a claim."""
        told = tell(sentence, match, place)
        again = match.again
        filled = match.filled if again is None else again.filled
        if told is None:
            return False
        first = match.pattern.first
        subjects = [self._subject(sentence, each, first, match, place) for each in match.who.subjects]
        others = {each.slot.letter: self._filled(sentence, each, match, place) for each in filled}
        before = len(self.claims)
        if "b" in others and again is None:
            others["o"] = subjects.pop() or End(place.title)
        for subject in subjects:
            if subject is not None:
                # What an ending leaves unsaid was said in the slots of the phrase before.
                letter = first.letter if again is None else again.pattern.first.letter
                self._say(match, {**others, letter: subject}, told, place)
        return len(self.claims) > before

    def _say(self, match: Match, ends: dict[str, End], told: Told, place: Place) -> None:
        predicate = match.pattern.predicate
        subject = ends.get("s")
        target = next((ends[letter] for letter in "ovd" if letter in ends), None)
        if subject is None or (subject.ref is None and subject.value is not None):
            return
        role = ends.get("r")
        if target is not None:
            doubtful = any(slot.known for slot in _slots(match))
            self.claims += _claim(predicate, subject, target, told, place, doubtful=doubtful)
            gone = ends.get("x")
            if gone is not None and told.kind is ClaimKind.HOLDS:
                ended = Told(ClaimKind.ENDS, told.gone or Period(end=told.valid.start), place.said)
                self.claims += _claim(predicate, subject, gone, ended, place)
            self._oppose(predicate, subject, target, told, place)
        elif role is not None:
            self.claims += _claim(predicate, subject, role, told, place)
            return
        if role is not None and self._roles is not None and told.kind is ClaimKind.HOLDS:
            self.claims += _claim(self._roles, subject, role, told, place)

    def _oppose(self, predicate: Predicate, subject: End, target: End, told: Told, place: Place) -> None:
        """Who begins to hate what they loved no longer loves it."""
        opposite = self._predicates.get(predicate.opposite or "")
        if opposite is not None and told.kind is ClaimKind.HOLDS:
            since = told.valid.start if told.valid.start.moment else place.said
            self.claims += _claim(opposite, subject, target, Told(ClaimKind.YIELDS, UNDATED, since), place)

    # -- the ends

    def _subject(self, sentence: Sentence, subject: Subject, slot: Slot, match: Match, place: Place) -> End | None:
        if subject.owner:
            if place.owner is None:
                return None
            ref = Ref(place.owner, AliasKind.TEXT, None, _PERSON)
            self._mention(sentence, subject.first, subject.end, ref, place)
            return End(place.owner, ref)
        if subject.is_note:
            return End(place.title)
        named = self._named(sentence, subject.first, subject.end, match.pattern.types(slot), place)
        known = sentence.tokens[subject.first].name
        if place.person and known is None and _is_short_for(named.name, place.title):
            self.mentions.pop()
            return End(place.title)
        return named

    def _filled(self, sentence: Sentence, filled: Filled, match: Match, place: Place) -> End:
        slot = filled.slot
        if slot.letter == "b":
            return End("")
        text = sentence.text(filled.first, filled.end)
        token = sentence.tokens[filled.first]
        if slot.letter == "d" and token.date is not None:
            day = str(token.date.period.start.moment)
            return End(day, None, day)
        types = match.pattern.types(slot)
        textual = slot.letter == "r" or (slot.letter == "v" and token.kind != "name")
        if textual or (slot.letter == "o" and not types):
            return End(text, None, text)
        return self._named(sentence, filled.first, filled.end, types, place)

    def _named(self, sentence: Sentence, first: int, end: int, types: Sequence[EntityType], place: Place) -> End:
        token = sentence.tokens[first]
        if token.name is not None and token.name.known and end == first + 1:
            ref = token.name.ref
            if token.name.link:
                ref = replace(ref, typing=_typing(types))
            return End(ref.name, ref)
        ref = Ref(sentence.text(first, end), AliasKind.TEXT, None, _typing(types))
        self._mention(sentence, first, end, ref, place)
        return End(ref.name, ref)

    def _mention(self, sentence: Sentence, first: int, end: int, ref: Ref, place: Place) -> None:
        start, past = sentence.tokens[first].start, sentence.tokens[end - 1].end
        surface = sentence.prose[start:past]
        self.mentions.append(MentionProposal(place.block, ref, start, past, surface, _RUNG))


def _is_short_for(name: str, title: str) -> bool:
    """Whether a note about Anna Berg means her by "Anna"."""
    return set(name.casefold().split()) <= set(title.casefold().split())


def _slots(match: Match) -> tuple[Slot, ...]:
    return (match.pattern.first, *(each.slot for each in match.filled))


def _typing(types: Sequence[EntityType]) -> Typing:
    """The type that a predicate expects; of several the first, which is a weaker hint."""
    return Typing(types[0], None, Rank.RANGE if len(types) == 1 else Rank.LIKELY) if types else UNTYPED


def _claim(
    predicate: Predicate, subject: End, target: End, told: Told, place: Place, *, doubtful: bool = False
) -> Iterator[ClaimProposal]:
    is_note = target.ref is None and target.value is None
    yield ClaimProposal(
        block=place.block,
        predicate=predicate.name,
        subject=subject.ref,
        object=target.ref,
        value=target.value,
        statement=predicate.statement(subject.name, target.name),
        quote=place.quote,
        line=place.line,
        valid=told.valid,
        said=told.said,
        kind=told.kind,
        symmetric=predicate.symmetric,
        object_is_note=is_note,
        rung=_RUNG,
        confidence=_CONFIDENCE,
        domain=predicate.domain,
        range=predicate.range,
        without=predicate.without,
        doubtful=doubtful,
    )


# -- time


def tell(sentence: Sentence, match: Match, place: Place) -> Told | None:
    """Whether a phrase says that something holds or ended, and when; None if it says neither for sure."""
    dates = [token.date for index in match.dates if (token := sentence.tokens[index]).date is not None]
    expression = _one(dates)
    if dates and expression is None:
        return None
    aspect, tells = match.verb.aspect, match.pattern.tells
    if tells == "says" and aspect in {"begun", "ended"}:
        tells = "starts" if aspect == "begun" else "ends"
    if tells != "says" and not _settled(match, expression, place, tells):
        return None
    if tells == "starts":
        gone = _one([token.date for index in match.gone if (token := sentence.tokens[index]).date is not None])
        return Told(ClaimKind.HOLDS, _starting(expression), place.said, _ending(gone) if gone else None)
    if tells == "ends":
        return Told(ClaimKind.ENDS, _ending(expression), place.said)
    return _state(match, expression, place)


def _settled(match: Match, found: Expression | None, place: Place, tells: str) -> bool:
    """Whether a change is told as one, with a date that is its own or with none.

    "Ada joins Acme" is a headline or a plan. "Leaves at the end of January" lies ahead, and the nearest end of January
    does not.
    """
    if match.verb.aspect == "present" and not _stative(match):
        return found is not None and not _beside(found, tells) and not _gone_by(found, place.anchor)
    return found is None or not _beside(found, tells)


def _gone_by(found: Expression, anchor: date | None) -> bool:
    if anchor is None:
        return False
    end = (found.period.end if found.period.end.moment else found.period.start).moment
    return end is not None and end.past <= Moment.day(anchor).first


def _beside(found: Expression, tells: str) -> bool:
    """Whether a date only bounds a change: "joined after 2019"."""
    return found.text.lower().startswith(("after", "before", "by ")) or (tells == "starts" and found.kind == "until")


def _stative(match: Match) -> bool:
    """Whether a form of "is" stands there, or is left out: that tells of no plan."""
    return match.pattern.tense == "bare" or match.pattern.rest[0] in BE


def _one(dates: Sequence[Expression]) -> Expression | None:
    """The one date of a phrase; "since … until …" make one, other pairs leave it open which is meant."""
    if len(dates) == 2 and {each.kind for each in dates} == {"since", "until"}:  # noqa: PLR2004
        since, until = sorted(dates, key=lambda each: each.kind)
        return replace(since, kind="range", period=Period(since.period.start, until.period.end))
    return dates[0] if len(dates) == 1 else None


def _starting(found: Expression | None) -> Period:
    if found is None:
        return UNDATED
    return found.period if found.kind == "range" else Period(start=found.period.start)


def _ending(found: Expression | None) -> Period:
    if found is None:
        return UNDATED
    return Period(end=found.period.start if found.kind == "since" else found.period.end)


def _state(match: Match, found: Expression | None, place: Place) -> Told | None:
    aspect = match.verb.aspect
    if match.pattern.tense == "bare" and found is None:
        aspect = "present"
    if found is None:
        return Told(ClaimKind.HOLDS, UNDATED, place.said) if aspect == "present" else _over(match, place)
    if aspect == "present" and found.kind == "point" and _covers(found, place.anchor):
        return Told(ClaimKind.HOLDS, UNDATED, place.said)
    if (aspect == "past" and found.kind == "since") or (match.pattern.tense == "bare" and found.kind == "point"):
        return None  # it began then, and nobody says when it was over, or whether
    mutual = any(each.slot.letter == "b" for each in match.filled)
    # "Ada and Bo were married in 1999" tells of the day.
    valid = Period(start=found.period.start) if mutual and found.kind == "point" else found.period
    return Told(ClaimKind.HOLDS, valid, place.said)


def _over(match: Match, place: Place) -> Told | None:
    """What was, at no date: over by the time of the note, which orders it and is not shown.

    Of a predicate that holds one value it says nothing: where it belongs among the others nobody can tell.
    """
    timeless = any(each.slot.letter in "vr" for each in match.filled)
    if match.pattern.predicate.one or timeless or place.said.moment is None:
        return None
    return Told(ClaimKind.ENDS, UNDATED, Bound(place.said.moment, Basis.FILE))


def _covers(found: Expression, anchor: date | None) -> bool:
    start, end = found.period.start.moment, found.period.end.moment
    if anchor is None or start is None or end is None:
        return False
    day = Moment.day(anchor)
    return start.first <= day.first and day.past <= end.past
