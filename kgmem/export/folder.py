"""The folder of an export on disk: read without following links, written whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Final

from kgmem.errors import UserError
from kgmem.export.left_alone import LeftAloneError

_FULL: Final = {errno.ENOSPC, errno.EDQUOT}
_LINKED: Final = "put a real one there, or nothing"


class Folder:
    """Files by their path (POSIX) below the folder. No symbolic link in it is followed."""

    def __init__(self, root: Path) -> None:
        """Name the folder; it need not exist.

        Raises:
            UserError: there is a file of that name.
        """
        self.root = root.absolute()
        if os.path.lexists(self.root) and not self.root.is_dir():
            raise UserError(f"{self.root} is not a folder", "name another place for the pages")
        self._plain: set[PurePosixPath] = set()

    def read(self, path: str) -> bytes | None:
        """What a file holds; None if there is none.

        Raises:
            LeftAloneError: a symbolic link or something other than a file is in the way, or it cannot be read.
        """
        file = self._place(path)
        try:
            if not stat.S_ISREG(file.lstat().st_mode):
                raise LeftAloneError("no-file", "it is a symbolic link, or no file", _LINKED)
            return file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise LeftAloneError(
                "unreadable", f"it cannot be read: {error.strerror or error}", "check who may read it"
            ) from error

    def write(self, path: str, data: bytes, *, planned: bytes | None, durable: bool = False) -> None:
        """Put a file in place of what was there when the change was planned; None for nothing.

        `durable` waits for the disk: for a file that holds what cannot be made again.

        Raises:
            LeftAloneError: something else is there now, or a symbolic link is in the way.
            UserError: the folder cannot be written to, or the disk is full; the file is as it was.
        """
        file = self._place(path)
        with self._writing():
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary = _write_beside(file, data, durable=durable)
            try:
                if planned is not None:
                    temporary.chmod(stat.S_IMODE(file.stat().st_mode))
                if self.read(path) != planned:
                    raise LeftAloneError("changed", "it changed while the export ran", "export again")
                temporary.replace(file)
            finally:
                temporary.unlink(missing_ok=True)

    def move(self, path: str, to: str) -> None:
        """Rename a file with all that is in it, and remove the folders that this leaves empty.

        Raises:
            LeftAloneError: there is a file at the new place, or a symbolic link is in the way.
            UserError: the folder cannot be written to.
        """
        file, target = self._place(path), self._place(to)
        if self.exists(to) and not file.samefile(target):
            raise LeftAloneError("in-the-way", f"it cannot move to {to}: something is there", "move that away")
        with self._writing():
            target.parent.mkdir(parents=True, exist_ok=True)
            file.rename(target)
        self._remove_empty(file.parent)

    def remove(self, path: str, *, planned: bytes) -> None:
        """Delete a file if it still is what it was, and the folders that this leaves empty.

        Raises:
            LeftAloneError: something else is there now, or a symbolic link is in the way.
            UserError: the folder cannot be written to.
        """
        if self.read(path) != planned:
            raise LeftAloneError("changed", "it changed while the export ran", "export again")
        file = self._place(path)
        with self._writing():
            file.unlink()
        self._remove_empty(file.parent)

    def exists(self, path: str) -> bool:
        """Whether anything is at a path, also a symbolic link that leads nowhere.

        Raises:
            LeftAloneError: a symbolic link is above it.
        """
        return os.path.lexists(self._place(path))

    def same(self, path: str, other: str) -> bool:
        """Whether two paths are one file here: disks differ in what names they tell apart.

        Raises:
            LeftAloneError: a symbolic link is above one of them.
        """
        file, second = self._place(path), self._place(other)
        return os.path.lexists(file) and os.path.lexists(second) and os.path.samestat(file.lstat(), second.lstat())

    def _place(self, path: str) -> Path:
        """The absolute path, if no part above it is a symbolic link."""
        file = self.root / path
        for part in reversed(PurePosixPath(path).parents[:-1]):
            if part in self._plain:
                continue
            try:
                mode = (self.root / part).lstat().st_mode
            except FileNotFoundError:
                break
            except OSError as error:
                raise LeftAloneError("unreadable", f"{part} cannot be read: {error.strerror or error}") from error
            if not stat.S_ISDIR(mode):
                raise LeftAloneError("no-folder", f"{part} is a symbolic link, or no folder", _LINKED)
            self._plain.add(part)
        return file

    def _remove_empty(self, folder: Path) -> None:
        while folder != self.root:
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            full = error.errno in _FULL
            hint = "make room on the disk" if full else "check who may write there, or export to another folder"
            message = f"pages cannot be written to {self.root}: {error.strerror or error}"
            raise UserError(message, f"{hint}; nothing is half-written, and the next export goes on") from error


def _write_beside(file: Path, data: bytes, *, durable: bool) -> Path:
    """A temporary file with the data, in the same folder so that the replace is one step."""
    temporary = file.parent / f".kgmem-{secrets.token_hex(6)}.tmp"
    try:
        with temporary.open("xb") as out:
            out.write(data)
            if durable:
                out.flush()
                os.fsync(out.fileno())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary
