"""What one transaction writes.

Apart from `kgmem.store.protocol`, so that a command which only reads does not import it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kgmem.model import Alias, Bound, Claim, Decision, Entity, Episode, Fact, Id, Instant, Mention, Passage, Source
from kgmem.store.replies import Reply


class EndKind(StrEnum):
    """How a claim stopped being asserted."""

    REPLACED = "replaced"
    """Another claim of the slot took its place in the source: it stays in the fold, up to a bound."""
    WITHDRAWN = "withdrawn"
    """Nothing took its place: it leaves the fold."""


@dataclass(frozen=True, slots=True)
class Ending:
    """An entry of the log: from this transaction on, a claim is no longer asserted."""

    claim: Id
    kind: EndKind
    at: Bound | None = None
    """For a replaced claim: the bound where it ends."""


@dataclass(frozen=True, slots=True)
class Vector:
    """An embedding of a passage, fact or entity."""

    kind: str
    id: Id
    model: str
    values: tuple[float, ...]
    hash: Id | None = None
    """What the embedded texts are known by, if an equal text may have this vector too."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one transaction writes. Everything in it is keyed by content, so the same set twice is one."""

    kind: str
    """ingest, move, remove, forget, merge, …: the log says what a transaction was."""
    source: Source | None = None
    """The source as it is from now on; its moves and renames are kept as history."""
    moved_root: tuple[str, str] | None = None
    """(before, after): the folder of every source in it stands somewhere else from now on."""
    removed: Id | None = None
    """A source that is gone: its episode closes, its passages, mentions and aliases are no longer live."""
    episode: Episode | None = None
    """The new current episode of the source; the one before it closes."""
    passages: tuple[Passage, ...] = ()
    """All passages of the current episode, in order, with their lines; the store keeps each text once."""
    mentions: tuple[Mention, ...] | None = None
    """All mentions of these passages; None leaves them as they are."""
    entities: tuple[Entity, ...] = ()
    """New or changed entities."""
    aliases: tuple[Alias, ...] | None = None
    """All aliases that this source gives; None leaves them as they are."""
    links: tuple[tuple[str, bool], ...] | None = None
    """All targets that the source links to: the key of the name, and whether it resolved to a note."""
    claims: tuple[tuple[Id, Claim], ...] = ()
    """(slot, claim)"""
    endings: tuple[Ending, ...] = ()
    closed: tuple[Id, ...] = ()
    """Open facts that are no longer believed."""
    opened: tuple[Fact, ...] = ()
    supported: tuple[tuple[Id, tuple[Id, ...]], ...] = ()
    """Open facts that did not change, with all claims they rest on from now on."""
    vectors: tuple[Vector, ...] = ()
    replies: tuple[Reply, ...] = ()
    """What a model said of passages that are there; one that is not keeps none."""
    relinked: frozenset[str] = frozenset()
    """Keys of names that the source began or ceased to link to: see `kgmem.store.protocol.Store.relinked`."""
    decisions: tuple[Decision, ...] = ()
    retracted: tuple[Id, ...] = ()
    """Decisions that no longer hold."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is to be gone for good: all of a source that was forgotten before, or one episode of it."""

    source: Id
    episode: Id | None
    claims: tuple[Id, ...]
    """Those it made, ended ones too."""
    slots: tuple[Id, ...]
    """The slots of those claims: their beliefs of all times are written anew."""
    rebuilt: tuple[tuple[Instant, tuple[Id, ...], tuple[Fact, ...], tuple[tuple[Id, tuple[Id, ...]], ...]], ...]
    """(recorded instant, facts closed, opened, supported), as the claims of others alone would have made them."""
