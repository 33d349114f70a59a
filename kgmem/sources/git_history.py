"""The history of a vault that is under git: one commit after another, each to be read as the vault was then.

The files of a commit are laid out in a folder of ours, and turned from one commit to the next by what differs. Of
files that are no notes only the name is there: that is all a link needs. What is read, and how, is what the
vault's rules and settings say now: what a person keeps out today is not drawn from the past.

A commit speaks only of the files that it touches. A note that git never knew, or that holds an edit which is not
committed, is none of its business, and is left as the memory knows it.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Final

from kgmem.errors import SourceError
from kgmem.model import Instant, Problem, Replayed, show_instant
from kgmem.sources.document import Document, Reader, Scan, Seen
from kgmem.sources.git import Blobs, FileChange, Repository
from kgmem.sources.obsidian.links import NOTE_SUFFIXES
from kgmem.sources.obsidian.rules import CANVAS_SUFFIX, EXPORT_MARKER
from kgmem.sources.obsidian.vault import Vault

_SECOND: Final = 1_000_000
_SHORT: Final = 10
"""Digits by which a message names a commit."""
_PLACE: Final = ".git"
"""Where problems of the history are said to be."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit to take in."""

    name: str
    at: Instant
    """When it is recorded: its committer time, or a microsecond after the commit before if that is later."""
    number: int
    total: int
    """Its place among those that are replayed now, from 1, and how many they are."""
    reader: Reader | None
    """The vault as it was then; None if the commit touched nothing that a note is or links to."""


@dataclass(frozen=True, slots=True)
class _Dated:
    """A commit with the time at which it is recorded, and what is wrong with its own."""

    name: str
    at: Instant
    complaint: str = ""


