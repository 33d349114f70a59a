"""Re-extracting a small vault: with which ontology, and what it comes to."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime

from ingestion.notes import WEDNESDAY, line

from kgmem.checkup import check_up
from kgmem.extraction.ontology import Ontology, load_ontology
from kgmem.recall.facts import view
from kgmem.reextraction.compare import compare
from kgmem.reextraction.making import Making
from kgmem.reextraction.replay import Means, Wish
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store

ONTOLOGY = load_ontology()
ALL = Wish()


def silent(_what, _done, _total):
    pass


def ontology_with(folder, text):
    """Ours, with a text of a person's own over it."""
    own = folder / "ontology.yaml"
    own.write_text(text, encoding="utf-8")
    return load_ontology(own)


class Again:
    """Re-extractions of one memory."""

    def __init__(self, notes, ontology: Ontology = ONTOLOGY, *, version="1", now=WEDNESDAY) -> None:
        self.notes = notes
        self.means = Means(ontology, lambda root, kind: Vault(root, kind=kind), version=version)
        self._now = datetime.fromisoformat(now)

    def open(self, group="default", **options):
        return open_store(self.notes.url, group, now=self._now, **options)

    def making(self, store, wish=ALL, progress=silent):
        return Making(store, lambda group: self.open(group, unfinished=True), self.means, wish, progress)

    def make(self, wish=ALL, progress=silent):
        """(added, lost, changed) as lines, of a generation that waits."""
        with closing(self.open()) as store:
            making = self.making(store, wish, progress)
            with making.alone():
                made = making.make()
            with closing(self.open(made.group)) as coming:
                found = compare(store, coming)
                assert [check.name for check in check_up(coming, self.means.ontology) if not check.ok] == []
                changed = zip(
                    view(store, [old for old, _ in found.changed]),
                    view(coming, [new for _, new in found.changed]),
                    strict=True,
                )
                return (
                    [line(each) for each in view(coming, found.added)],
                    [line(each) for each in view(store, found.lost)],
                    [(line(old), line(new)) for old, new in changed],
                )

    def promote(self, wish=ALL, progress=silent):
        with closing(self.open()) as store:
            making = self.making(store, wish, progress)
            with making.alone():
                return making.promote(making.make())

    def dump(self, group="default"):
        with closing(self.open(group)) as store:
            return list(store.dump())

    def generations(self):
        """Numbers of generations, the current one in brackets."""
        with closing(self.open()) as store:
            return [f"[{each.number}]" if each.current else str(each.number) for each in store.generations().every()]
