"""The books that Readwise handed over: a root that is no folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kgmem.sources.arriving import VIRTUAL, Arriving
from kgmem.sources.document import Document, Head
from kgmem.sources.naming import EXPECTED

ROOT: Final = f"{VIRTUAL}readwise"


def arriving(bodies: Mapping[str, str] | None = None, gone: Iterable[str] = ()) -> Arriving:
    """The reader of some books, by path; without any, of those that the memory holds."""
    return Arriving(ROOT, EXPECTED, _parse, bodies, gone, head=_head)


def _parse(path: str, body: str, _mtime_ns: int) -> Document:
    from kgmem.sources.readwise.reading import document_of

    return document_of(path, body)


def _head(path: str, body: str) -> Head:
    from kgmem.sources.readwise.reading import head_of

    return head_of(path, body)