class GitHistory:
    """The commits of a vault, on the first-parent line of HEAD."""

    def __init__(self, vault: Vault, *, now: Instant) -> None:
        """Find the repository of a vault. A commit dated after `now` has a wrong date.

        Raises:
            kgmem.errors.SourceError: the vault is not under git, or git cannot be used.
        """
        self.root = vault.root
        self.problems: list[Problem] = []
        self.stopped = False
        """A commit could not be read: none after it was given."""
        self._vault = vault
        self._now = now
        self._repository = Repository(Path(vault.root))
        if self._repository.shallow:
            self._problem("a shallow clone: commits before the oldest one here are not known", "git fetch --unshallow")

    def pending(self, done: Replayed | None) -> int:
        """How many commits are to be replayed, after those that are done. Raises as `commits`."""
        with TemporaryDirectory(prefix="kgmem-history-") as folder:
            skipped, total = self._progress(self._listed(folder), done)[:2]
        return total - skipped

    def commits(self, done: Replayed | None) -> Generator[Commit]:
        """The commits after those that are done, the oldest first; each is to be read before the next is asked for.

        Dates that are not in order, a rewritten history and a damaged repository are told in `problems`.

        Raises:
            kgmem.errors.SourceError: the list of commits cannot be read, or is empty.
        """
        with (
            TemporaryDirectory(prefix="kgmem-history-") as folder,
            self._repository.blobs() as blobs,
            closing(self._dated(listing := self._listed(folder))) as dated,
        ):
            skipped, total, known = self._progress(listing, done)
            if done is not None and not known:
                self._problem(
                    f"commit {done.commit[:_SHORT]}, which was replayed last, is no longer in the history; "
                    f"it goes on with the commits after {show_instant(done.at)}",
                    "what the commits taken away had said stays known as it was",
                )
            copy = _Copy(Path(folder) / "vault", self._vault, self._repository, blobs, self.problems)
            yield from self._turned(copy, done if known else None, islice(dated, skipped, None), total - skipped)

    def _turned(self, copy: _Copy, after: Replayed | None, dated: Iterator[_Dated], total: int) -> Iterator[Commit]:
        if after is not None and total and not self._turn(copy, _Dated(after.commit, after.at)):
            return
        for number, each in enumerate(dated, 1):
            if not self._turn(copy, each):
                return
            if each.complaint:
                self._problem(each.complaint, f"it is recorded at {show_instant(each.at)}")
            yield Commit(each.name, each.at, number, total, copy.reader())

    def _turn(self, copy: _Copy, to: _Dated) -> bool:
        """Lay out the files of a commit; says whether they could be read."""
        try:
            copy.turn(to.name, to.at)
        except SourceError as error:
            self.stopped = True
            self._problem(
                f"commit {to.name[:_SHORT]} cannot be read: {error.message}",
                "git fsck says more; once it is repaired the same command goes on here",
            )
            return False
        return True

    def _listed(self, folder: str) -> Path:
        """The list of commits, in a file: a long history must not fill the memory of the machine."""
        listing = Path(folder) / "commits"
        try:
            self._repository.list_commits(listing)
        except SourceError as error:
            raise SourceError(
                f"the history of {self.root} cannot be read: {error.message}", "git log and git fsck say more"
            ) from error
        if not listing.stat().st_size:
            raise SourceError(
                f"no commit holds anything of {self.root}", "without --history the notes are read as they are now"
            )
        return listing

    def _dated(self, listing: Path) -> Generator[_Dated]:
        """Every commit with its time; recorded time moves forward, whatever the commits say."""
        last: Instant | None = None
        with listing.open(encoding="ascii") as lines:
            for line in lines:
                seconds, name = line.split()
                said = Instant(int(seconds) * _SECOND)
                next_free = Instant(0) if last is None else Instant(last + 1)
                complaint = ""
                if said > self._now:
                    complaint = f"commit {name[:_SHORT]} is dated in the future"
                    said = self._now if last is None else last
                elif said < (next_free // _SECOND) * _SECOND:
                    complaint = f"commit {name[:_SHORT]} is dated before the commit before it"
                last = Instant(max(said, next_free))
                yield _Dated(name, last, complaint)

    def _progress(self, listing: Path, done: Replayed | None) -> tuple[int, int, bool]:
        """(commits that are done, all commits, whether the last one done is among them)."""
        total = earlier = position = 0
        for total, each in enumerate(self._dated(listing), 1):
            if done is not None:
                earlier += each.at <= done.at
                position = total if each.name == done.commit else position
        return position or earlier, total, bool(position)

    def _problem(self, message: str, hint: str) -> None:
        self.problems.append(Problem(_PLACE, 1, "history", message, hint))


class _Copy:
    """The files of one commit after another."""

    def __init__(
        self, folder: Path, vault: Vault, repository: Repository, blobs: Blobs, problems: list[Problem]
    ) -> None:
        self._problems = problems
        self._folder = folder
        self._folder.mkdir()
        self._vault = vault
        self._reading = vault.copied_to(folder)
        self._repository = repository
        self._blobs = blobs
        self._laid_out: dict[str, tuple[int, int]] = {}
        """Size and time of every file that is there."""
        self._commit: str | None = None
        self._written: frozenset[str] = frozenset()
        self._gone: frozenset[str] = frozenset()

    def turn(self, commit: str, at: Instant) -> None:
        """Make the folder what the vault was in a commit. Raises SourceError if the commit cannot be read."""
        changes = [each for each in self._repository.changes(self._commit, commit) if self._concerns(each)]
        self._gone = frozenset(each.path for each in changes if each.blob is None)
        for path in sorted(self._gone):
            self._remove(path)  # before anything is written: a folder may take the place of a file
        written = [(each.path, each.blob) for each in changes if each.blob is not None]
        for path, blob in written:
            self._write(path, blob, at)
        self._written = frozenset(path for path, _ in written)
        self._commit = commit

    def reader(self) -> Reader | None:
        """What reads this commit, if it has news."""
        if not self._written | self._gone:
            return None
        return _Committed(self._reading, self._laid_out, self._written, self._gone)

    def _concerns(self, change: FileChange) -> bool:
        """Whether a file is a note, or something that a note may link to."""
        path = change.path
        parts = path.split("/")
        if PurePath(path).parts != tuple(parts) or any(part.startswith(".") for part in parts[:-1]):
            return False  # no path that a sane tree could hold, or a hidden folder
        name = parts[-1]
        if name.startswith("."):
            return name == EXPORT_MARKER
        if not _is_note(name):
            return _is_utf8(path)
        if not _is_utf8(path):
            shown = os.fsencode(path).decode("utf-8", "backslashreplace")
            self._problems.append(Problem(shown, 1, "encoding", "its name is not UTF-8: no commit of it was read"))
            return False
        return change.blob is None or self._vault.wanted(path)

    def _remove(self, path: str) -> None:
        file = self._folder / path
        file.unlink(missing_ok=True)
        self._laid_out.pop(path, None)
        with suppress(OSError):  # the first folder that is not empty ends it
            for folder in file.relative_to(self._folder).parents:
                (self._folder / folder).rmdir()

    def _write(self, path: str, blob: str, at: Instant) -> None:
        file = self._folder / path
        data = self._blobs.read(blob) if _is_note(path) else b""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            os.utime(file, ns=(at * 1000, at * 1000))
            status = file.stat()
        except OSError as error:
            raise SourceError(f"{path} cannot be laid out in {self._folder}: {error.strerror or error}") from error
        self._laid_out[path] = (status.st_size, status.st_mtime_ns)


class _Committed:
    """Reads the vault as it was in one commit."""

    def __init__(
        self, copy: Vault, files: Mapping[str, tuple[int, int]], written: frozenset[str], gone: frozenset[str]
    ) -> None:
        """Args: `files` gives size and time of every file of the copy; `written` and `gone` are the commit's."""
        self.root = copy.root
        self.kind = copy.kind
        self._copy = copy
        self._files = files
        self._written = written
        self._gone = gone

    def scan(self, known: Mapping[str, Seen]) -> Scan:
        """See `kgmem.sources.document.Reader`."""
        return self._copy.scan(dict(self._of_this_commit(known)))

    def read(self, path: str) -> Document:
        """See `kgmem.sources.document.Reader`."""
        return self._copy.read(path)

    def parse(self, path: str, text: str, *, mtime_ns: int) -> Document:
        """See `kgmem.sources.document.Reader`."""
        return self._copy.parse(path, text, mtime_ns=mtime_ns)

    def paths(self) -> Iterator[str]:
        """See `kgmem.sources.document.Reader`."""
        return self._copy.paths()

    def _of_this_commit(self, known: Mapping[str, Seen]) -> Iterator[tuple[str, Seen]]:
        """What is known, without what the commit cannot speak of.

        A file that it wrote is opened, whatever its size and time; one that it left alone counts as unchanged.
        """
        for path, seen in known.items():
            if path in self._written:
                yield path, seen._replace(mtime_ns=-1)
            elif path in self._gone:
                yield path, seen
            elif path in self._files:
                size, mtime_ns = self._files[path]
                yield path, seen._replace(size=size, mtime_ns=mtime_ns)


def _is_note(path: str) -> bool:
    return path.lower().endswith((*NOTE_SUFFIXES, CANVAS_SUFFIX))


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
