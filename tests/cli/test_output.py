import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer.main
from cli.transcripts import speak

from kgmem.cli.app import FAMILIES, build, hoist
from kgmem.cli.output import Output

COMMANDS = sorted(typer.main.get_command(build()).commands)
COLOUR = re.compile(r"\x1b\[[0-9;]*\b3[0-7]m")


def write(folder, files):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def program(*words, **environ):
    """The program in a process of its own."""
    return subprocess.run([sys.executable, "-m", "kgmem", *words], capture_output=True, check=False, **environ)


@pytest.fixture
def mira(alone):
    write(alone, {"vault/Mira.md": "---\ntype: person\n---\nworks_at:: [[Nord]] (since 2020)\n\nA “friend” 🤝.\n"})
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone


@pytest.fixture
def environ(request):
    """The environment of a subprocess that finds kgmem where this process does."""
    return {**os.environ, "PYTHONPATH": str(request.config.rootpath)}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.usefixtures("alone")
def test_every_command_explains_itself(command, option):
    code, out, err = speak([command, option])
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: kgmem {command} ")


@pytest.mark.usefixtures("alone")
def test_no_command_at_all_shows_the_help():
    code, out, err = speak([])
    assert (code, err) == (2, "")
    assert out == speak(["--help"])[1]


@pytest.mark.parametrize(
    ("words", "hoisted"),
    [
        (["show", "Mira", "--json"], ["--json", "show", "Mira"]),
        (["show", "--group", "work", "Mira"], ["--group", "work", "show", "Mira"]),
        (["show", "--group=work", "Mira", "-q"], ["--group=work", "-q", "show", "Mira"]),
        (["show", "--", "--json"], ["show", "--", "--json"]),
        (["show", "--store"], ["--store", "show"]),
    ],
)
def test_global_options_stand_anywhere_before_the_dashes(words, hoisted):
    front, rest = hoist(words)
    assert front + rest == hoisted


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_is_found_by_each_of_its_commands(family):
    for command in FAMILIES[family]:
        assert set(typer.main.get_command(build(command)).commands) == set(FAMILIES[family])


def test_a_name_that_looks_like_an_option(alone):
    write(alone, {"vault/--json.md": "A note.\n"})
    speak(["ingest", "vault", "--no-nlp"])
    code, out, _ = speak(["show", "--", "--json"])
    assert code == 0
    assert out.startswith("--json  Object (Note)  in 1 note")


