"""The first two steps of the fold: what world time each claim covers, and where endings cut it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kgmem.model import ALWAYS, FOREVER, UNKNOWN, Basis, Bound, Claim, ClaimKind, Id

_DATING = frozenset({Basis.NOTE, Basis.OBSERVED})
"""Bases on which a claim that states no date starts at the date it was said."""


class Span(NamedTuple):
    """World seconds ``[start, past)`` that claims of one value cover, with both ends as they were given.

    A tuple, for a fold makes three for each claim.
    """

    target: str
    start: int
    past: int
    begin: Bound
    end: Bound
    claims: tuple[Claim, ...]

    @property
    def rank(self) -> tuple[int, int, str, Id]:
        """Which of two spans wins an instant that both cover: the later start, then the later recorded."""
        last = self.claims[0]
        for claim in self.claims[1:]:
            if (claim.ranked_at, claim.id) > (last.ranked_at, last.id):
                last = claim
        return self.start, last.ranked_at, self.target, last.id

    def until(self, past: int, end: Bound) -> Span:
        """The same, with another end."""
        return Span(self.target, self.start, past, self.begin, end, self.claims)

    def resting_on(self, claims: Iterable[Claim]) -> Span:
        """The same, on other claims."""
        own = tuple(claims)
        return self if own == self.claims else Span(self.target, self.start, self.past, self.begin, self.end, own)


def is_undated(claim: Claim) -> bool:
    """Whether neither the claim, nor an edit, nor its note gives it a world date."""
    dated = claim.valid.start.moment or claim.valid.end.moment or claim.replaced
    return dated is None and (claim.said.basis not in _DATING or claim.said.moment is None)


def span_of(claim: Claim) -> Span | None:
    """The world time that a dated HOLDS claim covers by itself; None if that is empty."""
    begin, end = claim.valid.start, claim.valid.end
    if begin.moment is None and end.moment is None and claim.said.basis in _DATING:
        begin = claim.said
    start = ALWAYS if begin.moment is None else begin.moment.first
    past = FOREVER if end.moment is None else end.moment.past
    if claim.replaced and claim.replaced.moment and claim.replaced.moment.first < past:
        end, past = claim.replaced, claim.replaced.moment.first
    return Span(claim.target or "", start, past, begin, end, (claim,)) if start < past else None


def cut(spans: Iterable[Span], endings: Iterable[Claim]) -> list[Span]:
    """End open spans at the first ending of their value after they start.

    Endings are ENDS claims, and claims that say "until" and not since when: what began in 2010, and held until 2020, is
    one stay. An ending of a named value before which nothing began still tells that the value held until then, unless
    it only yields.
    """
    endings = tuple(endings)
    if not endings:
        return list(spans)
    by_target: dict[str, list[Span]] = defaultdict(list)
    for span in spans:
        by_target[span.target].append(span)
    nameless = [claim for claim in endings if claim.target is None]
    named: dict[str, list[Claim]] = defaultdict(list)
    for claim in endings:
        if claim.target is not None:
            named[claim.target].append(claim)
    return [
        span
        for target in sorted({*by_target, *named})
        for span in _cut_one(target, by_target[target], named[target] + nameless)
    ]


def _cut_one(target: str, spans: Sequence[Span], endings: Sequence[Claim]) -> list[Span]:
    ends = sorted(((*_end_of(claim), claim) for claim in endings), key=lambda end: (end[0], end[2].id))
    places = [place for place, _, _ in ends]
    done, used = [], set()
    for span in spans:
        index = bisect_right(places, span.start)
        if span.past == FOREVER and index < len(ends) and places[index] < FOREVER:
            place, bound, claim = ends[index]
            used.add(claim.id)
            done.append(span.until(place, bound).resting_on((*span.claims, claim)))
        else:
            done.append(span)
    idle = [end for end in reversed(ends) if end[2].target == target and end[2].id not in used and end[0] < FOREVER]
    return _with_idle(target, done, [end for end in idle if end[2].kind is not ClaimKind.YIELDS])


def _with_idle(target: str, spans: list[Span], idle: Sequence[tuple[int, Bound, Claim]]) -> list[Span]:
    """The spans, and what endings that cut none of them tell. `idle` is (place, bound, claim), the last one first."""
    if not idle:
        return spans
    ordered = sorted(spans, key=lambda span: (span.start, span.past, span.claims[0].id))
    starts = [span.start for span in ordered]
    resting: list[list[Claim]] = [list(span.claims) for span in ordered]
    for place, bound, claim in idle:
        before = bisect_left(starts, place)
        if not before:
            ordered.insert(0, Span(target, ALWAYS, place, UNKNOWN, bound, (claim,)))
            starts.insert(0, ALWAYS)
            resting.insert(0, [claim])
        elif claim.kind is ClaimKind.HOLDS:
            resting[before - 1].append(claim)
    return [span.resting_on(claims) for span, claims in zip(ordered, resting, strict=True)]


def run_out(spans: Sequence[Span]) -> list[Span]:
    """End open spans with the stated period of their value during which they were said.

    "Wei works at Nord" of March says nothing of May, and "Nord (2024 – 2025)" does.
    """
    stated: dict[str, list[Span]] = defaultdict(list)
    for span in spans:
        if span.past < FOREVER and span.begin.basis is Basis.STATED and span.end.basis is Basis.STATED:
            stated[span.target].append(span)
    return [_run_out(span, stated[span.target]) if span.past == FOREVER else span for span in spans]


def _run_out(span: Span, stated: Iterable[Span]) -> Span:
    said = max((claim.said.moment.first for claim in span.claims if claim.said.moment), default=None)
    if said is None:
        return span
    during = [each for each in stated if each.start <= said < each.past and span.start < each.past]
    last = max(during, key=lambda each: (each.past, each.claims[0].id), default=None)
    return span if last is None else span.until(last.past, last.end)


def says_until(claim: Claim) -> bool:
    """Whether a claim tells when something ended, and not when it began."""
    return claim.valid.start.moment is None and claim.valid.end.moment is not None and claim.replaced is None


def give_way(undated: Iterable[Claim], endings: Iterable[Claim]) -> tuple[list[Span], list[Claim]]:
    """Of undated claims, the spans of those that a later claim made yield, and the rest.

    What was said first is told by the dates that order claims, also those that are not shown.
    """
    yields = sorted(
        ((*_end_of(claim), claim) for claim in endings if claim.kind is ClaimKind.YIELDS),
        key=lambda end: (end[0], end[2].id),
    )
    spans, rest = [], []
    for claim in undated:
        said = claim.said.moment.first if claim.said.moment else ALWAYS
        after = (end for end in yields if end[2].target == claim.target and said < end[0] < FOREVER)
        end = next(after, None)
        if end is None:
            rest.append(claim)
        else:
            spans.append(Span(claim.target or "", ALWAYS, end[0], UNKNOWN, end[1], (claim, end[2])))
    return spans, rest


def _end_of(claim: Claim) -> tuple[int, Bound]:
    """Where an ENDS claim ends its value: after the date it states, or at the date it was said."""
    stated = claim.valid.end if claim.valid.end.moment else claim.valid.start
    if stated.moment is not None:
        return stated.moment.past, stated
    return (claim.said.moment.first if claim.said.moment else FOREVER), claim.said


def join(spans: Iterable[Span]) -> list[Span]:
    """Join the overlapping spans of one value, by start; two stated periods that merely touch stay two."""
    joined: list[Span] = []
    claims: list[list[Claim]] = []
    for span in sorted(spans, key=lambda span: (span.start, span.past, span.claims[0].id)):
        last = joined[-1] if joined else None
        if last and (span.start < last.past or (span.start == last.past and last.end.basis is not Basis.STATED)):
            claims[-1].extend(span.claims)
            if span.past > last.past:
                joined[-1] = last.until(span.past, span.end)
        else:
            joined.append(span)
            claims.append(list(span.claims))
    return [span.resting_on(own) for span, own in zip(joined, claims, strict=True)]
