"""Why nothing was found is told: an empty memory, one that is still being filled, words that no note has."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from cli.transcripts import speak
from ingestion.notes import Notes

from kgmem.model import Id
from kgmem.recall.answer import ask
from kgmem.recall.search import Found
from kgmem.store import ingesting
from kgmem.store.protocol import Scope

NOW = 739_680 * 86_400


@contextmanager
def another_process(url, command):
    """One that signed as a writer of the memory at a URL, and goes on until it is told to end."""
    waiting = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    signature = f"{waiting.pid} kgmem {command}"
    try:
        with open(f"{url.removeprefix('sqlite:///')}.writer", "w", encoding="utf-8") as file:  # noqa: PTH123
            file.write(signature.ljust(128))
        yield waiting.pid
    finally:
        waiting.communicate(b"\n")


@pytest.fixture
def empty(alone):
    (alone / "vault").mkdir()
    speak(["ingest", "vault", "--no-nlp", "--quiet"])
    return os.environ["KGMEM_STORE"]


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("command", ["ask", "context"])
def test_an_empty_memory_is_said_to_be_empty(command):
    assert speak([command, "where is Mira"]) == (
        0, "Not in your notes.\n", "this memory holds no notes yet: kgmem ingest PATH\n",
    )  # fmt: skip


@pytest.mark.usefixtures("empty")
def test_a_script_is_told_too():
    assert json.loads(speak(["ask", "where is Mira", "--json"])[1])["notes"] == [
        "this memory holds no notes yet: kgmem ingest PATH"
    ]


@pytest.mark.skipif(os.name != "posix", reason="whether a process runs is only asked where asking does not end it")
def test_whoever_still_reads_notes_in_is_named(empty, alone):
    with another_process(empty, "ingest") as process:
        said = f"process {process} (kgmem ingest) is reading notes in"
        assert speak(["ask", "where is Mira"])[2] == f"{said}: none is here yet; ask again later\n"
        assert ingesting(empty) == f"process {process} (kgmem ingest)"
    assert ingesting(empty) == ""
    (alone / "vault" / "Log.md").write_text("Nothing new.\n", encoding="utf-8")
    speak(["ingest", "vault", "--no-nlp", "--quiet"])
    with another_process(empty, "ingest"):
        assert "not all are here yet" in speak(["ask", "where is Mira"])[2]
    with another_process(empty, "watch"):
        assert "reading" not in speak(["ask", "where is Mira"])[2]


def test_no_server_is_asked_who_writes():
    assert ingesting("bolt://127.0.0.1:1") == ""


@pytest.mark.usefixtures("empty")
def test_what_is_no_model_is_not_taken_for_one_of_a_server():
    code, _, told = speak(["reembed", "--model", "none"])
    assert (code, told.splitlines()[0]) == (
        1, "kgmem: 'none' is no model: in the configuration it turns vectors off, and it makes none anew",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("أين تعيش ميرا", "No note says it in so many words."),
        ("bees؟", "No note says it in so many words."),
        ("bees hum", ""),
    ],
)
def test_what_was_found_by_meaning_alone_is_in_no_note_in_so_many_words(tmp_path, monkeypatch, question, answer):
    notes = Notes(tmp_path)
    notes.write({"Log.md": "The bees hum.\n"}).ingest()
    near = Found(Scope.EPISODES, Id("0" * 16), "The bees hum.", "Log.md", 1, 1.0)
    monkeypatch.setattr("kgmem.recall.answer.find_passages", lambda *_: ((near,), ()))
    with notes.store() as store:
        assert ask(store, question, now=NOW).text == answer
