"""A pack as it is written: YAML, with the line of each entry, so that a mistake is shown where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

from kgmem.errors import ConfigurationError, NotFoundError

CORE: Final = "personal"
"""What everybody has: the knowledge that personal notes hold."""
SHIPPED: Final = ("research", "work", "fiction", "games")
"""The packs that come with kgmem, beside the core."""

GROWS: Final = ("names", "inverse", "asked", "says", "starts", "ends", "yields")
"""Entries of a predicate that another pack may add to: more words for what it means already."""

_DEEPEST: Final = 5
"""Entries within entries that have a line of their own: predicates, a name, its phrases, one of them."""

Where = tuple[str, ...]
"""The keys that lead to an entry; the last may be an item of a list."""


@dataclass(frozen=True, slots=True)
class Pack:
    """One file of the ontology."""

    name: str
    """What a person calls it: the name of a pack that ships, or a file."""
    data: Mapping[str, Any]
    lines: Mapping[Where, int] = field(default_factory=dict)
    """1-based, of each entry."""
    doubled: tuple[tuple[Where, int], ...] = ()
    """Entries that stand there more than once, with the later line: YAML would forget the earlier one."""

    def line(self, *where: str) -> int:
        """The line of an entry, or of the nearest one around it."""
        return next((self.lines[where[:end]] for end in range(len(where), 0, -1) if where[:end] in self.lines), 1)


def read_core() -> Pack:
    """The core. Its lines are not kept: it is tested, and read with every ingest."""
    return Pack(CORE, load_yaml(_resource("ontology.yaml"), "ontology.yaml"))


def read_shipped(name: str) -> Pack:
    """A pack that ships with kgmem.

    Raises:
        NotFoundError: none has that name.
    """
    if name == CORE:
        return read_core()
    if name not in SHIPPED:
        raise NotFoundError(f"there is no pack {name!r}", f"there are {', '.join((CORE, *SHIPPED))}")
    return parse_pack(name, _resource(f"packs/{name}.yaml"))


def read_file(path: Path) -> Pack:
    """A file of a person's own.

    Raises:
        ConfigurationError: it cannot be read, or is no YAML mapping.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ConfigurationError(f"the ontology {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"the ontology {path} is not UTF-8", "save it as UTF-8") from error
    return parse_pack(str(path), text)


def parse_pack(name: str, text: str) -> Pack:
    """A pack from its text. Raises ConfigurationError if it is no YAML mapping."""
    import yaml

    data = load_yaml(text, name)
    lines: dict[Where, int] = {}
    doubled: list[tuple[Where, int]] = []
    _walk(yaml.compose(text, Loader=_loader()), (), lines, doubled)
    return Pack(name, data, lines, tuple(doubled))


def load_yaml(text: str, name: str) -> dict[str, Any]:
    """A YAML mapping; an empty file is an empty one. Raises ConfigurationError, with the line, if it is none."""
    import yaml

    try:
        data = yaml.load(text, Loader=_loader())  # noqa: S506 - both loaders are the safe ones
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ConfigurationError(f"{name}{line} is not YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a date that does not exist
        raise ConfigurationError(f"the ontology {name} is not YAML: {error}") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigurationError(f"the ontology {name} is not a mapping", "it starts with `predicates:` or `types:`")
    return data


def _loader() -> Any:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _resource(path: str) -> str:
    return resources.files("kgmem.extraction").joinpath(path).read_text("utf-8")


def _walk(node: Any, where: Where, lines: dict[Where, int], doubled: list[tuple[Where, int]]) -> None:
    if node is None or len(where) >= _DEEPEST:
        return
    if node.id == "sequence":
        for item in node.value:
            if item.id == "scalar":
                lines.setdefault((*where, item.value), item.start_mark.line + 1)
    if node.id != "mapping":
        return
    seen = set()
    for key, value in node.value:
        if key.id != "scalar":
            continue
        inner, line = (*where, key.value), key.start_mark.line + 1
        if inner in seen:
            doubled.append((inner, line))
        seen.add(inner)
        lines[inner] = line
        _walk(value, inner, lines, doubled)
