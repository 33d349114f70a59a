"""How beliefs changed: every version of each, what closed it, and the net difference between two recorded instants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final

from kgmem.errors import NotFoundError
from kgmem.model import LINKS_TO, OPEN, Entity, Fact, Id, Instant, Passage, show_instant, unique
from kgmem.recall.facts import FactView, entity_json, evidence_json, view
from kgmem.recall.identity import as_now, formerly, successors
from kgmem.recall.names import find_entity
from kgmem.resolution.names import name_key
from kgmem.store.protocol import EntityCard, EntityQuery, Evidence, FactQuery, Store, Transacted

_KINDS: Final = {
    "added": "was added",
    "changed": "was changed",
    "moved": "was moved or renamed",
    "removed": "was removed",
    "replayed": "was read again",
    "llm": "was read by a model",
    "forget": "was forgotten",
    "restore": "was remembered again",
    "undo": "was taken back",
    "correction": "was made",
}
"""What happened to the source of a transaction, by its kind; other kinds speak for themselves."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a belief, and the transaction that closed it."""

    view: FactView
    closed_by: Transacted | None
    """None while it is believed."""

    @property
    def fact(self) -> Fact:
        """The row itself."""
        return self.view.fact

    @property
    def places(self) -> tuple[Evidence, ...]:
        """The evidence without what reads the same: words that were written again, and still stand, are told once."""
        ranked = sorted(self.view.evidence, key=lambda each: not each.live)
        return tuple({(each.source, each.quote): each for each in reversed(ranked)}.values())[::-1]

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on: a fact, with what closed it, and whether its evidence still stands."""
        return {
            **self.view.as_json(),
            "closed_by": self.closed_by and cause_json(self.closed_by),
            "evidence": [{**evidence_json(each), "live": each.live} for each in self.view.evidence],
            "rivals": [{**evidence_json(each), "live": each.live} for each in self.view.rivals],
        }


@dataclass(frozen=True, slots=True)
class SlotHistory:
    """All versions of the beliefs about one slot, the first recorded first."""

    slot: Id
    subject: Entity
    predicate: str
    versions: tuple[Version, ...]

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "slot": self.slot,
            "subject": entity_json(self.subject),
            "predicate": self.predicate,
            "versions": [version.as_json() for version in self.versions],
        }


def history(
    store: Store, entity: Id, *, predicate: str | None = None, known: Instant | None = None
) -> tuple[SlotHistory, ...]:
    """Every version ever believed of an entity, as subject or object, and of whom its names meant before.

    Args:
        store: the memory.
        entity: whose history.
        predicate: only of this one; without it, of all but bare links.
        known: the history as it stood at that recorded instant: later versions are left out, later ends are open.

    Returns:
        Slots: those that the entity is the subject of first, then by predicate and by the first value.
    """
    changed = None if known is None else (Instant(-OPEN), known)
    former = formerly(store, entity)
    query = FactQuery(about=(entity, *former), predicate=predicate, versions=True, changed=changed, known=known)
    _, facts = store.facts(query)
    wanted = [fact for fact in facts if predicate is not None or fact.predicate != LINKS_TO]
    if known is not None:
        wanted = [fact if fact.closed_at <= known else replace(fact, closed_at=OPEN) for fact in wanted]
    now = {**successors(store, wanted), **dict.fromkeys(former, entity)}
    versions = _versions(store, _continued(wanted, now) if now else wanted, known)
    ordered = sorted(versions, key=lambda each: (each.fact.slot, each.fact.recorded_at, each.fact.holds_from))
    slots = [_slot(tuple(group)) for _, group in groupby(ordered, key=lambda each: each.fact.slot)]
    return tuple(sorted(slots, key=lambda slot: _place(slot, entity)))


def _continued(facts: Iterable[Fact], now: Mapping[Id, Id]) -> list[Fact]:
    """Versions of former entities as versions of those that their names mean now.

    One that was given up for the same of another entity goes on in that. What came and went within the minute in which
    one note after the other was read anew was never anybody's belief.
    """
    lasting = [fact for fact in facts if fact.closed_at >= OPEN or minute(fact.closed_at) != minute(fact.recorded_at)]
    told = [replace(one, slot=slot) for one, slot in zip(as_now(lasting, now), _slots(lasting, now), strict=True)]
    found: dict[Id, Fact] = {}
    last: dict[tuple[object, ...], tuple[Fact, Fact]] = {}
    for was, one in sorted(zip(lasting, told, strict=True), key=lambda pair: pair[0].recorded_at):
        before, same = last.get(_saying(one), (None, one))
        goes_on = before is not None and _is_taken_over(before, was)
        if goes_on:
            del found[same.id]
        found[one.id] = replace(one, recorded_at=same.recorded_at) if goes_on else one
        last[_saying(one)] = was, found[one.id]
    return list(found.values())


def _is_taken_over(before: Fact, after: Fact) -> bool:
    """Whether a version was given up for one of another entity."""
    other = (before.subject, before.object) != (after.subject, after.object)
    return other and (before.closed_at >= after.recorded_at or minute(before.closed_at) == minute(after.recorded_at))


def _slots(facts: Sequence[Fact], now: Mapping[Id, Id]) -> list[Id]:
    """The slot of each fact; where two slots are of one subject and share a target, the one recorded last for both."""
    root: dict[Id, Id] = {}

    def find(slot: Id) -> Id:
        while (above := root.get(slot, slot)) != slot:
            slot = above
        return slot

    newest: dict[tuple[object, ...], Id] = {}
    for fact, one in sorted(zip(facts, as_now(facts, now), strict=True), key=lambda pair: pair[0].recorded_at):
        key = (one.subject, one.predicate, one.object, one.value)
        old, new = find(newest.get(key, fact.slot)), find(fact.slot)
        if old != new:
            root[old] = new
        newest[key] = fact.slot
    return [find(fact.slot) for fact in facts]


def _versions(store: Store, facts: Sequence[Fact], known: Instant | None = None) -> list[Version]:
    seen = (
        facts
        if known is None
        else [fact if fact.closed_at <= known else replace(fact, closed_at=OPEN) for fact in facts]
    )
    causes = _causes(store, (fact.closed_at for fact in seen if fact.closed_at < OPEN))
    return [Version(each, causes.get(each.fact.closed_at)) for each in _located(store, view(store, seen, known))]


def _located(store: Store, views: Sequence[FactView]) -> Iterator[FactView]:
    """Facts whose evidence stands where its words stand now, also in a passage that was rewritten around them."""
    cited = (each for one in views for each in (*one.evidence, *one.rivals))
    standing = {source: store.passages_of(source) for source in unique(e.source for e in cited if not e.live)}
    for one in views:
        evidence, rivals = (
            tuple(each if each.live else _find(each, standing[each.source]) for each in some)
            for some in (one.evidence, one.rivals)
        )
        yield replace(one, evidence=evidence, rivals=rivals)


def _find(evidence: Evidence, passages: Iterable[Passage]) -> Evidence:
    words = re.compile(rf"(?<!\w){re.escape(evidence.quote)}(?!\w)")
    for passage in passages:
        if evidence.quote and (match := words.search(passage.text)):
            return replace(evidence, live=True, line=passage.first_line + passage.text.count("\n", 0, match.start()))
    return evidence


def _causes(store: Store, instants: Iterable[Instant]) -> Mapping[Instant, Transacted]:
    """The transactions of some recorded instants; each is looked up by itself, for the log is long."""
    return {each.recorded_at: each for at in unique(instants) for each in store.transactions(at, at)}


def _slot(versions: tuple[Version, ...]) -> SlotHistory:
    first = versions[0]
    return SlotHistory(first.fact.slot, first.view.subject, first.fact.predicate, versions)


def _place(slot: SlotHistory, entity: Id) -> tuple[bool, str, str, str, Id]:
    first = slot.versions[0].view
    return slot.subject.id != entity, slot.predicate, slot.subject.name, first.target, slot.slot


@dataclass(frozen=True, slots=True)
class Change:
    """What was believed of one slot before, and what after; either may be empty, and never both."""

    before: tuple[Version, ...]
    after: tuple[Version, ...]

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {"before": [v.as_json() for v in self.before], "after": [v.as_json() for v in self.after]}


@dataclass(frozen=True, slots=True)
class Difference:
    """The net difference between what was believed at two recorded instants.

    What came and went in between is not in it, nor is a sentence that only reads differently. Bare links are left out.
    """

    learned: tuple[Version, ...]
    """Believed at the end, and nothing went from their slots."""
    changed: tuple[Change, ...]
    """Slots from which something went and to which something came."""
    dropped: tuple[Version, ...]
    """Believed at the start, and nothing came in their place."""

    total: Mapping[str, int]
    """How many there are of each, also beyond the limit; by ``learned``, ``changed``, ``dropped``."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "total": dict(self.total),
            "learned": [each.as_json() for each in self.learned],
            "changed": [each.as_json() for each in self.changed],
            "dropped": [each.as_json() for each in self.dropped],
        }


