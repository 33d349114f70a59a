"""Passages put together into calls: several of one note, and of several notes, up to a bound."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kgmem.extraction.model.prompt import LONGEST_REPLY, Note, Part, ask, rules_of, schema_of
from kgmem.extraction.ontology import Ontology
from kgmem.llm.structured import estimate_tokens
from kgmem.model import Id, Source

_BATCH_TOKENS: Final = 1200
LONGEST_PASSAGE: Final = 4 * _BATCH_TOKENS
"""What is longer is no prose that somebody wrote as one passage."""
_REPLY_TOKENS: Final = 60
"""What a passage adds to a reply, about: one claim or two."""
_EMPTY_REPLY: Final = 10
_FRAME: Final = 12
"""Tokens of the lines around a passage."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one call. With the rules they stay below what small models can hold."""

    passages: int = _BATCH_TOKENS
    """Tokens of its passages, about."""
    reply: int = LONGEST_REPLY
    """Tokens of the reply, at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A passage that a model is asked about."""

    passage: Id
    part: Part
    line: int
    """Its first, in its note."""

    @property
    def tokens(self) -> int:
        """About so many."""
        return estimate_tokens(self.part.text) + estimate_tokens(self.part.heading) + _FRAME


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about one note."""

    source: Source
    head: Note
    """With no parts."""
    passages: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Batch:
    """What one call asks."""

    questions: tuple[Question, ...]

    @property
    def passages(self) -> tuple[Asked, ...]:
        """All of them, in the order of their numbers."""
        return tuple(each for question in self.questions for each in question.passages)

    @property
    def text(self) -> str:
        """The question."""
        return ask([_shown(question) for question in self.questions])


@dataclass(frozen=True, slots=True)
class Estimate:
    """About what some calls take; no server has counted."""

    passages: int = 0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    orders: int = 0
    """Passages that are left out, for they give orders to a model."""


def batches(questions: Iterable[Question], bound: int) -> Iterator[Batch]:
    """Questions in order, as few calls as the bound on tokens allows; a passage longer than it goes alone."""
    some: list[Question] = []
    size = 0
    for question in questions:
        head = _head_tokens(question)
        rest: list[Asked] = []
        for asked in question.passages:
            if (some or rest) and size + head * (not rest) + asked.tokens > bound:
                yield Batch((*some, *_some(question, rest)))
                some, rest, size = [], [], 0
            size += head * (not rest) + asked.tokens
            rest.append(asked)
        some += _some(question, rest)
    if some:
        yield Batch(tuple(some))


def _some(question: Question, passages: Sequence[Asked]) -> list[Question]:
    return [Question(question.source, question.head, tuple(passages))] if passages else []


def _head_tokens(question: Question) -> int:
    head = question.head
    return estimate_tokens(head.path) + sum(estimate_tokens(name) + 4 for name, _ in head.names) + _FRAME


def _shown(question: Question) -> Note:
    head = question.head
    parts = tuple(each.part for each in question.passages)
    return Note(head.path, head.day, head.about, head.names, parts)


class Estimator:
    """Counts what batches take, before anybody is asked."""

    def __init__(self, ontology: Ontology) -> None:
        self._rules = estimate_tokens(rules_of(ontology))
        self._schema = estimate_tokens(json.dumps(schema_of(ontology, 1)))

    def of(self, batch: Batch) -> tuple[int, int]:
        """(tokens sent, tokens replied) of one call, about. A schema may count, or not: it is counted."""
        number = len(batch.passages)
        return self._rules + self._schema + estimate_tokens(batch.text), _EMPTY_REPLY + _REPLY_TOKENS * number

    def all(self, some: Iterable[Batch]) -> Estimate:
        """All of them together."""
        passages = calls = tokens_in = tokens_out = 0
        for batch in some:
            sent, replied = self.of(batch)
            passages, calls = passages + len(batch.passages), calls + 1
            tokens_in, tokens_out = tokens_in + sent, tokens_out + replied
        return Estimate(passages, calls, tokens_in, tokens_out)
