"""`kgmem ingest`: notes go in."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec

import typer

from kgmem.cli.output import Output, clean
from kgmem.cli.session import session
from kgmem.cli.vectors import as_json, follow_up, show
from kgmem.errors import ExitCode, UserError
from kgmem.llm.settings import Extract

if TYPE_CHECKING:
    from kgmem.cli.by_model import Asking
    from kgmem.cli.record import Record
    from kgmem.cli.session import Session
    from kgmem.config import Config
    from kgmem.ingestion.batching import Estimate
    from kgmem.ingestion.by_model import ReadByModel
    from kgmem.ingestion.embedding import Embedded
    from kgmem.ingestion.history import History
    from kgmem.ingestion.run import Progress
    from kgmem.memory import Memory
    from kgmem.model import Problem, Report
    from kgmem.sources.git_history import GitHistory
    from kgmem.sources.obsidian import Vault
    from kgmem.store.turns import Turn

Asked = ParamSpec("Asked")

_SHOWN = 20
"""Problems that the terminal lists."""


class Kind(StrEnum):
    """What a folder is taken for."""

    OBSIDIAN = "obsidian"
    LOGSEQ = "logseq"
    ROAM = "roam"
    READWISE = "readwise"
    TEXT = "text"


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(ingest)


def ingest(
    context: typer.Context,
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH…", help="Vaults, graphs, folders of Markdown, or files of highlights or conversations."
        ),
    ],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 3 if there were problems.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False,
    nlp: Annotated[bool, typer.Option(help="Find names with spaCy.")] = True,
    embeddings: Annotated[bool, typer.Option(help="Make vectors of what is new.")] = True,
    reread: Annotated[
        bool, typer.Option("--reread", help="Read all notes again: after spaCy or the ontology changed.")
    ] = False,
    history: Annotated[bool, typer.Option("--history", help="Replay the vault's git history first.")] = False,
    llm: Annotated[
        Extract | None,
        typer.Option(help="Passages that a model reads too; without it, as configured.", show_default=False),
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Calls of the model, at most.", show_default=False)
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Tokens, both ways, at most.", show_default=False)
    ] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="MONEY", help="Money, at most: see [llm.prices].", show_default=False)
    ] = None,
    as_kind: Annotated[Kind | None, typer.Option(help="Take the folders for this.", show_default=False)] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Then follow what changes: the same as kgmem watch.")] = False,
) -> int:
    """Read notes into the memory. Your notes are never changed.

    Running it again reads only what changed. Ctrl-C is safe: what was read stays, and the next run goes on.

    With `--history` each commit of a vault under git is recorded at its own time,
    so that `--known-at` answers from the first day on; then the notes as they are.

    With `--llm` the model under [llm] reads passages too, once they are taken in and can be asked about;
    `--dry-run` tells before what that takes. No note is sent to it otherwise.

        kgmem ingest ~/vault
    """
    here = session(context)
    if watch:
        once: dict[str, object] = {"--dry-run": dry_run, "--strict": strict, "--reread": reread, "--history": history}
        once |= {"--max-calls": max_calls, "--max-tokens": max_tokens, "--budget": budget}
        from kgmem.cli.watch import Options, absolute, follow

        _refuse_once(name for name, given in once.items() if given)
        return follow(here, Options(absolute(paths), nlp=nlp, embeddings=embeddings, as_kind=as_kind, llm=llm, yes=yes))
    from kgmem.cli import by_model

    began = time.perf_counter()
    config = here.config()
    reports: list[tuple[str, Report]] = []
    past: History | None = None
    vaults = [_reader_of(path, config, as_kind) for path in paths]
    commits = _history_of(vaults, config) if history else None
    model = by_model.asking(here, llm, calls=max_calls, tokens=max_tokens, money=budget)
    embedded: Embedded | None = None
    told: ReadByModel | None = None
    foretold: Estimate | None = None
    with here.memory(nlp=nlp) as memory, nullcontext() if dry_run else here.writing_turn() as turn:
        if commits is not None:
            with _progress(here.output, "commits") as progress:
                past = memory.replay(commits, progress=progress, dry_run=dry_run)
        with _progress(here.output, "notes") as progress:
            for vault in () if past and past.report.interrupted else vaults:
                report = memory.ingest(
                    vault,
                    confirm=_agree if yes else _asking(turn, _ask),
                    moved=_is_moved if yes else _asking(turn, _ask_moved) if _is_terminal() else None,
                    progress=progress,
                    dry_run=dry_run,
                    reread=reread,
                )
                reports.append((vault.root, report))
                if report.interrupted:
                    break
        every = [*([past.report] if past else []), *(report for _, report in reports)]
        stopped = any(report.interrupted for report in every)
        if model is not None and dry_run:
            foretold = by_model.forecast(memory, model, vaults)
        elif not (stopped or dry_run):
            embedded, told = _follow(here, memory, vaults, model, embeddings=embeddings)
            stopped = told is not None and told.interrupted
    seconds = time.perf_counter() - began
    _show(here.output, _Outcome(reports, past, embedded, seconds, model, told, foretold), dry_run=dry_run)
    _log(here.record, every, told, embedded)
    if stopped or (embedded and embedded.interrupted):
        left = f", {embedded.left:,} vectors are missing" if embedded else ""
        here.output.warn(f"stopped: what was read is kept{left}; run the same command again to go on")
        return ExitCode.FAILED
    followed = [each.trouble for each in (embedded, told) if each is not None]
    problems = any(report.problems for report in every) or any(followed) or bool(told and told.problems)
    return ExitCode.PROBLEMS if strict and problems else ExitCode.DONE


def _refuse_once(given: Iterable[str]) -> None:
    """Raise UserError for an option that has an end, where a watch was asked for."""
    for name in given:
        raise UserError(f"{name} has an end, and --watch has none", "run `kgmem ingest` with it first")


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a run came to."""

    reports: Sequence[tuple[str, Report]]
    past: History | None
    embedded: Embedded | None
    seconds: float
    asking: Asking | None = None
    told: ReadByModel | None = None
    foretold: Estimate | None = None


