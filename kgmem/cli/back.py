"""`kgmem forget`, `kgmem undo` and `kgmem correct`: a person's last word."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.same import readers
from kgmem.cli.session import Session, session
from kgmem.errors import UserError
from kgmem.sources.arriving import is_folder

if TYPE_CHECKING:
    from kgmem.ingestion.reversal import Reversed
    from kgmem.memory import Memory
    from kgmem.model import Bound, Decision, Entity, Fact, Problem, Source
    from kgmem.store.protocol import Store, Transacted

_CHOICES = 5
"""Facts or sources that a message lists."""
_TELLING = 3
"""Words with which a fact may begin for it to be meant: a name alone says nothing of it."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(forget)
    app.command()(undo)
    app.command()(correct)


def forget(
    context: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="SOURCE|EPISODE", help="A note's path or title, or an id.", show_default=False)
    ] = "",
    *,
    erase: Annotated[bool, typer.Option("--erase", help="Leave nothing: not in the past either.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Remember it again.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Show what is forgotten.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Answer every question with yes.")] = False,
) -> None:
    """Believe nothing any more because of one note, or of one episode of it.

    What rested on it is believed no more, what it had ended holds again, and no ingest brings it back. The past
    stays to be asked for with `--known-at`, unless you `--erase` it. The file itself is never touched.

    kgmem forget "Clippings/bad import.md"
    """
    here = session(context)
    if listed:
        _show_forgotten(here)
        return
    if not what.strip():
        raise UserError("say what to forget", "a note's path or title; `kgmem forget --list` shows what is forgotten")
    from kgmem.store.archive import rest

    with here.memory() as memory:
        reversal = memory.back
        source, episode = reversal.find(what)
        reader = readers(here)(source.root, source.kind)
        if back:
            with here.writing_turn():
                done = reversal.restore(source, reader)
            _tell(here, "restore", done)
            return
        if erase and not yes:
            _confirm(f"Erase {source.path} for good, with all that was ever believed because of it?")
        with here.writing_turn():
            known = erase and reversal.is_forgotten(source, episode)
            if not known:
                done = reversal.forget_episode(source, episode, reader) if episode else reversal.forget(source, reader)
            whole = erase and memory.erase(source, episode, reader, here.generation)
        if not erase:
            _tell(here, "forget", done)
            return
        pages = _export_again(here, memory.store)
        left = [f"{each.url}/{each.name}" for each in rest(memory.store.archive().shelves())]
    _tell_erased(here, source, pages, whole=whole, archived=left)


def _confirm(question: str) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UserError("erasing cannot be undone, and nobody is here to ask", "say so with --yes")
    typer.confirm(question, err=True, abort=True)


@dataclass(frozen=True, slots=True)
class _Pages:
    """The pages that were written anew after something was erased, and what stayed of them."""

    folder: Path | None = None
    left: tuple[Problem, ...] = ()
    failed: str = ""


def _export_again(here: Session, store: Store) -> _Pages:
    """Write the pages anew that the configuration names, if they were written before: they hold what was erased."""
    from kgmem.config import DEFAULT_EXPORT
    from kgmem.export import export_pages
    from kgmem.export.manifest import MANIFEST

    folder = (here.config().export or Path(DEFAULT_EXPORT)).expanduser()
    if not (folder / MANIFEST).exists():
        return _Pages()
    try:
        return _Pages(folder, export_pages(store, folder).skipped)
    except UserError as error:  # what was to be erased is; that it still stands there is to be told
        return _Pages(folder, failed=error.message)


def _tell(here: Session, kind: str, done: Reversed) -> None:
    report, path = done.report, done.source.path
    if here.output.as_json:
        here.output.json(_result(kind, done))
        return
    words = {"forget": f"{path} is forgotten", "restore": f"{path} is remembered again"}[kind]
    here.output.line(
        f"{words}: {_count(report.facts_closed)} believed no more, {_count(report.facts_opened)} believed now"
    )
    if kind == "forget":
        here.output.note("the past stays: --known-at; `kgmem undo` takes this back; --erase leaves nothing")


def _result(kind: str, done: Reversed) -> dict[str, Any]:
    return {
        "kind": kind,
        "source": done.source.path,
        "facts_closed": done.report.facts_closed,
        "facts_opened": done.report.facts_opened,
    }


def _count(facts: int) -> str:
    return "1 fact is" if facts == 1 else f"{facts} facts are"


