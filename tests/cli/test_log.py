"""The log file: what commands did, and never what notes say."""

import logging
import os
import re
import subprocess
import sys

import pytest
from cli.transcripts import speak

from kgmem.cli.log import Discreet

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (DEBUG|INFO|WARNING|ERROR) \d+ (.+)")
SECONDS = re.compile(r"seconds=[\d.]+")


@pytest.fixture
def here(alone, monkeypatch):
    """Runs a command under a configuration, and gives the lines of its log."""
    (alone / "vault").mkdir()
    (alone / "vault" / "Mira.md").write_text("---\ntype: person\nlives_in: Lyon\n---\nShe sails.\n", encoding="utf-8")

    def run(*words, settings="", config=""):
        text = f'{config}\n[log]\nfile = "logs/kgmem.log"\n{settings}\n'
        (alone / "c.toml").write_text(text, encoding="utf-8")
        monkeypatch.chdir("/")
        said = speak([*words, "--config", str(alone / "c.toml")])
        monkeypatch.chdir(alone)
        return said

    return run


def lines(folder):
    file = folder / "logs" / "kgmem.log"
    told = [LINE.fullmatch(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    assert all(told)
    return [f"{line[1]} {SECONDS.sub('seconds=N', line[2])}" for line in told]


def test_nothing_is_written_without_a_file(alone):
    (alone / "c.toml").write_text("[log]\nlevel = 'debug'\n", encoding="utf-8")
    assert speak(["stats", "--config", "c.toml"])[0] == 1
    assert sorted(each.name for each in alone.iterdir()) == ["c.toml"]


def test_a_command_is_a_line_with_its_counts_and_a_problem_is_one(here, alone):
    (alone / "vault" / "Bad\nfake.md").write_text("---\ntype: [a secret\n---\n", encoding="utf-8")
    assert here("ingest", str(alone / "vault"), "--no-nlp", "--quiet")[0] == 0
    problem, done = lines(alone)
    assert problem == 'WARNING ingest problem kind="frontmatter" path="Bad\\nfake.md" line=2'
    assert done == "INFO ingest done code=0 seconds=N added=2 changed=0 moved=0 removed=0 unchanged=0 problems=1"
    assert here("resolve")[0] == 0
    assert lines(alone)[2].startswith("INFO resolve done code=0 seconds=N compared=")


def test_a_failure_says_its_kind_and_of_stores_and_folders_what_is_wrong(here, alone):
    assert here("ingest", str(alone / "nowhere"))[0] == 1
    assert here("show", "my private thought", "--store", str(alone / "no.db"))[0] == 1
    here("ingest", str(alone / "vault"), "--no-nlp")
    assert here("show", "my private thought")[0] == 1
    told = lines(alone)
    assert told[0].startswith('ERROR ingest failed code=1 seconds=N kind="SourceError" message="')
    assert f'message="there is no memory here yet: {alone}/no.db"' in told[1]
    assert told[3] == 'ERROR show failed code=1 seconds=N kind="NotFoundError"'
    assert "private" not in "".join(told)


@pytest.mark.parametrize(
    ("level", "begins"),
    [
        ("debug", ["DEBUG", "WARNING", "INFO", "DEBUG", "ERROR"]),
        ("warning", ["WARNING", "ERROR"]),
        ("error", ["ERROR"]),
    ],
)
def test_levels(here, alone, level, begins):
    (alone / "vault" / "Bad.md").write_text("---\ntype: [a\n---\n", encoding="utf-8")
    here("ingest", str(alone / "vault"), "--no-nlp", settings=f"level = '{level}'")
    here("show", "nobody", settings=f"level = '{level}'")
    assert [line.split()[0] for line in lines(alone)] == begins


def test_no_key_token_or_password_is_written(here, alone, monkeypatch):
    monkeypatch.setenv("READWISE_TOKEN", "tok-31415")
    monkeypatch.setenv("MY_API_KEY", 'ke"y92653')
    secrets = ["tok-31415", 'ke"y92653', "hunter2", "sk-abcdefgh1", "p4ss"]
    folder = alone / "-".join([*secrets[:2], "token=t0k", "sk-abcdefgh1"])
    config = "[neo4j]\npassword = 'hunter2'"
    assert here("ingest", f"{folder}/hunter2/x", config=config)[0] == 1
    assert here("stats", "--store", "ftp://me:p4ss@example.org/x", config=config)[0] == 1
    told = (alone / "logs" / "kgmem.log").read_text("utf-8")
    assert told.count("…") == 3  # what follows token= is one with it
    assert [each for each in (*secrets, "t0k", "y92653") if each in told] == []


@pytest.mark.parametrize(
    ("line", "discreet"),
    [
        ("at bolt://neo4j:hunter2@host:7687/db", "at bolt://…host:7687/db"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer …"),
        ("Authorization: Token abc", "Authorization: Token …"),
        ("https://host/v1?key=abc&page=2", "https://host/v1?key=…&page=2"),
        ('path="Notes/token economy.md"', 'path="Notes/token economy.md"'),
        ("my-31415-here", "my-…-here"),
        ("a word", "a word"),
    ],
)
def test_what_lets_somebody_in_is_left_out(line, discreet):
    record = logging.LogRecord("kgmem", logging.INFO, "", 0, line, (), None)
    assert Discreet({"A_TOKEN": "31415", "B_KEY": "a", "C_KEYS": "word"}, [None, ""]).filter(record)
    assert record.getMessage() == discreet


def test_it_is_its_owners_alone_and_begins_anew_when_it_is_long(here, alone):
    for _ in range(12):
        here("resolve", settings="size = 300\nkeep = 2", config="group = 'empty'")
    folder = alone / "logs"
    assert sorted(each.name for each in folder.iterdir()) == [
        "kgmem.log", "kgmem.log.1", "kgmem.log.2", "kgmem.log.lock",
    ]  # fmt: skip
    assert {each.stat().st_mode & 0o777 for each in folder.iterdir()} == {0o600}
    assert all(each.stat().st_size <= 300 for each in folder.iterdir())


WRITES = """
import sys
from pathlib import Path
from kgmem.cli.log import Discreet, write
from kgmem.log_settings import LogSettings
for number in range(100):
    write(LogSettings(Path("many.log"), size=2000, keep=99), [(20, f"{sys.argv[1]} {number}")], Discreet({}))
"""


def test_several_processes_lose_no_line(request, alone):
    environ = {**os.environ, "PYTHONPATH": str(request.config.rootpath)}
    running = [subprocess.Popen([sys.executable, "-c", WRITES, name], env=environ) for name in "abc"]
    assert [each.wait(60) for each in running] == [0, 0, 0]
    files = [each for each in alone.glob("many.log*") if each.suffix != ".lock"]
    assert len(files) > 3
    told = [LINE.fullmatch(line)[2] for file in files for line in file.read_text("utf-8").splitlines()]
    assert sorted(told) == sorted(f"{name} {number}" for name in "abc" for number in range(100))


def test_a_log_that_cannot_be_written_is_said_and_stops_nothing(here, alone):
    (alone / "logs").write_text("a file is in the way")
    code, out, err = here("ingest", str(alone / "vault"), "--no-nlp", "--quiet")
    assert (code, len(out.splitlines())) == (0, 1)
    assert err == f"the log {alone}/logs/kgmem.log cannot be written: File exists\n"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("level = 'loud'", "log.level in {} is none: 'loud'"),
        ("size = 0", "log.size in {} is not a whole number from 1 on: 0"),
        ("keep = true", "log.keep in {} is not a whole number from 1 on: True"),
        ("colour = 1", "{} sets 'log.colour', which means nothing"),
    ],
)
def test_settings_that_mean_nothing(here, alone, settings, said):
    code, _, err = here("stats", settings=settings)
    assert (code, err.splitlines()[0]) == (1, f"kgmem: {said.format(alone / 'c.toml')}")
