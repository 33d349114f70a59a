"""The third step of the fold for a single-valued slot: spans of different values compete.

At each instant the span with the latest start wins, so a later start is a change and ends what was open
before it. Two values with the same start contradict each other: the later recorded holds, and the other's
claims are its rivals.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from kgmem.beliefs.spans import Span
from kgmem.model import ALWAYS, FOREVER, UNKNOWN, Basis, Bound, Claim, Id, Moment, Precision


class Held(NamedTuple):
    """A span that holds, and the claims that dispute it."""

    span: Span
    rivals: tuple[Claim, ...] = ()


def contest(spans: Sequence[Span], undated: Sequence[Claim]) -> list[Held]:
    """What holds at each instant: no two of the results overlap. Order: by start.

    Args:
        spans: dated spans of all values, cut at their endings.
        undated: claims that something holds, with no date at all.
    """
    winners, beaten = _settle_ties(spans)
    pieces = _without_guesses(_sweep(_end_at_next(winners)))
    held = _assemble(pieces, winners, beaten)
    return _place_undated(held, undated)


def _settle_ties(spans: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """Of spans with one start, keep those of the value that was recorded last: (kept, beaten)."""
    best: dict[int, Span] = {}
    for span in spans:
        current = best.get(span.start)
        if current is None or span.rank > current.rank:
            best[span.start] = span
    kept = [span for span in spans if best[span.start].target == span.target]
    beaten = [span for span in spans if best[span.start].target != span.target]
    return sorted(kept, key=lambda span: span.rank), beaten


def _end_at_next(spans: Sequence[Span]) -> list[Span]:
    """End each open span where the next other value starts. `spans` are in order of their start."""
    ended: list[Span] = []
    following: Span | None = None
    after: Span | None = None
    for span in reversed(spans):
        if after is not None and after.target != span.target:
            following = after
        if span.past == FOREVER and following is not None:
            ended.append(span.until(following.start, following.begin))
        else:
            ended.append(span)
        after = span
    return ended[::-1]


def _sweep(spans: Sequence[Span]) -> list[Span]:
    """Cut overlapping spans so that at each instant only the one with the latest start remains.

    `spans` are in order of their rank.
    """
    edges = sorted({edge for span in spans for edge in (span.start, span.past)})
    waiting = list(enumerate(spans))[::-1]
    running: list[tuple[int, Span]] = []
    pieces: list[Span] = []
    for at, until in itertools.pairwise(edges):
        while waiting and waiting[-1][1].start <= at:
            place, span = waiting.pop()
            heappush(running, (-place, span))
        while running and running[0][1].past <= at:
            heappop(running)
        if running:
            pieces.append(_piece(running[0][1], at, until))
    return pieces


def _without_guesses(pieces: Sequence[Span]) -> list[Span]:
    """Drop what a span without a start would hold before another value interrupts it.

    Who left Acme in 2014, and worked elsewhere from 2010 to 2013, was at Acme in 2014, and nobody says before 2010.
    """
    kept = list(pieces[:1])
    resumed = {piece.claims for piece in pieces[1:]}
    for before, piece in itertools.pairwise(pieces):
        guessed = before.start == ALWAYS and before.begin.moment is None and before.claims in resumed
        if guessed and piece.start == before.past and piece.target != before.target:
            kept.pop()
        kept.append(piece)
    return kept


def _piece(span: Span, at: int, until: int) -> Span:
    if (at, until) == (span.start, span.past):
        return span
    begin = span.begin if at == span.start else UNKNOWN
    if at > span.start and span.begin.moment is None:
        begin = Bound(Moment(at, at + 1, Precision.INSTANT), Basis.FILE)  # nobody says since when: it only orders
    return Span(span.target, at, until, begin, span.end if until == span.past else UNKNOWN, span.claims)


def _assemble(pieces: Sequence[Span], winners: Sequence[Span], beaten: Sequence[Span]) -> list[Held]:
    """Join neighbouring pieces of one value, name their ends, and hand every other claim to whom it supports."""
    joined: list[Span] = []
    own: list[list[Claim]] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.target == piece.target and last.past == piece.start and not _is_gap(last, piece):
            joined[-1] = last.until(piece.past, piece.end)
            own[-1].extend(piece.claims)
        else:
            joined.append(piece)
            own.append(list(piece.claims))
    joined = [_name_end(span, after) for span, after in itertools.zip_longest(joined, joined[1:])]
    rivals: list[list[Claim]] = [[] for _ in joined]
    starts = [span.start for span in joined]
    for span in winners:
        index = _supported(span, joined, starts)
        if index is None:
            rivals[_at(span.start, starts)].extend(span.claims)
        else:
            own[index] += [claim for claim in span.claims if claim not in own[index][-1:]]
    for span in beaten:
        rivals[_at(span.start, starts)].extend(span.claims)
    return [Held(span.resting_on(own[at]), tuple(rivals[at])) for at, span in enumerate(joined)]


def _at(instant: int, starts: Sequence[int]) -> int:
    return max(0, bisect_right(starts, instant) - 1)


def _supported(span: Span, joined: Sequence[Span], starts: Sequence[int]) -> int | None:
    """The first interval of the span's value that it overlaps, if any is left of it."""
    for index in range(_at(span.start, starts), len(joined)):
        if joined[index].start >= span.past:
            break
        if joined[index].target == span.target and joined[index].past > span.start:
            return index
    return None


