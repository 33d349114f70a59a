"""The answers of Readwise's export, as its API gives them: a page, its list of books, or one book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kgmem.sources.readwise.book import Book, Highlight, category, line, moment, people, place, prose, sorted_tags

_ACTIONS: Final = re.compile(r"\s*\.[^\W_][\w-]*(?:\s+\.[^\W_][\w-]*)*\s*")


def books_of(page: Mapping[str, Any]) -> Iterator[Book]:
    """The books of a page of ``/api/v2/export/``, deleted ones too: see `Book.deleted`."""
    results = page.get("results")
    for each in results if isinstance(results, Sequence) else ():
        if isinstance(each, Mapping) and is_book(each):
            yield book_of(each)


def is_book(found: Mapping[str, Any]) -> bool:
    """Whether an object has the form of a book of that export."""
    return isinstance(found.get("highlights"), list) and ("title" in found or "user_book_id" in found)


def book_of(found: Mapping[str, Any]) -> Book:
    """One book. A date that is none is left out."""
    title = line(found.get("title"))
    readable = line(found.get("readable_title"))
    authors, contributors = people(line(found.get("author")))
    tags, _ = sorted_tags(_names(found.get("book_tags")))
    number = line(found.get("user_book_id"))
    return Book(
        title=title or readable or untitled(number),
        authors=authors,
        contributors=contributors,
        aliases=(readable,) if title and readable and readable != title else (),
        category=category(found.get("category")),
        via=line(found.get("source")),
        url=_outside(line(found.get("source_url"))) or _outside(line(found.get("unique_url"))),
        published=line(found.get("published_date")),
        summary=prose(found.get("summary")),
        note=prose(found.get("document_note")),
        tags=tags,
        id=number,
        deleted=found.get("is_deleted") is True,
        highlights=tuple(_highlight(each) for each in found["highlights"] if isinstance(each, Mapping)),
    )


def _highlight(found: Mapping[str, Any]) -> Highlight:
    tags, discarded = sorted_tags(_names(found.get("tags")))
    return Highlight(
        text=prose(found.get("text")),
        note=own_words(prose(found.get("note"))),
        location=place(found.get("location"), found.get("location_type")),
        at=_date(found.get("highlighted_at")),
        color=line(found.get("color")),
        tags=tags,
        url=_outside(line(found.get("url"))) or line(found.get("readwise_url")),
        id=line(found.get("id")),
        discarded=discarded or found.get("is_discard") is True or found.get("is_deleted") is True,
    )


def own_words(note: str) -> str:
    """A note without the actions that Readwise reads in it: ``.h1``, ``.c2``, ``.tag`` alone are no words."""
    lines = [
        row
        for row in note.split("\n")
        if not row.strip() or not all(w.startswith(".") and w != "..." for w in row.split())
    ]
    return "\n".join(lines).strip("\n")


def untitled(number: str) -> str:
    """What a book without a title is called."""
    return f"Untitled {number}".rstrip()


def _names(tags: object) -> Iterator[str]:
    for each in tags if isinstance(tags, list) else ():
        yield line(each.get("name") if isinstance(each, Mapping) else each)


def _date(text: object) -> str:
    try:
        return moment(text)
    except ValueError:
        return ""


def _outside(url: str) -> str:
    return url if url.startswith(("http://", "https://")) else ""
