"""How rungs of the ladder are weighed against each other where they disagree."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from kgmem.errors import ConfigurationError

RUNGS: Final = ("structure", "sentences", "grammar", "gliner", "llm")
"""The rungs that claim something, from the one that is seldom wrong to the one that may invent."""


class Strategy(StrEnum):
    """Which of several claims is kept that cannot all be meant."""

    AGREEMENT = "agreement"
    """The one that most rungs found; of as many, the one of the best rung.

    It is the default: a phrase's constant, a network's score and what a language model says of itself are no
    probabilities of one kind, so that they cannot be compared, while two readers of different kinds seldom make the
    same mistake.
    """
    CONFIDENCE = "confidence"
    """The one that is surest of itself: where the rungs in use were calibrated on one another."""
    SPAN = "span"
    """The one with the longest name: "Nord" within "Château Nord" is a part of what is meant."""
    LADDER = "ladder"
    """The one of the best rung, however many others say otherwise."""


@dataclass(frozen=True, slots=True)
class Merging:
    """What a person chose."""

    strategy: Strategy = Strategy.AGREEMENT
    min_confidence: float = 0.0
    """Below it, from 0 to 1, a claim of any rung but structure is left out."""

    def __post_init__(self) -> None:
        if not 0 <= self.min_confidence <= 1:
            raise ConfigurationError(f"min_confidence is not between 0 and 1: {self.min_confidence}")


def place_of(rung: str) -> int:
    """Where a rung stands on the ladder, 0 for the best."""
    return RUNGS.index(rung) if rung in RUNGS else len(RUNGS)


def place_by_extent(rung: str) -> int:
    """Where a rung stands by how well it knows where names end, 0 for the best.

    Phrases take a run of capital letters for a name, "CEO Bo Li"; the others were trained on where names begin and end.
    """
    return len(RUNGS) + 1 if rung == "sentences" else place_of(rung)
