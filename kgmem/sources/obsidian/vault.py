"""An Obsidian vault, or any folder of Markdown, as a reader of sources.

A scan stats every file and opens only those whose size or time is new; of these it reads on only where the
content is new too. The head of a note is read from the bytes that are hashed, so that the names of all sources
are known before the first text is read. Links in the head of a scan (`Found.head`) are not resolved yet; those
of a `Document` are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kgmem.errors import SourceError
from kgmem.model import Problem
from kgmem.sources.document import Document, Head, Scan, Seen, SourceSettings
from kgmem.sources.obsidian.compare import Comparison
from kgmem.sources.obsidian.links import Links, without_suffix
from kgmem.sources.obsidian.rules import Rules, is_canvas, read_settings
from kgmem.sources.obsidian.text import plain
from kgmem.sources.obsidian.walk import Entry, Walk, walk

if TYPE_CHECKING:
    from kgmem.sources.obsidian.parse import Parser
    from kgmem.sources.obsidian.syntax import Resolve


class Vault:
    """Reads a folder of notes; `kind` is ``obsidian``, or ``text`` for a folder without ``.obsidian``."""

    def __init__(self, root: Path, settings: SourceSettings | None = None, *, kind: str | None = None) -> None:
        """Name a folder; it is first read by `scan` or `read`. `kind` overrides what it is taken for."""
        self._folder = Path(root).absolute()
        self._files = self._folder
        """Where the files are: elsewhere for a copy."""
        self._settings = settings or SourceSettings()
        self.root = self._folder.as_posix()
        self.kind = kind or ("obsidian" if (self._folder / ".obsidian").is_dir() else "text")
        self._rules: Rules | None = None
        self._seen: Walk | None = None
        """The last walk; `_links` are the names of its files, built where a link is first met."""
        self._links: Links | None = None
        self._paths: tuple[str, ...] = ()
        self._passed: dict[str, Entry] = {}
        """Templates and pages of ours, as they were when they were found out."""
        self._daily, problem = read_settings(self._folder, "daily-notes.json")
        self._problems = (problem,) if problem else ()

    def copied_to(self, folder: Path) -> Vault:
        """This vault read from a copy of its files: under its own name, and by its own settings and rules."""
        copy = Vault(self._folder, self._settings, kind=self.kind)
        copy._files = folder.absolute()
        return copy

    def among(self, notes: Iterable[str], known: AbstractSet[str]) -> Vault:
        """This vault with other notes than its folder has now, to which links resolve. It is there to parse with.

        Args:
            notes: the paths of the notes.
            known: paths that are notes at some time; what else the folder holds is there at all times.
        """
        other = Vault(self._folder, self._settings, kind=self.kind)
        try:
            seen = self._seen or self._walk()
        except SourceError:
            seen = Walk()
        every = list(notes)
        every += (entry.path for entry in seen.entries if entry.path not in known)
        canvases = (path for path in every if is_canvas(path))
        other._links = Links((path for path in every if not is_canvas(path)), (*seen.files, *canvases))
        return other

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """Walk the folder and compare it with what is known, by path.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """
        seen = self._walk()
        comparison = Comparison(known, seen.unseen)
        sources = [entry for entry in seen.entries if comparison.same(entry) or self._compare(entry, comparison)]
        self._paths = tuple(entry.path for entry in sources)
        scan = comparison.result()
        return replace(scan, problems=(*self._problems, *seen.problems, *scan.problems))

    def read(self, path: str) -> Document:
        """Read one source. Bad input is in the document's problems.

        Raises:
            OSError: the file vanished or cannot be read.
        """
        file = self._files / path
        data = file.read_bytes()
        mtime_ns = file.stat().st_mtime_ns
        digest = _digest(data)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            head = Head(path, without_suffix(path.rpartition("/")[2]))
            return Document(head, self.kind, digest, "", (), problems=(_not_utf8(path, data, error),))
        return self._parser.document(path, text, digest, mtime_ns, self._resolver(path))

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """Read a text as if it stood at `path`: replaying a stored episode."""
        digest = _digest(text.encode("utf-8", "surrogatepass"))
        return self._parser.document(path, text, digest, mtime_ns, self._resolver(path))

    def paths(self) -> Iterator[str]:
        """The notes of the last scan, in order."""
        yield from self._paths

    def wanted(self, path: str | Path) -> bool:
        """Whether a scan would read the file at that path, absolute or relative to the root.

        Only names, folders and ignore rules decide: a template is found out when it is read.
        """
        place = Path(path)
        if place.is_absolute():
            if not place.is_relative_to(self._folder):
                return False
            place = place.relative_to(self._folder)
        if ".." in place.parts or not place.parts:
            return False
        if self._rules is None:
            self._rules = self._new_rules()
        return self._rules.wanted(place.as_posix())

    # -- scanning

    def _walk(self) -> Walk:
        rules = self._rules = self._new_rules()
        self._seen, self._links = walk(self._files, rules), None
        return self._seen

    def _new_rules(self) -> Rules:
        templates, problem = read_settings(self._folder, "templates.json")
        folder = templates.get("folder")
        excluded = [*self._settings.export_folders, *([folder] if isinstance(folder, str) else [])]
        rules = Rules(self._folder, self._settings.ignore, [self._relative(each) for each in excluded])
        if problem:
            rules.problems.append(problem)
        return rules

    def _relative(self, folder: str) -> str:
        place = Path(folder)
        if place.is_absolute() and place.is_relative_to(self._folder):
            place = place.relative_to(self._folder)
        return place.as_posix()

    def _compare(self, entry: Entry, comparison: Comparison) -> bool:
        """Open a file that may have changed, and read its head if it did; says whether it is a source."""
        path = entry.path
        data = None if self._passed.get(path) == entry else self._opened(path, comparison)
        if data is None:
            return False
        digest = _digest(data)
        if comparison.touched(entry, digest):
            return True
        try:
            text = plain(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            comparison.keep(path, _not_utf8(path, data, error))
            return False
        found = self._parser.found(entry, text, digest)
        if found is None:
            self._passed[path] = entry
            return False
        comparison.found(found, blank=not text.strip())
        return True

    def _opened(self, path: str, comparison: Comparison) -> bytes | None:
        """What is in a file; None, and what was known of it is kept, where that cannot be read."""
        try:
            return (self._files / path).read_bytes()
        except FileNotFoundError:
            comparison.keep(path)  # it vanished during the scan: the next one will know
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            hint = "check who may read it; what was known is kept"
            comparison.keep(path, Problem(path, 1, "unreadable", message, hint))
        return None

    # -- reading

    @cached_property
    def _parser(self) -> Parser:
        from kgmem.sources.obsidian.parse import Parser

        return Parser(self.kind, self._settings, self._daily)

    def _resolver(self, path: str) -> Resolve:
        if self._links is None:
            self._links = self._names()
        return self._links.resolver(path)

    def _names(self) -> Links:
        try:
            seen = self._seen or self._walk()
        except SourceError:
            return Links(())  # a replay does not need the folder
        notes = (entry.path for entry in seen.entries if not is_canvas(entry.path))
        return Links(notes, _attachments(seen))


def _attachments(seen: Walk) -> Iterator[str]:
    yield from seen.files
    yield from (entry.path for entry in seen.entries if is_canvas(entry.path))


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _not_utf8(path: str, data: bytes, error: UnicodeDecodeError) -> Problem:
    line = data.count(b"\n", 0, error.start) + 1
    return Problem(path, line, "encoding", f"not UTF-8: byte 0x{data[error.start]:02X}", "save the note as UTF-8")
