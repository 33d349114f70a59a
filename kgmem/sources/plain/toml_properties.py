"""The properties of a page of a site: TOML between two ``+++`` lines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from typing import Any

from kgmem.sources.document import Property, Value
from kgmem.sources.obsidian.frontmatter import Frontmatter, Slip

_BLOCK = re.compile(r"\+\+\+[ \t]*\n(?P<block>(?:[^\n]*\n)*?)\+\+\+[ \t]*(?:\n|\Z)")
_TABLE = re.compile(r"[ \t]*\[+[ \t]*(?P<name>[^\[\]\n]+?)[ \t]*\]+")
_KEY = re.compile(r"[ \t]*(?P<key>[\w\".-]+)[ \t]*=")
_LINE = re.compile(r"at line (\d+)")
_TEMPLATE = re.compile(r"\{\{|<%")
_TABLES = frozenset({"taxonomies", "extra", "params"})
"""Tables that only group the properties of a page."""


def read_toml(text: str) -> Frontmatter:
    """Read the properties at the top of a plain text; empty where there are none. Never raises."""
    match = _BLOCK.match(text)
    if match is None:
        return Frontmatter()
    block = match["block"]
    length = block.count("\n") + 2
    try:
        found = tomllib.loads(block, parse_float=str)
    except (ValueError, RecursionError) as error:
        place = _LINE.search(str(error))
        line = min(int(place[1]), block.count("\n") or 1) + 1 if place else 1
        return Frontmatter(
            slips=(Slip(line, "not valid TOML: its properties were not read", 'write one a line: name = "value"'),),
            length=length,
        )  # fmt: skip
    lines = _lines(block)
    properties = tuple(_properties(found, "", lines))
    return Frontmatter(
        properties=properties,
        spans=tuple(sorted({(each.line, each.line) for each in properties})),
        length=length,
        template=_TEMPLATE.search(block) is not None,
    )


def _lines(block: str) -> Mapping[str, int]:
    """The line (1-based in the file) on which each key stands, by its dotted name."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(block.split("\n"), 2):
        if match := _TABLE.match(line):
            table = f"{match['name']}."
        elif match := _KEY.match(line):
            found.setdefault(f"{table}{match['key']}".replace('"', ""), number)
    return found


def _properties(table: Mapping[str, Any], parent: str, lines: Mapping[str, int]) -> Iterator[Property]:
    for key, value in table.items():
        name = f"{parent}{key}"
        if isinstance(value, dict):
            yield from _properties(value, f"{name}.", lines)
            continue
        line = lines.get(name, 2)
        shown = key if parent.rstrip(".") in _TABLES else name
        values = value if isinstance(value, list) else [value]
        yield Property(shown, tuple(Value(_text(each), (), line) for each in values), line, is_list=value is values)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)
