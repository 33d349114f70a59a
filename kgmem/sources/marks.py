"""Which files that hold several sources are known whole, so that they need not be opened while they stay as they are.

One source of such a file carries the size and time of the file. The mark is set on the one that is taken in last, so
that an ingest that was broken off leaves none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kgmem.sources.document import Found, Scan, Seen
from kgmem.sources.naming import file_of
from kgmem.sources.obsidian.walk import Entry


class Marks:
    """The marks of one scan."""

    def __init__(self) -> None:
        self._whole: dict[str, Entry] = {}
        self._same: dict[str, Seen] = {}
        self._old: list[Seen] = []
        """Sources as they were that carry the mark of their file as it was: it holds no more."""

    @staticmethod
    def stand(entry: Entry, known: Iterable[Seen]) -> bool:
        """Whether what is known of a file says that it is as it was."""
        return any((seen.size, seen.mtime_ns) == (entry.size, entry.mtime_ns) for seen in known)

    def whole(self, entry: Entry) -> None:
        """Note a file that was read from end to end."""
        self._whole[entry.path] = entry

    def broken(self, file: str) -> None:
        """Take that back."""
        self._whole.pop(file, None)

    def same(self, file: str, seen: Seen) -> None:
        """Note a source of a file that is as it was."""
        self._same.setdefault(file, seen)
        if seen.mtime_ns:
            self._same[file] = seen
            self._old.append(seen)

    def put_on(self, scan: Scan) -> Scan:
        """A scan with the marks on what is to be taken in, or on what is as it was."""
        gone = {file_of(seen.path) for seen in scan.removed}
        left = {file: entry for file, entry in self._whole.items() if file not in gone}
        moved = _marked([found for _, found in scan.moved], left)
        changed = _marked([found for _, found in scan.changed], left)
        added = _marked(scan.added, left)
        known = {file: (self._same[file], entry) for file, entry in left.items() if file in self._same}
        touched = {seen.path: seen._replace(mtime_ns=0) for seen in self._old}
        touched |= {each.path: each._replace(size=e.size, mtime_ns=e.mtime_ns) for each, e in known.values()}
        return replace(
            scan,
            moved=tuple((seen, found) for (seen, _), found in zip(scan.moved, moved, strict=True)),
            changed=tuple((seen, found) for (seen, _), found in zip(scan.changed, changed, strict=True)),
            added=tuple(added),
            touched=(*scan.touched, *touched.values()),
            unchanged=scan.unchanged - len(touched),
        )


def _marked(founds: Sequence[Found], left: dict[str, Entry]) -> list[Found]:
    """What is to be taken in, with the marks of the files that are left on the last source of each."""
    marked = list(founds)
    for at in reversed(range(len(marked))):
        if entry := left.pop(file_of(marked[at].path) or "", None):
            marked[at] = replace(marked[at], size=entry.size, mtime_ns=entry.mtime_ns)
    return marked
