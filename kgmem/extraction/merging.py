"""What several rungs claim of one document, made one: pure, and the same in whatever order it came.

1. The same claim of two rungs is one: it has the better of their dates, and is surer than each. Readers that err
   independently are all wrong with the product of their chances to be (noisy-or; Pearl, 1988).
2. What is not sure enough is left out.
3. Of a name within a longer one only one is meant, "Nord" or "Château Nord"; and a single-valued predicate has one
   value in a sentence. Where one rung says this and another that, a strategy decides; a rung that says both has its
   reasons, and what the form of a note says always stands.

Nothing is made up: every end of a period that comes out came in, with a claim of the same thing in the same passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from kgmem.extraction.policy import Merging, Strategy, place_by_extent, place_of
from kgmem.extraction.proposal import ClaimProposal
from kgmem.model import Bound, ClaimKind, Period
from kgmem.resolution.names import name_key

_FORM: Final = "structure"
_DECIMALS: Final = 6
"""Of a confidence that was computed: what is added in another order is the same."""

Single = Callable[[str], bool]
"""Whether a predicate, by its name, has one value at a time."""
Odds = Callable[[ClaimProposal, ClaimProposal], bool]
Place = Callable[[str], int]
"""Where a rung stands, 0 for the best."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A claim that was left out, and why."""

    claim: ClaimProposal
    why: str
    winner: ClaimProposal | None = None
    """The claim that was kept in its place."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What is left, by block and line, and what is not."""

    claims: tuple[ClaimProposal, ...]
    dropped: tuple[Dropped, ...] = ()


def merge(claims: Iterable[ClaimProposal], title: str, single: Single, merging: Merging | None = None) -> Merged:
    """The claims of all rungs, each once, and no two of them at odds within a sentence.

    Args:
        claims: of one document, in any order.
        title: the name of what it is about: a claim that names it speaks of it.
        single: which predicates have one value at a time.
        merging: what decides; see `kgmem.extraction.policy`.
    """
    chosen = merging or Merging()
    sure, dropped = [], []
    for claim in _joined(claims, title):
        if claim.rung != _FORM and claim.confidence < chosen.min_confidence:
            dropped.append(Dropped(claim, f"{claim.confidence:.2f} is less than {chosen.min_confidence:.2f}"))
        else:
            sure.append(claim)
    contests: tuple[tuple[Odds, Place], ...] = (
        (lambda one, other: _is_one_name(one, other, title), place_by_extent),
        (lambda one, other: _is_one_slot(one, other, title, single), place_of),
    )
    for at_odds, place in contests:
        lost = list(_outvoted(sure, at_odds, partial(_preference, strategy=chosen.strategy, place_by=place)))
        gone = {id(each.claim) for each in lost}
        sure = [claim for claim in sure if id(claim) not in gone]
        dropped += (replace(each, why=f"{each.why} ({chosen.strategy})") for each in lost)
    return Merged(tuple(sure), tuple(sorted(dropped, key=lambda each: _order(each.claim))))


def rungs_of(claim: ClaimProposal) -> frozenset[str]:
    """All that found it."""
    return frozenset((claim.rung, *claim.agreed))


# -- the same claim


def _joined(claims: Iterable[ClaimProposal], title: str) -> list[ClaimProposal]:
    """Each thing in the place where it is first said."""
    alike: dict[object, list[ClaimProposal]] = {}
    for claim in claims:
        alike.setdefault(_saying(claim, title), []).append(claim)
    return [claim for group in alike.values() for claim in (group if len(group) == 1 else _settled(group))]


def _settled(group: Sequence[ClaimProposal]) -> Sequence[ClaimProposal]:
    """Claims of one thing with all joined that can be. What a join makes of a date may allow another one."""
    while len(joined := _pass(group)) < len(group):
        group = joined
    return sorted(group, key=_order)


def _pass(group: Sequence[ClaimProposal]) -> list[ClaimProposal]:
    held: list[ClaimProposal] = []
    for claim in sorted(group, key=lambda each: (-_dates(each), _order(each))):
        at = next((at for at, each in enumerate(held) if _agree(each, claim)), None)
        if at is None:
            held.append(claim)
        else:
            held[at] = _join(held[at], claim)
    return held


def _saying(claim: ClaimProposal, title: str) -> object:
    ends = _ends(claim, title)
    pair = tuple(sorted(ends)) if claim.symmetric else ends
    ending = claim.kind in {ClaimKind.ENDS, ClaimKind.YIELDS}
    return claim.block, claim.predicate, pair, ClaimKind.ENDS if ending else claim.kind


def _ends(claim: ClaimProposal, title: str) -> tuple[str, str]:
    """Subject and target, as they compare."""
    subject = claim.subject.name if claim.subject else title
    if claim.value is not None and not claim.object_is_note:  # a value is text, and what differs in it differs
        return name_key(subject), f"={' '.join(claim.value.split())}"
    return name_key(subject), name_key(claim.object.name if claim.object and not claim.object_is_note else title)


def _agree(one: ClaimProposal, other: ClaimProposal) -> bool:
    """Whether two claims of one thing can be of one period. What a rung says twice of two times, it means twice."""
    if rungs_of(one) & rungs_of(other):
        return one.valid == other.valid
    ends = ((one.valid.start, other.valid.start), (one.valid.end, other.valid.end))
    return all(_fit(mine, theirs) for mine, theirs in ends) and not _period(one, other).empty


def _fit(one: Bound, other: Bound) -> bool:
    """Whether two dates can be one, told with more and less precision; no date fits all."""
    first, second = one.moment, other.moment
    if first is None or second is None:
        return True
    within = first.first >= second.first and first.past <= second.past
    return within or (second.first >= first.first and second.past <= first.past)


