"""Which entities are one, and which are not: what persons and rules decided."""

from __future__ import annotations

from collections.abc import Iterable

from kgmem.model import Decision, DecisionKind, Id


class Same:
    """The decisions on who is who that hold. Two ids that were said to be one are one from then on."""

    def __init__(self, decisions: Iterable[Decision]) -> None:
        every = [each for each in decisions if each.kind in (DecisionKind.SAME, DecisionKind.DISTINCT)]
        holding = [each for each in every if each.holds]
        self.parted = tuple(each for each in every if each.kind is DecisionKind.SAME and not each.holds and each.entity)
        """The decisions that entities are one which no longer hold."""
        self._kept: dict[Id, Id] = {}
        for each in holding:
            if each.kind is DecisionKind.SAME and each.entity:
                self._kept |= {gone: each.entity for gone in each.others if gone != each.entity}
        self._distinct = [
            (each.entity, other)
            for each in holding
            if each.kind is DecisionKind.DISTINCT and each.entity
            for other in each.others
        ]

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
        pair = {self[one], self[other]}
        return any({self[a], self[b]} == pair for a, b in self._distinct)
