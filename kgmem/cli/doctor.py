"""`kgmem doctor`: whether the memory is what it promises to be, and how one note was read."""

from __future__ import annotations

from typing import Annotated

import typer

from kgmem.cli.session import Session, session
from kgmem.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(doctor)


def doctor(
    context: typer.Context,
    note: Annotated[
        str | None, typer.Argument(help="Explain this one: a path, a title or an id.", show_default=False)
    ] = None,
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Believe again what the claims say, where that differs.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Look at the start of archived files alone.")] = False,
    nlp: Annotated[bool, typer.Option(help="Find names in the note with spaCy.")] = True,
    limit: Annotated[
        int | None, typer.Option(min=1, help="So many passages of the note; 40 in the terminal.", show_default=False)
    ] = None,
) -> int:
    """Check the invariants of the memory, each on what is stored; or explain how one note was read.

    A note is read again, and compared with what the memory holds: its dates and what each rests on, what it is taken
    for, its passages with mentions, links and claims, and its problems. Nothing is changed.

        kgmem doctor

        kgmem doctor People/Mira.md
    """
    here = session(context)
    if note is not None:
        if fix:
            raise typer.BadParameter("--fix mends the memory, not a note")
        from kgmem.cli.doctor_note import doctor_note

        doctor_note(here, note, nlp=nlp, limit=limit)
        return ExitCode.DONE
    return _check_up(here, fix=fix, quick=quick)


def _check_up(here: Session, *, fix: bool, quick: bool) -> int:
    from kgmem.checkup import check_up, misbelieved_slots

    with here.reading() as store:
        checks = check_up(store, here.ontology(), quick=quick)
        waiting = len(store.relinked())
    if waiting:
        here.output.note("an ingest was broken off before it was done: the next `kgmem ingest` goes on with it")
    fixed = 0
    if fix and not all(check.ok for check in checks):
        with here.memory(nlp=False) as memory, here.writing_turn():
            if slots := misbelieved_slots(memory.store, memory.ontology):
                fixed = memory.refold(slots)
            checks = check_up(memory.store, memory.ontology, quick=quick)
    ok = all(check.ok for check in checks)
    if here.output.as_json:
        here.output.json(
            {
                "ok": ok,
                "fixed": fixed,
                "broken_off": bool(waiting),
                "checks": [
                    {"name": each.name, "ok": each.ok, "broken": each.broken, "examples": list(each.examples)}
                    for each in checks
                ],
            }
        )
    elif not (here.output.quiet and ok):
        for each in checks:
            here.output.console().print(f"{'ok ' if each.ok else 'BAD'}  {each.name}", markup=False)
            for example in each.examples:
                here.output.console().print(f"       {example}", markup=False)
    return ExitCode.DONE if ok else ExitCode.FAILED
