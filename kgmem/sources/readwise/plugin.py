"""The notes that Readwise's own plugin writes into a vault, by its default template and near ones.

Such a note stays a note of its vault; what it says under "Metadata" are its properties, and what stands under
"Highlights" are highlights. Later ones come below "New highlights added" with a date: theirs. A note by a template of
a person's own that has neither is read as any note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kgmem.model import Basis, Bound, unique
from kgmem.sources.document import Block, Head, Property, Value
from kgmem.sources.obsidian.dates import read_date
from kgmem.sources.obsidian.inline import scan_inline
from kgmem.sources.obsidian.markdown import property_block
from kgmem.sources.obsidian.syntax import Resolve
from kgmem.sources.readwise.book import sorted_tags, uid_of

_METADATA: Final = re.compile(r"^#{1,6}[ \t]+Metadata[ \t]*$", re.MULTILINE)
_HEADING: Final = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_HIGHLIGHTS: Final = re.compile(r"(?:new\s+)?highlights\b(?:\s+added\s+(?P<when>.+))?", re.IGNORECASE)
_DAY: Final = re.compile(r"\s+at\s+\d.*$", re.IGNORECASE)
_NAMED: Final = re.compile(r"[ \t]*[-*+][ \t]+(?P<key>[A-Z][A-Za-z ]{1,30}):[ \t]+(?P<value>.*\S)[ \t]*")
_PLACE: Final = re.compile(
    r"[ \t]*\(\[(?P<shown>Location\s+\d+|Page\s+\d+|Time\s+[\d:]+|View\s+(?:Highlight|Tweet))\]\((?P<url>[^()\s]*)\)\)"
    r"(?P<id>[ \t]+\^[\w-]+)?",
    re.IGNORECASE,
)
_COVER: Final = re.compile(r"!\[rw-book-cover\]\([^()\s]*\)")
_MARKER: Final = re.compile(r"[ \t]*(?:[-*+]|>)[ \t]?")
_INDENT: Final = re.compile(r"[ \t]*(?:>[ \t]?)?")
_TAG: Final = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]|#([\w/.-]+)")
_PROPERTIES: Final = {"author": "author", "category": "category", "url": "url", "published": "published"}
_TITLES: Final = frozenset({"full title", "fulltitle", "full_title"})
_TAGS: Final = frozenset({"document tags", "tags"})


def looks_so(text: str) -> bool:
    """Whether a note of this text is one of the plugin's: it has its metadata, or highlights that link to Readwise."""
    if "readwise" in text and _PLACE.search(text):
        return True
    return "Metadata" in text and any(key in _TITLES for key, *_ in _metadata(text))


def head_of(head: Head, text: str) -> Head:
    """The head of such a note: what it says of the book, beside its own properties."""
    properties, tags, titles = [*head.properties], [*head.tags], []
    for key, value, line in _metadata(text):
        if key in _TITLES:
            titles.append(value)
        elif key in _TAGS:
            tags += sorted_tags(one or other for one, other in _TAG.findall(value))[0]
        elif key in _PROPERTIES:
            named = _PROPERTIES[key]
            said = value.lstrip("#") if named == "category" else value
            properties.append(Property(named, tuple(_values(named, said, line)), line, is_list=named == "author"))
    titles += (each.values[0].text for each in head.properties if each.key.casefold() in _TITLES and each.values)
    author = next((each.values[0].text for each in properties if each.key.casefold() == "author" and each.values), "")
    return replace(
        head,
        aliases=unique((*head.aliases, *titles)),
        tags=unique(tags),
        properties=tuple(properties),
        uid=uid_of(titles[0] if titles else head.title, author.strip("[]")) if titles or author else head.uid,
    )


def _values(key: str, value: str, line: int) -> Iterator[Value]:
    """The values of a line; several authors are links, or joined by commas."""
    links = re.findall(r"\[\[[^\[\]]+\]\]", value)
    parts = (links or re.split(r",\s+(?:and\s+)?|\s+and\s+", value)) if key == "author" else [value]
    yield from (Value(part.strip(), line=line) for part in parts if part.strip())


