"""Which passages a model is asked about. The rule stands here alone."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

KINDS: Final = frozenset({"paragraph", "item", "callout"})
"""Kinds of blocks that say something in their writer's own voice: a quote is another's, a task is not done."""
_PAIR: Final = 2

_TO_A_MODEL: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,60}\b(?:instruction|prompt|rule|above|previous|prior)"
    r"|\bsystem\s+prompt\b"
    r"|\b(?:as|you\s+are)\s+(?:now\s+)?(?:an?\s+)?(?:ai|assistant|language\s+model|llm)\b"
    r"|<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>"
    r"|^\s*(?:system|assistant|user)\s*:"
    r"|\b(?:reply|respond|answer|output|return)\b[^.!?\n]{0,40}\bjson\b"
    r"|[\"'](?:subject|predicate|object|claims)[\"']\s*:",
    re.IGNORECASE | re.MULTILINE,
)


def is_needed(names: Collection[object], claims: int) -> bool:
    """Whether a passage says more than the other rungs found: it names several, and too few claims tie them together.

    So many names are tied together by one claim less. `names` are the entities that it mentions, and what its note is
    about if that is a person, a place or the like; `claims` do not count bare links.
    """
    return len(names) >= _PAIR and claims < len(names) - 1


def speaks_to_a_model(text: str) -> bool:
    """Whether a text gives orders to whatever reads it, or writes replies in its place: it is sent to none."""
    return _TO_A_MODEL.search(text) is not None
