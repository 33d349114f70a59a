"""World dates and places in words; dates with the precision and the basis they have."""

from __future__ import annotations

from datetime import date

from kgmem.model import ALWAYS, CORRECTION, FOREVER, UNKNOWN, Basis, Bound, Fact, Moment, Period, Precision

_START = {Basis.STATED: "since {}", Basis.NOTE: "noted {}", Basis.OBSERVED: "since an edit seen {}"}
_END = {Basis.STATED: "until {}", Basis.NOTE: "until {}, by a later note", Basis.OBSERVED: "until an edit seen {}"}
_WHOLE = {Precision.YEAR: " (the whole year)", Precision.MONTH: " (the whole month)"}
_DAY = 86_400
_LAST_SECOND = date.max.toordinal() * _DAY
NO_DATE = "date unknown"


def when(fact: Fact) -> str:
    """When a fact holds: ``2015 – 2023-03``, ``since 2023-04``, ``noted 2024-05-02``, ``date unknown``."""
    start, end = ends(fact)
    if start.shown and end.shown and start.basis is Basis.STATED and end.basis is Basis.STATED:
        return start.shown if start.moment == end.moment else f"{start.shown} – {end.shown}"
    words = [_bound(start, _START), _bound(end, _END) or ("ended, date unknown" if fact.holds_to < FOREVER else "")]
    return ", ".join(word for word in words if word) or NO_DATE


def ends(fact: Fact) -> tuple[Bound, Bound]:
    """Both ends of a fact as a person may read them: as they were stated, else exactly where other values cut it.

    Of what goes on, a start that nobody stated stays unknown: it only follows what ended before, nobody knows when.
    """
    start, end = fact.valid.start, fact.valid.end
    if start == UNKNOWN and fact.holds_from > ALWAYS and fact.holds_to < FOREVER:
        start = _exact(fact.holds_from)
    if end == UNKNOWN and fact.holds_to < FOREVER:
        end = _exact(fact.holds_to, last=True)
    return start, end


def _exact(second: int, *, last: bool = False) -> Bound:
    """The year, month or day that begins with a world second, or that is over with it; unknown beyond the calendar."""
    if second % _DAY or not _DAY < second < _LAST_SECOND:
        return UNKNOWN
    day = date.fromordinal(second // _DAY - last)
    for moment in (Moment.year(day.year), Moment.month(day.year, day.month), Moment.day(day)):
        if second == (moment.past if last else moment.first):
            return Bound(moment, Basis.STATED)
    return UNKNOWN


def _bound(bound: Bound, words: dict[Basis, str]) -> str:
    return words.get(bound.basis, "{}").format(bound.shown) if bound.shown else ""


def period_words(period: Period) -> str:
    """A period as `--as-of` reads it again: ``2019``, ``2019-06 to 2019-08``, ``until 2019``."""
    start, end = period.start.moment, period.end.moment
    if start is None or end is None:
        return f"since {start}" if start else f"until {end}" if end else "any time"
    return str(start) if start == end else f"{start} to {end}"


def asked_words(as_of: Period | None, known: Moment | None, because: str = "") -> str:
    """The times that an answer is for: ``As of 2019 (the whole year)``, ``Until 2020-03 (before Mira moved)``.

    Args:
        as_of: the world period asked about.
        known: what was known at its end.
        because: how the question said the period, where that is no date.
    """
    parts = []
    if as_of is not None:
        words, start = period_words(as_of), as_of.start.moment
        head = f"as of {words}" if words[:1].isdigit() else words
        point = start is not None and start == as_of.end.moment
        parts.append(
            head + (f" ({because})" if because else _WHOLE.get(start.precision, "") if start and point else "")
        )
    if known is not None:
        end = "" if known.precision is Precision.INSTANT else "the end of "
        parts.append(f"as known at {end}{known}")
    said = ", ".join(parts)
    return said[:1].upper() + said[1:]


def place_words(path: str, line: int | None, *, kind: str) -> str:
    """Where something is written: ``Mira.md:12``, ``your correction of 2026-03-06``."""
    if kind == CORRECTION:
        return f"your {path.partition('T')[0]}"
    return path if line is None else f"{path}:{line}"
