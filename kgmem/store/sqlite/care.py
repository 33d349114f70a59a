"""How much a group holds, and what is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import apsw

from kgmem.model import OPEN, Instant
from kgmem.store.protocol import Stats
from kgmem.store.sqlite.connection import Handle

_COUNTS: Final = {
    "sources": "SELECT count(*) FROM source WHERE grp = :grp AND removed_at = :open",
    "episodes": "SELECT count(*) FROM episode WHERE grp = :grp",
    "passages": "SELECT count(*) FROM passage WHERE grp = :grp AND live = 1",
    "mentions": (
        "SELECT count(*) FROM passage p CROSS JOIN mention m ON m.passage = p.nr WHERE p.grp = :grp AND p.live = 1"
    ),
    "entities": "SELECT count(*) FROM entity WHERE grp = :grp AND listed IS NOT NULL",
    "aliases": "SELECT count(*) FROM alias WHERE grp = :grp",
    "claims": "SELECT count(*) FROM claim WHERE grp = :grp AND withdrawn_at = :open",
    "facts": "SELECT count(*) FROM fact WHERE grp = :grp AND closed_at = :open",
    "vectors": (
        "SELECT count(*) FROM grp g CROSS JOIN vector v ON v.grp = g.nr AND v.model = g.vector_model WHERE g.nr = :grp"
    ),
    "transactions": "SELECT count(*) FROM tx WHERE grp = :grp",
    "conversations": "SELECT count(*) FROM conversation WHERE grp = :grp",
    "messages": "SELECT count(*) FROM message WHERE grp = :grp",
}


def stats(handle: Handle, path: Path, url: str) -> Stats:
    """See `kgmem.store.protocol.Store.stats`."""
    bindings = {"grp": handle.grp, "open": OPEN}
    counts = {name: handle.connection.execute(sql, bindings).get for name, sql in _COUNTS.items()}
    last = handle.first("SELECT max(clock_last) FROM grp WHERE nr = ?", handle.grp)[0]
    files_here = (path, path.with_name(f"{path.name}-wal"))
    size = sum(each.stat().st_size for each in files_here if each.exists())
    return Stats(counts, None if last is None else Instant(last), size, f"SQLite {apsw.sqlite_lib_version()}", url)


def verify(handle: Handle) -> tuple[str, ...]:
    """See `kgmem.store.protocol.Store.verify`."""
    damage = [text for (text,) in handle.rows("PRAGMA quick_check") if text != "ok"]
    dangling = handle.rows("PRAGMA foreign_key_check")
    return (
        *damage,
        *(f"row {nr} of {table} names a {parent} that is not there" for table, nr, parent, _ in dangling),
    )
