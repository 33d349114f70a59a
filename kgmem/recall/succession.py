"""Who or what came before or after another: "who led the survey before Priya", "my manager after Lena"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from kgmem.recall.clauses import Clause, Understood
from kgmem.recall.facts import FactView
from kgmem.recall.relations import Item, Ref, Word


def succession(clause: Clause, read: Callable[[Clause], Understood]) -> Understood | None:
    """What a question asks that ends in "before" or "after" and a name; nothing if it does not.

    Args:
        clause: the question.
        read: reads a question without that end.
    """
    if len(clause.items) <= 1:
        return None
    *rest, word, pivot = clause.items
    if not (isinstance(word, Word) and word.lower in {"before", "after"} and isinstance(pivot, Ref)):
        return None
    if not any(isinstance(each, Ref) for each in rest):
        return None
    whole = Clause(clause.asking, [_of_all_times(clause, each) for each in rest], clause.ground)
    whole.ever = True
    found = read(whole)
    facts = _next_to(found.facts, pivot, before=word.lower == "before")
    left = () if facts else (word.text,)
    return replace(found, facts=facts, past=False, left=left)


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