def _follow(
    here: Session, memory: Memory, vaults: Sequence[Vault], model: Asking | None, *, embeddings: bool
) -> tuple[Embedded | None, ReadByModel | None]:
    """Vectors of what was read first, for they are soon made; then what a model reads, and the vectors of that."""
    from kgmem.cli import by_model

    embedded = follow_up(here, memory.store) if embeddings else None
    if model is None or (embedded is not None and embedded.interrupted):
        return embedded, None
    told = by_model.follow_up(here, memory, model, vaults)
    if embedded is not None and embedded.trouble is None and told.claims and not told.interrupted:
        embedded = embedded.and_then(follow_up(here, memory.store))
    return embedded, told


def _reader_of(path: Path, config: Config, kind: Kind | None) -> Vault:
    """The reader of a folder, or of one file in it: its root is the vault around it, else its folder."""
    from kgmem.sources.dialect import root_around
    from kgmem.sources.obsidian import Vault

    settings, taken_for = config.source_settings(), kind and kind.value
    if not path.is_file():
        return Vault(path, settings, kind=taken_for)
    file = path.absolute()
    root = root_around(file)
    return Vault(root, settings, kind=taken_for, only=file.relative_to(root).as_posix())


def _history_of(vaults: Sequence[Vault], config: Config) -> GitHistory:
    """The commits of the one vault."""
    from datetime import UTC, datetime

    from kgmem.model import to_instant
    from kgmem.sources.git_history import GitHistory

    if len(vaults) > 1:
        raise UserError(
            "histories are replayed one at a time: recorded time only moves forward",
            "give one vault, or each a group of its own with --group NAME",
        )
    return GitHistory(vaults[0], now=to_instant(config.now or datetime.now(UTC)))


def _agree(_gone: int, _known: int) -> bool:
    return True


def _asking(turn: Turn | None, ask: Callable[Asked, bool]) -> Callable[Asked, bool]:
    """A question to a person, who may be out: others have the turn meanwhile."""

    def asked(*about: Asked.args, **more: Asked.kwargs) -> bool:
        with turn.paused() if turn and _is_terminal() else nullcontext():
            return ask(*about, **more)

    return asked


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _is_moved(_before: str, _after: str) -> bool:
    return True


def _ask_moved(before: str, after: str) -> bool:
    return typer.confirm(f"{before} is gone, and {after} holds its notes. Was it moved there?", err=True)


def _ask(gone: int, known: int) -> bool:
    if not _is_terminal():
        return False
    return typer.confirm(f"{gone} of {known} known notes are gone from the folder. Are they really gone?", err=True)


@contextmanager
def _progress(output: Output, unit: str) -> Iterator[Progress | None]:
    """A bar with rate and time left, on a terminal."""
    if output.quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None, rate="")

        def tell(done: int, total: int, _path: str) -> None:
            speed = bar.tasks[0].finished_speed or bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:.0f} {unit}/s" if speed else "")

        yield tell


