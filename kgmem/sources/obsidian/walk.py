"""Walking a vault's folders: every file that is wanted, and what could not be seen.

Symbolic links to folders and files outside the vault are followed, each real folder once; those to places
inside the vault are another name of what is walked anyway, and those to a folder around the vault would lead
to everything: both are passed over. Sockets and pipes are never opened.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kgmem.errors import SourceError
from kgmem.model import Problem
from kgmem.sources.obsidian.links import fold
from kgmem.sources.obsidian.rules import EXPORT_MARKER, IGNORE_FILE, Rules, Verdict


class Entry(NamedTuple):
    """A file that is a source, as the file system shows it; entries sort by path."""

    path: str
    size: int
    mtime_ns: int


@dataclass(slots=True)
class Walk:
    """What a walk saw."""

    entries: list[Entry] = field(default_factory=list)
    """Sources, by path."""
    files: list[str] = field(default_factory=list)
    """Other files: what links may name."""
    problems: list[Problem] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    """Folders and files that are there and could not be read: nothing is known about them."""
    linked: list[tuple[str, str]] = field(default_factory=list)
    """(path, real folder) of the symbolic links to folders outside."""


def walk(root: Path, rules: Rules) -> Walk:
    """Walk a vault.

    Raises:
        kgmem.errors.SourceError: the root is no folder, or cannot be read.
    """
    seen = Walk(problems=list(rules.problems))
    try:
        top = _listed(root)
    except NotADirectoryError as error:
        raise SourceError(f"not a folder: {root}", "give the folder that holds the notes") from error
    except FileNotFoundError as error:
        raise SourceError(f"no such folder: {root}", "check the path; is the disk connected?") from error
    except OSError as error:
        hint = "check who may read the folder; nothing was changed"
        raise SourceError(f"cannot read the folder {root}: {error.strerror or error}", hint) from error
    _Walker(root, rules, seen).run(top)
    seen.entries.sort()
    seen.problems += _collisions(seen.entries)
    return seen


class _Walker:
    def __init__(self, root: Path, rules: Rules, seen: Walk) -> None:
        self.root = root
        self.rules = rules
        self.seen = seen
        self.real_root = Path(os.path.realpath(root))
        self.visited: set[tuple[int, int]] = set()
        self.links: list[tuple[str, os.DirEntry[str]]] = []
        """Symbolic links to folders, kept until the real folders are walked."""

    def run(self, top: list[os.DirEntry[str]]) -> None:
        self.visit(self.root)
        self.take(top, "")
        while self.links:
            self.links.sort(key=lambda link: link[0])
            path, entry = self.links.pop(0)
            if self.leads_out(entry):
                self.seen.linked.append((path, os.path.realpath(entry.path)))
                self.enter(path, Path(entry.path))

    def visit(self, folder: Path) -> bool:
        """Whether a real folder is seen for the first time."""
        status = folder.stat()
        key = (status.st_dev, status.st_ino)
        if key in self.visited:
            return False
        self.visited.add(key)
        return True

    def leads_out(self, entry: os.DirEntry[str]) -> bool:
        """Whether a symbolic link leads to a place that is neither inside nor around the vault."""
        target = Path(os.path.realpath(entry.path))
        return not (target.is_relative_to(self.real_root) or self.real_root.is_relative_to(target))

    def enter(self, path: str, folder: Path) -> None:
        try:
            if not self.rules.folder(path) or not self.visit(folder):
                return
            entries = _listed(folder)
        except FileNotFoundError:
            self.seen.unseen.append(path)  # it vanished during the walk: the next one will know
            return
        except OSError as error:
            self.unreadable(path, error)
            return
        self.take(entries, path)

    def take(self, entries: list[os.DirEntry[str]], folder: str) -> None:
        """Take the files of a folder, then enter the folders in it."""
        names = {entry.name for entry in entries}
        if EXPORT_MARKER in names:
            return
        if IGNORE_FILE in names:
            self.rules.enter(folder)
        below: list[tuple[str, os.DirEntry[str]]] = []
        above = f"{folder}/" if folder else ""
        for entry in entries:
            if entry.name.startswith("."):
                continue
            path = above + entry.name
            if not _is_utf8(path):
                self.misnamed(path)
            elif self.is_folder(path, entry):
                below.append((path, entry))
        for path, entry in below:
            if entry.is_symlink():
                self.links.append((path, entry))
            else:
                self.enter(path, Path(entry.path))

    def is_folder(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Whether an entry is a folder; a file is taken, what cannot be looked at is noted."""
        try:
            if entry.is_dir():
                return True
            self.file(path, entry)
        except FileNotFoundError:
            self.seen.unseen.append(path)
        except OSError as error:
            self.unreadable(path, error)
        return False

    def file(self, path: str, entry: os.DirEntry[str]) -> None:
        if not entry.is_file():
            if entry.is_symlink() and not Path(entry.path).exists():  # it may lead to a disk that is not connected
                self.unreadable(path, FileNotFoundError(errno.ENOENT, "the symbolic link leads nowhere"))
            return
        verdict = self.rules.file(path)
        if verdict is Verdict.FILE:
            self.seen.files.append(path)
        elif verdict is Verdict.CONFLICT:
            message = "a conflict copy that a sync tool left; it was not read"
            self.seen.problems.append(
                Problem(path, 1, "conflict-copy", message, "merge it into its note, then delete it")
            )
            self.seen.unseen.append(path)
        elif verdict is Verdict.SOURCE and not (entry.is_symlink() and not self.leads_out(entry)):
            status = entry.stat()
            self.seen.entries.append(Entry(path, status.st_size, status.st_mtime_ns))

    def misnamed(self, path: str) -> None:
        shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        self.seen.problems.append(Problem(shown, 1, "encoding", "the name is not UTF-8; it was not read", "rename it"))

    def unreadable(self, path: str, error: OSError) -> None:
        message = f"cannot be read: {error.strerror or error}"
        self.seen.problems.append(
            Problem(path, 1, "unreadable", message, "check who may read it; what was known is kept")
        )
        self.seen.unseen.append(path)


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _collisions(entries: list[Entry]) -> Iterator[Problem]:
    """Paths that are one on a disk without case, or with composed names."""
    first: dict[str, str] = {}
    for entry in entries:
        other = first.setdefault(fold(entry.path), entry.path)
        if other != entry.path:
            message = f"this name and {other!r} are one on disks that do not tell case or accents' spelling apart"
            yield Problem(entry.path, 1, "name-collision", message, "rename one of the two")
