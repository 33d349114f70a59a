"""Logseq's graphs: how pages and journals are named, and where they stand."""

from __future__ import annotations

import re
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from kgmem.sources.dialect import LOGSEQ
from kgmem.sources.outline.config import GraphSettings, read_config
from kgmem.sources.outline.days import as_moment, written
from kgmem.sources.outline.graph import Outline, bare

if TYPE_CHECKING:
    from kgmem.sources.obsidian.dates import DayOf

_JOURNALS = "journals/"
_DIGIT = re.compile(r"\d")


class Logseq(Outline):
    """A Logseq graph: `pages/`, `journals/`, and settings in `logseq/`."""

    kind = LOGSEQ
    excluded = ("logseq", "assets", "draws", "whiteboards")
    quotes = True

    def __init__(self, folder: Path) -> None:
        """Name the folder of a graph; its settings are read where a name asks for them."""
        self._folder = folder
        self._days: dict[str, date | None] = {}

    def title(self, path: str) -> str:
        """Of a journal its day in the format that is set; of a page in a namespace all of its name."""
        day = self.day(path)
        if day is not None:
            return written(day, self._settings.title_format)
        name = bare(path.rpartition("/")[2])
        return unquote(name.replace("___", "/")) or name

    def key(self, name: str) -> str:
        """The title without case; a day in the form of the titles of journals, or in ISO's, is one name."""
        day = self._titled(name) if _DIGIT.search(name) else None
        return day.isoformat() if day else name.casefold()

    def day(self, path: str) -> date | None:
        """The day whose journal stands at a path."""
        if not path.startswith(_JOURNALS):
            return None
        if path not in self._days:
            name = bare(path.removeprefix(_JOURNALS))
            self._days[path] = next((day for each in self._filed if (day := each(name))), None)
        return self._days[path]

    @cached_property
    def _settings(self) -> GraphSettings:
        return read_config(self._folder)

    @cached_property
    def _filed(self) -> tuple[DayOf, ...]:
        """How files of journals are named: as set, and as they were before somebody set it."""
        return _formats(self._settings.file_format, "yyyy_MM_dd", "yyyy-MM-dd")

    @cached_property
    def _titles(self) -> tuple[DayOf, ...]:
        return _formats(self._settings.title_format, "yyyy-MM-dd", "yyyy_MM_dd")

    def _titled(self, name: str) -> date | None:
        return next((day for each in self._titles if (day := each(name))), None)


def _formats(*forms: str) -> tuple[DayOf, ...]:
    from kgmem.sources.obsidian.dates import daily_format

    return tuple(daily_format(as_moment(form)) for form in dict.fromkeys(forms))
