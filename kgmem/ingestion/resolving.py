"""Comparing what is new with what is known: who may be who, and what a person decides about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kgmem.errors import NotFoundError
from kgmem.ingestion.identity import Identity, Merged
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.meanings import MEANING, Meanings
from kgmem.ingestion.profiles import EVERY, Bearers, Profiles, trait_keys
from kgmem.ingestion.settling import Settling
from kgmem.model import Decision, DecisionKind, Id, Instant
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.blocks import blocks
from kgmem.resolution.profile import Rarity
from kgmem.resolution.same import Same
from kgmem.resolution.score import Reason, score
from kgmem.store.protocol import Proposal, Store

_CROWD = 200
"""A key that more entities share tells nobody apart."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a comparison came to."""

    compared: int
    """Entities that were compared with all that may be them."""
    merged: tuple[Merged, ...]
    """Pairs that are one beyond doubt."""
    proposed: int
    """Pairs that wait for a person now."""
    settled: int = 0
    """Names in single notes that mean somebody else than before, by what surrounds them."""


class Resolver:
    """Compares entities with those that may be them."""

    def __init__(
        self, intake: Intake, identity: Identity, settling: Settling, bands: Bands, meanings: Meanings | None = None
    ) -> None:
        """Args: `meanings` tells what names mean; without it, only their letters and what surrounds them count."""
        self._store = intake.store
        self._ontology = intake.ontology
        self._identity = identity
        self._settling = settling
        self._bands = bands
        self._meanings = meanings

    def is_behind(self) -> bool:
        """Whether sources brought something since the last time."""
        last, upto = self._store.stats().last_recorded, self._store.compared_upto()
        return last is not None and (upto is None or upto < last)

    def resolve(self, *, everything: bool = False) -> Resolved:
        """Compare what sources brought since the last time, or all there is.

        What is one beyond doubt is merged, and can be taken apart again; what may be one waits for a person. A merge
        that was broken off is done first.
        """
        if any(each.kind is DecisionKind.SAME for each in self._store.decisions()):
            self._identity.finish()
        before = self._store.compared_upto()
        last = max((each.recorded_at for each in self._store.transactions(before)), default=before)
        since = before if self._store.filed(EVERY, 1) and not everything else None
        fresh = sorted(self._store.named_since(since))
        profiles = Profiles(self._store, self._ontology)
        made = profiles.of(fresh)
        meant = self._meanings.keys(made.values()) if self._meanings else {}
        keys = {name: blocks(profile) | meant.get(name, frozenset()) for name, profile in made.items()}
        filed = {name: own | trait_keys(made[name]) for name, own in keys.items()}
        self._store.compare(filed, (), ())
        sure, doubtful, dropped = self._compare(keys, profiles)
        waiting = self._store.compare({}, doubtful, dropped, last)
        merged = tuple(self._merge(sure))
        settled = self._settling.take(self._changed(since), fresh)
        return Resolved(len(keys), merged, waiting, settled)

    def _changed(self, since: Instant | None) -> Iterator[Id]:
        """The sources that transactions were about since an instant; without one, all."""
        if since is None:
            return (source.id for source in self._store.sources())
        entries = self._store.transactions(Instant(since + 1))
        return iter({entry.source.id for entry in entries if entry.source is not None})

    def _compare(
        self, keys: Mapping[Id, Iterable[str]], profiles: Profiles
    ) -> tuple[list[Proposal], list[Proposal], list[tuple[Id, Id]]]:
        """(pairs that are one, those that may be, those that are not worth asking about)."""
        same, rarity = Same(self._store.decisions()), Bearers(self._store)
        sure: list[Proposal] = []
        doubtful: list[Proposal] = []
        dropped: list[tuple[Id, Id]] = []
        pairs = self._pairs(keys)
        profiles.of(one for pair in pairs for one in pair)  # together: fewer reads
        for (one, other), by_meaning in pairs.items():
            found = self._weigh(one, other, profiles, same, rarity, by_meaning=by_meaning)
            band = Band.NEW if found is None else self._bands.of(found.score)
            if found is not None and band is Band.MERGE and not same.were_parted(one, other):
                sure.append(found)
            elif found is not None and band is not Band.NEW:
                doubtful.append(found)
                continue
            dropped.append((one, other))
        return sure, doubtful, dropped

    def _weigh(
        self, one: Id, other: Id, profiles: Profiles, same: Same, rarity: Rarity, *, by_meaning: bool = True
    ) -> Proposal | None:
        """A pair with its score; None if it is decided, or one of them is gone."""
        decided = {one, other} & same.gone or same.are_distinct(one, other)
        if decided or len(profiles.of((one, other))) < 2:  # noqa: PLR2004
            return None
        a, b = profiles.pair(one, other)
        verdict = score(a, b, rarity)
        if self._meanings and by_meaning and self._bands.of(verdict.score) is Band.NEW:
            verdict = score(a, b, rarity, alike=self._meanings.alike(a, b))
        return Proposal(one, other, verdict.score, tuple(map(_worded, verdict.reasons)))

    def compare_again(self, one: Id, other: Id) -> bool:
        """Compare two that somebody took a decision back about; gives whether they wait for a person now."""
        low, high = sorted((one, other))
        profiles, same = Profiles(self._store, self._ontology), Same(self._store.decisions())
        found = self._weigh(low, high, profiles, same, Bearers(self._store))
        waits = found is not None and self._bands.of(found.score) is not Band.NEW
        self._store.compare({}, [found] if found and waits else (), () if waits else [(low, high)])
        return waits

    def _pairs(self, keys: Mapping[Id, Iterable[str]]) -> dict[tuple[Id, Id], bool]:
        """Every pair of which one is new and which share a key that few share, and whether that is one of meaning."""
        found: dict[tuple[Id, Id], bool] = {}
        for one, own in keys.items():
            for key, sharing in self._store.blocked(own).items():
                for other in sharing if len(sharing) <= _CROWD else ():
                    if one != other:
                        pair = (min(one, other), max(one, other))
                        found[pair] = found.get(pair, False) or key.startswith(MEANING)
        return found

    def _merge(self, pairs: Iterable[Proposal]) -> Iterator[Merged]:
        for pair in sorted(pairs, key=lambda each: (-each.score, each.id)):
            same = Same(self._store.decisions())
            one, other = same[pair.one], same[pair.other]
            if one != other and not same.are_distinct(one, other):
                yield self._identity.merge(one, other, because="; ".join(pair.reasons))


