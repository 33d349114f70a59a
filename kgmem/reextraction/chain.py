"""The claims of one source over recorded time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgmem.beliefs import Revision
from kgmem.model import Bound, Claim, Id, Instant
from kgmem.reextraction.log import Ended, Said


class Chain:
    """What a source claims, from one of its transactions to the next."""

    def __init__(self) -> None:
        self.said: dict[Instant, Said] = {}
        """What each transaction did, in recorded order."""
        self._held: dict[Id, tuple[Id, Claim]] = {}
        self._made: set[Id] = set()

    @property
    def held(self) -> tuple[tuple[Id, Claim], ...]:
        """(slot, claim) of every claim that is not withdrawn, as `Store.asserted` gives them."""
        return tuple(self._held.values())

    def taken(self, ids: Iterable[Id]) -> frozenset[Id]:
        """Of some ids, those that claims of the source bear, ended ones too."""
        return frozenset(self._made.intersection(ids))

    def apply(self, at: Instant, said: Said) -> None:
        """Go on by one transaction."""
        if not said:
            return
        self.said[at] = said
        for slot, claim in said.claims:
            self._held[claim.id] = (slot, claim)
            self._made.add(claim.id)
        for ended in said.endings:
            if ended.bound is None:
                self._held.pop(ended.claim, None)
            elif ended.claim in self._held:
                slot, claim = self._held[ended.claim]
                self._held[ended.claim] = (slot, replace(claim, replaced=ended.bound))

    def before(self, at: Instant) -> tuple[tuple[Id, Claim], ...]:
        """What was held before an instant."""
        then = Chain()
        for when, said in self.said.items():
            if when < at:
                then.apply(when, said)
        return then.held

    def fitting(self, said: Said) -> Said:
        """Of what a transaction did elsewhere, what it can do here: end what is there, claim what never was."""
        claims = tuple((slot, claim) for slot, claim in said.claims if claim.id not in self._made)
        made = {claim.id for _, claim in claims} | self._held.keys()
        return Said(claims, tuple(each for each in said.endings if each.claim in made))


def as_said(revision: Revision) -> Said:
    """A revision as an entry of a chain."""
    replaced = (Ended(claim, bound) for claim, bound in revision.replaced)
    return Said(revision.added, (*replaced, *(Ended(claim) for claim in revision.withdrawn)))


def ids_of(said: Said) -> tuple[frozenset[Id], frozenset[Ended]]:
    """What two transactions have in common that did the same, however it is worded."""
    return frozenset(claim.id for _, claim in said.claims), frozenset(said.endings)


def claims_of(said: Said) -> tuple[frozenset[Claim], frozenset[Ended]]:
    """What two transactions have in common that did the very same."""
    return frozenset(claim for _, claim in said.claims), frozenset(said.endings)


def lives(chain: Chain) -> Iterator[tuple[Id, Claim, tuple[tuple[Instant, Bound | None], ...]]]:
    """(slot, claim, when and how it ended) of every claim that was ever made."""
    ended: dict[Id, list[tuple[Instant, Bound | None]]] = {}
    for at, said in chain.said.items():
        for each in said.endings:
            ended.setdefault(each.claim, []).append((at, each.bound))
    for said in chain.said.values():
        for slot, claim in said.claims:
            yield slot, claim, tuple(ended.get(claim.id, ()))
