"""What looks like a date and is none that the grammar reads: 5-3-2021, '98, the 30th of February."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from kgmem.extraction.dates.words import COUNTED, MONTHS
from kgmem.extraction.marks import is_free

_LIKE: Final = re.compile(
    rf"""
      (?<![\w/.-])(?:
          \d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d) | \d{{1,2}}-\d{{1,2}}-\d{{4}} | \d{{1,2}}\.[ ]?\d{{1,2}}\.[ ]?\d{{4}}
        | \d{{4}}-\d{{1,2}}(?:-\d{{1,2}})? | \d{{4}}/\d{{1,2}}/\d{{1,2}} | \d{{1,2}}[/.-]\d{{4}}
      )(?![\w/-]|[.,:]\d)
    | (?<!\w)['’‘]\d\d(?!\w|['’])
    | (?<=\bthe\s)['’‘]?\d0s\b
    | \b(?:in|since|from|until|till|before|after|during|circa|{"|".join(MONTHS)})\.?\s+
      (?P<year>1\d\d\d|20\d\d)\b(?!['’%€$£]|[.,:/-]\d|\s+(?:{"|".join(sorted(COUNTED))})\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def date_like(
    text: str, found: Sequence[tuple[int, int]], refused: Iterable[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """The spans, in order, that say when something was in digits which are no date of the grammar.

    Args:
        text: as it was read.
        found: the spans of its dates.
        refused: what the grammar took for a date that does not exist, or for two at once.
    """
    if not any(char.isdigit() for char in text):
        return ()
    spans = [span for span in refused if any(char.isdigit() for char in text[slice(*span)])]
    spans += (match.span("year") if match["year"] else match.span() for match in _LIKE.finditer(text))
    free: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if is_free(start, end, found, free):
            free.append((start, end))
    return tuple(free)
