"""The difference between what a walk found and what the memory knows, with moves paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kgmem.model import Problem
from kgmem.sources.document import Found, Scan, Seen
from kgmem.sources.obsidian.walk import Entry

Change = tuple[Seen, Found]


class Comparison:
    """Collects what a scan finds, file by file, and says at the end what that means."""

    def __init__(self, known: Mapping[str, Seen], unseen: Iterable[str]) -> None:
        """`unseen` are paths that the walk could not look at: what is known there, or below, is kept."""
        self._known = known
        self._kept = set(unseen)
        self._met: set[str] = set()
        self._added: list[Found] = []
        self._changed: list[Change] = []
        self._touched: list[Seen] = []
        self._problems: list[Problem] = []
        self._blank: set[str] = set()
        self._unchanged = 0

    def same(self, entry: Entry) -> bool:
        """Whether size and time say that a file is as it was; it need not be opened then."""
        seen = self._known.get(entry.path)
        if seen is None or seen.size != entry.size or seen.mtime_ns != entry.mtime_ns:
            return False
        self._met.add(entry.path)
        self._unchanged += 1
        return True

    def touched(self, entry: Entry, digest: str) -> bool:
        """Whether a file that is known has the content that it had; another size or time is noted."""
        seen = self._known.get(entry.path)
        if seen is None or seen.hash != digest:
            return False
        self._met.add(entry.path)
        if (seen.size, seen.mtime_ns) == (entry.size, entry.mtime_ns):
            self._unchanged += 1
        else:
            self._touched.append(seen._replace(size=entry.size, mtime_ns=entry.mtime_ns))
        return True

    def unchanged(self, seen: Seen) -> None:
        """Note a source that is as it was."""
        self._met.add(seen.path)
        self._unchanged += 1

    def noted(self, problem: Problem) -> None:
        """Note what is wrong with something that is no source."""
        self._problems.append(problem)

    def keep(self, path: str, problem: Problem | None = None) -> None:
        """Note a file that is there and could not be read: what is known of it stays."""
        self._kept.add(path)
        if problem:
            self._problems.append(problem)

    def found(self, found: Found, *, blank: bool) -> None:
        """Note a source that is new or has new content; a blank one has no content to know it again by."""
        seen = self._known.get(found.path)
        if blank:
            self._blank.add(found.path)
        if seen is None:
            self._added.append(found)
            return
        self._met.add(found.path)
        self._changed.append((seen, found))

    def result(self) -> Scan:
        """The whole difference."""
        absent = sorted(self._known.keys() - self._met)
        gone = [self._known[path] for path in absent if not self._is_kept(path)]
        moved = self._moves(gone)
        left = {seen.path for seen, _ in moved}
        arrived = {found.path for _, found in moved}
        return Scan(
            added=tuple(found for found in self._added if found.path not in arrived),
            changed=tuple(self._changed),
            moved=tuple(sorted(moved, key=lambda move: move[1].path)),
            touched=tuple(self._touched),
            removed=tuple(seen for seen in gone if seen.path not in left),
            unchanged=self._unchanged,
            problems=tuple(self._problems),
        )

    def _is_kept(self, path: str) -> bool:
        """Whether the path, the file that it is a part of, or a folder above it, could not be looked at."""
        while path:
            if path in self._kept:
                return True
            above, _, below = path.rpartition("/")
            path = path[: len(path) - len(below) + below.index("#")] if "#" in below else above
        return False

    def _moves(self, gone: list[Seen]) -> list[Change]:
        """Pair what went with what came: by an id of its own, else by equal content, where only one pair fits.

        A note that went where the others of its folder went is the same too, whatever was written into it meanwhile.
        """
        by_uid = _pairs(
            {seen.path: (seen, seen.uid) for seen in gone if seen.uid},
            {found.path: (found, found.head.uid) for found in self._added if found.head.uid},
        )
        left = {seen.path for seen, _ in by_uid}
        arrived = {found.path for _, found in by_uid} | self._blank
        by_hash = _pairs(
            {seen.path: (seen, seen.hash) for seen in gone if seen.path not in left},
            {found.path: (found, found.hash) for found in self._added if found.path not in arrived},
        )
        moved = by_uid + by_hash
        left = {seen.path for seen, _ in moved}
        come = {found.path: found for found in self._added} | {found.path: None for _, found in moved}
        places = _places(moved)
        for seen in gone:
            found = come.get(_followed(seen.path, places)) if seen.path not in left else None
            if found is not None and found.head.uid == seen.uid:
                come[found.path] = None
                moved.append((seen, found))
        return moved


def _places(moved: Iterable[Change]) -> dict[str, str]:
    """Where folders went: of each, where most of its notes did that kept their names."""
    votes: dict[str, Counter[str]] = {}
    for seen, found in moved:
        before, _, name = seen.path.rpartition("/")
        after, _, same = found.path.rpartition("/")
        if name == same:
            votes.setdefault(before, Counter())[after] += 1
    return {before: after for before, count in votes.items() for after, _ in count.most_common(1)}


def _followed(path: str, places: Mapping[str, str]) -> str:
    """Where a note would be that went with its folder, or with the one around it; empty if none of them went."""
    folder, rest = path, ""
    while "/" in folder:
        folder, _, name = folder.rpartition("/")
        rest = f"{name}/{rest}" if rest else name
        if folder in places:
            return f"{places[folder]}/{rest}".removeprefix("/")
    return ""


def _pairs(gone: Mapping[str, tuple[Seen, str | None]], come: Mapping[str, tuple[Found, str | None]]) -> list[Change]:
    """The pairs of equal marks, where each side has the mark once."""
    before: dict[str | None, list[Seen]] = {}
    after: dict[str | None, list[Found]] = {}
    for seen, mark in gone.values():
        before.setdefault(mark, []).append(seen)
    for found, mark in come.values():
        after.setdefault(mark, []).append(found)
    return [
        (sources[0], after[mark][0])
        for mark, sources in before.items()
        if len(sources) == 1 and len(after.get(mark, ())) == 1
    ]
