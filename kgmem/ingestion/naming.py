"""The name and type of an entity: the best of what its sources say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from kgmem.model import Alias, AliasKind, Entity, Id, identify
from kgmem.resolution.directory import Anchor


def describe(entity: Id, aliases: Iterable[Alias], held: Entity | None = None) -> Entity | None:
    """An entity as its aliases describe it; None if there are none.

    A title names it before anything else (that of its first note, if several are about it), then the name that sorts
    first: independent of the order in which sources arrive. Its type is the one with the best evidence.

    Args:
        entity: its id.
        aliases: all it has, or only new ones if `held` sums up the rest.
        held: what is believed of it so far.
    """
    rows = list(aliases)
    if not rows:
        return held
    titled = [row for row in rows if row.kind is AliasKind.TITLE]
    if len(titled) > 1:
        titled.sort(key=lambda row: (identify("entity", row.source) != entity, row.name))
    titles = [row.name for row in titled]
    names = sorted(row.name for row in rows)
    types = [(row.type_rank, row.type.value, row.subtype or "", row) for row in rows]
    _, _, _, best = min(types, key=lambda each: each[:3])
    new = Entity(entity, (titles or names)[0], best.type, best.subtype, best.type_rank)
    if held is None:
        return new
    name = new.name if titles else held.name
    mine, theirs = (
        (new.type_rank, new.type.value, new.subtype or ""),
        (held.type_rank, held.type.value, held.subtype or ""),
    )
    chosen = new if mine < theirs else held
    return Entity(entity, name, chosen.type, chosen.subtype, chosen.type_rank)


def changed_entities(
    before: Sequence[Alias],
    after: Sequence[Alias],
    held: Mapping[Id, Entity],
    every: Mapping[Id, Sequence[Alias]],
    anchors: Iterable[Anchor] = (),
) -> tuple[Entity, ...]:
    """The entities that a new set of a source's aliases describes anew.

    Args:
        before: the aliases that the source gave until now.
        after: those that it gives from now on.
        held: the entities concerned, as they are.
        every: for each entity that `before` names and `after` does not name in the same way: its aliases of
            other sources.
        anchors: what other sources are about: known for sure, even before they are read.
    """
    told = _by_entity(after)
    out = [_unread(anchor) for anchor in anchors if anchor.entity not in held and anchor.entity not in told]
    for entity in {*_by_entity(before), *told}:
        rest = every.get(entity)
        own = held.get(entity)
        if rest is None:
            now = describe(entity, told.get(entity, ()), own)
        else:
            now = describe(entity, [*rest, *told.get(entity, ())]) or own
        if now is not None and now != own:
            out.append(now)
    return tuple(sorted(out, key=lambda each: each.id))


def _unread(anchor: Anchor) -> Entity:
    kind = anchor.typing
    return Entity(anchor.entity, anchor.name, kind.type, kind.subtype, kind.rank)


def lost(before: Iterable[Alias], after: AbstractSet[Alias]) -> frozenset[Id]:
    """Entities that no longer get a name or type from a source that gave it before."""
    return frozenset(alias.entity for alias in before if alias not in after)


def _by_entity(aliases: Iterable[Alias]) -> dict[Id, list[Alias]]:
    rows: dict[Id, list[Alias]] = {}
    for alias in aliases:
        rows.setdefault(alias.entity, []).append(alias)
    return rows
