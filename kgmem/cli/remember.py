"""`kgmem remember` and `kgmem captures`: a thought goes in, without a note for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.output import Output, clean, one_line
from kgmem.cli.session import Session, session
from kgmem.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from kgmem.capturing import Captured, Understood
    from kgmem.explain import Account
    from kgmem.model import Moment
    from kgmem.sources.captures import Said
    from kgmem.sources.document import About
    from kgmem.store.protocol import Store

Limit = Annotated[int, typer.Option(min=1, help="At most so many.")]
_TWICE = "; --again remembers it twice"
_SHOWN = 5
"""Facts, and names, that the line lists."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(remember)
    app.command()(captures)


def remember(
    context: typer.Context,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT…]", help="In your own words; - reads a pipe.", show_default=False),
    ] = None,
    *,
    on: Annotated[
        str | None, typer.Option("--on", metavar="DATE", help="When it was so; today.", show_default=False)
    ] = None,
    tags: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag; may be repeated.", show_default=False)
    ] = None,
    about: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom or what it is about.", show_default=False)
    ] = None,
    edit: Annotated[
        str | None, typer.Option(metavar="NAME", help="Change that capture instead.", show_default=False)
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Also if you said exactly this of that day.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be understood.")] = False,
    nlp: Annotated[bool, typer.Option(help="Find names with spaCy.")] = True,
    embeddings: Annotated[bool, typer.Option(help="Make vectors of what is new.")] = True,
) -> None:
    """Remember one thought: from the line, from a pipe, or from your editor if you give none.

    It may be all that a note may be: [[links]], #tags, key:: value. "I" is the owner that the configuration names.
    What is saved in the editor is remembered; nothing saved, nothing remembered.

    kgmem remember "Had lunch with Ida. She works at Château Nord now." --tag people
    """
    here = session(context)
    from kgmem.capturing import Captures

    if edit is not None:
        if given := [name for name, said in (("--on", on), ("--tag", tags), ("--about", about)) if said]:
            raise UserError(f"{given[0]} is for what is new", "change what stands in the capture itself")
        _edit(here, edit, text, dry_run=dry_run, nlp=nlp, embeddings=embeddings)
        return
    words = _words(text)
    said = _said(here, words, on, tags or (), about)
    if dry_run:
        _foretell(here, words, said, nlp=nlp)
        return
    with here.memory(nlp=nlp) as memory:
        done = Captures(memory, here.config().source_settings()).add(words, said, twice=again)
        _tell(here, memory.store, done, embeddings=embeddings)
        _ask_for_owner(here, words)


def _ask_for_owner(here: Session, words: str) -> None:
    """Say that "I" means nobody yet."""
    if here.config().owner is None and {"I", "I'm", "I’m", "I've", "I’ve", "My", "my"} & set(words.split()):
        from kgmem.recall.reply import NO_OWNER

        here.output.note(NO_OWNER)


def _edit(here: Session, name: str, text: Sequence[str] | None, *, dry_run: bool, nlp: bool, embeddings: bool) -> None:
    from kgmem.capturing import Captures

    with here.memory(nlp=nlp) as memory:
        held = Captures(memory, here.config().source_settings())
        source = held.find(name)
        words = _words(text, held.body(source))
        if dry_run:
            here.output.line(f"would change {clean(source.path)}")
            return
        _tell(here, memory.store, held.edit(source, words), embeddings=embeddings, edited=True)


# -- where the text comes from


def _words(text: Sequence[str] | None, before: str = "") -> str:
    """What is to be remembered: the words of the line, else what a pipe gives, else what is saved in an editor."""
    if text and list(text) != ["-"]:
        return " ".join(text)
    if text or not sys.stdin.isatty():
        return _piped()
    saved = typer.edit(before or "\n", extension=".md")
    if saved is None or (not saved.strip() and not before):
        raise UserError("nothing was saved, so nothing is remembered")
    return saved


def _piped() -> str:
    """All of standard input: UTF-8, or UTF-16 that says so by its first bytes."""
    from kgmem.sources.captures import LONGEST, decoded

    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        return sys.stdin.read()
    return decoded(stream.read(4 * LONGEST + 4))


