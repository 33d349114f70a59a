"""Packs laid one on the other: the core, those that ship, then a person's own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kgmem.errors import ConfigurationError
from kgmem.extraction.packs.reading import CORE, GROWS, Pack, read_core, read_file, read_shipped
from kgmem.model import Problem

_SHOWN: Final = 3
"""Mistakes that an error tells of; `kgmem ontology check` tells of all."""


@dataclass(frozen=True, slots=True)
class Stack:
    """What packs come to together."""

    data: Mapping[str, Any]
    origins: Mapping[str, tuple[str, ...]]
    """The packs that a predicate comes from: the first defines it, others add words."""
    mistakes: tuple[Problem, ...] = ()
    """Of the packs, in their order. What a mistaken pack says is laid on all the same, as far as it can be."""


def stack(names: Iterable[str] = (), files: Iterable[Path] = (), *, further: Iterable[Pack] = ()) -> Stack:
    """The core with packs and files on it, each checked against what lies below it.

    Args:
        names: of packs that ship.
        files: a person's own.
        further: packs that are read already, on top of all.

    Raises:
        NotFoundError: no pack has that name.
        ConfigurationError: a file cannot be read, or is no YAML mapping.
    """
    from kgmem.extraction.packs.checking import mistakes_of

    core = read_core()
    data: dict[str, Any] = dict(core.data)
    origins = dict.fromkeys(data["predicates"], (CORE,))
    mistakes: list[Problem] = []
    above = [read_shipped(name) for name in dict.fromkeys(names) if name != CORE]
    above += [read_file(file) for file in dict.fromkeys(files)]
    for pack in (*above, *further):
        found = mistakes_of(pack, data, origins)
        mistakes += found
        data = lay_on(data, pack.data)
        for name in _predicates(pack.data):
            origins[name] = (*origins.get(name, ()), pack.name)
    return Stack(data, origins, tuple(mistakes))


def stack_soundly(names: Iterable[str], files: Iterable[Path]) -> Stack:
    """The same; raises ConfigurationError, with file and line, if there is a mistake in any of them."""
    made = stack(names, files)
    if made.mistakes:
        shown = "\n".join(f"{each.path}:{each.line}: {each.message}" for each in made.mistakes[:_SHOWN])
        more = len(made.mistakes) - _SHOWN
        raise ConfigurationError(
            f"the ontology has mistakes\n{shown}" + (f"\nand {more} more" if more > 0 else ""),
            "`kgmem ontology check` shows each, and what helps",
        )
    return made


def lay_on(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` on top of `base`: mappings by key, lists one after the other, anything else replaced."""
    merged = dict(base)
    for key, value in over.items():
        held = merged.get(key)
        if key == "predicates" and isinstance(held, dict) and isinstance(value, dict):
            merged[key] = {**held, **{name: _predicate_on(held.get(name), entry) for name, entry in value.items()}}
        elif isinstance(held, dict) and isinstance(value, dict):
            merged[key] = lay_on(held, value)
        elif isinstance(held, list) and isinstance(value, list):
            merged[key] = [*held, *(each for each in value if each not in held)]
        else:
            merged[key] = value
    return merged


def _predicate_on(held: Any, entry: Any) -> Any:
    """A predicate's entry, or the words that it adds to one that is there."""
    if not isinstance(entry, dict) or not entry.get("extends"):
        return entry
    grown = dict(held or {})
    for key in GROWS:
        added = entry.get(key)
        if isinstance(added, list):
            grown[key] = [*grown.get(key, ()), *(each for each in added if each not in grown.get(key, ()))]
    return grown


def _predicates(data: Mapping[str, Any]) -> Iterable[str]:
    found = data.get("predicates")
    return map(str, found) if isinstance(found, dict) else ()
