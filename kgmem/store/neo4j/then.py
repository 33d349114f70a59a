"""The Cypher of reads that ask about another time than now, on either axis.

A passage stands at a recorded instant if it is part of the episode that was current then. Which entities it mentions,
and under what names, is only known as it was read last: mentions and aliases are no log.

On the world axis a passage is as old as its note. One that was written after the period asked about is left out; one
whose note has no date that a person would be shown (a file's time, or none) may be of any time, and stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from kgmem.model import OPEN, Instant

NOW: Final = Instant(OPEN - 1)
"""An instant after every recorded one and before the open end: as of it, rows are what they are now."""


@dataclass(frozen=True, slots=True)
class Then:
    """When a read asks about: world seconds [from, to), and a recorded instant; None of either for all, and now.

    Conditions are about a passage ``p``, a fact ``f`` or an entity ``e``. Paths find the source ``s`` and ``h``, by
    which it had the episode ``ep`` then, and which bears the date of the episode.
    """

    valid: tuple[int, int] | None = None
    known: Instant | None = None

    @property
    def is_now(self) -> bool:
        """Whether it asks about no other time."""
        return self.valid is None and self.known is None

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of all of the conditions."""
        first, past = self.valid or (0, 0)
        return {"known": NOW if self.known is None else self.known, "first": first, "past": past, "open": OPEN}

    @property
    def path(self) -> str:
        """From a source to the episodes that were, or the one that is, its current one."""
        return "(s)-[h:CURRENT]->(ep:Episode)" if self.is_now else "(s)-[h:HAS_EPISODE]->(ep:Episode)"

    @property
    def placed(self) -> str:
        """From a passage to the source that it stood in; what stands twice is found twice."""
        if self.is_now:
            return "(p)-[:PART_OF]->(s:Source)-[h:CURRENT]->(ep:Episode)"
        return "(p)<-[:HAS_PASSAGE]-(ep:Episode)<-[h:HAS_EPISODE]-(s:Source)"

    @property
    def live(self) -> str:
        """Whether a passage of the episode at the end of `path` counts, and the episode was current.

        An episode that was read again keeps the passages of its former reading, which are not live.
        """
        if self.is_now:
            return "p.live"
        return "h.recorded_at <= $known AND h.closed_at > $known AND (h.closed_at < $open OR p.live)"

    @property
    def counts(self) -> str:
        """`live`, and the note is not too late for the period."""
        return f"{self.live} AND (h.written_from IS NULL OR h.written_from < $past)" if self.valid else self.live

    @property
    def stands(self) -> str:
        """Whether a passage stands and is not too late, by itself."""
        if self.is_now:
            return "p.live"
        return f"EXISTS {{ MATCH (p)<-[:HAS_PASSAGE]-(ep:Episode)<-[h:HAS_EPISODE]-(:Source) WHERE {self.counts} }}"

    @property
    def seen(self) -> str:
        """Whether an entity is mentioned in a passage that stands and is not too late."""
        if self.is_now:
            return "e.listed IS NOT NULL"
        return f"EXISTS {{ MATCH (e)<-[:MENTIONS]-(p:Passage) WHERE {self.stands} }}"

    @property
    def believed(self) -> str:
        """Whether a fact was believed, and holds at some second of the period."""
        recorded = "f.recorded_at <= $known AND f.closed_at > $known"
        return f"{recorded} AND f.holds_from < $past AND f.holds_to > $first" if self.valid else recorded
