"""What was asked before, and what that changes: an answer is kept, found again, and heeded when somebody judged it.

Two questions are *the same* if they are equal up to case, spaces and punctuation, and *nearly the same* if they are
also equal up to articles and auxiliary verbs: "where does Mira work" and "Where did Mira work?"; or if they are
understood alike: "where does Mira Castel work", too. Another --as-of or --known-at makes another question. What an
answer *gave first* are the facts that its text tells, and its first passage.

- After a thumbs-down, what was given first ranks last where the same or nearly the same is asked, and no text tells it.
- After a thumbs-up, the passage that came first comes first again, if it is found again.
- Of what was given first and judged more than once, the judgement of the newest answer counts.
- Without either, an earlier answer changes nothing: it is only told that there was one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from kgmem.errors import StoreError, StoreMissingError
from kgmem.model import Id, Instant, Period, day_of, identify, unique
from kgmem.recall.answer import Answer, ask
from kgmem.recall.meaning import LIGHT
from kgmem.recall.wording import period_words
from kgmem.store.conversations import Message, MessageQuery, Step, Thumb
from kgmem.store.protocol import Hit, Scope, Store

if TYPE_CHECKING:
    from kgmem.embedding.embedder import Embedder
    from kgmem.embedding.reranker import Reranker
    from kgmem.extraction.ontology import Ontology

GIVEN: Final = "answer"
"""The step of a trace that says what was given: the facts of the text, then the passages."""
_LOOKED_AT: Final = 50
"""Earlier messages of a question that are heeded, the newest."""
_SHOWN: Final = 5
"""Earlier messages of a question that are told."""
_SHORT: Final = 8
"""Digits of an id that a person is shown."""
_MARKS: Final = re.compile(r"[\s\"'“”‘’‚„«»‹›()\[\]{}<>?!.,;:…\-–—。，？！、；：¿¡؟،]+")


@dataclass(frozen=True, slots=True)
class Asking:
    """Where and when a question is asked, so that it is kept."""

    conversation: str
    asked_at: Instant
    """By the memory's clock."""


@dataclass(frozen=True)
class Before:
    """The messages that asked the same, or nearly the same, and what they change."""

    same: tuple[Message, ...] = ()
    """The newest first."""
    near: tuple[Message, ...] = ()

    def with_those_of(self, other: Before) -> Before:
        """These and others, the newest first."""
        same, near = (
            tuple(sorted(unique((*mine, *others)), key=lambda each: -each.asked_at))
            for mine, others in ((self.same, other.same), (self.near, other.near))
        )
        return Before(same, near)

    @property
    def prefer(self) -> frozenset[Id]:
        """Facts and passages that were liked."""
        return frozenset(one for one, each in self._judged.items() if each.thumb is Thumb.UP)

    @property
    def avoid(self) -> frozenset[Id]:
        """Facts and passages that are no answer."""
        return frozenset(one for one, each in self._judged.items() if each.thumb is Thumb.DOWN)

    @property
    def refused(self) -> tuple[Message, ...]:
        """The messages whose thumbs-down counts, the newest first: a thumbs-up in its place takes it back."""
        newest = sorted(self._judged.values(), key=lambda each: -each.asked_at)
        return tuple(each for each in unique(newest) if each.thumb is Thumb.DOWN)

    @property
    def shown(self) -> tuple[Message, ...]:
        """Those worth telling."""
        return (*self.same, *self.near)[:_SHOWN]

    @cached_property
    def _judged(self) -> dict[Id, Message]:
        """The newest message that gave each thing first and was judged."""
        judged = [each for each in (*self.same, *self.near) if each.thumb]
        return {one: each for each in sorted(judged, key=lambda each: each.asked_at) for one in given_first(each)}


def same_words(question: str) -> tuple[str, ...]:
    """The words of a question as they are compared: what is the same for all spellings of it."""
    plain = unicodedata.normalize("NFKC", question).casefold()
    return tuple(word for word in _MARKS.split(plain) if word) or (plain.strip(),)


def gist_of(question: str, as_of: Period | None = None, known: Instant | None = None) -> Id:
    """What is the same for questions that ask nearly the same of the same times."""
    words = same_words(question)
    telling = tuple(word for word in words if word not in LIGHT) or words
    return identify("gist", *telling, "as of", period_words(as_of) if as_of else None, "known at", known)


def meant(answer: Answer) -> Id | None:
    """What is the same for questions that are understood as an answer's was, of the same times; None if it was not."""
    if not answer.meaning:
        return None
    period = period_words(answer.period) if answer.period else None
    return identify("meaning", *answer.meaning, "as of", period, "known at", answer.known)


def given_first(message: Message) -> tuple[Id, ...]:
    """The facts that the text of an answer told, and the passage that came first."""
    hits = [hit for step in message.trace.steps if step.name == GIVEN for hit in step.hits]
    passages = [hit.id for hit in hits if hit.scope is Scope.EPISODES]
    return (*(hit.id for hit in hits if hit.scope is Scope.FACTS), *passages[:1])


