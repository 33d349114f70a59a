"""The two sides of a group's vectors, so that those of two models may be there at once.

Each side has keys, a label and an index of its own. The group says on which side the vectors are that are searched: to
search the others from then on is to change one word of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kgmem.store.vector_store import VectorModel

if TYPE_CHECKING:
    from kgmem.model import Id
    from kgmem.store.neo4j.connection import Handle

OTHER: Final = "b"
"""The second side. The first one has no name."""

SIDES: Final = "[g.vector_model, g.vector_dimension, g.coming_model, g.coming_dimension, g.vector_side]"
"""What a group ``g`` says of its sides, for `sides_of`."""


@dataclass(frozen=True, slots=True)
class Sides:
    """What vectors a group has, and where."""

    present: VectorModel | None = None
    coming: VectorModel | None = None
    side: str = ""
    """The side of the present ones."""

    @property
    def free(self) -> str:
        """The side that is not searched."""
        return "" if self.side else OTHER

    def side_of(self, model: str) -> str | None:
        """The side that the vectors of a model are on; None for a third one."""
        if self.present is not None and self.present.name == model:
            return self.side
        return self.free if self.coming is not None and self.coming.name == model else None


NO_SIDES: Final = Sides()


def sides_of(said: list[Any]) -> Sides:
    """The sides that a group tells of."""
    name, dimension, coming, coming_dimension, side = said
    return Sides(
        None if name is None else VectorModel(name, dimension),
        None if coming is None else VectorModel(coming, coming_dimension),
        side or "",
    )


def read_sides(handle: Handle) -> Sides:
    """The sides of the open group."""
    row = handle.first(f"MATCH (g:Group {{key: $group}}) RETURN {SIDES}")
    return NO_SIDES if row is None else sides_of(row[0])


def vector_key(handle: Handle, kind: str, identity: Id, side: str) -> str:
    """The key of a vector."""
    return handle.key(kind, identity, *([side] if side else []))
