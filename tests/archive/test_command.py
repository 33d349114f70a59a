"""`kgmem archive` on the command line: where texts go, who is asked, and what a program is told."""

import json
import os
import subprocess
import sys

import pytest
from cli.transcripts import speak

from kgmem.store.volumes import reading

fsspec = pytest.importorskip("fsspec")

TEXT = "So much was to be said of rivers and of wine on that day, and of the long way home after it. " * 3


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A memory of one note with two old texts."""
    fsspec.filesystem("memory").store.clear()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KGMEM_STORE", f"sqlite:///{tmp_path / 'memory.db'}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("KGMEM_GROUP", raising=False)
    (tmp_path / "vault").mkdir()
    for day in (1, 2, 3):
        monkeypatch.setenv("KGMEM_NOW", f"2024-01-0{day}T10:00:00Z")
        (tmp_path / "vault" / "Mira.md").write_text(f"---\nworks_at: Nord {day}\n---\n{TEXT}\n", encoding="utf-8")
        assert speak(["ingest", "vault", "--no-nlp", "--no-embeddings", "--quiet"])[0] == 0
    monkeypatch.setenv("KGMEM_NOW", "2026-01-01T10:00:00Z")
    yield tmp_path
    reading.forget_volumes()
    fsspec.filesystem("memory").store.clear()


def volumes():
    return [name for name in fsspec.filesystem("memory").store if name.endswith(".kgmem-volume")]


@pytest.mark.usefixtures("alone")
def test_a_place_far_away_is_asked_about():
    code, out, err = speak(["archive", "--older-than", "1y", "--to", "memory://bucket/notes"])
    assert (code, out) == (1, "")
    assert err == (
        "kgmem: the texts of old notes would be sent to memory://bucket/notes, and nobody is here to ask\n"
        "  say so with --yes, or as `to` in [archive]\n"
    )
    assert volumes() == []
    assert speak(["archive", "--older-than", "1y", "--to", "memory://bucket/notes", "--yes"])[0] == 0
    (one,) = volumes()
    assert one.startswith("/bucket/notes/")


def test_a_place_in_the_configuration_is_not_asked_about(alone):
    (alone / "kgmem.toml").write_text('[archive]\nto = "memory://bucket/notes"\n', encoding="utf-8")
    code, out, _ = speak(["--config", "kgmem.toml", "--json", "archive", "--older-than", "1y"])
    told = json.loads(out)
    assert (code, told["bodies"], told["volumes"], told["left"], told["problems"]) == (0, 2, 1, [], [])
    assert told["to"].startswith("memory://bucket/notes/")
    assert len(volumes()) == 1
    _, out, _ = speak(["--config", "kgmem.toml", "config"])
    assert "texts of old notes, archived, to bucket" in out
    code, out, _ = speak(["--json", "archive", "--restore"])
    assert (code, json.loads(out)["bodies"], volumes()) == (0, 2, [])


def test_where_texts_go_is_told_before_they_do(alone):
    code, out, _ = speak(["--json", "archive", "--older-than", "1y", "--dry-run", "--to", "elsewhere"])
    told = json.loads(out)
    assert code == 0
    assert told == {"dry_run": True, "bodies": 2, "bytes": told["bytes"], "to": str(alone / "elsewhere")}
    assert told["bytes"] == 2 * len(f"---\nworks_at: Nord 1\n---\n{TEXT}\n")
    assert not (alone / "elsewhere").exists()


@pytest.mark.usefixtures("alone")
def test_a_place_that_cannot_be_reached_fails_and_says_so():
    code, _, err = speak(["archive", "--older-than", "1y", "--to", "nosuch://bucket", "--yes"])
    assert code == 1
    assert err.startswith("kgmem: nosuch://bucket/")
    code, out, _ = speak(["--json", "archive"])
    assert (code, json.loads(out)["left"]) == (0, [])


@pytest.mark.usefixtures("alone")
def test_what_could_not_be_erased_far_away_is_told_and_done_later(monkeypatch):
    speak(["archive", "--older-than", "1y", "--to", "memory://bucket", "--yes"])
    (one,) = volumes()
    with monkeypatch.context() as patch:
        patch.setattr(type(fsspec.filesystem("memory")), "rm_file", no_way)
        code, _, err = speak(["forget", "Mira", "--erase", "--yes"])
        assert code == 0
        assert f"memory:/{one} may still hold its text, and could not be written: `kgmem archive` does it again" in err
        assert "another process" not in err
        assert speak(["doctor"])[0] == 1
        assert speak(["archive"])[0] == 1
    code, out, _ = speak(["archive"])
    assert (code, volumes()) == (0, [])
    assert out.startswith("removed 1 volume that nothing pointed to\n")
    assert speak(["doctor"])[0] == 0


def no_way(*_):
    raise ConnectionError("no route to host")


@pytest.mark.usefixtures("alone")
def test_without_zstd_there_is_a_hint_and_nothing_moves():
    program = (
        "import sys; sys.modules['backports'] = None; sys.modules['compression'] = None\n"
        "from kgmem.cli.app import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "archive", "--older-than", "1y"],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "kgmem: an archive needs zstd, which is not installed\n  pip install 'kgmem[archive]'\n"


@pytest.mark.neo4j
def test_a_memory_on_a_server_needs_a_place(alone, graph, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", graph.url)
    monkeypatch.setenv("KGMEM_GROUP", graph.group())
    code, _, err = speak(["archive", "--older-than", "1y"])
    assert code == 1
    assert err == (
        "kgmem: a memory on a server has no folder beside it\n  name one with --to, or as `to` in [archive]\n"
    )
    monkeypatch.setenv("KGMEM_NOW", "2026-01-02T10:00:00Z")
    assert speak(["ingest", "vault", "--no-nlp", "--no-embeddings", "--quiet"])[0] == 0
    (alone / "vault" / "Mira.md").write_text("Now it is short.\n", encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--no-embeddings", "--quiet"])[0] == 0
    monkeypatch.setenv("KGMEM_NOW", "2029-01-01T10:00:00Z")
    code, out, _ = speak(["--json", "archive", "--older-than", "1y", "--to", "away"])
    assert (code, json.loads(out)["bodies"]) == (0, 1)
    assert speak(["doctor"])[0] == 0
    assert speak(["undo"])[0] == 0
    assert speak(["doctor"])[0] == 0
