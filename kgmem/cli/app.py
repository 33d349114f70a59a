"""`kgmem`: the global options, the commands by family, and the one place that turns errors into messages."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, TextIO

import click
import typer

from kgmem import __version__
from kgmem.cli.output import Output
from kgmem.cli.record import Record
from kgmem.cli.session import Session
from kgmem.cli.stopping import exit_code, heed
from kgmem.errors import ExitCode, KgmemError, TurnTakenError, UserError

FAMILIES = {
    "ingest": ("ingest",),
    "sync": ("sync",),
    "remember": ("remember", "captures"),
    "watch": ("watch",),
    "ask": ("ask", "search"),
    "conversations": ("conversations", "why", "feedback"),
    "context": ("context",),
    "entities": ("show", "entities", "facts"),
    "time": ("history", "diff", "timeline"),
    "export": ("export",),
    "care": ("init", "stats", "config"),
    "doctor": ("doctor",),
    "ontology": ("ontology",),
    "copy": ("copy",),
    "query": ("sql", "cypher"),
    "back": ("forget", "undo", "correct"),
    "review": ("review",),
    "same": ("merge", "unmerge", "resolve"),
    "vectors": ("reembed",),
    "reextract": ("reextract",),
    "archive": ("archive",),
}
"""The commands of each module of this package."""

_TAKE_VALUE = frozenset({"--store", "--group", "--config", "--wait"})
_TYPERS_INTERRUPT = 130
"""What Typer gives back for Ctrl-C."""
_FLAGS = frozenset({"--json", "--quiet", "--verbose", "-q", "-v"})


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"kgmem {__version__}")
        raise typer.Exit


def build(command: str | None = None) -> typer.Typer:
    """The program: all of it, or what runs one command: to inspect all commands takes longer than a search."""
    app = typer.Typer(
        name="kgmem",
        help="A personal memory with two clocks: what your notes say was true, and when you believed it.",
        epilog="Global options may stand anywhere on the line. Nothing leaves this machine unless you name a server.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # importing Rich is half of the time that help may take
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    for family in [name for name, commands in FAMILIES.items() if command in commands] or FAMILIES:
        import_module(f"kgmem.cli.{family}").register(app)
    return app


def options(
    context: typer.Context,
    *,
    store: Annotated[str | None, typer.Option(metavar="URL", help="Where the memory is.", show_default=False)] = None,
    group: Annotated[str | None, typer.Option(metavar="NAME", help="Whose memory.", show_default=False)] = None,
    config: Annotated[Path | None, typer.Option(metavar="PATH", help="The configuration.", show_default=False)] = None,
    wait: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Wait so long for another command; 10.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Give the result as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing where nothing happened.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more.")] = False,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take the options that every command knows."""
    record = context.obj if isinstance(context.obj, Record) else Record()
    record.command = context.invoked_subcommand or ""
    context.obj = Session(Output(as_json, quiet, verbose), store, group, config, wait, record)


def _as_text(word: str) -> str:
    """A word of the command line as UTF-8, whatever the locale made of its bytes, without halves of characters."""
    word = re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", word)
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _hint(error: click.ClickException) -> str:
    short = isinstance(error, click.NoSuchOption) and not error.option_name.startswith("--")
    return "words that begin with a dash go after --" if short else "`kgmem --help` shows what there is"


def hoist(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """(global options, the rest): they may stand anywhere before ``--``."""
    front: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in _FLAGS or word.split("=", 1)[0] in _TAKE_VALUE:
            front.append(word)
            if word in _TAKE_VALUE:
                front += [value for value in (next(words, None),) if value is not None]
        else:
            rest.append(word)
    return front, rest


def main() -> None:
    """Run the program."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal may know fewer letters than a note
    heed()
    code: int = ExitCode.FAILED
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:  # at the very begin or end
        code = exit_code(code)
    except BrokenPipeError:  # the reader left early: what is left is to go nowhere, without a word
        _drop_output()
    except OSError as error:
        _drop_output()
        if code == ExitCode.DONE:
            sys.stderr.write(f"kgmem: the output could not be written: {error.strerror or error}\n")
            code = ExitCode.FAILED
    if "torch" not in sys.modules:  # which tells at length of what it was not asked to give back
        gc.freeze()  # at the end all goes anyway: to look for garbage in it first is a tenth of the cost of a search
    sys.exit(code)


def _drop_output() -> None:
    """Send what is left of the output nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nowhere() -> TextIO:
    """What is written to where the caller closed the way."""
    return Path(os.devnull).open("w", encoding="utf-8")


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code."""
    front, rest = hoist([_as_text(word) for word in arguments])
    record = Record()
    try:
        code = exit_code(_run(front, rest, record))
    except OSError as error:  # where its output goes is full, or such: a store and a reader have words of their own
        code = ExitCode.FAILED
        with suppress(OSError):
            Output(as_json="--json" in front).error(f"the system says: {error.strerror or error}", kind="OSError")
    record.end(code)
    return code


def _run(front: Sequence[str], rest: Sequence[str], record: Record) -> int:
    output = Output(as_json="--json" in front)
    try:
        app = build(rest[0] if rest else None)
        result = app([*front, *rest], prog_name="kgmem", standalone_mode=False, obj=record)
    except UserError as error:
        record.error = error
        more = {"holder": error.holder} if isinstance(error, TurnTakenError) else {}
        output.error(error.message, error.hint, kind=type(error).__name__, **more)
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stdout.write(f"{error.format_message()}\n")
        return ExitCode.USAGE
    except click.ClickException as error:
        output.error(error.format_message(), _hint(error), kind="UsageError")
        return ExitCode.USAGE
    except (KeyboardInterrupt, typer.Abort):
        output.error("stopped")
    except (BrokenPipeError, SystemExit) as error:  # Typer makes of a reader who left early an exit of its own
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        return ExitCode.DONE
    except KgmemError as error:
        record.error = error
        output.error(f"a fault in kgmem: {error}", "please report it", kind=type(error).__name__)
    else:
        if result != _TYPERS_INTERRUPT:
            return result if isinstance(result, int) else ExitCode.DONE
        output.error("stopped")
    return ExitCode.FAILED