@pytest.mark.usefixtures("mira")
def test_no_colour_where_none_is_wanted():
    _, coloured, _ = speak(["show", "Mira"], {"FORCE_COLOR": "1"})
    _, plain, _ = speak(["show", "Mira"], {"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert COLOUR.search(coloured)
    assert "Nord" in plain
    assert not COLOUR.search(plain)


def test_a_terminal_gets_links_that_open_in_obsidian(alone):
    write(alone, {"vault/Mira.md": "works_at:: [[Nord]]\n", "vault/.obsidian/app.json": "{}"})
    speak(["ingest", "vault", "--no-nlp"])
    _, out, _ = speak(["show", "Mira"], {"FORCE_COLOR": "1"})
    assert "obsidian://open?vault=vault&file=Mira.md" in out
    assert "\x1b" not in speak(["show", "Mira"])[1]


ROWS = [
    [(("likes", "cyan"),), ("茶",), (("Tea.md:1", "dim"), " +1")],
    [("",), ("two\nlines",), ("A.md:2",)],
    [(("is", "cyan"),), ("here",), ()],
]
COLUMNS = """\
likes  茶     Tea.md:1 +1
       two    A.md:2
       lines
is     here
"""


@pytest.mark.parametrize("forced", ["", "1"])
def test_columns_stand_the_same_with_and_without_styles(capsys, monkeypatch, forced):
    monkeypatch.setenv("FORCE_COLOR", forced)
    Output().table(ROWS)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "".join(f"{line.rstrip()}\n" for line in shown.splitlines()) == COLUMNS


def test_one_long_cell_pads_no_other_row(capsys, monkeypatch):
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    Output().table([["a", "导" * 200, "x"], ["b", "short", "y"]])
    assert capsys.readouterr().out.splitlines() == [f"a  {'导' * 200}  x", f"b  short{' ' * 55}  y"]


def test_a_table_without_rows_says_nothing(capsys):
    Output().table([])
    assert capsys.readouterr().out == ""


def test_a_note_cannot_steer_the_terminal(alone):
    write(alone, {"vault/A.md": "A \x1b[31mred\x1b[0m \x07 trick \u202eesrever.\n"})
    speak(["ingest", "vault", "--no-nlp"])
    _, out, _ = speak(["search", "trick"])
    assert out == "passage  A [31mred[0m trick esrever.  A.md:1\n"


def test_quotes_in_a_title_are_valid_json(alone):
    write(alone, {"vault/A.md": "---\ntitle: 'He said \"no\" and ''yes'''\n---\n"})
    speak(["ingest", "vault", "--no-nlp"])
    _, out, _ = speak(["entities", "--json"])
    assert [each["name"] for each in json.loads(out)["entities"]] == ["He said \"no\" and 'yes'"]


@pytest.mark.usefixtures("mira")
def test_a_locale_that_knows_few_letters(environ):
    poor = environ | {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}
    done = program("ask", "Mira", env=poor)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "A “friend” ?." in done.stdout.decode("cp1252")
    found = json.loads(program("search", "friend", "--json", env=poor).stdout.decode("cp1252"))
    assert [hit["text"] for hit in found["hits"]] == ["A “friend” 🤝."]


@pytest.mark.usefixtures("mira")
@pytest.mark.parametrize("words", [["show", "Mira"], ["show", "Mira", "--json"]])
def test_a_reader_that_leaves_early_sees_no_error(words, environ):
    with started(*words, env=environ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_folder_that_may_not_be_read_removes_nothing(mira, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("os.scandir", refuse)
        code, out, err = speak(["ingest", "vault", "--no-nlp", "--yes"])
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        f"kgmem: cannot read the folder {mira / 'vault'}: Permission denied",
        "  check who may read the folder; nothing was changed",
    ]
    assert json.loads(speak(["stats", "--json"])[1])["counts"]["sources"] == 1


def test_ctrl_c_keeps_what_was_read_and_the_next_run_goes_on(alone, environ):
    write(alone, {f"vault/{number:04}.md": "Again [[0000]].\n\n" * 9 for number in range(1200)})
    with started("ingest", "vault", "--no-nlp", "--json", env=environ) as process:
        while process.poll() is None and not held():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    report = json.loads(out)
    assert (process.returncode, report["interrupted"]) == (130, True)
    assert err.decode() == "stopped: what was read is kept; run the same command again to go on\n"
    assert 0 < report["added"] < 1200
    code, out, _ = speak(["ingest", "vault", "--no-nlp", "--json"])
    again = json.loads(out)
    assert (code, again["added"] + again["unchanged"]) == (0, 1200)
    assert again["unchanged"] - report["added"] in {0, 1}  # the last note may be in before it is counted


HEEDS_CTRL_C = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("kgmem", run_name="__main__")
"""
"""What a shell runs in the background is told to ignore Ctrl-C, and so are its children."""


def started(*words, env):
    return subprocess.Popen(
        [sys.executable, "-c", HEEDS_CTRL_C, *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def held():
    """Sources that the memory holds by now."""
    code, out, _ = speak(["stats", "--json"])
    return json.loads(out)["counts"]["sources"] if code == 0 else 0


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full is Linux's")
@pytest.mark.parametrize("words", [("stats",), ("--json", "facts", "Mira"), ("resolve",)])
@pytest.mark.usefixtures("mira")
def test_an_output_that_is_full_is_told_in_one_line(words, environ):
    with FULL.open("w") as full:
        command = [sys.executable, "-m", "kgmem", *words]
        done = subprocess.run(command, env=environ, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"No space left on device" in done.stderr
