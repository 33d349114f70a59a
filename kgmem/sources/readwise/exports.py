"""The files of highlights in a folder: what is new in them, book by book.

A file that is known whole is not opened again: see `kgmem.sources.marks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from kgmem.model import Problem
from kgmem.sources.arriving import digest_of
from kgmem.sources.document import Document, Found, Seen
from kgmem.sources.marks import Marks
from kgmem.sources.naming import file_of
from kgmem.sources.obsidian.compare import Comparison
from kgmem.sources.obsidian.walk import Entry
from kgmem.sources.parts import body_of, document_of, head_of
from kgmem.sources.readwise.files import ExportFile, NoExportError, recognised

_ROOM: Final = 8_000_000
"""Code points of bodies that are kept between a scan and the reading of what it found."""
_KEPT: Final = "what was known is kept"


class Exports:
    """Reads the files of highlights below a folder."""

    def __init__(self, folder: Path, *, expected: bool = False) -> None:
        """Args: `expected` says that every file with such a name should be an export: else it is a problem."""
        self._folder = folder
        self._expected = expected
        self._open: dict[str, ExportFile] = {}
        self.marks = Marks()
        """Of the last scan."""
        self._bodies: dict[str, str] = {}
        """Bodies that the last scan made of what is new, until they are read."""
        self._room = _ROOM

    def scan(self, files: Iterable[str], known: Mapping[str, Seen], comparison: Comparison) -> Iterator[str]:
        """Compare such files with what is known of its books; gives the paths of these."""
        self._open.clear()
        self.marks = Marks()
        self._bodies.clear()
        self._room = _ROOM
        by_file: dict[str, list[Seen]] = {}
        for seen in known.values():
            if (file := file_of(seen.path)) is not None:
                by_file.setdefault(file, []).append(seen)
        for path in files:
            yield from self._scan_file(path, by_file.get(path, ()), comparison)

    def read(self, path: str) -> Document:
        """Read one book.

        Raises:
            OSError: its file changed since it was looked at, cannot be read, or has no such book.
        """
        file = file_of(path) or ""
        if file not in self._open:
            try:
                found = recognised(self._folder / file)
            except ValueError as error:
                raise OSError(22, str(error), path) from error
            if found is None:
                raise FileNotFoundError(2, "no file of highlights", path)
            self._open[file] = found
        return document_of(path, self._bodies.pop(path, "") or self._open[file].body(path[len(file) + 1 :]))

    # -- one file

    def _scan_file(self, path: str, known: Iterable[Seen], comparison: Comparison) -> Iterator[str]:
        try:
            status = (self._folder / path).stat()
            entry = Entry(path, status.st_size, status.st_mtime_ns)
            if Marks.stand(entry, known):
                for seen in known:
                    comparison.unchanged(seen)
                    yield seen.path
                return
            found = self._recognised(path)
            if found is not None:
                yield from self._compare(entry, found, known, comparison)
        except FileNotFoundError:
            self._keep(path, known, comparison)  # it vanished during the scan: the next one will know
        except NoExportError as error:
            self._keep(path, known, comparison, _problem(path, "export", str(error), f"export it again; {_KEPT}"))
        except UnicodeDecodeError as error:
            message = f"not UTF-8: byte 0x{error.object[error.start]:02X}"
            self._keep(path, known, comparison, _problem(path, "encoding", message, f"save it as UTF-8; {_KEPT}"))
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            self._keep(path, known, comparison, _problem(path, "unreadable", message, _KEPT))

    def _recognised(self, path: str) -> ExportFile | None:
        found = recognised(self._folder / path)
        if found is None and self._expected:
            raise NoExportError("no export of highlights that kgmem knows")
        return found

    def _compare(self, entry: Entry, found: ExportFile, known: Iterable[Seen], comparison: Comparison) -> Iterator[str]:
        self._open[entry.path] = found
        by_path = {seen.path: seen for seen in known}
        for slip in found.slips:
            comparison.noted(_problem(entry.path, slip.kind, slip.message, slip.hint, slip.line))
        if not found.entries:
            message = "no highlights and no books stand in it"
            self._keep(entry.path, known, comparison, _problem(entry.path, "export-empty", message, _KEPT))
            return
        self.marks.whole(entry)
        if found.broken:
            self._keep(entry.path, known, comparison)
        for name, book in found.books():
            place = f"{entry.path}#{name}"
            before = by_path.get(place)
            if book.deleted or (before is not None and found.entries[name].doubtful):
                continue
            yield place
            body = body_of(book)
            digest = digest_of(body)
            if before is not None and before.hash == digest:
                comparison.unchanged(before)
                self.marks.same(entry.path, before)
            else:
                self._keep_body(place, body)
                comparison.found(Found(place, entry.size, 0, digest, head_of(place, body)), blank=False)

    def _keep(self, path: str, known: Iterable[Seen], comparison: Comparison, problem: Problem | None = None) -> None:
        """What is known of a file stays, whatever it holds now; nor is it known whole."""
        self.marks.broken(path)
        for seen in known:
            comparison.keep(seen.path)
        if problem is not None:
            comparison.noted(problem)

    def _keep_body(self, path: str, body: str) -> None:
        """Keep what was made for the scan until it is read, as far as there is room."""
        self._room -= len(body)
        if self._room > 0:
            self._bodies[path] = body


def _problem(path: str, kind: str, message: str, hint: str, line: int = 1) -> Problem:
    return Problem(path, line, kind, message, hint)
