"""`kgmem ask` and `kgmem search`: answers and hits come out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from kgmem.cli.session import Session, session
from kgmem.errors import UserError

if TYPE_CHECKING:
    from kgmem.model import Instant, Period
    from kgmem.recall.answer import Answer
    from kgmem.recall.conversation import Asking
    from kgmem.recall.facts import FactView
    from kgmem.recall.search import Found
    from kgmem.store.protocol import EntityCard, Scope, Store

AsOf = Annotated[str | None, typer.Option(metavar="DATE", help="What was true then.", show_default=False)]
KnownAt = Annotated[str | None, typer.Option(metavar="DATE", help="What was believed then.", show_default=False)]
_ONE = {"facts": "fact", "entities": "entity", "episodes": "passage", "communities": "community"}
_LONGEST_NAME = 100
SHORT = 8
"""Digits of an id that a person is shown."""
Limit = Annotated[int, typer.Option(min=1, help="At most so many.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(ask)
    app.command()(search)


@dataclass(frozen=True, slots=True)
class Times:
    """When a command asks about, on both axes."""

    now: int
    as_of: Period | None
    known: Instant | None

    @property
    def valid(self) -> tuple[int, int] | None:
        """The world seconds asked about, if any are."""
        from kgmem.recall.facts import world_range

        return world_range(self.as_of) if self.as_of else None

    def split(self, facts: Iterable[FactView]) -> tuple[list[FactView], list[FactView]]:
        """(what holds then, what does not any more or not yet)."""
        from kgmem.recall.times import current_second

        now = current_second(self.now, self.known)
        at = self.valid or (now, now + 1)
        holding: list[FactView] = []
        past: list[FactView] = []
        for fact in facts:
            (holding if fact.holds_in(at) else past).append(fact)
        return holding, past


def times(here: Session, as_of: str | None, known_at: str | None) -> Times:
    """The two dates that a command may be asked for."""
    from kgmem.cli.dates import recorded_instant, today, world_now, world_period

    clock = here.config().now
    return Times(world_now(clock), world_period(as_of, today(clock)), recorded_instant(known_at, today(clock)))


def cards_then(store: Store, name: str, at: Times) -> tuple[EntityCard, ...]:
    """The entities of a name, best first, as notes told of them at a time; also former ones, if it is about the past.

    Raises:
        NotFoundError: nothing has that name.
    """
    from kgmem.recall.history import find_ever
    from kgmem.recall.names import cards_of, find_entity

    cards = find_entity(store, name) if at.known is None else find_ever(store, name)
    if at.as_of is None and at.known is None:
        return cards
    then = cards_of(store, [card.entity.id for card in cards], valid=at.valid, known=at.known)
    return tuple(sorted(then, key=lambda card: not card.mentions))


def say_times(here: Session, at: Times) -> None:
    """The first line of what is told of another time than now: ``As of 2012 (the whole year):``."""
    if at.as_of is None and at.known is None:
        return
    from kgmem.recall.times import moment_of
    from kgmem.recall.wording import asked_words

    here.output.line(f"{asked_words(at.as_of, None if at.known is None else moment_of(at.known))}:")


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="In your own words.")],
    *,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 5,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Where it is kept; one a day without.", show_default=False)
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="Keep neither question nor answer.")] = False,
    no_llm: Annotated[bool, typer.Option("--no-llm", help="Let no model word the answer.")] = False,
) -> None:
    """Answer a question from your notes, with dates, and the note and line of everything.

    A date in the question counts like --as-of; in "what did I know about" like --known-at.

    kgmem ask "where did Mira live in 2019"
    """
    from kgmem.cli.output import one_line
    from kgmem.cli.phrased import wording_of
    from kgmem.recall.conversation import ask_in, asked_line

    here = session(context)
    if not question.strip():
        raise UserError("the question is empty", 'ask in words: kgmem ask "what do I know about …"')
    at = times(here, as_of, known_at)
    asking = None if private else asking_of(here, conversation)
    wording = None if no_llm else wording_of(here, lambda found: _show(here, found, at))
    owner = here.config().owner
    with here.reading() as store:
        answer = ask_in(
            store, question, asking,
            now=at.now, limit=limit, as_of=at.as_of, known=at.known, owner=owner,
            ontology=here.ontology, embedder=here.embedder_of(store), reranker=here.reranker(), word=wording,
        )  # fmt: skip
        answer = replace(answer, notes=(*answer.notes, *unfilled(here, store, answer)))
    answer = replace(answer, as_of=as_of or answer.as_of, known_at=known_at or answer.known_at)
    if here.output.as_json:
        here.output.json(answer.as_json() | (wording.as_json() if wording else {}))
    else:
        worded = wording is not None and wording.show()
        if not (wording and wording.early):
            _show(here, answer, at, text=not worded)
        if answer.asked_before:
            here.output.note(one_line(asked_line(answer.asked_before, question), 240))
        for note in answer.notes:
            here.output.note(note)
    if private and here.config().remember:
        here.output.note("not kept: `kgmem why` and `kgmem feedback` without an id mean the answer before this one")


def unfilled(here: Session, store: Store, answer: Answer) -> tuple[str, ...]:
    """That an answer may be missing since the memory is empty, or since another process still reads notes into it."""
    from kgmem.config import DEFAULT_GROUP
    from kgmem.store import ingesting

    if answer.told:
        return ()
    empty = not (answer.entities or answer.passages or answer.facts) and store.stats().last_recorded is None
    process = ingesting(here.config().store)
    if process:
        return (f"{process} is reading notes in: {'none is' if empty else 'not all are'} here yet; ask again later",)
    where = "this memory" if store.group == DEFAULT_GROUP else f"the group {store.group!r}"
    return (f"{where} holds no notes yet: kgmem ingest PATH",) if empty else ()


def asking_of(here: Session, conversation: str | None) -> Asking | None:
    """The conversation that a question is kept in: the named one, or that of the day; None if none is to be kept.

    Raises:
        UserError: the name is empty, or longer than a line.
    """
    from datetime import UTC, datetime

    from kgmem.cli.dates import today
    from kgmem.model import to_instant
    from kgmem.recall.conversation import Asking

    config = here.config()
    name = today(config.now).isoformat() if conversation is None else " ".join(conversation.split())
    if not 0 < len(name) <= _LONGEST_NAME:
        raise UserError(f"a conversation has a name of 1 to {_LONGEST_NAME} letters", "kgmem conversations")
    return Asking(name, to_instant(config.now or datetime.now(UTC))) if config.remember else None


def _show(here: Session, answer: Answer, at: Times, *, text: bool = True) -> None:
    """Show what was found; with its text, unless a model's stands above."""
    from kgmem.cli import lines
    from kgmem.cli.output import clean
    from kgmem.recall.reply import NOT_HERE

    output = here.output
    if text and answer.text:
        output.line((clean(answer.text), "bold"))
    at = replace(at, as_of=answer.period)
    for card in answer.entities[:3]:
        output.line(*lines.entity_line(card))
    focus = answer.entities[0].entity.id if answer.entities else None
    for title, facts in zip(("Facts", "Other times"), at.split(answer.facts), strict=True):
        if facts:
            lines.heading(output, title, lines.shown_of(len(answer.facts), answer.facts_total))
            output.table(lines.fact_rows(facts, focus))
    if answer.passages:
        lines.heading(output, "Nearest in your notes" if answer.text.endswith(NOT_HERE) else "From your notes")
        lines.passage_lines(output, answer.passages)
    if answer.neighbours:
        note = lines.shown_of(len(answer.neighbours), answer.neighbours_total)
        lines.heading(output, "Neighbours", note)
        output.line(lines.neighbour_line(answer.neighbours))
    if output.verbose and answer.id:
        output.line((f"kgmem why {answer.id[:SHORT]}", "dim"))


