"""A person's word against their notes: a source of its own, so that it outlives every ingest, and can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from kgmem.beliefs import Revision, slot_id
from kgmem.errors import UserError
from kgmem.ingestion.intake import Intake
from kgmem.model import (
    CORRECTION,
    Alias,
    AliasKind,
    Basis,
    Bound,
    Claim,
    ClaimKind,
    Entity,
    Episode,
    Fact,
    Id,
    Instant,
    Mention,
    Moment,
    Passage,
    Period,
    Source,
    day_of,
    identify,
    show_instant,
)
from kgmem.resolution.names import name_key
from kgmem.sources.arriving import VIRTUAL

ROOT: Final = f"{VIRTUAL}corrections"
"""Where corrections are said to stand: no folder is called so."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What is so in place of a fact; what it does not say is as the fact has it."""

    wrong: bool = False
    """It never held, and nothing takes its place."""
    target: Entity | None = None
    """Another object."""
    value: str | None = None
    """Another value."""
    start: Bound | None = None
    end: Bound | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction came to."""

    source: Source
    closed: tuple[Id, ...]
    opened: tuple[Fact, ...]


def correct(intake: Intake, fact: Fact, correction: Correction) -> Corrected:
    """Record a person's correction of a fact: from now on no note says otherwise.

    Raises:
        kgmem.errors.UserError: it says what the fact says, or its period ends before it starts.
    """
    valid = Period(_or(correction.start, fact.valid.start), _or(correction.end, fact.valid.end))
    target = correction.target.id if correction.target else None if correction.value else fact.object
    value = correction.value or (None if correction.target else fact.value)
    if valid.empty:
        raise UserError("that period ends before it starts", "give --from and --to the other way round")
    if not correction.wrong and (target, value, valid) == (fact.object, fact.value, fact.valid):
        raise UserError("the fact says so already", "--value, --object, --from or --to say what is so; or --wrong")
    with intake.store.writing() as transaction:
        written = _Written(intake, fact, correction, valid, transaction.recorded_at)
        denial = replace(written.claim(fact.object, fact.value, fact.valid), kind=ClaimKind.DENIES)
        claims = [denial] if correction.wrong else [denial, written.claim(target, value, valid)]
        rule = intake.ontology.rule(fact.predicate)
        placed = tuple((slot_id(c.subject, c.predicate, c.target, rule), c) for c in claims)
        revision = Revision(placed, (), (), tuple(dict.fromkeys(slot for slot, _ in placed)))
        changes = replace(
            intake.with_beliefs(CORRECTION, transaction, revision),
            source=written.source,
            episode=written.episode,
            passages=(written.passage,),
            mentions=tuple(written.mentions()),
            entities=(correction.target,) if correction.target else (),
            aliases=tuple(written.aliases()),
            links=(),
        )
        transaction.commit(changes)
    return Corrected(written.source, changes.closed, changes.opened)


def _or(said: Bound | None, otherwise: Bound) -> Bound:
    return otherwise if said is None else said


def _dated(statement: str, valid: Period) -> str:
    ends = ((word, bound.shown) for word, bound in (("from", valid.start), ("to", valid.end)))
    return " ".join((statement.rstrip(" ."), *(f"{word} {shown}" for word, shown in ends if shown))) + "."


class _Written:
    """The source that one correction is."""

    def __init__(self, intake: Intake, fact: Fact, correction: Correction, valid: Period, at: Instant) -> None:
        self._fact, self._at, self._new = fact, at, correction.target
        known = intake.store.entities(each for each in (fact.subject, fact.object) if each)
        self._people = [*known.values(), *([correction.target] if correction.target else [])]
        target = correction.target.name if correction.target else correction.value
        old = known[fact.object].name if fact.object else fact.value
        self._says = intake.ontology.statement(fact.predicate, known[fact.subject].name, target or old or "")
        reason = correction.because.strip().rstrip(".")
        so = "" if correction.wrong else _dated(self._says, valid)
        parts = [f"Not so: {_dated(fact.statement, fact.valid)}", so, f"{reason}." if reason else ""]
        text = " ".join(part for part in parts if part)
        name = identify("source", ROOT, fact.id, at)
        path = f"correction of {show_instant(at)}"
        self.source = Source(name, CORRECTION, ROOT, path, "Correction", hash=identify(text))
        self.passage = Passage(identify("passage", name), name, CORRECTION, "", text, None, 1, 1)
        self.episode = Episode(identify("episode", name), name, self.source.hash, text, self._said)

    @property
    def _said(self) -> Bound:
        """It orders the correction among other claims; what it corrects says when it held."""
        return Bound(Moment.day(day_of(self._at)), Basis.FILE)

    def claim(self, target: Id | None, value: str | None, valid: Period) -> Claim:
        """What the correction claims of a target, or denies."""
        return Claim(
            id=identify("claim", self.source.id, target, value, valid), source=self.source.id, episode=self.episode.id,
            passage=self.passage.id, subject=self._fact.subject, predicate=self._fact.predicate, object=target,
            value=value, statement=self._says, quote=self.passage.text, line=0, valid=valid, said=self._said,
            rung=CORRECTION, recorded_at=self._at,
        )  # fmt: skip

    def mentions(self) -> Iterator[Mention]:
        """The entities that it names."""
        for each in dict.fromkeys(self._people):
            start = self.passage.text.find(each.name)
            if start >= 0:
                yield Mention(self.passage.id, each.id, start, start + len(each.name), each.name, CORRECTION)

    def aliases(self) -> Iterator[Alias]:
        """The name of the entity that takes the place of another."""
        if self._new is not None:
            one = self._new
            key = name_key(one.name)
            yield Alias(one.id, self.source.id, one.name, key, AliasKind.PROPERTY, one.type, one.subtype, one.type_rank)
