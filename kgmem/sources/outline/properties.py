"""The properties of a page of an outline: ``key:: value`` lines before anything else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from kgmem.sources.document import Property, Value
from kgmem.sources.obsidian.fields import LINE_FIELD, field

NAMES, TAGS = frozenset({"alias", "aliases"}), frozenset({"tag", "tags"})
TYPES = frozenset({"type", "category", "categories", "kind"})
_BULLET = re.compile(r"[ \t]*-[ \t]+")
_TAG = re.compile(r"#(?P<name>[^\s#\[\]]+)")
_LINK_TAG = re.compile(r"#(?=\[\[)")
_BRACKETS = re.compile(r"#?\[\[(?P<name>[^\[\]]*)\]\]")
_COMMA = re.compile(r",(?![^\[]*\]\])")


@dataclass(frozen=True, slots=True)
class PageProperties:
    """What a page says of itself, and how many lines that takes."""

    properties: tuple[Property, ...]
    past: int


def page_properties(lines: Sequence[str], start: int) -> PageProperties:
    """The properties at the top of a page, from the line `start` (counted from 0); links are not resolved.

    A bullet under which others stand says something of its own, and ends them.
    """
    found: list[Property] = []
    past = at = start
    while at < len(lines):
        said = _property(lines, at)
        if said is None and lines[at].strip(" \t-"):
            break
        at += 1
        if said is not None:
            found.append(said)
            past = at
    return PageProperties(tuple(found), past)


def first(properties: Iterable[Property], *keys: str) -> str | None:
    """The text of the first of these keys that has one, without quotation marks around it."""
    by_key = {name_of(each): each for each in properties}
    texts = (by_key[key].values[0].text for key in keys if key in by_key and by_key[key].values)
    return next((" ".join(text.strip('"').split()) for text in texts if text.strip('" ')), None)


def texts(properties: Iterable[Property], keys: frozenset[str]) -> Iterator[str]:
    """All values of these keys."""
    yield from (value.text for each in properties if name_of(each) in keys for value in each.values)


def name_of(said: Property) -> str:
    """A key as it is compared: Logseq writes ``full-title`` where Roam writes ``Full Title``."""
    return said.key.casefold().replace("-", " ")


def _property(lines: Sequence[str], at: int) -> Property | None:
    line = lines[at]
    bullet = _BULLET.match(line)
    match = LINE_FIELD.match(line, bullet.end()) if bullet else LINE_FIELD.match(line.lstrip())
    if match is None or (bullet and _indent(lines[at + 1] if at + 1 < len(lines) else "") > _indent(line)):
        return None
    said = field(match["key"], match["value"], at + 1, _nowhere)
    is_list = said.is_list or name_of(said) in NAMES | TAGS
    return replace(said, values=tuple(_values(said)), is_list=is_list, inline=False)


def _indent(line: str) -> int:
    """How far a bullet is set in; 0 for a line that is none."""
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()) if _BULLET.match(line) else 0


def _values(said: Property) -> Iterator[Value]:
    """Values as their readers want them: a lone tag is a word, and names are a list."""
    for value in said.values:
        if name_of(said) in NAMES | TAGS:
            parts = (_BRACKETS.sub(r"\g<name>", part).strip().lstrip("#") for part in _COMMA.split(value.text))
            yield from (Value(part, (), value.line) for part in parts if part)
        elif tag := _TAG.fullmatch(value.text):
            yield Value(tag["name"], (), value.line)
        elif name_of(said) in TYPES and (name := _BRACKETS.fullmatch(value.text)):
            yield Value(name["name"], (), value.line)
        else:
            yield replace(value, text=_LINK_TAG.sub("", value.text))


def _nowhere(_target: str) -> tuple[str | None, bool]:
    return None, False
