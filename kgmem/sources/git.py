"""Git, read only: the few commands that a history needs.

Only plumbing that reads objects is run: no index, no work tree and no lock file of the person's repository is
ever touched, no filter, hook or other program that a configuration names is started, and nothing is fetched.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from kgmem.errors import SourceError

_OPTIONS: Final = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.autocrlf=false"),
)
_ENVIRONMENT: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # what keeps a git that does not know the line above from fetching
    "LC_ALL": "C",
}
_REGULAR: Final = frozenset({b"100644", b"100755", b"100664"})
"""Modes of files; a symbolic link, a submodule or a folder is none."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A path that differs between two commits, relative to the folder."""

    path: str
    """As the file system would give it: bytes that are not UTF-8 are surrogates."""
    blob: str | None
    """The object that holds its new content; None if no regular file stands there any more."""


class Blobs:
    """Reads objects by their names, through one process."""

    def __init__(self, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._requests = requests
        self._replies = replies

    def read(self, name: str) -> bytes:
        """The content of a blob, checked against its name.

        Raises:
            SourceError: it is missing, or is not what it was when it was written.
        """
        try:
            self._requests.write(f"{name}\n".encode())
            self._requests.flush()
        except BrokenPipeError:
            raise _damaged(name) from None
        header = self._replies.readline().split()
        if len(header) != 3 or header[1] != b"blob":  # noqa: PLR2004 - name, type and size
            raise _damaged(name)
        size = int(header[2])
        data = self._replies.read(size + 1)[:-1]
        if len(data) != size or _name_of(data, name) != name:
            raise _damaged(name)
        return data


class Repository:
    """The repository that a folder stands in; all paths are relative to the folder."""

    def __init__(self, folder: Path) -> None:
        """Find the repository.

        Raises:
            SourceError: there is no git program, no repository, or git will not read it.
        """
        program = shutil.which("git")
        if program is None:
            raise SourceError("the program git was not found", "install git, or ingest without --history")
        self._command = (program, *_OPTIONS, "-C", str(folder))
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
            **_ENVIRONMENT,
        }
        self.shallow = self._look(folder)

    def list_commits(self, file: Path) -> None:
        """Write the first-parent line of HEAD to a file, the oldest first: a line ``seconds name`` for each commit.

        Commits that change nothing in the folder are left out, if that can be told: it takes every folder of every
        commit, and where one of them is damaged the commits before it are worth having all the same.

        Raises:
            SourceError: one of them cannot be read.
        """
        words = ("rev-list", "--first-parent", "--reverse", "--timestamp", "HEAD", "--")
        file.touch()
        if not self._has_commits():
            return
        try:
            with file.open("wb") as listing:
                self._run(*words, ".", into=listing)
        except SourceError:
            with file.open("wb") as listing:
                self._run(*words, into=listing)

    def changes(self, before: str | None, after: str) -> Iterator[FileChange]:
        """What differs from one commit to another, or all of a commit if there is none before.

        Raises:
            SourceError: a commit, or a folder in it, cannot be read.
        """
        first = before or self._run("hash-object", "-t", "tree", "--stdin").decode().strip()
        options = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--relative")
        fields = self._run("diff-tree", *options, first, after, "--", ".").split(b"\0")
        for head, path in zip(fields[:-1:2], fields[1::2], strict=True):
            old_mode, mode, old, new, _ = head.removeprefix(b":").split(b" ")
            is_file = mode in _REGULAR
            if (is_file and old != new) or (old_mode in _REGULAR) != is_file:
                yield FileChange(os.fsdecode(path), new.decode() if is_file else None)

    @contextmanager
    def blobs(self) -> Iterator[Blobs]:
        """A reader of objects."""
        process = subprocess.Popen(  # noqa: S603 - a fixed command, no shell
            (*self._command, "cat-file", "--batch"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
        )
        assert process.stdin is not None  # noqa: S101 - for the type checker
        assert process.stdout is not None  # noqa: S101 - for the type checker
        try:
            yield Blobs(process.stdin, process.stdout)
        finally:
            process.kill()  # it only reads
            process.wait()
            process.stdout.close()
            _close(process.stdin)

    def _has_commits(self) -> bool:
        try:
            self._run("rev-parse", "--quiet", "--verify", "HEAD")
        except SourceError:
            return False
        return True

    def _look(self, folder: Path) -> bool:
        """Whether the repository is a shallow clone."""
        try:
            inside, shallow = self._run("rev-parse", "--is-inside-work-tree", "--is-shallow-repository").split()
        except SourceError as error:
            if "not a git repository" not in error.message:
                raise
            inside = shallow = b"false"
        if inside != b"true":
            raise SourceError(
                f"this vault is not under git: {folder}", "without --history the notes are read as they are now"
            )
        return shallow == b"true"

    def _run(self, *words: str, into: IO[bytes] | None = None) -> bytes:
        done = subprocess.run(  # noqa: S603 - a fixed command, no shell
            (*self._command, *words),
            input=b"",
            stdout=into or subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            check=False,
        )
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
            raise SourceError(f"git says: {said[0].removeprefix('error: ').removeprefix('fatal: ')}")
        return done.stdout or b""


def _damaged(name: str) -> SourceError:
    return SourceError(f"the object {name} is missing or damaged")


def _name_of(data: bytes, like: str) -> str:
    """The name that git gives a blob, by the hash of which `like` is one."""
    algorithm = hashlib.sha1 if len(like) == 40 else hashlib.sha256  # noqa: PLR2004 - the digits of SHA-1
    return algorithm(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _close(pipe: IO[bytes]) -> None:
    """Close a pipe; what was not sent to a process that is gone is not missed."""
    try:
        pipe.close()
    except BrokenPipeError:
        return
