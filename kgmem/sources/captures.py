"""What a person tells the memory itself, one thought at a time: captures.

A capture is Markdown as a note is, and stands in no folder. Its name begins with the date that it is about, which dates
it as the name of a note does; a date that is no day, tags, and whom it is about stand in its properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from kgmem.errors import UserError
from kgmem.model import EntityType, Moment, Precision
from kgmem.sources.arriving import CAPTURES, Arriving, digest_of
from kgmem.sources.document import About, Document, Head, Property, SourceSettings
from kgmem.sources.obsidian.dates import stated_date
from kgmem.sources.obsidian.frontmatter import read_frontmatter
from kgmem.sources.obsidian.links import Links
from kgmem.sources.obsidian.parse import Parser
from kgmem.sources.obsidian.text import plain
from kgmem.sources.steady import first_words, steady

KIND: Final = "capture"
LONGEST: Final = 1_000_000
"""Characters of a capture: what is longer is a file, and is to be taken in as one."""
ABOUT: Final = "about"
"""The property that names whom a capture is about."""
ABOUT_TYPE: Final = "about_type"
"""The property that says what that was known to be."""

_LONGEST_NAME: Final = 48
"""Characters of its first line that its name has."""
_NAMED: Final = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|!?\[([^\[\]]*)\]\([^()]*\)|(?<!\S)#[^\W\d_][\w/-]*")
"""Links, of which a name has the shown words, and tags, of which it has none."""
_NOT_IN_NAME: Final = re.compile(r"[#^\[\]|\\/:*?\"<>`{}%=~\s]+")
_MARK: Final = re.compile(r"(?:[-*+>]|\d{1,9}[.)]|#{1,6})\s+(?:\[.\]\s+)?")
_FILE_END: Final = re.compile(r"\.(?=(?:md|markdown|canvas)$)", re.IGNORECASE)
_TAG: Final = re.compile(r"[^\W\d_](?:[\w/-]*\w)?|\d+[\w/-]*[^\W\d_][\w/-]*")


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a capture besides its text."""

    on: Moment
    """The world date: a year, a month or a day."""
    tags: tuple[str, ...] = ()
    about: About | None = None


def captures(settings: SourceSettings | None = None, texts: Mapping[str, str] | None = None) -> Arriving:
    """The reader of captures.

    Args:
        settings: what a person may set about reading.
        texts: those that arrive, by name; without any, it parses those that the memory holds.
    """
    parser = Parser(KIND, settings or SourceSettings(), {})
    links = Links(())

    def parse(path: str, text: str, mtime_ns: int) -> Document:
        document = parser.document(path, text, digest_of(text), mtime_ns, links.resolver(path))
        about, rest = _about(document.head)
        if about is None:
            return document
        return replace(document, about=about, head=replace(document.head, properties=rest))

    return Arriving(CAPTURES, KIND, parse, texts)


def _about(head: Head) -> tuple[About | None, tuple[Property, ...]]:
    """(whom the properties name that say so, the others)."""
    own = {each.key.casefold(): each for each in head.properties}
    links = (link for value in own[ABOUT].values for link in value.links) if ABOUT in own else iter(())
    link = next(links, None)
    if link is None:
        return None, head.properties
    said = own[ABOUT_TYPE].values[0].text if ABOUT_TYPE in own and own[ABOUT_TYPE].values else ""
    kind = next((each for each in EntityType if each.value.casefold() == said.strip().casefold()), None)
    rest = tuple(each for each in head.properties if each.key.casefold() not in {ABOUT, ABOUT_TYPE})
    return About(link.target.rsplit("/", 1)[-1], kind), rest


def readable(text: str) -> str:
    """A text as a capture keeps it: without what steers a terminal, without space around it.

    Raises:
        UserError: nothing is left, or it is too long.
    """
    kept = steady(text)
    if not kept:
        raise UserError("there is nothing to remember", 'say it: kgmem remember "…", or write it in your editor')
    if len(kept) > LONGEST:
        raise UserError(
            f"that is {len(kept):,} characters long, and a thought has {LONGEST:,} at most",
            "save it as a note, and take that in: kgmem ingest PATH",
        )
    return kept


def decoded(data: bytes) -> str:
    """The text of what a pipe gave: UTF-8, or UTF-16 with its mark.

    Raises:
        UserError: it is neither.
    """
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if wide else "utf-8")
    except UnicodeDecodeError as error:
        raise UserError(
            f"that is no text in UTF-8: byte {error.start + 1} cannot be read", "convert it, or say it in words"
        ) from None


def date_in(text: str, settings: SourceSettings) -> Moment | None:
    """The date that a text states in properties of its own."""
    return stated_date(read_frontmatter(plain(text)).properties, settings.date_keys)[0]


def text_of(body: str) -> str:
    """What a capture says, without its properties."""
    return "\n".join(body.split("\n")[read_frontmatter(body).length :])


def composed(text: str, said: Said) -> str:
    """The body of a capture: its text, under properties where its name cannot say them.

    Raises:
        UserError: a tag is none, or the text states such a property itself.
    """
    lines = [] if said.on.precision is Precision.DAY else [f"date: {said.on}"]
    if said.tags:
        lines += ["tags:", *(f"  - {_tag(each)}" for each in said.tags)]
    if said.about is not None:
        lines.append(f'{ABOUT}: "[[{said.about.name}]]"')
    if said.about is not None and said.about.type is not None:
        lines.append(f"{ABOUT_TYPE}: {said.about.type}")
    if not lines:
        return text
    own = {each.key.casefold() for each in read_frontmatter(text).properties}
    if twice := own & {line.partition(":")[0] for line in lines}:
        raise UserError(f"the text has properties itself, and states {min(twice)} there", "say it in one place")
    block = "\n".join(lines)
    return f"---\n{block}\n{text.partition(chr(10))[2]}" if own else f"---\n{block}\n---\n{text}"


def _tag(text: str) -> str:
    name = text.strip().removeprefix("#")
    if not _TAG.fullmatch(name):
        raise UserError(f"{text!r} is no tag", "a tag has letters, digits, - and _, and / in between: work/ideas")
    return name


def name_of(text: str, on: Moment) -> str:
    """The name of a capture: its date and its first words. Another of that name gets a number."""
    body = plain(text).split("\n")[read_frontmatter(text).length :]
    words = next((line for line in map(_words, body) if any(map(str.isalnum, line))), "")
    words = _FILE_END.sub(" ", first_words(words, _LONGEST_NAME).rstrip(" .,;!-–—").lstrip(" ."))
    return f"{on} {words or 'Capture'}"


def _words(line: str) -> str:
    """A line without its marks."""
    return " ".join(_NOT_IN_NAME.sub(" ", _NAMED.sub(_shown, _MARK.sub("", line.strip(), count=1))).split())


def _shown(match: re.Match[str]) -> str:
    return match[1] or match[2] or ""


def numbered(name: str, number: int) -> str:
    """The name of the so-many-th capture of a name."""
    return name if number == 1 else f"{name} ({number})"
