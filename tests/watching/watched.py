"""A watch in a thread of its own, on a folder and a memory that are a test's own."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path
from threading import Thread

from kgmem.cli.output import Output
from kgmem.cli.session import Session
from kgmem.cli.watch_taking import Keeper
from kgmem.sources.document import SourceSettings
from kgmem.sources.opening import open_reader
from kgmem.store.protocol import FactQuery
from kgmem.watching import Changed, Scanned, Timing, Trouble, Watch
from kgmem.watching.place import Place

QUICK = Timing(settle=0.15, patience=1.0, heartbeat=0.2, poll=0.2, quiet=0.1, retry=0.2)
PATIENCE = 60
"""Seconds until a test gives up: what it waits for mostly comes at once."""


class Watched:
    """Watches folders from its entry on; leaves with a stop."""

    def __init__(self, memory: Path, *roots: Path, polling=False, timing=QUICK, taking=None, all_gone=False):
        self.session = Session(Output(quiet=True), f"sqlite:///{memory}")
        self.happenings = []
        keeper = taking or Keeper(self.session, lambda *_: None, nlp=False, embeddings=False)
        self.places = [
            Place(lambda root=root: open_reader(root.as_posix(), None, SourceSettings()), timing, polling=polling)
            for root in roots
        ]
        self.watch = Watch(self.places, keeper, self.happenings.append, timing, all_gone=all_gone)
        self._thread = Thread(target=self.watch.run)
        self._read = 0

    def __enter__(self):
        self._thread.start()
        for _ in self.places:
            self.see(Scanned)
        return self

    def __exit__(self, *_):
        self.watch.stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def see(self, kind, **fields):
        """Wait for the next happening of a kind, which is given; what comes before it is passed over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            while self._read < len(self.happenings):
                found = self.happenings[self._read]
                self._read += 1
                if isinstance(found, kind) and all(getattr(found, name) == value for name, value in fields.items()):
                    return found
            assert self._thread.is_alive(), f"it ended without {kind.__name__}: {self.happenings}"
            time.sleep(0.02)
        raise AssertionError(f"no {kind.__name__} {fields} came: {self.happenings}")

    def changed(self, *paths):
        """Wait until all of these paths were taken in, in one batch or in several."""
        left = set(paths)
        while left:
            left -= set(self.see(Changed).paths)

    @staticmethod
    def until(holds):
        """Wait until something holds."""
        until = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < until
            time.sleep(0.05)

    def troubles(self):
        return [(each.problem.path, each.problem.kind) for each in self.happenings if isinstance(each, Trouble)]

    def sources(self):
        with self.session.reading() as store:
            return sorted(source.path for source in store.sources())

    def facts(self):
        return current_facts(self.session)


def current_facts(session):
    """What holds from now on, by names: comparable between memories that met the notes in another order."""
    later = 86_400 * date(2999, 1, 1).toordinal()
    with session.reading() as store:
        _, facts = store.facts(FactQuery(valid=(later, later + 1)))
        who = store.entities({each for fact in facts for each in (fact.subject, fact.object) if each})
        return sorted((who[f.subject].name, f.predicate, who[f.object].name if f.object else f.value) for f in facts)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path
