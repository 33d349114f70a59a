"""`kgmem merge`, `kgmem unmerge` and `kgmem resolve`: who is one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.session import Session, session
from kgmem.errors import NotFoundError, TurnTakenError, UserError

if TYPE_CHECKING:
    from kgmem.ingestion.identity import Identity, Merged
    from kgmem.ingestion.run import ReaderOf
    from kgmem.model import Decision
    from kgmem.sources.arriving import Arriving
    from kgmem.sources.obsidian import Vault
    from kgmem.store.protocol import EntityCard, Store


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(merge)
    app.command()(unmerge)
    app.command()(resolve)


def merge(
    context: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help="A name, an alias or an id.")],
    other: Annotated[str, typer.Argument(metavar="B", help="Another.")],
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    because: Annotated[str, typer.Option(metavar="TEXT", help="Why.", show_default=False)] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False,
) -> None:
    """Make two entities one. The better known of them stays, and bears the names of both.

    No note is changed, no ingest undoes it, and `unmerge` takes it back, with nothing lost.

    kgmem merge "Bob Keane" "Robert Keane"
    """
    from kgmem.cli.queue import Interrupts

    here = session(context)
    with here.memory(nlp=False if dry_run else None) as memory:
        first, second = find_one(memory.store, one), find_one(memory.store, other)
        identity = memory.identity(readers(here))
        if not (yes or dry_run) and sys.stdin.isatty() and sys.stderr.isatty():
            planned = identity.merge(first.entity.id, second.entity.id, dry_run=True, sure=True)
            doubts = "".join(f"{each}. " for each in planned.warnings)
            typer.confirm(f"{doubts}Make one of {_described(first)} and {_described(second)}?", err=True, abort=True)
            yes = True
        turn = nullcontext() if dry_run else here.writing_turn()
        with turn, Interrupts() as interrupts, interrupts.held_off():
            done = identity.merge(
                first.entity.id, second.entity.id, because=because, dry_run=dry_run, sure=yes or dry_run
            )
    if here.output.as_json:
        here.output.json({"dry_run": dry_run, **merged_json(done, planned=dry_run)})
        return
    from kgmem.cli.output import clean

    for warning in done.warnings:
        here.output.note(warning)
    if dry_run:
        gone = " and ".join(clean(each.name) for each in done.others)
        here.output.line(f"would make {gone} one with {clean(done.kept.name)}: {_notes(done.sources)} to read again")
        here.output.line(f"  names that would mean it: {clean(', '.join(done.decision.names))}")
        return
    here.output.line(merged_words(done))
    here.output.note(f"kgmem unmerge {done.decision.id} takes this back")


def unmerge(
    context: typer.Context,
    what: Annotated[str, typer.Argument(metavar="ID|NAME", help="The merge's id, or a name that was merged.")],
) -> None:
    """Take a merge back: both are as if it had never been.

    kgmem unmerge "Bob Keane"
    """
    from kgmem.cli.queue import Interrupts

    here = session(context)
    with here.memory() as memory:
        identity = memory.identity(readers(here))
        decision = _merge_of(memory.store, identity, what)
        with here.writing_turn(), Interrupts() as interrupts, interrupts.held_off():
            done = identity.unmerge(decision.id)
    if here.output.as_json:
        here.output.json(merged_json(done))
        return
    here.output.line(unmerged_words(done))
    here.output.note("`kgmem merge` makes them one again")


def resolve(
    context: typer.Context,
    *,
    every: Annotated[bool, typer.Option("--all", help="Compare all, not only what is new.")] = False,
) -> None:
    """Compare what is new with all that is known. What is one beyond doubt is merged, what may be one waits for you.

    It never asks: run it every night.

    kgmem resolve
    """
    from kgmem.cli.queue import Interrupts
    from kgmem.recall.pairs import pairs

    here = session(context)
    with here.memory(meaning=True) as memory, here.writing_turn():
        before = {each.id for each in memory.store.proposals()}
        with Interrupts() as interrupts, interrupts.held_off():
            done = memory.resolver(readers(here)).resolve(everything=every)
        pending = memory.review(readers(here)).pending()
        waiting = len(pairs(memory.store, pending))
    here.record.count(compared=done.compared, merged=len(done.merged), proposed=done.proposed, settled=done.settled)
    if here.output.as_json:
        shown = [merged_json(each) for each in done.merged]
        here.output.json(
            {
                "compared": done.compared,
                "merged": shown,
                "proposed": done.proposed,
                "settled": done.settled,
                "waiting": waiting,
            }
        )
        return
    if here.output.quiet and not (done.merged or done.settled or {each.id for each in pending} - before):
        return
    settled = f", {done.settled} short names settled" if done.settled else ""
    here.output.line(f"{done.compared} compared, {len(done.merged)} merged, {done.proposed} proposed{settled}")
    for each in () if here.output.quiet else done.merged:
        here.output.line(f"  {merged_words(each)}", (f"  {each.decision.id}", "dim"))
    if waiting:
        here.output.note(f"{waiting} wait for you: kgmem review merges")


# -- shared with the review


def catch_up(here: Session) -> None:
    """Compare what no `resolve` has seen yet, so that what waits is told in full; unless another command is at work."""
    from kgmem.cli.queue import Interrupts
    from kgmem.memory import Memory

    with here.reading() as store:
        if not Memory(store, here.ontology).resolver(readers(here)).is_behind():
            return
    if sys.stderr.isatty():
        here.output.note("comparing what is new …")
    try:
        with here.memory(meaning=True) as memory, here.writing_turn(0), Interrupts() as stops, stops.held_off():
            memory.resolver(readers(here)).resolve()
    except TurnTakenError as error:
        here.output.note(f"what is new is not compared yet: {error.message}")


def readers(here: Session) -> ReaderOf:
    """What makes the reader of a folder whose notes are to be read again."""
    return rereaders(here)


def rereaders(here: Session) -> Callable[[str, str], Vault | Arriving]:
    """The same, for who reads what the memory holds, and not what the folder does."""
    from kgmem.sources.opening import open_reader

    settings = here.config().source_settings()
    return lambda root, kind: open_reader(root, kind, settings)


def find_one(store: Store, name: str) -> EntityCard:
    """The one entity of a name or id.

    Raises:
        NotFoundError: nothing has it.
        UserError: several have.
    """
    from kgmem.recall.names import find_entity

    cards = find_entity(store, name)
    live = [card for card in cards if card.mentions] or list(cards)
    if len(live) > 1:
        listed = "; ".join(f"{card.entity.id} {_described(card)}" for card in live)
        raise UserError(f"several are called {name!r}", f"give one id: {listed}")
    return live[0]


def merged_json(done: Merged, *, planned: bool = False) -> dict[str, Any]:
    """A merge, or one that is taken back, in the form that scripts rely on; one that is only planned has no id."""
    return {
        "id": None if planned else done.decision.id,
        "kept": {"id": done.kept.id, "name": done.kept.name},
        "gone": {"id": done.others[0].id, "name": done.others[0].name} if done.others else None,
        "sources": done.sources,
        "facts_closed": None if planned else done.facts_closed,
        "facts_opened": None if planned else done.facts_opened,
        "warnings": list(done.warnings),
    }


def merged_words(done: Merged) -> str:
    """What a merge came to, in a sentence."""
    from kgmem.cli.output import clean

    gone = " and ".join(dict.fromkeys(each.name for each in done.others))
    return f"{clean(gone)} and {clean(done.kept.name)} are one: {_notes(done.sources)} read again, {_facts(done)}"


def unmerged_words(done: Merged) -> str:
    """What taking a merge back came to, in a sentence."""
    from kgmem.cli.output import clean

    gone = " and ".join(dict.fromkeys(each.name for each in done.others))
    return f"{clean(gone)} and {clean(done.kept.name)} are two again: {_notes(done.sources)} read again, {_facts(done)}"


def _merge_of(store: Store, identity: Identity, what: str) -> Decision:
    """The merge of an id, or the only one that a name was part of."""
    from kgmem.model import DecisionKind
    from kgmem.resolution.names import name_key

    held = identity.held(DecisionKind.SAME)
    found = [each for each in held if each.id == what.strip()]
    if not found:
        key = name_key(what)
        kept = {name: each.name for name, each in store.entities(each.entity for each in held if each.entity).items()}
        found = [each for each in held if key in map(name_key, (*each.names, kept.get(each.entity or "", "")))]
    if not found:
        raise NotFoundError(f"no merge that holds has the id or name {what!r}", "kgmem review merges --decided")
    if len(found) > 1:
        listed = "; ".join(f"{each.id} {each.names[0] if each.names else ''}" for each in found)
        raise UserError(f"several merges are about {what!r}", f"give one id: {listed}")
    return found[0]


def _described(card: EntityCard) -> str:
    notes = "1 note" if card.sources == 1 else f"{card.sources} notes"
    return f"{card.entity.name} ({card.entity.type}, in {notes})"


def _notes(number: int) -> str:
    return "1 note" if number == 1 else f"{number} notes"


def _facts(done: Merged) -> str:
    closed = "1 fact" if done.facts_closed == 1 else f"{done.facts_closed} facts"
    return f"{closed} closed, {done.facts_opened} opened"
