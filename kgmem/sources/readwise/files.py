"""A file of highlights: recognised by what is in it, indexed once, and read book by book."""

from __future__ import annotations

import codecs
import re
import shutil
import weakref
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Final, cast

from kgmem.sources.chats.conversation import Conversation
from kgmem.sources.chats.exports import ChatExport, is_export
from kgmem.sources.chats.lines import ChatLines, is_lines
from kgmem.sources.naming import folded, name_of
from kgmem.sources.parts import body_of
from kgmem.sources.readwise.book import Book
from kgmem.sources.readwise.csv_export import CsvExport
from kgmem.sources.readwise.kindle import MARK, Clippings
from kgmem.sources.readwise.objects import JsonExport
from kgmem.sources.readwise.reader import ReaderCsv, ReaderList
from kgmem.sources.readwise.shape import Part, Shape, Slip
from kgmem.sources.readwise.table import header_of

_HEAD: Final = 1 << 16
_BOOK_KEYS: Final = re.compile(r'"highlights"\s*:\s*\[')
_BOOK_TOO: Final = re.compile(r'"(?:user_book_id|readable_title|book_tags|author)"\s*:')
_LIST_KEYS: Final = re.compile(r'"parent_id"\s*:')
_LIST_TOO: Final = re.compile(r'"(?:saved_at|reading_progress|site_name|word_count)"\s*:')
_PAGE_KEYS: Final = re.compile(r'"nextPageCursor"\s*:')
_PAGE_OF_WEB: Final = re.compile(r"\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_WIDE: Final = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class NoExportError(ValueError):
    """A file that may be meant as an export and is none; its text says what it is."""


@dataclass(slots=True)
class Entry:
    """A book of a file: its name below the file, and where it stands."""

    title: str
    author: str
    places: array[int] = field(default_factory=lambda: array("Q"))
    """First byte, past byte, and so on."""
    name: str = ""
    doubtful: bool = False
    """It stands beside a break: more of it may be missing."""


class ExportFile:
    """One file, with the books in it. What it holds is what it held when it was indexed."""

    def __init__(self, file: Path, shape: Shape, encoding: str) -> None:
        self._file = file
        self._shape = shape
        self._stamp = _stamp(file)
        self._copy = None if encoding == "utf-8" else self._copied(encoding)
        self.slips: list[Slip] = []
        self.entries: dict[str, Entry] = {}
        """By name."""
        self._index()

    @property
    def broken(self) -> bool:
        """Whether books may be missing that were there."""
        return any(each.broken for each in self.slips)

    def books(self) -> Iterator[tuple[str, Book | Conversation]]:
        """Every book, by its name.

        Raises:
            OSError: the file changed, or cannot be read.
        """
        with self._opened() as data:
            for name, entry in self.entries.items():
                yield name, self._book(data, entry)

    def body(self, name: str) -> str:
        """The body of one book.

        Raises:
            OSError: the file changed, or cannot be read, or has no such book.
        """
        entry = self.entries.get(name)
        if entry is None:
            raise FileNotFoundError(2, "no such book in the file", f"{self._file}#{name}")
        with self._opened() as data:
            return body_of(self._book(data, entry))

    def _book(self, data: BinaryIO, entry: Entry) -> Book | Conversation:
        some = []
        for start, past in zip(entry.places[::2], entry.places[1::2], strict=True):
            data.seek(start)
            some.append(data.read(past - start))
        return self._shape.book(some)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if _stamp(self._file) != self._stamp:
            raise OSError(11, "it changed while it was read", str(self._file))
        if self._copy is not None:
            yield self._copy
            return
        with self._file.open("rb") as data:
            yield data

    def _copied(self, encoding: str) -> BinaryIO:
        """The file in UTF-8, for as long as this lives."""
        copy = cast("BinaryIO", TemporaryFile("w+b"))  # noqa: SIM115 - closed with this
        weakref.finalize(self, copy.close)
        with self._file.open(encoding=encoding, newline="") as wide:
            shutil.copyfileobj(wide, codecs.getwriter("utf-8")(copy))
        return copy

    def _index(self) -> None:
        by_key: dict[str, Entry] = {}
        notes: list[Part] = []
        last: Entry | None = None
        doubtful = False
        inside: dict[str, str] = {}
        with self._opened() as data:
            data.seek(0)
            for each in self._shape.parts(data):
                if isinstance(each, Slip):
                    self.slips.append(each)
                    cut = each.broken and each.near
                    doubtful = doubtful or cut
                    if last is not None and cut:
                        last.doubtful = True
                    continue
                if each.name:
                    inside[each.name] = each.key
                if each.within:
                    notes.append(each)
                    continue
                last = _take(by_key, each)
                last.doubtful, doubtful = last.doubtful or doubtful, False
        for each in notes:
            _take(by_key, each._replace(key=inside.get(each.within, each.within)))
        found = {key: entry for key, entry in by_key.items() if entry.title}
        if len(found) < len(by_key):
            lost = sum(len(entry.places) // 2 for entry in by_key.values() if not entry.title)
            hint = "export the documents with them"
            self.slips.append(Slip(1, "export-part", f"{lost} highlights of documents that are not in the file", hint))
        _name_all(found)
        self.entries = {entry.name: entry for entry in found.values()}


def _take(entries: dict[str, Entry], part: Part) -> Entry:
    entry = entries.get(part.key)
    if entry is None:
        entry = entries[part.key] = Entry(part.title, part.author)
    entry.title = entry.title or part.title
    entry.author = entry.author or part.author
    entry.places.extend((part.start, part.end))
    return entry


def _name_all(entries: dict[str, Entry]) -> None:
    """Give each its title as its name; where several share one, all of them that of their author too."""
    sharing: dict[str, list[Entry]] = {}
    for entry in entries.values():
        entry.name = name_of(entry.title)
        sharing.setdefault(folded(entry.name), []).append(entry)
    taken = {some[0].name for some in sharing.values() if len(some) == 1}
    for some in (some for some in sharing.values() if len(some) > 1):
        for entry in some:
            wanted = f"{entry.name} ({name_of(entry.author)})" if entry.author else entry.name
            number = 2
            entry.name = wanted
            while entry.name in taken:
                entry.name, number = f"{wanted} {number}", number + 1
            taken.add(entry.name)


def recognised(file: Path) -> ExportFile | None:
    """A file as an export, whatever its name; None if it is no such thing.

    Raises:
        OSError: it cannot be read.
        NoExportError: it has the name of one, and is a page of the web.
        UnicodeDecodeError: it is not in UTF-8 or UTF-16.
    """
    with file.open("rb") as data:
        head = data.read(_HEAD)
    encoding = next((name for mark, name in _WIDE if head.startswith(mark)), _without_mark(head))
    text = head.decode(encoding, "replace").lstrip("\ufeff")
    shape = _shape(file, text)
    return ExportFile(file, shape, encoding) if shape else None


def _without_mark(head: bytes) -> str:
    """UTF-16 shows by its zeros; what shows nothing is UTF-8."""
    some = head[:64]
    if len(some) > 3 and not any(some[1::2]):  # noqa: PLR2004 - two signs
        return "utf-16-le"
    return "utf-16-be" if len(some) > 3 and not any(some[::2]) else "utf-8"  # noqa: PLR2004 - two signs


def _shape(file: Path, text: str) -> Shape | None:
    start = text.lstrip()
    if start.startswith(("{", "[")):
        if is_lines(start) or is_export(text):
            return ChatLines() if is_lines(start) else ChatExport()
        if _LIST_KEYS.search(text) and _LIST_TOO.search(text):
            return ReaderList()
        is_book = _BOOK_KEYS.search(text) and _BOOK_TOO.search(text)
        return JsonExport() if is_book or _PAGE_KEYS.search(text) else None
    if _PAGE_OF_WEB.match(text) and file.suffix.lower() in {".json", ".jsonl", ".ndjson", ".csv", ".tsv"}:
        raise NoExportError("this is a page of the web")
    rows = start.split("\n", 2)
    if len(rows) > 1 and rows[1].lstrip("\ufeff ").startswith("-") and MARK in text:
        return Clippings()
    header = header_of(text)
    if header is None:
        return None
    shapes = (CsvExport, ReaderCsv)
    return next((shape(*header) for shape in shapes if shape.fits(header[0])), None)


def _stamp(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns
