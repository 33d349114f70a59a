"""`kgmem sync readwise`: what a person sees, and where the token goes."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from types import ModuleType, SimpleNamespace

import pytest
from cli.terminal import Terminal
from cli.transcripts import speak
from syncing.readwise import TOKEN, book, highlight, lending

from kgmem import kept_keys

SAPIENS = book(1, "Sapiens", highlight(11, "Wheat domesticated us."), highlight(12, "Money is trust."))
TAO = book(2, "Tao Te Ching", highlight(21, "Silence is a source of strength."), author="Lao Tzu")
SYNC = ["sync", "readwise", "--no-nlp", "--config", "c.toml"]


@pytest.fixture
def library(alone, monkeypatch):
    with lending(SAPIENS, TAO, size=1) as found:
        (alone / "c.toml").write_text(f'[readwise]\nurl = "{found.url}"\n')
        monkeypatch.setenv("READWISE_TOKEN", TOKEN)
        yield found


@pytest.fixture
def ring(monkeypatch):
    """A keyring that keeps what it is given in a dictionary."""
    kept = {}
    module = ModuleType("keyring")
    module.get_password = lambda service, name: kept.get((service, name))
    module.set_password = lambda service, name, key: kept.update({(service, name): key})
    module.errors = SimpleNamespace(KeyringError=OSError)
    monkeypatch.setitem(sys.modules, "keyring", module)
    monkeypatch.setattr(kept_keys, "find_spec", lambda _: True)
    return kept


def as_json(*words):
    code, out, err = speak([*SYNC, *words, "--json"])
    return code, json.loads(out), err


def test_it_says_what_came(library):
    assert speak(SYNC) == (
        0,
        "Readwise: 2 added, 0 changed, 0 removed, 0 unchanged\n  2 books here; 2 facts opened, 0 closed\n",
        "",
    )
    assert speak(["ask", "what about wheat", "--no-llm", "--config", "c.toml"])[1].count("Wheat domesticated us.") == 1
    assert speak(SYNC)[1] == "Readwise: 0 added, 0 changed, 0 removed, 0 unchanged\n"
    assert len(library.asked) == 3


def test_a_dry_run_says_what_would_be(library):
    code, out, _ = speak([*SYNC, "--dry-run"])
    assert (code, out) == (0, "Readwise: would be 2 added, 0 changed, 0 removed, 0 unchanged\n")
    assert speak(["stats", "--json"])[1].find("kgmem:readwise") == -1
    assert len(library.asked) == 2


def test_quiet_says_nothing_when_nothing_is_new(library):
    speak(SYNC)
    assert speak([*SYNC, "--quiet"]) == (0, "", "")
    library.books.append(book(3, "Walden", highlight(31, "Simplify.", updated="2027-01-01T00:00:00Z")))
    assert speak([*SYNC, "--quiet"])[1].startswith("Readwise: 1 added, ")


def test_programs_get_the_counts_of_an_ingest(library):
    code, said, err = as_json()
    assert (code, err) == (0, "")
    expected = {
        "added": 2, "changed": 0, "moved": 0, "removed": 0, "unchanged": 0, "notes": 2, "books": 2, "highlights": 3,
        "pages": 2, "requests": 2, "interrupted": False, "dry_run": False, "problems": [],
    }  # fmt: skip
    assert {key: said[key] for key in expected} == expected
    assert as_json()[1]["requests"] == 1
    assert len(library.asked) == 3


def test_a_refused_token_is_told_and_shown_nowhere(library, alone, tmp_path, monkeypatch):
    library.troubles = [(401, {"Content-Length": "0"}, b"")]
    code, said, err = as_json()
    assert code == 1
    assert said["error"]["message"] == "Readwise refuses the token"
    assert "https://readwise.io/access_token" in said["error"]["hint"]
    assert err == "kgmem: Readwise refuses the token\n"
    speak(SYNC)
    shown = "".join(speak(words)[1] for words in (["config", "--config", "c.toml"], ["stats"], ["doctor", "1/Sapiens"]))
    monkeypatch.delenv("READWISE_TOKEN")
    assert "there is no token for Readwise" in speak(SYNC)[2]
    written = b"".join(each.read_bytes() for each in (*tmp_path.glob("memory.db*"), *alone.iterdir()))
    assert b"Wheat" in written
    assert TOKEN not in shown
    assert TOKEN.encode() not in written


def test_strict_tells_of_problems(library):
    library.books.append({"title": "nothing marked"})
    code, _, err = speak([*SYNC, "--strict"])
    assert code == 3
    assert "Readwise gives something that is no book" in err


def test_a_login_is_tried_and_kept_in_the_keyring_alone(library, ring, alone, monkeypatch, tmp_path):
    monkeypatch.delenv("READWISE_TOKEN")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{TOKEN}\n"))
    assert speak([*SYNC, "--login"]) == (0, "", "the token is in the keyring; `kgmem sync readwise` uses it\n")
    assert ring == {("kgmem", "127.0.0.1"): TOKEN}
    assert library.asked == [{"path": "/api/v2/auth/"}]
    assert [each.name for each in alone.iterdir()] == ["c.toml"]
    assert not (tmp_path / "memory.db").exists()
    assert as_json()[1]["added"] == 2


@pytest.mark.usefixtures("library")
def test_a_token_that_opens_nothing_is_not_kept(ring, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("wrong\n"))
    code, _, err = speak([*SYNC, "--login"])
    assert (code, ring) == (1, {})
    assert "Readwise refuses the token" in err
    assert "wrong" not in err


@pytest.mark.usefixtures("library")
def test_a_login_without_a_keyring_or_a_token_says_so(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert "there is no token to keep" in speak([*SYNC, "--login"])[2]
    monkeypatch.setattr(kept_keys, "find_spec", lambda _: None)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{TOKEN}\n"))
    assert "pip install 'kgmem[keyring]'" in speak([*SYNC, "--login"])[2]


def test_an_address_that_is_open_to_all_gets_no_token(alone, monkeypatch):
    monkeypatch.setenv("READWISE_TOKEN", TOKEN)
    (alone / "c.toml").write_text('[readwise]\nurl = "http://readwise.io/api/v2"\n')
    code, _, err = speak(SYNC)
    assert code == 1
    assert "by https alone" in err


def _environ(request):
    return {**os.environ, "PYTHONPATH": str(request.config.rootpath)}


def test_a_kill_between_two_pages_loses_nothing(request, library):
    library.troubles = [None, (429, {"Retry-After": "500", "Content-Length": "0"}, b"")]
    process = subprocess.Popen([sys.executable, "-m", "kgmem", *SYNC], env=_environ(request))
    until = time.monotonic() + 60
    while len(library.asked) < 2:
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    library.asked.clear()
    code, said, _ = as_json()
    assert code == 0
    assert (said["added"], said["notes"]) == (1, 2)
    assert [each.get("pageCursor") for each in library.asked] == ["1", None]


def test_who_waits_sees_why_and_can_stop(request, library):
    library.troubles = [None, (429, {"Retry-After": "500", "Content-Length": "0"}, b"")]
    with Terminal(*SYNC, environ=_environ(request)) as terminal:
        terminal.see("Readwise is asked again in 8 minutes")
        terminal.press("\x03", prompt="")
        terminal.see("1 added")
        terminal.see("stopped: what was read is kept")
        assert terminal.process.wait(60) == 130


@pytest.fixture
def synced(library):
    assert speak(SYNC)[0] == 0
    library.asked.clear()
    return library


def passages(words):
    _, out, _ = speak(["search", words, "--json", "--config", "c.toml"])
    return [(hit["source"], hit["text"]) for hit in json.loads(out)["hits"]]


@pytest.mark.usefixtures("synced")
def test_a_book_is_explained_like_a_note():
    code, out, _ = speak(["doctor", "1/Sapiens"])
    assert code == 0
    assert "1/Sapiens  in kgmem:readwise\nunchanged: it is as it arrived" in out
    assert "claims Sapiens is by Yuval Noah Harari." in out
    assert "would be read differently" not in out


def test_what_is_undone_stays_undone_until_it_changes_again(synced):
    synced.change(11, "2027-01-01T00:00:00Z", text="Wheat made us.")
    speak(SYNC)
    assert passages("wheat") == [("1/Sapiens", "Wheat made us.")]
    assert speak(["undo"])[0] == 0
    assert passages("wheat") == [("1/Sapiens", "Wheat domesticated us.")]
    assert as_json("--full")[1]["changed"] == 0
    synced.change(11, "2028-01-01T00:00:00Z", text="Wheat made us its own.")
    assert as_json()[1]["changed"] == 1
    assert passages("wheat") == [("1/Sapiens", "Wheat made us its own.")]


def test_a_forgotten_book_does_not_come_back(synced):
    assert speak(["forget", "1/Sapiens"])[0] == 0
    synced.change(11, "2027-01-01T00:00:00Z", text="Wheat made us.")
    assert as_json()[1]["added"] == as_json("--full")[1]["added"] == 0
    assert passages("wheat") == []


def test_an_erased_book_does_not_come_back(synced):
    assert speak(["forget", "1/Sapiens", "--erase", "--yes"])[0] == 0
    synced.change(11, "2027-01-01T00:00:00Z", text="Wheat made us.")
    assert as_json()[1]["added"] == as_json("--full")[1]["added"] == 0
    assert json.loads(speak(["doctor", "--json"])[1])["ok"]


def test_two_books_are_made_one_and_two_again(synced):
    _, out, _ = speak(["merge", "Sapiens", "Tao Te Ching", "--yes", "--json"])
    assert json.loads(speak(["show", "Sapiens", "--json"])[1])["mentions"] == 2
    assert speak(["unmerge", json.loads(out)["id"]])[0] == 0
    assert json.loads(speak(["show", "Sapiens", "--json"])[1])["mentions"] == 1
    assert as_json("--full")[1]["unchanged"] == 2
    assert len(synced.asked) == 2


def test_a_memory_that_is_read_again_knows_how_far_it_is(synced):
    assert speak(["reextract"])[1].startswith("2 episodes read again: 0 added, 0 lost, 0 changed\n")
    assert speak(["reextract", "--promote", "--yes"])[0] == 0
    assert as_json()[1]["requests"] == 1
    assert "updatedAfter" in synced.asked[0]


def test_a_book_in_a_file_and_from_readwise_is_one(synced, alone):
    (alone / "vault").mkdir()
    (alone / "vault" / "export.csv").write_text(
        "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at\n"
        "Wheat domesticated us.,Sapiens,Yuval Noah Harari,,,yellow,,page,11,2026-03-01 08:00:00+00:00\n"
    )
    assert speak(["ingest", "vault", "--no-nlp"])[0] == 0
    shown = json.loads(speak(["show", "Sapiens", "--json"])[1])
    assert shown["sources"] == 2
    found = json.loads(speak(["facts", "Sapiens", "--json"])[1])["facts"]
    assert [each["statement"] for each in found] == ["Sapiens is by Yuval Noah Harari."]
    assert sorted(each["source"] for each in found[0]["evidence"]) == ["1/Sapiens", "export.csv#Sapiens"]
    assert passages("wheat") == [("1/Sapiens", "Wheat domesticated us.")]
    assert len(synced.asked) == 0
