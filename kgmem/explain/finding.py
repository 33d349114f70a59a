"""Which note is meant by a path, a title or an id."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from kgmem.errors import NotFoundError, UserError
from kgmem.ingestion.plan import stem
from kgmem.model import Source
from kgmem.resolution.names import name_key
from kgmem.sources.arriving import is_folder
from kgmem.sources.dialect import root_around
from kgmem.store.protocol import Store, Transacted

_SUFFIX = ".md"
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Note:
    """A note by its place; a file that is there, a source that the memory holds, or both."""

    root: str
    path: str
    """POSIX, relative to the root."""
    kind: str | None = None
    """What the memory takes the folder for; None for one that was never ingested."""
    source: Source | None = None
    """As the memory holds it."""
    removed: Transacted | None = None
    """The transaction that took it out of the memory's present."""

    @property
    def file(self) -> Path:
        """Where it is, or was."""
        return Path(self.root) / self.path


def find_note(store: Store, name: str, folder: Path) -> Note:
    """The note of a name: a path (absolute, relative to `folder` or to its vault), a title, a file name or an id.

    Raises:
        kgmem.errors.NotFoundError: no file and no source is called so.
        kgmem.errors.UserError: several are; the hint lists them.
    """
    asked = _Asked(name, folder)
    found = _present(store, asked) or _past(store, asked)
    if not found:
        raise NotFoundError(f"no note is called {name!r}", "give the path of its file")
    if len(found) > 1:
        shown = ", ".join(str(note.file) for note in found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise UserError(f"{len(found)} notes are called {name!r}", f"name one of {shown}{more}")
    return found[0]


class _Asked:
    """What was asked for, in the forms that it may have."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.file = Path(os.path.normpath(folder.absolute() / Path(name).expanduser()))
        """Where it is if it is a path; without looking at the disk, which would follow links out of the vault."""
        self._key = name_key(name)
        relative = _composed(name.removeprefix("./"))
        self._relative = {relative, relative + _SUFFIX}
        whole = _composed(self.file.as_posix())
        self._whole = {whole, whole + _SUFFIX}

    def means(self, source: Source) -> bool:
        """Whether it may mean a source."""
        path = _composed(source.path)
        return (
            source.id == self.name
            or path in self._relative
            or f"{_composed(source.root)}/{path}" in self._whole
            or self._key in (name_key(source.title), name_key(stem(source.path)))
        )


def _present(store: Store, asked: _Asked) -> list[Note]:
    """Sources that are live, and files, each once."""
    kinds = {root: kind for kind, root, _ in store.roots()}
    sources = {(source.root, source.path): source for source in store.sources()}
    places = [*(place for place, source in sources.items() if asked.means(source)), *_files(asked, kinds)]
    return [Note(root, path, kinds.get(root), sources.get((root, path))) for root, path in dict.fromkeys(places)]


def _files(asked: _Asked, roots: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(root, path) of the files that are there by that name."""
    if asked.file.is_file():
        root = _root_of(asked.file, roots)
        yield root.as_posix(), asked.file.relative_to(root).as_posix()
    inside = PurePosixPath(asked.name)
    if not inside.is_absolute() and ".." not in inside.parts:
        for each in filter(is_folder, roots):
            if (Path(each) / inside).is_file():
                yield each, inside.as_posix()


def _root_of(file: Path, roots: Iterable[str]) -> Path:
    """The folder that a file is read in: one that the memory knows, else the vault or graph around it, else its own."""
    known = [Path(root) for root in roots if is_folder(root) and file.is_relative_to(root)]
    return max(known, key=lambda root: len(root.parts)) if known else root_around(file)


def _past(store: Store, asked: _Asked) -> list[Note]:
    """Sources that were live once."""
    last: dict[str, Transacted] = {}
    for each in store.transactions():
        if each.source is not None and asked.means(each.source):
            last[each.source.id] = each
    return [
        Note(source.root, source.path, source.kind, source, each)
        for each in last.values()
        if (source := each.source) is not None
    ]


def _composed(path: str) -> str:
    return unicodedata.normalize("NFC", path)
