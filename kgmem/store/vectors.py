"""What both stores ask before they search vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from kgmem.errors import StoreError
from kgmem.store.protocol import Scope
from kgmem.store.vector_store import VectorModel

_SCOPES: Final = {"passage": Scope.EPISODES, "fact": Scope.FACTS, "entity": Scope.ENTITIES}


def scope_of(kind: str) -> Scope:
    """The scope of hits among vectors of a kind.

    Raises:
        ValueError: nothing of that kind is searched.
    """
    if kind not in _SCOPES:
        raise ValueError(f"there are no vectors of kind {kind!r}")
    return _SCOPES[kind]


def refuse_others(values: Sequence[float], model: str | None, dimension: int | None) -> None:
    """Raise StoreError for a question that the group's vectors, of a model and a dimension, cannot be compared with."""
    if model is None:
        raise StoreError("this group declares no vectors", "declare the model and make them before they are searched")
    if len(values) != dimension:
        raise StoreError(
            f"a question of {len(values)} dimensions does not fit this group's vectors: {model} with {dimension}",
            "use the model that the group was begun with",
        )


def refuse_twin(present: VectorModel | None, wanted: VectorModel) -> None:
    """Raise StoreError for a model that cannot be prepared beside the present one."""
    if present is None:
        raise StoreError("this group declares no vectors", "`kgmem ingest` makes them")
    if present.name == wanted.name and present != wanted:
        raise StoreError(
            f"this group holds vectors of {present.name} with {present.dimension} dimensions already",
            "another number of dimensions takes another name of the model",
        )


def direction(values: Sequence[float]) -> list[float] | None:
    """The vector of length 1 that points the same way; None where there is no way, or a value is no number."""
    length = math.hypot(*values)
    return [value / length for value in values] if 0 < length < math.inf else None
