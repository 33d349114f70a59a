"""An outline in blocks: a bullet a block, under the words of the bullets above it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kgmem.sources.document import Block
from kgmem.sources.obsidian.markdown import blocks, built
from kgmem.sources.obsidian.syntax import Resolve
from kgmem.sources.outline.inline import TASK, scan_outline
from kgmem.sources.outline.marks import BLOCK_ID

_BULLET = re.compile(r"(?P<indent>[ \t]*)-(?:[ \t]+|$)")
_FENCE = re.compile(r"[ \t]*(?:-[ \t]+)?(?P<marker>`{3,}(?=[^`]*$)|~{3,})")
_TEMPLATE = re.compile(r"^[ \t]*(?:-[ \t]+)?template::", re.MULTILINE)
_LONGEST_HEADING = 100
"""Code points of a bullet's words that stand above what is below it."""
_LOOSE = re.compile(r" (?=[.,;:!?)])")
"""The space that a blanked bracket leaves before a mark."""
_FREE = -1


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines [first, past), counted from 0, and how far the bullet is set in; `_FREE` for text outside of bullets."""

    first: int
    past: int
    width: int


@dataclass(frozen=True, slots=True)
class _Above:
    """A bullet that others may stand below."""

    width: int
    words: str
    template: bool = False


def outline_blocks(lines: Sequence[str], source: Sequence[str], start: int, resolve: Resolve) -> Iterator[Block]:
    """The blocks of an outline, in order.

    Args:
        lines: its reading, see `kgmem.sources.outline.marks.reading`.
        source: the lines as they are written: ids stand there alone.
        start: the first line after the properties of the page, counted from 0.
        resolve: what links resolve to.
    """
    top: tuple[str, ...] = ()
    chain: list[_Above] = []
    for piece in _pieces(lines, start):
        if piece.width == _FREE:
            chain = []
            text = "\n".join(lines[piece.first : piece.past])
            for block in blocks(text, resolve, offset=piece.first, scan=scan_outline):
                top = (*block.headings, words_of(block)) if block.kind == "heading" else block.headings
                yield block
            continue
        while chain and chain[-1].width >= piece.width:
            chain.pop()
        written = "\n".join(source[piece.first : piece.past])
        template = bool(chain and chain[-1].template) or _TEMPLATE.search(written) is not None
        found = [] if template else _bullet(lines, piece, written, (*top, *_headings(chain)), resolve)
        chain.append(_Above(piece.width, words_of(found[0]) if found else "", template))
        yield from found


def words_of(block: Block) -> str:
    """What a block says above what stands below it: its first line, or the name of its field."""
    line = next((" ".join(each.split()) for each in block.prose.split("\n") if each.strip()), "")
    words = _LOOSE.sub("", line) or (block.fields[0].key if block.fields else "")
    return words if len(words) <= _LONGEST_HEADING else f"{words[:_LONGEST_HEADING].rsplit(' ', 1)[0]} …"


def _headings(chain: Sequence[_Above]) -> tuple[str, ...]:
    return tuple(each.words for each in chain if each.words)


def _bullet(
    lines: Sequence[str], piece: _Piece, written: str, headings: tuple[str, ...], resolve: Resolve
) -> list[Block]:
    first, past = piece.first, piece.past
    while past > first + 1 and not lines[past - 1].strip():
        past -= 1
    text = "\n".join(lines[first:past]).lstrip()
    words = _BULLET.sub("", text, count=1)
    if not words.strip():
        return []
    kind = "task" if TASK.match(words) else "quote" if words.startswith(">") else "item"
    found = built(kind, text, first + 1, headings, resolve, scan=scan_outline)
    name = BLOCK_ID.search(written)
    return [replace(each, block_id=name["id"]) for each in found] if name else found


def _pieces(lines: Sequence[str], start: int) -> Iterator[_Piece]:
    """The bullets of an outline, and the text between them."""
    first, width, fence = start, _FREE, ""
    for at in range(start, len(lines)):
        line = lines[at]
        if fence:
            fence = "" if _closes(line, fence) else fence
            continue
        bullet = _BULLET.match(line)
        free = bullet is None and width != _FREE and _stands_free(line, lines[at - 1])
        if bullet or free:
            if at > first:
                yield _Piece(first, at, width)
            first, width = at, _width(bullet["indent"]) if bullet else _FREE
        if marker := _FENCE.match(line):
            fence = marker["marker"]
    if first < len(lines):
        yield _Piece(first, len(lines), width)


def _closes(line: str, fence: str) -> bool:
    line = line.strip()
    return len(line) >= len(fence) and not line.strip(fence[0])


def _stands_free(line: str, before: str) -> bool:
    """Whether a line that is no bullet belongs to none: it is not set in, and begins something new."""
    return bool(line) and not line[0].isspace() and (line.startswith("# ") or not before.strip() or "## " in line[:7])


def _width(indent: str) -> int:
    """How far a bullet is set in; a tab is as wide as four spaces."""
    return len(indent.expandtabs(4))
