"""What stands inside a block: links, tags, fields, code and marks, read left to right in one pass.

The scanner jumps from one special character to the next and asks the handler of that character; each
handler looks a bounded way ahead, or uses a table that was built in one pass. So the time is linear in the
text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from kgmem.sources.document import Link, Property
from kgmem.sources.obsidian.fields import LINE_FIELD, WRAPPED_FIELD, field, wrapped_end
from kgmem.sources.obsidian.syntax import MARKDOWN_LINK, WIKILINK, Resolve, markdown_link, wikilink
from kgmem.sources.obsidian.text import blank, code_ends, fence_end

_SPECIAL = re.compile(r"[\\`\[\]!#<$*_~=^:(|)\n]")
_MARKER = r"[ \t]*(?:>|[-+*](?=[ \t\n]|\Z)|#{1,6}(?=[ \t\n]|\Z)|\[[^\[\]\n]\](?=[ \t])"
_PREFIX = re.compile(rf"(?:{_MARKER}))*[ \t]*")
_LISTED_PREFIX = re.compile(rf"(?:{_MARKER}|\d{{1,9}}[.)](?=[ \t\n]|\Z)))*[ \t]*")
_FENCE = re.compile(r"(?P<marker>`{3,}(?=[^`\n]*(?:\n|\Z))|~{3,})[^\n]*")
_RULE = re.compile(r"[ \t|:\-]*-[ \t|:\-]*(?=\n|\Z)")
_UNDERLINE = re.compile(r"[ \t]*(?:=+|-+)[ \t]*(?=\n|\Z)")
_TAG = re.compile(r"#(?P<name>[\w/\-\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff]+)")
_NAMING = re.compile(r"[^\d/\-\u200d\ufe0f]")
_BEFORE_TAG = frozenset("([{\"'“‘,;|>*_~=、，。；：（「【")
_CALLOUT = re.compile(r"\[![^\[\]\n]+\][+-]?")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]:?")
_HTML = re.compile(r"</?[A-Za-z][^<>\n]*>")
_URL = re.compile(r"://[^\s<>\[\]|\"]*")
_MATH = re.compile(r"\$\$[^$]*\$\$|\$(?=[^\s$])[^$\n]*(?<=\S)\$(?!\d)")
_BLOCK_ID = re.compile(r"\^(?P<id>[A-Za-z0-9-]+)[ \t]*(?=\n|\Z)")
_TICKS = re.compile(r"`+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,19}\Z")
_LISTED = frozenset({"item", "task", "quote", "callout"})
_FIELDED = _LISTED | {"paragraph"}


@dataclass(frozen=True, slots=True)
class Inline:
    """What a block's text holds. Positions are offsets in that text."""

    prose: str
    links: tuple[Link, ...]
    tags: tuple[tuple[int, str], ...]
    """(position, name without ``#``)."""
    fields: tuple[tuple[int, Property], ...]
    block_id: str | None


Scan = Callable[[str, str, int, Resolve], Inline]
"""Reads (text of a block, its kind, its first line (1-based in the file), how links resolve)."""


def scan_inline(text: str, kind: str, line: int, resolve: Resolve) -> Inline:
    """Read the text of a block of that kind whose first line is `line` (1-based in the file)."""
    return Scanner(text, kind, line, resolve).run()


