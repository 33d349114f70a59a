"""A Kindle's ``My Clippings.txt``: records of five lines and more, whose second line is in the device's language.

A clipping that was resized stays there in every size: the last one counts. A note is a clipping of its own, at the
place where the highlight ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import BinaryIO, Final

from kgmem.sources.naming import folded
from kgmem.sources.readwise.book import Book, Highlight, line, people, prose
from kgmem.sources.readwise.shape import Part, Slip

MARK: Final = "=========="

_AUTHOR: Final = re.compile(r"\s*\((?P<author>(?:[^()]|\([^()]*\))*)\)\s*$")
_RANGE: Final = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
_PAGE: Final = re.compile(
    r"\b(?:page|seite|p[áa]gina|pagina|strona|stron\w*|side|sid\w*|стр\w*)\b|[页頁]|ページ", re.IGNORECASE
)
_NOTE: Final = re.compile(
    r"\b(?:note|notiz|nota|notitie|opmerking|anotaci[óo]n|anota[çc][ãa]o|notatka|заметк\w*|anteckning|notat)\b"
    r"|メモ|笔记|注釋|备注|ノート",
    re.IGNORECASE,
)
_BOOKMARK: Final = re.compile(
    r"\b(?:bookmark|lesezeichen|signet|marcador|segnalibro|bladwijzer|zakładka|закладк\w*)\b|书签|書籤|ブックマーク",
    re.IGNORECASE,
)
_CLOCK: Final = re.compile(r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_EAST: Final = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日")
_AFTERNOON: Final = re.compile(r"\bp\.?\s?m\b|下午|午後", re.IGNORECASE)
_MORNING: Final = re.compile(r"\ba\.?\s?m\b|上午|午前", re.IGNORECASE)
_MONTHS: Final = (
    ("jan", "ene", "gen", "styc", "янв"),
    ("feb", "fév", "fev", "lut", "фев"),
    ("mar", "mär", "maa", "мар"),
    ("apr", "avr", "abr", "kwie", "апр"),
    ("may", "mai", "mei", "mag", "maj", "мая", "май"),
    ("jun", "juin", "giu", "czer", "июн"),
    ("jul", "juil", "lug", "lip", "июл"),
    ("aug", "août", "aout", "ago", "sierp", "авг"),
    ("sep", "set", "wrze", "сен"),
    ("oct", "okt", "ott", "out", "paź", "окт"),
    ("nov", "list", "ноя"),
    ("dec", "dez", "déc", "dic", "gru", "дек"),
)
"""How the months begin in the languages of the device; the longest beginning that fits decides."""
_NOON: Final = 12


@dataclass(frozen=True, slots=True)
class _Clipping:
    """One record."""

    title: str
    author: str
    kind: str
    """highlight, note, bookmark."""
    first: int
    last: int
    highlight: Highlight


class Clippings:
    """One file of that form."""

    def parts(self, file: BinaryIO) -> Iterator[Part | Slip]:
        """See `kgmem.sources.readwise.shape.Shape`."""
        start = at = number = first = 0
        lines: list[bytes] = []
        for data in file:
            at += len(data)
            number += 1
            if data.strip() != MARK.encode():
                lines.append(data)
                continue
            found = _clipping(b"".join(lines))
            if found is not None and found.kind != "bookmark":
                yield Part(f"{found.title}\x1f{found.author}", found.title, found.author, start, at)
            lines, start, first = [], at, number
        if b"".join(lines).strip(b"\r\n\t \xef\xbb\xbf"):
            hint = "copy it from the device again; what was known is kept"
            yield Slip(first + 1, "export-cut", "the file breaks off in a clipping", hint, broken=True)

    def book(self, data: list[bytes]) -> Book:
        """See `kgmem.sources.readwise.shape.Shape`."""
        found = [each for some in data if (each := _clipping(some)) is not None]
        authors, contributors = _people(found[0].author)
        return Book(
            title=found[0].title,
            authors=authors,
            contributors=contributors,
            category="books",
            via="kindle",
            highlights=tuple(_settled(found)),
        )


def _clipping(data: bytes) -> _Clipping | None:
    """A record without the line that closes it; None if it is none."""
    text = data.decode("utf-8").replace("\ufeff", "").replace("\r\n", "\n").strip("\n")
    text = text.removesuffix(MARK).rstrip("\n")
    head, _, rest = text.partition("\n")
    told, _, words = rest.partition("\n")
    if not head.strip() or not told.lstrip().startswith("-"):
        return None
    author = _AUTHOR.search(head)
    title = line(head[: author.start()] if author else head) or line(head)
    *places, when = told.split("|") if "|" in told else (told, "")
    kind = "note" if _NOTE.search(places[0]) else "bookmark" if _BOOKMARK.search(places[0]) else "highlight"
    said = prose(words)
    if not said.strip():
        kind = "bookmark"
    shown, first, last = _place(places)
    made = Highlight("" if kind == "note" else said, said if kind == "note" else "", shown, _date(when))
    return _Clipping(title, author["author"].strip() if author else "", kind, first, last, made)


def _place(places: Sequence[str]) -> tuple[str, int, int]:
    """(how the place is shown, where it begins, where it ends); a location is finer than a page."""
    found = [(each, match) for each in places if (match := _RANGE.search(each))]
    if not found:
        return "", 0, 0
    said, match = found[-1]
    is_page = len(found) == 1 and _PAGE.search(said) is not None
    first = int(match[1])
    last = int(match[2] or first)
    if last < first:  # 1234-36
        last = int(match[1][: -len(match[2])] + match[2])
    return f"{'page' if is_page else 'location'} {first}", first, last


def _date(when: str) -> str:
    """ISO text of a date in any of the device's languages; empty if it is none."""
    clock = _CLOCK.search(when)
    try:
        if east := _EAST.search(when):
            year, month, day = (int(part) for part in east.groups())
        else:
            before = when[: clock.start()] if clock else when
            years = _YEAR.search(before)
            if years is None:
                return ""
            year = int(years[0])
            month = _month(before)
            day = next((int(each) for each in re.findall(r"(?<!\d)\d{1,2}(?!\d)", before)), 0)
        hour, minute, second = (int(part or 0) for part in clock.groups()) if clock else (0, 0, 0)
        if _AFTERNOON.search(when) and hour < _NOON:
            hour += _NOON
        elif _MORNING.search(when) and hour == _NOON:
            hour = 0
        found = datetime(year, month, day, hour, minute, second)  # noqa: DTZ001 - the device says no zone
    except ValueError:
        return ""
    return found.isoformat() if clock else found.date().isoformat()


