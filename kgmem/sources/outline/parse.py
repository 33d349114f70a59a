"""From the text of a page of an outline to a document."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from kgmem.model import unique
from kgmem.sources.document import Block, Document, Head, Link, SourceSettings
from kgmem.sources.obsidian.frontmatter import Frontmatter, read_frontmatter
from kgmem.sources.obsidian.markdown import property_block
from kgmem.sources.obsidian.parse import Parser
from kgmem.sources.obsidian.rules import is_canvas
from kgmem.sources.obsidian.syntax import Resolve
from kgmem.sources.outline.bullets import outline_blocks
from kgmem.sources.outline.highlights import as_book, book_id, book_properties, is_book
from kgmem.sources.outline.marks import BLOCK_ID, reading
from kgmem.sources.outline.properties import NAMES, TAGS, first, page_properties, texts
from kgmem.sources.renaming import renamed

if TYPE_CHECKING:
    from kgmem.sources.outline.graph import Outline

_TEMPLATE = re.compile(r"<%")


class OutlineParser(Parser):
    """Reads the pages of one graph."""

    def __init__(self, dialect: Outline, settings: SourceSettings) -> None:
        """Take what the names and days of pages are known by."""
        super().__init__(dialect.kind, settings, {})
        self._dialect = dialect

    def document(self, path: str, text: str, digest: str, mtime_ns: int, resolve: Resolve) -> Document:
        """The whole text as a document; its links know what pages are called."""
        return renamed(super().document(path, text, digest, mtime_ns, resolve), self._called)

    def _called(self, link: Link) -> str | None:
        """What the page of a link is called: as the link says, unless it names a file."""
        if link.path is None:
            return link.target if "/" in link.target else None
        name = self._dialect.title(link.path)
        return link.target if self._dialect.key(link.target) == self._dialect.key(name) else name

    def _head(self, path: str, source: str) -> tuple[Head, Frontmatter]:
        if is_canvas(path):
            return super()._head(path, source)
        frontmatter = read_frontmatter(source)
        page = page_properties(reading(source).split("\n"), frontmatter.length)
        properties = (*frontmatter.properties, *page.properties)
        called = first(properties, "title") or self._dialect.title(path)
        book = book_id(properties)
        properties, title = book_properties(properties)
        top = "\n".join(source.split("\n")[: page.past + 1])
        name = BLOCK_ID.search(top)
        head = Head(
            path=path,
            title=title or called,
            aliases=unique(texts(properties, NAMES)),
            tags=unique(texts(properties, TAGS)),
            properties=properties,
            uid=book or (name["id"] if name else None),
            template=_TEMPLATE.search(called) is not None,
            name=called,
        )
        spans = (*frontmatter.spans, *((each.line, each.line) for each in page.properties))
        every = (*frontmatter.properties, *page.properties)
        return head, replace(frontmatter, properties=every, spans=spans, length=page.past)

    def _blocks(self, source: str, _head: Head, frontmatter: Frontmatter, resolve: Resolve) -> tuple[Block, ...]:
        lines = source.split("\n")
        properties = tuple(property_block(lines, first, last, resolve) for first, last in frontmatter.spans)
        body = outline_blocks(reading(source).split("\n"), lines, frontmatter.length, resolve)
        return (*properties, *(as_book(body) if is_book(frontmatter.properties) else body))

    def _day_in(self, path: str) -> tuple[date | None, bool]:
        day = self._dialect.day(path)
        return (day, True) if day else super()._day_in(path)
