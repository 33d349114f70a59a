"""Who or what came before or after another: "who led the survey before Priya", "who succeeded Lena as my manager"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from kgmem.recall.clauses import Clause, Understood
from kgmem.recall.facts import FactView
from kgmem.recall.relations import Item, Ref, Word

_TAILS: Final = (("took", "over"), ("takes", "over"), ("did",), ("came",), ("started",), ("began",))


def succession(clause: Clause, read: Callable[[Clause], Understood]) -> Understood | None:
    """What a question asks of who or what is next to a name, on one side of it; nothing if it does not.

    Args:
        clause: the question.
        read: reads a question without that end.
    """
    parts = _succeeded(clause.items) or _parts(clause.items)
    if parts is None or not any(isinstance(each, Ref) for each in parts[0]):
        return None
    rest, side, pivot = parts
    whole = Clause(clause.asking, [_of_all_times(clause, each) for each in rest], clause.ground)
    whole.ever = True
    found = read(whole)
    facts = _next_to(found.facts, pivot, before=side == "before")
    left = () if facts else (side,)
    return replace(found, facts=facts, past=False, left=left)


def _parts(items: Sequence[Item]) -> tuple[Sequence[Item], str, Ref] | None:
    """(the rest, on which side, of whom) of "who led the survey before Priya", or "took over the survey from Bo"."""
    if len(items) <= 1:
        return None
    *rest, word, pivot = _untailed(items)
    if not (isinstance(word, Word) and isinstance(pivot, Ref)):
        return None
    said = {each.lower for each in rest if isinstance(each, Word)}
    taken = word.lower == "from" and "over" in said and not said.isdisjoint({"took", "take", "takes"})
    side = "after" if taken else word.lower
    return (rest, side, pivot) if side in {"before", "after"} else None


def _untailed(items: Sequence[Item]) -> Sequence[Item]:
    """The items without what the one who came next did at the end: "before Priya took over", "before Priya did"."""
    for tail in _TAILS:
        last = items[-len(tail) :]
        if len(items) > len(tail) + 1 and tail == tuple(each.lower for each in last if isinstance(each, Word)):
            return items[: -len(tail)]
    return items


def _succeeded(items: Sequence[Item]) -> tuple[Sequence[Item], str, Ref] | None:
    """The same of "who succeeded Bo as head of Nord"."""
    match items:
        case [Word() as verb, Ref() as pivot, Word() as word, *rest]:
            said = verb.lower in {"succeeded", "succeeds", "replaced", "replaces", "followed"}
            return (rest, "after", pivot) if said and word.lower == "as" else None
    return None


def _of_all_times(clause: Clause, item: Item) -> Item:
    """A reference over facts that hold now as one over those of all times."""
    if not (isinstance(item, Ref) and item.hops):
        return item
    hop = clause.ground.hop(item.origin, item.hops[-1].cues, lambda cue: cue.first, ever=True)
    return replace(item, ids=hop.ends, hops=(*item.hops[:-1], hop))


def _next_to(facts: Sequence[FactView], pivot: Ref, *, before: bool) -> tuple[FactView, ...]:
    """The facts that are nearest to those of the pivot, on one side of them."""
    ids = set(pivot.ids)
    own = [each.fact for each in facts if {each.fact.subject, each.fact.object} & ids]
    others = [each for each in facts if each.fact not in own]
    if not own:
        return ()
    if before:
        start = min(fact.holds_from for fact in own)
        sided = [each for each in others if each.fact.holds_to <= start]
        nearest = max((each.fact.holds_to for each in sided), default=0)
        return tuple(each for each in sided if each.fact.holds_to == nearest)
    end = max(fact.holds_to for fact in own)
    sided = [each for each in others if each.fact.holds_from >= end]
    nearest = min((each.fact.holds_from for each in sided), default=0)
    return tuple(each for each in sided if each.fact.holds_from == nearest)
