"""The data of a picture of both time axes: rows, world intervals, recorded versions, and the scale they stand on.

Nothing is drawn here. A terminal, an SVG and a page all draw the same `Timeline`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from kgmem.model import FOREVER, OPEN, Entity, Instant, Moment, show_instant, show_second, unique
from kgmem.recall.facts import entity_json
from kgmem.recall.history import SlotHistory, Version, believed, history, minute
from kgmem.recall.wording import ends, when
from kgmem.store.protocol import Store

_DAY: Final = 86_400
_LAST_DAY: Final = date.max.toordinal()
_MARGIN: Final = 0.04
"""Share of the span that is left free on each side."""
_LEAST_MARGIN: Final = 15
"""Days that are left free at least."""
_SHORTEST: Final = 0.05
"""Share of the span that shows an interval which ended nobody knows when."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The world interval of one version, as far as a person may see its ends."""

    version: Version
    start: int | None
    """World second; None if it is open or not known."""
    past: int | None
    """World second after the last; None if it is open or not known."""

    @property
    def dated(self) -> bool:
        """Whether there is an end to draw it by."""
        return self.start is not None or self.past is not None

    @property
    def disputed(self) -> bool:
        """Whether other claims say otherwise."""
        return bool(self.version.view.rivals)

    @property
    def goes_on(self) -> bool:
        """Whether it holds with no end in sight; otherwise it ended, if only on a date that is not known."""
        return self.version.fact.holds_to >= FOREVER

    @property
    def label(self) -> str:
        """When, in words: ``2015 – 2023-03``, ``date unknown; disputed``."""
        return when(self.version.fact) + ("; disputed" if self.disputed else "")


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a slot, with all intervals in which it holds."""

    name: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What is believed of one slot, and every version of it."""

    predicate: str
    """In words: ``works at``; with its subject where that is another entity."""
    rows: tuple[Row, ...]
    """What is believed at the recorded instant of the picture; none if all of it was given up."""
    versions: tuple[Bar, ...]
    """All versions recorded up to then that outlived their minute, the first recorded first."""

    @property
    def revised(self) -> bool:
        """Whether it was believed in other ways before."""
        return len({believed(bar.version.fact) for bar in self.versions}) > 1


@dataclass(frozen=True, slots=True)
class Scale:
    """The world seconds ``[first, past)`` that a picture spans."""

    first: int
    past: int

    def share(self, second: int) -> float:
        """Where a second lies, from 0 at the left edge to 1 at the right one."""
        return min(max((second - self.first) / (self.past - self.first), 0.0), 1.0)

    def extent(self, bar: Bar) -> tuple[float, float]:
        """The shares at which a bar begins and ends; an end that is open lies on the edge, an unknown one close by."""
        start = 0.0 if bar.start is None else self.share(bar.start)
        if bar.past is None:
            return start, 1.0 if bar.goes_on else min(start + _SHORTEST, 1.0)
        return start, max(self.share(bar.past), start)

    def ticks(self, most: int) -> tuple[tuple[float, str], ...]:
        """At most so many (share, label), at round days, months or years; few where those are too close together."""
        for unit, seconds, steps in _UNITS:
            for step in steps:
                if (self.past - self.first) / (seconds * step) <= most:
                    return tuple((self.share(at), label) for at, label in unit(self.first, self.past, step))
        return ()


