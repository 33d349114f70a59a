"""From a matched phrase to claims: of whom, of what, and for which period."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from kgmem.extraction.ontology import UNTYPED, Ontology, Predicate, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, MentionProposal, Ref
from kgmem.extraction.relations.evidence import Evidence
from kgmem.extraction.relations.matching import Filled, Match
from kgmem.extraction.relations.nobody import is_nobody
from kgmem.extraction.relations.periods import Told, tell
from kgmem.extraction.relations.subjects import Subject
from kgmem.extraction.relations.tokens import Sentence
from kgmem.extraction.relations.wordings import Slot
from kgmem.extraction.structure import DATE_HINT
from kgmem.model import UNDATED, AliasKind, Bound, ClaimKind, EntityType, Period, Problem

_RUNG: Final = "sentences"
_CONFIDENCE: Final = 0.8
_FEW: Final = 8
"""Mentions that one sentence may repeat."""
_PERSON: Final = Typing(EntityType.PERSON, None, Rank.RANGE)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands, and what its note says."""

    path: str
    block: int
    first_line: int
    """Of the block, in the file."""
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
    named: tuple[int, int] | None = None
    """The tokens of a name that no mention tells of yet."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """Which ends of a claim only a note can vouch for, and what is named beside the object."""

    object: bool = False
    subject: bool = False
    witness: Ref | None = None
    names: tuple[MentionProposal, ...] = ()
    """New names, to be mentioned if it comes to a claim."""


_SURE: Final = _Doubt()


class Claims:
    """Collects what the sentences of a document say."""

    def __init__(self, ontology: Ontology, roles: Predicate | None, evidence: Evidence) -> None:
        self._predicates = ontology.predicates
        self._roles = roles
        self._titles = ontology.roles
        self._evidence = evidence
        self.claims: list[ClaimProposal] = []
        self.mentions: list[MentionProposal] = []
        self.problems: list[Problem] = []

    def add(self, sentence: Sentence, match: Match, place: Place) -> bool:
        """Take in a match; gives whether it came to a claim."""
        told = tell(sentence, match, place.said, place.anchor)
        if told is None:
            return False
        if told.valid.empty:
            self._report_period(sentence, match, place)
            return False
        again = match.again
        filled = match.filled if again is None else again.filled
        first = match.pattern.first
        ends = {each.slot.letter: self._filled(sentence, each, match) for each in filled}
        if told.kind is ClaimKind.HOLDS and not self._fits(sentence, match, ends.get("o")):
            return False
        subjects = [self._subject(sentence, each, first, match, place) for each in match.who.subjects]
        if "b" in ends and again is None:
            ends["o"] = subjects.pop() or End(place.title)
        before = len(self.claims)
        for subject in subjects:
            if subject is not None:
                # What an ending leaves unsaid was said in the slots of the phrase before.
                letter = first.letter if again is None else again.pattern.first.letter
                self._say(sentence, match, {**ends, letter: subject}, told, place)
        came = len(self.claims) > before
        if came and told.unread:
            self._report_dates(sentence, place)
        return came

    def _report_period(self, sentence: Sentence, match: Match, place: Place) -> None:
        line = place.first_line + sentence.prose.count("\n", 0, sentence.tokens[match.dates[0]].start)
        message = f"the period ends before it starts: {place.quote}"
        self.problems.append(Problem(place.path, line, "period", message, "swap the two dates"))

    def _report_dates(self, sentence: Sentence, place: Place) -> None:
        for start, end in sentence.unread:
            line = place.first_line + sentence.prose.count("\n", 0, start)
            message = f"not understood as a date: {' '.join(sentence.prose[start:end].split())!r}"
            self.problems.append(Problem(place.path, line, "date", message, DATE_HINT))

    def _say(self, sentence: Sentence, match: Match, ends: dict[str, End], told: Told, place: Place) -> None:
        predicate = match.pattern.predicate
        subject = ends.get("s")
        target = next((ends[letter] for letter in "ovd" if letter in ends), None)
        if subject is None or (subject.ref is None and subject.value is not None):
            return
        role, gone = ends.get("r"), ends.get("x")
        doubt = self._doubt(sentence, match, ends)
        if doubt is None:
            return
        names = [] if told.kind is ClaimKind.YIELDS else self._new_names(sentence, ends.values(), place)
        if doubt.object or doubt.subject:
            doubt = replace(doubt, names=tuple(names))
        else:
            self.mentions += names
        before = len(self.claims)
        if target is not None:
            self._claim(predicate, (subject, target), told, place, doubt)
            if gone is not None and told.kind is ClaimKind.HOLDS and self._may_be(sentence, gone, predicate.range):
                ended = Told(ClaimKind.ENDS, told.gone or Period(end=told.valid.start), told.said)
                witness = replace(doubt, witness=target.ref) if doubt.object else doubt
                self._claim(predicate, (subject, gone), ended, place, witness)
            self._oppose(predicate, subject, target, told, place)
        elif role is not None:
            self._claim(predicate, (subject, role), told, place, doubt)
        if target is not None and role is not None and self._roles is not None and told.kind is ClaimKind.HOLDS:
            self._claim(self._roles, (subject, role), told, place, _SURE)
        for claim in self.claims[before:]:
            self._evidence.learn(claim)

    def _oppose(self, predicate: Predicate, subject: End, target: End, told: Told, place: Place) -> None:
        """Who begins to hate what they loved no longer loves it."""
        opposite = self._predicates.get(predicate.opposite or "")
        if opposite is not None and told.kind is ClaimKind.HOLDS:
            since = told.valid.start if told.valid.start.moment else told.said
            self._claim(opposite, (subject, target), Told(ClaimKind.YIELDS, UNDATED, since), place, _SURE)

    # -- doubt

    def _fits(self, sentence: Sentence, match: Match, target: End | None) -> bool:
        """Whether a new object may be what the predicate takes, as far as other words tell: "joined Zoe Fu"."""
        if match.pattern.tells != "starts" or target is None or target.ref is None:
            return True
        if not self._may_be(sentence, target, match.pattern.predicate.range):
            return False
        return target.named is None or bool(self._shown(sentence, target)) or not _meets_somebody(sentence, match)

    def _may_be(self, sentence: Sentence, end: End, types: Sequence[EntityType]) -> bool:
        """Whether nothing shows a name to be of other types than these."""
        shown = self._shown(sentence, end)
        return not shown or not types or not shown.isdisjoint(types)

    def _doubt(self, sentence: Sentence, match: Match, ends: Mapping[str, End]) -> _Doubt | None:
        """What only a note can settle about a match; None if other words settle that it means another predicate."""
        slots = (match.pattern.first, *(each.slot for each in match.filled))
        known = any(slot.known for slot in slots)
        open_ones = {slot.letter for slot in slots if slot.open}
        subject = ends["s"].ref if "s" in open_ones else None
        if "s" in open_ones and (subject is None or subject.typing is not _PERSON):  # whoever says "I" is somebody
            shown = self._shown(sentence, ends["s"])
            return _Doubt(object=known, subject=shown.isdisjoint(match.pattern.predicate.domain))
        target, gone = ends.get("o"), ends.get("x")
        if not match.pattern.shared or target is None:
            return _Doubt(object=known)
        types = frozenset(match.pattern.predicate.range)
        told = [self._shown(sentence, end) for end in (target, gone) if end is not None]
        if any(types & each for each in told):
            return _Doubt(object=known)
        if any(told):
            return None
        return _Doubt(object=known or bool(open_ones), witness=gone.ref if gone else None)

    def _shown(self, sentence: Sentence, end: End) -> frozenset[EntityType]:
        if end.ref is None:
            return frozenset()
        first = end.named[0] if end.named else None
        name = sentence.tokens[first].name if first is not None else None
        return self._evidence.of(end.ref.name, name.ref.typing if name is not None else UNTYPED)

    def _claim(self, predicate: Predicate, ends: tuple[End, End], told: Told, place: Place, doubt: _Doubt) -> None:
        subject, target = ends
        if any(end.named is not None and is_nobody(end.name, self._titles) for end in ends):
            return
        is_note = target.ref is None and target.value is None
        self.claims.append(
            ClaimProposal(
                block=place.block,
                predicate=predicate.name,
                subject=subject.ref,
                object=target.ref,
                value=target.value,
                statement=predicate.statement(subject.name, target.name),
                quote=place.quote,
                line=place.line,
                valid=told.valid,
                said=predicate.said(told.said),
                kind=told.kind,
                symmetric=predicate.symmetric,
                object_is_note=is_note,
                rung=_RUNG,
                confidence=_CONFIDENCE,
                domain=predicate.domain,
                range=predicate.range,
                without=predicate.without,
                doubtful=doubt.object,
                witness=doubt.witness,
                doubtful_subject=doubt.subject,
                names=doubt.names,
            )
        )

    # -- the ends

    def _subject(self, sentence: Sentence, subject: Subject, slot: Slot, match: Match, place: Place) -> End | None:
        if subject.owner:
            if place.owner is None:
                return None
            ref = Ref(place.owner, AliasKind.TEXT, None, _PERSON)
            return End(place.owner, ref, named=(subject.first, subject.end))
        if subject.is_note:
            return End(place.title)
        named = self._named(sentence, subject.first, subject.end, match.pattern.types(slot), match)
        known = sentence.tokens[subject.first].name
        if named.ref is not None and named.ref.path == place.path:
            return End(place.title)
        if place.person and (known is None or not known.known) and _is_short_for(named.name, place.title):
            return End(place.title)
        return named

    def _filled(self, sentence: Sentence, filled: Filled, match: Match) -> End:
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
        return self._named(sentence, filled.first, filled.end, types, match)

    def _named(self, sentence: Sentence, first: int, end: int, types: Sequence[EntityType], match: Match) -> End:
        token = sentence.tokens[first]
        if token.name is not None and token.name.known and end == first + 1:
            ref = token.name.ref
            if token.name.link:
                ref = replace(ref, typing=expected(types))
            return End(ref.name, ref)
        typing = expected(types)
        if types and match.pattern.shared:  # the words are no proof of the type
            typing = replace(typing, rank=max(typing.rank, Rank.GUESS))
        ref = Ref(sentence.text(first, end), AliasKind.TEXT, None, typing)
        return End(ref.name, ref, named=(first, end))

    def _new_names(self, sentence: Sentence, ends: Iterable[End], place: Place) -> list[MentionProposal]:
        """Mentions of the names that no better rung knows, and that were not told of before."""
        found = []
        for end in ends:
            if end.ref is None or end.named is None:
                continue
            start, past = sentence.tokens[end.named[0]].start, sentence.tokens[end.named[1] - 1].end
            mention = MentionProposal(place.block, end.ref, start, past, sentence.prose[start:past], _RUNG)
            if mention not in self.mentions[-_FEW:]:
                found.append(mention)
        return found


def _is_short_for(name: str, title: str) -> bool:
    """Whether a note about Anna Berg means her by "Anna"."""
    return set(name.casefold().split()) <= set(title.casefold().split())


def _meets_somebody(sentence: Sentence, match: Match) -> bool:
    """Whether "joined Zoe Fu in Bonn" may well be about two people: nothing but the verb says what the name is."""
    if len(match.pattern.rest) != 2 or EntityType.ORGANIZATION not in match.pattern.predicate.range:  # noqa: PLR2004
        return False
    last = match.filled[-1]
    after = sentence.at(last.end + 1)
    named = after is not None and (after.kind == "name" or after.text[:1].isalpha())
    return named and not last.slot.having and sentence.word(last.end) in {"in", "at", "for", "on"}


def expected(types: Sequence[EntityType]) -> Typing:
    """The type that a predicate expects; of several the first, which is a weaker hint."""
    return Typing(types[0], None, Rank.RANGE if len(types) == 1 else Rank.LIKELY) if types else UNTYPED
