"""A book that comes in parts: what is kept of it, with what is new.

Readwise hands over only the highlights that changed. The body in the memory is the rest: it is read back into the
book it was made of, and there is no second copy.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import Final

from kgmem.sources.naming import name_of
from kgmem.sources.readwise.body import ABOUT, HIGHLIGHTS, NOTE
from kgmem.sources.readwise.book import Book, Highlight

_LONGEST: Final = 255
"""Code points of a title in a path."""


def merged(before: Book | None, coming: Book) -> Book:
    """The book as it stands now: each highlight as it came last, and those that were not named as they were.

    What was thrown away or deleted stays in the list as such: `body_of` leaves it out.
    """
    if before is None:
        return coming
    changed = {each.id: each for each in coming.highlights if each.id}
    held = tuple(changed.pop(each.id, each) for each in before.highlights)
    new = tuple(each for each in coming.highlights if not each.id or each.id in changed)
    return replace(coming, highlights=(*held, *new))


def path_of(book: Book) -> str:
    """Where a book is filed first: below its id, which stays when the title is put right, by the name it has then."""
    name = name_of(book.title)[:_LONGEST].rstrip()
    return f"{book.id}/{name}" if book.id else name


def id_in(path: str) -> str | None:
    """The id of what is filed at a path."""
    return path.partition("/")[0] if "/" in path else None


def book_in(body: str) -> Book:
    """The book that a body was made of, but for what it leaves out: `body_of` gives the same body again."""
    lines = body.split("\n")
    sections = _sections(lines[1:])
    details = _pairs(sections[""])
    first = {key: values[0] for key, values in details.items()}
    return Book(
        title=lines[0].removeprefix("# "),
        authors=tuple(details.get("Author", ())),
        contributors=tuple(details.get("Contributor", ())),
        aliases=tuple(details.get("Alias", ())),
        category=first.get("Category", ""),
        via=first.get("Read with", ""),
        url=first.get("URL", ""),
        published=first.get("Published", ""),
        saved=first.get("Saved", ""),
        summary=_quoted([each for each in sections.get(ABOUT, ()) if each]),
        note=_own(sections.get(NOTE, [])),
        tags=_tags(first),
        id=first.get("ID", ""),
        highlights=_highlights(sections.get(HIGHLIGHTS, [])),
    )


def _sections(lines: list[str]) -> dict[str, list[str]]:
    """The lines below each heading; a line of the person's own that looks like one carries a backslash."""
    found: dict[str, list[str]] = {"": []}
    heading = ""
    for line in lines:
        if line in {ABOUT, NOTE, HIGHLIGHTS}:
            heading = line
        found.setdefault(heading, []).append(line)
    return {heading: rows[1:] if heading else rows for heading, rows in found.items()}


def _highlights(lines: list[str]) -> tuple[Highlight, ...]:
    found: list[Highlight] = []
    for quoted, rows in groupby(lines, key=lambda line: line.startswith(">")):
        if quoted:
            found.append(Highlight(_quoted(list(rows))))
        elif found:
            found[-1] = _with_details(found[-1], list(rows))
    return tuple(found)


def _with_details(highlight: Highlight, lines: list[str]) -> Highlight:
    end = next((at for at, line in enumerate(lines) if not line.startswith("- ")), len(lines))
    told = {key: values[0] for key, values in _pairs(lines[:end]).items()}
    return replace(
        highlight,
        location=told.get("Location", ""),
        at=told.get("Highlighted", ""),
        color=told.get("Color", ""),
        tags=_tags(told),
        url=told.get("URL", ""),
        id=told.get("ID", ""),
        note=_own(lines[end:]),
    )


def _pairs(lines: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        key, colon, value = line.removeprefix("- ").partition(": ")
        if colon:
            found.setdefault(key, []).append(value)
    return found


def _tags(told: dict[str, str]) -> tuple[str, ...]:
    return tuple(told["Tags"].split(", ")) if "Tags" in told else ()


def _quoted(lines: list[str]) -> str:
    return "\n".join(line[2:] for line in lines)


def _own(lines: list[str]) -> str:
    return "\n".join(line.removeprefix("\\") for line in lines).strip("\n")