def _said(here: Session, words: str, on: str | None, tags: Sequence[str], about: str | None) -> Said:
    from kgmem.cli.dates import today
    from kgmem.model import Moment
    from kgmem.sources.captures import Said, date_in

    config = here.config()
    day = today(config.now)
    moment = _moment(on, day) if on is not None else date_in(words, config.source_settings()) or Moment.day(day)
    return Said(moment, tuple(tags), None if about is None else _about(here, about))


def _about(here: Session, words: str) -> About:
    """Whom `--about` means, with what the memory knows it to be."""
    from kgmem.errors import StoreMissingError
    from kgmem.extraction.ontology import Rank
    from kgmem.recall.names import cards_of, named_exactly
    from kgmem.sources.document import About

    name = " ".join(words.strip().removeprefix("[[").removesuffix("]]").split())
    if not name or set('[]|#^"\\') & set(name):
        raise UserError(f"{words!r} is no name", "give it as a link would call it: --about Ida")
    try:
        with here.reading() as store:
            found = [card.entity for card in cards_of(store, named_exactly(store, name))]
    except StoreMissingError:
        found = []
    types = {each.type for each in found if each.type_rank < Rank.NOTE}
    return About(found[0].name if len(found) == 1 else name, types.pop() if len(types) == 1 else None)


def _moment(text: str, day: date) -> Moment:
    """One year, month or day."""
    from kgmem.cli.dates import world_period
    from kgmem.model import Moment, Precision

    period = world_period(text, day)
    start, end = (None, None) if period is None else (period.start.moment, period.end.moment)
    if start is None or start != end:
        raise UserError(f"{text!r} is not one date", "write a year, a month or a day, like 2024-03-07 or yesterday")
    return Moment.parse(str(start)[:10]) if start.precision is Precision.INSTANT else start


# -- what was understood


def _tell(here: Session, store: Store, done: Understood, *, embeddings: bool, edited: bool = False) -> None:
    from kgmem.cli.vectors import follow_up
    from kgmem.recall.facts import view

    facts = view(store, done.facts)
    output = here.output
    if embeddings and not done.repeated:
        follow_up(here, store)
    if output.as_json:
        counts = done.report.counts
        output.json(
            {
                "name": done.source.path, "id": done.source.id, "repeated": done.repeated,
                "changed": bool(counts.changed), "facts_opened": done.report.facts_opened,
                "facts_closed": done.report.facts_closed, "ended": [each.statement for each in done.ended],
                "facts": [each.as_json() for each in facts],
                "names": [{"id": each.id, "name": each.name, "type": each.type.value} for each in done.names],
                "problems": [
                    {"path": p.path, "line": p.line, "kind": p.kind, "message": p.message, "hint": p.hint}
                    for p in done.report.problems
                ],
            }
        )  # fmt: skip
        return
    if done.repeated:
        output.note(f"it says exactly that already: {done.source.path}" + ("" if edited else _TWICE))
        return
    from kgmem.recall.wording import when

    statements = [f"{each.fact.statement.rstrip(' .')} ({when(each.fact)})" for each in facts]
    gone = [each.statement.rstrip(" .") for each in done.ended]
    _line(output, done.source.path, statements, [each.name for each in done.names], gone)
    for problem in done.report.problems:
        output.note(f"line {problem.line}: {problem.message}" + (f" ({problem.hint})" if problem.hint else ""))
    output.note("`kgmem undo` takes it back")


def _line(output: Output, name: str, facts: Sequence[str], names: Sequence[str], gone: Sequence[str] = ()) -> None:
    """One line: its name, what is believed because of it, what is no more, whom it names."""
    told = [_some([one_line(each) for each in facts], "; ", "fact") or "no facts"]
    told += [f"no longer {_some([one_line(each) for each in gone], '; ', 'fact')}"] if gone else []
    told += [f"names {_some(names, ', ', 'name')}"] if names else []
    output.line((clean(name), "bold"), f": {'; '.join(clean(each) for each in told if each)}")


def _some(words: Sequence[str], between: str, what: str) -> str:
    more = len(words) - _SHOWN
    rest = [f"and {more} more {what}{'' if more == 1 else 's'}"] if more > 0 else []
    return between.join([*words[:_SHOWN], *rest])