def search(
    context: typer.Context,
    terms: Annotated[str, typer.Argument(help="Words to look for.")],
    *,
    scopes: Annotated[
        str, typer.Option("--in", metavar="SCOPES", help="facts, entities, episodes; separated by commas.")
    ] = "facts,entities,episodes",
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 20,
) -> None:
    """Find facts, entities and passages by their words, best first.

    With --as-of what your notes said up to then; with --known-at what they said as they were then.

    kgmem search "wine cellar" --in episodes
    """
    from kgmem.recall.search import search as find

    here = session(context)
    wanted = _scopes(scopes)
    at = times(here, as_of, known_at) if as_of or known_at else None  # nothing is imported for a question of now
    with here.reading() as store:
        hits = find(store, terms, wanted, limit, valid=at.valid if at else None, known=at.known if at else None)
    if "communities" in wanted:
        here.output.note("no communities are made yet: there is none to be found")
    if here.output.as_json:
        here.output.json({"as_of": as_of, "known_at": known_at, "hits": [hit.as_json() for hit in hits]})
    else:
        if at:
            say_times(here, at)
        _show_hits(here, hits)


def _scopes(text: str) -> list[Scope]:
    from kgmem.store.protocol import Scope

    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    known = [scope.value for scope in Scope]
    for name in names:
        if name not in known:
            raise UserError(f"there is no scope {name!r}", f"scopes are {', '.join(known)}")
    return [Scope(name) for name in dict.fromkeys(names)] or [Scope.EPISODES]


def _show_hits(here: Session, hits: tuple[Found, ...]) -> None:
    from kgmem.cli.lines import also
    from kgmem.cli.output import one_line, place

    if not hits:
        here.output.line("Not in your notes.")
    for hit in hits:
        where = place(hit.root, hit.source, hit.line, kind=hit.kind, block=hit.block) if hit.source else ""
        here.output.line((f"{_ONE[hit.scope]:8}", "cyan"), " ", one_line(hit.text), "  ", where, also(hit))