def _worded(reason: Reason) -> str:
    return f"against: {reason.text}" if reason.weight < 0 else reason.text


class Review:
    """The pairs that wait for a person, and what the person says."""

    def __init__(self, store: Store, identity: Identity) -> None:
        self._store = store
        self._identity = identity

    def pending(self) -> tuple[Proposal, ...]:
        """Pairs that wait for a decision: the likeliest first, then the most mentioned."""
        waiting = self._store.proposals()
        mentions = {each: self._store.mentions_of(each, 1)[0] for pair in waiting for each in (pair.one, pair.other)}
        return tuple(sorted(waiting, key=lambda p: (-round(p.score, 2), -mentions[p.one] - mentions[p.other], p.id)))

    def accept(self, proposal: Id) -> Merged:
        """Make the two of a proposal one. Raises NotFoundError: there is none of that id; and as `Identity.merge`."""
        pair = self._find(proposal)
        done = self._identity.merge(pair.one, pair.other, because="; ".join(pair.reasons), sure=True)
        self._store.compare({}, (), [(pair.one, pair.other)])
        return done

    def reject(self, proposal: Id) -> Decision:
        """Say that the two of a proposal are two: they are not asked about again. Raises as `accept`."""
        pair = self._find(proposal)
        decision = self._identity.keep_apart(pair.one, pair.other)
        self._store.compare({}, (), [(pair.one, pair.other)])
        return decision

    def take_back(self, pair: Proposal, decided: Merged | Decision) -> None:
        """Undo what was said of a pair: it waits again."""
        if isinstance(decided, Merged):
            self._identity.unmerge(decided.decision.id)
        else:
            self._identity.let_together(decided.id)
        self._store.compare({}, (pair,), ())

    def _find(self, proposal: Id) -> Proposal:
        for each in self._store.proposals():
            if each.id == proposal:
                return each
        raise NotFoundError(f"no proposal has the id {proposal}", "kgmem review merges --list")
