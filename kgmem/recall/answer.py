"""`ask`, without a model: the entity a question names, what is believed of it, and where it was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgmem.model import Id, Instant, Period, unique
from kgmem.recall.facts import FactView, current_facts, entity_json, world_range
from kgmem.recall.names import cards_of
from kgmem.recall.question import find_names
from kgmem.recall.search import Found, from_passage, fuse
from kgmem.recall.wording import when
from kgmem.store.protocol import EntityCard, Neighbour, Scope, Store

NOT_HERE = "Not in your notes."
_ARM = 40
"""Passages that each arm may bring."""
_NEIGHBOURS = 12
_DIRECT = 3
"""Facts that the direct answer names."""
_NAMED = 3
"""Entities of a question that bring passages."""
_EACH_NOTE = 2
"""Passages that one note may give."""
_FRAME_KINDS = frozenset({"title", "heading", "property"})
"""Passages that say little by themselves; properties are facts already."""


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
            "neighbours": [neighbour_json(each) for each in self.neighbours],
            "trace": None,
        }


def neighbour_json(neighbour: Neighbour) -> dict[str, Any]:
    """A neighbour, in the form that scripts rely on."""
    return {**entity_json(neighbour.entity), "facts": neighbour.facts, "passages": neighbour.passages}


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
    store: Store,
    question: str,
    *,
    now: int,
    limit: int = 5,
    as_of: Period | None = None,
    known: Instant | None = None,
) -> Answer:
    """Answer from what is held.

    Args:
        store: the memory.
        question: in words.
        now: the world second that "current" means.
        limit: bounds the passages.
        as_of: the world period to ask about; all times without it.
        known: the recorded instant to ask about; now without it.
    """
    named = find_names(store, question)
    cards = cards_of(store, unique(entity for each in named for entity in each.entities))
    focus = cards[0].entity.id if cards else None
    valid = world_range(as_of) if as_of else None
    facts = current_facts(store, focus, valid=valid, known=known) if focus else ()
    total, neighbours = store.neighbours(focus, _NEIGHBOURS) if focus else (0, ())
    passages = _passages(store, question, [card.entity.id for card in cards], limit)
    return Answer(
        question=question,
        text=_direct(cards, facts, passages, valid or (now, now + 1)),
        entities=cards,
        facts=facts,
        passages=passages,
        neighbours=tuple(neighbours),
        neighbours_total=total,
    )


def _passages(store: Store, question: str, entities: Sequence[Id], limit: int) -> tuple[Found, ...]:
    """The entity's own note first, then passages by words and by mention, fused by rank; few from each note."""
    own = [passage for entity in entities[:_NAMED] for passage in _own_passages(store, entity)]
    arms = [[hit.id for hit in store.search(Scope.EPISODES, question, _ARM)]]
    for entity in entities[:_NAMED]:
        _, mentions = store.mentions_of(entity, _ARM)
        arms.append(list(unique(mention.passage for mention in mentions)))
    scores = fuse(arms)
    placed = store.placed({*own, *scores})
    ranked = sorted(scores, key=lambda each: (-scores[each], each))
    prose = [each for each in ranked if each in placed and placed[each].passage.kind not in _FRAME_KINDS]
    chosen = [each for each in own if each in placed]
    per_note = Counter(placed[each].path for each in chosen)
    for each in prose:
        path = placed[each].path
        if each not in chosen and per_note[path] < _EACH_NOTE:
            per_note[path] += 1
            chosen.append(each)
    best = max(scores.values(), default=0.0)
    return tuple(from_passage(placed[each], best if each in own else scores[each]) for each in chosen[:limit])


def _own_passages(store: Store, entity: Id) -> list[Id]:
    """How the notes about an entity begin: their prose, or at least their title."""
    first: list[Id] = []
    for source in store.sources_about(entity):
        passages = store.passages_of(source.id)
        prose = [passage for passage in passages if passage.kind not in _FRAME_KINDS]
        first += [passage.id for passage in (prose or passages)[:_EACH_NOTE]]
    return first


def _direct(
    cards: Sequence[EntityCard], facts: Sequence[FactView], passages: Sequence[Found], valid: tuple[int, int]
) -> str:
    """A sentence or three: what holds in the period asked about, the best dated first."""
    if not cards:
        return "" if passages else NOT_HERE
    entity = cards[0].entity
    telling = sorted((fact for fact in facts if fact.holds_in(valid)), key=lambda fact: _telling(fact, entity.id))
    if telling:
        return " ".join(f"{fact.says.rstrip('.')} ({when(fact.fact)})." for fact in telling[:_DIRECT])
    kind = entity.subtype or entity.type.value
    notes = "1 note" if cards[0].sources == 1 else f"{cards[0].sources} notes"
    return f"{entity.name} ({kind}) is mentioned in {notes}."


def _telling(view: FactView, entity: Id) -> tuple[bool, bool, bool, int, str]:
    fact = view.fact
    dated = fact.valid.start.shown is not None
    return fact.subject != entity, not dated, fact.object is None, -fact.holds_from if dated else 0, fact.predicate
