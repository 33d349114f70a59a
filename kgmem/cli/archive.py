"""`kgmem archive`: old bodies go to files outside of the store, and come back."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kgmem.cli.output import Output, clean
from kgmem.cli.session import Session, session
from kgmem.cli.stages import stages
from kgmem.errors import ArchiveError, ExitCode, UserError

if TYPE_CHECKING:
    from kgmem.archive.moving import Moved
    from kgmem.model import Instant
    from kgmem.store.archive import ArchiveStore
    from kgmem.store.protocol import Store

_DAYS: Final = {"d": 1, "w": 7, "y": 365}
_MICROSECONDS: Final = 86_400_000_000


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(archive)


def archive(
    context: typer.Context,
    *,
    older_than: Annotated[
        str | None, typer.Option(metavar="AGE", help="Of so many days, weeks or years: 365d.", show_default=False)
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="FOLDER|URL", help="Where to; a folder beside the memory.", show_default=False),
    ] = None,
    restore: Annotated[bool, typer.Option("--restore", help="Bring all of it back.")] = False,
    moved_to: Annotated[
        str | None,
        typer.Option(metavar="FOLDER|URL", help="You moved the archive there.", show_default=False),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be moved.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False,
) -> int:
    """Move the texts of old episodes out of the memory, compressed: what notes said before you changed them.

    Every answer stays the same: passages, facts and their evidence do not move, and a text is fetched where one is
    needed, to undo or to re-extract. Without options, what was broken off or could not be reached is done again.

    kgmem archive --older-than 365d
    """
    here = session(context)
    if sum((older_than is not None, restore, moved_to is not None)) > 1:
        raise typer.BadParameter("one of --older-than, --restore and --moved-to")
    if moved_to is not None:
        return _find_again(here, moved_to)
    if restore:
        return _bring_back(here, dry_run=dry_run)
    if older_than is None:
        return _tidy(here)
    days = days_of(older_than)
    if dry_run:
        return _tell_what_would_go(here, days, to)
    return _put_away(here, days, to, yes=yes)


def days_of(age: str) -> int:
    """The days of an age such as 365d, 8w or 2y. Raises BadParameter for anything else."""
    match = re.fullmatch(r"([1-9][0-9]{0,4})([dwy])", age.strip())
    if match is None:
        raise typer.BadParameter(f"no age: {age!r}; write it like 365d, 52w or 1y", param_hint="--older-than")
    return int(match[1]) * _DAYS[match[2]]


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a run came to, in bytes of the store before and after."""

    moved: Moved
    before: int
    after: int
    shrunk: bool = True


def _before(here: Session, days: int) -> Instant:
    """The recorded instant so many days ago."""
    import time

    from kgmem.model import Instant

    pinned = here.config().now
    now = time.time() if pinned is None else pinned.timestamp()
    return Instant(int(now * 1_000_000) - days * _MICROSECONDS)


def _base(here: Session, to: str | None, archived: ArchiveStore) -> str:
    """Where volumes go.

    Raises:
        UserError: the memory is on a server, and nothing says where.
    """
    from kgmem.store.volumes.places import is_local, path_of, refuse_password

    named = to or here.config().archive
    if named is None:
        beside = archived.beside()
        if beside is None:
            raise UserError(
                "a memory on a server has no folder beside it", "name one with --to, or as `to` in [archive]"
            )
        return str(beside)
    if is_local(named):
        return str(path_of(named))
    refuse_password(named)
    return named


def _ask_to_send(url: str, *, yes: bool) -> None:
    """Ask before texts leave this machine.

    Raises:
        UserError: nobody is there to ask.
    """
    from kgmem.store.volumes.places import is_local

    if is_local(url) or yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError(
            f"the texts of old notes would be sent to {url}, and nobody is here to ask",
            "say so with --yes, or as `to` in [archive]",
        )
    typer.confirm(f"Send the texts of old notes to {url}?", err=True, abort=True)


def _tell_what_would_go(here: Session, days: int, to: str | None) -> int:
    with here.reading() as store:
        archived = store.archive()
        url = _base(here, to, archived)
        bodies, size = archived.waiting(_before(here, days))
    if here.output.as_json:
        here.output.json({"dry_run": True, "bodies": bodies, "bytes": size, "to": url})
    else:
        here.output.line(f"would move {_bodies(bodies)}, {_megabytes(size)}, to {clean(url)}")
    return ExitCode.DONE


def _put_away(here: Session, days: int, to: str | None, *, yes: bool) -> int:
    from kgmem.archive.moving import put_away

    with here.changing() as store:
        archived = store.archive()
        url, before = _base(here, to, archived), _before(here, days)
        if to is not None and archived.waiting(before)[0]:
            _ask_to_send(url, yes=yes)
        with here.writing_turn():
            size = store.stats().size_bytes
            with stages(here.output, "archiving") as progress:
                moved = put_away(archived, url, before, progress)
            outcome = _outcome(store, moved, size)
    return _show(here.output, outcome, "archived")


