"""What a command is like that runs at night: silent where nothing happened, and at home where there is no home."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from cli.transcripts import speak

from kgmem.store.turns import Turn

NIGHTLY = {
    "ingest": (["ingest", "vault", "--no-nlp"], 1),
    "ingest --strict": (["ingest", "vault", "--no-nlp", "--strict"], 1),
    "resolve": (["resolve"], 0),
    "reextract": (["reextract", "--no-nlp"], 0),
    "reextract --since": (["reextract", "--no-nlp", "--since", "2025"], 0),
    "export": (["export", "pages"], 1),
    "copy": (["copy", "--to", "backup/copy.db"], 1),
    "reembed": (["reembed", "--model", "kgmem-hashing"], 1),
    "doctor": (["doctor"], 0),
}
"""Commands, with how many lines one says the first time."""


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


@pytest.fixture
def vault(alone):
    write(
        alone,
        {
            "vault/Mira.md": "---\ntype: person\nlives_in: Lyon\n---\nShe sails with [[Jon]].\n",
            "vault/Jon.md": "---\ntype: person\n---\nHe works at [[Nord]].\n",
        },
    )
    return alone


@pytest.mark.usefixtures("vault")
@pytest.mark.parametrize("name", [name for name in NIGHTLY if name != "reembed"])
def test_what_happened_is_a_line_and_nothing_is_nothing(name):
    words, lines = NIGHTLY[name]
    if not name.startswith("ingest"):
        assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    code, out, err = speak([*words, "--quiet"])
    assert (code, len(out.splitlines()), err) == (0, lines, "")
    assert speak([*words, "--quiet"]) == (0, "", "")


def test_what_two_names_of_one_come_to_is_one_line(vault):
    for number in (1, 2):
        write(vault, {f"{number}/Robert Keane.md": "---\ntype: person\nemail: rk@example.org\nborn: 1970-03-02\n---\n"})
    speak(["ingest", "1", "2", "--no-nlp", "--quiet"])
    code, out, err = speak(["resolve", "--quiet"])
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 1
    assert speak(["resolve", "--quiet"]) == (0, "", "")


def test_another_reading_of_the_notes_is_told_once(vault):
    speak(["ingest", "vault", "--no-nlp", "--quiet"])
    write(vault, {"c.toml": 'ontology.packs = ["work"]\n', "vault/Bug 7.md": "---\nassignee: '[[Jon]]'\n---\n"})
    speak(["ingest", "vault", "--no-nlp", "--quiet"])
    words = ["reextract", "--no-nlp", "--quiet", "--config", "c.toml"]
    told = "3 episodes read again: 1 added, 1 lost, 0 changed\n"
    assert speak(words) == (0, told, "")
    assert speak(words) == (0, "", "")
    assert speak([*words, "--promote"]) == (0, told, "")


def test_problems_are_said_to_who_wants_quiet_too(vault):
    write(vault, {"vault/Bad.md": "---\ntype: [person\n---\nHe sails.\n"})
    code, out, err = speak(["ingest", "vault", "--no-nlp", "--strict", "--quiet"])
    assert (code, len(out.splitlines())) == (3, 1)
    assert err.startswith("1 problem:\n  Bad.md:")
    assert speak(["export", "pages", "--quiet"])[0] == 0
    (page,) = (vault / "pages").rglob("Mira.md")
    page.write_text(page.read_text("utf-8").replace("<!--", ""), encoding="utf-8")
    write(vault, {"vault/Mira.md": "---\ntype: person\nlives_in: Rome\n---\n"})
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    assert speak(["export", "pages", "--quiet"])[2].startswith("left alone: People/Mira/Mira.md: the markers ")


@pytest.mark.usefixtures("vault")
def test_with_json_there_is_always_an_object():
    assert json.loads(speak(["ingest", "vault", "--no-nlp", "--quiet", "--json"])[1])["added"] == 2
    assert json.loads(speak(["ingest", "vault", "--no-nlp", "--quiet", "--json"])[1])["unchanged"] == 2


CODES = [
    (0, ["ingest", "vault", "--no-nlp"]),
    (3, ["ingest", "bad", "--no-nlp", "--strict"]),
    (0, ["ingest", "bad", "--no-nlp"]),
    (1, ["ingest", "nowhere"]),
    (1, ["resolve", "--store", "ftp://somewhere"]),
    (1, ["export", "vault"]),
    (1, ["reextract", "--since", "a fish"]),
    (1, ["reextract", "--group", "empty"]),
    (1, ["copy", "--to", "ftp://somewhere"]),
    (1, ["reembed", "--model", "none"]),
    (1, ["undo"]),
    *((2, [command, "--what"]) for command in ("ingest", "resolve", "reextract", "export", "copy", "reembed", "undo")),
    (2, ["ingest"]),
    (2, ["copy"]),
    (2, ["ingest", "vault", "--wait", "-1"]),
    (2, ["what"]),
]


@pytest.mark.parametrize(("code", "words"), CODES, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_exit_codes(vault, code, words):
    write(vault, {"bad/Bad.md": "---\ntype: [person\n---\nHe sails.\n"})
    said = speak(words)
    assert said[0] == code, said
    assert "Traceback" not in said[2]
    if code in {1, 2}:
        assert said[2].startswith("kgmem: ")
        assert set(json.loads(speak([*words, "--json"])[1])["error"]) >= {"kind", "message", "hint"}


def test_who_has_no_home_is_told_what_to_say(vault, monkeypatch):
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # a user that the system does not know either
    assert speak(["ingest", "vault", "--no-nlp"])[0] == 0
    with Turn("bolt://example.org", "default", "kgmem watch", wait_seconds=0):
        pass
    monkeypatch.delenv("KGMEM_STORE")
    told = "kgmem: no home folder is known to keep things in\n  set HOME, or {}\n"
    assert speak(["stats"]) == (1, "", told.format("--store"))
    assert speak(["init"]) == (1, "", told.format("--config"))
    assert sorted(each.name for each in vault.iterdir()) == ["vault"]


# -- processes of their own

HEEDS_CTRL_C = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("kgmem", run_name="__main__")
"""
"""What a shell runs in the background is told to ignore Ctrl-C, and so are its children."""


