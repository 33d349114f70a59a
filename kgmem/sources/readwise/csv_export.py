"""Readwise's CSV export: a row a highlight, in three vintages that differ in how many columns there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO, Final

from kgmem.sources.readwise.book import Book, Highlight, joined, line, moment, people, place, prose, sorted_tags
from kgmem.sources.readwise.export import own_words, untitled
from kgmem.sources.readwise.shape import Part, Slip
from kgmem.sources.readwise.table import Table, rows_of

Get = Callable[[str], str]

_NEEDED: Final = frozenset({"highlight", "book title"})
_DESCRIBING: Final = ("book author", "amazon book id", "location type", "document tags", "book title")
"""Columns that say something of the book."""
_CATEGORY: Final = {"page": "books", "location": "books", "time_offset": "podcasts"}
"""What is counted in such places."""


class CsvExport:
    """One file of that form."""

    def __init__(self, columns: Sequence[str], delimiter: str) -> None:
        """Args as `kgmem.sources.readwise.table.header_of` gives them."""
        self._columns = {name: at for at, name in reversed(list(enumerate(columns)))}
        self._width = len(columns)
        self._delimiter = delimiter

    @staticmethod
    def fits(columns: Sequence[str]) -> bool:
        """Whether a header is one of Readwise's."""
        return set(columns) >= _NEEDED

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`: rows of one book that follow each other are one part."""
        wrong: list[int] = []
        before: Part | None = None
        for row in Table(file, self._delimiter, self._width).rows():
            if isinstance(row, Slip):
                if before:
                    yield before
                before = None
                yield row
                continue
            get = self._getter(row.cells)
            if not get("highlight").strip() and not get("note").strip() and not get("book title").strip():
                continue
            if _date(get)[1]:
                wrong.append(row.line)
            title, author = _title(get), line(get("book author"))
            if before and before.end == row.start and (before.title, before.author) == (title, author):
                before = before._replace(end=row.end)
                continue
            if before:
                yield before
            before = Part(f"{title}\x1f{author}", title, author, row.start, row.end)
        if before:
            yield before
        if wrong:
            many = "1 date" if len(wrong) == 1 else f"{len(wrong)} dates"
            yield Slip(wrong[0], "date", f"{many} of highlights cannot be read", "they count as undated")

    def book(self, data: list[bytes]) -> Book:
        """See `kgmem.sources.readwise.shape.Shape`."""
        rows = [self._getter(row) for some in data for row in rows_of(some, self._delimiter)]
        described = {tuple(get(name) for name in _DESCRIBING): get for get in reversed(rows)}
        whole = joined([_book(get) for get in reversed(described.values())])
        return replace(whole, highlights=tuple(map(_highlight, rows)))

    def _getter(self, cells: Sequence[str]) -> Get:
        columns: Mapping[str, int] = self._columns

        def get(name: str) -> str:
            at = columns.get(name, -1)
            return cells[at] if 0 <= at < len(cells) else ""

        return get


def _title(get: Get) -> str:
    return line(get("book title")) or untitled(line(get("amazon book id")))


def _book(get: Get) -> Book:
    authors, contributors = people(get("book author"))
    asin = line(get("amazon book id"))
    title = _title(get)
    category = "books" if asin else _CATEGORY.get(line(get("location type")).casefold(), "")
    tags, _ = sorted_tags(get("document tags").split(","))
    return Book(
        title=title,
        authors=authors,
        contributors=contributors,
        category=category or ("tweets" if title.startswith("Tweets From ") else ""),
        tags=tags,
        id=asin,
    )


def _highlight(get: Get) -> Highlight:
    tags, discarded = sorted_tags(get("tags").split(","))
    return Highlight(
        text=prose(get("highlight")),
        note=own_words(prose(get("note"))),
        location=place(get("location"), get("location type")),
        at=_date(get)[0],
        color=line(get("color")),
        tags=tags,
        discarded=discarded,
    )


def _date(get: Get) -> tuple[str, bool]:
    """(when it was marked, whether what stands there is no date)."""
    try:
        return moment(get("highlighted at")), False
    except ValueError:
        return "", True
