"""What was highlighted in a book: "what did I highlight in The Slow Barrel?"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from kgmem.model import Id, Instant
from kgmem.recall.copies import HIGHLIGHT, key_of
from kgmem.recall.relations import Item, Ref, Word
from kgmem.recall.wording import place_words
from kgmem.store.protocol import Placed, Store

_TOLD: Final = 3
"""Highlights that are told; the passages below an answer show more."""
_LONGEST: Final = 300
_ASKING: Final = frozenset("highlight highlighted highlights mark marked underline underlined".split())


def asks_of_highlights(items: Iterable[Item]) -> bool:
    """Whether a question asks what somebody highlighted in what it names."""
    every = list(items)
    named = any(isinstance(item, Ref) and not item.own for item in every)
    return named and any(isinstance(item, Word) and item.lower in _ASKING for item in every)


def highlights_of(store: Store, items: Iterable[Item], known: Instant | None) -> tuple[str, Id] | None:
    """The first highlights of what a question names, and the passage of the first; None if it has none."""
    named = [each for item in items if isinstance(item, Ref) and not item.own for each in item.ids]
    sources = [source for each in named for source in store.sources_about(each, known=known)]
    passages = [
        each.id for source in sources for each in store.passages_of(source.id, known=known) if each.kind == HIGHLIGHT
    ]
    placed = store.placed(passages, known=known)
    once: dict[str, Placed] = {}
    for each in passages:
        if each in placed:
            once.setdefault(key_of(placed[each]), placed[each])
    if not once:
        return None
    found = list(once.values())
    number = "1 highlight" if len(found) == 1 else f"{len(found)} highlights"
    shown = ("; ".join(map(_quoted, found[:_TOLD]))) + ("; …" if len(found) > _TOLD else "")
    return f"{number}: {shown}", found[0].passage.id


def _quoted(placed: Placed) -> str:
    text = " ".join(placed.passage.text.split())
    cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST].rsplit(' ', 1)[0]} …"
    return f"“{cut}” ({place_words(placed.path, placed.passage.first_line, kind=placed.kind)})"
