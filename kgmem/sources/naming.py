"""How sources are named: notes by their file, a book in a file as ``FILE#TITLE``, which no note can be."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Final

BOOK: Final = "kgmem:book:"
"""How the id of what highlights were taken from starts."""
EXPECTED: Final = "readwise"
"""The kind of a folder, or of what a service hands over, that holds nothing but books."""
TALK: Final = "Conversation: "
"""How the title of a conversation begins: a talk on a town is not the town."""
TITLED: Final = "title:: "
"""How the body of a page in a file starts; that of a book has a heading."""
SUFFIXES: Final = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".txt")
"""Names that a file of highlights may end with."""

_PATH: Final = re.compile(rf"(?P<file>.+?(?:{'|'.join(map(re.escape, SUFFIXES))}))#(?P<name>[^/]+)", re.IGNORECASE)
_NOT_WORD: Final = re.compile(r"[\W_]+")
_NOT_IN_NAME: Final = re.compile(r"[\\/\x00-\x1f\x7f\u2028\u2029]+")


def folded(text: str) -> str:
    """A text as it is compared with others that may be copies: case, punctuation and white space aside."""
    return _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def is_book(uid: str | None) -> bool:
    """Whether the id that a source calls itself is that of a book: by its title and author, whoever tells of it."""
    return uid is not None and uid.startswith(BOOK)


def called(path: str) -> str:
    """The name by which links call what stands at a path: without folders, and without the suffix of a note."""
    if (file := file_of(path)) is not None:
        return path[len(file) + 1 :]
    return PurePosixPath(path).name.removesuffix(".md")


def file_of(path: str) -> str | None:
    """The file that the path of a book names; None for the path of anything else."""
    match = _PATH.fullmatch(path) if "#" in path else None
    return match["file"] if match else None


def name_of(title: str) -> str:
    """A title as it may stand in the path of a book."""
    return " ".join(_NOT_IN_NAME.sub("-", title).split()) or "-"
