"""`kgmem export`: pages come out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kgmem.cli.ask import AsOf, KnownAt, times
from kgmem.cli.session import session


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(export)


def export(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="Where to.", show_default=False)] = None,
    *,
    min_mentions: Annotated[int, typer.Option(min=1, help="Only what is mentioned so often.")] = 1,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be written.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """Write a page about each entity, in a folder of its own. What you write outside our markers stays yours.

    Pages of another time (--as-of, --known-at) go into a new folder, and say so in their frontmatter.

    kgmem export ~/vault/kgmem-pages
    """
    from kgmem.config import DEFAULT_EXPORT
    from kgmem.export import export_pages

    here = session(context)
    target = folder or here.config().export or Path(DEFAULT_EXPORT)
    at = times(here, as_of, known_at)
    with here.reading() as store:
        report = export_pages(
            store, target.expanduser(), min_mentions=min_mentions, dry_run=dry_run, as_of=at.as_of, known=at.known
        )
    here.record.count(written=report.written, unchanged=report.unchanged, removed=report.removed)
    for each in report.skipped:
        here.record.problem(each.kind, each.path)
    if here.output.as_json:
        here.output.json(
            {
                "folder": str(target),
                "as_of": as_of,
                "known_at": known_at,
                "written": report.written,
                "unchanged": report.unchanged,
                "removed": report.removed,
                "dry_run": dry_run,
                "problems": [
                    {"path": p.path, "line": p.line, "kind": p.kind, "message": p.message, "hint": p.hint}
                    for p in report.skipped
                ],
            }
        )
        return
    for each in report.skipped:
        here.output.warn(f"left alone: {each.path}: {each.message}" + (f" ({each.hint})" if each.hint else ""))
    if not (here.output.quiet and not report.written and not report.removed):
        verb = "would write" if dry_run else "wrote"
        here.output.console().print(
            f"{verb} {report.written} pages in {target}; {report.unchanged} unchanged, {report.removed} removed",
            markup=False,
        )
