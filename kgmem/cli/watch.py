"""`kgmem watch`: the memory follows the folders by itself."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from kgmem.cli.ingest import Kind
from kgmem.cli.session import Session, session
from kgmem.errors import ExitCode, SourceError, UserError
from kgmem.llm.settings import Extract

if TYPE_CHECKING:
    from kgmem.watching import Watch
    from kgmem.watching.place import Place
    from kgmem.watching.timing import Timing

EVERY = 10.0
"""Seconds between two looks at a folder of which nothing tells."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(watch)


def watch(
    context: typer.Context,
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Vaults, or folders of Markdown.")],
    *,
    nlp: Annotated[bool, typer.Option(help="Find names with spaCy.")] = True,
    embeddings: Annotated[bool, typer.Option(help="Make vectors of what is new.")] = True,
    poll: Annotated[
        bool, typer.Option("--poll", help="Look through the folders instead of waiting for events.")
    ] = False,
    every: Annotated[
        float, typer.Option(min=0.1, metavar="SECONDS", help="How often, where there are no events.")
    ] = EVERY,
    llm: Annotated[
        Extract | None,
        typer.Option(help="Passages that a model reads too; without it, as configured.", show_default=False),
    ] = None,
    as_kind: Annotated[Kind | None, typer.Option(help="Take the folders for this.", show_default=False)] = None,
    install: Annotated[
        bool, typer.Option("--install", help="Write what makes the system run this at every login; shown first.")
    ] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Delete what --install wrote.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Answer every question with yes; believe that many notes are gone.")
    ] = False,
) -> int:
    """Follow folders: what changes in them can be asked about a moment later. Your notes are never changed.

    It starts with a full scan, waits for a folder that is not there, and ends with Ctrl-C or a polite kill.
    Network drives send no events and are looked through every few seconds, as with `--poll`.

    Vectors are made once nothing changes for a second; with `--llm` a model is asked once nothing changes for a minute.

    With `--json` each event is an object on a line of its own: started, scanned, changed, problem, waiting, stopped.

        kgmem watch ~/vault
    """
    here = session(context)
    options = Options(
        absolute(paths), nlp=nlp, embeddings=embeddings, poll=poll, every=every, as_kind=as_kind, llm=llm, yes=yes
    )
    if install and uninstall:
        raise UserError("--install and --uninstall are opposites", "give one of them")
    if install or uninstall:
        from kgmem.cli import watch_service

        (watch_service.install if install else watch_service.uninstall)(here, options)
        return ExitCode.DONE
    return follow(here, options)


@dataclass(frozen=True, slots=True)
class Options:
    """What a watch was asked for."""

    paths: Sequence[Path]
    nlp: bool = True
    embeddings: bool = True
    poll: bool = False
    every: float = EVERY
    as_kind: Kind | None = None
    llm: Extract | None = None
    yes: bool = False


def absolute(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Folders by their full names, each once."""
    return tuple(dict.fromkeys(path.absolute() for path in paths))


def follow(here: Session, options: Options) -> int:
    """Watch until somebody ends it."""
    from kgmem.cli import by_model
    from kgmem.cli.watch_status import showing
    from kgmem.cli.watch_taking import Keeper
    from kgmem.watching import Timing, Watch

    timing = Timing(poll=options.every)
    places = _places(here, options, timing)
    with showing(here.output) as show:
        asking = by_model.asking(here, options.llm)
        taking = Keeper(here, show, nlp=options.nlp, embeddings=options.embeddings, asking=asking)
        watching = Watch(places, taking, show.tell, timing, all_gone=options.yes)
        with _ended_by_signals(watching):
            watching.run()
    return ExitCode.DONE


def _places(here: Session, options: Options, timing: Timing) -> list[Place]:
    """The folders. One that is not there is waited for if the memory knows it; else its name is taken for a slip.

    Raises:
        SourceError: a folder is neither there nor known.
    """
    from kgmem.sources.opening import open_folder
    from kgmem.watching.place import Place, Watchable

    settings = here.config().source_settings()
    kind = options.as_kind and options.as_kind.value

    def place(path: Path) -> Place:
        def make() -> Watchable:
            return open_folder(path, kind, settings)

        return Place(make, timing, polling=options.poll)

    missing = [path for path in options.paths if not path.is_dir()]
    if missing:
        with here.changing() as store:
            known = {root for _, root, _ in store.roots()}
        for path in missing:
            if path.as_posix() not in known:
                raise SourceError(f"no such folder: {path}", "check the path; is the disk connected?")
    return [place(path) for path in options.paths]


@contextmanager
def _ended_by_signals(watching: Watch) -> Iterator[None]:
    """Ctrl-C and a polite kill end a watch; a second one does not wait for what is being written."""

    def meet(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.default_int_handler)
        watching.stop()

    held = {each: signal.signal(each, meet) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for each, handler in held.items():
            signal.signal(each, handler)
