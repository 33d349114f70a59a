"""Roam's JSON export: one file that holds every page, read page by page.

The body of a page is an outline as Roam's Markdown has it, under properties that say what else is known of the
page; words of quoted blocks stand in it, so that it can be read again without the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from kgmem.sources.naming import name_of
from kgmem.sources.outline.quotes import Quotable, linked
from kgmem.sources.readwise.stream import BrokenError, objects

Page = Mapping[str, Any]

_HEAD: Final = 1 << 14
_STARTS: Final = re.compile(r"\s*\[\s*\{")
_KEYS: Final = re.compile(r'"(?:create-time|edit-time|:create/user)"\s*:|"children"\s*:\s*\[\s*\{')
_TITLE: Final = re.compile(r'"title"\s*:')
_TEXT: Final = re.compile(r'"string"\s*:')
_QUOTED: Final = re.compile(
    r"\[(?P<label>[^\[\]\n|]*)\]\(\(\((?P<labelled>[\w-]{6,64})\)\)\)|\(\((?P<id>[\w-]{6,64})\)\)"
)
_DEEPEST: Final = 4
"""Quotes within quotes that are followed."""


def is_export(file: Path) -> bool:
    """Whether a file is an export of Roam, by how it begins. Raises OSError if it cannot be read."""
    with file.open("rb") as data:
        text = data.read(_HEAD).decode("utf-8", "replace").lstrip("\ufeff")
    return all(each.search(text) for each in (_KEYS, _TITLE, _TEXT)) and _STARTS.match(text) is not None


class Graph:
    """The pages of one such file."""

    def __init__(self, file: Path) -> None:
        """Find the pages of a file, and the blocks that others quote.

        Raises:
            OSError: it cannot be read.
            UnicodeDecodeError: it is not UTF-8.
        """
        self._file = file
        self._places: dict[str, tuple[int, int]] = {}
        self._blocks: dict[str, Quotable] = {}
        self.broken = False
        """It breaks off: what is not found in it may have stood there."""
        wanted: set[str] = set()
        for page, start, end in self._pages():
            if _children(page) and (title := _title(page)):
                self._places[self._free(name_of(title))] = start, end
                wanted.update(name for text in _texts(page) for name in _quotes(text))
        if wanted:
            for page, _, _ in self._pages():
                self._blocks.update(_quotable(page, wanted))

    @property
    def names(self) -> Iterable[str]:
        """The pages with text, by what their paths end in."""
        return self._places

    def body(self, name: str) -> str:
        """The body of a page.

        Raises:
            OSError: the file has changed, or has no such page.
        """
        if name not in self._places:
            raise FileNotFoundError(2, "no such page", name)
        start, end = self._places[name]
        with self._file.open("rb") as data:
            data.seek(start)
            text = data.read(end - start)
        try:
            page = json.loads(text, strict=False)
        except ValueError as error:
            raise OSError(22, "the file changed while it was read", name) from error
        return "\n".join(self._lines(page)) + "\n"

    def _pages(self) -> Iterator[tuple[Page, int, int]]:
        with self._file.open("rb") as data:
            try:
                yield from objects(data)
            except BrokenError:
                self.broken = True

    def _free(self, name: str) -> str:
        """The name, or one like it where two titles make the same."""
        number, free = 1, name
        while free in self._places:
            number += 1
            free = f"{name} ({number})"
        return free

    # -- a body

    def _lines(self, page: Page) -> Iterator[str]:
        yield f"title:: {_title(page)}"
        if isinstance(page.get("uid"), str):
            yield f"id:: {page['uid']}"
        if day := _day(page.get("create-time")):
            yield f"created:: {day}"
        waiting = [(0, each) for each in reversed(_children(page))]
        while waiting:
            depth, block = waiting.pop()
            yield from self._bullet(block, "\t" * depth)
            waiting += ((depth + 1, each) for each in reversed(_children(block)))

    def _bullet(self, block: Page, indent: str) -> Iterator[str]:
        level = block.get("heading")
        marks = f"{'#' * level} " if isinstance(level, int) and 0 < level < 7 else ""  # noqa: PLR2004 - six levels
        first, *rest = _QUOTED.sub(self._link, _text(block)).split("\n")
        yield f"{indent}- {marks}{first}".rstrip()
        yield from (f"{indent}  {line}".rstrip() for line in rest)
        if block.get("uid") in self._blocks:
            yield f"{indent}  id:: {block['uid']}"

    def _link(self, match: re.Match[str]) -> str:
        name = match["labelled"] or match["id"]
        block = self._blocks.get(name)
        return linked(block.page, match["label"] or self._words(block)) if block else match[0]

    def _words(self, block: Quotable, depth: int = 0) -> str:
        def inner(match: re.Match[str]) -> str:
            found = self._blocks.get(match["labelled"] or match["id"])
            return match["label"] or (self._words(found, depth + 1) if found and depth < _DEEPEST else "")

        return _QUOTED.sub(inner, block.words)


def _quotes(text: str) -> Iterator[str]:
    yield from (match["labelled"] or match["id"] for match in _QUOTED.finditer(text))


def _title(page: Page) -> str:
    title = page.get("title")
    return " ".join(title.split()) if isinstance(title, str) else ""


def _text(block: Page) -> str:
    text = block.get("string")
    return text.replace("\r\n", "\n").replace("\r", "\n") if isinstance(text, str) else ""


def _children(page: Page) -> list[Page]:
    found = page.get("children")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _blocks(page: Page) -> Iterator[Page]:
    waiting = _children(page)
    while waiting:
        block = waiting.pop()
        yield block
        waiting += _children(block)


def _texts(page: Page) -> Iterator[str]:
    yield from map(_text, _blocks(page))


def _quotable(page: Page, wanted: set[str]) -> Iterator[tuple[str, Quotable]]:
    for block in _blocks(page):
        name = block.get("uid")
        if isinstance(name, str) and name in wanted:
            yield name, Quotable(_title(page), _text(block).split("\n")[0])


def _day(milliseconds: object) -> str | None:
    """The UTC day of a time; None for what is none."""
    if not isinstance(milliseconds, int | float) or isinstance(milliseconds, bool) or milliseconds <= 0:
        return None
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        return None
