"""Folders of Markdown that are no vault: what notes are called, by how other programs name their files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgmem.sources.dialect import TEXT, Dialect
from kgmem.sources.document import SourceSettings

if TYPE_CHECKING:
    from kgmem.sources.plain.parse import PlainParser

HEX_ID = re.compile(r"[0-9a-f]{32}")
_SUFFIX = re.compile(r"\.(?:md|markdown)\Z", re.IGNORECASE)
_EXPORTED = re.compile(r"(?P<title>.*\S)[ _-](?P<id>[0-9a-f]{32})")
_ZETTEL = re.compile(r"(?P<id>\d{14}|\d{12})[ _-]+(?P<title>.*\S)")
_POST = re.compile(r"\d{4}-\d{2}-\d{2}-(?P<slug>[^\s-]\S*)")


class Plain(Dialect):
    """A folder of Markdown."""

    kind = TEXT
    indexes = ("README", "index", "_index")

    def names(self, path: str) -> tuple[str, ...]:
        """Without the id that Notion or a Zettelkasten puts into a name, and that id; without the day of a post."""
        *folders, file = path.split("/")
        name = bare_name(file)
        if HEX_ID.fullmatch(name):
            return (name,)
        if match := _EXPORTED.fullmatch(name) or _ZETTEL.fullmatch(name):
            return match["title"], match["id"]
        if match := _POST.fullmatch(name):
            return titled(match["slug"]), match["slug"]
        return (folders[-1],) if speaks_for_folder(name) and folders else ()

    def key(self, name: str) -> str:
        """Joplin writes ``:/`` before the id of a note."""
        return name.removeprefix(":/")

    def parser(self, settings: SourceSettings, daily: Mapping[str, Any]) -> PlainParser:
        """What reads its texts."""
        from kgmem.sources.plain.parse import PlainParser

        return PlainParser(self, settings, daily)


def speaks_for_folder(name: str) -> bool:
    """Whether a note of that name stands for its folder."""
    return name.casefold() in {each.casefold() for each in Plain.indexes}


def bare_name(path: str) -> str:
    """The name of a note's file, without folders and ``.md``."""
    return _SUFFIX.sub("", path.rpartition("/")[2])


def titled(slug: str) -> str:
    """The title that a site generator gives to a post of that slug, if the post has none."""
    return " ".join(word[:1].upper() + word[1:] for word in slug.split("-") if word)