def _is_gap(last: Span, piece: Span) -> bool:
    """Two periods of one value that were stated, and merely touch, are two."""
    return last.end.basis is Basis.STATED and piece.begin.basis is Basis.STATED and last.end != piece.begin


def _name_end(span: Span, after: Span | None) -> Span:
    """An end where another value's start cut the span is shown as that start was given."""
    if span.past != FOREVER and span.end.moment is None and after and after.start == span.past:
        return span.until(span.past, after.begin)
    return span


def _place_undated(held: list[Held], undated: Sequence[Claim]) -> list[Held]:
    """Let undated claims support their value, follow what has ended, or dispute what holds."""
    if not undated:
        return held
    latest = max(undated, key=_recency)
    if not held:
        own = tuple(claim for claim in undated if claim.target == latest.target)
        rest = tuple(claim for claim in undated if claim.target != latest.target)
        return [Held(Span(latest.target or "", ALWAYS, FOREVER, UNKNOWN, UNKNOWN, own), rest)]
    if latest.target != held[-1].span.target:
        held = _follow(held, latest)
    last_of = {each.span.target: index for index, each in enumerate(held)}
    support: list[list[Claim]] = [[] for _ in held]
    rivals: list[list[Claim]] = [[] for _ in held]
    for claim in undated:
        index = last_of.get(claim.target or "")
        if index is None:
            rivals[-1].append(claim)
        else:
            support[index].append(claim)
    return [
        Held(each.span.resting_on((*each.span.claims, *more)), (*each.rivals, *others))
        for each, more, others in zip(held, support, rivals, strict=True)
    ]


def _recency(claim: Claim) -> tuple[int, int, str, Id]:
    said = claim.said.moment.first if claim.said.moment else ALWAYS
    return said, claim.ranked_at, claim.target or "", claim.id


def _follow(held: list[Held], latest: Claim) -> list[Held]:
    """Put an undated value after the last interval, if that is closed, or was only noted and longer ago."""
    last = held[-1].span
    said = Bound(latest.said.moment, Basis.FILE) if latest.said.moment else UNKNOWN
    if last.past < FOREVER:
        start = max(last.past, said.moment.first if said.moment else ALWAYS)
        begin = said if said.moment and said.moment.first == start else UNKNOWN
        return [*held, Held(Span(latest.target or "", start, FOREVER, begin, UNKNOWN, ()))]
    if last.begin.basis is Basis.NOTE and said.moment and said.moment.first > last.start:
        closed = Held(last.until(said.moment.first, said), held[-1].rivals)
        return [*held[:-1], closed, Held(Span(latest.target or "", closed.span.past, FOREVER, said, UNKNOWN, ()))]
    return held
