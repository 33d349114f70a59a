"""A small vault in a folder, and the memory that reads it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from kgmem.extraction.ontology import Ontology, load_ontology
from kgmem.memory import Memory
from kgmem.model import LINKS_TO, Report, to_instant
from kgmem.recall.facts import FactView, find_facts
from kgmem.recall.names import find_entity
from kgmem.recall.wording import when
from kgmem.sources.document import Document
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.protocol import EntityCard, EntityQuery, FactQuery, Store

MONDAY, TUESDAY, WEDNESDAY = "2026-03-02T10:00:00+00:00", "2026-03-03T10:00:00+00:00", "2026-03-04T10:00:00+00:00"
_WRITTEN = 1_767_225_600
"""2026-01-01, in seconds: when files were last changed, so that two runs of a test are one."""


class Notes:
    """A vault and its memory. Every ingest may have a clock of its own; none of them knows spaCy."""

    def __init__(self, folder: Path, group: str = "default", *, ontology: Ontology | None = None) -> None:
        self.vault = folder / "vault"
        self.vault.mkdir(exist_ok=True)
        self.url = f"sqlite:///{folder / 'memory.db'}"
        self.group = group
        self._ontology = ontology or load_ontology()
        self._edits = 0

    def write(self, files: dict[str, str]) -> Notes:
        """Write notes; a later one looks later to a scan."""
        for path, text in files.items():
            self._edits += 1
            file = self.vault / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            os.utime(file, (_WRITTEN + self._edits, _WRITTEN + self._edits))
        return self

    def remove(self, *paths: str) -> Notes:
        for path in paths:
            (self.vault / path).unlink()
        return self

    def move(self, old: str, new: str) -> Notes:
        (self.vault / new).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / old).rename(self.vault / new)
        return self

    @contextmanager
    def store(self, now: str = MONDAY) -> Iterator[Store]:
        store = open_store(self.url, self.group, now=datetime.fromisoformat(now))
        try:
            yield store
        finally:
            store.close()

    def ingest(self, now: str = MONDAY, *, reader: Vault | None = None, **options) -> Report:
        with self.store(now) as store:
            memory = Memory(store, self._ontology)
            return memory.ingest(reader or Vault(self.vault), **{"confirm": _agree, **options})

    def dump(self) -> list[str]:
        with self.store() as store:
            return list(store.dump())

    def facts(self, query: FactQuery | None = None, *, links: bool = False) -> list[str]:
        """What is believed, as lines: ``Mira | WORKS_AT | Château Nord | 2015 – 2023-03``."""
        with self.store() as store:
            _, found = find_facts(store, query or FactQuery())
        return sorted(line(each) for each in found if links or each.fact.predicate != LINKS_TO)

    def facts_known(self, day: str) -> list[str]:
        """What was believed at the end of a day, bare links left out."""
        known = to_instant(datetime.fromisoformat(f"{day}T23:59:59+00:00"))
        with self.store() as store:
            _, found = find_facts(store, FactQuery(known=known))
        return sorted(line(each) for each in found if each.fact.predicate != LINKS_TO)

    def copy(self) -> Notes:
        """The same notes, with a memory of their own."""
        other = self.vault.parent / "copy"
        shutil.copytree(self.vault, other / "vault")
        return Notes(other, self.group, ontology=self._ontology)

    def links(self) -> list[str]:
        """Who links to whom: ``A > B``."""
        with self.store() as store:
            _, found = find_facts(store, FactQuery(predicate=LINKS_TO))
        return sorted(f"{each.subject.name} > {each.target}" for each in found)

    def cards(self) -> list[EntityCard]:
        with self.store() as store:
            return list(store.cards(EntityQuery(sort="name"))[1])

    def entities(self) -> dict[str, int]:
        """Mentions by name; homonyms are added up."""
        counts: dict[str, int] = {}
        for card in self.cards():
            counts[card.entity.name] = counts.get(card.entity.name, 0) + card.mentions
        return counts

    def called(self, name: str) -> list[EntityCard]:
        with self.store() as store:
            return list(find_entity(store, name))

    def mentioned_in(self, name: str) -> list[str]:
        """Paths of the notes that mention the one entity of a name, its own too."""
        (card,) = self.called(name)
        with self.store() as store:
            placed = store.placed({m.passage for m in store.mentions_of(card.entity.id, 1000)[1]})
        return sorted({each.path for each in placed.values()})


def _agree(_gone: int, _known: int) -> bool:
    return True


class Faltering(Vault):
    """A vault of which one file vanishes between the scan and the read."""

    def __init__(self, root: Path, lost: str) -> None:
        super().__init__(root)
        self._lost = lost

    def read(self, path: str) -> Document:
        if path == self._lost:
            raise FileNotFoundError(2, "No such file or directory", path)
        return super().read(path)


def line(view: FactView) -> str:
    return f"{view.subject.name} | {view.fact.predicate} | {view.target} | {when(view.fact)}"