def difference(store: Store, since: Instant, until: Instant | None = None, *, limit: int | None = None) -> Difference:
    """What was learned, changed and dropped after `since` and not after `until`: now, without it.

    All three are in the order of names, predicates and world dates, and `limit` bounds each.
    """
    end = Instant(OPEN - 1) if until is None else until
    _, facts = store.facts(FactQuery(changed=(since, end), known=end))
    kept = [fact for fact in facts if fact.predicate != LINKS_TO]
    gone, come = _same_aside(store, *_only_in(_held(kept, since), _held(kept, end)))
    went, came = _by_slot(gone), _by_slot(come)
    learned = [fact for fact in come if fact.slot not in went]
    dropped = [fact for fact in gone if fact.slot not in came]
    changed = [slot for slot in went if slot in came]
    shown = changed[:limit]
    resting = [fact for slot in shown for fact in (*went[slot], *came[slot])]
    versions = {
        version.fact.id: version for version in _versions(store, [*learned[:limit], *dropped[:limit], *resting], end)
    }

    def resolve(some: Iterable[Fact]) -> tuple[Version, ...]:
        return tuple(versions[fact.id] for fact in some)

    return Difference(
        resolve(learned[:limit]),
        tuple(Change(resolve(went[slot]), resolve(came[slot])) for slot in shown),
        resolve(dropped[:limit]),
        {"learned": len(learned), "changed": len(changed), "dropped": len(dropped)},
    )


