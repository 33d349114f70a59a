"""What extraction proposes: mentions and claims about *names*, before resolution says which entities they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kgmem.extraction.ontology import UNTYPED, Typing
from kgmem.model import UNDATED, AliasKind, Bound, ClaimKind, EntityType, Period, Problem

if TYPE_CHECKING:
    from kgmem.extraction.merging import Dropped


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to something by name; `path` is set where a link says exactly which note."""

    name: str
    kind: AliasKind
    path: str | None = None
    typing: Typing = UNTYPED


@dataclass(frozen=True, slots=True)
class MentionProposal:
    """A block names something; a span of the block's text, half-open."""

    block: int
    ref: Ref
    start: int
    end: int
    surface: str
    rung: str


@dataclass(frozen=True, slots=True)
class ClaimProposal:
    """A block says something. A subject of None, or `object_is_note`, is what the note itself is about."""

    block: int
    predicate: str
    subject: Ref | None
    object: Ref | None
    value: str | None
    statement: str
    quote: str
    line: int
    valid: Period = UNDATED
    said: Bound = field(default_factory=Bound)
    kind: ClaimKind = ClaimKind.HOLDS
    scalar: bool = False
    symmetric: bool = False
    object_is_note: bool = False
    rung: str = "structure"
    confidence: float = 1.0
    agreed: tuple[str, ...] = ()
    """Other rungs that found it too."""
    domain: tuple[EntityType, ...] = ()
    """Types of the subject: if it is known to be of another one, nothing is claimed. Empty for any."""
    range: tuple[EntityType, ...] = ()
    """The same of the object."""
    without: frozenset[str] = frozenset()
    """Subtypes that the object cannot be."""
    doubtful: bool = False
    """The words mean it only of an object known to be of such a type: "left Acme", "left Paris"."""
    witness: Ref | None = None
    """What is named beside a doubtful object: if that is known to be of such a type, then the object is too."""
    doubtful_subject: bool = False
    """The words mean it only of a subject that a person said to be of such a type: "took over Apollo"."""
    names: tuple[MentionProposal, ...] = ()
    """New names in it, which are mentioned if a note settles the doubt."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything that one document proposes."""

    typing: Typing
    mentions: Sequence[MentionProposal]
    claims: Sequence[ClaimProposal]
    problems: Sequence[Problem] = ()
    dropped: Sequence[Dropped] = ()
    """Claims that were left out, where rungs disagree."""
