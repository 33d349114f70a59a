"""`ask`, without a model: the entity a question names, what is believed of it, and where it was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from kgmem.model import Id, Instant, Period, day_of, unique
from kgmem.recall.direct import NOT_HERE, direct_answer
from kgmem.recall.facts import FactView, current_facts, entity_json, world_range
from kgmem.recall.identity import neighbours
from kgmem.recall.names import cards_of
from kgmem.recall.question import Named
from kgmem.recall.search import Found, from_passage, fuse
from kgmem.recall.times import Asked, current_second, is_late, last_instant, moment_of, read_question, tells_of
from kgmem.recall.wording import asked_words, period_words
from kgmem.store.protocol import EntityCard, Neighbour, Placed, Scope, Store

_ARM = 40
"""Passages that each arm may bring."""
_NEIGHBOURS = 12
_DAY = 86_400
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
    """The period that it is for, if not for all times."""
    known_at: str | None = None
    """The recorded time at whose end it was known, if not now."""
    period: Period | None = None
    """What `as_of` says."""
    notes: tuple[str, ...] = ()
    """What of the question did not count: a date that is none, or one beside a date that was given."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "question": self.question,
            "answer": self.text,
            "as_of": self.as_of,
            "known_at": self.known_at,
            "notes": list(self.notes),
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
    owner: str | None = None,
) -> Answer:
    """Answer from what is held.

    A time that the question itself asks about counts where none is given: see `kgmem.recall.times`. A date of less
    precision than a day asks about all of its year or month: every value that held in it is told.

    Args:
        store: the memory.
        question: in words.
        now: the world second that "current" means; relative words of the question count from its day.
        limit: bounds the passages.
        as_of: the world period to ask about; without it what the question says, else all times.
        known: the recorded instant to ask about; without it what the question says, else now.
        owner: a name of whom "I" means in "before I moved".
    """
    asked = read_question(store, question, date.fromordinal(max(now // _DAY, 1)), known=known, owner=owner)
    period = asked.as_of if as_of is None else as_of
    given = known is not None
    at = asked.known if known is None else moment_of(known)
    if known is None and at is not None:
        known = last_instant(at)
    valid = world_range(period) if period else None
    cards = _cards(store, asked.named, valid, known)
    focus = cards[0].entity.id if cards else None
    facts = current_facts(store, focus, valid=valid, known=known) if focus else ()
    total, near = neighbours(store, focus, _NEIGHBOURS, valid=valid, known=known) if focus else (0, ())
    passages = _passages(store, question, [card.entity.id for card in cards], limit, valid=valid, known=known)
    answer = Answer(
        question=question,
        text="",
        entities=cards,
        facts=facts,
        passages=passages,
        neighbours=near,
        neighbours_total=total,
        as_of=period_words(period) if period else None,
        known_at=str(at) if at else None,
        period=period,
    )
    current = current_second(now, known)
    said = _text(store, answer, valid or (current, current + 1), known)
    head = asked_words(period, at, asked.because if as_of is None else "")
    text = f"{head}: {said}" if head and said else f"{head}." if head else said
    unread = _unread(asked, head)
    won = _outranked(asked, head, as_of=as_of is not None, known=given)
    told = " ".join([*(f"{each[:1].upper()}{each[1:]}." for each in unread), text])
    return replace(answer, text=told, notes=(*unread, *won))


def _unread(asked: Asked, head: str) -> tuple[str, ...]:
    """What a question says about time that nobody could read, and what was answered for instead."""
    answered = f"answered {head[:1].lower()}{head[1:]}" if head else "answered for now"
    none = f"no such date: {', '.join(asked.unread)}; {answered}"
    many = f"several dates: {', '.join(asked.several)}; {answered}"
    return tuple(said for said, why in ((none, asked.unread), (many, asked.several)) if why)


def _outranked(asked: Asked, head: str, *, as_of: bool, known: bool) -> tuple[str, ...]:
    """That a date which was given counts, and not that of the question."""
    lost = (as_of and asked.as_of is not None) or (known and asked.known is not None)
    return (f"the option counts, not the question's {asked.said!r}: {head[:1].lower()}{head[1:]}",) if lost else ()


def _cards(
    store: Store, named: Sequence[Named], valid: tuple[int, int] | None, known: Instant | None
) -> tuple[EntityCard, ...]:
    """Those of the names in a question; of several of a name, those that notes spoke of at the time come first."""
    found = cards_of(store, unique(each for name in named for each in name.entities), valid=valid, known=known)
    if valid is None and known is None:
        return found
    cards = {card.entity.id: card for card in found}
    homonyms = ([cards[each] for each in name.entities if each in cards] for name in named)
    return unique(card for each in homonyms for card in sorted(each, key=lambda card: not card.mentions))


def _text(store: Store, answer: Answer, valid: tuple[int, int], known: Instant | None) -> str:
    if answer.entities:
        now = answer.period is None and known is None
        holding = [fact for fact in answer.facts if fact.holds_in(valid)]
        if holding or answer.entities[0].mentions or known is None:
            return direct_answer(answer.question, answer.entities, holding, now=now)
    elif answer.passages:
        return ""
    first = _first_record(store, known)
    return f"Nothing was recorded by then; this memory begins on {first}." if first else NOT_HERE


def _first_record(store: Store, known: Instant | None) -> str | None:
    """The day on which the memory begins, if that is after a recorded instant."""
    if known is None or store.transactions(until=known):
        return None
    return next((str(day_of(each.recorded_at)) for each in store.transactions()), None)


def _passages(
    store: Store,
    question: str,
    entities: Sequence[Id],
    limit: int,
    *,
    valid: tuple[int, int] | None,
    known: Instant | None,
) -> tuple[Found, ...]:
    """The entity's own note first, then passages by words and by mention, fused by rank; few from each note.

    What was written after the period asked about only counts if it says a date that meets it.
    """
    first = entities[:_NAMED]
    own = [passage for entity in first for passage in _own_passages(store, entity, known)]
    arms = _arms(store, question, first, valid, known)
    late = [each for arm in _arms(store, question, first, None, known) for each in arm] if valid else []
    placed = store.placed({*own, *late, *(each for arm in arms for each in arm)}, known=known)
    if valid:
        timely = {key for key, each in placed.items() if not is_late(each.occurred, valid)}
        telling = {key for key in {*own, *late} & placed.keys() - timely if _tells_of(placed[key], valid)}
        arms.append([each for each in unique(late) if each in telling])
        own = [each for each in own if each in timely | telling]
    scores = fuse(arms)
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


def _arms(
    store: Store, question: str, entities: Sequence[Id], valid: tuple[int, int] | None, known: Instant | None
) -> list[list[Id]]:
    """Passages by the words of the question, and by mention of each entity; the best first."""
    arms = [[hit.id for hit in store.search(Scope.EPISODES, question, _ARM, valid=valid, known=known)]]
    for entity in entities:
        _, mentions = store.mentions_of(entity, _ARM, valid=valid, known=known)
        arms.append(list(unique(mention.passage for mention in mentions)))
    return arms


def _tells_of(placed: Placed, valid: tuple[int, int]) -> bool:
    return tells_of(placed.passage.text, placed.occurred, valid)


def _own_passages(store: Store, entity: Id, known: Instant | None) -> list[Id]:
    """How the notes about an entity begin: their prose, or at least their title."""
    first: list[Id] = []
    for source in store.sources_about(entity, known=known):
        passages = store.passages_of(source.id, known=known)
        prose = [passage for passage in passages if passage.kind not in _FRAME_KINDS]
        first += [passage.id for passage in (prose or passages)[:_EACH_NOTE]]
    return first
