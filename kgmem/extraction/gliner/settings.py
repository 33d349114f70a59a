"""What a person sets of the third rung: the weights, and what their labels mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kgmem.errors import ConfigurationError
from kgmem.model import EntityType

KEYS: Final = ("model", "download", "threshold", "batch", "labels", "relations")
_INVERSE: Final = "inverse "


@dataclass(frozen=True, slots=True)
class Meaning:
    """The predicate that a label of relations stands for, perhaps said from the object's side."""

    predicate: str
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class GlinerSettings:
    """Without a model the rung is off."""

    model: str | None = None
    """A folder, or an id on the hub."""
    download: bool = False
    """Whether weights that are not on this machine may be fetched."""
    threshold: float = 0.5
    """The least score, from 0 to 1, of a span or relation."""
    batch: int = 8
    """Texts that the network reads at a time."""
    labels: Mapping[str, tuple[EntityType, str | None]] = field(default_factory=dict)
    """What spans are looked for, and the type and subtype that each label says."""
    relations: Mapping[str, Meaning] = field(default_factory=dict)


def read_gliner_settings(file: Path, table: Mapping[str, Any]) -> GlinerSettings:
    """The section ``[gliner]`` of a configuration.

    Raises:
        ConfigurationError: it says what means nothing.
    """
    model, download = table.get("model"), table.get("download", False)
    threshold, batch = table.get("threshold", 0.5), table.get("batch", 8)
    if model is not None and not isinstance(model, str):
        raise ConfigurationError(f"gliner.model in {file} is not text: {model!r}", 'write model = "…"')
    if not isinstance(download, bool):
        raise ConfigurationError(f"gliner.download in {file} is neither true nor false: {download!r}")
    if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
        raise ConfigurationError(f"gliner.threshold in {file} is no number from 0 to 1: {threshold!r}")
    if not isinstance(batch, int) or isinstance(batch, bool) or batch < 1:
        raise ConfigurationError(f"gliner.batch in {file} is no whole number from 1 on: {batch!r}")
    labels = {label: _type(file, label, said) for label, said in _table(file, table, "labels").items()}
    relations = {label: _meaning(said) for label, said in _table(file, table, "relations").items()}
    if model and not labels:
        raise ConfigurationError(
            f"gliner in {file} has a model and no labels", 'write [gliner.labels] and, say, person = "Person"'
        )
    return GlinerSettings(model, download, threshold, batch, labels, relations)


def _table(file: Path, table: Mapping[str, Any], key: str) -> Mapping[str, str]:
    value = table.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise ConfigurationError(f"gliner.{key} in {file} is not a section of texts", f"write [gliner.{key}]")
    return value


def _type(file: Path, label: str, said: str) -> tuple[EntityType, str | None]:
    """``Person`` or ``Object/Wine``."""
    kind, _, subtype = said.partition("/")
    if kind not in tuple(EntityType):
        raise ConfigurationError(
            f"gliner.labels in {file} says that {label!r} is {said!r}, which is no type",
            f"types are {', '.join(EntityType)}, each with a subtype if you like: Object/Wine",
        )
    return EntityType(kind), subtype or None


def _meaning(said: str) -> Meaning:
    """``WORKS_AT``, or ``inverse WORKS_AT`` for a label such as "employs"."""
    flipped = said.startswith(_INVERSE)
    return Meaning(said.removeprefix(_INVERSE).strip(), flipped)
