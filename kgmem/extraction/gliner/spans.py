"""What the network found in a text, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kgmem.extraction.gliner.settings import Meaning
from kgmem.model import EntityType


@dataclass(frozen=True, slots=True)
class LabelledSpan:
    """Code points ``[start, end)`` of a text, with the label that fits it and the score, from 0 to 1."""

    start: int
    end: int
    label: str
    score: float
    type: EntityType = EntityType.OBJECT
    subtype: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledRelation:
    """A relation from the head to the tail, by the label that the configuration gives a meaning."""

    head: tuple[int, int]
    tail: tuple[int, int]
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """All that was found in one text; no two spans share a place."""

    spans: tuple[LabelledSpan, ...] = ()
    relations: tuple[LabelledRelation, ...] = ()


NOTHING: Final = Labelled()


@dataclass(frozen=True, slots=True)
class Labelling:
    """What was found in a document, one for each of its blocks, and what labels of relations mean."""

    blocks: Sequence[Labelled]
    meanings: Mapping[str, Meaning]
