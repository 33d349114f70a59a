"""The manifest: which pages of a folder are ours, and what we wrote into them.

It lies in the root of the export, and tells a scan that what is here are pages, not sources.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from kgmem.errors import UserError
from kgmem.model import Id

MANIFEST: Final = ".kgmem-manifest.json"
_VERSION: Final = 2
"""A folder of pages of now is still written as version 1, which says no times."""
_DEPTH: Final = 3
"""Parts of a page's path: the folder of its type, its own folder, its name."""


Times = tuple[str | None, str | None]
"""(as of, known at), as a person writes them; None for now."""
NOW: Final[Times] = (None, None)


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of ours.

    `hashes` says what its part of ours may hold if nobody changed it: one thing, or two while an export is under way,
    so that one that was cut short is taken up again.
    """

    id: Id
    hashes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The pages of a folder, by path below it."""

    group: str
    pages: Mapping[str, Entry] = field(default_factory=dict)
    times: Times = NOW
    """When its pages tell of: they are all of one time."""

    def entries(self) -> dict[Id, Entry]:
        """What may be in the page of each entity, wherever it lies: a move that was cut short leaves two paths."""
        found: dict[Id, Entry] = {}
        for each in self.pages.values():
            held = found.get(each.id)
            found[each.id] = each if held is None else Entry(each.id, (*held.hashes, *each.hashes))
        return found

    def text(self) -> str:
        """The manifest as it is written: the same pages, the same bytes."""
        pages = {path: {"id": each.id, "hashes": list(each.hashes)} for path, each in sorted(self.pages.items())}
        as_of, known_at = self.times
        times = {} if self.times == NOW else {"as_of": as_of, "known_at": known_at}
        data = {"version": _VERSION if times else 1, "group": self.group, **times, "pages": pages}
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def read_manifest(data: bytes | None, group: str, times: Times = NOW) -> Manifest:
    """The manifest of a folder; an empty one if there is none.

    Raises:
        UserError: it is damaged, of a newer kgmem, of another group, or its pages tell of another time.
    """
    if data is None:
        return Manifest(group, times=times)
    try:
        manifest = _parse(json.loads(data.decode("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "delete it: pages that still are as they should be are taken over again"
        raise UserError(f"{MANIFEST} in the export's folder is damaged", hint) from error
    if manifest is None:
        raise UserError("a newer kgmem wrote the pages in this folder", "update kgmem, or export to another folder")
    if manifest.group != group:
        raise UserError(f"this folder holds the pages of group {manifest.group!r}", "export to another folder")
    if manifest.times != times:
        raise UserError(f"this folder holds pages of {_told(manifest.times)}", "export to another folder")
    return manifest


def _told(times: Times) -> str:
    as_of, known_at = times
    said = (as_of and f"--as-of {as_of!r}", known_at and f"--known-at {known_at!r}")
    return " and ".join(each for each in said if each) or "the present"


def _parse(data: Mapping[str, Any]) -> Manifest | None:
    if data["version"] > _VERSION:
        return None
    pages = {}
    for path, each in data["pages"].items():
        parts = path.split("/")
        if len(parts) != _DEPTH or not {"", ".", ".."}.isdisjoint(parts) or PurePosixPath(path).suffix != ".md":
            raise ValueError(path)
        pages[path] = Entry(str(each["id"]), tuple(str(one) for one in each["hashes"]))
    as_of, known_at = (data.get(key) for key in ("as_of", "known_at"))
    return Manifest(str(data["group"]), pages, (as_of and str(as_of), known_at and str(known_at)))
