"""What Roam Research exports: a folder of Markdown, a file a page."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from kgmem.sources.dialect import ROAM
from kgmem.sources.naming import called, file_of
from kgmem.sources.outline.days import worded_day
from kgmem.sources.outline.graph import Outline, bare


class Roam(Outline):
    """A folder of Roam's pages; a slash in a title made a folder of it."""

    kind = ROAM

    def title(self, path: str) -> str:
        """Of a page of the JSON export what stands behind the file."""
        return called(path) if file_of(path) else bare(path)

    def day(self, path: str) -> date | None:
        """The day that a page is about: ``January 2nd, 2024``."""
        return worded_day(self.title(path))


def is_roam(folder: Path) -> bool:
    """Whether a folder holds an export of Roam: no other tool names the page of a day so."""
    try:
        return any(worded_day(bare(each.name)) for each in folder.iterdir() if each.suffix == ".md")
    except OSError:
        return False
