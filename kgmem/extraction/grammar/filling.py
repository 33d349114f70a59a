"""A frame whose slots are being filled from one sentence, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kgmem.extraction.grammar.frames import Frame, Slot
from kgmem.extraction.grammar.referents import End, Referents
from kgmem.extraction.grammar.stance import Stance
from kgmem.extraction.grammar.tree import Tree

_PLACES: Final = frozenset({"in", "at", "for"})
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Found:
    """A frame that a sentence fills."""

    frame: Frame
    at: int
    places: frozenset[int]
    """The words whose dates are its own."""
    fills: Mapping[str, tuple[End, ...]]
    stance: Stance
    tells: str
    """As the frame tells, unless its own words say otherwise: who becomes the head begins to lead."""
    over: bool = False
    """It is said of a former one."""
    apposed: bool = False
    """No verb says it, and none gives it a tense: "Bo, head of Acme"."""
    weight: int = field(default=0, compare=False)
    """Of two frames of a verb that mean the same predicate, the heavier one says more."""


class Filling:
    """Fills the slots of a frame."""

    def __init__(self, tree: Tree, referents: Referents, roles: frozenset[str], frame: Frame, stance: Stance) -> None:
        self._tree = tree
        self._referents = referents
        self._roles = roles
        self._frame = frame
        self._stance = stance
        self.fills: dict[str, tuple[End, ...]] = {}

    def fill_all(
        self, at: int, direct: Sequence[int] = (), particle: int | None = None, also: int | None = None
    ) -> bool:
        """Fill all but the first slot from the words around a verb or an adjective.

        Args:
            at: the word.
            direct: its direct objects.
            particle: what stands with it, as "over".
            also: another word on which a parser may have hung a preposition.
        """
        return all(
            self._fill(slot, at, direct, particle)
            or (also is not None and self._fill(slot, also, (), None))
            or slot.optional
            for slot in self._frame.rest
        )

    def _fill(self, slot: Slot, at: int, direct: Sequence[int], particle: int | None) -> bool:
        """Fill a slot with the first phrase that may stand in it."""
        if slot.letter == "d":
            return True
        return any(self.put(slot, each) for each in (self._after(slot, at, particle) if slot.leads else direct))

    def _after(self, slot: Slot, at: int, particle: int | None) -> list[int]:
        found = list(self._tree.after(at, slot.leads, particle))
        place = self._tree.where(at)
        if place is not None and slot.leads & _PLACES and slot.letter == "o":
            found.append(place)
        return found or self._stranded(at, slot.leads)

    def _stranded(self, at: int, leads: frozenset[str]) -> list[int]:
        """What a preposition at the end leads to: "Acme, which Ana works for"."""
        tree = self._tree
        alone = any(tree.words[each].lemma in leads and not tree.children[each] for each in tree.of(at, "prep"))
        return [tree.words[at].head] if alone and tree.words[at].dep == "relcl" else []

    def put(self, slot: Slot, at: int) -> bool:
        """Fill a slot with what a phrase refers to, if that may be; nobody fills two slots."""
        taken = {each.key for some in self.fills.values() for each in some}
        ends = tuple(each for each in self._ends(slot, at) if each.key not in taken)
        if ends:
            self.fills[slot.letter] = ends
        return bool(ends)

    def _ends(self, slot: Slot, at: int) -> list[End]:
        if slot.letter == "r":
            role = self._referents.role(at, self._roles)
            return [] if role is None else [role]
        if slot.letter == "v" or (slot.letter == "x" and self._frame.takes_words):
            if self._frame.tells == "starts" and self._tree.words[at].tag.startswith("NNP"):
                return []  # who switches from Vim to Emacs says what is used
            return self._referents.value(at)
        return self._referents.ends(at, self._frame.types(slot.letter), slot.doubt, self._stance.speaker)

    @property
    def is_complete(self) -> bool:
        """Whether both ends of a claim are there, or two who are it to each other."""
        if "s" in self.fills and (self._frame.dated or not self.fills.keys().isdisjoint("orv")):
            return True
        return self._frame.mutual and len(self.fills.get("s", ())) == _PAIR

    @property
    def weight(self) -> int:
        """How much the frame says."""
        sure = sum(not slot.doubt for slot in (self._frame.first, *self._frame.rest))
        return 10 * len(self.fills) + 3 * bool(self._frame.particle) + 3 * bool(self._frame.literal) + sure
