"""An Obsidian vault, or any folder of Markdown, as a reader of sources.

A scan stats every file and opens only those whose size or time is new; of these it reads on only where the
content is new too. The head of a note is read from the bytes that are hashed, so that the names of all sources
are known before the first text is read. Links in the head of a scan (`Found.head`) are not resolved yet; those
of a `Document` are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kgmem.errors import SourceError
from kgmem.model import Problem
from kgmem.sources.dialect import ROAM, dialect_of, kind_of
from kgmem.sources.document import Document, Head, Scan, Seen, SourceSettings
from kgmem.sources.naming import EXPECTED, SUFFIXES, TITLED, file_of
from kgmem.sources.obsidian.compare import Comparison
from kgmem.sources.obsidian.links import Links, without_suffix
from kgmem.sources.obsidian.rules import Rules, is_canvas, read_settings
from kgmem.sources.obsidian.text import plain
from kgmem.sources.obsidian.walk import Entry, Walk, walk

if TYPE_CHECKING:
    from kgmem.sources.obsidian.parse import Parser
    from kgmem.sources.obsidian.syntax import Resolve
    from kgmem.sources.outline.bundles import Bundles
    from kgmem.sources.outline.quotes import Quotes
    from kgmem.sources.readwise.exports import Exports


class Vault:
    """Reads a folder of notes, written in the way of its `kind`: see `kgmem.sources.dialect`."""

    def __init__(
        self,
        root: Path,
        settings: SourceSettings | None = None,
        *,
        kind: str | None = None,
        only: str | None = None,
    ) -> None:
        """Name a folder; it is first read by `scan` or `read`.

        Args:
            root: the folder.
            settings: what a person may set about reading.
            kind: overrides what it is taken for.
            only: the one file of it to scan (POSIX, relative to the root): whatever else is known stays.
        """
        self._only = only
        self._folder = Path(root).absolute()
        self._files = self._folder
        """Where the files are: elsewhere for a copy."""
        self._settings = settings or SourceSettings()
        self.root = self._folder.as_posix()
        self.kind = kind or kind_of(self._folder)
        self._dialect = dialect_of(self.kind, self._folder)
        self._rules: Rules | None = None
        self._seen: Walk | None = None
        """The last walk; `_links` are the names of its files, built where a link is first met."""
        self._quotes: Quotes | None = None
        self._links: Links | None = None
        self._paths: tuple[str, ...] = ()
        self._passed: dict[str, Entry] = {}
        """Templates and pages of ours, as they were when they were found out."""
        self._exports: Exports | None = None
        """The files of highlights of the last scan."""
        self._bundles: Bundles | None = None
        """The files of pages of the last scan."""
        self._page_parser: Parser | None = None
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
        every = [path for path in notes if file_of(path) is None]
        every += (entry.path for entry in seen.entries if entry.path not in known)
        canvases = (path for path in every if is_canvas(path))
        notes = (path for path in every if not is_canvas(path))
        other._links = Links(notes, (*seen.files, *canvases), self._dialect)
        return other

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """Walk the folder and compare it with what is known, by path.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """
        seen = self._walk()
        if self._only is not None:
            seen, known = _narrowed(seen, known, self._only)
        comparison = Comparison(known, seen.unseen)
        again = self._to_read_again(seen, known)
        sources = [
            entry
            for entry in seen.entries
            if (entry.path not in again and comparison.same(entry)) or self._compare(entry, comparison)
        ]
        books = self._scan_exports(seen, known, comparison)
        self._paths = (*(entry.path for entry in sources), *books)
        scan = comparison.result()
        if self._exports is not None:
            scan = self._exports.marks.put_on(scan)
        if self._bundles is not None:
            scan = self._bundles.marks.put_on(scan)
        if scan.removed and self._changes_under(seen):
            scan = replace(scan, removed=())
        return replace(scan, problems=(*self._problems, *seen.problems, *scan.problems))

    def read(self, path: str) -> Document:
        """Read one source. Bad input is in the document's problems.

        Raises:
            OSError: the file vanished or cannot be read.
        """
        if file_of(path) is not None:
            return self._read_part(path)
        data = self._content(path)
        mtime_ns = (self._files / path).stat().st_mtime_ns
        digest = _digest(data)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            head = Head(path, without_suffix(path.rpartition("/")[2]))
            return Document(head, self.kind, digest, "", (), problems=(_not_utf8(path, data, error),))
        return self._parser.document(path, text, digest, mtime_ns, self._resolver(path))

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """Read a text as if it stood at `path`: replaying a stored episode."""
        if file_of(path) is not None:
            return self._part(path, text, mtime_ns)
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

    def glance(self) -> frozenset[Entry]:
        """Every file that a scan would read, with its size and time: what differs between two glances has changed.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """
        seen = self._walk()
        return frozenset((*seen.entries, *self._entries_of(_exports_among(seen))))

    def linked(self) -> tuple[tuple[str, str], ...]:
        """(path below the root, real folder) of each symbolic link that leads out of the folder.

        Raises:
            kgmem.errors.SourceError: the folder itself cannot be read.
        """
        return tuple(self._walk().linked)

    # -- scanning

    def _entries_of(self, paths: Iterable[str]) -> Iterator[Entry]:
        for path in paths:
            with suppress(OSError):  # gone since the walk
                status = (self._files / path).stat()
                yield Entry(path, status.st_size, status.st_mtime_ns)

    def _walk(self) -> Walk:
        rules = self._rules = self._new_rules()
        self._seen, self._links, self._quotes = walk(self._files, rules), None, None
        return self._seen

    def _changes_under(self, seen: Walk) -> bool:
        """Whether the folder holds other files than a moment ago.

        What moved to where a walk had been already looks as if it were gone: the next scan will know.
        """
        again = walk(self._files, self._new_rules())
        return [entry.path for entry in again.entries] != [entry.path for entry in seen.entries]

    def _new_rules(self) -> Rules:
        templates, problem = read_settings(self._folder, "templates.json")
        folder = templates.get("folder")
        excluded = [
            *self._settings.export_folders, *self._dialect.excluded, *([folder] if isinstance(folder, str) else [])
        ]  # fmt: skip
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

    def _scan_exports(self, seen: Walk, known: Mapping[str, Seen], comparison: Comparison) -> tuple[str, ...]:
        """Compare the files of highlights; gives the paths of the books in them."""
        files = _exports_among(seen)
        if not files:
            return ()
        from kgmem.sources.outline.bundles import Bundles

        self._bundles = Bundles(self._files, files, self._pages)
        pages = self._bundles.scan(known, comparison)
        books = [path for path in files if path not in self._bundles.files]
        return (*pages, *(self._opened_exports().scan(books, known, comparison) if books else ()))

    def _read_part(self, path: str) -> Document:
        """Read a part of a file. Raises OSError as `read`."""
        if self._bundles is not None and file_of(path) in self._bundles.files:
            return self._part(path, self._bundles.body(path), -1)
        return replace(self._opened_exports().read(path), kind=self.kind)

    def _part(self, path: str, text: str, mtime_ns: int) -> Document:
        """A part of a file from its body: a page of an outline says its title first."""
        from kgmem.sources.parts import document_of

        if not text.startswith(TITLED):
            return replace(document_of(path, text), kind=self.kind)
        digest = _digest(text.encode("utf-8", "surrogatepass"))
        return replace(self._pages().document(path, text, digest, mtime_ns, self._resolver(path)), kind=self.kind)

    def _pages(self) -> Parser:
        """What reads pages of files, whatever notes stand beside them."""
        if self._page_parser is None:
            self._page_parser = dialect_of(ROAM, self._folder).parser(self._settings, {})
        return self._page_parser

    def _opened_exports(self) -> Exports:
        if self._exports is None:
            from kgmem.sources.readwise.exports import Exports

            self._exports = Exports(self._files, expected=self.kind == EXPECTED or self._only is not None)
        return self._exports

    def _opened(self, path: str, comparison: Comparison) -> bytes | None:
        """What is in a file; None, and what was known of it is kept, where that cannot be read."""
        try:
            return self._content(path)
        except FileNotFoundError:
            comparison.keep(path)  # it vanished during the scan: the next one will know
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            hint = "check who may read it; what was known is kept"
            comparison.keep(path, Problem(path, 1, "unreadable", message, hint))
        return None

    def _to_read_again(self, seen: Walk, known: Mapping[str, Seen]) -> AbstractSet[str]:
        """Notes that quote others: what they quote may have changed, if anything did."""
        if not self._dialect.quotes or all(_is_as_known(entry, known) for entry in seen.entries):
            return frozenset()
        return self._quotable().quoting

    # -- reading

    def _content(self, path: str) -> bytes:
        """What is in a file, with the words that it quotes from others. Raises OSError if it cannot be read."""
        data = (self._files / path).read_bytes()
        return self._quotable().spelled_out(data) if self._dialect.quotes and b"((" in data else data

    def _quotable(self) -> Quotes:
        if self._quotes is None:
            from kgmem.sources.outline.quotes import Quotes

            seen = self._seen or self._walk()
            self._quotes = Quotes(self._files, (entry.path for entry in seen.entries), self._dialect)
        return self._quotes

    @cached_property
    def _parser(self) -> Parser:
        return self._dialect.parser(self._settings, self._daily)

    def _resolver(self, path: str) -> Resolve:
        if self._links is None:
            self._links = self._names()
        return self._links.resolver(path)

    def _names(self) -> Links:
        try:
            seen = self._seen or self._walk()
        except SourceError:
            return Links(())  # a replay does not need the folder
        notes = [entry.path for entry in seen.entries if not is_canvas(entry.path)]
        pages = () if self._bundles is None else self._bundles.paths
        return Links((*notes, *pages), _attachments(seen), self._dialect)


def _is_as_known(entry: Entry, known: Mapping[str, Seen]) -> bool:
    seen = known.get(entry.path)
    return seen is not None and (seen.size, seen.mtime_ns) == (entry.size, entry.mtime_ns)


def _narrowed(seen: Walk, known: Mapping[str, Seen], only: str) -> tuple[Walk, Mapping[str, Seen]]:
    """A walk, and what is known, of one file alone.

    Raises:
        kgmem.errors.SourceError: a scan of the folder would pass the file over.
    """
    entries = [entry for entry in seen.entries if entry.path == only]
    files = [path for path in seen.files if path == only and path.lower().endswith(SUFFIXES)]
    problems = [each for each in seen.problems if each.path == only]
    if not (entries or files or problems):
        raise SourceError(f"no source: {only}", "it is ignored, a page of kgmem's own, or no kind of file that is read")
    unseen = [path for path in seen.unseen if path == only]
    return Walk(entries, files, problems, unseen), {
        path: each for path, each in known.items() if only in (path, file_of(path))
    }


def _exports_among(seen: Walk) -> list[str]:
    """Files that may hold highlights, conversations or pages."""
    return [path for path in seen.files if path.lower().endswith(SUFFIXES)]


def _attachments(seen: Walk) -> Iterator[str]:
    yield from seen.files
    yield from (entry.path for entry in seen.entries if is_canvas(entry.path))


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _not_utf8(path: str, data: bytes, error: UnicodeDecodeError) -> Problem:
    line = data.count(b"\n", 0, error.start) + 1
    return Problem(path, line, "encoding", f"not UTF-8: byte 0x{data[error.start]:02X}", "save the note as UTF-8")
