"""Blocks that others quote by their ids: ``((id))`` becomes a link to the page that shows the block's words.

The body of the note that quotes is kept with these words in it, as ``[[page|words]]``: it can be read again
as it was read, whatever became of the other page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgmem.sources.outline.marks import BLOCK_ID, UUID

if TYPE_CHECKING:
    from kgmem.sources.dialect import Dialect

_QUOTED = re.compile(rf"\[(?P<label>[^\[\]\n|]*)\]\(\(\((?P<labelled>{UUID})\)\)\)|\(\((?P<id>{UUID})\)\)")
_TITLE = re.compile(r"\A(?:[ \t]*[\w-]+::[^\n]*\n)*?title::[ \t]*(?P<title>[^\n]+)")
_BULLET = re.compile(r"^[ \t]*-[ \t]+(?P<words>[^\n]*)", re.MULTILINE)
_MARKUP = re.compile(
    r"#(?=[\w\[])|\{\{[^{}]*\}\}|[\[\]|]|^(?:TODO|DOING|DONE|NOW|LATER|WAITING)(?=[ \t])|^#+[ \t]+|\*\*"
)
_UNNAMEABLE = re.compile(r"[\[\]|#^\n]")
_LONGEST = 300
_DEEPEST = 4
"""Quotes within quotes that are followed."""


@dataclass(frozen=True, slots=True)
class Quotable:
    """A block with an id."""

    page: str
    words: str


class Quotes:
    """The blocks of a graph that have ids."""

    def __init__(self, root: Path, paths: Iterable[str], dialect: Dialect) -> None:
        """Read the notes at these paths, below a root; what cannot be read has no blocks."""
        self._blocks: dict[str, Quotable] = {}
        quoting: set[str] = set()
        for path, text in _texts(root, paths):
            if _QUOTED.search(text):
                quoting.add(path)
            if "id::" in text:
                titled = _TITLE.match(text)
                page = titled["title"].strip() if titled else next(iter(dialect.names(path)), path)
                self._blocks.update(_quotable(page, text))
        self.quoting: frozenset[str] = frozenset(quoting)
        """Paths of the notes that quote."""

    def spelled_out(self, data: bytes) -> bytes:
        """The text of a note with the words of what it quotes; an id that nothing has stays as it is."""
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return data
        return _QUOTED.sub(self._link, text).encode("utf-8")

    def _link(self, match: re.Match[str]) -> str:
        name = match["labelled"] or match["id"]
        block = self._blocks.get(name.casefold())
        if block is None:
            return match[0]
        return linked(block.page, match["label"] or self._words(block))

    def _words(self, block: Quotable, depth: int = 0) -> str:
        """The words of a block, with those that it quotes itself."""

        def inner(match: re.Match[str]) -> str:
            found = self._blocks.get((match["labelled"] or match["id"]).casefold())
            return match["label"] or (self._words(found, depth + 1) if found and depth < _DEEPEST else "")

        return _QUOTED.sub(inner, block.words)


def linked(page: str, words: str) -> str:
    """A link to a page that shows the words of a block of it; the words alone where no link can name the page."""
    shown = " ".join(_MARKUP.sub("", words).split())
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST].rsplit(' ', 1)[0]} …"
    return shown if _UNNAMEABLE.search(page) else f"[[{page}|{shown or page}]]"


def _texts(root: Path, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    for path in paths:
        try:
            data = (root / path).read_bytes()
        except OSError:
            continue
        if b"((" in data or b"id::" in data:
            yield path, data.decode("utf-8", "replace").replace("\r\n", "\n")


def _quotable(page: str, text: str) -> Mapping[str, Quotable]:
    """The blocks of a page by their ids: the bullet that an id stands in is the last one before it."""
    found: dict[str, Quotable] = {}
    bullets = list(_BULLET.finditer(text))
    at = -1
    for name in BLOCK_ID.finditer(text):
        while at + 1 < len(bullets) and bullets[at + 1].start() <= name.start():
            at += 1
        words = bullets[at]["words"] if at >= 0 else page
        found[name["id"].casefold()] = Quotable(page, page if words.startswith("id::") else words)
    return found
