"""World dates as a graph keeps them: as they sort, and as a person reads them in a browser."""

from __future__ import annotations

from typing import Any

from kgmem.model import Basis, Bound, show_second
from kgmem.store.sqlite.packing import pack_bound


def shown(bound: Bound) -> str | None:
    """The date as a person may see it; None for what is none, or lies outside the calendar."""
    moment = bound.moment
    return None if moment is None or show_second(moment.first) is None else bound.shown


def dated(occurred: Bound) -> dict[str, Any]:
    """The date of an episode.

    ``dated`` and ``filed`` are for the first and last time that an entity was seen: a file's time never wins over a
    date. ``written_from`` is the first second of a date that a person would be shown.
    """
    packed = pack_bound(occurred)
    whole = packed if isinstance(packed, int) and packed > 0 else None
    by_file = occurred.basis is Basis.FILE
    return {
        "occurred": packed,
        "shown": shown(occurred),
        "dated": None if by_file else whole,
        "filed": whole if by_file else None,
        "written_from": None if occurred.moment is None or by_file else occurred.moment.first,
    }
