"""Text from elsewhere, as the memory keeps it."""

from __future__ import annotations

import re
from typing import Final

from kgmem.sources.obsidian.text import plain

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_FIRST_LINE: Final = re.compile(r"[ \t]*\n")


def steady(text: str) -> str:
    """A text without what steers a terminal, without half a character, without blank lines around it."""
    kept = _CONTROLS.sub("", _ESCAPES.sub("", plain(text))).rstrip()
    while match := _FIRST_LINE.match(kept):
        kept = kept[match.end() :]
    return kept


def one_line(text: str) -> str:
    """The same on one line: a title, or a name."""
    return " ".join(steady(text).split())


def first_words(text: str, most: int) -> str:
    """The words that a text begins with, of no more characters than that."""
    if len(text) <= most:
        return text
    return text[: most + 1].rpartition(" ")[0] or text[:most]
