"""What a store does with what a model said of passages: it is kept with the text, so that nobody pays for it twice.

A reply is written with the claims that follow from it, in one transaction. It stays as long as its passage does, also
while that stands in no current episode: whoever takes an edit back need not ask again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from kgmem.model import Id


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said of one passage, as it said it: what of it holds is found out whenever the passage is read."""

    passage: Id
    model: str
    prompt: str
    """The version of the words that it was asked with."""
    told: str
    """JSON: see `kgmem.extraction.model.replies`."""
    tokens_in: int
    """Its share of what the calls took that it came from, as the server counts them."""
    tokens_out: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A live passage of which a model said nothing yet, and what is known of it without one."""

    source: Id
    passage: Id
    entities: tuple[Id, ...]
    """Those it mentions."""
    claims: int
    """What it says to hold or to be over; bare links, and what only ends if it held, are left out."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What the replies about one source took."""

    path: str
    passages: int
    tokens_in: int
    tokens_out: int
    milliseconds: int


class ReplyStore(Protocol):
    """The part of a store that is about replies: the last one of each passage."""

    def has_replies(self) -> bool:
        """Whether a model may ever have said anything of the group's passages; no is sure."""

    def replies(self, passages: Iterable[Id]) -> Mapping[Id, Reply]:
        """What a model said of passages, live or not."""

    def unanswered(self, model: str, prompt: str, root: str, kinds: Collection[str]) -> Iterator[Unanswered]:
        """Live passages of a folder, of some kinds, without a reply of that model to that prompt.

        They come by the path of their source, then in the order of its text.
        """

    def spending(self) -> tuple[Spending, ...]:
        """What live sources took, the dearest first, then by path."""
