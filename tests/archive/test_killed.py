"""Killed at any step, a run loses nothing, and the next one ends what it began; two at once do not harm each other."""

import copy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from archive.test_moving import archive, away, erase, files, notes, shelves, silent

from kgmem.archive.checking import unreadable
from kgmem.archive.moving import put_away
from kgmem.archive.tidying import tidy
from kgmem.model import OPEN
from kgmem.store.archive import State

__all__ = ["notes"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")

_KILLED_AT = """
import os, signal, sys
from pathlib import Path
from kgmem.archive.moving import bring_back, put_away
from kgmem.archive.tidying import tidy
from kgmem.model import OPEN
from kgmem.store import open_store
from kgmem.store.sqlite.archive import SqliteArchive
from kgmem.store.volumes import places

what, url, left = sys.argv[1], sys.argv[2], int(sys.argv[3])

def step(of, name):
    done = getattr(of, name)
    def stepping(*arguments):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        result = done(*arguments)
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    setattr(of, name, stepping)

for name in ("begin", "keep", "take_over", "bring_back", "doom", "drop"):
    step(SqliteArchive, name)
for name in ("read", "remove"):
    step(places.Folder, name)
step(os, "fsync")
step(Path, "replace")
silent = lambda *_: None
store = open_store(url, "default")
archive = store.archive()
if what == "put_away":
    put_away(archive, str(archive.beside()), OPEN, silent)
elif what == "bring_back":
    bring_back(archive, silent)
else:
    tidy(archive)
store.close()
"""


def killed(notes, what, step):
    """Run something that kills itself at a step; gives whether it came that far."""
    done = subprocess.run([sys.executable, "-c", _KILLED_AT, what, notes.url, str(step)], check=False)
    assert done.returncode in {0, -signal.SIGKILL}
    return done.returncode != 0


def broken(notes):
    with notes.store() as store:
        return list(unreadable(store))


def sound(notes, dump):
    """Nothing is lost now; and when somebody tidies up, every file is pointed to, and every pointer leads to a file."""
    assert notes.dump() == dump
    assert all("pointed to by nothing" in line or "erased" in line for line in broken(notes))
    with archive(notes) as kept:
        tidy(kept)
    assert notes.dump() == dump
    assert broken(notes) == []
    assert sorted(file.name for file in files(notes)) == sorted(each.name for each in shelves(notes))
    assert not any(file.name.startswith(".") for file in files(notes))


@pytest.mark.parametrize("what", ["put_away", "bring_back", "tidy"])
def test_a_run_may_be_killed_at_every_step(notes, what, tmp_path):
    if what != "put_away":
        away(notes)
    if what == "tidy":
        taint(notes)
    dump = notes.dump()
    step = 1
    while killed(here := copied(notes, tmp_path / str(step)), what, step):
        sound(here, dump)
        step += 1
    assert step > 8


def copied(notes, folder):
    """The same vault with a copy of its memory, and of its archive, in a folder of its own."""
    folder.mkdir()
    shutil.copy(notes.vault.parent / "memory.db", folder)
    if (archived := notes.vault.parent / "memory.db.archive").exists():
        shutil.copytree(archived, folder / archived.name)
    other = copy.copy(notes)
    other.url = f"sqlite:///{folder / 'memory.db'}"
    return other


def taint(notes):
    """Erase a note, and leave its volume as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kgmem.ingestion.reversal.tidy", tidied_later)
        erase(notes)
    assert [each.state for each in shelves(notes)] == [State.TAINTED]


def tidied_later(_store):
    from kgmem.archive.tidying import Tidied

    return Tidied()


def test_two_who_archive_at_once_move_every_body_once(notes, tmp_path):
    many = {f"{number}.md": f"{number} " * 200 for number in range(40)}
    notes.write(many).ingest("2026-03-05T10:00:00+00:00")
    notes.write({path: f"now {text}" for path, text in many.items()}).ingest("2026-03-06T10:00:00+00:00")
    dump = notes.dump()
    program = (
        "import sys; from kgmem.archive import moving; moving.BODY_BYTES = 500; from kgmem.model import OPEN\n"
        "from kgmem.errors import StoreLockedError; from kgmem.store import open_store\n"
        "archive = open_store(sys.argv[1], 'default').archive()\n"
        "try: print(moving.put_away(archive, str(archive.beside()), OPEN, lambda *_: None).bodies)\n"
        "except StoreLockedError: print('gave way')\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program, notes.url], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [run.communicate()[0].split() for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert all(said)
    with archive(notes) as kept:
        put_away(kept, str(kept.beside()), OPEN, silent)
    sound(notes, dump)
    assert sum(len(each.digests) for each in shelves(notes)) == 44
    assert Path(tmp_path / "memory.db.archive").is_dir()