def _join(one: ClaimProposal, other: ClaimProposal) -> ClaimProposal:
    voice, echo = sorted((one, other), key=lambda each: (place_of(each.rung), _order(each)))
    agreed = sorted((rungs_of(one) | rungs_of(other)) - {voice.rung}, key=lambda rung: (place_of(rung), rung))
    sure = max(one.confidence, other.confidence)
    if not rungs_of(one) & rungs_of(other):
        sure = round(1 - (1 - one.confidence) * (1 - other.confidence), _DECIMALS)
    return replace(
        voice,
        valid=_period(one, other),
        kind=voice.kind if voice.kind is not ClaimKind.YIELDS else echo.kind,
        confidence=sure,
        agreed=tuple(agreed),
        doubtful=one.doubtful and other.doubtful,
        doubtful_subject=one.doubtful_subject and other.doubtful_subject,
        names=voice.names or echo.names,
        witness=voice.witness or echo.witness,
    )


def _period(one: ClaimProposal, other: ClaimProposal) -> Period:
    return Period(_closer(one.valid.start, other.valid.start), _closer(one.valid.end, other.valid.end))


def _closer(one: Bound, other: Bound) -> Bound:
    """The date that says more."""
    return max((one, other), key=lambda bound: (_precision(bound), bound.basis))


def _precision(bound: Bound) -> int:
    return 0 if bound.moment is None else bound.moment.precision


def _dates(claim: ClaimProposal) -> int:
    return _precision(claim.valid.start) + _precision(claim.valid.end)


# -- claims that cannot all be meant


def _outvoted(
    claims: Iterable[ClaimProposal], at_odds: Odds, preference: Callable[[ClaimProposal], tuple[float, ...]]
) -> Iterator[Dropped]:
    """The claims that give way to others of their predicate in a sentence, where no rung means both."""
    rivals: dict[tuple[int, str, ClaimKind], list[ClaimProposal]] = {}
    for claim in claims:
        rivals.setdefault((claim.block, claim.predicate, claim.kind), []).append(claim)
    for group in rivals.values():
        if len({claim.rung for claim in group}) == 1:
            continue
        kept: list[ClaimProposal] = []
        for claim in sorted(group, key=lambda each: (preference(each), _order(each))):
            winner = next((each for each in kept if _compete(each, claim) and at_odds(each, claim)), None)
            if winner is None:
                kept.append(claim)
            else:
                yield Dropped(claim, f"{_told(winner)} says otherwise", winner)


def _compete(one: ClaimProposal, other: ClaimProposal) -> bool:
    """Whether two claims are of other rungs, one sentence and a time that they may share."""
    apart = rungs_of(one).isdisjoint(rungs_of(other))
    return apart and _same_sentence(one, other) and _meet(one.valid, other.valid)


def _is_one_slot(one: ClaimProposal, other: ClaimProposal, title: str, single: Single) -> bool:
    """Whether two claims give one slot two values."""
    if one.kind is not ClaimKind.HOLDS or not single(one.predicate):
        return False
    mine, theirs = _ends(one, title), _ends(other, title)
    if one.symmetric:
        return set(mine) != set(theirs) and bool(set(mine) & set(theirs))
    return mine[0] == theirs[0] and mine[1] != theirs[1]


def _is_one_name(one: ClaimProposal, other: ClaimProposal, title: str) -> bool:
    """Whether two claims are one but for where a name begins or ends."""
    mine, theirs = _ends(one, title), _ends(other, title)
    pairs = [(mine, theirs), (mine, theirs[::-1])] if one.symmetric else [(mine, theirs)]
    return any(_is_cut_short(*pair) or _is_cut_short(*pair[::-1]) for pair in pairs)


def _is_cut_short(part: tuple[str, str], whole: tuple[str, str]) -> bool:
    """Whether two claims differ at one end only, and there by words that one name has before or after the other."""
    if part[0] != whole[0] and part[1] != whole[1]:
        return False
    end = 0 if part[0] != whole[0] else 1
    return whole[end].startswith(f"{part[end]} ") or whole[end].endswith(f" {part[end]}")


def _same_sentence(one: ClaimProposal, other: ClaimProposal) -> bool:
    mine, theirs = " ".join(one.quote.split()), " ".join(other.quote.split())
    return one.line == other.line and (mine in theirs or theirs in mine)


def _meet(one: Period, other: Period) -> bool:
    """Whether two periods may share a time."""
    for first, second in ((one, other), (other, one)):
        end, start = first.end.moment, second.start.moment
        if end is not None and start is not None and end.past <= start.first:
            return False
    return True


def _preference(claim: ClaimProposal, strategy: Strategy, place_by: Place) -> tuple[float, ...]:
    """How a claim stands in a strategy, the one to be kept first."""
    place, count = place_by(claim.rung), len(rungs_of(claim))
    names = [claim.subject.name if claim.subject else "", claim.object.name if claim.object else claim.value or ""]
    chosen: tuple[float, ...] = {
        Strategy.AGREEMENT: (-count, place),
        Strategy.CONFIDENCE: (-claim.confidence, place),
        Strategy.SPAN: (-sum(map(len, names)), -count, place),
        Strategy.LADDER: (place_of(claim.rung), -count),
    }[strategy]
    return 0 if claim.rung == _FORM else 1, *chosen


def _told(claim: ClaimProposal) -> str:
    return " and ".join((claim.rung, *claim.agreed))


def _order(claim: ClaimProposal) -> tuple[object, ...]:
    """A total order of claims: by their place, then by all that they say."""
    ends = (claim.subject, claim.object, claim.value)
    return claim.block, claim.line, place_of(claim.rung), claim.predicate, *map(repr, ends), repr(claim)
