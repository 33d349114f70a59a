"""What an archive saves, and what it costs: ``python bench/archive.py [--notes N] [--revisions N]``.

A vault of generated notes is ingested again and again, each time with one line of every note changed and recorded a day
later, as an ingest of a folder's history does. Then all old texts are archived, read through, and brought back.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import apsw
from _measure import machine
from notes import write

from kgmem.archive.moving import bring_back, put_away
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import OPEN, to_instant
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.protocol import Store
from kgmem.store.volumes.reading import forget_volumes

T = TypeVar("T")
FIRST_DAY = datetime(2020, 1, 1, tzinfo=UTC)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=100)
    parser.add_argument("--revisions", type=int, default=40)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root / "vault", options.notes)
        with closing(open_store(f"sqlite:///{root / 'memory' / 'memory.db'}", "default")) as store:
            _live(store, root / "vault", options.revisions)
            _measure(store, root)
    return 0


def _live(store: Store, vault: Path, revisions: int) -> None:
    """Record every note once a day."""
    memory = Memory(store, load_ontology())
    notes = sorted(vault.rglob("*.md"))
    for day in range(revisions):
        for note in notes if day else ():
            text = note.read_text("utf-8").rstrip("\n").rsplit("\nSeen ", 1)[0]
            note.write_text(f"{text}\nSeen {day} times.\n", encoding="utf-8")
        memory.ingest(Vault(vault), at=to_instant(FIRST_DAY + timedelta(days=day)))


def _measure(store: Store, root: Path) -> None:
    archive = store.archive()
    _check_in(root)
    bodies, body_bytes = archive.waiting(OPEN)
    before = store.stats().size_bytes
    whole = _timed("read all of the memory, all in the store", lambda: sum(1 for _ in store.dump()))
    began = time.process_time()
    moved = put_away(archive, str(archive.beside()), OPEN, _silent)
    seconds = time.process_time() - began
    rate = f"{body_bytes / seconds / 1e6:.1f} MB a second"
    print(f"archived {bodies:,} texts of {body_bytes / 1e6:.1f} MB in {seconds:.1f} s of CPU, {rate}")
    print(f"{moved.volumes} volumes of {moved.volume_bytes / 1e6:.2f} MB, 1/{body_bytes / moved.volume_bytes:.0f}")
    _timed("give the room back", archive.shrink)
    after = store.stats().size_bytes
    print(f"the store: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB after, {1 - after / before:.0%} less")
    forget_volumes()
    source = next(store.sources())
    _timed("one old text, the first", lambda: store.episodes(source.id)[0].body)
    _timed("another one of its volume", lambda: store.episodes(source.id)[1].body)
    again = _timed("read all of the memory, old texts outside", lambda: sum(1 for _ in store.dump()))
    if again != whole:
        sys.exit("the memory says something else")
    _timed("bring all back", lambda: bring_back(archive, _silent))


def _check_in(root: Path) -> None:
    """Leave nothing in the log: it would count as room that the archive gave back."""
    with closing(apsw.Connection(str(root / "memory" / "memory.db"))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _timed(what: str, act: Callable[[], T]) -> T:
    began = time.process_time()
    result = act()
    print(f"{what}: {(time.process_time() - began) * 1000:,.1f} ms of CPU")
    return result


def _silent(_stage: str, _done: int, _total: int) -> None:
    pass


if __name__ == "__main__":
    raise SystemExit(main())
