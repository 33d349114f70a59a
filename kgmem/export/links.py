"""Links from a page: to other pages, and to the notes that it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final
from urllib.parse import quote

from kgmem.export.text import label, prose
from kgmem.model import CORRECTION, Id
from kgmem.recall.wording import place_words
from kgmem.resolution.names import name_key
from kgmem.sources.arriving import is_folder
from kgmem.sources.naming import file_of

_NOT_IN_TARGET: Final = frozenset("#^|[]%\\\n")
_NOT_IN_HEADING: Final = frozenset("#^|[]%\\*_`<>:~=$")


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written: a note, and where in it."""

    root: str
    path: str
    line: int
    heading: str = ""
    block: str | None = None
    kind: str = "obsidian"


class Linker:
    """Writes links so that they lead where they should, whatever else bears the name.

    A note of the vault that holds the export is linked by its name, or by its path if the name is not enough. One of
    another vault cannot be: its name might even be that of a page here. It gets an address that Obsidian opens.
    """

    def __init__(self, folder: Path, notes: Iterable[tuple[str, str]], pages: Mapping[Id, str]) -> None:
        """Take the export's folder, (root, path) of all live notes, and the paths of all pages by entity."""
        self._notes = frozenset(notes)
        self._pages = pages
        place = folder.resolve()
        roots = {root: Path(root).resolve() for root, _ in self._notes}
        around = [root for root, resolved in roots.items() if place.is_relative_to(resolved)]
        self._vault = max(around, key=lambda root: len(roots[root].parts), default=None)
        below = place.relative_to(roots[self._vault]) if self._vault is not None else PurePath()
        bare = below == PurePath() or _NOT_IN_TARGET & set(below.as_posix())
        self._prefix = "" if bare else f"{below.as_posix()}/"
        inside = [path for root, path in self._notes if root == self._vault]
        self._bearers = Counter(_last(path) for path in (*inside, *pages.values()))

    def page(self, entity: Id, name: str, *, cell: bool = False) -> str:
        """A link to the page of an entity, or its name if it has none."""
        path = self._pages.get(entity)
        return prose(name) if path is None else _wikilink(self._prefix + path, name, cell=cell)

    def note(self, place: Place, *, cell: bool = False) -> str:
        """A link to a note and, as near as its marks allow, to the place in it, with the line.

        A person's correction is no note, and what stands in no folder has no address: they are only named.
        """
        if place.kind == CORRECTION:
            return prose(place_words(place.path, place.line, kind=place.kind))
        name = _without_suffix(place.path.rpartition("/")[2])
        line = f" line {place.line}" if place.line else ""
        if (place.root, place.path) not in self._notes:
            return f"{prose(name)} (gone)"
        if not is_folder(place.root):
            return prose(name) + line
        anchor = _anchor(place)
        if place.root == self._vault and not _NOT_IN_TARGET & set(place.path):
            alone = self._bearers[_last(place.path)] == 1
            target = place.path.rpartition("/")[2] if alone else place.path
            return _wikilink(target, name, anchor, cell=cell) + line
        return f"[{prose(name)}]({_address(place, anchor)}){line}"


def _wikilink(path: str, name: str, anchor: str = "", *, cell: bool) -> str:
    target = _without_suffix(path)
    shown = label(name) or target
    if shown == target and not anchor:
        return f"[[{target}]]"
    return f"[[{target}{anchor}{chr(92) if cell else ''}|{shown}]]"


def _anchor(place: Place) -> str:
    if place.block:
        return f"#^{place.block}"
    heading = place.heading.rpartition(" > ")[2].strip()
    return f"#{heading}" if heading and not _NOT_IN_HEADING & set(heading) else ""


def _address(place: Place, anchor: str) -> str:
    root = PurePath(place.root)
    if (file := file_of(place.path)) is not None:
        return (root / file).as_uri() if root.is_absolute() else quote(file)
    if place.kind == "obsidian":
        return f"obsidian://open?vault={quote(root.name, safe='')}&file={quote(place.path + anchor, safe='')}"
    return (root / place.path).as_uri() if root.is_absolute() else quote(place.path)


def _last(path: str) -> str:
    return name_key(_without_suffix(path.rpartition("/")[2]))


def _without_suffix(path: str) -> str:
    return path[: path.rindex(".")] if path.lower().endswith((".md", ".markdown")) else path