@dataclass(frozen=True, slots=True)
class Timeline:
    """Both time axes of what is believed of an entity."""

    entity: Entity
    parts: tuple[Part, ...]
    scale: Scale | None
    """None if nothing has a date."""
    now: int
    """The world second that is marked: now, or the start of the period asked about."""
    instants: tuple[Instant, ...]
    """When beliefs began or ended, in order: the last of each minute, for one ingest is many transactions."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "entity": entity_json(self.entity),
            "instants": [show_instant(at) for at in self.instants],
            "parts": [
                {
                    "predicate": part.predicate,
                    "rows": [{"name": row.name, "facts": [_bar_json(bar) for bar in row.bars]} for row in part.rows],
                    "versions": [_bar_json(bar) for bar in part.versions],
                }
                for part in self.parts
            ],
        }


def timeline(
    store: Store,
    entity: Entity,
    *,
    now: int,
    valid: tuple[int, int] | None = None,
    known: Instant | None = None,
) -> Timeline:
    """The picture of an entity.

    Args:
        store: the memory.
        entity: whose facts, as subject or object; bare links are left out.
        now: the world second that "now" means.
        valid: world seconds [from, to): only what holds at some second of it.
        known: the recorded instant to stand at; now without it.
    """
    parts = tuple(_part(slot, entity, valid) for slot in history(store, entity.id, known=known))
    parts = tuple(part for part in parts if part.versions)
    bars = [bar for part in parts for bar in part.versions]
    facts = [bar.version.fact for bar in bars]
    instants = sorted({at for fact in facts for at in (fact.recorded_at, fact.closed_at) if at < OPEN})
    lasting = {minute(at): at for at in instants}
    mark = now if valid is None else max(valid[0], 0)
    return Timeline(entity, parts, _scale(bars, mark), mark, tuple(lasting.values()))


def _part(slot: SlotHistory, entity: Entity, valid: tuple[int, int] | None) -> Part:
    words = slot.predicate.replace("_", " ").lower()
    own = slot.subject.id == entity.id
    versions = [_bar(each) for each in slot.versions if _lasted(each) and (valid is None or each.view.holds_in(valid))]
    held = sorted((bar for bar in versions if bar.version.fact.closed_at >= OPEN), key=_by_start)
    names = unique(value_name(bar, entity) for bar in held)
    rows = tuple(Row(name, tuple(bar for bar in held if value_name(bar, entity) == name)) for name in names)
    return Part(words if own else f"… {words} {entity.name}", rows, tuple(versions))


def _lasted(version: Version) -> bool:
    fact = version.fact
    return fact.closed_at >= OPEN or minute(fact.closed_at) != minute(fact.recorded_at)


def value_name(bar: Bar, entity: Entity) -> str:
    """What a bar is the interval of, seen from an entity: the object or value, else the subject."""
    view = bar.version.view
    return view.target if view.subject.id == entity.id else view.subject.name


def _by_start(bar: Bar) -> tuple[int, str]:
    return bar.version.fact.holds_from, bar.version.fact.id


def _bar(version: Version) -> Bar:
    """An end that is never shown to a person, such as a file's time, is not drawn either."""
    fact = version.fact
    begin, end = ends(fact)
    start = fact.holds_from if begin.shown else None
    past = fact.holds_to if end.shown and fact.holds_to < FOREVER else None
    return Bar(version, start, past)


def _bar_json(bar: Bar) -> dict[str, Any]:
    ends = {"drawn_from": bar.start, "drawn_to": bar.past}
    return {**bar.version.as_json(), **{name: end and show_second(end) for name, end in ends.items()}}


def _scale(bars: Sequence[Bar], now: int) -> Scale | None:
    """Wide enough for all ends, and for now if something goes on, with a margin for arrows on both sides."""
    ends = [end for bar in bars for end in (bar.start, bar.past) if end is not None]
    if not ends:
        return None
    if any(bar.dated and bar.past is None and bar.goes_on for bar in bars):
        ends.append(now)
    first, past = min(ends), max(ends)
    margin = max(int((past - first) * _MARGIN), _LEAST_MARGIN * _DAY)
    return Scale(max(first - margin, _DAY), min(past + margin, _LAST_DAY * _DAY))


def _days(first: int, past: int, step: int) -> Iterator[tuple[int, str]]:
    for day in range(first // _DAY, past // _DAY + 1):
        if day % step == 0 and first <= day * _DAY < past:
            yield day * _DAY, date.fromordinal(day).isoformat()


def _months(first: int, past: int, step: int) -> Iterator[tuple[int, str]]:
    begin = date.fromordinal(first // _DAY)
    for month in range(begin.year * 12 + begin.month - 1, 9999 * 12, 1):
        moment = Moment.month(month // 12, month % 12 + 1)
        if moment.first >= past:
            return
        if month % step == 0 and moment.first >= first:
            yield moment.first, str(moment)


def _years(first: int, past: int, step: int) -> Iterator[tuple[int, str]]:
    for year in range(date.fromordinal(first // _DAY).year, date.fromordinal((past - 1) // _DAY).year + 1):
        if year % step == 0 and Moment.year(year).first >= first:
            yield Moment.year(year).first, str(Moment.year(year))


_UNITS: Final = (
    (_days, _DAY, (1, 2, 7, 14)),
    (_months, 30 * _DAY, (1, 2, 3, 6)),
    (_years, 365 * _DAY, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)),
)
"""(round seconds of a span with their labels, seconds of a unit, how many units apart), the finest first."""
