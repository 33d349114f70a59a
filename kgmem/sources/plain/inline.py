"""What stands inside a block of plain Markdown beyond what a vault has.

Links whose target stands elsewhere, links in HTML, and Bear's tags of several words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

from kgmem.sources.obsidian.inline import Inline, Scan, Scanner
from kgmem.sources.obsidian.syntax import MARKDOWN_LINK, Resolve, markdown_link
from kgmem.sources.obsidian.text import blank, fence_end

_DEFINITION = re.compile(
    r"^ {0,3}\[(?P<id>[^\[\]\n^][^\[\]\n]*)\]:[ \t]*(?:<(?P<bracketed>[^<>\n]*)>|(?P<bare>[^\s<>]+))"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$|^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*",
    re.MULTILINE,
)
_REFERENCE = re.compile(r"\[(?P<shown>[^\[\]\n]+)\](?:\[(?P<id>[^\[\]\n]*)\])?(?!\()")
_ANCHOR = re.compile(
    r"<a\s(?:[^<>\n]*\s)?href=[\"'](?P<bare>[^\"'<>\n]*)[\"'][^<>\n]*>(?P<shown>[^<>\n]+)</a>(?P<bracketed>(?!))?",
    re.IGNORECASE,
)
_CLOSED_TAG = re.compile(r"#(?P<name>[^\W\d][^#\n]*[^#\s])#(?=[ \t]*(?:#|\n|\Z))")
_GAP = 80
"""Code points between two tags of a line of tags, at most."""

References = Mapping[str, str]
"""The targets of links that stand elsewhere in a text, by their ids."""


def without_definitions(text: str) -> tuple[str, References]:
    """(a text with the targets of its links blanked out where they stand alone, these targets); code is kept."""
    found: dict[str, str] = {}
    pieces: list[str] = []
    done = at = 0
    while match := _DEFINITION.search(text, at):
        at = match.end()
        if match["fence"]:
            at = fence_end(text, at, match["fence"])
            continue
        found.setdefault(_id(match["id"]), match["bare"] if match["bracketed"] is None else match["bracketed"])
        pieces += (text[done : match.start()], blank(match[0]))
        done = at
    return "".join((*pieces, text[done:])), found


def scan_plain(references: References) -> Scan:
    """How a text with these references is read."""

    def scan(text: str, kind: str, line: int, resolve: Resolve) -> Inline:
        return PlainScanner(text, kind, line, resolve, references).run()

    return scan


class PlainScanner(Scanner):
    """Reads one block of plain Markdown."""

    def __init__(self, text: str, kind: str, line: int, resolve: Resolve, references: References) -> None:
        super().__init__(text, kind, line, resolve)
        self.references = references
        self.tagged = 0
        """Where the words of the line start, and the tags that it begins with end."""

    def start_line(self, at: int) -> int:
        """Read the marks that a line starts with; returns where its words start."""
        self.tagged = super().start_line(at)
        return self.tagged

    def bracket(self, at: int) -> int:
        """Read a link, also one whose target stands elsewhere."""
        match = _REFERENCE.match(self.text, at) if self.references else None
        target = self.references.get(_id(match["id"] or match["shown"])) if match else None
        if match is None or target is None or MARKDOWN_LINK.match(self.text, at):
            return super().bracket(at)
        return self.labelled(match, markdown_link(match, self.resolve, target))

    def angle(self, at: int) -> int:
        """Pass over a tag of HTML; one that links is a link."""
        match = _ANCHOR.match(self.text, at)
        return self.labelled(match, markdown_link(match, self.resolve)) if match else super().angle(at)

    def hash(self, at: int) -> int:
        """Read a tag; one of several words is closed by another ``#``, on a line of tags."""
        match = _CLOSED_TAG.match(self.text, at)
        first = not self.text[self.tagged : at].strip() if at - self.tagged < _GAP else False
        if match and first:
            self.tags.append((at, match["name"].strip("/")))
            end = self.hide(match)
        else:
            end = super().hash(at)
        if first:
            self.tagged = end
        return end

    handlers: ClassVar[Mapping[str, Callable[[Scanner, int], int]]] = {
        **Scanner.handlers,
        "[": lambda self, at: self.bracket(at),
        "<": lambda self, at: self.angle(at),
        "#": lambda self, at: self.hash(at),
    }


def _id(name: str) -> str:
    return " ".join(name.casefold().split())
