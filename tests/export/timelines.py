"""Timelines by hand: facts whose every date is written here."""

from __future__ import annotations

from dataclasses import replace

from kgmem.model import (
    ALWAYS,
    FOREVER,
    OPEN,
    UNKNOWN,
    Basis,
    Bound,
    Entity,
    EntityType,
    Fact,
    Instant,
    Moment,
    Period,
    Source,
)
from kgmem.recall.facts import FactView
from kgmem.recall.history import Version
from kgmem.recall.timeline import Bar, Part, Row, Scale, Timeline
from kgmem.store.protocol import Evidence, Transacted

MIRA = Entity("0" * 16, "Mira", EntityType.PERSON)
MARCH_2, MARCH_3 = Instant(1_772_445_600_000_000), Instant(1_772_532_000_000_000)
_FIRST, _PAST = Moment.parse("2010").first, Moment.parse("2020").first


def bound(text):
    return Bound(Moment.parse(text), Basis.STATED) if text else UNKNOWN


def bar(value, since="", until="", *, closed=None, recorded=MARCH_2, disputed=False, path="Mira.md"):
    start, end = bound(since), bound(until)
    holds_from = start.moment.first if start.moment else ALWAYS
    holds_to = end.moment.past if end.moment else FOREVER
    fact = Fact(
        "1" * 16, "2" * 16, MIRA.id, "WORKS_AT", None, value, f"Mira works at {value}.", Period(start, end), holds_from,
        holds_to, 1.0, (), (), recorded, OPEN if closed is None else closed,
    )  # fmt: skip
    place = Evidence(
        "3" * 16, fact.id, "4" * 16, "5" * 16, "/vault", path, 7, f"works at {value}", "", None, UNKNOWN, not closed
    )
    view = FactView(fact, MIRA, None, (place,), (place,) if disputed else (), None)
    cause = Transacted(closed, "changed", Source("4" * 16, "obsidian", "/vault", path, "Mira")) if closed else None
    return Bar(Version(view, cause), start.moment and start.moment.first, end.moment and end.moment.past)


def picture(*bars, name="Mira", predicate="works at", scale=True):
    rows = tuple(Row(each.version.view.target, (each,)) for each in bars if each.version.closed_by is None)
    facts = [each.version.fact for each in bars]
    instants = sorted({at for fact in facts for at in (fact.recorded_at, fact.closed_at) if at < OPEN})
    parts = (Part(predicate, rows, bars),) if bars else ()
    spans = Scale(_FIRST, _PAST) if scale else None
    return Timeline(replace(MIRA, name=name), parts, spans, Moment.parse("2019").first, tuple(instants))