def _bring_back(here: Session, *, dry_run: bool) -> int:
    from kgmem.archive.moving import bring_back

    if dry_run:
        with here.reading() as store:
            bodies = sum(len(each.digests) for each in store.archive().shelves())
        if here.output.as_json:
            here.output.json({"dry_run": True, "bodies": bodies})
        else:
            here.output.line(f"would bring back {_bodies(bodies)}")
        return ExitCode.DONE
    with here.changing() as store, here.writing_turn():
        size = store.stats().size_bytes
        with stages(here.output, "restoring") as progress:
            moved = bring_back(store.archive(), progress)
        outcome = _outcome(store, moved, size)
    return _show(here.output, outcome, "restored")


def _tidy(here: Session) -> int:
    from kgmem.archive.moving import Moved
    from kgmem.archive.tidying import tidy

    with here.changing() as store, here.writing_turn():
        size = store.stats().size_bytes
        outcome = _outcome(store, Moved(tidied=tidy(store.archive())), size)
    return _show(here.output, outcome, "tidied")


def _outcome(store: Store, moved: Moved, before: int) -> _Outcome:
    shrunk = store.archive().shrink(moved.bytes)
    return _Outcome(moved, before, store.stats().size_bytes, shrunk)


def _find_again(here: Session, moved_to: str) -> int:
    from kgmem.archive.moving import moved_to as find_again
    from kgmem.store.volumes.places import is_local, path_of

    base = str(path_of(moved_to)) if is_local(moved_to) else moved_to
    if is_local(moved_to) and not Path(base).is_dir():
        raise ArchiveError(f"there is no folder {base}", "name the one that the archive is in now")
    with here.changing() as store, here.writing_turn():
        found, lost = find_again(store.archive(), base)
    if here.output.as_json:
        here.output.json({"found": found, "lost": [f"{each.url}/{each.name}" for each in lost]})
    else:
        here.output.line(f"{_number(found, 'volume', 'volumes')} found in {clean(base)}")
        for each in lost:
            here.output.note(f"not there, nor where it was: {each.url}/{each.name}")
    return ExitCode.FAILED if lost else ExitCode.DONE


def _show(output: Output, outcome: _Outcome, what: str) -> int:
    from kgmem.archive.checking import told

    moved, tidied = outcome.moved, outcome.moved.tidied
    if output.as_json:
        output.json(_as_json(outcome, what))
    else:
        lines = _lines(outcome, what)
        idle = not (output.quiet or moved.problems or tidied.left)
        for line in lines or (["nothing to be done"] if idle else []):
            output.line(line)
    if not outcome.shrunk:
        output.note("the space could not be given back to the disk while others use the memory: `kgmem archive` does")
    for error in (*moved.problems, *tidied.left):
        output.note(told(error))
    return ExitCode.FAILED if moved.problems or tidied.left else ExitCode.DONE


def _as_json(outcome: _Outcome, what: str) -> dict[str, Any]:
    moved, tidied = outcome.moved, outcome.moved.tidied
    return {
        "kind": what, "bodies": moved.bodies, "bytes": moved.bytes, "volumes": moved.volumes,
        "volume_bytes": moved.volume_bytes, "to": moved.url or None,
        "store_bytes": {"before": outcome.before, "after": outcome.after}, "shrunk": outcome.shrunk,
        "removed": tidied.removed, "rewritten": tidied.rewritten,
        "left": [error.message for error in tidied.left], "problems": [error.message for error in moved.problems],
    }  # fmt: skip


def _lines(outcome: _Outcome, what: str) -> list[str]:
    """What is said of a run; nothing if there was nothing to do."""
    moved, tidied = outcome.moved, outcome.moved.tidied
    lines: list[str] = []
    if what == "archived" and moved.bodies:
        lines.append(
            f"archived {_bodies(moved.bodies)}: {_megabytes(moved.bytes)} in the store, now"
            f" {_megabytes(moved.volume_bytes)} in {clean(moved.url)}"
        )
    elif moved.bodies:
        lines.append(f"{what} {_bodies(moved.bodies)}")
    if tidied.removed:
        lines.append(f"removed {_number(tidied.removed, 'volume', 'volumes')} that nothing pointed to")
    if tidied.rewritten:
        lines.append(f"wrote {_number(tidied.rewritten, 'volume', 'volumes')} anew, without what was erased or is back")
    if outcome.after < outcome.before:
        lines.append(f"the memory takes {_megabytes(outcome.after)}, and took {_megabytes(outcome.before)}")
    return lines


def _bodies(count: int) -> str:
    return _number(count, "text", "texts")


def _number(count: int, one: str, many: str) -> str:
    return f"1 {one}" if count == 1 else f"{count:,} {many}"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 50_000 else f"{size / 1e3:,.1f} kB"  # noqa: PLR2004 -- 0.1 MB
