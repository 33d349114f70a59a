"""A small vault, a memory of it, and its export."""

from kgmem.export import export_pages
from kgmem.export.manifest import MANIFEST, Manifest
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store

PEOPLE = {
    "People/Mira.md": (
        "---\ntype: person\naliases: [Mira Castel]\n---\n"
        "works_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)\n\n# Notes\n\nMira likes rain.\n"
    ),
    "Places/Nord.md": "---\ntype: company\n---\nA house in the north.\n",
    "Places/Sud.md": "---\ntype: company\n---\nA house in the south.\n",
    "Daily/2024-05-01.md": "Lunch with [[Mira]] at [[Sud]]. ^lunch\n",
}


class Home:
    """A vault on disk with its memory; `export` writes into `pages`."""

    def __init__(self, folder, notes, pages=None, group="default"):
        self.vault = folder / "vault"
        (self.vault / ".obsidian").mkdir(parents=True)
        self.pages = pages or self.vault / "pages"
        self.store = open_store(str(folder / "memory.db"), group)
        self.memory = Memory(self.store, load_ontology())
        self.write(notes)

    def write(self, notes):
        for path, text in notes.items():
            file = self.vault / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        return self.ingest()

    def remove(self, *paths):
        for path in paths:
            (self.vault / path).unlink()
        return self.ingest()

    def ingest(self):
        return self.memory.ingest(Vault(self.vault), confirm=lambda *_: True)

    def export(self, **options):
        return export_pages(self.store, self.pages, **options)

    def adopt(self):
        """Make the folder of pages one of ours, with none in it yet."""
        self.pages.mkdir()
        self.page(MANIFEST).write_text(Manifest("default").text(), "utf-8")

    def page(self, path):
        return self.pages / path

    def written(self):
        return sorted(file.relative_to(self.pages).as_posix() for file in self.pages.rglob("*.md"))
