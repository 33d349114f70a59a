"""Two ingests of one memory at once."""

import json
import os
import subprocess
import sys

import pytest
from ingestion.notes import MONDAY, Notes

from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault


@pytest.fixture
def environ(request, tmp_path):
    return {
        **os.environ,
        "PYTHONPATH": str(request.config.rootpath),
        "KGMEM_STORE": f"sqlite:///{tmp_path / 'memory.db'}",
        "KGMEM_NOW": MONDAY,
        "XDG_CONFIG_HOME": str(tmp_path),
    }


def start(environ, *words):
    return subprocess.Popen(
        [sys.executable, "-m", "kgmem", *words, "--json"], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def rows(notes, table):
    return [row for row in map(json.loads, notes.dump()) if row["table"] == table]


class Overtaken:
    """A store on which somebody else carries out a whole ingest after a number of looks at the sources."""

    def __init__(self, store, looks, overtake):
        self._store, self._looks, self._overtake = store, looks, overtake

    def __getattr__(self, name):
        return getattr(self._store, name)

    def sources(self, root=None):
        found = list(self._store.sources(root))
        self._looks -= 1
        if self._looks == 0:
            self._overtake()
        return iter(found)


@pytest.mark.parametrize("looks", [1, 2])
def test_an_ingest_that_another_one_overtakes_doubles_nothing(notes, looks):
    notes.write({f"{number}.md": f"---\ntype: person\nphone: {number}\n---\nMet [[0]].\n" for number in range(3)})
    with notes.store() as store:
        Memory(Overtaken(store, looks, notes.ingest), load_ontology()).ingest(Vault(notes.vault))
    assert notes.facts() == [f"{number} | PHONE | {number} | date unknown" for number in range(3)]
    assert len(rows(notes, "source")) == len(rows(notes, "episode")) == 3
    assert notes.entities() == {"0": 4, "1": 1, "2": 1}


def test_two_ingests_of_one_vault_at_once_double_nothing(notes, environ, tmp_path):
    notes.write({f"{number:02}.md": f"---\ntype: person\nphone: {number}\n---\nMet [[00]].\n" for number in range(40)})
    running = [start(environ, "ingest", str(notes.vault), "--no-nlp") for _ in range(2)]
    done = [(*process.communicate(timeout=60), process.returncode) for process in running]
    assert [(code, err) for _, err, code in done] == [(0, b""), (0, b"")]
    (tmp_path / "alone").mkdir()
    alone = Notes(tmp_path / "alone")
    alone.vault = notes.vault
    alone.ingest()
    assert (notes.facts(), notes.links(), notes.entities()) == (alone.facts(), alone.links(), alone.entities())
    for table in ("source", "episode", "passage", "claim", "fact", "mention", "alias"):
        assert len(rows(notes, table)) == len(rows(alone, table)), table
    assert notes.ingest().counts.unchanged == 40


def test_reading_goes_on_while_another_process_writes(notes, environ):
    notes.write({"Mira.md": "---\ntype: person\nphone: 1\n---\n"}).ingest()
    notes.write({f"{number:02}.md": "Met [[Mira]].\n" for number in range(60)})
    writer = start(environ, "ingest", str(notes.vault), "--no-nlp")
    answers = []
    while writer.poll() is None or not answers:
        answers.append(notes.facts())
    assert writer.communicate()[1] == b""
    assert answers == [["Mira | PHONE | 1 | date unknown"]] * len(answers)
