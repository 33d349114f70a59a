"""`kgmem copy`: the whole memory in another store."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from kgmem.cli.hosts import host_of, is_here
from kgmem.cli.output import Output, clean
from kgmem.cli.session import Session, refuse_password, session
from kgmem.cli.stages import stages
from kgmem.errors import ExitCode, UserError

if TYPE_CHECKING:
    from kgmem.store.copying import Copied, Progress


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(copy)


def copy(
    context: typer.Context,
    *,
    to: Annotated[str, typer.Option(metavar="URL", help="The other store.", show_default=False)],
    to_group: Annotated[
        str | None, typer.Option(metavar="NAME", help="Its group; the name that it has here without it.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False,
) -> int:
    """Copy the whole memory to another store, with all of its past and all decisions.

    The copy is compared with the memory before it is of any use. Ctrl-C is safe: the same command again goes on where
    it stopped. The memory here stays as it is; a group that holds anything else is refused.

    kgmem copy --to sqlite:////mnt/backup/memory.db
    """
    here = session(context)
    refuse_password(to)
    _refuse_to_send(to, yes=yes)
    try:
        with stages(here.output) as progress:
            outcome = _copy(here, to, to_group, progress, drop=yes)
    except KeyboardInterrupt:
        here.output.warn("stopped: what was copied is kept; the same command again goes on")
        return ExitCode.FAILED
    copied = outcome.copied
    here.record.count(lines=copied.lines, lines_before=copied.before)
    if here.output.as_json or not here.output.quiet or copied.before < copied.lines:
        _show(here.output, outcome)
    return ExitCode.DONE


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a copy came to, and between which stores and groups."""

    copied: Copied
    origin: tuple[str, str]
    copy: tuple[str, str]
    counts: Mapping[str, int]
    left: int
    """Generations of the group that are not copied: all but the one that answers."""


def _copy(here: Session, to: str, to_group: str | None, progress: Progress, *, drop: bool) -> _Outcome:
    """Read what there is before the other store is made, and copy it.

    Raises:
        UserError: the other store and group are the same as these.
    """
    from kgmem.store.copying import copy as copy_memory
    from kgmem.store.copying import measure

    with here.reading() as source:
        whole, origin = measure(source, progress), (source.url, source.group)
        with closing(here.open(to, to_group or source.group, unfinished=True)) as target:
            if target.group == source.group and target.home() == source.home():
                raise UserError("the copy would be the memory itself", "name another store, or --to-group")
            with here.writing_turn(url=to, group=target.group):
                copied = copy_memory(source, target, whole, progress, drop=drop)
            left = sum(not each.current for each in source.generations().every())
            return _Outcome(copied, origin, (target.url, target.group), target.stats().counts, left)


def _show(output: Output, outcome: _Outcome) -> None:
    copied, counts = outcome.copied, outcome.counts
    (url, group), (from_url, from_group) = outcome.copy, outcome.origin
    if output.as_json:
        output.json(
            {
                "from": {"store": from_url, "group": from_group}, "to": {"store": url, "group": group},
                "lines": copied.lines, "lines_before": copied.before, "counts": dict(counts),
                "generations_left": outcome.left,
            }
        )  # fmt: skip
        return
    went_on = f", {copied.before:,} of them were there already" if copied.before else ""
    output.line(
        f"{clean(url)}, group {clean(group)}: {_number(counts['sources'], 'source', 'sources')}, "
        f"{_number(counts['entities'], 'entity', 'entities')}, {_number(counts['facts'], 'fact', 'facts')}; "
        f"all {copied.lines:,} lines of the dump are equal{went_on}"
    )
    if outcome.left:
        stay = "1 other generation stays" if outcome.left == 1 else f"{outcome.left:,} other generations stay"
        output.note(f"{stay} behind: the one that answers is copied")
    output.note("the memory here is as it was; --store and KGMEM_STORE name the one that a command uses")


def _number(count: int, one: str, many: str) -> str:
    return f"1 {one}" if count == 1 else f"{count:,} {many}"


def _refuse_to_send(url: str, *, yes: bool) -> None:
    """Ask before notes leave this machine.

    Raises:
        UserError: nobody is there to ask, or it is no URL.
    """
    try:
        host = host_of(url)
    except ValueError:  # it may hold a password, and is not repeated
        raise UserError("--to is no URL of a store", "use sqlite:///path, or a plain path") from None
    if is_here(host) or yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(f"all of your notes would be sent to {host}, and nobody is here to ask", "say so with --yes")
    typer.confirm(f"Send all of your notes to {host}?", err=True, abort=True)
