"""Whether a folder may hold an export: its manifest makes every later scan take all of it as pages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from kgmem.errors import UserError
from kgmem.export.manifest import MANIFEST
from kgmem.export.parts import BEGIN

_HINT: Final = "kgmem export DIR, with DIR a new folder; it may be one within your vault"
_OF_SYSTEMS: Final = frozenset(
    [".DS_Store", ".localized", ".directory", ".gitkeep", "Thumbs.db", "desktop.ini", "Icon\r", MANIFEST]
)
"""Files that a system or a tool puts into any folder."""


def check_target(folder: Path, roots: Iterable[str], *, again: bool = True) -> None:
    """Make sure that pages may go into a folder: one with our manifest, or with nothing of others in it.

    Args:
        folder: where pages are to go; it need not exist.
        roots: the folders that were ingested.
        again: whether our pages may be there though the manifest is lost, to be taken over again.

    Raises:
        UserError: it is or holds an ingested folder, or holds files of others and was never ours, or cannot be read.
    """
    for root in roots:
        if Path(root).is_absolute() and _holds(folder, Path(root)):
            is_root = _same(folder, Path(root))
            what = "is a folder that was ingested" if is_root else f"holds {root}, which was ingested"
            raise UserError(f"{folder} {what}: its notes would be taken as pages", _HINT)
    if not os.path.lexists(folder / MANIFEST) and (other := _other(folder, again=again)):
        why = f"{other} is no page of ours" if again else f"{other} is there, and only the manifest could tell of when"
        raise UserError(f"{folder} is not empty: {why}", _HINT)


def _holds(folder: Path, root: Path) -> bool:
    """Whether a folder is another or is above it, by whatever names both go."""
    above = (root, *root.parents, *root.resolve().parents)
    return any(_same(folder, each) for each in above)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()


def _other(folder: Path, *, again: bool) -> str | None:
    """The first file below a folder that neither a system nor, if they count for nothing, we put there."""
    held = (each for each in _files(folder) if not (_is_of_system(each) or (again and _is_page(each))))
    return next((each.relative_to(folder).as_posix() for each in held), None)


def _files(folder: Path) -> Iterator[Path]:
    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):
            raise UserError(f"{folder} cannot be read: {error.strerror or error}", "check who may read it") from error

    for here, below, names in os.walk(folder, onerror=refuse):
        links = [name for name in below if (Path(here) / name).is_symlink()]
        yield from (Path(here) / name for name in sorted([*names, *links]))


def _is_of_system(file: Path) -> bool:
    return file.name in _OF_SYSTEMS or file.name.startswith(("._", ".kgmem-"))


def _is_page(file: Path) -> bool:
    if file.is_symlink() or file.suffix != ".md":
        return False
    try:
        data = file.read_bytes()
    except OSError:
        return False
    return b"kgmem_id:" in data and BEGIN.encode() in data
