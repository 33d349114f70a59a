"""Where volumes are: a folder, or whatever fsspec reaches.

Both write a file whole or not at all, as far as the place can do that; the name says what the content must be, and who
wrote one reads it back before anything points to it.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Protocol
from urllib.parse import urlsplit

from kgmem.errors import ArchiveError

_HOW: Final = "pip install 'kgmem[archive]'"
_OWN: Final = frozenset({"builtins", "kgmem"})


class Place(Protocol):
    """A folder of volumes. Every call but `remove`, of what is not there, raises ArchiveError where it fails."""

    def read(self, name: str, most: int | None = None) -> bytes | None:
        """A file, or its first `most` bytes; None if there is none of that name."""

    def write(self, name: str, content: bytes) -> None:
        """Make a file that lasts."""

    def remove(self, name: str) -> None:
        """Leave nothing of a file, nor of one that was begun to be written."""

    def size(self, name: str) -> int | None:
        """Bytes of a file; None if there is none."""

    def names(self) -> tuple[str, ...]:
        """All files, in order; none if there is no such folder."""


def is_local(url: str) -> bool:
    """Whether a URL is a path, or says that it is one."""
    return "://" not in url or url.lower().startswith("file://")


def path_of(url: str) -> Path:
    """The path of a local URL."""
    if "://" in url:
        from urllib.request import url2pathname  # here: it brings the whole of HTTP

        url = url2pathname(urlsplit(url).path)
    return Path(url).expanduser().absolute()


def open_place(url: str) -> Place:
    """The place of a URL.

    Raises:
        ArchiveError: it says who asks, or nothing here reaches such a place.
    """
    if is_local(url):
        return Folder(path_of(url))
    refuse_password(url)
    return Remote(url)


def refuse_password(url: str) -> None:
    """Raise ArchiveError for a URL that holds a secret: it would be kept in the store."""
    parts = urlsplit(url)
    if parts.password is not None or "@" in parts.path or parts.query:
        raise ArchiveError(
            f"the URL of an archive on {parts.scheme} holds more than a place, and would be kept",
            "leave keys where fsspec looks for them: its own configuration, or the variables of the service",
        )


class Folder:
    """A folder of this machine: for its owner alone."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str, most: int | None = None) -> bytes | None:  # noqa: D102
        try:
            with (self._path / name).open("rb") as file:
                return file.read() if most is None else file.read(most)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._failed("read", name, error) from error

    def write(self, name: str, content: bytes) -> None:
        """For its owner alone; renamed once all of it is on the disk."""
        partial = self._partial(name)
        try:
            with self._made(partial) as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(self._path / name)
            _sync(self._path)
        except OSError as error:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise self._failed("written", name, error) from error

    def _made(self, partial: Path) -> BinaryIO:
        """A new file. Another process may remove the folder while it is empty: then it is made again."""
        partial.unlink(missing_ok=True)
        try:
            return self._opened(partial)
        except FileNotFoundError:
            return self._opened(partial)

    def _opened(self, partial: Path) -> BinaryIO:
        for folder in reversed([each for each in (self._path, *self._path.parents) if not each.exists()]):
            folder.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        return os.fdopen(os.open(partial, flags, 0o600), "wb")

    def remove(self, name: str) -> None:  # noqa: D102
        try:
            for each in (self._path / name, self._partial(name)):
                each.unlink(missing_ok=True)
            if self._path.is_dir():
                _sync(self._path)
                with suppress(OSError):  # it holds others, or somebody is making one
                    self._path.rmdir()
        except NotADirectoryError:
            return
        except OSError as error:
            raise self._failed("removed", name, error) from error

    def size(self, name: str) -> int | None:  # noqa: D102
        try:
            return (self._path / name).stat().st_size
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._failed("read", name, error) from error

    def names(self) -> tuple[str, ...]:  # noqa: D102
        try:
            return tuple(sorted(each.name for each in self._path.iterdir()))
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise self._failed("read", "", error) from error

    def _partial(self, name: str) -> Path:
        return self._path / f".{name}.partial"

    def _failed(self, what: str, name: str, error: OSError) -> ArchiveError:
        where = self._path / name
        return ArchiveError(f"{where} cannot be {what}: {error.strerror or error}", "check the folder and its rights")


def _sync(folder: Path) -> None:
    """Make a rename or a removal in a folder last, where folders can be opened."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class Remote:
    """A place that fsspec reaches. Nothing of a login is ever told to it: it looks in places of its own."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        with Translated(self._url, "opened"):
            try:
                from fsspec.core import url_to_fs
            except ImportError:
                raise ArchiveError(f"{self._url} needs fsspec, which is not installed", _HOW) from None
            self._files, self._root = url_to_fs(self._url)

    def read(self, name: str, most: int | None = None) -> bytes | None:  # noqa: D102
        with self._translated("read", name):
            try:
                return bytes(self._files.cat_file(self._path(name), end=most))
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:  # noqa: D102
        with self._translated("written", name):
            try:
                self._files.pipe_file(self._path(name), content)
            except FileNotFoundError:  # a place with real folders; to make one elsewhere may need rights of its own
                self._files.makedirs(self._root, exist_ok=True)
                self._files.pipe_file(self._path(name), content)

    def remove(self, name: str) -> None:  # noqa: D102
        with self._translated("removed", name), suppress(FileNotFoundError):
            self._files.rm_file(self._path(name))

    def size(self, name: str) -> int | None:  # noqa: D102
        with self._translated("read", name):
            self._files.invalidate_cache()
            try:
                found = self._files.size(self._path(name))
            except FileNotFoundError:
                return None
            return None if found is None else int(found)

    def names(self) -> tuple[str, ...]:  # noqa: D102
        with self._translated("read", ""):
            self._files.invalidate_cache()
            try:
                return tuple(sorted(str(each).rpartition("/")[2] for each in self._files.ls(self._root, detail=False)))
            except FileNotFoundError:
                return ()

    def _path(self, name: str) -> str:
        return f"{self._root.rstrip('/')}/{name}"

    def _translated(self, what: str, name: str) -> AbstractContextManager[None]:
        return Translated(f"{self._url}/{name}".rstrip("/"), what)


class Translated(AbstractContextManager[None]):
    """Turns what goes wrong in a foreign file system into an error of ours.

    The libraries behind fsspec share no class of error: each raises its own, or one of Python's for what went wrong
    outside. What is left, such as a TypeError, is a fault of the program, and stays what it is.
    """

    def __init__(self, where: str, what: str) -> None:
        self._where = where
        self._what = what

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or not isinstance(error, Exception):
            return
        foreign: Any = type(error).__module__.partition(".")[0] not in _OWN
        if foreign or isinstance(error, OSError | ImportError | ValueError | NotImplementedError):
            reason = str(error).partition("\n")[0] or type(error).__name__
            raise ArchiveError(
                f"{self._where} cannot be {self._what}: {reason}", "check the address, the way there, and your login"
            ) from error
