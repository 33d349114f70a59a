"""`kgmem review`: what waits for a person: pairs that may be one, and notes that contradict each other."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from kgmem.cli.session import Session, session
from kgmem.errors import NotFoundError, UserError

if TYPE_CHECKING:
    from kgmem.cli.queue import Desk
    from kgmem.ingestion.settling import Settling
    from kgmem.memory import Memory
    from kgmem.model import Id
    from kgmem.recall.conflicts import AmbiguousName, Conflict, Rival

Item = TypeVar("Item")

Undo = Annotated[list[str] | None, typer.Option(metavar="ID", help="Take back what was decided.", show_default=False)]
Listed = Annotated[bool, typer.Option("--list", help="Show what waits, and ask nothing.")]
Limit = Annotated[int | None, typer.Option(min=1, help="At most so many; of a list 20.", show_default=False)]
_LISTED = 20


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    review = typer.Typer(
        help="Decide what only you can decide.\n\nkgmem review merges",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    review.command()(merges)
    review.command()(conflicts)
    app.add_typer(review, name="review")


def merges(
    context: typer.Context,
    *,
    listed: Listed = False,
    accept: Annotated[list[str] | None, typer.Option(metavar="ID", help="They are one.", show_default=False)] = None,
    reject: Annotated[list[str] | None, typer.Option(metavar="ID", help="They are two.", show_default=False)] = None,
    undo: Undo = None,
    decided: Annotated[bool, typer.Option("--decided", help="Show what was decided, and holds.")] = False,
    limit: Limit = None,
) -> None:
    """Decide which entities are one. Pair by pair, the surest first, with one key each.

    What is new is compared first. Every decision is saved at once, and can be taken back. Without a terminal it only
    lists what waits.

    kgmem review merges
    """
    here = session(context)
    if decided:
        from kgmem.cli.decided import show_decided

        show_decided(here, limit)
    elif accept or reject or undo:
        _decide_merges(here, accept or (), reject or (), undo or ())
    elif listed or not _is_attended(here):
        _list_merges(here, limit or _LISTED)
    else:
        from kgmem.cli.merges import MergeDesk
        from kgmem.cli.same import catch_up, readers
        from kgmem.recall.pairs import pairs

        catch_up(here)
        with here.memory() as memory:
            review = memory.review(readers(here))
            _work(here, MergeDesk(memory.store, review), pairs(memory.store, review.pending())[:limit])


def conflicts(
    context: typer.Context,
    *,
    listed: Listed = False,
    accept: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="What is believed is right.", show_default=False)
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="The other value is right.", show_default=False)
    ] = None,
    undo: Undo = None,
    limit: Limit = None,
) -> None:
    """Decide which note is right, and who is meant. Where notes contradict each other, or a name may mean several.

    Every decision is saved at once, and can be taken back. Without a terminal it only lists what waits.

    kgmem review conflicts
    """
    here = session(context)
    if accept or reject or undo:
        _decide_conflicts(here, accept or (), reject or (), undo or ())
    elif listed or not _is_attended(here):
        _list_conflicts(here, limit or _LISTED)
    else:
        _work_conflicts(here, limit)


def _is_attended(here: Session) -> bool:
    """Whether somebody is there to be asked."""
    return not here.output.as_json and sys.stdin.isatty() and sys.stdout.isatty()


def _work_conflicts(here: Session, limit: int | None) -> None:
    """Contradictions first, then names."""
    from kgmem.cli.conflicts import ConflictDesk
    from kgmem.cli.open_names import NameDesk
    from kgmem.cli.same import catch_up, readers
    from kgmem.recall.conflicts import find_conflicts

    catch_up(here)
    with here.memory() as memory:
        settling = memory.settling(readers(here))
        found, names = find_conflicts(memory.store)[:limit], settling.open()
        if found or not names:
            _work(here, ConflictDesk(memory, readers(here)), found)
        if names:
            _work(here, NameDesk(memory.store, settling), names[:limit])


def _work(here: Session, desk: Desk[Item], items: Sequence[Item]) -> None:
    from kgmem.cli.queue import Keys, Queue

    if not items:
        here.output.line("Nothing waits.")
        return
    try:
        Queue(desk, items, here.output.console(), Keys(), here.writing_turn).work()
    except KeyboardInterrupt:
        raise typer.Abort from None


# -- pairs


def _list_merges(here: Session, limit: int) -> None:
    from kgmem.cli.lines import shown_of
    from kgmem.cli.merges import described
    from kgmem.cli.output import clean
    from kgmem.cli.same import catch_up, readers
    from kgmem.memory import Memory
    from kgmem.recall.pairs import pairs

    catch_up(here)
    with here.reading() as store:
        found = pairs(store, Memory(store, here.ontology).review(readers(here)).pending())
    shown = found[:limit]
    if here.output.as_json:
        here.output.json({"total": len(found), "merges": [pair.as_json() for pair in shown]})
        return
    if not found:
        here.output.line("Nothing waits.")
        return
    here.output.table(
        (
            ((pair.proposal.id, "dim"),),
            (f"{pair.proposal.score:.2f}",),
            (f"{described(pair.a)} = {described(pair.b)}", *(f"\n  {clean(each)}" for each in pair.proposal.reasons)),
        )
        for pair in shown
    )
    if note := shown_of(len(shown), len(found)):
        here.output.note(f"{note}; --limit shows more")
    here.output.note("--accept ID says that they are one, --reject ID that they are two; on a terminal, one key each")


def _decide_merges(here: Session, accept: Iterable[str], reject: Iterable[str], undo: Iterable[str]) -> None:
    """Carry out decisions in order; those before one that cannot be stay."""
    from kgmem.cli.merges import names
    from kgmem.cli.queue import Interrupts
    from kgmem.cli.same import merged_json, merged_words, readers
    from kgmem.recall.pairs import pairs

    told: dict[str, list[dict[str, Any]]] = {"accepted": [], "rejected": [], "undone": []}
    with here.memory() as memory, here.writing_turn(), Interrupts() as interrupts:
        review = memory.review(readers(here))
        waiting = {pair.proposal.id: pair for pair in pairs(memory.store, review.pending())}
        for each in (*accept, *reject):
            if each not in waiting:
                raise NotFoundError(f"no pair that waits has the id {each!r}", "`kgmem review merges --list` shows all")
        for each in accept:
            with interrupts.held_off():
                merged = review.accept(each)
            told["accepted"].append({"pair": each, **merged_json(merged)})
            _say(here, merged_words(merged), f"kgmem unmerge {merged.decision.id} takes this back")
        for each in reject:
            with interrupts.held_off():
                decision = review.reject(each)
            told["rejected"].append({"pair": each, "id": decision.id})
            takes_back = f"kgmem review merges --undo {decision.id} takes this back"
            _say(here, f"{names(waiting[each])} are two", takes_back)
        for each in undo:
            with interrupts.held_off():
                told["undone"].append(_undo_merge(here, memory, each))
        left = len(pairs(memory.store, review.pending()))
    if here.output.as_json:
        here.output.json({**told, "left": left})


def _undo_merge(here: Session, memory: Memory, name: str) -> dict[str, Any]:
    """Take back a merge, that two are two, or what was said of a name; a pair waits again."""
    from kgmem.cli.same import merged_json, readers, unmerged_words
    from kgmem.model import DecisionKind

    identity, settling = memory.identity(readers(here)), memory.settling(readers(here))
    resolver = memory.resolver(readers(here))
    if name in {each.id for each in settling.held()}:
        said = settling.take_back(name)
        _say(here, f"taken back: {said.names[0]}", "kgmem review conflicts asks again")
        return {"id": name}
    if name in {each.id for each in identity.held(DecisionKind.DISTINCT)}:
        decision = identity.let_together(name)
        waits = resolver.compare_again(decision.entity or "", decision.others[0])
        _say(here, "they may be one again", "kgmem review merges asks again" if waits else "")
        return {"id": name}
    done = identity.unmerge(name)
    waiting = [resolver.compare_again(done.kept.id, other.id) for other in done.others]
    _say(here, unmerged_words(done), "kgmem review merges asks again" if any(waiting) else "")
    return merged_json(done)


def _say(here: Session, words: str, note: str) -> None:
    if not here.output.as_json:
        here.output.line(words)
        if note:
            here.output.note(note)


# -- conflicts


def _list_conflicts(here: Session, limit: int) -> None:
    from kgmem.cli.lines import shown_of
    from kgmem.cli.open_names import list_names, names_json
    from kgmem.cli.same import catch_up, readers
    from kgmem.memory import Memory
    from kgmem.recall.conflicts import find_ambiguous, find_conflicts

    catch_up(here)
    with here.reading() as store:
        found, shared = find_conflicts(store), find_ambiguous(store)
        names = Memory(store, here.ontology, bands=here.config().bands).settling(readers(here)).open()
        shown = found[:limit]
        if here.output.as_json:
            here.output.json(
                {
                    "total": len(found),
                    "conflicts": [each.as_json() for each in shown],
                    "names_total": len(names),
                    "names": names_json(store, names[:limit]),
                    "ambiguous_total": len(shared),
                    "ambiguous": [each.as_json() for each in shared[:limit]],
                }
            )
            return
        if shown:
            here.output.table(row for each in shown for row in _conflict_rows(each))
        if not found and not here.output.quiet:
            here.output.line("No note contradicts another.")
        if note := shown_of(len(shown), len(found)):
            here.output.note(f"{note}; --limit shows more")
        if found:
            here.output.note(
                "--accept ID says that the first is right, --reject ID the other; on a terminal, one key each"
            )
        list_names(here.output, store, names[:limit])
        if note := shown_of(min(limit, len(names)), len(names)):
            here.output.note(f"{note} names; --limit shows more")
    _tell_names(here, shared[:limit])


def _conflict_rows(conflict: Conflict) -> Iterator[tuple[Any, ...]]:
    from kgmem.cli.conflicts import rival_date
    from kgmem.cli.lines import cited
    from kgmem.cli.output import one_line, place
    from kgmem.recall.wording import when

    fact = conflict.view.fact
    yield ((conflict.id, "dim"),), (one_line(conflict.view.says),), (when(fact),), cited((conflict.view,))
    for rival in conflict.rivals:
        first = rival.evidence[0]
        where = place(first.root, first.path, first.line, kind=first.kind, block=first.block)
        says = f"or: {one_line(rival.claim.statement)}"
        yield ((rival.id, "dim"),), (says,), (rival_date(fact, rival),), (where,)


def _tell_names(here: Session, names: Sequence[AmbiguousName]) -> None:
    """Names that several bear, for information."""
    from kgmem.cli.lines import heading
    from kgmem.cli.merges import described
    from kgmem.cli.output import clean

    if not names:
        return
    heading(here.output, "Names that several bear")
    for name in names:
        here.output.line((clean(name.name), "bold"), f"  {', '.join(map(described, name.cards))}")
    here.output.note("if two of them are one: kgmem merge A B")


def _decide_conflicts(here: Session, accept: Iterable[str], reject: Iterable[str], undo: Iterable[str]) -> None:
    from kgmem.cli.open_names import is_name, say_name
    from kgmem.cli.queue import Interrupts
    from kgmem.cli.same import readers
    from kgmem.recall.conflicts import find_conflicts

    told: dict[str, list[dict[str, Any]]] = {"accepted": [], "rejected": [], "undone": []}
    with here.memory() as memory, here.writing_turn(), Interrupts() as interrupts:
        found, settling = find_conflicts(memory.store), memory.settling(readers(here))
        names = settling.open()
        asked = [
            *(("accepted", each, None if is_name(names, each) else (_conflict(found, each), None)) for each in accept),
            *(("rejected", each, None if is_name(names, each) else _rival(found, each)) for each in reject),
        ]
        for kind, name, disputed in asked:
            with interrupts.held_off():
                said = (
                    _settle(here, memory, *disputed)
                    if disputed
                    else say_name(here.output, memory.store, settling, names, name, accept=kind == "accepted")
                )
            told[kind].append({"conflict": name, "ids": said})
        for each in undo:
            with interrupts.held_off():
                told["undone"].append({"id": _take_back(here, memory, settling, each)})
        left, open_names = len(find_conflicts(memory.store)), len(settling.open())
    if here.output.as_json:
        here.output.json({**told, "left": left, "names_left": open_names})


def _settle(here: Session, memory: Memory, conflict: Conflict, right: Rival | None) -> list[Id]:
    from kgmem.cli.conflicts import settle, settled_words

    sources = settle(memory, conflict, right)
    if not here.output.as_json:
        here.output.line(settled_words(conflict, right, sources))
    return [each.id for each in sources]


def _take_back(here: Session, memory: Memory, settling: Settling, wanted: str) -> Id:
    """Take back what was said of a name, or a correction."""
    from kgmem.cli.conflicts import take_back
    from kgmem.cli.same import readers

    said = next((each for each in settling.held() if each.id == wanted), None)
    words = said.names[0] if said else take_back(memory, readers(here), wanted).path
    if said:
        settling.take_back(wanted)
    if not here.output.as_json:
        here.output.line(f"taken back: {words}")
    return wanted


def _conflict(found: Iterable[Conflict], name: str) -> Conflict:
    for each in found:
        if each.id == name:
            return each
    raise NotFoundError(f"no conflict that waits has the id {name!r}", "`kgmem review conflicts --list` shows all")


def _rival(found: Sequence[Conflict], name: str) -> tuple[Conflict, Rival]:
    """The conflict of an id with its only rival, or the rival of an id."""
    for conflict in found:
        for rival in conflict.rivals:
            if rival.id == name:
                return conflict, rival
    conflict = _conflict(found, name)
    if len(conflict.rivals) > 1:
        listed = "; ".join(f"{each.id} {each.target}" for each in conflict.rivals)
        raise UserError("several other values are claimed", f"give the id of one: {listed}")
    return conflict, conflict.rivals[0]
