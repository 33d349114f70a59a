"""A note's text in blocks: the block rules of CommonMark (with tables), and Obsidian's on top of them.

Only the block rules of markdown-it run; what stands inside a block is read by `kgmem.sources.obsidian.inline`,
which keeps exact spans.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from kgmem.sources.document import Block, Link
from kgmem.sources.obsidian.inline import Inline, Scan, scan_inline
from kgmem.sources.obsidian.syntax import Resolve, find_links
from kgmem.sources.obsidian.text import blank

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

LONGEST = 4_000
"""Code points of a block; what is longer is split."""

_TASK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^\[\]\n]\](?=[ \t]|\n|\Z)")
_CALLOUT = re.compile(r"[ \t]*>[ \t]*\[![^\[\]\n]+\]")
_LONE_ID = re.compile(r"\s*\^([A-Za-z0-9-]+)\s*")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？]")
_PROPERTY_MARKS = re.compile(r"^[ \t]*-(?=[ \t])|\[\[|\]\]|[\[\]{}\"|>]", re.MULTILINE)
_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "html_block": "paragraph",
    "code_block": "code",
    "fence": "code",
    "table_open": "table",
    "blockquote_open": "quote",
    "list_item_open": "item",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines [first, past) of a text, counted from 0, and what they are."""

    kind: str
    first: int
    past: int
    level: int = 0
    """Of a heading, 1 to 6."""


def title_block(title: str) -> Block:
    """The block that every document starts with."""
    return Block("title", title, title, 1, 1)


def property_block(lines: Sequence[str], first: int, last: int, resolve: Resolve) -> Block:
    """A property as a block: its source lines, 1-based and inclusive."""
    text = "\n".join(lines[first - 1 : last])
    links = find_links(text, resolve)
    colon = text.find(":") + 1
    prose = blank(text[:colon]) + _PROPERTY_MARKS.sub(lambda match: " " * len(match[0]), text[colon:])
    pieces: list[str] = []
    done = 0
    for link in links:
        shown = prose[link.shown_start : link.shown_end]
        pieces += (prose[done : link.start], " " * (link.shown_start - link.start), shown)
        pieces.append(" " * (link.end - link.shown_end))
        done = link.end
    return Block("property", text, "".join((*pieces, prose[done:])), first, last, links=links)


def blocks(text: str, resolve: Resolve, *, offset: int = 0, scan: Scan = scan_inline) -> Iterator[Block]:
    """The blocks of a text without comments (see `kgmem.sources.obsidian.text`), in order.

    `offset` is added to every line number; `scan` reads what stands inside a block.
    A paragraph that is only a block id names the block above it.
    """
    lines = text.split("\n")
    chain: list[tuple[int, str]] = []
    headings: tuple[str, ...] = ()
    pending: list[Block] = []
    for piece in _pieces(text):
        part = _trimmed(piece, lines)
        if part is None:
            continue
        source = "\n".join(lines[part.first : part.past])
        lone = _LONE_ID.fullmatch(source) if part.kind == "paragraph" else None
        if lone and pending:
            pending[-1] = replace(pending[-1], block_id=pending[-1].block_id or lone[1])
            continue
        yield from pending
        if part.kind == "heading":
            chain = [above for above in chain if above[0] < part.level]
            headings = tuple(name for _, name in chain)
        pending = built(part.kind, source, part.first + 1 + offset, headings, resolve, scan=scan)
        if part.kind == "heading":
            words = " ".join(" ".join(block.prose for block in pending).split()).rstrip("# ")
            chain.append((part.level, words))
            headings = (*headings, words)
    yield from pending


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table").disable("reference")  # a reference would vanish
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _pieces(text: str) -> Iterator[Piece]:
    """The outermost blocks, with lists taken apart into their items."""
    for token in _parser().parse(text):
        kind = _KINDS.get(token.type)
        outermost = 1 if kind == "item" else 0  # an item stands inside its list
        if kind and token.level == outermost and token.map:
            level = int(token.tag[1]) if kind == "heading" else 0
            yield Piece(kind, token.map[0], token.map[1], level)


def _trimmed(piece: Piece, lines: Sequence[str]) -> Piece | None:
    """The piece without blank lines at its ends; None if nothing is left."""
    first, past = piece.first, min(piece.past, len(lines))
    while first < past and not lines[first].strip():
        first += 1
    while past > first and not lines[past - 1].strip():
        past -= 1
    if (first, past) == (piece.first, piece.past):
        return piece
    return Piece(piece.kind, first, past, piece.level) if first < past else None


def built(
    kind: str, source: str, line: int, headings: tuple[str, ...], resolve: Resolve, *, scan: Scan = scan_inline
) -> list[Block]:
    """The block of a source text whose first line is `line`; more than one if it is too long."""
    if kind == "item" and _TASK.match(source):
        kind = "task"
    elif kind == "quote" and _CALLOUT.match(source):
        kind = "callout"
    code = kind == "code"
    inline = Inline(blank(source), (), (), (), None) if code else scan(source, kind, line, resolve)
    whole = Block(
        kind=kind,
        text=source,
        prose=inline.prose,
        first_line=line,
        last_line=line + source.count("\n"),
        headings=headings,
        links=inline.links,
        fields=tuple(each for _, each in inline.fields),
        tags=tuple(dict.fromkeys(tag for _, tag in inline.tags)),
        block_id=inline.block_id,
    )
    if len(source) <= LONGEST:
        return [whole]
    cuts = pairwise((0, *_cuts(source, inline.links), len(source)))
    return [_part(whole, inline, start, end) for start, end in cuts if start < end]


def _part(whole: Block, inline: Inline, start: int, end: int) -> Block:
    """The part of a block in a span of its text, with what stands in that span."""
    text = whole.text[start:end].removesuffix("\n")
    first = whole.first_line + whole.text.count("\n", 0, start)
    return replace(
        whole,
        text=text,
        prose=inline.prose[start : start + len(text)],
        first_line=first,
        last_line=first + text.count("\n"),
        links=tuple(_moved(link, -start) for link in inline.links if start <= link.start < end),
        fields=tuple(each for at, each in inline.fields if start <= at < end),
        tags=tuple(dict.fromkeys(tag for at, tag in inline.tags if start <= at < end)),
    )


def _moved(link: Link, by: int) -> Link:
    return replace(
        link,
        start=link.start + by,
        end=link.end + by,
        shown_start=link.shown_start + by,
        shown_end=link.shown_end + by,
    )


def _cuts(text: str, links: Sequence[Link]) -> Iterator[int]:
    """Where to cut a long text: after a line, else after a sentence, else at a space, never inside a link."""
    start = 0
    passed = 0
    while len(text) - start > LONGEST:
        limit = start + LONGEST
        cut = text.rfind("\n", start, limit) + 1
        if cut <= start:
            ends = [match.end() for match in _SENTENCE_END.finditer(text, start + LONGEST // 2, limit)]
            cut = ends[-1] if ends else text.rfind(" ", start, limit) + 1
        if cut <= start:
            cut = limit
        while passed < len(links) and links[passed].end <= cut:
            passed += 1
        if passed < len(links) and links[passed].start < cut:
            cut = links[passed].start if links[passed].start > start else links[passed].end
        yield cut
        start = cut
