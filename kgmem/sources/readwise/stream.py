"""The objects of a JSON file one by one, with the bytes where each stands; the file is never held as a whole.

A page with a list under ``results``, a list, and JSON Lines are read alike. A file that breaks off gives what
stands whole before the break.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

Object = dict[str, Any]

_PIECE: Final = 1 << 16
_TAIL: Final = 16
"""What is wrong so close to the end of the window may only not be whole yet."""
_SPACE: Final = " \t\r\n\ufeff"
_LIST: Final = "results"
_decode: Final = json.JSONDecoder(strict=False).raw_decode


class BrokenError(ValueError):
    """What follows is no JSON; says where (a byte), and whether the file just ends."""

    def __init__(self, at: int, *, ended: bool) -> None:
        super().__init__("the file breaks off" if ended else "no JSON")
        self.at = at
        self.ended = ended


def objects(file: BinaryIO) -> Iterator[tuple[Object, int, int]]:
    """Each object of the list of a page, or of the file, with its first byte and the one past it.

    Raises:
        BrokenError: after all that is whole.
        UnicodeDecodeError: it is not UTF-8.
    """
    text = _Text(file)
    while sign := text.sign():
        if sign == "[":
            text.skip(1)
            yield from _members(text)
        elif sign == "{":
            yield from _page(text)
        elif sign == ",":
            text.skip(1)
        else:
            raise text.broken(ended=False)


def _members(text: _Text) -> Iterator[tuple[Object, int, int]]:
    while sign := text.sign():
        if sign in "],":
            text.skip(1)
            if sign == "]":
                return
            continue
        start = text.at
        value = text.value()
        if isinstance(value, dict):
            yield value, start, text.at
    raise text.broken(ended=True)


def _page(text: _Text) -> Iterator[tuple[Object, int, int]]:
    """The members under ``results`` of an object; without such a list, the object itself."""
    start = text.at
    text.skip(1)
    found: Object = {}
    paged = False
    while sign := text.sign():
        if sign == "}":
            text.skip(1)
            if not paged:
                yield found, start, text.at
            return
        if sign == ",":
            text.skip(1)
            continue
        key = text.value()
        if not isinstance(key, str) or text.sign() != ":":
            raise text.broken(ended=False)
        text.skip(1)
        if key == _LIST and text.sign() == "[":
            paged = True
            text.skip(1)
            yield from _members(text)
        else:
            found[key] = text.value()
    raise text.broken(ended=True)


class _Text:
    """A window on a file that moves forward over it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._window = ""
        self._place = 0
        self._left = b""
        """Bytes of a sign that is not whole yet."""
        self._ended = False
        self.at = file.tell()
        """The byte that the next sign begins with."""

    def sign(self) -> str:
        """The next sign that is no white space; empty at the end."""
        while True:
            while self._place < len(self._window):
                sign = self._window[self._place]
                if sign not in _SPACE:
                    return sign
                self.skip(1)
            if not self._more(_PIECE):
                return ""

    def skip(self, signs: int) -> None:
        """Go on behind some signs of the window."""
        passed = self._window[self._place : self._place + signs]
        self.at += signs if passed.isascii() else len(passed.encode("utf-8", "surrogatepass"))
        self._place += signs

    def value(self) -> Any:
        """The next value as a whole.

        Raises:
            BrokenError: it is none, or does not end.
        """
        self.sign()
        wanted = _PIECE
        while True:
            try:
                value, end = _decode(self._window, self._place)
            except json.JSONDecodeError as error:
                if not error.msg.startswith("Unterminated string") and error.pos < len(self._window) - _TAIL:
                    raise self.broken(ended=False) from None
            except RecursionError:
                raise self.broken(ended=False) from None
            else:
                if end < len(self._window) or not self._more(_PIECE):
                    self.skip(end - self._place)
                    return value
                continue  # a number may go on
            if not self._more(wanted):
                raise self.broken(ended=True)
            wanted *= 2

    def broken(self, *, ended: bool) -> BrokenError:
        """What to raise here."""
        return BrokenError(self.at, ended=ended)

    def _more(self, size: int) -> bool:
        data = self._left + (self._file.read(size) if not self._ended else b"")
        self._ended = len(data) - len(self._left) < size
        if not data:
            return False
        text, self._left = _whole(data, last=self._ended)
        self._window = self._window[self._place :] + text
        self._place = 0
        return bool(text) or self._more(size)


def _whole(data: bytes, *, last: bool) -> tuple[str, bytes]:
    """(the signs that are whole, the bytes of the one that is not)."""
    try:
        return data.decode("utf-8"), b""
    except UnicodeDecodeError as error:
        if last and error.reason == "unexpected end of data":
            return data[: error.start].decode("utf-8"), b""
        if error.reason != "unexpected end of data":
            raise
        return data[: error.start].decode("utf-8"), data[error.start :]
