"""What a note of a plain folder is called: by its first heading, where the name of its file says less."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADING = re.compile(r" {0,3}#[ \t]+(?P<words>[^\n]*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*")
_FENCE = re.compile(r" {0,3}(?:`{3}|~{3})")
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[(?P<words>[^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])?")
_MARKUP = re.compile(r"<[^<>]*>|[*`]|(?<!\w)_|_(?!\w)")
_NOT_LETTERS = re.compile(r"[\W_]+")
_LOOKED_AT = 40
"""Lines at the top among which the first heading is looked for."""


def first_heading(lines: Sequence[str], start: int) -> str | None:
    """The words of the first heading of the first level, near the line `start` (counted from 0)."""
    for at in range(start, min(len(lines), start + _LOOKED_AT)):
        if _FENCE.match(lines[at]):
            return None
        if match := _HEADING.fullmatch(lines[at]):
            return _plain(match["words"])
        if at + 1 < len(lines) and lines[at].strip() and _UNDERLINE.fullmatch(lines[at + 1]):
            return _plain(lines[at])
    return None


def same_letters(one: str, other: str) -> bool:
    """Whether two names differ in case, spaces and marks alone: ``site-roadmap`` and ``Site Roadmap``."""
    return _NOT_LETTERS.sub("", one).casefold() == _NOT_LETTERS.sub("", other).casefold() != ""


def _plain(words: str) -> str | None:
    words = _LINK.sub(r"\g<words>", _IMAGE.sub("", words))
    return " ".join(_MARKUP.sub("", words).split()) or None
