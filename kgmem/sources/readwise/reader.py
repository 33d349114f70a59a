"""Readwise Reader: its CSV of saved documents, and its API's list, where a highlight is a document with a parent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, BinaryIO, Final

from kgmem.sources.readwise.book import Book, Highlight, category, joined, line, moment, people, prose, sorted_tags
from kgmem.sources.readwise.export import own_words, untitled
from kgmem.sources.readwise.objects import parts_of
from kgmem.sources.readwise.shape import Part, Slip
from kgmem.sources.readwise.table import Table, rows_of

_NEEDED: Final = frozenset({"title", "url", "id"})
_ONE_OF: Final = frozenset({"saved date", "reading progress"})
_LISTED: Final = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_MILLISECONDS: Final = 1000


class ReaderCsv:
    """The CSV of saved documents: a row a document, no highlights."""

    def __init__(self, columns: Sequence[str], delimiter: str) -> None:
        """Args as `kgmem.sources.readwise.table.header_of` gives them."""
        self._columns = tuple(columns)
        self._delimiter = delimiter

    @staticmethod
    def fits(columns: Sequence[str]) -> bool:
        """Whether a header is one of Reader's."""
        return set(columns) >= _NEEDED and not _ONE_OF.isdisjoint(columns)

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`."""
        for row in Table(file, self._delimiter, len(self._columns)).rows():
            if isinstance(row, Slip):
                yield row
            elif book := self._book(row.cells):
                yield Part(book.id or book.url or book.title, book.title, "", row.start, row.end)

    def book(self, data: list[bytes]) -> Book:
        """See `kgmem.sources.readwise.shape.Shape`."""
        found = [self._book(row) for some in data for row in rows_of(some, self._delimiter)]
        return next(each for each in found if each)

    def _book(self, cells: Sequence[str]) -> Book | None:
        row = dict(zip(self._columns, cells, strict=False))
        if not any(row.get(name, "").strip() for name in _NEEDED):
            return None
        tags, _ = sorted_tags(one or other for one, other in _LISTED.findall(row.get("document tags", "")))
        return Book(
            title=line(row.get("title")) or untitled(line(row.get("id"))),
            via="reader",
            url=line(row.get("url")),
            saved=_date(row.get("saved date")),
            tags=tags,
            id=line(row.get("id")),
        )


class ReaderList:
    """The API's list: documents, highlights of them, and notes on those."""

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`."""
        yield from parts_of(file, _part)

    def book(self, data: list[bytes]) -> Book:
        """See `kgmem.sources.readwise.shape.Shape`."""
        found = [json.loads(each, strict=False) for each in data]
        ids = {line(each.get("id")) for each in found}
        highlights: dict[str, Highlight] = {}
        documents = [_document(each) for each in found if not _is_within(each)]
        for each in (each for each in found if _is_within(each) and not _is_note(each, ids)):
            highlights[line(each.get("id"))] = _highlight(each)
        for each in (each for each in found if _is_within(each)):
            on = line(each.get("parent_id"))
            if on in highlights and (said := own_words(prose(each.get("content")) or prose(each.get("notes")))):
                highlights[on] = replace(highlights[on], note="\n\n".join(filter(None, (highlights[on].note, said))))
        return replace(joined(documents), highlights=tuple(highlights.values()))


def is_listed(found: Mapping[str, Any]) -> bool:
    """Whether an object has the form of a document of that list."""
    return "parent_id" in found and "id" in found and "category" in found


def _part(found: Mapping[str, Any]) -> Part | None:
    """An object as a part without a place; None if it is none of the list."""
    if not is_listed(found):
        return None
    parent, name = line(found.get("parent_id")), line(found.get("id"))
    if not parent:
        return Part(name, line(found.get("title")) or untitled(name), line(found.get("author")), 0, 0)
    if line(found.get("category")).casefold() == "note":
        return Part(parent, "", "", 0, 0, within=parent)
    return Part(parent, "", "", 0, 0, name=name)


def _is_within(found: Mapping[str, Any]) -> bool:
    return bool(line(found.get("parent_id")))


def _is_note(found: Mapping[str, Any], ids: set[str]) -> bool:
    """Whether it is said of a highlight, and not marked in a document."""
    return line(found.get("category")).casefold() == "note" and line(found.get("parent_id")) in ids


def _document(found: Mapping[str, Any]) -> Book:
    authors, contributors = people(line(found.get("author")))
    tags, _ = sorted_tags(_tags(found.get("tags")))
    name = line(found.get("id"))
    return Book(
        title=line(found.get("title")) or untitled(name),
        authors=authors,
        contributors=contributors,
        category=category(found.get("category")),
        via="reader",
        url=line(found.get("source_url")) or line(found.get("url")),
        published=_published(found.get("published_date")),
        saved=_date(found.get("saved_at")),
        summary=prose(found.get("summary")),
        note=prose(found.get("notes")),
        tags=tags,
        id=name,
    )


def _highlight(found: Mapping[str, Any]) -> Highlight:
    tags, discarded = sorted_tags(_tags(found.get("tags")))
    return Highlight(
        text=prose(found.get("content")) or prose(found.get("title")),
        note=own_words(prose(found.get("notes"))),
        at=_date(found.get("created_at")) or _date(found.get("saved_at")),
        tags=tags,
        url=line(found.get("url")),
        id=line(found.get("id")),
        discarded=discarded,
    )


def _tags(found: object) -> Iterator[object]:
    """Tags come as a list of names, or as an object of them."""
    if isinstance(found, Mapping):
        yield from (each.get("name", key) if isinstance(each, Mapping) else key for key, each in found.items())
    elif isinstance(found, list):
        yield from (each.get("name") if isinstance(each, Mapping) else each for each in found)


def _published(found: object) -> str:
    """A day: given as text, or as milliseconds since 1970."""
    if isinstance(found, int | float) and not isinstance(found, bool):
        try:
            return datetime.fromtimestamp(found / _MILLISECONDS, UTC).date().isoformat()
        except (ValueError, OverflowError, OSError):
            return ""
    return _date(found)[:10]


def _date(found: object) -> str:
    try:
        return moment(found)
    except ValueError:
        return ""
