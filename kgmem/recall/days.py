"""What the note of a day says: "what did I do on 14 May 2024?"."""

from __future__ import annotations

from datetime import date
from typing import Final

from kgmem.model import Id, Instant
from kgmem.recall.kinds import AUXILIARIES
from kgmem.recall.names import named_exactly
from kgmem.recall.quoting import FIRST, NO_PROSE, sentences
from kgmem.recall.relations import Item, Ref, Word
from kgmem.recall.wording import place_words
from kgmem.store.protocol import Placed, Store

_DAY: Final = 86_400
_TOLD: Final = 2
"""Sentences that are told."""
_ASKING: Final = AUXILIARIES | frozenset("do doing happen happened on".split())


def notes_of_day(store: Store, valid: tuple[int, int] | None) -> tuple[Id, ...]:
    """The entities that are called by the one day that is asked about: its daily notes."""
    if valid is None or valid[1] - valid[0] > _DAY:
        return ()
    return named_exactly(store, date.fromordinal(max(valid[0] // _DAY, 1)).isoformat())


def asks_of_day(items: list[Item]) -> bool:
    """Whether a question asks for nothing but what somebody did, or what happened."""
    words = {item.lower for item in items if isinstance(item, Word)}
    return words <= _ASKING and not words.isdisjoint({"do", "doing", "happen", "happened"})


def told_on(store: Store, days: tuple[Id, ...], items: list[Item], known: Instant | None) -> tuple[str, Id] | None:
    """The first sentences of the note of a day, and the passage they are of; of whom the question names, if it does."""
    refs = [item for item in items if isinstance(item, Ref)]
    sources = [source for day in days for source in store.sources_about(day, known=known)]
    passages = [each.id for source in sources for each in store.passages_of(source.id, known=known)]
    placed = store.placed(passages, known=known)
    for each in passages:
        where = placed.get(each)
        if where is None or where.passage.kind in NO_PROSE:
            continue
        found = [pair for pair in sentences(where) if all(_is_of(ref, store, pair[1], where) for ref in refs)]
        if found:
            start = found[0][0]
            line = where.passage.first_line + where.passage.text.count("\n", 0, start)
            said = " ".join(text for _, text in found[:_TOLD])
            return f"“{said}” ({place_words(where.path, line, kind=where.kind)})", each
    return None


def _is_of(ref: Ref, store: Store, sentence: str, where: Placed) -> bool:
    if ref.own:
        return not FIRST.isdisjoint(sentence.lower().split())
    mentioned = {
        mention.entity for mention in store.mentions_in(where.passage.source) if mention.passage == where.passage.id
    }
    return not mentioned.isdisjoint(ref.ids)
