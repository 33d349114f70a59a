"""What a reader of one shape of export gives: where each book stands in the file, and a book from that place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, Protocol

from kgmem.sources.chats.conversation import Conversation
from kgmem.sources.readwise.book import Book


class Part(NamedTuple):
    """A stretch of a file that belongs to one book. A tuple: a file has very many."""

    key: str
    """The same for all parts of a book, in this file."""
    title: str
    """Empty where the part does not say it."""
    author: str
    start: int
    end: int
    name: str = ""
    """What the exporter calls a highlight that notes may name."""
    within: str = ""
    """The name of the highlight that it is a note on: that is of the same book."""


@dataclass(frozen=True, slots=True)
class Slip:
    """Something in a file that could not be read."""

    line: int
    kind: str
    message: str
    hint: str = ""
    broken: bool = False
    """The file is not whole: what is not found in it may have stood there."""
    near: bool = True
    """Then what stands beside it may be cut as well; not where each line is whole by itself."""


class Shape(Protocol):
    """Reads the files of one shape. Positions are bytes of the file as UTF-8."""

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """Every stretch of the file, in order, and what is wrong with it.

        Raises:
            UnicodeDecodeError: it is not UTF-8.
        """

    def book(self, data: list[bytes]) -> Book | Conversation:
        """The book, or the conversation, of some stretches, and of no more highlights than hold."""
