"""What every reader of sources hands on: a document in pieces, with its lines, and nothing concluded.

A reader knows a format. It does not know entities, facts or the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from kgmem.model import UNKNOWN, Bound, EntityType, Problem


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a block to another note.

    `start` and `end` are the span of the whole link in the block's text; `shown_start` and `shown_end` of
    the words that a reader sees.
    """

    target: str
    """As written, without heading, block or shown text; empty for a link to the note itself."""
    start: int
    end: int
    shown: str
    shown_start: int
    shown_end: int
    heading: str | None = None
    block: str | None = None
    embed: bool = False
    path: str | None = None
    """The note it resolves to (POSIX, relative to the root), or None."""
    attachment: bool = False
    """It names a file that is not a note (an image, a PDF): never an entity."""
    name: str | None = None
    """What the note is called, where neither its path nor `target` ends in that."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a property, as the person typed it."""

    text: str
    links: tuple[Link, ...] = ()
    line: int = 0
    """1-based in the file."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property of the frontmatter, or a Dataview field of the body."""

    key: str
    values: tuple[Value, ...]
    line: int
    is_list: bool = False
    inline: bool = False
    """A Dataview field, not frontmatter."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Somebody who speaks in a source besides the writer of the notes."""

    name: str | None = None
    """Whom "I" means."""
    claims: bool = True
    """Whether what they say counts: an assistant's words name things and claim nothing."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document: it becomes a passage.

    `prose` has the length of `text`, with markup, code and comments blanked out by spaces: a span found in
    it is a span of `text`.
    """

    kind: str
    """title, property, heading, paragraph, item, task, table, callout, quote, highlight, message, code, canvas."""
    text: str
    prose: str
    first_line: int
    last_line: int
    headings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    fields: tuple[Property, ...] = ()
    tags: tuple[str, ...] = ()
    block_id: str | None = None
    voice: Voice | None = None
    """Who speaks in it, where that is not the writer of the notes."""
    said: Bound | None = None
    """Its own world date, where it is not the document's: when a highlight was made."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A labelled arrow of a canvas between two notes: a relation in the person's own words."""

    start: Link
    end: Link
    label: str
    line: int


@dataclass(frozen=True, slots=True)
class Head:
    """What the names of a source need, before its text is read as a whole."""

    path: str
    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()
    uid: str | None = None
    template: bool = False
    """A template, to be passed over."""
    name: str | None = None
    """What links call it, where its path does not end in that."""


@dataclass(frozen=True, slots=True)
class About:
    """Whom or what a text is about, by name."""

    name: str
    type: EntityType | None = None
    """What it was known to be when the text was written."""


@dataclass(frozen=True, slots=True)
class Document:
    """A source as read at one time."""

    head: Head
    kind: str
    hash: str
    text: str
    blocks: tuple[Block, ...]
    occurred: Bound = UNKNOWN
    """The document's own world date."""
    dated_by: str = ""
    """What gave that date: the key of a property, ``name`` or ``file``."""
    daily: bool = False
    """A daily note: its name is its date."""
    edges: tuple[Edge, ...] = ()
    about: About | None = None
    """Whom or what its text is about, where that is something else than the source itself."""
    problems: tuple[Problem, ...] = ()

    def said(self, block: Block) -> Bound:
        """The world date of what a block of it says."""
        return block.said or self.occurred

    def counts(self, index: int) -> bool:
        """Whether what that block says is claimed."""
        voice = self.blocks[index].voice
        return voice is None or voice.claims


class Seen(NamedTuple):
    """What the memory knows of a source from the last time. A tuple: an ingest makes one for every source."""

    id: str
    path: str
    size: int
    mtime_ns: int
    hash: str
    uid: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A file as a scan found it."""

    path: str
    size: int
    mtime_ns: int
    hash: str
    head: Head
    daily: bool = False
    """A daily note: its name is its date."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The difference between a folder and what the memory knows of it.

    `removed` lists only what a complete walk proved gone: what stands below an unreadable folder is in
    `problems`, and kept.
    """

    added: tuple[Found, ...] = ()
    changed: tuple[tuple[Seen, Found], ...] = ()
    moved: tuple[tuple[Seen, Found], ...] = ()
    """The same content (or the same id of its own) at another path; the content may have changed too if
    the id agrees."""
    touched: tuple[Seen, ...] = ()
    """What is known, with a new size or time of the file: its content is as it was, and was not read further."""
    removed: tuple[Seen, ...] = ()
    unchanged: int = 0
    problems: tuple[Problem, ...] = ()


class Reader(Protocol):
    """A folder of sources of one kind."""

    root: str
    kind: str

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """Walk the folder and compare it with what is known, by path.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """

    def read(self, path: str) -> Document:
        """Read one source. Bad input is in the document's problems.

        Raises:
            OSError: the file vanished or cannot be read.
        """

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """Read a text as if it stood at `path`: replaying a stored episode."""

    def paths(self) -> Iterator[str]:
        """The notes of the last scan, in order."""


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """What a person may set about reading sources."""

    date_keys: tuple[str, ...] = ("date", "day", "when", "created", "date created", "creation date")
    """Properties that date a note, the best first. Not ``published``: that is mostly the date of a book."""
    title_keys: tuple[str, ...] = ("title",)
    id_keys: tuple[str, ...] = ("id", "uid", "uuid", "zettel-id")
    ignore: tuple[str, ...] = ()
    """More patterns in the style of .gitignore."""
    export_folders: tuple[str, ...] = field(default=())
    """Folders that hold our own pages."""
