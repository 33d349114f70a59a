"""Write what follows from the program itself: the reference of its commands, and the completions of shells."""  # noqa: INP001

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import click
import typer.main
from typer.completion import get_completion_script

from kgmem.cli.app import build

PROGRAM = "kgmem"
WIDTH = 80
SHELLS = {"bash": "kgmem.bash", "zsh": "_kgmem", "fish": "kgmem.fish", "powershell": "kgmem.ps1"}
"""Shells by the name that Typer gives them, each with the file that it looks for."""

INTRODUCTION = """\
# Commands

`docs/generate.py` writes this page from the help of the program. Every command takes the global options too,
anywhere on the line.
"""


def commands() -> dict[str, str]:
    """The help of every command, by its name; that of the program itself by the empty name."""
    group = cast("click.Group", typer.main.get_command(build()))
    return dict(_helps(group, group.make_context(PROGRAM, [], resilient_parsing=True), ""))


def _helps(command: click.Command, context: click.Context, name: str) -> Iterator[tuple[str, str]]:
    """(name, help) of a command, and of those below it."""
    yield name, command.get_help(context)
    for each in getattr(command, "commands", {}).values():
        if not each.hidden:
            yield from _helps(
                each, each.context_class(each, parent=context, info_name=each.name), f"{name} {each.name}".strip()
            )


def reference() -> str:
    """``docs/commands.md``."""
    sections = (
        f"## {PROGRAM} {name}".rstrip() + f"\n\n```text\n{_without_trailing_space(text)}\n```\n"
        for name, text in commands().items()
    )
    return "\n".join((INTRODUCTION, *sections))


def completions() -> Iterator[tuple[str, str]]:
    """(file name, script) for each shell."""
    for shell, name in SHELLS.items():
        yield name, get_completion_script(prog_name=PROGRAM, complete_var="_KGMEM_COMPLETE", shell=shell) + "\n"


def _without_trailing_space(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def main() -> None:
    """Write all of it."""
    os.environ["COLUMNS"] = str(WIDTH)
    root = Path(__file__).parent.parent
    (root / "docs" / "commands.md").write_text(reference(), encoding="utf-8")
    (root / "completions").mkdir(exist_ok=True)
    for name, script in completions():
        (root / "completions" / name).write_text(script, encoding="utf-8")


if __name__ == "__main__":
    main()