def _tell_erased(here: Session, source: Source, pages: _Pages, *, whole: bool, archived: Sequence[str]) -> None:
    folder = pages.folder and str(pages.folder)
    if here.output.as_json:
        left = [each.path for each in pages.left]
        told = {"kind": "erase", "source": source.path, "whole": whole, "pages": folder, "left": left}
        here.output.json({**told, **({"archived": archived} if archived else {})})
    else:
        kept = "; the file itself is as it was" if is_folder(source.root) else ""
        here.output.line(f"{source.path} is erased from the memory{kept}")
    for volume in archived:
        here.output.note(f"{volume} may still hold its text, and could not be written: `kgmem archive` does it again")
    if not whole and not archived:
        here.output.note("another process is reading the store, and keeps a copy: run this again when it is done")
    if pages.failed:
        here.output.note(f"pages in {folder} may still hold its text, for they could not be written: {pages.failed}")
    for each in pages.left:
        where = f"{folder}/{each.path}"
        if each.kind == "outlived":
            here.output.note(f"your own text in {where} stays; our part of that page is empty now")
        else:
            here.output.note(
                f"{where} may still hold its text: {each.message}" + (f" ({each.hint})" if each.hint else "")
            )
    here.output.note(
        f"pages in {folder} were written anew; others that you exported, and backups that you made, are as they were"
        if folder and not pages.failed
        else "pages that you exported, and backups that you made, are as they were"
    )


def _show_forgotten(here: Session) -> None:
    from kgmem.model import show_instant

    with here.memory(nlp=False) as memory:
        held = memory.back.forgotten()
    if here.output.as_json:
        here.output.json({"total": len(held), "forgotten": [_forgotten_json(*each) for each in held]})
        return
    for decision, source in held:
        what = "one content of it" if decision.hash else "whatever it says"
        name = source.path if source else f"{decision.source} (erased)"
        here.output.line(f"{show_instant(decision.recorded_at)[:16].replace('T', ' ')}  {name}  {what}")
    if not held:
        here.output.line("Nothing is forgotten.")


def _forgotten_json(decision: Decision, source: Source | None) -> dict[str, Any]:
    from kgmem.model import show_instant

    return {
        "source": source.path if source else None,
        "id": decision.source,
        "content": decision.hash or None,
        "recorded_at": show_instant(decision.recorded_at),
    }


def undo(
    context: typer.Context,
    *,
    number: Annotated[int, typer.Option("-n", min=1, help="How many transactions.")] = 1,
    past_erased: Annotated[
        bool, typer.Option("--past-erased", help="Pass by what was erased, or decided on who is who.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken back.")] = False,
) -> None:
    """Take back the last transaction: one note taken in, one forgotten, one correction.

    What an ingest brought stays out until the note changes. Again takes back the one before.

    kgmem undo
    """
    here = session(context)
    from kgmem.model import show_instant

    undone: list[Reversed] = []
    coming: list[Transacted] = []
    why = None
    turn = nullcontext() if dry_run else here.writing_turn()
    with here.memory(nlp=False if dry_run else None) as memory, turn:
        if dry_run:
            coming = list(islice(memory.back.next(past_erased=past_erased), number))
        while len(undone) < number and not dry_run:
            try:
                what = memory.back.last(past_erased=past_erased)
            except UserError as error:
                if not undone:
                    raise
                why = error
                break
            assert what.source is not None  # noqa: S101 - such a one is never the last
            undone.append(memory.back.undo(what, readers(here)(what.source.root, what.source.kind)))
    if here.output.as_json:
        here.output.json(
            {
                "dry_run": dry_run,
                "next": [{"kind": each.kind, "source": each.source and each.source.path} for each in coming],
                "undone": [_result(each.what.kind if each.what else "", each) for each in undone],
            }
        )
        return
    for what in coming:
        here.output.line(f"would take back: {_what_was(what.kind, what.source)}, {show_instant(what.recorded_at)}")
    for each in undone:
        closed, opened = _count(each.report.facts_closed), _count(each.report.facts_opened)
        was = _what_was(each.what.kind if each.what else "", each.source)
        here.output.line(f"taken back: {was}; {closed} believed no more, {opened} believed now")
    if why is not None:
        here.output.note(why.message + (f" ({why.hint})" if why.hint else ""))


def _what_was(kind: str, source: Source | None) -> str:
    from kgmem.recall.history import deed

    return f"{source.path if source else 'a source'} {deed(kind)}"