class Scanner:
    """Reads one block as Obsidian does; another way of writing overrides what it reads otherwise."""

    handlers: ClassVar[Mapping[str, Callable[[Scanner, int], int]]] = {}
    """By the first character: reads what stands at a place, and returns where to read on."""

    def __init__(self, text: str, kind: str, line: int, resolve: Resolve) -> None:
        self.text = text
        self.kind = kind
        self.resolve = resolve
        self.line = line
        self.fielded = kind in _FIELDED and "::" in text
        self.blanks: list[tuple[int, int]] = []
        self.links: list[Link] = []
        self.tags: list[tuple[int, str]] = []
        self.fields: list[tuple[int, Property]] = []
        self.closers: dict[int, int] = {}
        """Where something ends that was opened before: start and end of its closing marks."""
        self.block_id: str | None = None
        self._code: dict[int, int] | None = None

    def run(self) -> Inline:
        """Read it all."""
        text, search, handlers = self.text, _SPECIAL.search, self.handlers
        at = self.start_line(0)
        while match := search(text, at):
            at = match.start()
            at = handlers[text[at]](self, at)
        links = tuple(self.links)
        return Inline(self.prose(), links, tuple(self.tags), tuple(self.fields), self.block_id)

    def prose(self) -> str:
        """The text with markup blanked out."""
        if not self.blanks:
            return self.text
        self.blanks.sort()
        pieces: list[str] = []
        done = 0
        for start, end in self.blanks:
            if end <= done:
                continue
            first = max(start, done)
            pieces += (self.text[done:first], blank(self.text[first:end]))
            done = end
        pieces.append(self.text[done:])
        return "".join(pieces)

    @property
    def code(self) -> dict[int, int]:
        """Where the code spans end, by the start of their opening run."""
        if self._code is None:
            self._code = code_ends(self.text)
        return self._code

    # -- lines

    def newline(self, at: int) -> int:
        """Go on to the next line."""
        self.line += 1
        return self.start_line(at + 1)

    def start_line(self, at: int) -> int:
        """Read the marks that a line starts with; returns where its words start."""
        text = self.text
        whole = _RULE if self.kind == "table" else _UNDERLINE if self.kind == "heading" and at else None
        if whole and (match := whole.match(text, at)):
            self.blanks.append(match.span())
            return match.end()
        prefix = (_LISTED_PREFIX if self.kind in _LISTED else _PREFIX).match(text, at)
        start = prefix.end() if prefix else at
        if start > at:
            self.blanks.append((at, start))
        if (fence := _FENCE.match(text, start)) and self.kind != "table":
            end = fence_end(text, fence.end(), fence["marker"])
            self.blanks.append((start, end))
            self.line += text.count("\n", start, end)
            return end
        if self.fielded and (match := LINE_FIELD.match(text, start)):
            self.blanks.append((start, match.start("value")))
            self.fields.append((start, field(match["key"], match["value"], self.line, self.resolve)))
            return match.start("value")
        return start

    # -- brackets

    def bracket(self, at: int) -> int:
        """Read what ``[`` opens."""
        text = self.text
        if match := WIKILINK.match(text, at):
            return self.take(match, wikilink(match, self.resolve))
        if match := _FOOTNOTE.match(text, at) or _CALLOUT.match(text, at):
            return self.hide(match)
        if self.fielded and (end := self.wrapped(at)):
            return end
        if match := MARKDOWN_LINK.match(text, at):
            return self.labelled(match, markdown_link(match, self.resolve))
        return at + 1

    def bang(self, at: int) -> int:
        """Read an embed."""
        text = self.text
        if match := WIKILINK.match(text, at):
            return self.take(match, wikilink(match, self.resolve))
        if match := MARKDOWN_LINK.match(text, at):
            link = markdown_link(match, self.resolve)
            if link:
                self.links.append(link)
            return self.hide(match)
        return at + 1

    def take(self, match: re.Match[str], link: Link | None) -> int:
        """Keep a link, and in the prose only the words it shows."""
        if link is None:
            return self.hide(match)
        self.links.append(link)
        if link.attachment and link.embed:
            return self.hide(match)
        self.blanks += ((link.start, link.shown_start), (link.shown_end, link.end))
        return match.end()

    def labelled(self, match: re.Match[str], link: Link | None) -> int:
        """Keep the words of ``[words](target)``, and read on inside them."""
        start, end = match.span("shown")
        if any(self.code.get(run.start(), 0) > end for run in _TICKS.finditer(self.text, start, end)):
            return match.start() + 1  # a code span that reaches over the bracket binds tighter
        if link:
            self.links.append(link)
        self.blanks.append((match.start(), start))
        self.closers[end] = match.end()
        return start

    def wrapped(self, at: int) -> int:
        """Read ``[key:: value]`` or ``(key:: value)``; returns where to read on, or 0."""
        match = WRAPPED_FIELD[self.text[at]].match(self.text, at)
        end = wrapped_end(self.text, at, match.end()) if match else -1
        if match is None or end < 0:
            return 0
        value = self.text[match.end() : end]
        self.fields.append((at, field(match["key"], value, self.line, self.resolve)))
        self.blanks.append(match.span())
        self.closers[end] = end + 1
        return match.end()

    def parenthesis(self, at: int) -> int:
        """Read what ``(`` opens."""
        return self.wrapped(at) or at + 1 if self.fielded else at + 1

    def close(self, at: int) -> int:
        """Read the end of what was opened before."""
        end = self.closers.get(at)
        if end is None:
            return at + 1
        self.blanks.append((at, end))
        return end

    # -- the rest, by its first character

    def hide(self, match: re.Match[str]) -> int:
        """Blank out a match, and read on after it."""
        self.line += match[0].count("\n")
        self.blanks.append(match.span())
        return match.end()

    def backslash(self, at: int) -> int:
        """Read an escaped character."""
        following = self.text[at + 1 : at + 2]
        if not following or following.isspace() or following.isalnum():
            return at + 1
        self.blanks.append((at, at + 1))
        return at + 2

    def backtick(self, at: int) -> int:
        """Pass over a code span."""
        end = self.code.get(at)
        if end is None:
            return self.run_end(at)
        self.blanks.append((at, end))
        self.line += self.text.count("\n", at, end)
        return end

    def run_end(self, at: int) -> int:
        """The end of the run of the character that stands at `at`."""
        text, char = self.text, self.text[at]
        end = at + 1
        while end < len(text) and text[end] == char:
            end += 1
        return end

    def star(self, at: int) -> int:
        """Pass over marks of emphasis."""
        end = self.run_end(at)
        self.blanks.append((at, end))
        return end

    def underscore(self, at: int) -> int:
        """Pass over marks of emphasis that stand outside of words."""
        end = self.run_end(at)
        inside = at > 0 and self.text[at - 1].isalnum() and self.text[end : end + 1].isalnum()
        if not inside:
            self.blanks.append((at, end))
        return end

    def double(self, at: int) -> int:
        """Pass over ``==`` and ``~~``."""
        end = self.run_end(at)
        if end - at > 1:
            self.blanks.append((at, end))
        return end

    def bar(self, at: int) -> int:
        """Pass over the edge of a cell."""
        if self.kind == "table":
            self.blanks.append((at, at + 1))
        return at + 1

    def hash(self, at: int) -> int:
        """Read a tag."""
        match = self.tag_at(at)
        if match is None:
            return self.run_end(at)
        self.tags.append((at, match["name"].strip("/")))
        return self.hide(match)

    def tag_at(self, at: int) -> re.Match[str] | None:
        """The tag whose ``#`` stands at `at`, if one does."""
        before = self.text[at - 1] if at else " "
        match = _TAG.match(self.text, at) if before.isspace() or before in _BEFORE_TAG else None
        return match if match and _NAMING.search(match["name"].strip("/")) else None

    def angle(self, at: int) -> int:
        """Pass over a tag of HTML."""
        match = _HTML.match(self.text, at)
        return self.hide(match) if match else at + 1

    def dollar(self, at: int) -> int:
        """Pass over a formula."""
        match = _MATH.match(self.text, at)
        return self.hide(match) if match else self.run_end(at)

    def caret(self, at: int) -> int:
        """Read the id of the block, or an inline footnote."""
        text = self.text
        if text.startswith("^[", at):
            self.blanks.append((at, at + 1))
            return at + 1
        match = _BLOCK_ID.match(text, at) if at == 0 or text[at - 1].isspace() else None
        if match is None or (self.kind not in _LISTED and match.end() < len(text)):
            return at + 1
        self.block_id = self.block_id or match["id"]
        return self.hide(match)

    def colon(self, at: int) -> int:
        """Pass over an address of the web."""
        scheme = _SCHEME.search(self.text[max(0, at - 20) : at]) if self.text.startswith("://", at) else None
        match = _URL.match(self.text, at) if scheme else None
        if match is None or scheme is None:
            return at + 1
        end = match.end()
        address = self.text[at:end]
        if address.endswith(")") and address.count(")") > address.count("("):
            end -= 1
        if self.closers:
            end = next((place for place in range(at, end) if place in self.closers), end)
        self.blanks.append((at - len(scheme[0]), end))
        return end


Scanner.handlers = {
    "\n": Scanner.newline,
    "[": Scanner.bracket,
    "!": Scanner.bang,
    "]": Scanner.close,
    ")": Scanner.close,
    "(": Scanner.parenthesis,
    "\\": Scanner.backslash,
    "`": Scanner.backtick,
    "*": Scanner.star,
    "_": Scanner.underscore,
    "~": Scanner.double,
    "=": Scanner.double,
    "|": Scanner.bar,
    "#": Scanner.hash,
    "<": Scanner.angle,
    "$": Scanner.dollar,
    "^": Scanner.caret,
    ":": Scanner.colon,
}
