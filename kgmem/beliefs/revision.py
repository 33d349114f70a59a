"""What a new reading of a source does to the claims it made before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import count

from kgmem.beliefs.slots import Rule, slot_id
from kgmem.model import UNKNOWN, Basis, Bound, Claim, ClaimKind, Id, Instant, identify

RuleOf = Callable[[str], Rule]
"""The rule of a predicate, by its name."""
Taken = Callable[[Iterable[Id]], AbstractSet[Id]]
"""Of some ids, those that claims of the log bear already."""


@dataclass(frozen=True, slots=True)
class Revision:
    """The difference between what a source claimed and what it claims now."""

    added: tuple[tuple[Id, Claim], ...]
    """(slot, claim)."""
    replaced: tuple[tuple[Id, Bound], ...]
    """(claim, the bound where it ends): another claim took its place."""
    withdrawn: tuple[Id, ...]
    """Claims that nothing took the place of."""
    touched: tuple[Id, ...]
    """Slots to fold again."""


def revise(
    before: Iterable[tuple[Id, Claim]],
    stated: Iterable[Claim],
    rule_of: RuleOf,
    taken: Taken,
    *,
    passages: AbstractSet[Id],
    episode: Id,
    now: Instant,
    seen: Bound,
) -> Revision:
    """Compare what a source claims now with what it claimed before.

    Args:
        before: (slot, claim) of every claim of the source that is not withdrawn.
        stated: what it claims now; ids are given here.
        rule_of: the rule of a predicate.
        taken: which ids the log knows; a claim that is made again after it ended is another claim.
        passages: those that stand in the source now.
        episode: the episode that a new claim is first made in.
        now: the transaction's recorded instant.
        seen: when an edit is seen, as a world date.
    """
    held = list(before)
    fresh: dict[object, Claim] = {}
    for claim in stated:
        fresh.setdefault(_content(claim), claim)
    standing = {_content(claim): claim for _, claim in held if claim.replaced is None}
    added = {content: claim for content, claim in fresh.items() if content not in standing}
    gone = [claim for content, claim in standing.items() if content not in fresh]
    now_said = _Successors(added.values(), [claim for content, claim in standing.items() if content in fresh], rule_of)

    replaced, withdrawn = [], []
    observed: set[object] = set()
    for claim in gone:
        successor = now_said.of(claim) if claim.passage not in passages else None
        if successor is None:  # or the text is as it was, and only who is who has changed
            withdrawn.append(claim.id)
            continue
        replaced.append((claim.id, _beginning(successor, seen)))
        observed.add(_content(successor))
    withdrawn += [c.id for _, c in held if c.replaced is not None and now_said.of(c, same_value=True) is None]
    origins = _Origins(gone)
    dated = [_dated(claim, seen) if content in observed else origins.date(claim) for content, claim in added.items()]
    new = _named(dated, taken, episode, now)
    slots = [(_slot(claim, rule_of), claim) for claim in new]
    changed = {claim for claim, _ in replaced} | set(withdrawn)
    touched = [slot for slot, claim in held if claim.id in changed] + [slot for slot, _ in slots]
    return Revision(tuple(slots), tuple(replaced), tuple(withdrawn), tuple(dict.fromkeys(touched)))


def _content(claim: Claim) -> object:
    """What makes two claims of a passage the same. A file's time, or when an edit was seen, is no part of it."""
    said = claim.said if claim.said.basis is Basis.NOTE else None
    return claim.passage, claim.subject, claim.predicate, claim.target, claim.kind, claim.valid, said


def _slot(claim: Claim, rule_of: RuleOf) -> Id:
    return slot_id(claim.subject, claim.predicate, claim.target, rule_of(claim.predicate))


class _Successors:
    """What may take the place of a claim that is gone: the first claim that its source makes of the slot now."""

    def __init__(self, added: Iterable[Claim], kept: Iterable[Claim], rule_of: RuleOf) -> None:
        self._rule_of = rule_of
        self._by_slot: dict[tuple[Id, str], Claim] = {}
        for claim in (*added, *kept):
            if claim.kind is ClaimKind.HOLDS and self._competes(claim):
                self._by_slot.setdefault((claim.subject, claim.predicate), claim)

    def _competes(self, claim: Claim) -> bool:
        return claim.scalar or self._rule_of(claim.predicate).single

    def of(self, claim: Claim, *, same_value: bool = False) -> Claim | None:
        """A claim of another value in its place; one of the same value does not replace, it restates."""
        if claim.kind is not ClaimKind.HOLDS or not self._competes(claim):
            return None
        successor = self._by_slot.get((claim.subject, claim.predicate))
        restates = successor is not None and successor.target == claim.target
        return None if restates and not same_value else successor


def _beginning(successor: Claim, seen: Bound) -> Bound:
    """Where a claim begins that takes another's place: at its own date, else when the edit was seen."""
    if successor.valid.start.moment is not None:
        return successor.valid.start
    return successor.said if successor.said.basis in (Basis.NOTE, Basis.OBSERVED) else seen


class _Origins:
    """Claims that are gone, and may live on in another passage, or about another entity."""

    def __init__(self, gone: Iterable[Claim]) -> None:
        self._by_saying: dict[object, Claim] = {}
        self._by_place: dict[object, Claim] = {}
        for claim in gone:
            self._by_saying[_saying(claim)] = claim
            self._by_place[claim.passage, claim.predicate, claim.line] = claim

    def date(self, claim: Claim) -> Claim:
        """A claim that was made before keeps its rank, and the date it was said if nothing else dates it."""
        origin = self._by_saying.get(_saying(claim)) or self._by_place.get((claim.passage, claim.predicate, claim.line))
        return claim if origin is None else replace(_dated(claim, origin.said), first_at=origin.ranked_at)


def _saying(claim: Claim) -> object:
    return claim.subject, claim.predicate, claim.target, claim.kind, claim.valid


def _dated(claim: Claim, said: Bound) -> Claim:
    """A claim that nothing of its own dates, dated so."""
    undated = claim.valid.start.moment is None and claim.said.basis in (Basis.FILE, Basis.UNKNOWN)
    return replace(claim, said=said) if undated and claim.said != said else claim


def _named(claims: Sequence[Claim], taken: Taken, episode: Id, now: Instant) -> list[Claim]:
    """Give each claim an id by its content and episode, and by how often it was made before."""
    named: list[Claim] = []
    waiting = list(claims)
    for time in count():
        ids = [identify("claim", episode, *_flat(claim), time or None) for claim in waiting]
        used = taken(ids) if ids else frozenset()
        pairs = list(zip(waiting, ids, strict=True))
        named += [
            replace(claim, id=name, episode=episode, recorded_at=now) for claim, name in pairs if name not in used
        ]
        waiting = [claim for claim, name in pairs if name in used]
        if not waiting:
            break
    return named


def _flat(claim: Claim) -> tuple[object, ...]:
    ends = (claim.valid.start, claim.valid.end, claim.said if claim.said.basis is Basis.NOTE else UNKNOWN)
    dates = (f"{bound.basis}:{bound.moment}" if bound.moment else None for bound in ends)
    return claim.passage, claim.subject, claim.predicate, claim.target, claim.kind, *dates
