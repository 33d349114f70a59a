"""Which entities are one, and which are not, and whom a name means in a source: what persons and rules decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from kgmem.model import Decision, DecisionKind, Id
from kgmem.resolution.names import name_key


class Same:
    """The decisions on who is who that hold. Two ids that were said to be one are one from then on."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        every = tuple(decisions)
        holding = [each for each in every if each.holds]
        self.parted = tuple(each for each in every if each.kind is DecisionKind.SAME and not each.holds and each.entity)
        """The decisions that entities are one which no longer hold."""
        self._kept: dict[Id, Id] = {}
        for each in holding:
            if each.kind is DecisionKind.SAME and each.entity:
                self._kept |= {gone: each.entity for gone in each.others if gone != each.entity}
        self._distinct = {
            frozenset((self[each.entity], self[other]))
            for each in holding
            if each.kind is DecisionKind.DISTINCT and each.entity
            for other in each.others
        }
        self._meant: dict[Id, dict[str, Id | None]] = defaultdict(dict)
        self._written: dict[str, str] = {}
        self._not_meant: dict[tuple[Id, str], set[Id]] = defaultdict(set)
        for kind in (DecisionKind.TAKEN, DecisionKind.MEANS):
            self._take_meanings(each for each in holding if each.kind is kind)

    def _take_meanings(self, decisions: Iterable[Decision]) -> None:
        for each in decisions:
            for name in each.names if each.source else ():
                source, key = each.source or "", name_key(name)
                self._written[key] = name
                if each.entity is None and each.others:
                    self._not_meant[source, key].update(each.others)
                    if self._meant[source].get(key) in each.others:
                        del self._meant[source][key]
                else:
                    self._meant[source][key] = each.entity

    def __bool__(self) -> bool:
        """Whether any two are one."""
        return bool(self._kept)

    @property
    def gone(self) -> frozenset[Id]:
        """Those that stand for another one now."""
        return frozenset(self._kept)

    def __getitem__(self, entity: Id) -> Id:
        """The entity that an id stands for."""
        met = {entity}
        while (kept := self._kept.get(entity)) is not None and kept not in met:
            met.add(kept)
            entity = kept
        return entity

    def are_distinct(self, one: Id, other: Id) -> bool:
        """Whether somebody said that they are two, or that two are which they stand for."""
        return frozenset((self[one], self[other])) in self._distinct

    def were_parted(self, one: Id, other: Id) -> bool:
        """Whether somebody took back that they are one: no rule says so again."""
        return any({one, other} <= {each.entity, *each.others} for each in self.parted)

    def meant(self, source: Id) -> Mapping[str, Id | None]:
        """Whom names mean in a source, by key, where somebody said so; None for nobody known."""
        said = self._meant.get(source, {})
        return {key: None if entity is None else self[entity] for key, entity in said.items()}

    def words(self, source: Id) -> tuple[str, ...]:
        """The names that mean somebody in a source by decision, as written."""
        said = self._meant.get(source, {})
        return tuple(self._written[key] for key in said)

    def not_meant(self, source: Id, key: str) -> frozenset[Id]:
        """Whom a name does not mean in a source."""
        return frozenset(self[each] for each in self._not_meant.get((source, key), ()))
