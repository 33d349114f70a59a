"""Whatever is done to a memory, and whenever its texts go and come: it says what one says that never moved any."""

import random
from datetime import datetime, timedelta

import pytest
from archive.test_moving import archive, away, complaints, files, shelves, silent, words_in
from ingestion.notes import MONDAY, Notes

from kgmem.archive.moving import bring_back
from kgmem.archive.tidying import tidy
from kgmem.errors import NotFoundError, UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault
from kgmem.store.archive import State

PLACES = ("Nord", "Sud", "Ost", "West")
FILL = "So much was to be said of rivers and of wine on that day, and of the long way home after it was over. " * 2


class Life:
    """Two memories of one vault, of which only one archives."""

    def __init__(self, folder, seed):
        self._chance = random.Random(seed)  # noqa: S311 -- nothing secret hangs on it
        self._day = 0
        self.notes = Notes(folder)
        self.twin = Notes(folder)
        self.twin.url = f"sqlite:///{folder / 'twin.db'}"

    def step(self):
        self._day += 1
        acts = (self.write, self.remove, self.undo, self.forget, self.erase)
        self._chance.choices(acts, (8, 1, 3, 1, 1))[0]()
        moves = (self.away, self.home, self.tidy, lambda: None)
        self._chance.choices(moves, (3, 1, 2, 2))[0]()
        assert self.notes.dump() == self.twin.dump()

    @property
    def now(self):
        return (datetime.fromisoformat(MONDAY) + timedelta(days=self._day)).isoformat()

    def write(self):
        path = f"{self._chance.choice('ABC')}.md"
        text = f"---\ntype: person\nworks_at: {self._chance.choice(PLACES)}\n---\n{FILL}\n"
        self.notes.write({path: text})
        self._ingest()

    def remove(self):
        if present := sorted(self.notes.vault.glob("*.md")):
            self.notes.remove(self._chance.choice(present).name)
            self._ingest()

    def _ingest(self):
        for each in (self.notes, self.twin):
            each.ingest(self.now)

    def undo(self):
        self._both(lambda b, _: b.undo(b.last(past_erased=True), Vault(self.notes.vault)))

    def forget(self):
        path = f"{self._chance.choice('ABC')}.md"

        def turn(b, _):
            source, _ = b.find(path)
            (b.restore if b.is_forgotten(source, None) else b.forget)(source, Vault(self.notes.vault))

        self._both(turn)

    def erase(self):
        path = f"{self._chance.choice('ABC')}.md"

        def gone(b, _):
            source, _ = b.find(path)
            if not b.is_forgotten(source, None):
                b.forget(source, Vault(self.notes.vault))
            assert b.erase(source)

        self._both(gone)

    def _both(self, act):
        said = []
        for each in (self.notes, self.twin):
            with each.store(self.now) as store:
                try:
                    act(Memory(store, load_ontology()).back, store)
                except (UserError, NotFoundError) as error:
                    said.append(error.message)
        assert len(set(said)) < 2
        assert len(said) in {0, 2}

    def away(self):
        away(self.notes)

    def home(self):
        with archive(self.notes) as kept:
            bring_back(kept, silent)

    def tidy(self):
        with archive(self.notes) as kept:
            tidy(kept)


@pytest.mark.parametrize("seed", range(4))
def test_texts_that_go_and_come_change_nothing(tmp_path, seed):
    life = Life(tmp_path, seed)
    for _ in range(15):
        life.step()
    life.tidy()
    assert complaints(life.notes) == []
    assert {each.state for each in shelves(life.notes)} <= {State.KEPT}
    assert sorted(file.name for file in files(life.notes)) == sorted(each.name for each in shelves(life.notes))
    assert len(words_in(life.notes)) == sum(len(each.digests) for each in shelves(life.notes))