def _month(text: str) -> int:
    """1 to 12 by the words of a date; 0 if none names a month."""
    best = (0, 0)
    for word in re.findall(r"[^\W\d_]+", text.casefold()):
        for number, begins in enumerate(_MONTHS, 1):
            best = max(best, *((len(each), number) for each in begins if word.startswith(each)), (0, 0))
    return best[1]


def _people(names: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A device writes ``Last, First``, and parts several by semicolons."""
    turned = []
    for name in names.split(";"):
        last, comma, first = name.partition(",")
        is_turned = comma and first.strip() and "," not in first and "(" not in last
        turned.append(f"{first.strip()} {last.strip()}" if is_turned else name.strip())
    return people("; ".join(turned))


def _settled(found: Sequence[_Clipping]) -> Iterator[Highlight]:
    """One highlight for all sizes of it, with the notes that were made on it."""
    kept: list[_Clipping] = []
    for each in (each for each in found if each.kind == "highlight"):
        kept = [other for other in kept if not _is_resized(other, each)]
        kept.append(each)
    notes: dict[tuple[int, int], _Clipping] = {}
    for each in (each for each in found if each.kind == "note"):
        notes[each.first, each.last] = each
    said: dict[int, list[str]] = {}
    for note in notes.values():
        on = [at for at, each in enumerate(kept) if each.first <= note.first <= each.last]
        if on:
            at = min(on, key=lambda at: (abs(kept[at].last - note.first), -at))
            said.setdefault(at, []).append(note.highlight.note)
        else:
            yield note.highlight
    for at, each in enumerate(kept):
        yield replace(each.highlight, note="\n\n".join(said.get(at, ())))


def _is_resized(one: _Clipping, other: _Clipping) -> bool:
    """Whether the other is a later size of the one: they overlap, and one's words stand in the other's."""
    if one.first > other.last or other.first > one.last:
        return False
    mine, theirs = folded(one.highlight.text), folded(other.highlight.text)
    return mine in theirs or theirs in mine
