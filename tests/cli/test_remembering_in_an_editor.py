"""What is saved in the editor is remembered, and a pipe is read as it is."""

import io
import json
import sys

import pytest

from kgmem.cli.app import run


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Pipe(io.StringIO):
    def __init__(self, data):
        super().__init__()
        self.buffer = io.BytesIO(data)


@pytest.fixture
def editor(alone, monkeypatch):
    """An editor that replaces what it is given, and keeps it; without new words it saves nothing."""
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.delenv("VISUAL", raising=False)

    def write(text):
        script = alone / "edit.py"
        script.write_text(
            "import pathlib, sys\nfile = pathlib.Path(sys.argv[1])\n"
            f"pathlib.Path('given').write_text(file.read_text())\ntext = {text!r}\n"
            "if text is not None:\n    file.write_text(text)\n"
        )
        monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")

    return write


def captured(capsys):
    capsys.readouterr()
    assert run(["captures", "--json"]) == 0
    return [each["text"] for each in json.loads(capsys.readouterr().out)["captures"]]


def test_what_is_saved_is_remembered(editor, capsys):
    editor("Lunch with [[Ida]].\n\nIt was good.\n")
    assert run(["remember", "--no-nlp"]) == 0
    assert captured(capsys) == ["Lunch with [[Ida]].\n\nIt was good."]


@pytest.mark.parametrize("saved", [None, "", " \n\n"])
def test_nothing_saved_is_nothing_remembered(editor, capsys, saved):
    editor(saved)
    assert run(["remember", "--no-nlp"]) == 1
    assert "nothing was saved, so nothing is remembered" in capsys.readouterr().err
    assert run(["captures"]) == 1  # there is no memory yet


def test_a_capture_is_opened_as_it_stands(editor, alone, capsys):
    assert run(["remember", "Lunch with Ida.", "--tag", "food", "--no-nlp"]) == 0
    editor("---\ntags:\n  - tea\n---\nTea with Ida.\n")
    assert run(["remember", "--edit", "lunch with ida", "--no-nlp"]) == 0
    assert (alone / "given").read_text() == "---\ntags:\n  - food\n---\nLunch with Ida.\n"
    assert captured(capsys) == ["---\ntags:\n  - tea\n---\nTea with Ida."]
    editor(None)
    assert run(["remember", "--edit", "lunch with ida", "--no-nlp"]) == 1
    assert captured(capsys) == ["---\ntags:\n  - tea\n---\nTea with Ida."]


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_a_pipe_is_read(monkeypatch, capsys, arguments):
    monkeypatch.setattr("sys.stdin", Pipe("Café with Ida.\r\n".encode("utf-16")))
    assert run(["remember", *arguments, "--no-nlp"]) == 0
    assert captured(capsys) == ["Café with Ida."]


@pytest.mark.usefixtures("alone")
def test_a_pipe_that_is_no_text(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", Pipe(b"\xff\x00\x80\x81"))
    assert run(["remember"]) == 1
    assert "no text in UTF-8: byte 1" in capsys.readouterr().err


@pytest.mark.usefixtures("alone")
def test_who_i_am_is_asked_for(capsys):
    assert run(["remember", "I live in Oslo.", "--no-nlp"]) == 0
    assert "nobody said who “I” is" in capsys.readouterr().err
    assert run(["remember", "Ida lives in Oslo.", "--no-nlp"]) == 0
    assert "nobody said" not in capsys.readouterr().err
