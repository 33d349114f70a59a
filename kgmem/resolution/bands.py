"""What a score leads to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kgmem.errors import ConfigurationError


class Band(StrEnum):
    """What becomes of two entities that were compared."""

    MERGE = "merge"
    """They are one."""
    PENDING = "pending"
    """A person is asked."""
    NEW = "new"
    """They are two."""


@dataclass(frozen=True, slots=True)
class Bands:
    """The scores from which two entities are merged, and from which a person is asked."""

    merge: float = 0.95
    pending: float = 0.85

    def __post_init__(self) -> None:
        if not 0 < self.pending <= self.merge <= 1:
            raise ConfigurationError(
                f"the bands of resolution are {self.pending} (pending) and {self.merge} (merge)",
                "both are above 0 and at most 1, and merge is not the lower one",
            )

    def of(self, score: float) -> Band:
        """The band that a score in [0, 1] falls into."""
        return Band.MERGE if score >= self.merge else Band.PENDING if score >= self.pending else Band.NEW
