"""`believe`: from the live claims of one slot to the intervals that hold.

Pure: no store, no clock, and no dependence on the order of its input. In three steps:

1. each claim covers a *span* of world time, as far as it says so itself;
2. what says "ended" cuts the spans of its value;
3. spans of one value are joined (a multi-valued slot), or spans of different values compete (a
   single-valued slot).

An *undated* claim (no date stated, and its note has none) says that something holds now. It supports the
latest interval of its value. Against other values it never invents a date of change: it gives way to a
stated start, follows a closed interval, and follows what an older note merely noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from kgmem.beliefs.contest import Held, contest
from kgmem.beliefs.slots import Rule
from kgmem.beliefs.spans import Span, cut, is_undated, join, span_of
from kgmem.model import ALWAYS, FOREVER, UNKNOWN, Claim, ClaimKind, Id, Period


@dataclass(frozen=True, slots=True)
class Belief:
    """One value of a slot and one world interval ``[holds_from, holds_to)`` in which it holds."""

    object: Id | None
    value: str | None
    valid: Period
    holds_from: int
    holds_to: int
    statement: str
    confidence: float
    evidence: tuple[Id, ...]
    """The claims it rests on, sorted."""
    rivals: tuple[Id, ...] = ()
    """Claims of the same world date, or undated, that say otherwise, sorted."""


def believe(claims: Iterable[Claim], rule: Rule) -> tuple[Belief, ...]:
    """The intervals that the claims of one slot, taken together, say to hold; by start, then value.

    Args:
        claims: those asserted or replaced; none withdrawn. All of one slot.
        rule: what the ontology says of the slot's predicate.

    Returns:
        Intervals that are never empty. Under a single-valued rule no two overlap.
    """
    sound = sorted((claim for claim in claims if not claim.valid.empty), key=lambda claim: claim.id)
    if len(sound) == 1 and sound[0].kind is ClaimKind.HOLDS:
        return _alone(sound[0])
    holding = [claim for claim in sound if claim.kind is ClaimKind.HOLDS and claim.target is not None]
    undated = [claim for claim in holding if is_undated(claim)]
    dated = [span for claim in holding if not is_undated(claim) for span in span_of(claim)]
    spans = cut(dated, [claim for claim in sound if claim.kind is ClaimKind.ENDS])
    held = contest(spans, undated) if rule.single else _gather(spans, undated)
    beliefs = (_belief(each) for each in held)
    return tuple(sorted(beliefs, key=lambda belief: (belief.holds_from, belief.object or "", belief.value or "")))


def _alone(claim: Claim) -> tuple[Belief, ...]:
    """What the only claim of a slot comes to: most slots have no other."""
    if claim.target is None:
        return ()
    if is_undated(claim):
        return (_belief(Held(Span(claim.target, ALWAYS, FOREVER, UNKNOWN, UNKNOWN, (claim,)))),)
    return tuple(_belief(Held(span)) for span in span_of(claim))


def _gather(spans: Iterable[Span], undated: Sequence[Claim]) -> list[Held]:
    """Each value for itself: its spans joined, its undated claims with the latest of them."""
    joined: dict[str, list[Span]] = {
        target: join(group) for target, group in groupby(sorted(spans, key=_target), key=_target)
    }
    for target, claims in groupby(sorted(undated, key=_of), key=_of):
        own = joined.setdefault(target, [])
        if not own:
            own.append(Span(target, ALWAYS, FOREVER, UNKNOWN, UNKNOWN, ()))
        own[-1] = replace(own[-1], claims=(*own[-1].claims, *claims))
    return [Held(span) for own in joined.values() for span in own]


def _target(span: Span) -> str:
    return span.target


def _of(claim: Claim) -> str:
    return claim.target or ""


def _belief(held: Held) -> Belief:
    span = held.span
    voice = max(
        (claim for claim in span.claims),
        key=lambda claim: (
            claim.kind is ClaimKind.HOLDS,
            claim.confidence,
            claim.valid.start.moment is not None,
            claim.id,
        ),
    )
    return Belief(
        object=voice.object,
        value=voice.value,
        valid=Period(span.begin, span.end),
        holds_from=span.start,
        holds_to=span.past,
        statement=voice.statement,
        confidence=max(claim.confidence for claim in span.claims),
        evidence=tuple(sorted({claim.id for claim in span.claims})),
        rivals=tuple(sorted({claim.id for claim in held.rivals})),
    )
