"""What a dump says of the past: which transactions there were, what stood then, and what was claimed and decided."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from kgmem.model import (
    BY_MODEL,
    OPEN,
    UNKNOWN,
    Bound,
    Claim,
    ClaimKind,
    Decision,
    DecisionKind,
    Id,
    Instant,
    Period,
    Source,
)
from kgmem.store.changes import EndKind
from kgmem.store.lines import read_bound
from kgmem.store.replies import Reply

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A transaction."""

    at: Instant
    kind: str
    source: Id | None


@dataclass(frozen=True, slots=True)
class Stood:
    """Where a source stood, or which episode of it was current, for a time: half-open."""

    since: Instant
    until: Instant
    place: tuple[str, str] = ("", "")
    """(root, path)."""
    episode: Id = ""
    occurred: Bound = UNKNOWN


@dataclass(frozen=True, slots=True)
class Ended:
    """An entry of the log of how claims ended: replaced at a bound, or withdrawn if there is none."""

    claim: Id
    bound: Bound | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What one transaction did to the claims of a source."""

    claims: tuple[tuple[Id, Claim], ...] = ()
    """(slot, claim)."""
    endings: tuple[Ended, ...] = ()

    def __bool__(self) -> bool:
        """Whether it did anything."""
        return bool(self.claims or self.endings)


@dataclass(slots=True)
class Log:
    """The past of a memory. What is kept by source is in recorded order."""

    entries: list[Entry] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    sources: dict[Id, Source] = field(default_factory=dict)
    places: dict[Id, list[Stood]] = field(default_factory=lambda: defaultdict(list))
    episodes: dict[Id, list[Stood]] = field(default_factory=lambda: defaultdict(list))
    bodies: dict[Id, tuple[str, str]] = field(default_factory=dict)
    """(hash, text), by episode."""
    entities: set[Id] = field(default_factory=set)
    passages: set[Id] = field(default_factory=set)
    claims: dict[Id, tuple[Id, Claim]] = field(default_factory=dict)
    """(slot, claim as it was made), by claim."""
    said: dict[Id, dict[Instant, Said]] = field(default_factory=lambda: defaultdict(dict))
    """By source and recorded instant."""
    replies: dict[Id, Reply] = field(default_factory=dict)
    """What a model said, by passage."""
    answered: dict[Id, Instant] = field(default_factory=dict)
    """When a model first made a claim of a passage: its reply has no time of its own."""
    facts: dict[Id, Id] = field(default_factory=dict)
    """The slot of each fact."""

    def place(self, source: Id, at: Instant) -> tuple[str, str] | None:
        """(root, path) where a source stood; None if it was not live."""
        stood = _then(self.places.get(source, ()), at)
        return None if stood is None else stood.place

    def episode(self, source: Id, at: Instant) -> Stood | None:
        """The episode of a source that was current."""
        return _then(self.episodes.get(source, ()), at)

    def told(self, passages: Iterable[Id], at: Instant) -> dict[Id, Reply]:
        """What a model had said of passages; a reply that no claim was made of yet is as new as the present."""
        return {each: self.replies[each] for each in passages if self.answered.get(each, OPEN) <= at}

    def decided(self, at: Instant) -> tuple[Decision, ...]:
        """The decisions that held; one that was retracted before stands there as retracted."""
        made = (each for each in self.decisions if each.recorded_at <= at)
        return tuple(replace(each, retracted_at=OPEN) if each.retracted_at > at else each for each in made)


def read_log(lines: Iterable[str]) -> Log:
    """The past that the lines of a dump tell of."""
    log = Log()
    endings: dict[Id, list[tuple[Instant, Ended]]] = defaultdict(list)
    for line in lines:
        table = line[len('{"table":"') :].partition('"')[0]
        if table == "ending":
            row = json.loads(line)
            bound = _bound(row["at"]) or UNKNOWN if row["kind"] == EndKind.REPLACED else None
            endings[row["claim"]].append((Instant(row["recorded_at"]), Ended(row["claim"], bound)))
        elif table in _READ:
            _READ[table](log, json.loads(line))
    for (slot, claim), ended in ((log.claims[name], endings.get(name, ())) for name in log.claims):
        _add(log, claim.source, claim.recorded_at, Said(claims=((slot, claim),)))
        for at, ending in ended:
            _add(log, claim.source, at, Said(endings=(ending,)))
    log.decisions.sort(key=lambda each: each.recorded_at)
    for source, said in log.said.items():
        log.said[source] = dict(sorted(said.items()))
    return log


def _add(log: Log, source: Id, at: Instant, more: Said) -> None:
    before = log.said[source].get(at, _NOTHING)
    log.said[source][at] = Said((*before.claims, *more.claims), (*before.endings, *more.endings))


_NOTHING: Final = Said()


def _then(stood: Sequence[Stood], at: Instant) -> Stood | None:
    place = bisect_right(stood, at, key=lambda each: each.since)
    found = stood[place - 1] if place else None
    return found if found is not None and found.until > at else None


def _bound(said: Mapping[str, Any] | None) -> Bound | None:
    return None if said is None else read_bound(said)


def _read_entry(log: Log, row: Row) -> None:
    log.entries.append(Entry(Instant(row["recorded_at"]), row["kind"], row["source"]))


def _read_decision(log: Log, row: Row) -> None:
    decision = Decision(
        id=row["id"], kind=DecisionKind(row["kind"]), source=row["source"], hash=row["hash"],
        about=None if row["about"] is None else Instant(row["about"]), entity=row["entity"],
        others=tuple(json.loads(row["others"])), names=tuple(json.loads(row["names"])), note=row["note"],
        recorded_at=Instant(row["recorded_at"]), retracted_at=Instant(row["retracted_at"]),
    )  # fmt: skip
    log.decisions.append(decision)


def _read_source(log: Log, row: Row) -> None:
    log.sources[row["id"]] = Source(
        row["id"], row["kind"], row["root"], row["path"], row["title"], uid=row["uid"], entity=row["entity"],
        hash=row["hash"],
    )  # fmt: skip


def _read_place(log: Log, row: Row) -> None:
    since, until = Instant(row["recorded_at"]), Instant(row["closed_at"])
    log.places[row["source"]].append(Stood(since, until, place=(row["root"], row["path"])))


def _read_tenure(log: Log, row: Row) -> None:
    since, until = Instant(row["recorded_at"]), Instant(row["closed_at"])
    occurred = _bound(row["occurred"]) or UNKNOWN
    log.episodes[row["source"]].append(Stood(since, until, episode=row["episode"], occurred=occurred))


def _read_body(log: Log, row: Row) -> None:
    log.bodies[row["id"]] = (row["hash"], row["body"])


def _read_claim(log: Log, row: Row) -> None:
    claim = Claim(
        id=row["id"], source=row["source"], episode=row["episode"], passage=row["passage"], subject=row["subject"],
        predicate=row["predicate"], object=row["object"], value=row["value"], statement=row["statement"],
        quote=row["quote"], line=row["line"],
        valid=Period(_bound(row["valid_from"]) or UNKNOWN, _bound(row["valid_to"]) or UNKNOWN),
        said=_bound(row["said"]) or UNKNOWN, kind=ClaimKind(row["kind"]), scalar=bool(row["scalar"]),
        rung=row["rung"], confidence=row["confidence"], recorded_at=Instant(row["recorded_at"]),
        first_at=None if row["first_at"] is None else Instant(row["first_at"]),
    )  # fmt: skip
    log.claims[claim.id] = (row["slot"], claim)
    if BY_MODEL in claim.rungs:
        log.answered[claim.passage] = min(claim.recorded_at, log.answered.get(claim.passage, OPEN))


def _read_reply(log: Log, row: Row) -> None:
    reply = Reply(**{name: row[name] for name in Reply.__dataclass_fields__})
    log.replies[reply.passage] = reply


def _read_fact(log: Log, row: Row) -> None:
    log.facts[row["id"]] = row["slot"]


_READ: Final[dict[str, Callable[[Log, Row], None]]] = {
    "tx": _read_entry,
    "decision": _read_decision,
    "entity": lambda log, row: log.entities.add(row["id"]),
    "source": _read_source,
    "source_path": _read_place,
    "episode": _read_body,
    "source_episode": _read_tenure,
    "passage": lambda log, row: log.passages.add(row["id"]),
    "reply": _read_reply,
    "claim": _read_claim,
    "fact": _read_fact,
}
