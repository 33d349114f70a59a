"""Why a scan passes over a file that is there."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from kgmem.sources.dialect import dialect_of
from kgmem.sources.naming import SUFFIXES
from kgmem.sources.obsidian import Vault
from kgmem.sources.obsidian.head import OUR_KEY
from kgmem.sources.obsidian.links import NOTE_SUFFIXES
from kgmem.sources.obsidian.rules import CANVAS_SUFFIX, EXPORT_MARKER, read_settings


def why_left_out(vault: Vault, path: str) -> tuple[str, str]:
    """(why the file at that path, relative to the root, is no source; what helps)."""
    if not vault.wanted(path):
        own = next((each for each in dialect_of(vault.kind, Path(vault.root)).excluded if _is_in(path, each)), None)
        if own is not None:
            return f"it is no page: {vault.kind.capitalize()} keeps what is its own in {own}", ""
        return _by_its_name(Path(vault.root), PurePosixPath(path))
    if path.lower().endswith(SUFFIXES):
        return "it holds no highlights, no conversation and no page that is read", ""
    if (Path(vault.root) / path).is_symlink():
        return "it is another name of a file of the vault, which is read under its own", ""
    head = vault.read(path).head
    if any(each.key == OUR_KEY for each in head.properties):
        return "it is a page that kgmem wrote: what is in it came from notes", ""
    return "it is a template: it has gaps to be filled", "move it out of the templates, or fill them"


def _is_in(path: str, folder: str) -> bool:
    return PurePosixPath(path).is_relative_to(folder)


def _by_its_name(root: Path, path: PurePosixPath) -> tuple[str, str]:
    if hidden := next((part for part in path.parts if part.startswith(".")), None):
        return f"it is hidden: {hidden} begins with a dot", ""
    if not path.name.lower().endswith((*NOTE_SUFFIXES, CANVAS_SUFFIX)):
        return "it is no note: only Markdown, canvas files and exports are read", ""
    if any((root / folder / EXPORT_MARKER).exists() for folder in path.parents):
        return "it stands among the pages that kgmem wrote", "move it out of their folder"
    templates = read_settings(root, "templates.json")[0].get("folder")
    if isinstance(templates, str) and templates.strip("/") and path.is_relative_to(templates.strip("/")):
        return f"it is a template: Obsidian keeps them in {templates}", ""
    return "a rule leaves it out", "see .kgmemignore, Obsidian's excluded files, and `ignore` in the configuration"