def _metadata(text: str) -> Iterator[tuple[str, str, int]]:
    """(key in lower case, value, line) of what a note says under that heading."""
    start = _METADATA.search(text)
    if start is None:
        return
    end = _HEADING.search(text, start.end())
    first = text.count("\n", 0, start.end()) + 1
    for number, row in enumerate(text[start.end() : end.start() if end else len(text)].split("\n"), first):
        if match := _NAMED.fullmatch(row):
            yield match["key"].casefold(), match["value"], number


def blocks_of(blocks: Iterable[Block], head: Head, lines: Sequence[str], resolve: Resolve) -> Iterator[Block]:
    """The blocks of such a note: metadata as properties, highlights and the person's notes on them apart.

    Args:
        blocks: as any note's.
        head: see `head_of`.
        lines: of the note.
        resolve: what its links mean.
    """
    places = {each.line for each in head.properties if not each.inline}
    found = list(blocks)
    templated = any(each.headings[-1:] == ("Metadata",) for each in found)
    for block in found:
        section = _HIGHLIGHTS.fullmatch(block.headings[-1].split(" #")[0].strip()) if block.headings else None
        if _COVER.fullmatch(block.text):
            continue
        if block.kind == "item" and (block.first_line in places or _is_metadata(block)):
            yield property_block(lines, block.first_line, block.last_line, resolve)
        elif section and block.kind in {"item", "quote"} and (templated or _PLACE.search(block.text)):
            said = _said(section["when"])
            yield from _Marked.read(block).blocks(said, resolve)
        else:
            yield block


def _is_metadata(block: Block) -> bool:
    return block.headings[-1:] == ("Metadata",) and _NAMED.match(block.text) is not None


def _said(when: str | None) -> Bound | None:
    """The day in a heading."""
    moment = read_date(_DAY.sub("", when)) if when else None
    return Bound(moment, Basis.NOTE) if moment else None


@dataclass(frozen=True, slots=True)
class _Marked:
    """A highlight as the note shows it."""

    block: Block
    text: tuple[str, ...]
    """Its lines, without marks and link."""
    notes: tuple[tuple[int, str], ...]
    """(line below the first, words) of what the person says."""
    tags: tuple[str, ...]
    place: str
    id: str | None

    @classmethod
    def read(cls, block: Block) -> _Marked:
        """Take a block apart."""
        text: list[str] = []
        notes: list[tuple[int, str]] = []
        tags: list[str] = []
        place, number = "", block.block_id
        part = "text"
        for at, row in enumerate(block.text.split("\n")):
            named = _NAMED.fullmatch(row) if at and row[:1].isspace() else None
            if named:
                part = named["key"].casefold()
            if part == "text":
                if match := _PLACE.search(row):
                    shown = match["shown"]
                    place = place or ("" if shown.casefold().startswith("view") else shown.casefold())
                    number = match["id"].strip(" \t^") if match["id"] else number
                shown = _PLACE.sub("", row, count=1)
                text.append((_INDENT if at else _MARKER).sub("", shown, count=1).rstrip())
            elif part == "tags" and named:
                tags += sorted_tags(one or other for one, other in _TAG.findall(named["value"]))[0]
            elif part == "note":
                notes.append((at, named["value"] if named else row.strip()))
        return cls(block, tuple(text), tuple(notes), tuple(tags), place, number)

    def blocks(self, said: Bound | None, resolve: Resolve) -> Iterator[Block]:
        """The highlight, then what the person says of it, with the lines they have."""
        block, words = self.block, "\n".join(self.text)
        marks = [self.place] if self.place else []
        marks += [str(said.moment)] if said else []
        marks += [f"#{tag}" for tag in self.tags]
        headings = (*block.headings, ", ".join(marks)) if marks else block.headings
        first = block.first_line
        prose = scan_inline(words, "quote", first, resolve).prose
        yield replace(
            block, kind="highlight", text=words, prose=prose, last_line=first + len(self.text) - 1, headings=headings,
            links=(), fields=(), tags=self.tags, block_id=self.id, said=said,
        )  # fmt: skip
        if self.notes:
            start, end = self.notes[0][0], self.notes[-1][0]
            own = "\n".join(words for _, words in self.notes)
            inline = scan_inline(own, "paragraph", first + start, resolve)
            yield Block(
                "paragraph", own, inline.prose, first + start, first + end, headings, links=inline.links,
                fields=tuple(each for _, each in inline.fields), tags=unique(tag for _, tag in inline.tags), said=said,
            )  # fmt: skip
