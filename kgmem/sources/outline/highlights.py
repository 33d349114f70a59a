"""Pages of books that Readwise writes into outlines: what they say of the book, and its highlights."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kgmem.model import Basis, Bound
from kgmem.sources.document import Block, Property, Value
from kgmem.sources.obsidian.dates import read_date
from kgmem.sources.obsidian.text import blank
from kgmem.sources.outline.properties import first, name_of
from kgmem.sources.readwise.book import people, sorted_tags, uid_of

_MARKS = frozenset({"full title", "category"})
"""What every such page has, whatever a person changed in the template."""
_LEFT_OUT = frozenset({"full title", "title", "image", "cover image"})
_HEADING = re.compile(r"(?:Highlights first synced by|New highlights added|Highlights?$)", re.IGNORECASE)
_PLACE = re.compile(r"[ \t]*\(\[(?:View|Location|Page|Time)[^\[\]]*\]\([^()\s]*\)\)")
_NUMBERED = re.compile(r"\(\[(?P<shown>(?:Location|Page|Time)[ \t]+[\d:]+)\]", re.IGNORECASE)
_ADDED = re.compile(r"added[ \t]+(?P<when>.*?\d{4})", re.IGNORECASE)
_SHOWN_PLACE = re.compile(r"[ \t]*\([ \t]*(?:View|Location|Page|Time)[^()]*\)")
_LABEL = re.compile(r"-[ \t]+\*\*(?P<label>Note|Tags):?\*\*:?")
_BULLET = re.compile(r"-[ \t]+(?:>[ \t]*)?")
_LINKED = re.compile(r"\[\[(?P<names>[^\[\]]*)\]\]")


def book_properties(properties: tuple[Property, ...]) -> tuple[tuple[Property, ...], str | None]:
    """(the properties as facts of the book, its title); those of any other page as they are, and None."""
    if not is_book(properties):
        return properties, None
    kept = (each for each in properties if name_of(each) not in _LEFT_OUT)
    said = tuple(_authors(each) if name_of(each) == "author" else each for each in kept)
    return said, first(properties, "full title")


def book_id(properties: tuple[Property, ...]) -> str | None:
    """The id that every export gives the book of such a page; None for any other page."""
    title = first(properties, "full title") if is_book(properties) else None
    author = next((value.text for each in properties if name_of(each) == "author" for value in each.values), "")
    names, _ = people(_LINKED.sub(r"\g<names>", author))
    return uid_of(title, names[0] if names else "") if title else None


def is_book(properties: Iterable[Property]) -> bool:
    """Whether Readwise wrote the page."""
    return {name_of(each) for each in properties} >= _MARKS


def as_book(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks of a book's page: what quotes it is a highlight, and the exporter's own words are left out."""
    held: Block | None = None
    for block in blocks:
        above = next((at for at, words in enumerate(block.headings) if _HEADING.match(words)), None)
        label = _LABEL.match(block.text)
        if held is not None and label and label["label"] == "Tags":
            held = _tagged(held, block)
            continue
        if held is not None:
            yield held
        held = None
        if above is None:
            if not _HEADING.match(" ".join(block.prose.split())):
                yield block
        elif above == len(block.headings) - 1 and block.kind in {"item", "quote"}:
            held = _highlight(block)
        else:
            yield _own_words(block, block.headings[above + 1 :])
    if held is not None:
        yield held


def _highlight(block: Block) -> Block:
    """The words of the author alone, without the bullet and the link to where they stand."""
    edges = [_BULLET.match(block.text), *_PLACE.finditer(block.text)]
    text, prose = block.text, block.prose
    for match in reversed([each for each in edges if each]):
        text, prose = (each[: match.start()] + each[match.end() :] for each in (text, prose))
    length = len(text.rstrip())
    added = _ADDED.search(block.headings[-1])
    moment = read_date(added["when"]) if added else None
    said = Bound(moment, Basis.NOTE) if moment else None
    marked = _marked(place["shown"].casefold() if (place := _NUMBERED.search(block.text)) else "", str(moment or ""))
    return replace(
        block,
        kind="highlight",
        text=text[:length],
        prose=prose[:length],
        headings=marked,
        links=(),
        fields=(),
        said=said,
    )


def _tagged(highlight: Block, block: Block) -> Block:
    """A highlight with the tags that stand below it."""
    tags, _ = sorted_tags(link.target for link in block.links)
    return replace(highlight, tags=tags, headings=_marked(*highlight.headings[1:], *(f"#{tag}" for tag in tags)))


def _marked(*marks: str) -> tuple[str, ...]:
    shown = ", ".join(each for each in marks if each)
    return ("Highlights", shown) if shown else ("Highlights",)


def _own_words(block: Block, headings: tuple[str, ...]) -> Block:
    """What the person wrote below a highlight."""
    label = _LABEL.match(block.text)
    prose = blank(label[0]) + block.prose[label.end() :] if label else block.prose
    return replace(block, prose=prose, headings=("Highlights", *(_SHOWN_PLACE.sub("", each) for each in headings)))


def _authors(said: Property) -> Property:
    """Each author by name: several stand in one link."""
    values: list[Value] = []
    for value in said.values:
        link = _LINKED.fullmatch(value.text.strip())
        names, others = people(link["names"] if link else value.text)
        alone = link is not None and (*names, *others) == (link["names"].strip(),)
        values += [value] if alone else [Value(name, (), value.line) for name in (*names, *others)]
    return replace(said, values=tuple(values), is_list=len(values) > 1)
