"""How the notes of a folder are written: what other tools do otherwise than Obsidian, for the one reader of folders.

A dialect is light: a scan that finds nothing new needs nothing but names and rules. What it takes to read texts,
its parser, is loaded where one is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgmem.sources.document import SourceSettings

if TYPE_CHECKING:
    from kgmem.sources.obsidian.parse import Parser

OBSIDIAN, LOGSEQ, ROAM, TEXT = "obsidian", "logseq", "roam", "text"
KINDS = (OBSIDIAN, LOGSEQ, ROAM, TEXT)
"""What a folder may be taken for."""


class Dialect:
    """Obsidian's way; the others override what they do otherwise."""

    kind = OBSIDIAN
    excluded: tuple[str, ...] = ()
    """Folders, relative to the root, in which no source stands."""
    indexes: tuple[str, ...] = ()
    """Names of notes that a link to their folder means."""
    quotes = False
    """Whether notes quote each other's blocks by ids alone."""

    def names(self, _path: str) -> tuple[str, ...]:
        """What links may call the note at a path, the name to show first; () where its path ends in that."""
        return ()

    def key(self, name: str) -> str:
        """A name as it is compared: two that mean one note have one key."""
        return name

    def parser(self, settings: SourceSettings, daily: Mapping[str, Any]) -> Parser:
        """What reads its texts. `daily` is what Obsidian's own settings say of daily notes."""
        from kgmem.sources.obsidian.parse import Parser

        return Parser(self.kind, settings, daily)


def kind_of(folder: Path) -> str:
    """What a folder is, by what stands in it; a folder that cannot be looked at is taken for plain text."""
    from kgmem.sources.outline.roam import is_roam

    return _marked(folder) or (ROAM if is_roam(folder) else TEXT)


def root_around(file: Path) -> Path:
    """The folder that a file is read in: the nearest vault or graph around it, else its own folder."""
    return next((each for each in file.parents if _marked(each)), file.parent)


def _marked(folder: Path) -> str | None:
    """What a folder is by the marks that a program left in it."""
    if (folder / ".obsidian").is_dir():
        return OBSIDIAN
    paged = all((folder / each).is_dir() for each in ("journals", "pages"))
    return LOGSEQ if paged or (folder / "logseq" / "config.edn").is_file() else None


def dialect_of(kind: str, folder: Path) -> Dialect:
    """How the notes of a folder of that kind are written."""
    from kgmem.sources.outline.logseq import Logseq
    from kgmem.sources.outline.roam import Roam
    from kgmem.sources.plain.folder import Plain

    if kind == LOGSEQ:
        return Logseq(folder)
    if kind == ROAM:
        return Roam()
    return Plain() if kind == TEXT else Dialect()
