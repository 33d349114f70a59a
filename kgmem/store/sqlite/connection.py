"""Opening a SQLite file, talking to it, and telling its errors apart."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import apsw

from kgmem.errors import InvariantError, StoreError, StoreLockedError, StoreMissingError, StoreUnreachableError

BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another one."""
_OLDEST: Final = (3, 51, 3)
"""Older versions can corrupt a write-ahead log when it is reset."""
_PAGE_BYTES: Final = 16_384
_CACHE_KIB: Final = 65_536
_POLL_SECONDS: Final = 0.005
_LONGEST_POLL_SECONDS: Final = 0.1


class Handle:
    """A connection on behalf of one group: statements in, rows out.

    In a statement ``@`` stands for the number of the group, which is in the names of its search tables. The number is
    0, and there are none, for a reader of a group in which nothing was ever written.
    """

    __slots__ = ("connection", "grp")

    def __init__(self, connection: apsw.Connection, grp: int) -> None:
        self.connection = connection
        self.grp = grp

    def rows(self, sql: str, *bindings: Any) -> list[Any]:
        """All rows of a statement."""
        return self.connection.execute(sql.replace("@", str(self.grp)), bindings).fetchall()

    def first(self, sql: str, *bindings: Any) -> Any:
        """The first row, or None."""
        return next(iter(self.rows(sql, *bindings)), None)

    def each(self, sql: str, bindings: Iterable[Sequence[Any]]) -> Iterator[Any]:
        """The rows of a statement run once for each set of bindings."""
        return self.connection.executemany(sql.replace("@", str(self.grp)), bindings)

    def run(self, sql: str, bindings: Iterable[Sequence[Any]]) -> int:
        """Run a statement that writes, once for each set of bindings; gives the number of rows changed."""
        before = self.connection.total_changes()
        self.connection.executemany(sql.replace("@", str(self.grp)), bindings)
        return self.connection.total_changes() - before


def connect(path: Path, *, readonly: bool, busy_seconds: float) -> apsw.Connection:
    """Open a database file; for a writer, make it and its folder where there is none.

    Raises:
        StoreError: the SQLite that apsw was built with is in the range of a known corruption.
        StoreUnreachableError: there is no file to read, or it cannot be opened, or is something else.
    """
    refuse_old_engine(apsw.sqlite_lib_version())
    if path.is_dir():
        raise StoreUnreachableError(f"{path} is a folder, not a file", "name a file in it with --store")
    if not readonly:
        _make_file(path)
    elif not path.exists():
        raise nothing_here(path)
    with translated(path):
        if not readonly:
            return _open(str(path), apsw.SQLITE_OPEN_READWRITE, busy_seconds)
        try:
            return _open(str(path), apsw.SQLITE_OPEN_READONLY, busy_seconds)
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            if _may(path.parent, os.W_OK) or not _may(path, os.R_OK):
                raise
        return _open_unwritable(path, busy_seconds)


def _open(name: str, flags: int, busy_seconds: float) -> apsw.Connection:
    readonly = bool(flags & apsw.SQLITE_OPEN_READONLY)
    with ExitStack() as undo:
        connection = apsw.Connection(name, flags=flags, statementcachesize=256)
        undo.callback(connection.close)
        _set_up(connection, readonly=readonly, busy_seconds=busy_seconds)
        undo.pop_all()
    return connection


def _may(path: Path, mode: int) -> bool:
    """Whether this process may read or write; no where the whole disk is only for reading."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _open_unwritable(path: Path, busy_seconds: float) -> apsw.Connection:
    """Read a file beside which nothing can be made, not even what SQLite coordinates readers by.

    Nobody can write to it in such a folder, so it is read as one that never changes. What a log still holds would be
    missed in that way.
    """
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise StoreUnreachableError(
            f"{path} has changes in {log.name} that cannot be read where its folder is not writable",
            f"copy {path.name} and {log.name} to a folder that is, and name that with --store",
        )
    name = f"{path.absolute().as_uri()}?immutable=1"
    return _open(name, apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, busy_seconds)


def nothing_here(path: Path) -> StoreMissingError:
    """The error of a reader who comes before any writer."""
    return StoreMissingError(f"there is no memory here yet: {path}", "kgmem ingest PATH")


def refuse_old_engine(version: str) -> None:
    """Raise StoreError for a SQLite in the range of the bug that corrupts a log when it is reset."""
    if tuple(int(part) for part in version.split(".")[:3]) < _OLDEST:
        needed = ".".join(str(part) for part in _OLDEST)
        raise StoreError(f"SQLite {version} can damage a database; {needed} is needed", "pip install --upgrade apsw")


@contextmanager
def transaction(connection: apsw.Connection, mode: str = "IMMEDIATE") -> Iterator[None]:
    """A transaction around a block: committed at its end, rolled back by whatever leaves it otherwise."""
    connection.execute(f"BEGIN {mode}")
    try:
        yield
        if connection.in_transaction:
            connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def back_up(path: Path, target: Path) -> None:
    """Copy the database as it was committed last, through a connection of its own; whole, or not at all."""
    partial = path.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    source, copy = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY), apsw.Connection(str(partial))
    try:
        with copy.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(1024)
        copy.pragma("journal_mode", "delete")
    finally:
        copy.close()
        source.close()
    partial.replace(target)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what apsw raises into errors of ours.

    Raises:
        StoreLockedError: another process writes.
        StoreUnreachableError: no such file, no rights, or it is not a database.
        StoreError: the disk is full or fails.
        InvariantError: a row breaks a rule of the schema.
    """
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreLockedError(f"{holder(path)} is writing to {path}", "try again when it is done") from error
    except apsw.NotADBError as error:
        raise StoreUnreachableError(f"{path} is not a kgmem memory", "name another file with --store") from error
    except apsw.CorruptError as error:
        raise StoreUnreachableError(f"{path} is damaged: {error}", "put a backup copy in its place") from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StoreUnreachableError(f"{path} cannot be opened: {error}", "check the path and its rights") from error
    except (apsw.FullError, apsw.IOError) as error:
        raise StoreError(f"{path} could not be read or written: {error}", "check the disk") from error
    except apsw.ConstraintError as error:
        raise InvariantError(f"a row breaks a rule of the store: {error}") from error


