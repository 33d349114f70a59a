"""`kgmem doctor`: whether the memory is what it promises to be."""

from __future__ import annotations

from typing import Annotated

import typer

from kgmem.cli.session import session
from kgmem.errors import ExitCode


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(doctor)


def doctor(
    context: typer.Context,
    *,
    fix: Annotated[bool, typer.Option("--fix", help="Believe again what the claims say, where that differs.")] = False,
) -> int:
    """Check the invariants of the memory, each on what is stored.

    kgmem doctor
    """
    from kgmem.checkup import check_up, misbelieved_slots

    here = session(context)
    with here.reading() as store:
        checks = check_up(store, here.ontology())
    fixed = 0
    if fix and not all(check.ok for check in checks):
        with here.memory(nlp=False) as memory:
            if slots := misbelieved_slots(memory.store, memory.ontology):
                fixed = memory.refold(slots)
            checks = check_up(memory.store, memory.ontology)
    ok = all(check.ok for check in checks)
    if here.output.as_json:
        here.output.json(
            {
                "ok": ok,
                "fixed": fixed,
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
