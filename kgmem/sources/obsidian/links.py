"""Which note a link means: Obsidian's rules, by dictionaries that are built once per scan."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kgmem.sources.dialect import Dialect
from kgmem.sources.naming import called, file_of

if TYPE_CHECKING:
    from kgmem.sources.obsidian.syntax import Resolve

NOTE_SUFFIXES = (".md", ".markdown")
# fmt: off
ATTACHMENT_SUFFIXES = frozenset((
    ".avif", ".bmp", ".gif", ".heic", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".tif", ".tiff", ".webp", ".3gp",
    ".aac", ".flac", ".m4a", ".mp3", ".ogg", ".opus", ".wav", ".webm", ".avi", ".mkv", ".mov", ".mp4", ".mpg",
    ".ogv", ".pdf", ".epub", ".mobi", ".djvu", ".canvas", ".base", ".excalidraw", ".drawio", ".css", ".csv", ".tsv",
    ".json", ".js", ".py", ".xml", ".yaml", ".yml", ".html", ".htm", ".txt", ".rtf", ".doc", ".docx", ".xls",
    ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp", ".zip", ".gz", ".tar", ".7z", ".rar", ".ics", ".bib", ".tex",
    ".ipynb", ".eml",
))
# fmt: on
"""Endings that make the target of a link a file, also when there is no such file. Endings that a note's name
may well have yield to a note of that name: ``Node.js`` is a note if there is one."""


def fold(text: str) -> str:
    """The form in which Obsidian's file names are compared: without case, and composed."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def without_suffix(path: str) -> str:
    """The path of a note without ``.md``."""
    for suffix in NOTE_SUFFIXES:
        if path.lower().endswith(suffix):
            return path[: -len(suffix)]
    return path


class Links:
    """The names of a vault's files.

    A link is looked up by its whole path, then by its last part; among several notes of that name the
    nearest folder wins, then the shorter path. Aliases do not resolve links: Obsidian itself writes
    ``[[Note|alias]]``.
    """

    def __init__(self, notes: Iterable[str], files: Iterable[str] = (), dialect: Dialect | None = None) -> None:
        """Take the paths (POSIX, relative to the root) of all notes, and of all other files."""
        self._dialect = dialect or Dialect()
        self._called: dict[str, str] = {}
        self._by_path: dict[str, list[str]] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in notes:
            key = fold(without_suffix(path))
            self._by_path.setdefault(key, []).append(path)
            self._by_name.setdefault(key.rpartition("/")[2], []).append(path)
            for name in (called(path),) if file_of(path) else self._dialect.names(path):
                self._called.setdefault(fold(self._dialect.key(name)), path)
        self._files = {fold(path.rpartition("/")[2]) for path in files}
        self._known: dict[tuple[str, str], tuple[str | None, bool]] = {}

    def resolver(self, path: str) -> Resolve:
        """How the links of the note at `path` resolve."""
        folder = path.rpartition("/")[0]

        def resolve(target: str) -> tuple[str | None, bool]:
            if not target:
                return path, False
            answer = self._known.get((folder, target))
            if answer is None:
                answer = self._known[folder, target] = self._resolve(target, folder)
            return answer

        return resolve

    def _resolve(self, target: str, folder: str) -> tuple[str | None, bool]:
        found = self._note(target, folder)
        if found is not None:
            return found, False
        name = fold(target.rpartition("/")[2])
        return None, name in self._files or PurePosixPath(name).suffix in ATTACHMENT_SUFFIXES

    def _note(self, target: str, folder: str) -> str | None:
        found = self._filed(target, folder) or self._called.get(fold(self._dialect.key(target)))
        if found is None and target.endswith("/"):
            below = (self._filed(f"{target}{index}", folder) for index in self._dialect.indexes)
            found = next((each for each in below if each), None)
        return found

    def _filed(self, target: str, folder: str) -> str | None:
        """The note that a target names by its path, or by the end of that."""
        wanted = without_suffix(target)
        relative = _joined(folder, wanted)
        if wanted.startswith(("./", "../")):
            return self._spelled(relative, wanted)
        absolute = wanted.lstrip("/")
        found = self._spelled(absolute, wanted) or self._spelled(relative, wanted)
        if found is not None or wanted.startswith("/"):
            return found
        key = fold(absolute)
        named = self._by_name.get(key.rpartition("/")[2], ())
        ending = f"/{key}"
        candidates = [path for path in named if f"/{fold(without_suffix(path))}".endswith(ending)]
        if len(candidates) > 1:
            candidates.sort(key=lambda path: (_steps(folder, path), not _same(path, absolute), len(path), path))
        return candidates[0] if candidates else None

    def _spelled(self, path: str | None, wanted: str) -> str | None:
        """The note at exactly that path; where names differ only in case, the one spelled so."""
        found = self._by_path.get(fold(path)) if path else None
        if not found:
            return None
        return next((one for one in found if _same(one, wanted)), found[0])


def _same(path: str, wanted: str) -> bool:
    """Whether the path ends in the very letters that are wanted."""
    return without_suffix(path).rpartition("/")[2] == wanted.rpartition("/")[2]


def _steps(folder: str, path: str) -> int:
    """How many folders lie between a folder and a note, up and down."""
    here = folder.split("/") if folder else []
    there = path.split("/")[:-1]
    shared = 0
    for ours, theirs in zip(here, there, strict=False):
        if ours != theirs:
            break
        shared += 1
    return len(here) + len(there) - 2 * shared


def _joined(folder: str, target: str) -> str | None:
    """The target as seen from a folder, or None if it leads out of the vault."""
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)
