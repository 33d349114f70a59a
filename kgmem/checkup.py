"""The invariants of the memory, each checked on what is really stored.

They are those of the design: the tests state them of all inputs, a check-up finds them broken in one memory,
with examples, whatever broke them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from kgmem.beliefs import Belief, believe
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.plan import half_done
from kgmem.model import Claim, Fact, Id, Instant, show_instant
from kgmem.store.protocol import FactQuery, Store

_EXAMPLES = 5
_CUTS = 12
"""Recorded instants at which the past is rebuilt: the first, the last, and some between."""


@dataclass(frozen=True, slots=True)
class Check:
    """One invariant, and what breaks it."""

    name: str
    broken: int
    examples: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing breaks it."""
        return not self.broken


def check_up(store: Store, ontology: Ontology, *, seed: int = 0, quick: bool = False) -> tuple[Check, ...]:
    """Check every invariant.

    Args:
        store: the memory.
        ontology: what its predicates mean.
        seed: chooses an order of claims and the recorded instants that are rebuilt.
        quick: look at the headers of archived volumes alone, and not at every text in them.
    """
    _, facts = store.facts(FactQuery())
    chance = random.Random(seed)  # noqa: S311 - nothing secret hangs on it
    return (
        _check("the store is sound", store.verify()),
        _check("one value at a time", _overlaps(facts, ontology)),
        _check("every fact rests on a claim, every claim on a passage", _baseless(store, facts)),
        _check("beliefs follow from the claims, in any order", _misbelieved(store, ontology, facts, chance)),
        _check("the past is what it was", _misremembered(store, ontology, chance)),
        _check("recorded time moves forward", _backward(store)),
        _check("what was decided is carried out", _half_done(store, ontology)),
        _check("vectors are the group's own", store.strange_vectors()),
        *_archived(store, quick=quick),
    )


def _archived(store: Store, *, quick: bool) -> Iterator[Check]:
    """Whether what is archived can be had; no check if nothing is."""
    if store.archive().shelves():
        from kgmem.archive.checking import unreadable

        yield _check("what is archived can be read", unreadable(store, quick=quick))


def misbelieved_slots(store: Store, ontology: Ontology) -> tuple[Id, ...]:
    """Slots whose open facts are not what their claims say: a re-fold mends them."""
    _, facts = store.facts(FactQuery())
    return tuple(slot for slot, _ in _differences(store.claims(), facts, ontology, None))


def _half_done(store: Store, ontology: Ontology) -> Iterator[str]:
    """Names that sources still use as before a decision on who is who."""
    for root, name in half_done(store, lambda: ontology):
        yield f"{name} in {root}: `kgmem ingest` goes on where a merge was broken off"


def _check(name: str, broken: Iterable[str]) -> Check:
    found = list(broken)
    return Check(name, len(found), tuple(found[:_EXAMPLES]))


def _overlaps(facts: Sequence[Fact], ontology: Ontology) -> Iterator[str]:
    single = [fact for fact in facts if ontology.rule(fact.predicate).single]
    for _, group in groupby(sorted(single, key=lambda f: (f.slot, f.holds_from)), key=lambda f: f.slot):
        for one, other in pairwise(group):
            if other.holds_from < one.holds_to:
                yield f"{one.statement} ({one.id}) and {other.statement} ({other.id}) hold at once"


def _baseless(store: Store, facts: Sequence[Fact]) -> Iterator[str]:
    cited = store.evidence({claim for fact in facts for claim in (*fact.evidence, *fact.rivals)})
    for fact in facts:
        if not fact.evidence:
            yield f"{fact.statement} ({fact.id}) rests on nothing"
        yield from (f"the claim {claim} of {fact.id} stands nowhere" for claim in fact.evidence if claim not in cited)


def _misbelieved(store: Store, ontology: Ontology, facts: Sequence[Fact], chance: random.Random) -> Iterator[str]:
    for slot, statement in _differences(store.claims(), facts, ontology, chance):
        yield f"slot {slot}: {statement}"


def _misremembered(store: Store, ontology: Ontology, chance: random.Random) -> Iterator[str]:
    instants = [each.recorded_at for each in store.transactions()]
    inner = sorted(chance.sample(instants[1:-1], min(_CUTS, max(0, len(instants) - 2))))
    for at in dict.fromkeys((*instants[:1], *inner, *instants[-1:])):
        _, facts = store.facts(FactQuery(known=at))
        for _, statement in _differences(store.claims(known=at), facts, ontology, None):
            yield f"as known at {show_instant(at)}: {statement}"


def _differences(
    claims: Mapping[Id, Sequence[Claim]], facts: Iterable[Fact], ontology: Ontology, chance: random.Random | None
) -> Iterator[tuple[Id, str]]:
    """(slot, statement) of what is believed and does not follow, or follows and is not believed."""
    held: dict[Id, list[Fact]] = {}
    for fact in facts:
        held.setdefault(fact.slot, []).append(fact)
    for slot in {*claims, *held}:
        voices = list(claims.get(slot, ()))
        if chance is not None:
            chance.shuffle(voices)
        due = believe(voices, ontology.rule(voices[0].predicate)) if voices else ()
        follows = {_said(belief): belief.statement for belief in due}
        stored = {_said(fact): fact.statement for fact in held.get(slot, ())}
        for said in follows.keys() ^ stored.keys():
            yield slot, follows.get(said) or stored[said]


def _said(row: Belief | Fact) -> tuple[object, ...]:
    return row.object, row.value, row.valid, row.holds_from, row.holds_to


def _backward(store: Store) -> Iterator[str]:
    instants: list[Instant] = [each.recorded_at for each in store.transactions()]
    for one, other in pairwise(instants):
        if other <= one:
            yield f"{show_instant(other)} follows {show_instant(one)}"
