"""`ask`, without a model: the entity a question names, what is believed of it, and where it was written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

from kgmem.model import Id, Instant, Period, day_of, show_instant, unique
from kgmem.recall.compound import halves, joined, resolved
from kgmem.recall.days import notes_of_day
from kgmem.recall.facts import FactView, entity_json, some_about, view, world_range
from kgmem.recall.identity import neighbours
from kgmem.recall.kinds import Kind
from kgmem.recall.names import cards_of
from kgmem.recall.passages import Wanted, find_passages
from kgmem.recall.question import Named
from kgmem.recall.reply import NOT_HERE, Reply
from kgmem.recall.retrieve import VECTORS
from kgmem.recall.search import Found, also_json
from kgmem.recall.texts import Texts
from kgmem.recall.times import Asked, current_second, last_instant, moment_of, read_question
from kgmem.recall.weights import WEIGHTS
from kgmem.recall.wording import asked_words, period_words
from kgmem.store.conversations import Message, Step, Trace
from kgmem.store.protocol import EntityCard, Hit, Neighbour, Scope, Store

if TYPE_CHECKING:
    from kgmem.embedding.embedder import Embedder
    from kgmem.embedding.reranker import Reranker
    from kgmem.extraction.ontology import Ontology

_NEIGHBOURS = 12
_DATES = 5
"""Dates of a question that are told to be too many, or none."""
_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Answer:
    """What the memory has on a question."""

    question: str
    text: str
    """The direct answer, in a line or two."""
    entities: tuple[EntityCard, ...]
    """Those that the question names, best first; homonyms stand side by side."""
    facts: tuple[FactView, ...]
    """What is believed of the first of them; of what very many facts are about, some."""
    passages: tuple[Found, ...]
    neighbours: tuple[Neighbour, ...]
    neighbours_total: int
    facts_total: int = 0
    """How many there are of it."""
    as_of: str | None = None
    """The period that it is for, if not for all times."""
    known_at: str | None = None
    """The recorded time at whose end it was known, if not now."""
    period: Period | None = None
    """What `as_of` says."""
    notes: tuple[str, ...] = ()
    """What of the question did not count: a date that is none, or one beside a date that was given."""
    at: tuple[int, int] = (0, 0)
    """World seconds [from, to) that it is for: what holds in them is current."""
    known: Instant | None = None
    """The recorded instant that it was asked at, if not now."""
    meaning: tuple[str, ...] = ()
    """What the question shares with those that are understood alike; none of one that asks two things."""
    told: tuple[Id, ...] = ()
    """The facts that the text tells."""
    trace: Trace = field(default_factory=Trace)
    """How it was found."""
    id: Id | None = None
    """What `kgmem why` knows it by; None if nobody keeps it."""
    asked_before: tuple[Message, ...] = ()
    """When the same was asked before, the newest first, and then what was nearly the same."""

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
            "facts_total": self.facts_total,
            "passages": [
                {
                    "source": p.source,
                    "line": p.line,
                    "heading": p.heading,
                    "text": p.text,
                    "score": round(p.score, 6),
                    **also_json(p.also),
                }
                for p in self.passages
            ],
            "neighbours": [neighbour_json(each) for each in self.neighbours],
            "asked_before": [message_json(each) for each in self.asked_before],
            "trace": {"id": self.id, **trace_json(self.trace)},
        }


def trace_json(trace: Trace) -> dict[str, Any]:
    """A trace, in the form that scripts rely on; seconds on the clock."""
    return {
        "steps": [
            {
                "name": step.name,
                "seconds": step.seconds,
                "note": step.note,
                "hits": [{"scope": hit.scope.value, "id": hit.id, "score": round(hit.score, 6)} for hit in step.hits],
            }
            for step in trace.steps
        ],
        "touched": list(trace.touched),
        "seconds": trace.seconds,
        "tokens": trace.tokens,
        "model": trace.model,
    }


def message_json(message: Message) -> dict[str, Any]:
    """A message without its trace, in the form that scripts rely on."""
    return {
        "id": message.id,
        "conversation": message.conversation,
        "asked_at": show_instant(message.asked_at),
        "question": message.question,
        "answer": message.answer,
        "as_of": message.as_of,
        "known_at": message.known_at,
        "feedback": message.thumb,
        "because": message.because,
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
    ontology: Ontology | Callable[[], Ontology] | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    avoid: Collection[Id] = (),
    prefer: Collection[Id] = (),
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
        owner: a name of whom "I" means.
        ontology: what words ask for, or what loads it; ours without it.
        embedder: finds passages by meaning, where they have vectors of its model.
        reranker: reads the best passages again, and orders them.
        avoid: facts and passages that rank last, and that no text tells: somebody said that they are no answer.
        prefer: passages that rank first if they are found.
    """
    question = question.encode("utf-8", "replace").decode("utf-8")  # half a character of a shell's is none to a store
    first, second = halves(question)
    one = partial(
        _answered, store, now=now, limit=limit, as_of=as_of, known=known, owner=owner, ontology=ontology,
        embedder=embedder, reranker=reranker, avoid=avoid, prefer=prefer,
    )  # fmt: skip
    answer, reply = one(first)
    if not second:
        return replace(answer, question=question)
    meant = resolved(second, reply.understood, answer.entities)
    return joined(question, answer, one(meant, meanwhile=answer.period)[0], limit)


