"""The SQL of reads that ask about another time than now, on either axis.

A passage stands at a recorded instant if it is part of the episode that was current then. Which entities it mentions,
and under what names, is only known as it was read last: mentions and aliases are no log.

On the world axis a passage is as old as its note. One that was written after the period asked about is left out; one
whose note has no date that a person would be shown (a file's time, or none) may be of any time, and stays.
"""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from kgmem.model import OPEN, Instant
from kgmem.store.sqlite.packing import FILE_BASIS

_NOW: Final = Instant(OPEN - 1)
"""An instant after every recorded one and before the open end: as of it, rows are what they are now."""
_LATEST: Final = 2**56
"""World seconds after every date, which packed as a date still fit into 64 bits."""

_WAS_CURRENT: Final = "h.recorded_at <= :known AND h.closed_at > :known"
_NOT_AFTER: Final = (  # a date is an integer in the order of dates, or a text that begins with its first second
    "iif(typeof(h.occurred) = 'integer',"
    f" h.occurred < :past * 64 OR h.occurred & 7 = {FILE_BASIS},"
    f" CAST(h.occurred AS INTEGER) < :past OR h.occurred LIKE '% {FILE_BASIS}')"
)


@dataclass(frozen=True, slots=True)
class Then:
    """When a read asks about: world seconds [from, to), and a recorded instant; None of either for all, and now.

    Conditions are about a passage ``p``, a fact ``f`` or an entity ``e``. Joins bring the source ``s`` of the passage,
    and for another time than now the episode ``h`` that was its current one.
    """

    valid: tuple[int, int] | None = None
    known: Instant | None = None

    @property
    def is_now(self) -> bool:
        """Whether it asks about no other time."""
        return self.valid is None and self.known is None

    @property
    def bindings(self) -> dict[str, Any]:
        """The parameters of all of the SQL."""
        first, past = self.valid or (0, 0)
        return {"known": _NOW if self.known is None else self.known, "first": first, "past": min(past, _LATEST)}

    @property
    def episode(self) -> str:
        """Joins what was the current episode of a source, after the source."""
        return "" if self.is_now else f" CROSS JOIN source_episode h ON h.source = s.nr AND {_WAS_CURRENT}"

    @property
    def current(self) -> str:
        """The number of the current episode, after `episode`."""
        return "s.episode" if self.is_now else "h.episode"

    @property
    def occurred(self) -> str:
        """The packed date of the current episode, after `episode`."""
        return "s.occurred" if self.is_now else "h.occurred"

    @property
    def live(self) -> str:
        """Whether a passage of the current episode counts, after `episode`.

        An episode that was read again keeps the passages of its former reading, which are not live.
        """
        return "p.live = 1" if self.is_now else f"(h.closed_at < {OPEN} OR p.live = 1)"

    @property
    def joined(self) -> str:
        """Whether a passage stands and is not too late, after `episode`."""
        if self.is_now:
            return self.live
        stands = "EXISTS (SELECT 1 FROM stands w WHERE w.episode = h.episode AND w.passage = p.nr)"
        return " AND ".join((self.live, stands, *([_NOT_AFTER] if self.valid else [])))

    @property
    def stands(self) -> str:
        """Whether a passage stands and is not too late, by itself."""
        if self.is_now:
            return self.live
        return f"EXISTS (SELECT 1 FROM source_episode h WHERE h.source = p.source AND {_WAS_CURRENT} AND {self.joined})"

    @property
    def seen(self) -> str:
        """Whether an entity is mentioned in a passage that stands and is not too late."""
        if self.is_now:
            return "e.listed IS NOT NULL"
        return (
            "EXISTS (SELECT 1 FROM mention m CROSS JOIN passage p ON p.nr = m.passage"
            f" WHERE m.entity = e.nr AND {self.stands})"
        )

    @property
    def believed(self) -> str:
        """Whether a fact was believed, and holds at some second of the period."""
        recorded = "f.recorded_at <= :known AND f.closed_at > :known"
        return f"{recorded} AND f.holds_from < :past AND f.holds_to > :first" if self.valid else recorded
