"""World dates in words, with the precision and the basis they have."""

from __future__ import annotations

from kgmem.model import FOREVER, Basis, Bound, Fact

_START = {Basis.STATED: "since {}", Basis.NOTE: "noted {}", Basis.OBSERVED: "since an edit seen {}"}
_END = {Basis.STATED: "until {}", Basis.NOTE: "until {}, by a later note", Basis.OBSERVED: "until an edit seen {}"}
NO_DATE = "date unknown"


def when(fact: Fact) -> str:
    """When a fact holds: ``2015 – 2023-03``, ``since 2023-04``, ``noted 2024-05-02``, ``date unknown``."""
    start, end = fact.valid.start, fact.valid.end
    if start.shown and end.shown and start.basis is Basis.STATED and end.basis is Basis.STATED:
        return start.shown if start.moment == end.moment else f"{start.shown} – {end.shown}"
    words = [_bound(start, _START), _bound(end, _END) or ("ended, date unknown" if fact.holds_to < FOREVER else "")]
    return ", ".join(word for word in words if word) or NO_DATE


def _bound(bound: Bound, words: dict[Basis, str]) -> str:
    return words.get(bound.basis, "{}").format(bound.shown) if bound.shown else ""
