"""Where a memory is kept. `open_store` is the way in; `kgmem.store.protocol` says what a store does."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from kgmem.errors import StoreUnreachableError
from kgmem.store.protocol import Store

__all__ = ["open_store"]

_SQLITE: Final = "sqlite:///"


def open_store(url: str, group: str, *, now: datetime | None = None, readonly: bool = False) -> Store:
    """Open a group's memory.

    Args:
        url: ``sqlite:///absolute/path``, or a plain path.
        group: the tenant; its name is all there is to it.
        now: the memory's clock, pinned for a reproducible run; the machine's if None.
        readonly: for a reader. It makes nothing, and misses what is not there.

    Raises:
        kgmem.errors.StoreUnreachableError: the URL names no store of ours, or the store cannot be opened.
        kgmem.errors.StoreTooNewError: a newer kgmem wrote it.
    """
    scheme = url.partition("://")[0] if "://" in url else ""
    if scheme not in {"", "sqlite"} or (scheme and not url.startswith(_SQLITE)):
        raise StoreUnreachableError(f"no store is known for {url}", "use sqlite:///path, or a plain path")
    from kgmem.store.sqlite.store import SqliteStore

    path = Path("/", Path(url.removeprefix(_SQLITE).lstrip("/")).expanduser()) if scheme else Path(url).expanduser()
    return SqliteStore(path.absolute(), group, now=now, readonly=readonly)
