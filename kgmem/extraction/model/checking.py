"""Holding what a model told against the text: of a claim that the passage does not bear out, nothing is left.

A claim stands if its quote stands in one sentence of the passage, white space aside, and that sentence states it; if
both of its ends are named in the passage, or by the note before it, and one of them where the quote is; if its
predicate is one of ours, and takes what its ends are known to be; and if its dates are words of the passage that
kgmem's own grammar reads as dates. A date is never taken from the model:
it only points to the words. So the same reply comes to the same claims whenever the passage is read again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kgmem.extraction.model.passage import Dropped, DroppedError, Passage
from kgmem.extraction.model.prompt import askable
from kgmem.extraction.model.replies import Told
from kgmem.extraction.ontology import UNTYPED, Ontology, Predicate, Rank, Typing
from kgmem.extraction.proposal import ClaimProposal, MentionProposal, Ref
from kgmem.extraction.relations.framing import is_tale
from kgmem.model import BY_MODEL, UNDATED, AliasKind, ClaimKind, EntityType
from kgmem.resolution.names import name_key
from kgmem.sources.document import Document

CONFIDENCE: Final = 0.6
"""Below that of what a sentence says by its form."""
_LONGEST_VALUE: Final = 80
_TOLD_APART: Final = {EntityType.PERSON, EntityType.LOCATION}
_FIRST_PERSON: Final = re.compile(r"\b(?:I|me|my|we|our|myself)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of a reply."""

    claims: tuple[ClaimProposal, ...]
    dropped: Mapping[Dropped, int]


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a claim: a reference, what the note is about, or words."""

    name: str
    ref: Ref | None = None
    value: str | None = None
    is_note: bool = False
    spans: tuple[tuple[int, int], ...] = ()
    """Where the passage names it."""
    new: bool = False
    """No better rung found it."""


class Checker:
    """Holds what was told of the passages of one document against them."""

    def __init__(
        self, document: Document, typing: Typing, ontology: Ontology, mentions: Sequence[MentionProposal]
    ) -> None:
        """Args as those of `kgmem.extraction.ladder.extract`; `mentions` are those that better rungs found."""
        self._document = document
        self._typing = typing
        self._tale = is_tale(document.head, typing)
        self._owner = ontology.owner
        self._predicates = askable(ontology)
        self._mentions = sorted(mentions, key=lambda each: (each.block, each.start))

    def check(self, index: int, told: Sequence[Told]) -> Checked:
        """What is left of what was told of one block."""
        passage = Passage(self._document, index)
        dropped: Counter[Dropped] = Counter()
        claims = []
        for each in told:
            try:
                claims.append(self._claim(passage, each))
            except DroppedError as drop:
                dropped[drop.why] += 1
        return Checked(tuple(claims), dropped)

    def _claim(self, passage: Passage, told: Told) -> ClaimProposal:
        predicate = self._predicates.get(told.predicate.strip().upper().replace(" ", "_"))
        if predicate is None:
            raise DroppedError(Dropped.PREDICATE)
        start, end = passage.find(told.quote)
        around = passage.sentences.bounds(start, end)
        invented = self._tale and EntityType.PERSON in predicate.domain
        if invented or not passage.states(around, told, (start, end)):
            raise DroppedError(Dropped.STATED)
        subject = self._named(passage, told.subject, predicate.domain, around)
        target = self._object(passage, told.object, predicate, around)
        if subject is None or subject.value is not None:
            raise DroppedError(Dropped.SUBJECT)
        same = target is not None and (subject.is_note, subject.ref) == (target.is_note, target.ref)
        if target is None or same or not (_within(subject, around) or _within(target, around)):
            raise DroppedError(Dropped.OBJECT)
        if self._clashes(subject, predicate.domain) or self._clashes(target, predicate.range):
            raise DroppedError(Dropped.TYPE)
        kind, valid = passage.period(told)
        return ClaimProposal(
            block=passage.index, predicate=predicate.name, subject=subject.ref, object=target.ref, value=target.value,
            statement=predicate.statement(subject.name, target.name),
            quote=passage.sentences.around(start, end), line=passage.prose.count("\n", 0, start), valid=valid,
            said=predicate.said(self._document.said(passage.block)), kind=kind, symmetric=predicate.symmetric,
            object_is_note=target.is_note, rung=BY_MODEL, confidence=CONFIDENCE, domain=predicate.domain,
            range=predicate.range, without=predicate.without,
            names=tuple(_mentions_of(passage.index, passage.prose, (subject, target))),
        )  # fmt: skip

    # -- the ends

    def _object(self, passage: Passage, name: str, predicate: Predicate, around: tuple[int, int]) -> _End | None:
        if predicate.range:
            return self._named(passage, name, predicate.range, around)
        if not passage.spans(name) or len(name) > _LONGEST_VALUE:
            return None
        dates = [each for each in passage.dates if name in each.text]
        day = str(dates[0].period.start.moment) if len(dates) == 1 and dates[0].period.start.moment else None
        return _End(day or name, value=day or name, spans=passage.spans(name))

    def _named(self, passage: Passage, name: str, types: Sequence[EntityType], around: tuple[int, int]) -> _End | None:
        """Whom a name means; None if neither the passage nor the note before it says the name."""
        key = name_key(name)
        spans = passage.spans(name)
        if self._is_about(key):
            return _End(self._document.head.title, is_note=True, spans=spans)
        known = self._known(passage.index, key)
        if known is not None:
            mention, here = known
            return _End(mention.ref.name, mention.ref, spans=spans or ((mention.start, mention.end),) if here else ())
        if self._is_owner(key) and (spans or _FIRST_PERSON.search(passage.prose, *around)):
            return _End(name, _ref(self._owner or name, (EntityType.PERSON,), Rank.RANGE), spans=spans or (around,))
        if not spans or not _is_name(name):
            return None
        return _End(name, _ref(name, types, Rank.GUESS), spans=spans, new=True)

    def _clashes(self, end: _End, types: Sequence[EntityType]) -> bool:
        """Whether an end is known to be of none of some types. A recognizer that guesses tells places from persons."""
        typing = self._typing if end.is_note else end.ref.typing if end.ref is not None else UNTYPED
        if not types or end.new or typing.type in types:
            return False
        if typing.rank is Rank.GUESS:
            return {typing.type, *types} == _TOLD_APART
        return typing.rank < Rank.GUESS

    def _is_about(self, key: str) -> bool:
        """Whether a name is that of what the note is about, if somebody said what that is: a day is no such thing."""
        if self._typing.rank > Rank.FOLDER or self._document.daily:
            return False
        head = self._document.head
        return key in {name_key(name) for name in (head.title, *head.aliases)}

    def _is_owner(self, key: str) -> bool:
        return self._owner is not None and key in {name_key(self._owner), "i", "me"}

    def _known(self, index: int, key: str) -> tuple[MentionProposal, bool] | None:
        """(a mention of that name, whether it stands in the passage itself): there first, then nearest before it."""
        found = [
            each
            for each in self._mentions
            if each.block <= index and key in (name_key(each.surface), name_key(each.ref.name))
        ]
        here = [each for each in found if each.block == index]
        return (here[0], True) if here else (found[-1], False) if found else None


def _within(end: _End, around: tuple[int, int]) -> bool:
    return any(around[0] <= start < around[1] for start, _ in end.spans)


def _is_name(name: str) -> bool:
    """Whether words can be a name that nobody gave yet: "the company" is none."""
    return any(sign.isalpha() for sign in name) and not name[0].islower() and len(name) <= _LONGEST_VALUE


def _ref(name: str, types: Sequence[EntityType], rank: Rank) -> Ref:
    """A name that a predicate types, where it takes one type alone."""
    typing = Typing(types[0], None, rank) if len(types) == 1 else UNTYPED
    return Ref(name, AliasKind.TEXT, None, typing)


def _mentions_of(index: int, prose: str, ends: Sequence[_End]) -> Iterator[MentionProposal]:
    """The mentions of names that nobody found before."""
    for end in ends:
        if end.new and end.ref is not None:
            for start, past in end.spans:
                yield MentionProposal(index, end.ref, start, past, prose[start:past], BY_MODEL)


def said_anew(claims: Sequence[ClaimProposal], better: Sequence[ClaimProposal], title: str) -> list[ClaimProposal]:
    """The claims that no better rung made of the same passage, each once; and those that agree with one it made."""
    known: dict[object, list[ClaimProposal]] = {}
    for claim in better:
        if claim.kind in {ClaimKind.HOLDS, ClaimKind.ENDS}:
            known.setdefault(_saying(claim, title), []).append(claim)
    fresh: dict[object, ClaimProposal] = {}
    for claim in claims:
        saying = _saying(claim, title)
        if all(each.kind is claim.kind and claim.valid in {UNDATED, each.valid} for each in known.get(saying, ())):
            fresh.setdefault((saying, claim.kind), claim)
    return list(fresh.values())


def _saying(claim: ClaimProposal, title: str) -> object:
    subject = claim.subject.name if claim.subject else title
    target = title if claim.object_is_note else claim.object.name if claim.object else claim.value or ""
    pair = (name_key(subject), name_key(target))
    return claim.block, claim.predicate, tuple(sorted(pair)) if claim.symmetric else pair
