"""Which files of a vault are sources: one set of rules, for a scan and for watching."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgmem.model import Problem
from kgmem.sources.naming import SUFFIXES
from kgmem.sources.obsidian.links import NOTE_SUFFIXES

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".kgmemignore"
EXPORT_MARKER = ".kgmem-manifest.json"
"""A folder that holds this file holds our own pages."""
CANVAS_SUFFIX = ".canvas"

_SOURCE_SUFFIXES = (*NOTE_SUFFIXES, CANVAS_SUFFIX)
_TEMPORARY_SUFFIXES = (".tmp", ".temp", ".swp", ".swo", ".crswap", ".part", ".crdownload", "~")
_LOCK_PREFIX = "~$"
_CONFLICT = (
    r".*(?:\([^()]*conflicted copy[^()]*\)|\(conflict[ _-]\d[^()]*\)|\.sync-conflict-\d{8}-\d{6}[^/]*)"
    r"\.(?:md|markdown|canvas)"
)


class Verdict(Enum):
    """What a file is to a reader."""

    SOURCE = "source"
    CONFLICT = "conflict"
    """A copy that a sync tool left behind: reported, not read."""
    FILE = "file"
    """Something that notes may link to."""
    IGNORED = "ignored"


class Rules:
    """The rules of one vault: built in, Obsidian's settings, ``.kgmemignore`` files, and our settings."""

    def __init__(self, root: Path, ignore: Iterable[str], excluded: Iterable[str] = ()) -> None:
        """`excluded` lists folders (relative to the root) of templates and of our own pages."""
        self.root = root
        self.problems: list[Problem] = []
        self._excluded = {path.strip("/") for path in excluded} - {"", "."}
        self._specs: dict[str, GitIgnoreSpec] = {}
        patterns = tuple(ignore)
        self._settings = _ignore_spec(patterns) if patterns else None
        self._prefixes: tuple[str, ...] = ()
        self._expressions: tuple[re.Pattern[str], ...] = ()
        self._read_user_filters()
        self.enter("")

    def enter(self, folder: str) -> None:
        """Read the ignore file of a folder, if it has one."""
        path = self.root / folder / IGNORE_FILE
        try:
            lines = path.read_text(encoding="utf-8-sig").splitlines()
        except FileNotFoundError:
            self._specs.pop(folder, None)
            return
        except (OSError, UnicodeError) as error:
            self._problem(f"{folder}/{IGNORE_FILE}".lstrip("/"), f"cannot be read: {error}", "write it as UTF-8")
            return
        try:
            self._specs[folder] = _ignore_spec(lines)
        except ValueError as error:
            self._problem(
                f"{folder}/{IGNORE_FILE}".lstrip("/"), f"not a pattern: {error}", "use the rules of .gitignore"
            )

    def folder(self, path: str) -> bool:
        """Whether to look into a folder; if it holds `EXPORT_MARKER`, what is there is not wanted either."""
        name = path.rpartition("/")[2]
        return not (name.startswith(".") or path in self._excluded or self._ignored(f"{path}/"))

    def file(self, path: str) -> Verdict:
        """What the file at that path is, whose folders are all walked."""
        name = path.rpartition("/")[2].lower()
        if name.startswith((".", _LOCK_PREFIX)) or name.endswith(_TEMPORARY_SUFFIXES) or self._ignored(path):
            return Verdict.IGNORED
        if not name.endswith(_SOURCE_SUFFIXES):
            return Verdict.FILE
        return Verdict.CONFLICT if "conflict" in name and re.fullmatch(_CONFLICT, name) else Verdict.SOURCE

    def wanted(self, path: str) -> bool:
        """Whether a scan would read the file at that path, whatever is written in it."""
        parts = path.split("/")
        for length in range(len(parts)):
            folder = "/".join(parts[:length])
            if (folder and not self.folder(folder)) or (self.root / folder / EXPORT_MARKER).exists():
                return False
            self.enter(folder)
        verdict = self.file(path)
        return verdict is Verdict.SOURCE or (verdict is Verdict.FILE and path.lower().endswith(SUFFIXES))

    def _ignored(self, path: str) -> bool:
        """Whether a pattern names the path (with a slash at its end for a folder); the deepest file decides."""
        if not (self._specs or self._settings or self._prefixes or self._expressions):
            return False
        if self._specs:
            folder = path.rstrip("/").rpartition("/")[0]
            while True:
                spec = self._specs.get(folder)
                verdict = spec.check_file(path[len(folder) + 1 if folder else 0 :]).include if spec else None
                if verdict is not None:
                    return verdict
                if not folder:
                    break
                folder = folder.rpartition("/")[0]
        if self._settings is not None and self._settings.match_file(path):
            return True
        bare = path.rstrip("/")
        return any(f"{bare}/".startswith(prefix) for prefix in self._prefixes) or any(
            expression.search(path) for expression in self._expressions
        )

    def _read_user_filters(self) -> None:
        settings, problem = read_settings(self.root, "app.json")
        if problem:
            self.problems.append(problem)
        filters = settings.get("userIgnoreFilters")
        prefixes: list[str] = []
        expressions: list[re.Pattern[str]] = []
        for each in filters if isinstance(filters, list) else ():
            if not isinstance(each, str) or not each.strip("/ "):
                continue
            if len(each) > 2 and each.startswith("/") and each.endswith("/"):  # noqa: PLR2004 - two slashes
                try:
                    expressions.append(re.compile(each[1:-1]))
                except re.error as error:
                    self._problem(
                        ".obsidian/app.json", f"not a pattern: {each} ({error})", "correct the excluded files"
                    )
            else:
                prefixes.append(f"{each.strip('/')}/")
        self._prefixes, self._expressions = tuple(prefixes), tuple(expressions)

    def _problem(self, path: str, message: str, hint: str) -> None:
        self.problems.append(Problem(path, 1, "settings", message, hint))


def is_canvas(path: str) -> bool:
    """Whether a source is a canvas, by its name."""
    return path.lower().endswith(CANVAS_SUFFIX)


def _ignore_spec(lines: Iterable[str]) -> GitIgnoreSpec:
    """Patterns in the style of .gitignore. Raises ValueError for what is none."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def read_settings(root: Path, name: str) -> tuple[dict[str, Any], Problem | None]:
    """(one of Obsidian's own settings files, what is wrong with it); a missing one is empty."""
    path = root / ".obsidian" / name
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}, None
    except (OSError, ValueError, RecursionError) as error:
        message = f"Obsidian's settings cannot be read: {error}"
        return {}, Problem(f".obsidian/{name}", 1, "settings", message, "open the vault in Obsidian once")
    return (found if isinstance(found, dict) else {}), None
