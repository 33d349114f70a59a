"""The whole history of a slot's beliefs, from the history of its claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kgmem.beliefs.refold import Refolded, refold
from kgmem.beliefs.revision import RuleOf
from kgmem.model import Claim, Fact, Id, Instant


def rebuild(
    slot: Id, history: Iterable[tuple[Instant, Sequence[Claim]]], rule_of: RuleOf
) -> Iterator[tuple[Instant, Refolded]]:
    """What each recorded instant changed in the beliefs about a slot, as if they were recorded then.

    Args:
        slot: the slot.
        history: for each instant at which its claims changed, in order: those that were in the fold after it.
        rule_of: the rule of a predicate.
    """
    held: dict[Id, Fact] = {}
    for at, claims in history:
        change = refold([slot], {slot: claims}, {slot: tuple(held.values())}, rule_of, at)
        for gone in change.closed:
            del held[gone]
        held |= {fact.id: fact for fact in change.opened}
        held |= {fact: replace(held[fact], evidence=evidence) for fact, evidence in change.supported}
        yield at, change