def _answered(
    store: Store,
    question: str,
    *,
    now: int,
    limit: int,
    as_of: Period | None,
    known: Instant | None,
    owner: str | None,
    ontology: Ontology | Callable[[], Ontology] | None,
    embedder: Embedder | None,
    reranker: Reranker | None,
    avoid: Collection[Id],
    prefer: Collection[Id],
    meanwhile: Period | None = None,
) -> tuple[Answer, Reply]:
    """The answer to one question; `meanwhile` is the time that it is about if neither it nor an option says one."""
    began = perf_counter()
    asked = read_question(store, question, date.fromordinal(max(now // _DAY, 1)), known=known, owner=owner)
    period = (asked.as_of or (None if asked.known else meanwhile)) if as_of is None else as_of
    given = known is not None
    at = asked.known if known is None else moment_of(known)
    if known is None and at is not None:
        known = last_instant(at)
    valid = world_range(period) if period else None
    current = current_second(now, known)
    span, dated = valid or (current, current + 1), period is not None
    texts = Texts(store, known)
    reply = Reply(store, texts, question, asked, at=span, known=known, dated=dated, owner=owner, ontology=ontology)
    cards = _cards(store, asked.named, reply.understood.reached, valid, known)
    focus = cards[0].entity.id if cards else None
    held, about = (
        (0, ())
        if focus is None
        else reply.about(focus)
        if valid is None
        else some_about(store, focus, valid=valid, known=known)
    )
    facts = view(store, about, known)
    total, near = neighbours(store, focus, _NEIGHBOURS, valid=valid, known=known) if focus else (0, ())
    named = tuple(Hit(Scope.ENTITIES, card.entity.id, 1.0) for card in cards)
    understood = Step("question", named, round(perf_counter() - began, 6), "" if named else "nothing found")
    days = notes_of_day(store, valid) if dated else ()
    told = reply.is_told(cards, now=not dated and known is None, avoid=avoid)
    wanted = Wanted(
        reply.sought, asked.named, [*days, *(card.entity.id for card in cards)], now, valid, known,
        telling=reply.telling if told else (), shown=limit,
        walks=WEIGHTS.walk_when_told or not told or reply.asks_more,
    )  # fmt: skip
    meaning = embedder if WEIGHTS.vectors_when_told or not told else None
    passages, steps = find_passages(store, texts, wanted, meaning, reranker)
    answer = Answer(
        question=question,
        text="",
        entities=cards,
        facts=tuple(sorted(facts, key=lambda each: each.fact.id in avoid)),
        facts_total=held,
        passages=tuple(sorted(passages, key=lambda each: (each.id in avoid, each.id not in prefer))[:limit]),
        neighbours=near,
        neighbours_total=total,
        as_of=period_words(period) if period else None,
        known_at=str(at) if at else None,
        period=period,
        at=span,
        known=known,
        meaning=reply.meaning,
    )
    said = _text(store, answer, reply, avoid)
    counted = reply.understood.kind is Kind.HOW_MANY
    telling = [fact for fact in unique((*reply.facts, *facts)) if counted or fact.says.rstrip(".") in said]
    head = asked_words(period, at, asked.because if as_of is None else "")
    text = f"{head}: {said}" if head and said else f"{head}." if head else said
    unread = _unread(asked, head)
    won = _outranked(asked, head, as_of=as_of is not None, known=given)
    touched = unique((*(card.entity.id for card in cards), *(end for each in telling for end in _ends(each))))
    answer = replace(
        answer,
        facts=answer.facts or reply.changed,
        facts_total=held or len(reply.changed),
        text=" ".join([*(f"{each[:1].upper()}{each[1:]}." for each in unread), text]),
        notes=(*unread, *won, *reply.notes, *_unmeant(steps)),
        passages=tuple(sorted(answer.passages, key=lambda each: each.id != reply.quoted)),
        told=unique(each.fact.id for each in telling),
        trace=Trace((understood, *steps), touched, seconds=round(perf_counter() - began, 6)),
    )
    return answer, reply


def _ends(view: FactView) -> tuple[Id, ...]:
    """The entities of a fact."""
    return tuple(end for end in (view.fact.subject, view.fact.object) if end is not None)


def _unread(asked: Asked, head: str) -> tuple[str, ...]:
    """What a question says about time that nobody could read, and what was answered for instead."""
    answered = f"answered {head[:1].lower()}{head[1:]}" if head else "answered for now"
    none = f"no such date: {_listed(asked.unread)}; {answered}"
    many = f"several dates: {_listed(asked.several)}; {answered}"
    return tuple(said for said, why in ((none, asked.unread), (many, asked.several)) if why)


def _listed(words: Sequence[str]) -> str:
    """The first of some words, each once."""
    different = unique(words)
    return ", ".join(different[:_DATES]) + (", …" if len(different) > _DATES else "")


def _unmeant(steps: Sequence[Step]) -> tuple[str, ...]:
    """That nothing was found by its meaning, for what makes vectors of a question failed."""
    why = next((step.note for step in steps if step.name == VECTORS and step.note), "")
    return (f"found by its words alone: {why}",) if why else ()


def _outranked(asked: Asked, head: str, *, as_of: bool, known: bool) -> tuple[str, ...]:
    """That a date which was given counts, and not that of the question."""
    lost = (as_of and asked.as_of is not None) or (known and asked.known is not None)
    return (f"the option counts, not the question's {asked.said!r}: {head[:1].lower()}{head[1:]}",) if lost else ()


def _cards(
    store: Store, named: Sequence[Named], reached: Sequence[Id], valid: tuple[int, int] | None, known: Instant | None
) -> tuple[EntityCard, ...]:
    """Those of the names in a question, then those that its other words lead to.

    Of several of a name, those that notes spoke of at the time come first.
    """
    ids = unique((*(each for name in named for each in name.entities), *reached))
    found = cards_of(store, ids, valid=valid, known=known)
    if valid is None and known is None:
        return found
    cards = {card.entity.id: card for card in found}
    homonyms = ([cards[each] for each in name.entities if each in cards] for name in named)
    first = (card for each in homonyms for card in sorted(each, key=lambda card: not card.mentions))
    return unique((*first, *found))


def _text(store: Store, answer: Answer, reply: Reply, avoid: Collection[Id]) -> str:
    """The direct answer."""
    known = answer.known
    holding = [fact for fact in answer.facts if fact.holds_in(answer.at)]
    told = holding or (answer.entities and (answer.entities[0].mentions or known is None))
    if not told and (answer.entities or not answer.passages):
        first = _first_record(store, known)
        if first or answer.entities:
            return f"Nothing was recorded by then; this memory begins on {first}." if first else NOT_HERE
    now = answer.period is None and known is None
    return reply.line(answer.entities, holding, answer.passages, now=now, avoid=avoid)


def _first_record(store: Store, known: Instant | None) -> str | None:
    """The day on which the memory begins, if that is after a recorded instant."""
    if known is None or store.transactions(until=known):
        return None
    return next((str(day_of(each.recorded_at)) for each in store.transactions()), None)
