"""`believe`: from the live claims of one slot to the intervals that hold.

Pure: no store, no clock, and no dependence on the order of its input. In these steps:

0. what a person denied is left out;
1. each claim covers a *span* of world time, as far as it says so itself;
2. what says "ended" cuts the spans of its value, and what was said during a stated period ends with it;
3. spans of one value are joined (a multi-valued slot), or spans of different values compete (a
   single-valued slot).

An *undated* claim (no date stated, and its note has none) says that something holds now. It supports the
latest interval of its value. Against other values it never invents a date of change: it gives way to a
stated start, follows a closed interval, and follows what an older note merely noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from kgmem.beliefs.contest import Held, contest
from kgmem.beliefs.slots import Rule
from kgmem.beliefs.spans import Span, cut, give_way, is_undated, join, run_out, says_until, span_of
from kgmem.model import ALWAYS, CORRECTION, FOREVER, UNDATED, UNKNOWN, Claim, ClaimKind, Id, Period


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
    if any(claim.kind is ClaimKind.DENIES for claim in sound):
        sound = _undenied(sound)
    if len(sound) == 1 and sound[0].kind is ClaimKind.HOLDS:
        return _alone(sound[0])
    endings: list[Claim] = []
    undated: list[Claim] = []
    dated: list[Span] = []
    for claim in sound:
        if claim.kind is not ClaimKind.HOLDS or says_until(claim):
            endings.append(claim)
        elif is_undated(claim):
            undated.append(claim)
        elif span := span_of(claim):
            dated.append(span)
    yielded, left = give_way(undated, endings)
    spans = run_out(cut(dated, endings)) + yielded
    if rule.single:
        return tuple(map(_belief, contest(spans, left)))
    beliefs = map(_belief, _gather(spans, left))
    return tuple(sorted(beliefs, key=lambda belief: (belief.holds_from, belief.object or "", belief.value or "")))


def _undenied(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of values that nobody denied, and what a correction says that is not older than the denial."""
    denied: dict[str | None, int] = {}
    for claim in claims:
        if claim.kind is ClaimKind.DENIES:
            denied[claim.target] = max(claim.ranked_at, denied.get(claim.target, claim.ranked_at))
    return [
        claim
        for claim in claims
        if claim.kind is not ClaimKind.DENIES
        and (claim.target not in denied or (claim.rung == CORRECTION and claim.ranked_at >= denied[claim.target]))
    ]


def _alone(claim: Claim) -> tuple[Belief, ...]:
    """What the only claim of a slot comes to: most slots have no other, so it is spelled out."""
    if claim.target is None:
        return ()
    start, past, valid = ALWAYS, FOREVER, UNDATED
    if not is_undated(claim):
        span = span_of(claim)
        if span is None:
            return ()
        start, past, valid = span.start, span.past, Period(span.begin, span.end)
    return (
        Belief(claim.object, claim.value, valid, start, past, claim.statement, claim.confidence, (claim.id,)),
    )  # fmt: skip


def _gather(spans: Iterable[Span], undated: Sequence[Claim]) -> list[Held]:
    """Each value for itself: its spans joined, its undated claims with the latest of them."""
    joined: dict[str, list[Span]] = {
        target: join(group) for target, group in groupby(sorted(spans, key=_target), key=_target)
    }
    for target, claims in groupby(sorted(undated, key=_of), key=_of):
        own = joined.setdefault(target, [])
        if not own:
            own.append(Span(target, ALWAYS, FOREVER, UNKNOWN, UNKNOWN, ()))
        own[-1] = own[-1].resting_on((*own[-1].claims, *claims))
    return [Held(span) for own in joined.values() for span in own]


def _target(span: Span) -> str:
    return span.target


def _of(claim: Claim) -> str:
    return claim.target or ""


def _telling(claim: Claim) -> tuple[bool, float, bool, Id]:
    """Which claim of an interval words it."""
    return claim.kind is ClaimKind.HOLDS, claim.confidence, claim.valid.start.moment is not None, claim.id


def _belief(held: Held) -> Belief:
    span = held.span
    voice, confidence = span.claims[0], span.claims[0].confidence
    evidence: tuple[Id, ...] = (voice.id,)
    if len(span.claims) > 1:
        voice = max(span.claims, key=_telling)
        confidence = max(claim.confidence for claim in span.claims)
        evidence = tuple(sorted({claim.id for claim in span.claims}))
    return Belief(
        object=voice.object,
        value=voice.value,
        valid=Period(span.begin, span.end),
        holds_from=span.start,
        holds_to=span.past,
        statement=voice.statement,
        confidence=confidence,
        evidence=evidence,
        rivals=tuple(sorted({claim.id for claim in held.rivals})) if held.rivals else (),
    )
