"""Where a memory is kept. `open_store` is the way in; `kgmem.store.protocol` says what a store does."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from kgmem.errors import StoreUnreachableError
from kgmem.store.protocol import Store

__all__ = ["holds_password", "ingesting", "open_store", "without_password"]

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
        return _open_server(url, group, now=now, readonly=readonly, unfinished=unfinished, environ=environ)
    if not scheme and _SERVER.match(url):
        raise StoreUnreachableError("the address of a server begins like neo4j://", "use neo4j://host")
    if scheme not in {"", "sqlite"} or (scheme and not url.startswith(_SQLITE)):
        raise StoreUnreachableError(
            f"no store is known for {without_password(url)}", "use sqlite:///path, a plain path, or neo4j://host"
        )
    from kgmem.store.sqlite.store import SqliteStore

    return _whole(SqliteStore(_file_of(url), group, now=now, readonly=readonly), unfinished=unfinished)


def ingesting(url: str) -> str:
    """The process that reads notes into the memory of a URL, for a message; empty if none does, or none can be told."""
    if "://" in url and not url.startswith(_SQLITE):
        return ""
    from kgmem.store.sqlite.connection import ingesting as in_file

    return in_file(_file_of(url))


def _file_of(url: str) -> Path:
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


def _open_server(
    url: str, group: str, *, now: datetime | None, readonly: bool, unfinished: bool, environ: Mapping[str, str]
) -> Store:
    try:
        from kgmem.store.neo4j.store import Neo4jStore
    except ModuleNotFoundError as error:
        if error.name != "neo4j":
            raise
        raise StoreUnreachableError("a Neo4j server needs the driver, which is not installed", _DRIVER) from None
    return _whole(Neo4jStore(url, group, now=now, readonly=readonly, environ=environ), unfinished=unfinished)


_DRIVER: Final = "pip install 'kgmem[neo4j]'"
