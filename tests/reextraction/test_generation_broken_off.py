"""Whatever stops a re-extraction, the memory that answers is whole, and the same command comes to the same end."""

import multiprocessing
import os
import shutil
import signal
from contextlib import closing
from itertools import count

import apsw
import pytest
from ingestion.notes import MONDAY, TUESDAY, Notes
from reextraction.again import Again, ontology_with

from kgmem.errors import StoreLockedError
from kgmem.reextraction import making

KEYS = "predicates:\n  IN_DEBT_TO: {phrase: '{s} is in debt to {o}', names: [owes]}\n"


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A memory with a past, and an ontology that draws it otherwise."""
    notes = Notes(tmp_path_factory.mktemp("lived"))
    notes.write({"Mira.md": "owes:: [[Nord]]\n\nJon came.\n", "Jon.md": "owes:: Sud\n"}).ingest(MONDAY)
    notes.write({"Mira.md": "owes:: [[Sud]]\n\nJon came.\n"}).ingest(TUESDAY)
    return Again(notes, ontology_with(notes.vault.parent, KEYS))


@pytest.fixture
def copied(lived, tmp_path, monkeypatch):
    """Copies of that memory, which are loaded in small portions."""
    monkeypatch.setattr(making, "_CHUNK", 10)

    def copy(name):
        folder = tmp_path / name
        folder.mkdir()
        notes = Notes(folder)
        notes.vault = lived.notes.vault
        shutil.copy(lived.notes.vault.parent / "memory.db", folder / "memory.db")
        return Again(notes, lived.means.ontology)

    return copy


def promote_and_die(again, commits):
    """Promote, and die with the commit of that number; exits with 0 if there were fewer."""
    left = count(commits, -1)

    def hook():
        if next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return False

    apsw.connection_hooks.append(lambda connection: connection.set_commit_hook(hook))
    again.promote()


def killed(again, commits):
    process = multiprocessing.get_context("fork").Process(target=promote_and_die, args=(again, commits))
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def test_killed_at_any_commit_the_memory_is_whole_and_it_goes_on(lived, copied):
    before = lived.dump()
    whole = copied("whole")
    whole.promote()
    drawn = whole.dump()
    assert drawn != before
    for number in count():
        again = copied(str(number))
        stopped = killed(again, number)
        promoted = again.generations()[:1] == ["1"]
        assert again.dump() == (drawn if promoted else before)
        assert promoted or stopped
        with closing(again.open()) as store:
            assert store.verify() == ()
        again.promote()
        assert again.dump() == drawn
        assert again.dump("default~1") == before
        if not stopped:
            break
    assert number > 8  # each portion, the end, what is read again, that it is complete, the pointer


def test_stopped_by_a_person_it_goes_on_where_it_was(copied):
    again, loaded = copied("stopped"), []

    def stop(what, done, _total):
        if what == "loading":
            loaded.append(done)
            if len(loaded) == 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        again.make(progress=stop)
    assert loaded == [10, 20]
    again.make(progress=stop)
    assert loaded[2] == 30


def test_two_at_once_are_one_too_many(copied):
    again = copied("two")

    def wait(ready, done):
        with closing(again.open()) as store, again.making(store).alone():
            ready.set()
            done.wait(30)

    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=wait, args=(ready, done))
    other.start()
    assert ready.wait(30)
    with pytest.raises(StoreLockedError, match=f"process {other.pid} on .* is re-extracting the group default"):
        again.make()
    other.kill()
    other.join()
    added, _, _ = again.make()
    assert added != []