@pytest.fixture
def bare(request):
    """The environment of a cron that knows of nothing, and the words that begin a command in it."""
    return {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(request.config.rootpath)}


def program(environ, *words, **options):
    return subprocess.run(
        [sys.executable, "-m", "kgmem", *words], env=environ, capture_output=True, check=False, text=True, **options
    )


def test_no_home_no_language_no_terminal_and_the_root_as_folder(bare, vault):
    store = ["--store", str(vault / "memory.db")]
    write(vault, {"vault/Zoë.md": "---\ntype: person\n---\nShe knows [[Mira]].\n"})
    told = program(bare, *store, "ingest", str(vault / "vault"), "--no-nlp", cwd="/", stdin=subprocess.DEVNULL)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"{vault}/vault: 3 added, 0 changed, 0 moved, 0 removed, 0 unchanged" in told.stdout
    for words in (
        ["ingest", str(vault / "vault"), "--no-nlp"],
        ["resolve"],
        ["reextract", "--no-nlp"],
        ["doctor"],
    ):
        said = program(bare, *store, *words, "--quiet", cwd="/", stdin=subprocess.DEVNULL)
        assert (said.returncode, said.stdout, said.stderr) == (0, "", ""), words
    said = program(bare, *store, "export", str(vault / "pages"), cwd="/", stdin=subprocess.DEVNULL)
    assert (said.returncode, said.stderr) == (0, "")
    assert list((vault / "pages").rglob("Zoë.md"))
    said = program(bare, *store, "show", "Zoë", cwd="/", stdin=subprocess.DEVNULL)
    assert (said.returncode, said.stdout.split()[1]) == (0, "Person")
    ascii_only = {**bare, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    said = program(ascii_only, *store, "show", "Zoë", cwd="/", stdin=subprocess.DEVNULL)
    assert (said.returncode, said.stderr) == (0, "")


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_while_it_waits_for_its_turn(bare, vault, how, code):
    speak(["--store", "memory.db", "ingest", "vault", "--no-nlp"])
    with Turn(str(vault / "memory.db"), "default", "kgmem watch"):
        words = [sys.executable, "-c", HEEDS_CTRL_C, "--store", "memory.db", "resolve", "--wait", "60", "--verbose"]
        with subprocess.Popen(words, env=bare, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as waiting:
            told = waiting.stderr.readline().decode()
            assert told.startswith(f"waiting: process {os.getpid()} (kgmem watch) has been at work since 20")
            waiting.send_signal(how)
            out, err = waiting.communicate(timeout=30)
    assert (waiting.returncode, out, err.strip()) == (code, b"", b"kgmem: stopped")


def test_a_kill_keeps_what_was_read_and_the_next_run_goes_on(bare, vault):
    write(vault, {f"vault/{number:04}.md": f"Again [[{number // 9:04}]].\n\n" * 9 for number in range(600)})
    words = [sys.executable, "-m", "kgmem", "--store", "memory.db", "ingest", "vault", "--no-nlp", "--quiet"]
    with subprocess.Popen(words, env=bare, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not held(vault):
            time.sleep(0.1)
        process.terminate()
        out, err = process.communicate(timeout=60)
    assert process.returncode == 143
    assert err == "stopped: what was read is kept; run the same command again to go on\n"
    assert len(out.splitlines()) == 1
    assert program(bare, "--store", "memory.db", "ingest", "vault", "--no-nlp", "--quiet").returncode == 0
    assert json.loads(program(bare, "--store", "memory.db", "stats", "--json").stdout)["counts"]["sources"] == 602


def held(folder):
    code, out, _ = speak(["stats", "--json", "--store", str(folder / "memory.db")])
    return json.loads(out)["counts"]["sources"] if code == 0 else 0


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "| true", "2>&1 | true"])
@pytest.mark.usefixtures("vault")
def test_a_reader_who_left_is_no_fault(bare, closed):
    speak(["--store", "memory.db", "ingest", "vault", "--no-nlp"])
    line = f"{sys.executable} -m kgmem --store memory.db entities {closed}"
    said = subprocess.run(["bash", "-o", "pipefail", "-c", line], env=bare, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "Traceback" not in said.stdout
