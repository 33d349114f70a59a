"""Who a reference means: the first form of resolution, by exact name and alias.

Two sure ways come first: a link that names a note, and a name or alias that one note alone gives, if its
type agrees. A name that nothing here owns stands for itself; one that several own and no link settles
stays open, and is no mention: a false merge is silent, a missing one is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from kgmem.extraction.ontology import Rank, Typing
from kgmem.extraction.proposal import Ref
from kgmem.model import AliasKind, EntityType, Id, identify
from kgmem.resolution.names import name_key
from kgmem.resolution.same import Same


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entity that a source is about: known for sure, by its names."""

    entity: Id
    name: str
    typing: Typing


@dataclass(frozen=True, slots=True)
class Resolved:
    """The entity that a reference means; `anchor` is None if nothing but the name itself stands for it."""

    entity: Id
    anchor: Anchor | None = None


def named_entity(key: str, kind: EntityType | None = None) -> Id:
    """The id of what a name alone stands for; with a type where only the text's grammar vouches for it."""
    return identify("name", kind, key)


class Directory:
    """Notes by path and anchors by name, as of one ingest."""

    def __init__(
        self, notes: Mapping[str, Anchor], names: Iterable[tuple[str, Anchor]], same: Same | None = None
    ) -> None:
        """Args: `same` tells which names that stand for themselves are said to stand for somebody else."""
        self._notes = notes
        self._same = same or Same(())
        self._names: dict[str, list[Anchor]] = {}
        for key, anchor in names:
            owners = self._names.setdefault(key, [])
            if all(owner.entity != anchor.entity for owner in owners):
                owners.append(anchor)

    def owns(self, key: str) -> bool:
        """Whether some anchor bears the name of that key."""
        return key in self._names

    def at(self, path: str) -> Anchor | None:
        """The anchor of the note at a path."""
        return self._notes.get(path)

    def person(self, ref: Ref) -> tuple[Id, str] | None:
        """(id, full name) of the person that a reference means by itself; None if it means none for sure."""
        found = self.resolve(ref, frozenset(), frozenset())
        anchor = found.anchor if found else None
        if anchor is None or anchor.typing.type is not EntityType.PERSON or anchor.typing.rank > Rank.FOLDER:
            return None
        return anchor.entity, anchor.name

    def resolve(self, ref: Ref, beside: AbstractSet[Id], link_keys: AbstractSet[str]) -> Resolved | None:
        """Which entity a reference means; None if several could be and nothing settles it.

        Args:
            ref: the reference.
            beside: entities that the same source names beyond doubt.
            link_keys: names that stand for themselves because some note links to them.
        """
        if ref.path is not None and (note := self._notes.get(ref.path)):
            return Resolved(note.entity, note)
        key = name_key(ref.name)
        owners = [owner for owner in self._names.get(key, ()) if _agree(owner.typing, ref.typing)]
        owner = owners[0] if len(owners) == 1 else _only([each for each in owners if each.entity in beside])
        if owner is not None:
            return Resolved(owner.entity, owner)
        if owners and ref.kind is AliasKind.TEXT:
            return None
        if ref.kind is AliasKind.LINK or key in link_keys or ref.typing.rank > Rank.GUESS:
            return Resolved(self._same[named_entity(key)])
        return Resolved(self._same[named_entity(key, ref.typing.type)])


def _agree(owner: Typing, wanted: Typing) -> bool:
    """Types clash only where a person or a property said both."""
    return owner.type is wanted.type or owner.rank > Rank.RANGE or wanted.rank > Rank.RANGE


def _only(owners: Sequence[Anchor]) -> Anchor | None:
    return owners[0] if len(owners) == 1 else None
