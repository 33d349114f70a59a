"""Tables with a header, separated by commas, semicolons or tabs: row by row, with the bytes where each stands.

Quoting is that of RFC 4180. A quoted field that never ends does not take the rest of the file with it: the row is
left out, and reading goes on with the next line that is whole.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import BinaryIO, Final

from kgmem.sources.readwise.shape import Slip

DELIMITERS: Final = (",", ";", "\t")
_AGAIN: Final = "export it again; what was known is kept"
_BOM: Final = b"\xef\xbb\xbf"
_DOUBTS: Final = 200
"""Lines after a broken row that are tried as the beginning of another, at most."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its place: bytes [start, end), and the line of its beginning, counted from 1."""

    cells: Sequence[str]
    start: int
    end: int
    line: int


def header_of(head: str) -> tuple[tuple[str, ...], str] | None:
    """(the names of the columns in lower case, the delimiter) of a text's first line; None if it is no table."""
    lines = head.lstrip("\ufeff").split("\n", 1)
    if not lines[0].strip() or (len(lines) == 1 and len(head) > 10_000):  # noqa: PLR2004 - no header is so long
        return None
    best: tuple[tuple[str, ...], str] | None = None
    for delimiter in DELIMITERS:
        cells = next(csv.reader([lines[0].rstrip("\r")], delimiter=delimiter), [])
        names = tuple(" ".join(cell.split()).casefold() for cell in cells)
        if len(names) > 1 and (best is None or len(names) > len(best[0])):
            best = names, delimiter
    return best


def rows_of(data: bytes, delimiter: str) -> Iterator[Sequence[str]]:
    """The rows of a stretch that is known to be whole."""
    yield from filter(None, csv.reader(StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter))


class Table:
    """The rows of a file behind its header."""

    def __init__(self, file: BinaryIO, delimiter: str, width: int) -> None:
        """Args: `width` is how many columns the header names."""
        self._file = file
        self._delimiter = delimiter
        self._width = width
        self._line = 0
        self._at = 0
        self._ended = False
        self._short_of_end = False
        """The last line that was read has no end: it is the last of the file."""

    def rows(self) -> Iterator[Row | Slip]:
        """Every row that is whole, and what is wrong between them.

        Raises:
            UnicodeDecodeError: it is not UTF-8.
        """
        self._at = len(_BOM) if self._file.read(len(_BOM)) == _BOM else 0
        self._file.seek(self._at)
        reader = self._reader()
        next(reader, None)
        doubts = 0
        while doubts <= _DOUBTS:
            start, line = self._at, self._line + 1
            cells = self._cells(reader, start)
            if cells is None:
                if not doubts:
                    yield _cut(line, ended=self._ended)
                doubts += 1
                self._go_behind(start, line)
                reader = self._reader()
            elif self._at == start:
                return
            elif doubts and len(cells) != self._width:
                doubts += 1
            elif self._short_of_end and len(cells) < self._width:
                yield Slip(line, "export-cut", "the file breaks off inside a row", _AGAIN, broken=True)
            elif cells:
                doubts = 0
                yield Row(cells, start, self._at, line)

    def _reader(self) -> Iterator[list[str]]:
        return csv.reader(self._lines(), delimiter=self._delimiter)

    def _lines(self) -> Iterator[str]:
        while data := self._file.readline():
            self._at += len(data)
            self._line += 1
            self._short_of_end = not data.endswith(b"\n")
            yield data.decode("utf-8")
        self._ended = True

    def _cells(self, reader: Iterator[list[str]], start: int) -> list[str] | None:
        """The next row, none at the end; None for one that is broken."""
        try:
            cells = next(reader, [])
        except csv.Error:
            return None
        return None if self._ended and self._is_open(start) else cells

    def _is_open(self, start: int) -> bool:
        """Whether the row that the file ends with is open at its end."""
        self._file.seek(start)
        text = self._file.read(self._at - start).decode("utf-8")
        return self._parsed(text) == self._parsed(f'{text}"')  # a quote more closes the field, and changes nothing

    def _parsed(self, text: str) -> list[list[str]]:
        return list(csv.reader(StringIO(text, newline=""), delimiter=self._delimiter))

    def _go_behind(self, start: int, line: int) -> None:
        """Go on with the line after the one that begins there."""
        self._file.seek(start)
        self._at = start + len(self._file.readline())
        self._line, self._ended = line, False


def _cut(line: int, *, ended: bool) -> Slip:
    what = "the file breaks off inside a quoted field" if ended else "a quoted field does not end"
    return Slip(line, "export-cut", what, _AGAIN, broken=True)
