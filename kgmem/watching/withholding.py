"""A reader that keeps back part of what it finds: what still changes, and what is said to be gone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from kgmem.sources.document import Document, Found, Reader, Scan, Seen


class Withholding:
    """Reads a folder as `reader` does, but for what is kept back; `found` is what the last scan let through.

    As long as a path that is new is kept back, nothing counts as removed: it may have been moved there.
    """

    def __init__(self, reader: Reader, paths: Collection[str] = frozenset(), *, removed: bool = False) -> None:
        """Args: `paths` are not read; with `removed` nothing is taken as removed."""
        self.root = reader.root
        self.kind = reader.kind
        self._reader = reader
        self._paths = paths
        self._removed = removed
        self.found = Scan()

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """See `kgmem.sources.document.Reader.scan`."""
        scan = self._reader.scan(known)
        hidden = [found.path for found in scan.added if self._is_kept_back(found.path)]
        self.found = replace(
            scan,
            added=tuple(found for found in scan.added if not self._is_kept_back(found.path)),
            changed=self._open(scan.changed),
            moved=self._open(scan.moved),
            removed=() if self._removed or hidden else scan.removed,
        )
        return self.found

    def read(self, path: str) -> Document:
        """See `kgmem.sources.document.Reader.read`."""
        return self._reader.read(path)

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """See `kgmem.sources.document.Reader.parse`."""
        return self._reader.parse(path, text, mtime_ns=mtime_ns)

    def paths(self) -> Iterator[str]:
        """See `kgmem.sources.document.Reader.paths`."""
        return self._reader.paths()

    def _open(self, changes: tuple[tuple[Seen, Found], ...]) -> tuple[tuple[Seen, Found], ...]:
        return tuple(change for change in changes if not self._is_kept_back(change[1].path))

    def _is_kept_back(self, path: str) -> bool:
        """Whether a source is kept back, or the file that it is one of several in: ``file#title``."""
        return path in self._paths or path.partition("#")[0] in self._paths


def paths_of(scan: Scan) -> tuple[str, ...]:
    """Where a scan found something new, in order."""
    come = {found.path for found in scan.added} | {found.path for _, found in (*scan.changed, *scan.moved)}
    return tuple(sorted(come | {seen.path for seen in scan.removed}))
