"""What the memory holds of one source, now and before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgmem.explain.account import Status
from kgmem.explain.telling import Said
from kgmem.model import UNKNOWN, Bound, Claim, Episode, Id, Instant, Mention, Passage, Source, show_instant
from kgmem.store.protocol import Store


@dataclass(frozen=True, slots=True)
class Held:
    """A source as the memory has it."""

    source: Source
    episode: Episode | None
    occurred: Bound
    """The date of its newest text."""
    recorded: tuple[Instant, ...]
    """When something of it was taken in, in order."""
    passages: tuple[Passage, ...]
    mentions: tuple[Mention, ...]
    claims: tuple[tuple[Id, Claim], ...]
    """(slot, claim) of all that are not withdrawn."""

    @property
    def standing(self) -> tuple[Claim, ...]:
        """The claims that nothing replaced either."""
        return tuple(claim for _, claim in self.claims if claim.replaced is None)


def held_now(store: Store, source: Source) -> Held:
    """A live source."""
    episode = store.episode(source.id)
    return Held(
        source,
        episode,
        UNKNOWN if episode is None else episode.occurred,
        _recorded(store, source.id),
        store.passages_of(source.id),
        store.mentions_in(source.id),
        store.asserted(source.id),
    )


def held_before(store: Store, source: Source, removed_at: Instant) -> Held:
    """A source as it was before it was taken out. Whom its passages mentioned is no log, and so not known."""
    known = Instant(removed_at - 1)
    claims = store.claims(source=source.id, known=known)
    passages = store.passages_of(source.id, known=known)
    places = store.placed([passage.id for passage in passages[:1]], known=known)
    return Held(
        source,
        None,
        next((place.occurred for place in places.values()), UNKNOWN),
        _recorded(store, source.id),
        passages,
        (),
        tuple((slot, claim) for slot, some in claims.items() for claim in some),
    )


def _recorded(store: Store, source: Id) -> tuple[Instant, ...]:
    return tuple(each.recorded_at for each in store.transactions() if each.source and each.source.id == source)


def former_claims(store: Store, held: Held, standing: Iterable[Claim]) -> list[Said]:
    """Claims that the source made once and does not make now: replaced or withdrawn.

    The store is asked for those that it knew after each transaction of the source: a withdrawn claim is told by no
    other read.
    """
    last: dict[Id, tuple[Claim, Instant | None]] = {}
    for at, after in zip(held.recorded, (*held.recorded[1:], None), strict=True):
        for some in store.claims(source=held.source.id, known=at).values():
            last |= {claim.id: (claim, after) for claim in some}
    now = {claim.id for claim in standing}
    return [_gone(claim, ended) for claim, ended in last.values() if claim.id not in now]


def _gone(claim: Claim, ended: Instant | None) -> Said:
    """A claim with the transaction that withdrew it, if one did; else with the date at which another replaced it."""
    if ended is None and claim.replaced is not None:
        return Said(claim, Status.REPLACED, claim.replaced.shown)
    return Said(claim, Status.WITHDRAWN, None if ended is None else show_instant(ended))
