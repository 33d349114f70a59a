"""Folders of notes as other tools write them."""

from __future__ import annotations

from pathlib import Path

from kgmem.sources.document import Document
from kgmem.sources.obsidian import Vault


def written(folder: Path, files: dict[str, str]) -> Path:
    """A folder with these files."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def logseq(folder: Path, files: dict[str, str], config: str = "{}") -> Vault:
    """A graph of Logseq with these files."""
    return Vault(written(folder, {"logseq/config.edn": config, **files}))


def documents(vault: Vault) -> dict[str, Document]:
    """Every source of a folder, by its path, once it is made sure that its body reads the same again."""
    found = {}
    for each in vault.scan({}).added:
        document = found[each.path] = vault.read(each.path)
        again = vault.parse(each.path, document.text, mtime_ns=each.mtime_ns)
        assert (again.head, again.blocks, again.hash) == (document.head, document.blocks, document.hash)
        assert document.hash == each.hash
    return found


def prose(document: Document) -> list[str]:
    """What its blocks say, without the title and properties, each on one line."""
    return [" ".join(each.prose.split()) for each in document.blocks if each.kind not in {"title", "property"}]


def links(document: Document) -> list[tuple[str, str | None]]:
    """(what the links of its blocks call, the path of the note), in order, without those of properties."""
    blocks = (each for each in document.blocks if each.kind != "property")
    return [(link.name or link.target, link.path) for block in blocks for link in block.links]
