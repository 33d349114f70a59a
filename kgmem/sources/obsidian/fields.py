"""Dataview fields: ``key:: value`` on a line of its own, ``[key:: value]`` and ``(key:: value)`` inside one."""

from __future__ import annotations

import re

from kgmem.sources.document import Property, Value
from kgmem.sources.obsidian.syntax import Resolve, find_links

_INNER = r"[^\n:\[\](){}<>|`\"!?;=\\*]"
_KEY = rf"(?P<key>(?:[^\W\d_]|[^\x00-\x7f\s\w]){_INNER}{{0,60}}?)"  # it starts with a letter or a picture
# std::vector is no field; a value may follow without a space if no code looks like it
_MARK = r"[ \t]*::(?![:A-Za-z_<(])"
_BRACKETED_MARK = r"[ \t]*::(?!:)"
LINE_FIELD = re.compile(rf"(?P<em>\*\*|\*|__|_|~~)?{_KEY}(?:(?P=em))?{_MARK}(?:(?P=em))?[ \t]*(?P<value>[^\n]*)")
WRAPPED_FIELD = {
    "[": re.compile(rf"\[{_KEY}{_BRACKETED_MARK}[ \t]*"),
    "(": re.compile(rf"\({_KEY}{_MARK}[ \t]*"),
}
"""How a wrapped field starts, by its bracket."""
LONGEST_WRAPPED = 1_000
"""Code points after which a wrapped field counts as never closed: the scan stays linear."""

_ITEM = r"(?:\[\[[^\[\]\n]*\]\](?:[ \t]*\([^()\n]*\))?|\"[^\"\n]*\")"
_LIST = re.compile(rf"{_ITEM}(?:[ \t]*,[ \t]*{_ITEM})*")
_ITEMS = re.compile(_ITEM)
_BLOCK_ID = re.compile(r"(?:^|\s)\^[A-Za-z0-9-]+\s*$")
_CLOSING = {"[": "]", "(": ")"}


def field(key: str, value: str, line: int, resolve: Resolve) -> Property:
    """A field from its two sides as written; `line` is 1-based in the file."""
    text = _BLOCK_ID.sub("", value).strip()
    parts = _ITEMS.findall(text) if _LIST.fullmatch(text) else [text] if text else []
    values = tuple(_value(part, line, resolve) for part in parts)
    return Property(" ".join(key.split()), values, line, is_list=len(values) > 1, inline=True)


def wrapped_end(text: str, opening: int, start: int) -> int:
    """Where the bracket that opens a wrapped field is closed, or -1 if it is not, on its line."""
    opener = text[opening]
    closer = _CLOSING[opener]
    depth = 1
    for at in range(start, min(len(text), start + LONGEST_WRAPPED)):
        char = text[at]
        if char == "\n":
            return -1
        if char == opener:
            depth += 1
        elif char == closer:
            depth -= 1
            if depth == 0:
                return at
    return -1


def _value(part: str, line: int, resolve: Resolve) -> Value:
    text = part[1:-1] if len(part) > 1 and part[0] == part[-1] == '"' else part
    return Value(text, find_links(text, resolve), line)
