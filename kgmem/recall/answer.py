"""`ask`, without a model: the entity a question names, what is believed of it, and where it was written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgmem.model import LINKS_TO, Id, Instant, Period, unique
from kgmem.recall.facts import FactView, current_facts, entity_json, world_range
from kgmem.recall.names import cards_of, find_names
from kgmem.recall.search import Found, from_passage, fuse
from kgmem.recall.wording import when
from kgmem.store.protocol import EntityCard, Neighbour, Scope, Store

NOT_HERE = "Not in your notes."
_ARM = 40
"""Passages that each arm may bring."""
_NEIGHBOURS = 12
_DIRECT = 3
"""Facts that the direct answer names."""
_TITLES = frozenset({"title", "heading"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What the memory has on a question."""

    question: str
    text: str
    """The direct answer, in a line or two."""
    entities: tuple[EntityCard, ...]
    """Those that the question names, best first; homonyms stand side by side."""
    facts: tuple[FactView, ...]
    """What is believed of the first of them."""
    passages: tuple[Found, ...]
    neighbours: tuple[Neighbour, ...]
    neighbours_total: int
    as_of: str | None = None
    known_at: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "question": self.question,
            "answer": self.text,
            "as_of": self.as_of,
            "known_at": self.known_at,
            "entities": [card_json(card) for card in self.entities],
            "facts": [fact.as_json() for fact in self.facts],
            "passages": [
                {"source": p.source, "line": p.line, "heading": p.heading, "text": p.text, "score": round(p.score, 6)}
                for p in self.passages
            ],
            "neighbours": [
                {**entity_json(n.entity), "facts": n.facts, "passages": n.passages} for n in self.neighbours
            ],
            "trace": None,
        }


def card_json(card: EntityCard) -> dict[str, Any]:
    """An entity with its counts, in the form that scripts rely on."""
    names = unique(a.name for a in card.aliases if a.name != card.entity.name)
    return {
        "id": card.entity.id,
        "name": card.entity.name,
        "type": card.entity.type.value,
        "subtype": card.entity.subtype,
        "aliases": list(names),
        "mentions": card.mentions,
        "sources": card.sources,
        "first_seen": card.first_seen.shown,
        "last_seen": card.last_seen.shown,
    }


def ask(
    store: Store, question: str, *, limit: int = 5, as_of: Period | None = None, known: Instant | None = None
) -> Answer:
    """Answer from what is held; `limit` bounds the passages."""
    named = find_names(store, question)
    cards = cards_of(store, unique(entity for each in named for entity in each.entities))
    focus = cards[0] if cards else None
    facts = (
        current_facts(store, focus.entity.id, valid=world_range(as_of) if as_of else None, known=known) if focus else ()
    )
    total, neighbours = store.neighbours(focus.entity.id, _NEIGHBOURS) if focus else (0, ())
    passages = _passages(store, question, [card.entity.id for card in cards], limit)
    return Answer(
        question=question,
        text=_direct(cards, facts, passages),
        entities=cards,
        facts=facts,
        passages=passages,
        neighbours=tuple(neighbours),
        neighbours_total=total,
    )


def _passages(store: Store, question: str, entities: Sequence[Id], limit: int) -> tuple[Found, ...]:
    """Passages by words and by mention, fused by rank; those of the entity's own notes before others."""
    by_words = [hit.id for hit in store.search(Scope.EPISODES, question, _ARM)]
    arms = [by_words]
    own: set[Id] = set()
    for entity in entities[:3]:
        _, mentions = store.mentions_of(entity, _ARM)
        arms.append(list(unique(mention.passage for mention in mentions)))
        pages = [p.id for s in store.sources_about(entity) for p in store.passages_of(s.id) if p.kind not in _TITLES]
        own.update(pages)
        arms += [pages[:_ARM], pages[:_ARM]]
    scores = fuse(arms)
    placed = store.placed(scores)
    ranked = sorted(
        (each for each in placed.values() if each.passage.kind not in _TITLES or len(placed) <= limit),
        key=lambda each: (-scores[each.passage.id], each.path, each.passage.first_line),
    )
    return tuple(from_passage(each, scores[each.passage.id]) for each in ranked[:limit])


def _direct(cards: Sequence[EntityCard], facts: Sequence[FactView], passages: Sequence[Found]) -> str:
    if not cards:
        return "" if passages else NOT_HERE
    card = cards[0]
    telling = [fact for fact in facts if fact.fact.predicate != LINKS_TO and fact.superseded_by is None]
    if telling:
        return " ".join(f"{fact.says.rstrip('.')} ({when(fact.fact)})." for fact in telling[:_DIRECT])
    kind = card.entity.subtype or card.entity.type.value
    notes = "1 note" if card.sources == 1 else f"{card.sources} notes"
    return f"{card.entity.name} ({kind}) is mentioned in {notes}."
