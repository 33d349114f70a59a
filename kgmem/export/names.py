"""Names of files that every system can hold and every note can link to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from kgmem.model import Entity, EntityType, Id
from kgmem.resolution.names import name_key

FOLDERS: Final[Mapping[EntityType, str]] = {
    EntityType.PERSON: "People",
    EntityType.ORGANIZATION: "Organizations",
    EntityType.LOCATION: "Locations",
    EntityType.EVENT: "Events",
    EntityType.OBJECT: "Objects",
}

_LONGEST: Final = 120
"""Bytes of UTF-8 in a name: a disk allows 255, and Windows 260 characters in a whole path."""
_UNSAFE: Final = re.compile(
    r'[<>:"/\\|?*'  # no file name on Windows may have these
    r"#^\[\]%"  # no wikilink can name these
    "\x00-\x1f\x7f-\x9f\u2028\u2029"  # control characters and line ends
    "\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that turn the direction of what follows
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]"  # not characters
)
_RESERVED: Final = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{number}" for port in ("COM", "LPT") for number in "0123456789¹²³"]
)
"""Devices of Windows, whatever ending follows."""
_NAMELESS: Final = "unnamed"
_SUFFIX_LENGTHS: Final = (6, 10, 16)


def safe_name(name: str) -> str:
    """The nearest text that is a valid name of a file and of a folder, and that a wikilink can name.

    Two names may give one: see `page_paths`.
    """
    spaced = " ".join(_UNSAFE.sub(" ", unicodedata.normalize("NFC", name)).split())
    cut = spaced.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore").strip(" .")
    if cut.lower().endswith((".md", ".markdown")):  # a link to it would lose the ending
        cut = f"{cut.rpartition('.')[0].rstrip(' .')} {cut.rpartition('.')[2]}".strip()
    device = cut.partition(".")[0].rstrip().upper() in _RESERVED
    return f"_{cut}" if device else cut or _NAMELESS


def page_paths(entities: Iterable[Entity], held: Mapping[Id, str]) -> dict[Id, str]:
    """The path of each entity's page below the export's folder: ``People/Mira Halden/Mira Halden.md``.

    Paths differ also on a disk without case or with decomposed names. Of several entities that want one path, that
    which holds it keeps it, else the one whose name is exactly that, else the one with the lowest id; the others
    carry the start of their id. The order of the entities does not matter.

    Args:
        entities: all of a group, whether they get a page now or not.
        held: the paths of pages that are there, by entity.
    """
    wanted = [(each, f"{FOLDERS[each.type]}/{safe_name(each.name)}") for each in entities]
    wanted.sort(key=lambda pair: (held.get(pair[0].id) != _page(pair[1]), _lossy(*pair), pair[0].id))
    taken: set[str] = set()
    paths: dict[Id, str] = {}
    crowded = []
    for entity, folder in wanted:
        if name_key(folder) in taken:
            crowded.append((entity, folder))
        else:
            taken.add(name_key(folder))
            paths[entity.id] = _page(folder)
    for entity, folder in sorted(crowded, key=lambda pair: pair[0].id):
        suffixed = (f"{folder} ({entity.id[:length]})" for length in _SUFFIX_LENGTHS)
        free = next(each for each in suffixed if name_key(each) not in taken)
        taken.add(name_key(free))
        paths[entity.id] = _page(free)
    return paths


def _page(folder: str) -> str:
    return f"{folder}/{folder.rpartition('/')[2]}.md"


def _lossy(entity: Entity, folder: str) -> bool:
    return folder.rpartition("/")[2] != entity.name
