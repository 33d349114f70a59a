"""From beliefs to the rows that record them: what closes, what opens, what only gained or lost evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgmem.beliefs.fold import Belief, believe
from kgmem.beliefs.revision import RuleOf
from kgmem.model import Claim, Fact, Id, Instant, identify


@dataclass(frozen=True, slots=True)
class Refolded:
    """The difference that a fold makes to the open rows."""

    closed: tuple[Id, ...]
    opened: tuple[Fact, ...]
    supported: tuple[tuple[Id, tuple[Id, ...]], ...]
    """(open fact, all claims it rests on): only its evidence changed."""


def refold(
    slots: Iterable[Id],
    claims: Mapping[Id, Sequence[Claim]],
    held: Mapping[Id, Sequence[Fact]],
    rule_of: RuleOf,
    now: Instant,
) -> Refolded:
    """Fold slots again and compare with the open rows; rows that did not change are not touched.

    Args:
        slots: the slots that a transaction touched.
        claims: their claims that are in the fold, after the transaction.
        held: their open facts, before it.
        rule_of: the rule of a predicate.
        now: the transaction's recorded instant.
    """
    closed: list[Id] = []
    opened: list[Fact] = []
    supported: list[tuple[Id, tuple[Id, ...]]] = []
    for slot in slots:
        voices = claims.get(slot, ())
        rows = {_content(fact): fact for fact in held.get(slot, ())}
        for belief in believe(voices, rule_of(voices[0].predicate)) if voices else ():
            row = rows.pop(_content(belief), None)
            if row is None:
                opened.append(_fact(slot, voices[0], belief, now))
            elif row.evidence != belief.evidence:
                supported.append((row.id, belief.evidence))
        closed += [fact.id for fact in rows.values()]
    return Refolded(tuple(closed), tuple(opened), tuple(supported))


def _content(row: Belief | Fact) -> object:
    """What a row says; its evidence may come and go beneath it."""
    return (
        row.object, row.value, row.valid, row.holds_from, row.holds_to, row.statement, row.confidence, row.rivals
    )  # fmt: skip


def _fact(slot: Id, voice: Claim, belief: Belief, now: Instant) -> Fact:
    target = belief.object or belief.value
    return Fact(
        id=identify("fact", slot, target, belief.holds_from, belief.holds_to, now),
        slot=slot,
        subject=voice.subject,
        predicate=voice.predicate,
        object=belief.object,
        value=belief.value,
        statement=belief.statement,
        valid=belief.valid,
        holds_from=belief.holds_from,
        holds_to=belief.holds_to,
        confidence=belief.confidence,
        evidence=belief.evidence,
        rivals=belief.rivals,
        recorded_at=now,
    )
