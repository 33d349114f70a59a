"""Runs transcripts: what a person types, and what the program must say.

A transcript is a text file of steps. Everything happens in an empty folder, with a memory of its own.

    # a comment
    > vault/Mira.md          makes a file of the lines below it that start with "| "
    | type: person
    $ kgmem show Mira        runs a command; `NAME=value` before it sets a variable for it alone
    Mira  Person             the lines that stdout must have
    2> 1 problem:            the lines that stderr must have
    ? 1                      the exit code, if it is not 0
    $ rm vault/Mira.md       anything but kgmem is a command of the shell

With `--json` stdout must be one JSON value, and each line below is a path into it with the value there:
`problems.0.line: 3`, `facts.length: 2`. In expected lines `{id}` stands for an id, `{id:a}` for one that later
lines and commands call `{a}`, `{root}` for the folder, `{...}` for any text, and a line of `{...}` alone for any lines.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kgmem.cli.app import run

_PLACEHOLDER = re.compile(r"\{(\.\.\.|root|id|id:[a-z]+|[a-z]+)\}")
_ASSIGNMENT = re.compile(r"[A-Z_]+=.*")


@dataclass
class Step:
    """A command with what it must say, or a file to make."""

    line: int
    command: str = ""
    path: str = ""
    content: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    err: list[str] = field(default_factory=list)
    code: int = 0


def read_steps(text: str) -> Iterator[Step]:
    """The steps of a transcript."""
    step: Step | None = None
    for number, line in enumerate(text.splitlines(), 1):
        mark, _, rest = line.partition(" ")
        if mark in {"$", ">"}:
            if step:
                yield step
            step = Step(number, command=rest) if mark == "$" else Step(number, path=rest)
        elif mark == "#" or step is None:
            assert mark in {"#", ""}, f"line {number} belongs to no step: {line}"
        elif step.path:
            assert mark in {"|", ""}, f"line {number} is no line of {step.path}: {line}"
            if mark == "|":
                step.content.append(rest)
        elif mark == "2>":
            step.err.append(rest)
        elif mark == "?":
            step.code = int(rest)
        else:
            step.out.append(line)
    if step:
        yield step


class Transcript:
    """One run of a transcript in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ids: dict[str, str] = {}

    def play(self, text: str) -> None:
        """Take every step, and compare."""
        steps = list(read_steps(text))
        assert any(step.command.startswith("kgmem") for step in steps), "a transcript without a command"
        for step in steps:
            if step.path:
                self._write(step)
            elif self._is_ours(step.command):
                self._run(step)
            else:
                subprocess.run(step.command, shell=True, check=True, cwd=self._folder)  # noqa: S602 - ours

    def _write(self, step: Step) -> None:
        path = self._folder / step.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in step.content), encoding="utf-8")

    @staticmethod
    def _is_ours(command: str) -> bool:
        words = (word for word in shlex.split(command) if not _ASSIGNMENT.fullmatch(word))
        return next(words, "") == "kgmem"

    def _run(self, step: Step) -> None:
        words = shlex.split(_PLACEHOLDER.sub(lambda match: self._value(match[1]), step.command))
        at = words.index("kgmem")
        code, out, err = speak(words[at + 1 :], dict(word.split("=", 1) for word in words[:at]))
        told = f"line {step.line}: $ {step.command}\n{out}\n2> {err}\n? {code}"
        if "--json" in words:
            self._compare_json(step.out, json.loads(out), told)
        else:
            self._compare(step.out, out, told)
        self._compare(step.err, err, told)
        assert code == step.code, told

    def _value(self, name: str) -> str:
        return str(self._folder) if name == "root" else self._ids[name]

    def _compare(self, expected: list[str], text: str, told: str) -> None:
        pattern = "".join(self._line_pattern(line) for line in _stripped(expected))
        said = "".join(f"{line}\n" for line in _stripped(text.splitlines()))
        self._match(pattern, said, told)

    def _compare_json(self, expected: list[str], data: object, told: str) -> None:
        for line in filter(None, expected):
            path, value = line.split(": ", 1)
            self._match(self._pattern(value), json.dumps(_at(data, path), ensure_ascii=False), f"{line}\n{told}")

    def _match(self, pattern: str, text: str, told: str) -> None:
        match = re.fullmatch(pattern, text, re.DOTALL)
        assert match, told
        self._ids |= match.groupdict()

    def _line_pattern(self, line: str) -> str:
        return r"(?:[^\n]*\n)*?" if line == "{...}" else self._pattern(line) + "\n"

    def _pattern(self, line: str) -> str:
        parts = _PLACEHOLDER.split(line)
        names = (self._placeholder(name) if place % 2 else re.escape(name) for place, name in enumerate(parts))
        return "".join(names)

    def _placeholder(self, name: str) -> str:
        if name == "...":
            return r"[^\n]*"
        if name == "id":
            return "[0-9a-f]{16}"
        if name.startswith("id:"):
            return f"(?P<{name[3:]}>[0-9a-f]{{16}})"
        return re.escape(self._value(name))


def speak(words: list[str], environ: dict[str, str] | None = None) -> tuple[int, str, str]:
    """(exit code, stdout, stderr) of a command, run in this process without a terminal."""
    out, err = io.StringIO(), io.StringIO()
    held = dict(os.environ)
    os.environ |= environ or {}
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(words)
    finally:
        os.environ.clear()
        os.environ |= held
    return code, out.getvalue(), err.getvalue()


def _stripped(lines: list[str]) -> list[str]:
    """Without spaces at the ends of lines, and without empty lines at the end."""
    kept = [line.rstrip() for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    return kept


def _at(data: object, path: str) -> object:
    for name in path.split("."):
        if isinstance(data, list):
            data = len(data) if name == "length" else data[int(name)]
        else:
            assert isinstance(data, dict), f"nothing at {path}"
            data = len(data) if name == "length" else data[name]
    return data