def _same_aside(store: Store, gone: list[Fact], come: list[Fact]) -> tuple[list[Fact], list[Fact]]:
    """(gone, come) without what was only told of another entity of the name; see `kgmem.recall.identity`."""
    now = successors(store, [*gone, *come]) if gone and come else {}
    if not now:
        return gone, come
    slots = _slots([*gone, *come], now)
    told = [replace(one, slot=slot) for one, slot in zip(as_now([*gone, *come], now), slots, strict=True)]
    return _only_in(told[: len(gone)], told[len(gone) :])


def _by_slot(facts: Iterable[Fact]) -> dict[Id, list[Fact]]:
    found: dict[Id, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact.slot, []).append(fact)
    return found


def _held(facts: Iterable[Fact], at: Instant) -> list[Fact]:
    return [fact for fact in facts if fact.recorded_at <= at < fact.closed_at]


def _only_in(before: Sequence[Fact], after: Sequence[Fact]) -> tuple[list[Fact], list[Fact]]:
    """(those of the first that the second does not say too, and the other way)."""
    earlier, later = {_saying(fact) for fact in before}, {_saying(fact) for fact in after}
    return (
        [fact for fact in before if _saying(fact) not in later],
        [fact for fact in after if _saying(fact) not in earlier],
    )


def _saying(fact: Fact) -> tuple[object, ...]:
    """What a version says: two that agree in this are one belief to a reader."""
    what = (fact.subject, fact.predicate, fact.object, fact.value)
    return *what, fact.valid, fact.holds_from, fact.holds_to, bool(fact.rivals)


def cause_json(cause: Transacted) -> dict[str, Any]:
    """A transaction, in the form that scripts rely on."""
    path = cause.source.path if cause.source else None
    return {"kind": cause.kind, "source": path, "recorded_at": show_instant(cause.recorded_at)}


def minute(at: Instant) -> str:
    """A recorded instant as a person reads it, in UTC: ``2026-03-02 10:00``."""
    return show_instant(at)[:16].replace("T", " ")


def believed(fact: Fact) -> str:
    """When a version was believed, in UTC: ``believed since 2026-03-02 10:00``, ``believed 2026-03-02 10:00 – …``."""
    since = minute(fact.recorded_at)
    return f"believed since {since}" if fact.closed_at >= OPEN else f"believed {since} – {minute(fact.closed_at)}"


def deed(kind: str) -> str:
    """What happened to the source of a transaction: ``was changed``."""
    return _KINDS.get(kind, kind)


def cause_words(cause: Transacted) -> str:
    """What a transaction was: ``Mira.md was changed``."""
    return f"{cause.source.path} {deed(cause.kind)}" if cause.source else deed(cause.kind)


def find_ever(store: Store, name: str) -> tuple[EntityCard, ...]:
    """The entities of a name, as `kgmem.recall.names.find_entity` finds them, and then those that bore it once.

    An entity of which no note speaks any more has no alias left, but its history is still to be asked for. One that
    is only what the name of another meant before is left out: its history is part of that one's.

    Raises:
        NotFoundError: nothing has that name, and nothing had.
    """
    key = name_key(name)
    _, everyone = store.cards(EntityQuery(hidden=True))
    once = tuple(card for card in everyone if not card.mentions and name_key(card.entity.name) == key)
    found: tuple[EntityCard, ...] = ()
    try:
        found = find_entity(store, name)
    except NotFoundError:
        if not once:
            raise
    cards = {card.entity.id: card for card in (*found, *once)}
    former = {each for entity in cards for each in formerly(store, entity)}
    return tuple(card for entity, card in cards.items() if entity not in former)
