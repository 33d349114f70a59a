"""What was asked and answered: short-term memory (conversations, messages) and reasoning memory (traces, steps).

None of it is knowledge. Writing it ticks no recorded clock and changes no fact, and a store that was opened for reading
takes it too. A message is one question with its answer; its trace says how the answer was found.

Where a source is erased, a message loses its texts and its trace if a hit is a passage of that source, or a fact of a
slot that it made claims for, or if the message is about an entity of it and holds a name by which nothing is called any
more. That something was asked, and when, stays: the chain has no gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from kgmem.model import Id, Instant

if TYPE_CHECKING:
    from kgmem.store.protocol import Hit

T = TypeVar("T")

ERASED: Final = "(erased)"
"""The question of a message whose texts are gone with a source that the answer cited."""
PATIENCE_SECONDS: Final = 0.25
"""How long an answer waits to be kept while another process writes, but for a server: nobody is to wait for it."""


class Thumb(StrEnum):
    """What a person thinks of an answer."""

    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Step:
    """One arm of a search, or one thing that was done to an answer."""

    name: str
    """text, names, vectors, graph, fusion, …"""
    hits: tuple[Hit, ...] = ()
    """What it brought, the best first; scores are comparable within the step only."""
    seconds: float = 0.0
    note: str = ""
    """Why it brought nothing, or what else a person should know."""


@dataclass(frozen=True, slots=True)
class Trace:
    """The way from a question to its answer."""

    steps: tuple[Step, ...] = ()
    touched: tuple[Id, ...] = ()
    """Entities that the question names or the answer speaks of."""
    seconds: float = 0.0
    """On the clock."""
    tokens: int = 0
    """Of a model; 0 without one."""
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A question with its answer, as it stands in a conversation."""

    conversation: str
    """The name of it."""
    asked_at: Instant
    """By the memory's clock; messages of one instant follow each other by a microsecond."""
    question: str
    gist: Id
    """What questions share that are equal, or nearly so."""
    answer: str = ""
    """Its direct answer."""
    as_of: str | None = None
    """The world period that the answer is for, if not for all times."""
    known_at: str | None = None
    """The recorded time at whose end it was known, if not then."""
    known: Instant | None = None
    """The recorded instant at which its hits stood where they were found; the store's last one if none is given."""
    mentions: tuple[Id, ...] = ()
    """Entities that the question names."""
    trace: Trace = field(default_factory=Trace)
    thumb: Thumb | None = None
    because: str = ""
    """Why it was thought of so."""
    id: Id = ""
    """Set by the store."""
    place: int = 0
    """Its place in the conversation, from 1. Set by the store."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A chain of messages."""

    name: str
    messages: int
    first_at: Instant
    last_at: Instant


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """Which messages; the newest come first, of one conversation the last."""

    conversation: str | None = None
    gist: Id | None = None
    starts: str | None = None
    """How the id begins."""
    limit: int | None = None


class Conversations(Protocol):
    """The messages of a group."""

    def add(self, message: Message) -> Message:
        """Put a message at the end of its conversation, which begins with its first one; gives it as it is kept.

        Raises:
            kgmem.errors.StoreLockedError: another process writes, and did not let go within a moment.
            kgmem.errors.StoreMissingError: nothing was ever written for the group; a question is no reason to make it.
            kgmem.errors.StoreError: the store cannot be written to.
        """

    def judge(self, message: Id, thumb: Thumb, because: str) -> None:
        """Keep what a person thinks of an answer, in place of what they thought before. Waits as a writer does.

        Raises:
            kgmem.errors.StoreError: as `add`.
        """

    def every(self) -> tuple[Conversation, ...]:
        """All conversations, the one that was spoken in last first."""

    def messages(self, query: MessageQuery) -> tuple[int, tuple[Message, ...]]:
        """(total, the messages that a query asks for, each with its trace)."""


def holding(texts: Mapping[T, str], names: Iterable[str]) -> set[T]:
    """The messages whose texts hold one of some names, whatever its case."""
    wanted = [name.casefold() for name in names]
    return {message for message, text in texts.items() if any(name in text.casefold() for name in wanted)}
