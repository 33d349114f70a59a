"""Who is who at a recorded instant: the names that the sources which stood then gave, and what was decided by then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Protocol

from kgmem.extraction.ontology import Ontology, Typing
from kgmem.ingestion.plan import Card, Plan, card_of, names_of, natural_entity
from kgmem.model import CORRECTION, AliasKind, Basis, Bound, Id, Instant, Source
from kgmem.reextraction.log import Log, Stood
from kgmem.resolution.same import Same
from kgmem.sources.document import Document, Head, Reader

_KEPT = 64
"""Instants whose names are kept at a time; one that comes again costs as much as a plan of an ingest."""
_EPOCH_SECONDS = 719_163 * 86_400
_SECOND_NS = 1_000_000_000


class Rereader(Reader, Protocol):
    """A reader that parses texts as if other notes stood beside them: see `kgmem.sources.obsidian.Vault.among`."""

    def among(self, notes: Iterable[str], known: AbstractSet[str]) -> Rereader:
        """The same reader, with other notes in its folder."""


RereaderOf = Callable[[str, str], Rereader]
"""The reader of a folder, by root and kind."""


@dataclass(frozen=True, slots=True)
class Then:
    """A folder as it was read at an instant: who is who there, and how texts are parsed."""

    plan: Plan
    reader: Rereader


@dataclass(frozen=True, slots=True)
class Told:
    """A source as one of its episodes told of it, at one place."""

    source: Source
    head: Head
    typing: Typing


class Names:
    """Who is who, at any instant of a log."""

    def __init__(self, log: Log, ontology: Ontology, readers: RereaderOf) -> None:
        self._log = log
        self._ontology = ontology
        self._readers: dict[tuple[str, str], Rereader] = {}
        self._reader_of = readers
        self._heads: dict[tuple[Id, tuple[str, str], Id], tuple[Head, Typing]] = {}
        self._ever: dict[str, set[str]] = {}
        for stood in (each for every in log.places.values() for each in every):
            self._ever.setdefault(stood.place[0], set()).add(stood.place[1])
        self._taken_out = {(each.source, each.at) for each in log.entries if each.kind != "removed"}
        self.then = lru_cache(maxsize=_KEPT)(self._then)
        self._same = lru_cache(maxsize=_KEPT)(lambda at: Same(log.decided(at)))

    def _then(self, root: str, kind: str, at: Instant) -> Then:
        """How a folder is read at an instant."""
        same = self._same(at)
        cards = tuple(self._card(told, root) for told in self._standing(at))
        reader = self._reader(root, kind).among(self._files(root, at), self._ever.get(root, frozenset()))
        return Then(Plan((), (), (), cards, same), reader)

    def told(self, source: Id, at: Instant) -> Told | None:
        """A source as it stood at an instant; None if it was not live, or is no source that is read."""
        known, place, stood = self._log.sources[source], self._log.place(source, at), self._log.episode(source, at)
        if known.kind == CORRECTION or place is None or stood is None or stood.episode not in self._log.bodies:
            return None
        head, typing = self._head(known, place, stood.episode)
        about = self._same(at)[natural_entity(source, head.uid)] if known.entity else None
        here = replace(known, root=place[0], path=place[1], title=head.title, entity=about)
        return Told(here, head, typing)

    def document(self, then: Then, told: Told, stood: Stood) -> Document:
        """A source as it reads at an instant, with the file's time that was recorded for it."""
        _, text = self._log.bodies[stood.episode]
        return then.reader.parse(told.source.path, text, mtime_ns=_file_time(stood.occurred))

    def _head(self, source: Source, place: tuple[str, str], episode: Id) -> tuple[Head, Typing]:
        key = (source.id, place, episode)
        if key not in self._heads:
            root, path = place
            document = self._reader(root, source.kind).parse(path, self._log.bodies[episode][1], mtime_ns=0)
            folders = PurePosixPath(path).parent.parts
            typing = self._ontology.type_of(document.head, folders, daily=document.daily)
            self._heads[key] = (document.head, typing)
        return self._heads[key]

    def _reader(self, root: str, kind: str) -> Rereader:
        if (root, kind) not in self._readers:
            self._readers[root, kind] = self._reader_of(root, kind)
        return self._readers[root, kind]

    def _standing(self, at: Instant) -> Iterator[Told]:
        for source in self._log.sources:
            if (told := self.told(source, at)) is not None and told.source.entity:
                yield told

    def _card(self, told: Told, root: str) -> Card:
        """What a source calls itself: in its own folder also by its path, and by the name of its file."""
        card = card_of(told.source, told.head, told.typing)
        if told.source.root == root:
            return card
        own = frozenset(name for name, kind in names_of(told.head) if kind is not AliasKind.LINK)
        return replace(card, path="", names=own)

    def _files(self, root: str, at: Instant) -> Iterator[str]:
        """The notes of a folder; those that a person took out of the memory still have their files."""
        for source, every in self._log.places.items():
            last = next((stood for stood in reversed(every) if stood.since <= at), None)
            if last is None or last.place[0] != root:
                continue
            if last.until > at or (source, last.until) in self._taken_out:
                yield last.place[1]


def _file_time(occurred: Bound) -> int:
    """A modification time that gives that date, in nanoseconds; 0, which is none, for any other date."""
    if occurred.basis is not Basis.FILE or occurred.moment is None:
        return 0
    return (occurred.moment.first - _EPOCH_SECONDS + 1) * _SECOND_NS
