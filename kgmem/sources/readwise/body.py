"""The one readable form of a book with its highlights, whatever export it came from.

    # Title

    - Author: A
    - Author: B
    - Category: books

    ## Highlights

    > What the author wrote,
    > on its lines.
    - Location: page 12
    - Highlighted: 2020-11-26T03:28:15Z
    - Tags: a, b

    What the person says of it.

A line of the person's own that could be taken for a line of ours carries a backslash. The form holds all that is
read from it: a replay has nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kgmem.sources.readwise.book import Book, Highlight, kept

ABOUT: Final = "## About"
NOTE: Final = "## Note"
HIGHLIGHTS: Final = "## Highlights"
QUOTED: Final = "> "

_OURS: Final = re.compile(r"[>#\\-]")
_NUMBER: Final = re.compile(r"\d+")


def body_of(book: Book) -> str:
    """The text of a book; two exports of the same give the same, but for what only one of them knows."""
    return "\n".join(_lines(book)) + "\n"


def _lines(book: Book) -> Iterator[str]:
    yield f"# {book.title}"
    yield ""
    yield from _details(book)
    if book.summary:
        yield from ("", ABOUT, "", *_quoted(book.summary))
    if book.note:
        yield from ("", NOTE, "", *_own(book.note))
    highlights = sorted(kept(book.highlights), key=_order)
    if highlights:
        yield from ("", HIGHLIGHTS)
    for each in highlights:
        yield from _highlight(each)


def _details(book: Book) -> Iterator[str]:
    yield from (f"- Alias: {each}" for each in book.aliases if each != book.title)
    yield from (f"- Author: {each}" for each in book.authors)
    yield from (f"- Contributor: {each}" for each in book.contributors)
    named = (
        ("Category", book.category), ("URL", book.url), ("Published", book.published), ("Saved", book.saved[:10]),
        ("Read with", book.via), ("Tags", ", ".join(book.tags)), ("ID", book.id),
    )  # fmt: skip
    yield from _named(named)


def _highlight(each: Highlight) -> Iterator[str]:
    yield ""
    yield from _quoted(each.text)
    named = (
        ("Location", each.location), ("Highlighted", each.at), ("Color", each.color), ("Tags", ", ".join(each.tags)),
        ("URL", each.url), ("ID", each.id),
    )  # fmt: skip
    yield from _named(named)
    if each.note:
        yield ""
        yield from _own(each.note)


def _named(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (f"- {key}: {value}" for key, value in pairs if value)


def _quoted(text: str) -> Iterator[str]:
    yield from (f"{QUOTED}{line}".rstrip() for line in text.split("\n"))


def _own(text: str) -> Iterator[str]:
    yield from (f"\\{line}" if _OURS.match(line) else line for line in text.split("\n"))


def _order(each: Highlight) -> tuple[bool, int, str]:
    """By the place in the book, else by date."""
    numbers = _NUMBER.findall(each.location)
    if ":" in each.location:
        at = sum(int(number) * 60**power for power, number in enumerate(reversed(numbers)))
    else:
        at = int(numbers[0]) if numbers else 0
    return not numbers, at, each.at
