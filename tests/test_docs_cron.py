"""The page about nights says what the program does: its commands are run, and its files read."""

import configparser
import os
import plistlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
import typer.main
from cli.transcripts import speak

from kgmem.cli.app import build, hoist
from kgmem.config import load_config

PAGE = (Path(__file__).parent.parent / "docs" / "cron.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def crontab():
    """The words of each command, without the program."""
    for line in "".join(blocks("crontab")).splitlines():
        if "kgmem " in line:
            assert re.match(r"(\d+|\*) (\d+|\*) (\d+|\*) \* (\d|\*)  /", line)
            yield shlex.split(line.partition("/kgmem ")[2].partition(">")[0])


def systemd():
    for line in re.findall(r"^ExecStart=%h/.local/bin/kgmem (.+)$", "".join(blocks("ini")), re.MULTILINE):
        yield shlex.split(line)


def macos():
    (text,) = blocks("xml")
    return plistlib.loads(text.encode())


def windows():
    (line,) = re.findall(r'/TR "\S+\\kgmem\.exe (.+)"', "".join(blocks("bat")))
    return line.split()


EVERY = [*crontab(), *systemd(), macos()["ProgramArguments"][1:], windows()]


def test_the_page_has_commands_of_each_kind():
    assert [words[0] for words in crontab()] == "ingest sync resolve reextract export archive ingest".split()
    assert [words[0] for words in systemd()] == ["ingest", "resolve", "export"]
    assert (macos()["ProgramArguments"][1], windows()[0]) == ("ingest", "ingest")
    assert all(words[-3:] == ["--quiet", "--wait", "600"] for words in EVERY)


@pytest.mark.parametrize("words", EVERY, ids=" ".join)
def test_the_program_takes_a_command_as_it_is_written(words):
    program = typer.main.get_command(build())
    front, rest = hoist(words)
    if rest[0] not in program.commands:
        pytest.skip(f"this program has no command {rest[0]}")
    context = program.make_context("kgmem", [*front, *rest])
    name, command, left = program.resolve_command(context, rest)
    while isinstance(command, click.Group):
        name, command, left = command.resolve_command(context, left)
    assert command.make_context(name, left, parent=context).params


@pytest.mark.parametrize("words", [w for w in crontab() if w[0] not in {"sync", "archive"}], ids=" ".join)
def test_a_second_night_is_silent(words, tmp_path, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", f"sqlite:///{tmp_path / 'memory.db'}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "Mira.md").write_text("---\ntype: person\n---\nShe sails.\n", encoding="utf-8")
    assert speak(["ingest", str(tmp_path / "notes"), "--no-nlp", "--quiet"])[0] == 0
    here = [word.replace("/home/you", str(tmp_path)) for word in words]
    assert speak(here)[0] == 0
    assert speak(here) == (0, "", "")


def test_the_files_of_systemd_are_such():
    service, timer = blocks("ini")
    read = configparser.ConfigParser(strict=False, interpolation=None)
    read.read_string(service + timer)
    assert read.sections() == ["Unit", "Service", "Timer", "Install"]
    assert (read["Service"]["Type"], read["Service"]["SuccessExitStatus"]) == ("oneshot", "143")


def test_the_settings_of_the_log_are_those_that_hold_without_them(tmp_path):
    (text,) = blocks("toml")
    (tmp_path / "all.toml").write_text(text, encoding="utf-8")
    (tmp_path / "one.toml").write_text('[log]\nfile = "kgmem.log"\n', encoding="utf-8")
    told, held = (load_config(tmp_path / name).log for name in ("all.toml", "one.toml"))
    assert told == held
    assert told.file == tmp_path / "kgmem.log"


HOLDS = """
import sys
from kgmem.store.turns import Turn
with Turn(sys.argv[1], "default", "kgmem ingest"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_words_about_a_turn_are_those_of_the_program(request, tmp_path):
    (shown,) = [text for text in blocks("text") if text.startswith("kgmem: process")]
    store = f"sqlite:///{tmp_path}/memory.db"
    speak(["ingest", str(tmp_path), "--no-nlp", "--store", store])
    environ = {**os.environ, "PYTHONPATH": str(request.config.rootpath)}
    words = [sys.executable, "-c", HOLDS, store]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as holder:
        assert holder.stdout.readline() == b"held\n"
        _, _, said = speak(["resolve", "--wait", "0", "--store", store])
        holder.stdin.close()
    said = said.replace(str(holder.pid), "4711").replace(str(tmp_path), "/home/you")
    assert re.sub(r"since [\d: -]+", "since 2026-03-02 03:10:00", said).split() == shown.split()
