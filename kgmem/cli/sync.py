"""`kgmem sync`: what services hold for a person comes in."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.output import Output, clean
from kgmem.cli.session import Session, session
from kgmem.cli.stages import Stages, stages
from kgmem.cli.vectors import as_json, follow_up, show
from kgmem.errors import ExitCode, UserError

if TYPE_CHECKING:
    from kgmem.ingestion.embedding import Embedded
    from kgmem.sources.readwise.service import Readwise
    from kgmem.syncing import Progress, Synced

_SHOWN = 20
"""Problems that the terminal lists."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    sync = typer.Typer(
        help="Take in what a service holds for you.\n\nkgmem sync readwise", no_args_is_help=True, rich_markup_mode=None
    )
    sync.callback()(_group)
    sync.command()(readwise)
    app.add_typer(sync, name="sync")


def _group() -> None:
    """Keep `readwise` a word of its own: without this, the one command would have none."""


def readwise(
    context: typer.Context,
    *,
    full: Annotated[bool, typer.Option("--full", help="Ask for everything, not only for what changed.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 3 if there were problems.")] = False,
    nlp: Annotated[bool, typer.Option(help="Find names with spaCy.")] = True,
    embeddings: Annotated[bool, typer.Option(help="Make vectors of what is new.")] = True,
    login: Annotated[bool, typer.Option("--login", help="Keep a token in the keyring of the system.")] = False,
) -> int:
    """Take in your highlights from Readwise: books, articles, tweets, podcasts. Nothing of yours is sent there.

    Running it again asks only for what changed since; what you edit, discard or delete there follows. Ctrl-C is safe:
    what was read stays, and the next run goes on from there.

    The token of https://readwise.io/access_token is read from READWISE_TOKEN, else from the keyring.

        kgmem sync readwise
    """
    here = session(context)
    if login:
        _keep_token(here)
        return ExitCode.DONE
    from kgmem.syncing import Sync

    began = time.perf_counter()
    service = _service(here)
    embedded: Embedded | None = None
    with here.memory(nlp=nlp) as memory, nullcontext() if dry_run else here.writing_turn():
        sync = Sync(memory, service, now=_now(here), tell=_told(here.output), dry_run=dry_run)
        with stages(here.output, "Readwise") as stage:
            synced = sync.run(full=full, progress=_books(stage))
        if not (synced.report.interrupted or dry_run) and embeddings:
            embedded = follow_up(here, memory.store)
    _show(here.output, synced, service.requests, embedded, time.perf_counter() - began, dry_run=dry_run)
    if synced.report.interrupted or (embedded and embedded.interrupted):
        here.output.note("stopped: what was read is kept; run the same command again to go on")
        return ExitCode.FAILED
    problems = bool(synced.report.problems) or (embedded is not None and embedded.trouble is not None)
    return ExitCode.PROBLEMS if strict and problems else ExitCode.DONE


def _service(here: Session) -> Readwise:
    from kgmem.sources.readwise.service import NAME, Readwise, token_for
    from kgmem.sources.readwise.wire import Wire, address_of

    url = _url(here)
    return Readwise(Wire(NAME, address_of(url), token_for(url, os.environ), tell=_told(here.output)))


def _url(here: Session) -> str:
    from kgmem.sources.readwise.service import URL

    return here.config().readwise_url or URL


def _now(here: Session) -> datetime:
    return here.config().now or datetime.now(UTC)


def _keep_token(here: Session) -> None:
    """Ask for a token, see that it opens Readwise, and put it into the keyring."""
    from kgmem.sources.readwise.service import NAME, Readwise, keep_token, usable
    from kgmem.sources.readwise.wire import Wire, address_of

    url = _url(here)
    base = address_of(url)
    token = usable(_typed())
    Readwise(Wire(NAME, base, token, tell=_told(here.output))).check()
    keep_token(url, token)
    if here.output.as_json:
        here.output.json({"kept": True})
    else:
        here.output.note("the token is in the keyring; `kgmem sync readwise` uses it")


def _typed() -> str:
    """What a person types unseen, or a program hands over: a word of the command line stays in a shell's history."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        return str(typer.prompt("Token from https://readwise.io/access_token", hide_input=True, err=True))
    token = sys.stdin.readline().strip()
    if not token:
        raise UserError("there is no token to keep", "pipe it in, or run the command in a terminal")
    return token


def _told(output: Output) -> Callable[[str], None]:
    """What tells a person who looks on why nothing happens."""

    def tell(why: str) -> None:
        if sys.stderr.isatty() or output.verbose:
            output.note(why)

    return tell


def _books(stage: Stages) -> Progress:
    return lambda done, total, _title: stage("Readwise: books", done, max(done, total) if total else 0)


def _show(
    output: Output, synced: Synced, requests: int, embedded: Embedded | None, seconds: float, *, dry_run: bool
) -> None:
    report, counts = synced.report, synced.report.counts
    if output.as_json:
        output.json(_as_json(synced, requests, as_json(embedded, seconds), dry_run=dry_run))
        return
    new = counts.added or counts.changed or counts.removed
    if new or report.problems or not output.quiet:
        verb = "would be " if dry_run else ""
        output.line(
            f"Readwise: {verb}{counts.added} added, {counts.changed} changed, {counts.removed} removed, "
            f"{counts.unchanged} unchanged"
        )
        if new and not dry_run:
            books = "1 book" if report.notes == 1 else f"{report.notes:,} books"
            output.line(f"  {books} here; {report.facts_opened} facts opened, {report.facts_closed} closed")
    shown = report.problems if output.verbose else report.problems[:_SHOWN]
    if shown:
        cut = f", showing {len(shown)} (--verbose shows all)" if len(shown) < len(report.problems) else ""
        number = "1 problem" if len(report.problems) == 1 else f"{len(report.problems)} problems"
        output.note(f"{number}{cut}:")
    for each in shown:
        output.note(f"  {clean(each.path)}:{each.line}: {each.message}" + (f" ({each.hint})" if each.hint else ""))
    if embedded is not None:
        show(output, embedded, seconds)


def _as_json(synced: Synced, requests: int, embedding: dict[str, Any], *, dry_run: bool) -> dict[str, Any]:
    """The counts of an ingest, with what came over the wire."""
    report, counts = synced.report, synced.report.counts
    return {
        "added": counts.added, "changed": counts.changed, "moved": counts.moved, "removed": counts.removed,
        "unchanged": counts.unchanged, "notes": report.notes, "facts_opened": report.facts_opened,
        "facts_closed": report.facts_closed, "books": synced.books, "highlights": synced.highlights,
        "pages": synced.pages, "requests": requests, "interrupted": report.interrupted, "dry_run": dry_run,
        "embedding": embedding or None,
        "problems": [
            {"path": p.path, "line": p.line, "kind": p.kind, "message": p.message, "hint": p.hint}
            for p in report.problems
        ],
    }  # fmt: skip
