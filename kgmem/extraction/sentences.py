"""Sentences of a passage: enough to quote the one that says something."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_END = re.compile(
    r"[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\W\d_a-z])|[。！？]+[”’」』）]*|\n(?=\s*(?:[-*+|>]|\d+[.)])\s)|\n\s*\n"
)
_ABBREVIATION = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|No|Nr|e\.g|i\.e|cf|ca|[A-Z])\.\s+$")
_BEFORE_STOP = re.compile(r" ([.,;:!?…)])")
"""The gap that blanked markup leaves before a stop."""


class Sentences:
    """Where the sentences of a text begin."""

    def __init__(self, text: str) -> None:
        self._text = text
        ends = (match.end() for match in _END.finditer(text))
        self._starts = [0, *(end for end in ends if not _ABBREVIATION.search(text, max(0, end - 12), end))]

    @property
    def starts(self) -> Sequence[int]:
        """Where each begins."""
        return self._starts

    def __iter__(self) -> Iterator[str]:
        """Each sentence, as it stands."""
        ends = (*self._starts[1:], len(self._text))
        return (self._text[start:end] for start, end in zip(self._starts, ends, strict=True))

    def bounds(self, start: int, end: int = 0) -> tuple[int, int]:
        """Where the sentence, or sentences, begin and end that hold a span."""
        first = self._starts[bisect_right(self._starts, start) - 1]
        after = bisect_right(self._starts, max(start, end - 1))
        return first, self._starts[after] if after < len(self._starts) else len(self._text)

    def around(self, start: int, end: int) -> str:
        """The sentence, or sentences, that hold a span; white space collapsed."""
        first, last = self.bounds(start, end)
        return _BEFORE_STOP.sub(r"\1", " ".join(self._text[first:last].split()))
