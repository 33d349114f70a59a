"""From a filled frame to claims, and to mentions of the names that only it tells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from kgmem.extraction.grammar.filling import Found
from kgmem.extraction.grammar.referents import End
from kgmem.extraction.grammar.times import Noted, Times, Told, tell
from kgmem.extraction.ontology import Ontology, Predicate
from kgmem.extraction.proposal import ClaimProposal, MentionProposal
from kgmem.extraction.relations.evidence import Evidence
from kgmem.extraction.relations.nobody import is_nobody
from kgmem.model import UNDATED, Bound, ClaimKind, EntityType, Period, Problem

RUNG: Final = "grammar"
_NAMED: Final = 0.8
"""Both ends are named."""
_MEANT: Final = 0.7
"""One of them is "she" or "the company"."""
_SAYS: Final = "SAYS"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands."""

    path: str
    block: int
    first_line: int
    line: int
    quote: str
    prose: str
    """Of the block."""
    noted: Noted


class _Said(NamedTuple):
    predicate: Predicate
    subject: End
    target: End
    told: Told


class Claims:
    """Collects what the sentences of a document say."""

    def __init__(self, ontology: Ontology, evidence: Evidence) -> None:
        self._ontology = ontology
        self._titles = ontology.roles
        self._evidence = evidence
        self.claims: list[ClaimProposal] = []
        self.mentions: list[MentionProposal] = []
        self.problems: list[Problem] = []

    def add(self, found: Found, times: Times, place: Place, speaker: End | None) -> bool:
        """Take in a frame that a sentence fills; gives whether it came to a claim.

        `speaker` is who says so, if it is not the writer.
        """
        told = tell(found, times, place.noted)
        if told is None:
            return False
        if told.valid.empty:
            line = place.first_line + place.line
            message = f"the period ends before it starts: {place.quote}"
            self.problems.append(Problem(place.path, line, "period", message, "swap the two dates"))
            return False
        dated = next((each for each in times.of(found)), None)
        before = len(self.claims)
        day = None if dated is None or dated.period.start.moment is None else str(dated.period.start.moment)
        for said in self._said(found, told, day):
            self._claim(said, place, speaker)
        for claim in self.claims[before:]:
            self._evidence.learn(claim)
        if len(self.claims) > before:
            self._mention([*chain.from_iterable(found.fills.values()), *([] if speaker is None else [speaker])], place)
        return len(self.claims) > before

    def _said(self, found: Found, told: Told, day: str | None) -> Iterator[_Said]:
        """What is claimed of whom: each subject with each object, the role that goes with them, and what gave way."""
        predicate, fills = found.frame.predicate, found.fills
        subjects = fills.get("s", ())
        if found.frame.dated:
            once = Told(told.kind, UNDATED, told.said)
            yield from (_Said(predicate, each, End(day, None, day), once) for each in subjects if day is not None)
            return
        role = fills.get("r", ())
        targets = fills.get("o") or fills.get("v") or role
        if not targets:  # two are it to each other
            subjects, targets = subjects[:1], subjects[1:]
        elif targets is not role:
            yield from self._roles(predicate, (subjects, targets), role, told)
        for subject in subjects:
            for target in targets:
                yield from self._with_opposite(predicate, subject, target, told)
            yield from self._gone(found, subject, told)

    def _roles(
        self, predicate: Predicate, ends: tuple[Sequence[End], Sequence[End]], role: Sequence[End], told: Told
    ) -> Iterator[_Said]:
        """The role that somebody has at one end or the other: who succeeds as CEO is one."""
        claimed = self._ontology.predicates.get("ROLE")
        holders = ends[0] if EntityType.PERSON in predicate.domain else ends[1]
        if claimed is not None:
            yield from (_Said(claimed, who, each, told) for who in holders for each in role)

    def _with_opposite(self, predicate: Predicate, subject: End, target: End, told: Told) -> Iterator[_Said]:
        """A liking ends a dislike if there was one; not to like something is to dislike it."""
        opposite = self._ontology.predicates.get(predicate.opposite or "")
        if told.denied and opposite is not None:
            predicate, opposite = opposite, predicate
        yield _Said(predicate, subject, target, told)
        if opposite is not None and told.kind is ClaimKind.HOLDS:
            yield _Said(opposite, subject, target, Told(ClaimKind.YIELDS, UNDATED, _since(told)))

    def _gone(self, found: Found, subject: End, told: Told) -> Iterator[_Said]:
        """What gave way: an employer ended; what something is preferred to is preferred no more, if it was."""
        if told.kind is not ClaimKind.HOLDS:
            return
        ended = Told(ClaimKind.ENDS, Period(end=told.valid.start), told.said)
        if found.frame.takes_words:
            ended = Told(ClaimKind.YIELDS, UNDATED, _since(told))
        yield from (_Said(found.frame.predicate, subject, each, ended) for each in found.fills.get("x", ()))

    def _claim(self, said: _Said, place: Place, speaker: End | None) -> None:
        predicate, subject, target, told = said
        if speaker is not None:
            self._report(said, place, speaker)
            return
        if self._is_void(subject, target):
            return
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
                object_is_note=target.ref is None and target.value is None,
                rung=RUNG,
                confidence=_confidence(subject, target),
                domain=predicate.domain,
                range=predicate.range if target.value is None else (),
                without=predicate.without,
                doubtful=target.doubtful,
                doubtful_subject=subject.doubtful,
            )
        )

    def _is_void(self, subject: End, target: End) -> bool:
        """Whether an end is nobody, or both are one."""
        if any(
            end.ref is not None and not end.known and is_nobody(end.name, self._titles) for end in (subject, target)
        ):
            return True
        return subject.value is not None or (target.value is None and subject.key == target.key)

    def _report(self, said: _Said, place: Place, speaker: End) -> None:
        """What somebody says is claimed of the speaker, and never competes with what notes themselves say."""
        says = self._ontology.predicates.get(_SAYS)
        predicate, subject, target, told = said
        if says is None or speaker.value is not None or self._is_void(subject, target):
            return
        if told.kind is ClaimKind.YIELDS or subject.doubtful or target.doubtful:
            return
        words = predicate.statement(subject.name, target.name)
        words = words if told.kind is ClaimKind.HOLDS else f"{words.rstrip('.')} no longer."
        self.claims.append(
            ClaimProposal(
                block=place.block,
                predicate=says.name,
                subject=speaker.ref,
                object=None,
                value=words,
                statement=says.statement(speaker.name, words),
                quote=place.quote,
                line=place.line,
                said=says.said(place.noted.said),
                rung=RUNG,
                confidence=_MEANT if speaker.pronoun else _NAMED,
                domain=says.domain,
                doubtful_subject=speaker.doubtful,
            )
        )

    def _mention(self, ends: Iterable[End], place: Place) -> None:
        """Mention the names of a claim that no better rung knows."""
        for end in ends:
            if end.ref is None or end.span is None or end.doubtful:
                continue
            start, past = end.span
            mention = MentionProposal(place.block, end.ref, start, past, place.prose[start:past], RUNG)
            if not any((each.block, each.start, each.end) == (place.block, start, past) for each in self.mentions):
                self.mentions.append(mention)


def _since(told: Told) -> Bound:
    return told.valid.start if told.valid.start.moment else told.said


def _confidence(subject: End, target: End) -> float:
    return _MEANT if subject.pronoun or target.pronoun else _NAMED
