import shutil
from pathlib import Path

import pytest
from cli.transcripts import Transcript, read_steps

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_program_says_what_the_transcript_says(file, alone):
    text = file.read_text("utf-8")
    if "$ git " in text and shutil.which("git") is None:
        pytest.skip("the program git is not installed")
    Transcript(alone).play(text)


def test_steps_are_read_as_they_are_written():
    file, command = read_steps("# why\n> a b.md\n| # x\n|\n| y\n\n$ X=1 kgmem ask\nyes\n\n2> no\n? 3\n")
    assert (file.path, file.content) == ("a b.md", ["# x", "", "y"])
    assert (command.command, command.out, command.err, command.code) == ("X=1 kgmem ask", ["yes", ""], ["no"], 3)


@pytest.mark.parametrize(
    "wrong",
    [
        "$ kgmem --version\nkgmem 0.0\n",
        "$ kgmem --version\n",
        "$ kgmem --version\nkgmem {...}\n? 1\n",
        "$ kgmem --version\nkgmem {...}\n2> more\n",
        '$ kgmem --json config\ngroup: "other"\n',
    ],
)
def test_a_transcript_that_is_not_true_fails(wrong, alone):
    with pytest.raises(AssertionError):
        Transcript(alone).play(wrong)
