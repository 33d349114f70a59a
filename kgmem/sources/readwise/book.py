"""What every export of highlights comes to: a book (or article, tweet, podcast …) and what was marked in it.

Each shape of export is read by a module of its own; from here on they are alike.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import Any, Final

from kgmem.model import unique
from kgmem.sources.naming import BOOK, folded

_KINDS: Final = {
    "books": ("book", "books", "epub"),
    "articles": ("article", "articles", "rss", "email", "pdf", "emails"),
    "tweets": ("tweet", "tweets"),
    "podcasts": ("podcast", "podcasts"),
    "videos": ("video", "videos"),
    "supplementals": ("supplementals", "supplemental"),
}
_CATEGORIES: Final = {word: kind for kind, words in _KINDS.items() for word in words}
_ROLE: Final = re.compile(r"\s*\(([^()]*)\)\s*$")
_AUTHORS: Final = {"", "author", "writer", "autor", "auteur"}
_AFTER_NAME: Final = frozenset({"jr", "sr", "phd", "ph d", "md", "m d", "ii", "iii", "iv", "esq"})
_CLOCK: Final = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[T ](?P<clock>\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d+)?\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?)?"
)


@dataclass(frozen=True, slots=True)
class Highlight:
    """A passage that a person marked, and what they said of it."""

    text: str
    note: str = ""
    """The person's own words."""
    location: str = ""
    """As it is shown: ``page 12``, ``location 809``, ``0:12:34``."""
    at: str = ""
    """When it was marked: an ISO day or instant; without a zone the reader's own clock."""
    color: str = ""
    tags: tuple[str, ...] = ()
    url: str = ""
    id: str = ""
    """As the exporter calls it; empty if it does not."""
    discarded: bool = False
    """Thrown away, or deleted, where it was made."""

    @property
    def words(self) -> str:
        """The text as it is compared."""
        return folded(self.text)


@dataclass(frozen=True, slots=True)
class Book:
    """What highlights were taken from."""

    title: str
    authors: tuple[str, ...] = ()
    contributors: tuple[str, ...] = ()
    """Others, with what they did in brackets."""
    aliases: tuple[str, ...] = ()
    category: str = ""
    """books, articles, tweets, podcasts, videos, supplementals."""
    via: str = ""
    """The application it was read with: kindle, reader, instapaper."""
    url: str = ""
    published: str = ""
    saved: str = ""
    """When the person put it on their list: an ISO day or instant."""
    summary: str = ""
    note: str = ""
    """The person's own words on all of it."""
    tags: tuple[str, ...] = ()
    id: str = ""
    deleted: bool = False
    highlights: tuple[Highlight, ...] = field(default=())

    @property
    def uid(self) -> str:
        """What it is known by, whichever exporter hands it over: its title and first author."""
        return uid_of(self.title, self.authors[0] if self.authors else "")


def uid_of(title: str, author: str) -> str:
    """The id of a book: the same title and author, the same book."""
    key = f"{folded(title)}\x1f{folded(author)}"
    return BOOK + hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def line(text: object) -> str:
    """A value on one line; empty for what is no text or number."""
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        return ""
    return " ".join((text if isinstance(text, str) else str(text)).split())


def prose(text: object) -> str:
    """A text of several lines, with plain line ends and no blank lines around it."""
    if not isinstance(text, str):
        return ""
    lines = (each.rstrip() for each in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return "\n".join(lines).replace("\x00", "").strip("\n")


def category(word: object) -> str:
    """The category that an exporter's word means; the word itself if we know none."""
    name = line(word).casefold()
    return _CATEGORIES.get(name, name)


def people(names: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(authors, contributors) of names joined by commas: ``X, Y (Foreword)``."""
    authors: list[str] = []
    others: list[str] = []
    for name in _apart(line(names)):
        role = _ROLE.search(name)
        if role is None or role[1].casefold().strip() in _AUTHORS:
            authors.append(_ROLE.sub("", name) or name)
        else:
            others.append(name)
    return tuple(dict.fromkeys(authors)), tuple(dict.fromkeys(others))


def _apart(names: str) -> list[str]:
    parts: list[str] = []
    for each in re.split(r"\s*[,;]\s*(?:and\s+|&\s*)?(?![^()]*\))|\s+(?:and|&)\s+(?=[^,;]*$)(?![^()]*\))", names):
        if parts and folded(each) in _AFTER_NAME:
            parts[-1] += f", {each}"
        elif each:
            parts.append(each)
    return parts


def sorted_tags(names: Iterable[object]) -> tuple[tuple[str, ...], bool]:
    """(the tags, whether one of them says that it was discarded): tags with a dot are actions, not tags."""
    found = [line(name).lstrip("#").replace(", ", " ") for name in names]
    tags = tuple(dict.fromkeys(name for name in found if name and not name.startswith(".")))
    return tags, ".discard" in (name.casefold() for name in found)


def moment(text: object) -> str:
    """A date as ISO text: a day, or an instant in UTC, or one of the reader's clock if no zone is given.

    Raises:
        ValueError: there is no such date.
    """
    written = line(text)
    if not written:
        return ""
    match = _CLOCK.fullmatch(written)
    if match is None:
        raise ValueError(f"no date: {written}")
    if match["clock"] is None:
        return date.fromisoformat(match["day"]).isoformat()
    zone = (match["zone"] or "").replace("UTC", "Z").replace("Z", "+00:00")
    found = datetime.fromisoformat(f"{match['day']}T{match['clock']}{zone}")
    if found.tzinfo is None:
        return found.isoformat()
    return found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def place(location: object, kind: object) -> str:
    """How a location is shown; empty if there is none."""
    number, what = line(location), line(kind).casefold()
    if not number or number == "None":
        return ""
    if what == "time_offset" and number.replace(".", "", 1).isdigit():
        seconds = int(float(number))
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{what or 'location'} {number.removesuffix('.0')}"


def joined(parts: Sequence[Book]) -> Book:
    """The parts of one book as one: what the first does not say, a later one does."""
    first = parts[0]
    if len(parts) == 1:
        return first

    def told(name: str) -> Any:
        return next((said for each in parts if (said := getattr(each, name))), getattr(first, name))

    return Book(
        title=first.title,
        authors=told("authors"),
        contributors=told("contributors"),
        aliases=unique(alias for each in parts for alias in each.aliases),
        category=told("category"),
        via=told("via"),
        url=told("url"),
        published=told("published"),
        saved=told("saved"),
        summary=told("summary"),
        note=told("note"),
        tags=unique(tag for each in parts for tag in each.tags),
        id=told("id"),
        deleted=all(each.deleted for each in parts),
        highlights=tuple(highlight for each in parts for highlight in each.highlights),
    )


def kept(highlights: Iterable[Highlight]) -> tuple[Highlight, ...]:
    """What holds of a book's highlights: the last word on each, once, and none that was discarded.

    Two are one if the exporter calls them so, or they say the same at the same place.
    """
    found: dict[object, Highlight] = {}
    for each in highlights:
        key: object = each.id or (each.words, each.location)
        before = found.get(key)
        found[key] = each if before is None or each.note or not before.note else replace(each, note=before.note)
    return tuple(each for each in found.values() if not each.discarded and (each.text.strip() or each.note.strip()))
