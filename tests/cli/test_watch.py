"""`kgmem watch` as a person, a program and a system run it."""

import json
import os
import plistlib
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from cli.terminal import Terminal

from kgmem.cli.app import run
from kgmem.watching.service import Owner, Service, System, advice, bytes_of, name_of, owner_of, text_of

PATIENCE = 60
PLAIN = ["--no-nlp", "--no-embeddings"]
SERVICE = Service(
    "notes-123456",
    ("/opt/my python/bin/python", "-m", "kgmem", "watch", '/home/me/50% "of" $HOME & more', "--poll"),
    "kgmem watch /home/me/50% <notes>",
    {"KGMEM_EMBEDDING": "none"},
)
LOG = Path("/home/me/logs/watch & see.log")


@pytest.fixture
def vault(alone):
    folder = alone / "vault"
    folder.mkdir()
    (folder / "Mira.md").write_text("works_at:: [[Nord]]\n", encoding="utf-8")
    return folder


class Program:
    """`kgmem` in a process of its own, with the objects that it tells."""

    def __init__(self, *words):
        environ = {name: value for name, value in os.environ.items() if name != "KGMEM_NOW"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kgmem", *words], env=environ,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def next(self):
        return json.loads(self.process.stdout.readline())

    def end(self, number):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, [json.loads(line) for line in out.splitlines()], err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("words", [["watch"], ["ingest", "--watch"]])
def test_a_program_reads_an_object_a_line_and_ends_it_politely(vault, words, number):
    watching = Program("--json", *words, str(vault), *PLAIN)
    started = watching.next()
    assert (started["event"], started["roots"]) == ("started", [{"root": str(vault), "how": "events"}])
    scanned = watching.next()
    assert {name: scanned[name] for name in ("event", "root", "notes", "added")} == {
        "event": "scanned", "root": str(vault), "notes": 1, "added": 1,
    }  # fmt: skip
    (vault / "New.md").write_text("Hello.\n", encoding="utf-8")
    changed = watching.next()
    assert (changed["event"], changed["paths"], changed["added"]) == ("changed", ["New.md"], 1)
    (vault / "Bad.md").write_bytes(b"caf\xe9")
    problem = watching.next()
    assert (problem["event"], problem["path"], problem["line"], problem["kind"]) == ("problem", "Bad.md", 1, "encoding")
    code, (stopped,), err = watching.end(number)
    assert (code, stopped["event"], stopped["batches"], err) == (0, "stopped", 2, "")


def test_a_polite_kill_during_the_first_scan_keeps_what_was_read(vault, monkeypatch):
    monkeypatch.delenv("KGMEM_NOW")
    for number in range(3000):
        (vault / f"{number}.md").write_text(f"works_at:: [[Nord {number}]]\n", encoding="utf-8")
    watching = Program("--json", "watch", str(vault), *PLAIN)
    watching.next()
    time.sleep(0.5)
    code, told, err = watching.end(signal.SIGTERM)
    assert (code, told[-1]["event"], err) == (0, "stopped", "")
    assert run(["doctor", "--quiet"]) == 0
    assert run(["ingest", str(vault), *PLAIN, "--quiet"]) == 0


def test_somebody_at_a_terminal_sees_a_status_line_that_goes(vault):
    environ = {name: value for name, value in os.environ.items() if name != "KGMEM_NOW"}
    with Terminal("watch", str(vault), *PLAIN, environ=environ, columns=200) as terminal:
        terminal.see("1 added, 0 unchanged")
        terminal.see("1 notes")
        (vault / "New.md").write_text("Hello.\n", encoding="utf-8")
        terminal.see("1 added: New.md")
        terminal.see("2 notes; last change")
        terminal.process.send_signal(signal.SIGINT)
        terminal.see("stopped after 2 changes")
        assert terminal.end() == 0


def test_a_folder_that_nobody_knows_is_a_slip(alone, capsys):
    assert run(["watch", "valt"]) == 1
    assert (
        capsys.readouterr().err
        == f"kgmem: no such folder: {alone / 'valt'}\n  check the path; is the disk connected?\n"
    )


def test_a_folder_that_is_known_and_away_is_waited_for(vault, monkeypatch):
    monkeypatch.delenv("KGMEM_NOW")
    assert run(["ingest", str(vault), *PLAIN, "--quiet"]) == 0
    vault.rename(vault.with_name("away"))
    watching = Program("--json", "watch", str(vault), *PLAIN)
    assert watching.next()["roots"] == [{"root": str(vault), "how": "waiting"}]
    assert watching.next()["event"] == "waiting"
    vault.with_name("away").rename(vault)
    scanned = watching.next()
    assert (scanned["event"], scanned["unchanged"]) == ("scanned", 1)
    assert watching.end(signal.SIGTERM)[0] == 0


def test_options_that_have_an_end_do_not_go_with_a_watch(vault, capsys):
    assert run(["ingest", str(vault), "--watch", "--strict"]) == 1
    assert "--strict has an end, and --watch has none" in capsys.readouterr().err


# -- run by the system


@pytest.fixture
def _linux(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr("sys.platform", "linux")


def quoted(word):
    return f'"{word}"'


def unit(tmp_path):
    return next((tmp_path / "config" / "systemd" / "user").glob("kgmem-watch-*.service"), None)


@pytest.mark.usefixtures("_linux")
def test_a_unit_is_shown_and_not_written_unless_somebody_agrees(vault, tmp_path, capsys):
    assert run(["watch", str(vault), "--install"]) == 1
    err = capsys.readouterr().err
    assert 'ExecStart="' in err
    assert "nothing was written: nobody is here to agree" in err
    assert unit(tmp_path) is None


@pytest.mark.usefixtures("_linux")
def test_a_unit_is_written_for_these_very_folders_and_options_and_deleted(vault, tmp_path, capsys):
    words = ["--group", "work", "watch", str(vault), "--poll", "--every", "30", "--yes"]
    assert run([*words, "--install"]) == 0
    written = unit(tmp_path).read_text("utf-8")
    store = os.environ["KGMEM_STORE"]
    words_there = ["-m", "kgmem", "--store", store, "--group", "work", "watch", str(vault), "--poll", "--every", "30"]
    assert f"ExecStart={' '.join(map(quoted, [sys.executable, *words_there]))}\n" in written
    assert 'Environment="KGMEM_EMBEDDING=none"\n' in written
    out = capsys.readouterr().out
    assert f"systemctl --user enable --now {unit(tmp_path).stem}" in out
    assert f"journalctl --user -u {unit(tmp_path).stem} -f" in out
    assert run([*words, "--install"]) == 0
    assert "stands as it is" in capsys.readouterr().out
    assert run([*words, "--uninstall"]) == 0
    assert unit(tmp_path) is None


@pytest.mark.usefixtures("_linux")
def test_a_unit_that_somebody_changed_or_wrote_is_left_alone(vault, tmp_path, capsys):
    words = ["watch", str(vault), "--yes"]
    assert run([*words, "--install"]) == 0
    file = unit(tmp_path)
    file.write_text(file.read_text("utf-8") + "Nice=1\n", encoding="utf-8")
    assert run([*words, "--install", "--poll"]) == 1
    assert run([*words, "--uninstall"]) == 1
    assert "was changed since kgmem wrote it" in capsys.readouterr().err
    file.write_text("[Unit]\n", encoding="utf-8")
    assert run([*words, "--install"]) == 1
    assert "was not written by kgmem" in capsys.readouterr().err
    assert file.read_text("utf-8") == "[Unit]\n"


@pytest.mark.usefixtures("_linux")
def test_a_password_is_not_written_into_a_unit(vault, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KGMEM_STORE", "neo4j://me:secret@localhost")
    assert run(["watch", str(vault), "--install", "--yes"]) == 1
    assert unit(tmp_path) is None
    assert "secret" not in capsys.readouterr().err


def test_names_differ_where_folders_do():
    assert name_of("default", ["/home/me/My Notes"]).startswith("my-notes-")
    assert name_of("work", ["/home/me/庭"]).startswith("work-")
    assert len({name_of("default", ["/a/notes"]), name_of("default", ["/b/notes"]), name_of("work", ["/a/notes"])}) == 3


@pytest.mark.parametrize("system", System)
def test_our_own_files_are_known_again(system):
    data = bytes_of(system, text_of(system, SERVICE, LOG))
    assert owner_of(system, data) is Owner.OURS
    percent = b"5\x000\x00%\x00" if system is System.WINDOWS else b"50%"
    assert owner_of(system, data.replace(percent, b"", 1)) is Owner.CHANGED
    assert owner_of(system, "<other/>".encode("utf-16" if system is System.WINDOWS else "utf-8")) is Owner.OTHERS
    assert owner_of(system, None) is Owner.NOBODY


def test_systemd_gets_every_word_as_it_is():
    text = text_of(System.SYSTEMD, SERVICE, LOG)
    assert (
        'ExecStart="/opt/my python/bin/python" "-m" "kgmem" "watch" "/home/me/50%% \\"of\\" $$HOME & more" "--poll"\n'
        in text
    )
    assert "Description=kgmem watch /home/me/50%% <notes>\n" in text


def test_systemd_finds_no_fault(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    file = tmp_path / "kgmem-watch-notes.service"
    service = Service(SERVICE.name, (sys.executable, *SERVICE.command[1:]), SERVICE.about, SERVICE.environment)
    file.write_bytes(bytes_of(System.SYSTEMD, text_of(System.SYSTEMD, service, LOG)))
    found = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(file)], capture_output=True, text=True, check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    assert [line for line in found.stderr.splitlines() if file.name in line] == []


def test_launchd_gets_every_word_as_it_is():
    read = plistlib.loads(bytes_of(System.LAUNCHD, text_of(System.LAUNCHD, SERVICE, LOG)))
    assert read == {
        "Label": "kgmem.watch.notes-123456",
        "ProgramArguments": list(SERVICE.command),
        "EnvironmentVariables": {"KGMEM_EMBEDDING": "none"},
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Background",
        "StandardOutPath": str(LOG),
        "StandardErrorPath": str(LOG),
    }


def test_the_task_of_windows_is_whole_and_quotes_for_its_shell():
    root = ET.fromstring(bytes_of(System.WINDOWS, text_of(System.WINDOWS, SERVICE, LOG)))  # noqa: S314 - we wrote it
    inside = {each.tag.rpartition("}")[2]: each.text for each in root.iter()}
    assert inside["Command"] == "powershell.exe"
    assert inside["Description"] == "kgmem watch /home/me/50% <notes>"
    assert inside["ExecutionTimeLimit"] == "PT0S"
    assert inside["Arguments"].endswith(
        "\"$env:KGMEM_EMBEDDING = 'none'; & '/opt/my python/bin/python' '-m' 'kgmem' 'watch'"
        " '/home/me/50% \\\"of\\\" $HOME & more' '--poll' *>> '/home/me/logs/watch & see.log'; exit $LASTEXITCODE\""
    )


@pytest.mark.parametrize("system", System)
def test_it_is_said_how_to_start_see_and_stop_it(system):
    told = dict(advice(system, "notes", Path("/home/me/file"), LOG))
    assert {"start", "see its log", "stop"} <= told.keys()
