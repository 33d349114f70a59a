"""Conversations that were had elsewhere, as the memory took them in: sources whose passages are messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from kgmem.model import Id, Passage
from kgmem.resolution.names import name_key
from kgmem.sources.naming import TALK, file_of
from kgmem.store.protocol import Store

_MESSAGE: Final = "message"


@dataclass(frozen=True, slots=True)
class Said:
    """A message."""

    heading: str
    """Who said it, and when."""
    text: str
    line: int

    @property
    def who(self) -> str:
        """``Mira (user)``, ``assistant``."""
        return self.heading.rpartition(", ")[0] or self.heading

    @property
    def at(self) -> str | None:
        """When, in ISO 8601; None if nothing says so."""
        return self.heading.rpartition(", ")[2] if ", " in self.heading else None


@dataclass(frozen=True, slots=True)
class Imported:
    """Such a conversation."""

    id: Id
    title: str
    path: str
    said: tuple[Said, ...]

    @property
    def last_at(self) -> str | None:
        """When the last message was said."""
        return next((each.at for each in reversed(self.said) if each.at is not None), None)

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on, without its messages."""
        first = next((each.at for each in self.said if each.at is not None), None)
        return {
            "name": self.title, "source": self.path, "messages": len(self.said), "first_at": first,
            "last_at": self.last_at,
        }  # fmt: skip


def imported(store: Store, called: str | None = None) -> tuple[Imported, ...]:
    """All of them, or those of a title, a path or an id; the one in which something was said last first."""
    found = [each for each in _every(store, called) if each.said]
    return tuple(sorted(found, key=lambda each: (each.last_at or "", each.path), reverse=True))


def _every(store: Store, called: str | None) -> Iterator[Imported]:
    key = None if called is None else name_key(called)
    for source in store.sources():
        if not source.title.startswith(TALK) or file_of(source.path) is None:
            continue
        title = source.title.removeprefix(TALK)
        if called is not None and called not in (source.id, source.path) and key != name_key(title):
            continue
        passages = (each for each in store.passages_of(source.id) if each.kind == _MESSAGE)
        yield Imported(source.id, title, source.path, tuple(_whole(passages)))


def _whole(passages: Iterable[Passage]) -> Iterator[Said]:
    """The messages; passages of one speaker at one instant are pieces of one that is very long."""
    for heading, pieces in groupby(passages, lambda each: each.heading if ", " in each.heading else each.id):
        first, *rest = pieces
        text = "\n\n".join((first.text, *(each.text for each in rest)))
        yield Said(heading if rest else first.heading, text, first.first_line)
