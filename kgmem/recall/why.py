"""How an answer was found, with what each hit says and where it stood then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kgmem.errors import NotFoundError, UserError
from kgmem.model import Entity, Instant, unique
from kgmem.recall.answer import message_json, trace_json
from kgmem.recall.facts import entity_json
from kgmem.recall.search import Found, readable
from kgmem.store.conversations import Message, MessageQuery, Step
from kgmem.store.protocol import Hit, Scope, Store

GONE = "(no longer in the memory)"
"""What a hit says that was erased, or that no source says any more."""


@dataclass(frozen=True, slots=True)
class StepView:
    """A step of a trace, with its hits as a person reads them."""

    step: Step
    hits: tuple[Found, ...]
    """As many as the step has, in its order."""


@dataclass(frozen=True, slots=True)
class TraceView:
    """A message with all that its trace speaks of."""

    message: Message
    steps: tuple[StepView, ...]
    touched: tuple[Entity, ...]

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        trace = trace_json(self.message.trace)
        steps = [
            {**said, "hits": [found.as_json() for found in step.hits]}
            for said, step in zip(trace["steps"], self.steps, strict=True)
        ]
        touched = [entity_json(each) for each in self.touched]
        return {**message_json(self.message), "trace": {**trace, "steps": steps, "touched": touched}}


def find_answer(store: Store, name: str | None) -> Message:
    """The message of an id, or of how one begins; without one, the last.

    Raises:
        NotFoundError: there is none.
        UserError: several begin so, or it is no id.
    """
    name = name.lower() if name is not None else None
    if name is not None and not re.fullmatch("[0-9a-f]{1,16}", name):
        raise UserError(f"{name!r} is no id of an answer", "`kgmem conversations NAME` lists them with their answers")
    total, found = store.conversations().messages(MessageQuery(starts=name, limit=1))
    if not found:
        what = "no answer is kept here" if name is None else f"no answer is called {name}"
        raise NotFoundError(what, "`kgmem conversations` lists what was asked")
    if name is not None and total > 1:
        raise UserError(f"{total} answers are called {name}…", "give more of the id")
    return found[0]


def view_trace(store: Store, message: Message) -> TraceView:
    """How a message was answered: its hits as they stood when it was asked."""
    trace = message.trace
    found = _resolve(store, (hit for step in trace.steps for hit in step.hits), message.known)
    steps = tuple(
        StepView(step, tuple(replace(found.get(hit.id, _gone(hit)), score=hit.score) for hit in step.hits))
        for step in trace.steps
    )
    entities = store.entities(trace.touched)
    return TraceView(message, steps, tuple(entities[each] for each in trace.touched if each in entities))


def _resolve(store: Store, hits: Iterable[Hit], known: Instant | None) -> Mapping[str, Found]:
    """What hits say, by id; all of one scope are read at once."""
    by_scope: dict[Scope, list[Hit]] = {}
    for hit in unique(hits):
        by_scope.setdefault(hit.scope, []).append(hit)
    return {found.id: found for scope, some in by_scope.items() for found in readable(store, scope, some, known)}


def _gone(hit: Hit) -> Found:
    return Found(hit.scope, hit.id, GONE, None, None, hit.score)
