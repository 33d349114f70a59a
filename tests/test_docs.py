"""Documents that cannot go stale: each is compared with the program."""

import contextlib
import importlib.util
import io
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

import kgmem
from kgmem.cli.app import run
from kgmem.store.sqlite.views import VIEWS

ROOT = Path(__file__).parent.parent
SHOWN_FOLDER = "/home/you/kgmem"
CUT = "…"


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATE = generator()


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", str(GENERATE.WIDTH))


def text(path):
    return (ROOT / path).read_text("utf-8")


def readme_session():
    """(words of the command, lines that the README shows below it)"""
    block = re.search(r"```console\n(\$ .+?)```", text("README.md"), re.DOTALL)[1]
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, *shown = part.rstrip().splitlines()
        yield shlex.split(command), shown


def agrees(shown, said):
    """Whether the lines shown are the lines said; a `…` stands for any lines that were cut."""
    if not shown:
        return not said
    if shown[0] == CUT:
        return any(agrees(shown[1:], said[start:]) for start in range(len(said) + 1))
    return bool(said) and shown[0] == said[0] and agrees(shown[1:], said[1:])


def spoken(words):
    """What a command says, first its result and then the rest, as a person sees it."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    assert code == 0, err.getvalue()
    return [line.rstrip() for line in (out.getvalue() + err.getvalue()).rstrip().splitlines()]


def test_the_answers_that_the_readme_shows_are_true(tmp_path, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", f"sqlite:///{tmp_path / 'memory.db'}")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("KGMEM_NOW", "2026-07-01T10:00:00Z")
    monkeypatch.chdir(ROOT)
    spoken(["ingest", "sample-vault", "--no-nlp", "--quiet"])
    block = re.search(r"^## Asking\n+```console\n(.+?)```", text("README.md"), re.DOTALL | re.MULTILINE)[1]
    shown = [part.rstrip().splitlines() for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert len(shown) == 3
    for command, first in shown:
        assert spoken(shlex.split(command)[1:])[0] == first


def test_a_cut_stands_for_any_lines_and_nothing_else_does():
    assert agrees(["a", CUT, "d"], ["a", "b", "c", "d"])
    assert agrees(["a", CUT, "b"], ["a", "b"])
    assert not agrees(["a", "d"], ["a", "b", "c", "d"])
    assert not agrees(["a", CUT, "c"], ["a", "b"])
    assert not agrees(["a"], ["a", "b"])


def test_the_session_of_the_readme_is_true(tmp_path, monkeypatch):
    shutil.copytree(ROOT / "sample-vault", tmp_path / "sample-vault")
    for path in tmp_path.rglob("*"):
        os.utime(path, (1_780_000_000, 1_780_000_000))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KGMEM_STORE", f"sqlite:///{tmp_path / 'memory.db'}")
    monkeypatch.setenv("KGMEM_NOW", "2026-06-02T12:00:00Z")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    session = list(readme_session())
    assert len(session) == 6
    for words, shown in session:
        assert words[0] == "kgmem"
        said = [line.replace(str(tmp_path), SHOWN_FOLDER) for line in spoken(words[1:])]
        assert agrees(shown, said), "\n".join(["$ " + shlex.join(words), *said])


def test_the_reference_is_what_the_program_says():
    assert text("docs/commands.md") == GENERATE.reference(), "run docs/generate.py"


@pytest.mark.parametrize("command", [name for name in GENERATE.commands() if name])
def test_every_command_is_documented_with_an_example(command):
    section = re.search(rf"^## kgmem {command}\n(.*?)(?=^## |\Z)", text("docs/commands.md"), re.DOTALL | re.MULTILINE)[
        1
    ]
    assert re.search(rf"^ +kgmem {command}\b", section, re.MULTILINE)


def test_completions_are_what_the_program_makes():
    made = dict(GENERATE.completions())
    assert sorted(made) == ["_kgmem", "kgmem.bash", "kgmem.fish", "kgmem.ps1"]
    assert {name: text(f"completions/{name}") for name in made} == made


def test_the_changelog_has_this_version():
    assert re.search(rf"^## {re.escape(kgmem.__version__)}\b", text("CHANGELOG.md"), re.MULTILINE)


def test_links_between_the_documents_lead_somewhere():
    targets = re.findall(r"\]\(([^)#:]+)\)", text("README.md"))
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The variables that a command runs with which asks a memory of the sample vault."""
    folder = tmp_path_factory.mktemp("sample")
    environ = {
        "KGMEM_STORE": f"sqlite:///{folder / 'memory.db'}",
        "KGMEM_NOW": "2026-06-02T12:00:00Z",
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environ.items():
            patch.setenv(name, value)
        spoken(["ingest", str(ROOT / "sample-vault"), "--no-nlp"])
    return environ


QUESTIONS = re.findall(r"```sql\n(.*?)```\n\n```text\n(.*?)```", text("docs/sql.md"), re.DOTALL)


@pytest.mark.parametrize(("query", "shown"), QUESTIONS)
def test_a_question_in_sql_gets_the_answer_that_the_page_shows(query, shown, sample, monkeypatch):
    for name, value in sample.items():
        monkeypatch.setenv(name, value)
    assert spoken(["sql", query]) == shown.splitlines()


def test_the_page_asks_five_questions_in_sql():
    assert len(QUESTIONS) == 5


def test_the_page_of_sql_says_which_columns_there_are():
    sections = re.findall(r"^## (kg_\w+)\n(.*?)(?=^## |\Z)", text("docs/sql.md"), re.DOTALL | re.MULTILINE)
    told = {name: re.findall(r"`(\w+)`(?=[^|]*\|[^|]*\|$)", body, re.MULTILINE) for name, body in sections}
    assert told == {name: view.columns.split() for name, view in VIEWS.items()}
