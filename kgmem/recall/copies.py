"""A highlight that several exporters hand over is one passage: it is shown once, with the places where else it stands.

Two are one if they say the same words, case and punctuation aside, of books of one title; a subtitle may be missing.
So are a person's notes on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kgmem.sources.naming import folded
from kgmem.store.protocol import Placed

if TYPE_CHECKING:
    from kgmem.recall.search import Found

HIGHLIGHT: Final = "highlight"
"""The kind of passages that exporters copy."""

_BELOW: Final = re.compile(r"(?:^|> )(?:new )?highlights\b", re.IGNORECASE)
"""The headings of what a person says of a highlight."""


def key_of(placed: Placed) -> str:
    """What the copies of a passage have in common; empty for one that has none."""
    passage = placed.passage
    if passage.kind != HIGHLIGHT and not (passage.kind == "paragraph" and _BELOW.search(passage.heading)):
        return ""
    return f"{folded(placed.title.partition(': ')[0])}\x1f{folded(passage.text)}"


def once(found: Iterable[Found]) -> list[Found]:
    """Each passage once, in order, at the best of its places."""
    kept: list[Found] = []
    first: dict[str, int] = {}
    for each in found:
        at = first.get(each.copied) if each.copied else None
        if at is None:
            first[each.copied] = len(kept)
            kept.append(each)
        elif (where := (each.root, each.source or "", each.line or 0)) not in kept[at].also:
            kept[at] = replace(kept[at], also=(*kept[at].also, where))
    return kept
