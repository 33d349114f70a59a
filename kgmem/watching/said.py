"""What was told already: nothing is told twice until it is over, and comes again."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kgmem.model import Problem
from kgmem.watching.happenings import Happening, Trouble, Waiting


class Said:
    """Tells each thing once."""

    def __init__(self, tell: Callable[[Happening], None]) -> None:
        self._tell = tell
        self._faults: dict[str, set[Problem | str]] = {}
        self._of_scans: dict[str, frozenset[Problem]] = {}
        self._of_notes: dict[str, frozenset[Problem]] = {}

    def fault(self, root: str, problem: Problem, *, same: str = "") -> None:
        """A folder, or the memory, is no use; `same` is what it is known by where its words change."""
        known = same or problem
        if known not in self._faults.setdefault(root, set()):
            self._faults[root].add(known)
            self._tell(Trouble(root, problem))

    def waiting(self, root: str, message: str) -> None:
        """A folder is not there, or the memory is in use."""
        if message not in self._faults.setdefault(root, set()):
            self._faults[root].add(message)
            self._tell(Waiting(root, message))

    def over(self, root: str) -> None:
        """All is well again."""
        self._faults.pop(root, None)

    def problems(self, root: str, found: Iterable[Problem], by_scan: Iterable[Problem], read: Iterable[str]) -> None:
        """What is wrong with notes.

        Args:
            root: the folder.
            found: all that this time brought.
            by_scan: those of it that every scan brings as long as they last; the others are met where a note is read.
            read: the notes that were.
        """
        now, again, fresh = frozenset(found), frozenset(by_scan), frozenset(read)
        kept = frozenset(each for each in self._of_notes.get(root, ()) if each.path not in fresh)
        new = now - self._of_scans.get(root, frozenset()) - kept
        for problem in sorted(new, key=lambda each: (each.path, each.line, each.kind, each.message)):
            self._tell(Trouble(root, problem))
        self._of_scans[root] = again
        self._of_notes[root] = kept | (now - again)