def _foretell(here: Session, words: str, said: Said, *, nlp: bool) -> None:
    """What would be understood, read as `kgmem doctor NOTE` reads a note."""
    from datetime import UTC, datetime

    from kgmem.cli.doctor_note import memory_or_none
    from kgmem.explain import explain
    from kgmem.explain.finding import Note
    from kgmem.model import to_instant
    from kgmem.sources.arriving import CAPTURES
    from kgmem.sources.captures import KIND, captures, composed, name_of, readable

    config = here.config()
    kept = readable(words)
    name = name_of(kept, said.on)
    reader = captures(config.source_settings(), {name: composed(kept, said)})
    with memory_or_none(here) as store:
        account = explain(
            store, here.ontology(), reader, Note(CAPTURES, name, KIND, None),
            now=to_instant(config.now or datetime.now(UTC)),
            recognizer=here.recognizer() if nlp else None, labeller=here.labeller() if nlp else None,
        )  # fmt: skip
    if here.output.as_json:
        here.output.json({**account.as_json(None), "dry_run": True})
        return
    facts, names = _foretold(account)
    _line(here.output, f"would be {name}", facts, names)


def _foretold(account: Account) -> tuple[list[str], list[str]]:
    from kgmem.model import LINKS_TO

    claims = [each.claim for one in account.passages for each in one.claims if each.claim.predicate != LINKS_TO]
    mentions = [each.entity for one in account.passages if one.passage.kind != "title" for each in one.mentions]
    statements = dict.fromkeys(claim.statement.rstrip(" .") for claim in claims)
    return list(statements), list(dict.fromkeys(each.name for each in mentions))


# -- the list


def captures(
    context: typer.Context,
    words: Annotated[str, typer.Argument(help="Only those that hold these.", show_default=False)] = "",
    *,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was said since.", show_default=False)
    ] = None,
    limit: Limit = 20,
) -> None:
    """List what you told the memory with `kgmem remember`, the last first.

    A name that stands here is what `remember --edit`, `forget` and `doctor` take.

    kgmem captures --since "last week"
    """
    here = session(context)
    from kgmem.capturing import listed

    first = _first_instant(here, since)
    with here.reading() as store:
        found = [each for each in listed(store) if each.episode.recorded_at >= first]
    wanted = words.casefold().split()
    found = [each for each in found if all(w in f"{each.source.path}\n{each.episode.body}".casefold() for w in wanted)]
    shown = found[:limit]
    if here.output.as_json:
        here.output.json({"total": len(found), "captures": [_as_json(each) for each in shown]})
        return
    here.output.table(_rows(shown))
    if not found:
        here.output.line("Nothing was captured." if not (words or since) else "No such capture.")
    if len(shown) < len(found):
        here.output.note(f"showing {len(shown)} of {len(found)}; --limit shows more")


def _first_instant(here: Session, since: str | None) -> int:
    """The recorded instant at which the day begins that `--since` names."""
    from datetime import UTC, datetime, time, timedelta

    from kgmem.cli.dates import today, world_period
    from kgmem.model import to_instant

    period = world_period(since, today(here.config().now))
    start = None if period is None else period.start.moment
    if start is None:
        if since is not None:
            raise UserError(f"{since!r} has no beginning", "write it like 2024-03-07, or last week")
        return 0
    day = datetime(1, 1, 1, tzinfo=UTC) + timedelta(seconds=start.first - 86_400)
    return to_instant(datetime.combine(day.date(), time.min).astimezone())


def _rows(shown: Sequence[Captured]) -> Iterator[Sequence[Sequence[Any]]]:
    from kgmem.model import show_instant

    for each in shown:
        said = show_instant(each.episode.recorded_at)[:16].replace("T", " ")
        yield ((clean(each.source.path), "bold"),), ((said, "dim"),), (_first_words(each),)


def _first_words(each: Captured) -> str:
    from kgmem.sources.captures import text_of

    return one_line(text_of(each.episode.body), 60)


def _as_json(each: Captured) -> dict[str, Any]:
    from kgmem.model import show_instant

    return {
        "name": each.source.path,
        "id": each.source.id,
        "date": each.episode.occurred.shown,
        "recorded_at": show_instant(each.episode.recorded_at),
        "text": each.episode.body,
    }
