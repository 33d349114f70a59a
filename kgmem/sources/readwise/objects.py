"""What the two JSON exports share: where each object stands, and a file that breaks off."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from kgmem.sources.readwise.book import Book, joined, line, people
from kgmem.sources.readwise.export import book_of, is_book, untitled
from kgmem.sources.readwise.shape import Part, Slip
from kgmem.sources.readwise.stream import BrokenError, objects


class JsonExport:
    """A page of the export, its list of books, or JSON Lines of them."""

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`."""
        yield from parts_of(file, _part)

    def book(self, data: list[bytes]) -> Book:
        """See `kgmem.sources.readwise.shape.Shape`."""
        return joined([book_of(json.loads(each, strict=False)) for each in data])


def parts_of(file: BinaryIO, name: Callable[[Mapping[str, Any]], Part | None]) -> Iterator[Part | Slip]:
    """The objects of a file that `name` knows, with their places; those before the break of one that is not whole."""
    try:
        for found, start, end in objects(file):
            named = name(found)
            if named is not None:
                yield named._replace(start=start, end=end)
    except BrokenError as error:
        at = _line(file, error.at)
        what = "the file breaks off" if error.ended else "this is no JSON"
        yield Slip(at, "export-cut", f"{what}; what stands before was read", "export it again", broken=True)


def _line(file: BinaryIO, at: int) -> int:
    """The line that a byte stands in, counted from 1."""
    file.seek(0)
    number = 1
    while at > 0 and (data := file.read(min(at, 1 << 20))):
        number += data.count(b"\n")
        at -= len(data)
    return number


def _part(found: Mapping[str, Any]) -> Part | None:
    if not is_book(found):
        return None
    number = line(found.get("user_book_id"))
    title = line(found.get("title")) or line(found.get("readable_title")) or untitled(number)
    authors, _ = people(line(found.get("author")))
    return Part(f"{title}\x1f{authors[:1]}", title, ", ".join(authors), 0, 0)
