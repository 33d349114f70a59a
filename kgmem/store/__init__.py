"""Where a memory is kept. `open_store` is the way in; `kgmem.store.protocol` says what a store does."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kgmem.errors import StoreUnreachableError
from kgmem.store.protocol import Store

if TYPE_CHECKING:
    from kgmem.store.neo4j.store import Neo4jStore

__all__ = ["WAIT_SECONDS", "file_of", "holds_password", "ingesting", "is_server", "open_store", "without_password"]

WAIT_SECONDS: Final = 10.0
"""How long a writer waits for another one: as long as a person looks on."""
_SQLITE: Final = "sqlite:///"
_SERVERS: Final = ("neo4j", "bolt")
_SERVER: Final = re.compile(r"(?:neo4j|bolt)(?:\+s(?:sc)?)?:/*", re.IGNORECASE)


def open_store(
    url: str,
    group: str,
    *,
    now: datetime | None = None,
    readonly: bool = False,
    unfinished: bool = False,
    wait_seconds: float = WAIT_SECONDS,
    environ: Mapping[str, str] = os.environ,
) -> Store:
    """Open a group's memory.

    Args:
        url: ``sqlite:///absolute/path``, a plain path, or a Neo4j server: ``neo4j://host``, ``neo4j+s://host``,
            ``bolt://host``, ``bolt+s://host``.
        group: the tenant; its name is all there is to it.
        now: the memory's clock, pinned for a reproducible run; the machine's if None.
        readonly: for a reader. It makes nothing, and misses what is not there.
        unfinished: also a group that is half a copy, for who completes it.
        wait_seconds: how long a transaction waits for that of another writer.
        environ: user, password and database of a server stand here: `NEO4J_USERNAME`, `NEO4J_PASSWORD` and
            `NEO4J_DATABASE`.

    Raises:
        kgmem.errors.StoreError: the group is half a copy of another memory.
        kgmem.errors.StoreUnreachableError: the URL names no store of ours, or the store cannot be opened.
        kgmem.errors.StorePasswordError: the server lets nobody in like this.
        kgmem.errors.StoreTooNewError: a newer kgmem wrote it.
    """
    scheme = url.partition("://")[0].lower() if "://" in url else ""
    if scheme.partition("+")[0] in _SERVERS:
        server = _server()(url, group, now=now, readonly=readonly, busy_seconds=wait_seconds, environ=environ)
        return _whole(server, unfinished=unfinished)
    if not scheme and _SERVER.match(url):
        raise StoreUnreachableError("the address of a server begins like neo4j://", "use neo4j://host")
    if scheme not in {"", "sqlite"} or (scheme and not url.startswith(_SQLITE)):
        raise StoreUnreachableError(
            f"no store is known for {without_password(url)}", "use sqlite:///path, a plain path, or neo4j://host"
        )
    from kgmem.store.sqlite.store import SqliteStore

    store = SqliteStore(file_of(url), group, now=now, readonly=readonly, busy_seconds=wait_seconds)
    return _whole(store, unfinished=unfinished)


def ingesting(url: str) -> str:
    """The process that reads notes into the memory of a URL, for a message; empty if none does, or none can be told."""
    if is_server(url):
        return ""
    from kgmem.store.sqlite.connection import ingesting as in_file

    return in_file(file_of(url))


def is_server(url: str) -> bool:
    """Whether the URL of a store names a server, and no file."""
    return "://" in url and not url.startswith(_SQLITE)


def file_of(url: str) -> Path:
    """The file that the URL of a store names which is no server."""
    path = Path(url.removeprefix(_SQLITE).lstrip("/")).expanduser()
    return (Path("/", path) if url.startswith(_SQLITE) else Path(url).expanduser()).absolute()


def _whole(store: Store, *, unfinished: bool) -> Store:
    """A store that holds no half of a copy, unless somebody opens it to finish that."""
    if not unfinished and (half := store.half_copy()) is not None:
        store.close()
        raise half.refused(store.group, store.url)
    return store


def without_password(url: str) -> str:
    """The URL of a store as it may be printed: no user, no password, also where it is misspelt."""
    begins = _SERVER.match(url)
    if begins:
        return begins[0] + re.split("[?#]", url[begins.end() :].rpartition("@")[2])[0]
    scheme, slashes, rest = url.partition("://")
    where, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{where.rpartition('@')[2]}{slash}{path}"


def holds_password(url: str) -> bool:
    """Whether the URL of a server says who asks."""
    return bool(_SERVER.match(url)) and "@" in url


def _server() -> type[Neo4jStore]:
    try:
        from kgmem.store.neo4j.store import Neo4jStore
    except ModuleNotFoundError as error:
        if error.name != "neo4j":
            raise
        raise StoreUnreachableError("a Neo4j server needs the driver, which is not installed", _DRIVER) from None
    return Neo4jStore


_DRIVER: Final = "pip install 'kgmem[neo4j]'"
