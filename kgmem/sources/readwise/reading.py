"""The body of a book as a document: metadata to properties, highlights to passages, notes to paragraphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from kgmem.model import UNKNOWN, Basis, Bound, Moment, unique
from kgmem.sources.arriving import digest_of
from kgmem.sources.document import Block, Document, Head, Property, Value
from kgmem.sources.naming import EXPECTED
from kgmem.sources.obsidian.inline import scan_inline
from kgmem.sources.obsidian.markdown import property_block, title_block
from kgmem.sources.readwise.body import ABOUT, HIGHLIGHTS, NOTE
from kgmem.sources.readwise.book import uid_of

DATED_BY: Final = "highlighted"

_SECTIONS: Final = {ABOUT: "About", NOTE: "Note", HIGHLIGHTS: "Highlights"}
_PROPERTIES: Final = {
    "Author": "author",
    "Contributor": "contributors",
    "Category": "category",
    "URL": "url",
    "Published": "published",
}
"""Details that say something of the book, by the property that the ontology knows."""
_UNSAID: Final = frozenset({"ID", "Read with"})
"""Details that nobody asks for."""


@dataclass(slots=True)
class _Body:
    """The body as it is read, line by line."""

    title: str = ""
    aliases: list[str] = field(default_factory=list)
    tags: tuple[str, ...] = ()
    values: dict[str, list[Value]] = field(default_factory=dict)
    blocks: list[Block] = field(default_factory=list)
    days: list[date] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where, when and how something was marked."""

    headings: tuple[str, ...]
    said: Bound | None = None
    tags: tuple[str, ...] = ()
    id: str | None = None
    lines: int = 0
    """How many lines say so."""


def document_of(path: str, body: str) -> Document:
    """Read a body (see `kgmem.sources.readwise.body`) as what stands at a path."""
    found = _read(body)
    head = _head(path, found)
    first = min(found.days, default=None)
    return Document(
        head=head,
        kind=EXPECTED,
        hash=digest_of(body),
        text=body,
        blocks=(title_block(head.title), *found.blocks),
        occurred=Bound(Moment.day(first), Basis.NOTE) if first else UNKNOWN,
        dated_by=DATED_BY if first else "",
    )


def head_of(path: str, body: str) -> Head:
    """The head of that document, without its highlights."""
    return _head(path, _read(body[: body.find("\n## ") + 1] if "\n## " in body else body))


def _head(path: str, found: _Body) -> Head:
    title = found.title or path.rpartition("#")[2]
    properties = tuple(
        Property(key, tuple(values), values[0].line, is_list=key in {"author", "contributors"})
        for key, values in found.values.items()
    )
    authors = found.values.get("author", ())
    return Head(
        path=path,
        title=title,
        aliases=unique(found.aliases),
        tags=found.tags,
        properties=properties,
        uid=uid_of(title, authors[0].text if authors else ""),
    )


def _read(body: str) -> _Body:
    found = _Body()
    lines = body.split("\n")
    section = ""
    mark = _Mark(())
    at = 0
    while at < len(lines):
        line = lines[at]
        end = at + 1
        if not line:
            pass
        elif line.startswith("# ") and not found.title:
            found.title = line[2:]
        elif line in _SECTIONS:
            section = _SECTIONS[line]
            mark = _Mark((section,))
            found.blocks.append(Block("heading", line, f"   {section}", at + 1, at + 1, headings=(section,)))
        elif line.startswith(">"):
            end = _past(lines, at, ">")
            mark = _mark(lines, end, section, found.days)
            found.blocks += _highlight(lines, at, end, mark)
            end += mark.lines
        elif line.startswith("- ") and not section:
            _detail(found, lines, at)
        else:
            while end < len(lines) and lines[end] and not lines[end].startswith((">", "#", "- ")):
                end += 1
            found.blocks.append(_paragraph(lines, at, end, mark))
        at = end
    return found


def _past(lines: list[str], at: int, mark: str) -> int:
    """The line behind those that begin with a mark."""
    while at < len(lines) and lines[at].startswith(mark):
        at += 1
    return at


def _mark(lines: list[str], at: int, section: str, days: list[date]) -> _Mark:
    """What the named lines from a place on say of a highlight; its day is added to the others."""
    past = _past(lines, at, "- ")
    details = dict(map(_pair, lines[at:past]))
    tags = tuple(details["Tags"].split(", ")) if "Tags" in details else ()
    shown = [details[key] for key in ("Location", "Color") if key in details]
    said = None
    if "Highlighted" in details:
        day = date.fromisoformat(details["Highlighted"][:10])
        days.append(day)
        shown.append(day.isoformat())
        said = Bound(Moment.day(day), Basis.NOTE)
    shown += [f"#{tag}" for tag in tags]
    headings = (section, ", ".join(shown)) if shown else (section,)
    return _Mark(headings, said, tags, details.get("ID"), past - at)


def _pair(line: str) -> tuple[str, str]:
    key, _, value = line[2:].partition(": ")
    return key, value


def _detail(found: _Body, lines: list[str], at: int) -> None:
    """A named line of the book itself."""
    key, value = _pair(lines[at])
    if key == "Alias":
        found.aliases.append(value)
    elif key == "Tags":
        found.tags = tuple(value.split(", "))
    elif key == "Saved":
        found.days.append(date.fromisoformat(value))
    if key in _PROPERTIES:
        found.values.setdefault(_PROPERTIES[key], []).append(Value(value, line=at + 1))
    if key not in _UNSAID:
        found.blocks.append(property_block(lines, at + 1, at + 1, _nowhere))


def _highlight(lines: list[str], at: int, end: int, mark: _Mark) -> Iterator[Block]:
    """What the author wrote: names are found in it, and nobody's claims."""
    text = "\n".join(line[2:] for line in lines[at:end])
    if text.strip():
        kind = "highlight" if mark.headings[:1] == (_SECTIONS[HIGHLIGHTS],) else "quote"
        prose = scan_inline(text, "quote", at + 1, _nowhere).prose
        yield Block(kind, text, prose, at + 1, end, mark.headings, tags=mark.tags, block_id=mark.id, said=mark.said)


def _paragraph(lines: list[str], at: int, end: int, mark: _Mark) -> Block:
    """The person's own words, of the day of what they were written to."""
    text = "\n".join(line.removeprefix("\\") for line in lines[at:end])
    inline = scan_inline(text, "paragraph", at + 1, _nowhere)
    tags = unique(tag for _, tag in inline.tags)
    return Block(
        "paragraph", text, inline.prose, at + 1, end, mark.headings, links=inline.links, tags=tags, said=mark.said
    )


def _nowhere(_target: str) -> tuple[str | None, bool]:
    """Links of a book stand for names."""
    return None, False
