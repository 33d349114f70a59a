"""JSON Canvas boards: cards of text, notes on the board, and arrows between notes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kgmem.sources.document import Block, Edge, Link
from kgmem.sources.obsidian.frontmatter import Slip
from kgmem.sources.obsidian.links import without_suffix
from kgmem.sources.obsidian.markdown import blocks
from kgmem.sources.obsidian.syntax import Resolve
from kgmem.sources.obsidian.text import without_comments

_ID = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a board says."""

    blocks: tuple[Block, ...] = ()
    edges: tuple[Edge, ...] = ()
    slips: tuple[Slip, ...] = ()


def read_canvas(text: str, resolve: Resolve) -> Canvas:
    """Read the JSON of a board. Never raises: a board that is no JSON is a slip."""
    if not text.strip():
        return Canvas()
    try:
        board = json.loads(text)
    except json.JSONDecodeError as error:
        return _broken(error.lineno, f"not valid JSON: {error.msg}")
    except RecursionError:
        return _broken(1, "not a canvas: nested too deeply")
    except ValueError:  # a number of more digits than Python reads
        return _broken(1, "not a canvas: a number is out of range")
    if not isinstance(board, dict):
        return _broken(1, "not a canvas: the file holds no object")
    lines = _lines(text)
    found: list[Block] = []
    notes: dict[str, Link] = {}
    for node in _objects(board.get("nodes")):
        line = lines.get(str(node.get("id")), 1)
        if node.get("type") == "file" and (link := _file_link(node, resolve)):
            found.append(Block("canvas", link.shown, link.shown, line, line, links=(link,)))
            if not link.attachment:
                notes[str(node.get("id"))] = link
        else:
            found += _cards(node, line, resolve)
    return Canvas(tuple(found), tuple(_edges(board.get("edges"), notes, lines)))


def _broken(line: int, message: str) -> Canvas:
    return Canvas(slips=(Slip(line, message, "open it in Obsidian, or restore it from a backup", "canvas"),))


def _lines(text: str) -> dict[str, int]:
    """The line (1-based) where the object of each id is written."""
    lines: dict[str, int] = {}
    line, done = 1, 0
    for match in _ID.finditer(text):
        line += text.count("\n", done, match.start())
        done = match.start()
        lines.setdefault(_decoded(match[1]), line)
    return lines


def _decoded(literal: str) -> str:
    try:
        return str(json.loads(literal))
    except ValueError:
        return literal[1:-1]


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        yield from (each for each in value if isinstance(each, dict))


def _cards(node: Mapping[str, Any], line: int, resolve: Resolve) -> Iterator[Block]:
    """The text of a card, or the name of a group, as blocks on the line of its node."""
    text = node.get("text") if node.get("type") == "text" else node.get("label")
    if not isinstance(text, str):
        return
    plain = without_comments(text.replace("\r\n", "\n").replace("\r", "\n"))
    for block in blocks(plain, resolve):
        fields = tuple(
            replace(each, line=line, values=tuple(replace(value, line=line) for value in each.values))
            for each in block.fields
        )
        yield replace(block, kind="canvas", first_line=line, last_line=line, fields=fields)


def _file_link(node: Mapping[str, Any], resolve: Resolve) -> Link | None:
    file = node.get("file")
    if not isinstance(file, str) or not file.strip():
        return None
    target = without_suffix(file.strip())
    shown = target.rpartition("/")[2] or target
    path, attachment = resolve(target if target != file.strip() else file.strip())
    subpath = node.get("subpath")
    place = subpath.lstrip("#") if isinstance(subpath, str) else ""
    return Link(
        target=target,
        start=0,
        end=len(shown),
        shown=shown,
        shown_start=0,
        shown_end=len(shown),
        heading=place if place and not place.startswith("^") else None,
        block=place[1:] or None if place.startswith("^") else None,
        embed=True,
        path=path,
        attachment=attachment,
    )


def _edges(value: Any, notes: Mapping[str, Link], lines: Mapping[str, int]) -> Iterator[Edge]:
    """The labelled arrows between notes; one that points backwards only is turned round."""
    for edge in _objects(value):
        start, end = notes.get(str(edge.get("fromNode"))), notes.get(str(edge.get("toNode")))
        label = edge.get("label")
        if start is None or end is None or not isinstance(label, str) or not label.strip():
            continue
        if edge.get("fromEnd") == "arrow" and edge.get("toEnd") == "none":
            start, end = end, start
        yield Edge(start, end, " ".join(label.split()), lines.get(str(edge.get("id")), 1))
