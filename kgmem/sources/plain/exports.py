"""What other programs write around the text of a note: Notion's properties below the title, Joplin's at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgmem.sources.document import Property, Value

_KEY_LINE = re.compile(r"(?P<key>[^\W\d_][^:\n]{0,59}?): (?P<value>\S[^\n]*)")
_FOOTER_LINE = re.compile(r"(?P<key>[a-z][a-z_]*):(?: (?P<value>[^\n]*))?")
_KEPT = {"created_time": "created", "source_url": "url"}
"""Of the footer, what speaks of the note; and what other programs call it."""
_NOTE = "1"
_ADDRESS = re.compile(r"https?:|[a-z]+://")


@dataclass(frozen=True, slots=True)
class Around:
    """Properties that stand outside of frontmatter."""

    properties: tuple[Property, ...] = ()
    past: int = 0
    """Lines at the top that are read with them."""
    end: int | None = None
    """The line, counted from 0, from which on the rest is no text of the note."""
    uid: str | None = None
    is_note: bool = True


def below_title(lines: Sequence[str]) -> Around:
    """The properties that Notion writes as ``Key: value`` in the paragraph below the title."""
    at = _past_blank(lines, 0)
    if at >= len(lines) or not lines[at].startswith("# "):
        return Around()
    first = at = _past_blank(lines, at + 1)
    found: list[Property] = []
    while at < len(lines) and lines[at].strip():
        match = _KEY_LINE.fullmatch(lines[at].rstrip())
        if match is None or _ADDRESS.match(lines[at]):
            return Around()
        found.append(_listed(match["key"], match["value"], at + 1))
        at += 1
    return Around(tuple(found), at) if at > first else Around()


def footer(lines: Sequence[str]) -> Around:
    """The lines that Joplin keeps at the end of a file: its own id, and what kind of thing it is."""
    past = len(lines)
    while past and not lines[past - 1].strip():
        past -= 1
    first = past
    while first and _FOOTER_LINE.fullmatch(lines[first - 1].rstrip()):
        first -= 1
    found = {match["key"]: (match["value"] or "", at + 1) for at, match in _matches(lines, first, past)}
    if "id" not in found or "type_" not in found or (first and lines[first - 1].strip()):
        return Around()
    kept = (
        Property(name, (Value(found[key][0], (), found[key][1]),), found[key][1])
        for key, name in _KEPT.items()
        if key in found and found[key][0]
    )
    return Around(tuple(kept), 0, first, found["id"][0] or None, found["type_"][0] == _NOTE)


def _matches(lines: Sequence[str], first: int, past: int) -> Iterator[tuple[int, re.Match[str]]]:
    for at in range(first, past):
        if match := _FOOTER_LINE.fullmatch(lines[at].rstrip()):
            yield at, match


def _listed(key: str, value: str, line: int) -> Property:
    """A property of Notion; only tags are surely a list where commas stand."""
    parts = value.split(",") if key.casefold() in {"tags", "tag", "aliases", "alias"} else [value]
    values = tuple(Value(part.strip(), (), line) for part in parts if part.strip())
    return Property(key, values, line, is_list=len(values) > 1)


def _past_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at