def sign(path: Path) -> None:
    """Note beside the database who writes. Best effort: whoever waits in vain is told."""
    line = f"{os.getpid()} {_command()}\n".encode()[:_SIGNATURE_BYTES]
    try:
        descriptor = os.open(_signature(path), os.O_WRONLY | os.O_CREAT, 0o600)
    except OSError:
        return
    try:
        os.write(descriptor, line.ljust(_SIGNATURE_BYTES))
    finally:
        os.close(descriptor)


def holder(path: Path) -> str:
    """Who signed last, for a message."""
    try:
        number, _, command = _signature(path).read_text("utf-8", "replace").strip().partition(" ")
    except OSError:
        return "another process"
    return f"process {number} ({command.strip()})" if number.isdigit() else "another process"


def ingesting(path: Path) -> str:
    """Another process that ingested last and still runs, for a message; empty if there is none, or none can be told."""
    signed = holder(path)
    number = signed.removeprefix("process ").partition(" ")[0]
    if os.name != "posix" or not number.isdigit() or not signed.endswith(" ingest)") or int(number) == os.getpid():
        return ""
    try:
        os.kill(int(number), 0)  # asks whether it is there, and sends nothing
    except PermissionError:
        return signed
    except (OSError, OverflowError):
        return ""
    return signed


_SIGNATURE_BYTES: Final = 128


def _signature(path: Path) -> Path:
    return path.with_name(f"{path.name}.writer")


def _command() -> str:
    """The program and its command. Never more: an argument may be a private thought."""
    program = Path(sys.argv[0] if sys.argv else "").name or "python"
    command = sys.argv[1] if len(sys.argv) > 1 and sys.argv[1].isalpha() else ""
    return f"{program} {command}".strip()


def _make_file(path: Path) -> None:
    """The folder for its owner only, the file too: notes are private. SQLite gives its log the same mode."""
    try:
        missing = [folder for folder in path.parents if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreUnreachableError(f"{path} cannot be opened: {reason}", "check the path and its rights") from error


def _set_up(connection: apsw.Connection, *, readonly: bool, busy_seconds: float) -> None:
    if busy_seconds > BUSY_SECONDS:
        connection.set_busy_handler(_patient(busy_seconds))
    else:
        connection.set_busy_timeout(int(busy_seconds * 1000))
    connection.execute(
        f"PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;"
        f"PRAGMA cache_size = -{_CACHE_KIB}"
    )
    if readonly:
        connection.pragma("schema_version")  # the first read tells whether it can be read at all
        return
    connection.execute(f"PRAGMA synchronous = NORMAL; PRAGMA page_size = {_PAGE_BYTES}")
    _log_ahead(connection, busy_seconds)


def _patient(seconds: float) -> Callable[[int], bool]:
    """Waits like SQLite does, in steps between which Ctrl-C is heard: SQLite alone would not hear it for so long."""
    deadline = 0.0

    def wait(times: int) -> bool:
        nonlocal deadline
        now = time.monotonic()
        deadline = deadline if times else now + seconds
        time.sleep(min(_POLL_SECONDS * (times + 1), _LONGEST_POLL_SECONDS))
        return now < deadline

    return wait


def _log_ahead(connection: apsw.Connection, busy_seconds: float) -> None:
    """Switch to the write-ahead log; SQLite does not wait here by itself when two open a new file at once."""
    deadline = time.monotonic() + busy_seconds
    while connection.pragma("journal_mode") != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
