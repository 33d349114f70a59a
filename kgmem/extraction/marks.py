"""Which text of a note is prose, and where it is a link: its author said there who is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

NOT_PROSE: Final = frozenset({"title", "property", "code"})
"""Kinds of blocks and passages in which no sentence stands."""
_LINK: Final = re.compile(r"\[\[[^\[\]\n]*\]\]|\]\([^()\n]*\)")


def link_spans(text: str) -> list[tuple[int, int]]:
    """The spans of links in Markdown, half-open; of ``[words](target)`` only the target."""
    return [match.span() for match in _LINK.finditer(text)]


def is_free(start: int, end: int, *taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a span touches none of others."""
    return all(end <= first or last <= start for some in taken for first, last in some)
