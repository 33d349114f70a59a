"""The reader of a root that the memory holds, by the kind of its sources."""

from __future__ import annotations

from pathlib import Path

from kgmem.sources.arriving import Arriving, is_folder
from kgmem.sources.document import SourceSettings
from kgmem.sources.obsidian import Vault


def open_reader(root: str, kind: str | None, settings: SourceSettings) -> Vault | Arriving:
    """The reader of a root.

    Args:
        root: an absolute folder, or the name of a root that is none.
        kind: as the memory holds it; None to see what the folder is.
        settings: what a person may set about reading.
    """
    if not is_folder(root):
        from kgmem.sources.captures import captures
        from kgmem.sources.readwise import shelf

        return shelf.arriving() if root == shelf.ROOT else captures(settings)
    return open_folder(Path(root), kind, settings)


def open_folder(folder: Path, kind: str | None, settings: SourceSettings) -> Vault:
    """The reader of a folder; args as those of `open_reader`."""
    return Vault(folder, settings, kind=kind)
