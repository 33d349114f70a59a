"""Who a reference means, by what is sure: a link, a decision, an exact name or alias.

A link names its note; a name means whom somebody decided that it means in this source, or else the note that alone
gives it as its name or alias, if its type agrees. The title of one note of the same folder goes on meaning that note,
whomever other folders call so: nobody had these in mind. A name that nothing here owns stands for itself; one that
several own, of whom the source does not name just one, stays open, and is no mention: a false merge is silent, a
missing one is not. What only agrees nearly, or by what surrounds it, is compared with all that is known: see `score`
and `settle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from kgmem.extraction.ontology import Rank, Typing
from kgmem.extraction.proposal import Ref
from kgmem.model import AliasKind, Entity, EntityType, Id, identify
from kgmem.resolution.forms import plain_key
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name
from kgmem.resolution.same import Same

_CALLED_SO: Final = frozenset({"Tool", "Product", "Project", "Concept"})


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
    decided: bool = False
    """Somebody said so for this source: elsewhere the name may mean others."""


def named_entity(key: str, kind: EntityType | None = None) -> Id:
    """The id of what a name alone stands for; with a type where only the text's grammar vouches for it."""
    return identify("name", kind, key)


def is_given_name_alone(entity: Entity) -> bool:
    """Whether all that is known of somebody is a given name: in every source it may be another person."""
    key = name_key(entity.name)
    return entity.id == named_entity(key, EntityType.PERSON) and is_given_name(plain_key(key))


class Directory:
    """Notes by path and anchors by name, as of one ingest."""

    def __init__(
        self,
        notes: Mapping[str, Anchor],
        names: Iterable[tuple[str, Anchor]],
        same: Same | None = None,
        near: Iterable[tuple[str, Anchor]] = (),
        elsewhere: AbstractSet[Id] = frozenset(),
    ) -> None:
        """Put it together.

        Args:
            notes: what notes are about, by path.
            names: who owns a name, by its key.
            same: which names that stand for themselves are said to stand for somebody else.
            near: other spellings, by key, which mean their owner where nobody owns them: see `variants`.
            elsewhere: what only notes of other folders are about.
        """
        self._notes = notes
        self._same = Same(()) if same is None else same
        self._names = _by_key(names)
        self._elsewhere = elsewhere
        self._near = {key: owners for key, owners in _by_key(near).items() if key not in self._names}

    def owns(self, key: str) -> bool:
        """Whether some anchor bears the name of that key, or another spelling of it."""
        return key in self._names or key in self._near

    def at(self, path: str) -> Anchor | None:
        """The anchor of the note at a path."""
        return self._notes.get(path)

    def meant(self, source: Id) -> Mapping[str, Id | None]:
        """See `kgmem.resolution.same.Same.meant`."""
        return self._same.meant(source)

    def words(self, source: Id) -> tuple[str, ...]:
        """See `kgmem.resolution.same.Same.words`."""
        return self._same.words(source)

    def known(self, ref: Ref) -> tuple[Id, str, EntityType] | None:
        """(id, full name, type) of what a reference means by itself; None if nobody said what that is."""
        found = self.resolve(ref, frozenset(), frozenset())
        anchor = found.anchor if found else None
        if anchor is None or anchor.typing.rank > Rank.FOLDER:
            return None
        return anchor.entity, anchor.name, anchor.typing.type

    @cached_property
    def _anchors(self) -> Mapping[Id, Anchor]:
        """Whom notes are about, by entity."""
        return {owner.entity: owner for owners in self._names.values() for owner in owners}

    def resolve(
        self,
        ref: Ref,
        beside: AbstractSet[Id],
        link_keys: AbstractSet[str],
        meant: Mapping[str, Id | None] | None = None,
    ) -> Resolved | None:
        """Which entity a reference means; None if several could be and nothing settles it.

        Args:
            ref: the reference.
            beside: entities that the same source names beyond doubt.
            link_keys: names that stand for themselves because some note links to them.
            meant: what was decided for this source.
        """
        if ref.path is not None and (note := self._notes.get(ref.path)):
            return Resolved(note.entity, note)
        key = name_key(ref.name)
        said = meant is not None and key in meant and ref.kind is AliasKind.TEXT
        if said and meant and (entity := meant[key]) is not None:
            return Resolved(entity, self._anchors.get(entity), decided=True)
        every = self._names.get(key) or ([] if ref.kind is AliasKind.LINK else self._near.get(key, []))
        owners = [] if said else [each for each in every if _agree(each.typing, ref.typing)]
        owner = _only(owners) or self._titled(key, owners) or _only([each for each in owners if each.entity in beside])
        if owner is not None and (owner.entity in beside or not _may_be_a_person(ref, owner)):
            return Resolved(owner.entity, owner)
        if owners and ref.kind is AliasKind.TEXT:
            return None
        if ref.kind is AliasKind.LINK or key in link_keys or ref.typing.rank > Rank.GUESS:
            return Resolved(self._same[named_entity(key)])
        return Resolved(self._same[named_entity(key, ref.typing.type)])

    def _titled(self, key: str, owners: Sequence[Anchor]) -> Anchor | None:
        """The owner of a name that alone bears it in this folder, as its title."""
        here = _only([each for each in owners if each.entity not in self._elsewhere])
        return here if here is not None and name_key(here.name) == key else None


def _may_be_a_person(ref: Ref, owner: Anchor) -> bool:
    """Whether a text gives a person's name, by its grammar, and the name is not known to be a person's.

    It may be that of a boat, or of a note of which nobody said what it is about. A tool is called Ruby so often, and
    taken for a person by the grammar, that it keeps its name.
    """
    if ref.kind is not AliasKind.TEXT or ref.typing.rank != Rank.GUESS or ref.typing.type is not EntityType.PERSON:
        return False
    thing = owner.typing.type is not EntityType.PERSON
    return thing and owner.typing.subtype not in _CALLED_SO and is_given_name(plain_key(ref.name))


def _by_key(names: Iterable[tuple[str, Anchor]]) -> dict[str, list[Anchor]]:
    owned: dict[str, list[Anchor]] = {}
    for key, anchor in names:
        owners = owned.setdefault(key, [])
        if all(owner.entity != anchor.entity for owner in owners):
            owners.append(anchor)
    return owned


def _agree(owner: Typing, wanted: Typing) -> bool:
    """Types clash only where a person or a property said both."""
    return owner.type is wanted.type or owner.rank > Rank.RANGE or wanted.rank > Rank.RANGE


def _only(owners: Sequence[Anchor]) -> Anchor | None:
    return owners[0] if len(owners) == 1 else None
