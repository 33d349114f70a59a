"""The files of a folder that hold pages of an outline: what is new in them, page by page.

A file that is known whole is not opened again: see `kgmem.sources.marks`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kgmem.model import Problem
from kgmem.sources.arriving import digest_of
from kgmem.sources.document import Seen
from kgmem.sources.marks import Marks
from kgmem.sources.naming import file_of
from kgmem.sources.obsidian.compare import Comparison
from kgmem.sources.obsidian.walk import Entry
from kgmem.sources.outline.pages import Graph, is_export

if TYPE_CHECKING:
    from kgmem.sources.obsidian.parse import Parser

_KEPT: Final = "what was known is kept"


class Bundles:
    """Reads those of some files that are exports of whole graphs."""

    def __init__(self, folder: Path, files: Iterable[str], parser: Callable[[], Parser]) -> None:
        """Find them, by how they begin. What cannot be read is left to who reads other files of that name.

        Args:
            folder: the root.
            files: paths below it.
            parser: gives what reads their pages.
        """
        self._parser = parser
        self._folder = folder
        self._graphs: dict[str, Graph] = {}
        self.marks = Marks()
        """Of the last scan."""
        self.files = frozenset(each for each in files if _is_export(folder / each))
        self.paths: tuple[str, ...] = ()
        """The pages of the last scan."""

    def scan(self, known: Mapping[str, Seen], comparison: Comparison) -> tuple[str, ...]:
        """Compare the files with what is known of their pages; gives the paths of these."""
        by_file: dict[str, dict[str, Seen]] = {each: {} for each in self.files}
        for seen in known.values():
            if (file := file_of(seen.path)) in by_file:
                by_file[file][seen.path] = seen
        self.paths = tuple(path for file in sorted(by_file) for path in self._compare(file, by_file[file], comparison))
        return self.paths

    def body(self, path: str) -> str:
        """The body of a page. Raises OSError if its file changed, cannot be read, or has no such page."""
        file = file_of(path) or ""
        if file not in self._graphs:
            self._graphs[file] = Graph(self._folder / file)
        return self._graphs[file].body(path[len(file) + 1 :])

    def _compare(self, file: str, known: Mapping[str, Seen], comparison: Comparison) -> Iterator[str]:
        try:
            status = (self._folder / file).stat()
            entry = Entry(file, status.st_size, status.st_mtime_ns)
            if Marks.stand(entry, known.values()):
                for seen in known.values():
                    comparison.unchanged(seen)
                yield from known
                return
            graph = self._graphs[file] = Graph(self._folder / file)
        except (OSError, UnicodeDecodeError) as error:
            comparison.keep(file, Problem(file, 1, "unreadable", f"cannot be read: {error}", _KEPT))
            return
        if graph.broken:
            message = "the file breaks off; the pages before that were read"
            comparison.keep(file, Problem(file, 1, "export-cut", message, f"export it again; {_KEPT}"))
        else:
            self.marks.whole(entry)
        yield from self._pages(file, graph, known, comparison)

    def _pages(self, file: str, graph: Graph, known: Mapping[str, Seen], comparison: Comparison) -> Iterator[str]:
        for name in graph.names:
            path = f"{file}#{name}"
            body = graph.body(name)
            digest, before = digest_of(body), known.get(path)
            if before is not None and before.hash == digest:
                yield path
                comparison.unchanged(before)
                self.marks.same(file, before)
            elif found := self._parser().found(Entry(path, len(body), 0), body, digest):
                yield path
                comparison.found(found, blank=False)


def _is_export(file: Path) -> bool:
    try:
        return file.suffix.lower() == ".json" and is_export(file)
    except OSError:
        return False