def correct(
    context: typer.Context,
    fact: Annotated[str, typer.Argument(help="Its words, or its id.")],
    *,
    wrong: Annotated[bool, typer.Option("--wrong", help="It never was so.")] = False,
    value: Annotated[str | None, typer.Option(metavar="TEXT", help="What is so.", show_default=False)] = None,
    start: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Since when; unknown.", show_default=False)
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="Until when; unknown.", show_default=False)
    ] = None,
    because: Annotated[str, typer.Option(metavar="TEXT", help="Why: it is kept as evidence.", show_default=False)] = "",
) -> None:
    """Say that a fact is wrong, or what is so instead. No note says otherwise from then on, and `undo` takes it back.

    kgmem correct "Mira works at Nord" --value "Château Sud" --from 2023-04
    """
    from kgmem.ingestion.correction import Correction

    here = session(context)
    given = [name for name, said in (("--value", value), ("--from", start), ("--to", end)) if said]
    if not (wrong or given):
        raise UserError("say what is so", "--value, --from, --to, or --wrong")
    if wrong and given:
        raise UserError(f"--wrong says that it never was so, and {given[0]} that it was", "give one or the other")
    with here.memory(nlp=False) as memory:
        found = _find_fact(memory, fact)
        target = _entity(memory.store, found, value) if value and found.object else None
        said = Correction(
            wrong=wrong,
            target=target,
            value=None if target else value,
            start=_bound(here, start),
            end=_bound(here, end),
            because=because,
        )
        done = memory.correct(found, said)
    if here.output.as_json:
        here.output.json(
            {
                "kind": "correction",
                "source": done.source.path,
                "facts_closed": len(done.closed),
                "facts_opened": len(done.opened),
            }
        )
        return
    from kgmem.recall.wording import when

    here.output.line(f"no longer believed: {found.statement}")
    for each in done.opened:
        here.output.line(f"believed now: {each.statement.rstrip('.')} ({when(each)})")


def _find_fact(memory: Memory, words: str) -> Fact:
    """The fact that is believed now with that id, or with those words, or the only one that begins with them.

    Raises:
        NotFoundError: there is none.
        UserError: there are several.
    """
    from kgmem.errors import NotFoundError
    from kgmem.store.protocol import FactQuery, Scope

    store = memory.store
    _, by_id = store.facts(FactQuery(ids=(words.strip(),)))
    if by_id:
        return by_id[0]
    hits = tuple(hit.id for hit in store.search(Scope.FACTS, words, 50))
    _, facts = store.facts(FactQuery(ids=hits)) if hits else (0, ())
    plain = _plain(words)
    reads = {each.id: [_plain(said) for said in _wordings(memory, each)] for each in facts}
    exact = [each for each in facts if plain in reads[each.id]]
    telling = len(plain.split()) >= _TELLING
    begun = [each for each in facts if telling and any(said.startswith(f"{plain} ") for said in reads[each.id])]
    meant = exact or begun
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise UserError(f"several facts may be meant by {words!r}", f"give one id: {_listed(meant)}")
    hint = f"did you mean: {_listed(facts)}" if facts else "`kgmem facts NAME` lists what is"
    raise NotFoundError(f"nothing that is believed reads {words!r}", hint)


def _wordings(memory: Memory, fact: Fact) -> Iterator[str]:
    """How a fact may be said: as it reads, and the other way round where that is the same."""
    yield fact.statement
    predicate = memory.ontology.predicates.get(fact.predicate)
    if predicate is not None and predicate.symmetric and fact.object is not None:
        known = memory.store.entities((fact.subject, fact.object))
        one, other = known[fact.subject].name, known[fact.object].name
        yield from (predicate.statement(one, other), predicate.statement(other, one))


def _plain(words: str) -> str:
    return " ".join(words.casefold().split()).strip(" .")


def _listed(facts: Sequence[Fact]) -> str:
    from kgmem.recall.wording import when

    return "; ".join(f"{each.id} {each.statement.rstrip(' .')} ({when(each)})" for each in facts[:_CHOICES])


def _entity(store: Store, fact: Fact, name: str) -> Entity:
    """The entity of a name; a new one of the old object's type if nothing bears it."""
    from dataclasses import replace

    from kgmem.recall.names import cards_of, named_exactly
    from kgmem.resolution.directory import named_entity
    from kgmem.resolution.names import name_key

    cards = cards_of(store, named_exactly(store, name))
    if cards:
        return cards[0].entity
    old = store.entities([fact.object or ""])[fact.object or ""]
    return replace(old, id=named_entity(name_key(name)), name=name.strip(), subtype=None)


def _bound(here: Session, text: str | None) -> Bound | None:
    from kgmem.cli.dates import today, world_period
    from kgmem.model import UNKNOWN, Basis, Bound

    if text is None:
        return None
    if text.strip().casefold() in {"unknown", "open", "none"}:
        return UNKNOWN
    period = world_period(text, today(here.config().now))
    moment = period and (period.start.moment or period.end.moment)
    return Bound(moment, Basis.STATED) if moment else UNKNOWN
