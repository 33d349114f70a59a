"""What the dialects of outlines have in common: pages are called by their titles, and days have pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from kgmem.sources.dialect import Dialect
from kgmem.sources.document import SourceSettings

if TYPE_CHECKING:
    from kgmem.sources.outline.parse import OutlineParser

_SUFFIX = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)


class Outline(Dialect):
    """A folder of pages that are outlines."""

    def day(self, _path: str) -> date | None:
        """The day that the page at a path is about; None for any other page."""
        return None

    def title(self, path: str) -> str:
        """What the page at a path is called, by its path alone."""
        return bare(path)

    def names(self, path: str) -> tuple[str, ...]:
        """The title of the page."""
        return (self.title(path),)

    def key(self, name: str) -> str:
        """The title without case."""
        return name.casefold()

    def parser(self, settings: SourceSettings, _daily: Mapping[str, Any]) -> OutlineParser:
        """What reads its texts."""
        from kgmem.sources.outline.parse import OutlineParser

        return OutlineParser(self, settings)


def bare(path: str) -> str:
    """A path without ``.md``."""
    return _SUFFIX.sub("", path)