def _show(output: Output, outcome: _Outcome, *, dry_run: bool) -> None:
    from kgmem.cli import by_model

    if output.as_json:
        output.json(_as_json(outcome, dry_run=dry_run))
        return
    if outcome.past is not None:
        _show_past(output, outcome.past, dry_run=dry_run)
    for root, report in outcome.reports:
        counts = report.counts
        quiet = not (counts.added or counts.changed or counts.moved or counts.removed or report.problems)
        if output.quiet and quiet:
            continue
        verb = "would be" if dry_run else ""
        output.line(
            f"{clean(root)}: {verb} {counts.added} added, {counts.changed} changed, {counts.moved} moved, "
            f"{counts.removed} removed, {counts.unchanged} unchanged".replace(":  ", ": ")
        )
        if not (dry_run or output.quiet) and (counts.added or counts.changed or counts.moved):
            output.line(
                f"  {report.notes} notes here; read {report.aliases} aliases, {report.links} links "
                f"({report.unresolved_links} to notes that do not exist); {report.facts_opened} facts opened, "
                f"{report.facts_closed} closed"
            )
        _show_problems(output, report.problems)
    if outcome.asking is not None and outcome.foretold is not None:
        by_model.show_forecast(output, outcome.asking, outcome.foretold)
    if outcome.told is not None:
        by_model.show(output, outcome.told)
        _show_problems(output, outcome.told.problems)
    if outcome.embedded is not None:
        show(output, outcome.embedded, outcome.seconds)


def _show_past(output: Output, past: History, *, dry_run: bool) -> None:
    """What the commits did, and from when to when they were recorded."""
    from kgmem.model import show_instant

    counts, report = past.report.counts, past.report
    number = "1 commit" if past.commits == 1 else f"{past.commits} commits"
    lines = [f"{clean(past.root)}: {number} to replay" if dry_run else f"{clean(past.root)}: {number} replayed"]
    if past.first is not None and past.last is not None:
        lines[0] += (
            f", {show_instant(past.first)} to {show_instant(past.last)}: {counts.added} added, "
            f"{counts.changed} changed, {counts.moved} moved, {counts.removed} removed"
        )
        lines.append(f"  {report.facts_opened} facts opened, {report.facts_closed} closed")
    if past.commits or not output.quiet:
        for line in lines[:1] if output.quiet else lines:
            output.console().print(line, markup=False)
    _show_problems(output, report.problems)


def _log(record: Record, every: Iterable[Report], told: ReadByModel | None, embedded: Embedded | None) -> None:
    for report in every:
        counts = report.counts
        record.count(
            added=counts.added,
            changed=counts.changed,
            moved=counts.moved,
            removed=counts.removed,
            unchanged=counts.unchanged,
            problems=len(report.problems),
        )
    for each in (*(each for report in every for each in report.problems), *(told.problems if told else ())):
        record.problem(each.kind, each.path, each.line)
    for after in (embedded, told):
        if after is not None and after.trouble is not None:
            record.problem(type(after.trouble).__name__)


def _show_problems(output: Output, problems: Sequence[Problem]) -> None:
    if not problems:
        return
    shown = problems if output.verbose else problems[:_SHOWN]
    heading = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    cut = f", showing {len(shown)} (--verbose shows all)" if len(shown) < len(problems) else ""
    output.warn(f"{heading}{cut}:")
    for each in shown:
        output.warn(f"  {each.path}:{each.line}: {each.message}" + (f" ({each.hint})" if each.hint else ""))


def _as_json(outcome: _Outcome, *, dry_run: bool) -> dict[str, Any]:
    """The form that scripts rely on; several folders, and the commits of a history, are added up."""
    from kgmem.cli import by_model

    past = outcome.past
    reports = [*([past.report] if past else []), *(report for _, report in outcome.reports)]
    keys = ("added", "changed", "moved", "removed", "unchanged")
    sums = ("notes", "aliases", "links", "unresolved_links", "facts_opened", "facts_closed")
    return {
        **{key: sum(getattr(report.counts, key) for report in reports) for key in keys},
        **{key: sum(getattr(report, key) for report in reports) for key in sums},
        "commits": past.commits if past else 0,
        "interrupted": any(report.interrupted for report in reports)
        or (outcome.told is not None and outcome.told.interrupted),
        "dry_run": dry_run,
        "embedding": as_json(outcome.embedded, outcome.seconds) or None,
        "llm": by_model.forecast_json(outcome.asking, outcome.foretold)
        if outcome.asking and outcome.foretold
        else by_model.as_json(outcome.told),
        "problems": [
            {"path": p.path, "line": p.line, "kind": p.kind, "message": p.message, "hint": p.hint}
            for some in (*(report.problems for report in reports), outcome.told.problems if outcome.told else ())
            for p in some
        ],
    }