def asked_before(store: Store, question: str, gist: Id) -> Before:
    """The messages that asked the same as a question, or nearly the same."""
    _, found = store.conversations().messages(MessageQuery(gist=gist, limit=_LOOKED_AT))
    words = same_words(question)
    same = tuple(each for each in found if same_words(each.question) == words)
    return Before(same, tuple(each for each in found if each not in same))


def ask_in(
    store: Store,
    question: str,
    asking: Asking | None,
    *,
    now: int,
    limit: int = 5,
    as_of: Period | None = None,
    known: Instant | None = None,
    owner: str | None = None,
    ontology: Ontology | Callable[[], Ontology] | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    word: Callable[[Answer], Answer] | None = None,
) -> Answer:
    """Answer as `kgmem.recall.answer.ask` does, heeding what was asked before; and keep the answer.

    That it cannot be kept, for another process writes or nobody may, is a note of the answer and no error.

    Args:
        store: the memory; opened for reading is enough.
        question: in words.
        asking: where it is kept; None keeps nothing.
        now: see `ask`, as for all that follow.
        limit: bounds the passages.
        as_of: the world period.
        known: the recorded instant.
        owner: whom "I" means.
        ontology: what words ask for.
        embedder: finds passages by meaning.
        reranker: reads the best passages again, and orders them.
        word: says in other words what was found, before it is kept.
    """
    question = question.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair can be kept nowhere
    gist = gist_of(question, as_of, known)
    before = asked_before(store, question, gist)
    one = partial(
        ask, store, question, now=now, limit=limit, as_of=as_of, known=known, owner=owner, ontology=ontology,
        embedder=embedder, reranker=reranker,
    )  # fmt: skip
    answer = one(avoid=before.avoid, prefer=before.prefer)
    if (meaning := meant(answer)) is not None:
        judged = before.avoid, before.prefer
        before, gist = before.with_those_of(asked_before(store, question, meaning)), meaning
        if (before.avoid, before.prefer) != judged:
            answer = one(avoid=before.avoid, prefer=before.prefer)
    avoid = before.avoid
    answer = replace(answer, asked_before=before.shown, notes=(*answer.notes, *_heeded(before, answer, avoid)))
    if word is not None:
        answer = word(answer)
    return answer if asking is None else _keep(store, answer, gist, asking)


def _heeded(before: Before, answer: Answer, avoid: frozenset[Id]) -> tuple[str, ...]:
    """What is not given first again, since when, and why."""
    if not before.refused:
        return ()
    judged = before.refused[0]
    told = "what it told is not told again, " if any(fact.fact.id in avoid for fact in answer.facts) else ""
    put = "ranks last" if any(passage.id in avoid for passage in answer.passages) else "is left out"
    why = f" ({judged.because})" if judged.because else ""
    none = f"you said of the answer of {day_of(judged.asked_at)} that it is none{why}"
    return (f"{none}: {told}the first passage {put}; {taken_back(judged)}",)


def taken_back(message: Message) -> str:
    """How a thumbs-down is taken back."""
    return f"`kgmem feedback {message.id[:_SHORT]} up` takes that back"


def _keep(store: Store, answer: Answer, gist: Id, asking: Asking) -> Answer:
    try:
        kept = store.conversations().add(message_of(answer, gist, asking))
    except StoreMissingError:
        return answer
    except StoreError as error:
        return replace(answer, notes=(*answer.notes, f"this answer is not kept: {error.message}"))
    return replace(answer, id=kept.id, trace=kept.trace)


def message_of(answer: Answer, gist: Id, asking: Asking) -> Message:
    """A question with its answer, as it is kept."""
    given = (
        *(Hit(Scope.FACTS, one, 1.0) for one in answer.told),
        *(Hit(Scope.EPISODES, each.id, each.score) for each in answer.passages),
    )
    steps = (*answer.trace.steps, Step(GIVEN, given))
    return Message(
        conversation=asking.conversation,
        asked_at=asking.asked_at,
        question=answer.question,
        gist=gist,
        answer=answer.text,
        as_of=answer.as_of,
        known_at=answer.known_at,
        known=answer.known,
        mentions=tuple(card.entity.id for card in answer.entities),
        trace=replace(answer.trace, steps=steps),
    )


def asked_line(messages: Sequence[Message], question: str) -> str:
    """``asked before on 2026-11-12: Mira works at Nord (since 2020).``.

    Args:
        messages: `Answer.asked_before`, which is not empty.
        question: what is asked now: of a question that was only nearly the same, its words are told.
    """
    last = messages[0]
    so = "" if same_words(last.question) == same_words(question) else f" as “{last.question}”"
    judged = f", thumbs {last.thumb}" if last.thumb else ""
    then = f": {last.answer}" if last.answer else ""
    return f"asked before on {day_of(last.asked_at)}{so}{judged}{then}"
