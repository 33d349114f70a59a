"""`kgmem show`, `kgmem entities` and `kgmem facts`: what is held, by name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kgmem.cli.ask import AsOf, KnownAt, Limit, Times, cards_then, say_times, times
from kgmem.cli.session import Session, session
from kgmem.errors import UserError

if TYPE_CHECKING:
    from kgmem.model import EntityType, Id
    from kgmem.recall.facts import FactView
    from kgmem.store.protocol import EntityCard, Placed, Store

_SOURCES = 10


class Sort(StrEnum):
    """How entities are ordered."""

    MENTIONS = "mentions"
    SOURCES = "sources"
    NAME = "name"
    FIRST_SEEN = "first_seen"
    LAST_SEEN = "last_seen"


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(show)
    app.command()(entities)
    app.command()(facts)


def show(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A name, an alias or an id.")],
    *,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """Show one entity: type, aliases, facts with dates, neighbours, and where it is mentioned.

    With --as-of nothing that was written after it is counted; with --known-at notes are as they were then.

    kgmem show Mira
    """
    from kgmem.recall.facts import current_facts

    here = session(context)
    at = times(here, as_of, known_at)
    with here.reading() as store:
        cards = cards_then(store, name, at)
        found = current_facts(store, cards[0].entity.id, valid=at.valid, known=at.known)
        if here.output.as_json:
            here.output.json({"as_of": as_of, "known_at": known_at, **_entity_json(store, cards, found, at)})
        else:
            _show_entity(here, store, cards, found, at)


def _entity_json(store: Store, cards: tuple[EntityCard, ...], found: tuple[FactView, ...], at: Times) -> dict[str, Any]:
    from kgmem.recall.answer import card_json, neighbour_json
    from kgmem.recall.identity import neighbours
    from kgmem.resolution.directory import is_given_name_alone

    entity = cards[0].entity.id
    total, near = neighbours(store, entity, 50, valid=at.valid, known=at.known)
    return {
        **card_json(cards[0]),
        "facts": [fact.as_json() for fact in found],
        "neighbours": [neighbour_json(each) for each in near],
        "neighbours_total": total,
        "mentioned_in": [
            {"source": first.path, "line": first.passage.first_line, "mentions": times}
            for first, times in _mentioned(store, entity, at)
        ],
        "same_name": [card_json(card) for card in cards[1:]],
        "given_name_alone": is_given_name_alone(cards[0].entity),
    }


def _mentioned(store: Store, entity: Id, at: Times) -> list[tuple[Placed, int]]:
    """(first place, mentions) in each note that mentions an entity, most mentions first."""
    from kgmem.model import CORRECTION

    _, mentions = store.mentions_of(entity, 1000, valid=at.valid, known=at.known)
    placed = store.placed({mention.passage for mention in mentions}, known=at.known)
    places: dict[tuple[str, str], list[Placed]] = {}
    for place in (placed[mention.passage] for mention in mentions if mention.passage in placed):
        if place.kind != CORRECTION:
            places.setdefault((place.root, place.path), []).append(place)
    first = [(min(each, key=lambda place: place.passage.first_line), len(each)) for each in places.values()]
    return sorted(first, key=lambda each: (-each[1], each[0].path, each[0].root))


def _show_entity(
    here: Session, store: Store, cards: tuple[EntityCard, ...], found: tuple[FactView, ...], at: Times
) -> None:
    from kgmem.cli import lines
    from kgmem.cli.output import clean, place
    from kgmem.recall.answer import card_json
    from kgmem.recall.identity import neighbours
    from kgmem.resolution.directory import is_given_name_alone

    output, card = here.output, cards[0]
    say_times(here, at)
    output.line(*lines.entity_line(card))
    if aliases := card_json(card)["aliases"]:
        output.line(("also called ", "dim"), clean(", ".join(aliases)))
    for title, some in zip(("Facts", "Other times"), at.split(found), strict=True):
        if some:
            lines.heading(output, title)
            output.table(lines.fact_rows(some, card.entity.id))
    total, near = neighbours(store, card.entity.id, 20, valid=at.valid, known=at.known)
    if near:
        lines.heading(output, "Neighbours", lines.shown_of(len(near), total))
        output.line(lines.neighbour_line(near))
    places = _mentioned(store, card.entity.id, at)
    if places:
        lines.heading(output, "Mentioned in", lines.shown_of(min(len(places), _SOURCES), len(places)))
    for first, count in places[:_SOURCES]:
        where = place(first.root, first.path, first.passage.first_line, kind=first.kind)
        output.line("  ", where, (f"  {count} times" if count > 1 else "", "dim"))
    if card.sources > 1 and is_given_name_alone(card.entity):
        output.note("a given name alone, which in every note may mean another person: kgmem review conflicts")
    for other in cards[1:]:
        output.note(f"another {clean(other.entity.name)}: kgmem show {other.entity.id} ({other.entity.type})")


def entities(
    context: typer.Context,
    *,
    kind: Annotated[str | None, typer.Option("--type", metavar="T", help="Only these.", show_default=False)] = None,
    sort: Annotated[Sort, typer.Option(help="In this order.")] = Sort.MENTIONS,
    limit: Limit = 50,
) -> None:
    """List what your notes are about, the most mentioned first.

    kgmem entities --type Person --limit 10
    """
    from kgmem.recall.answer import card_json
    from kgmem.recall.names import list_cards
    from kgmem.store.protocol import EntityQuery

    here = session(context)
    with here.reading() as store:
        total, cards = list_cards(store, EntityQuery(type=_type(kind), sort=sort.value, limit=limit))
    if here.output.as_json:
        here.output.json({"total": total, "entities": [card_json(card) for card in cards]})
        return
    from rich.table import Table
    from rich.text import Text

    from kgmem.cli.lines import shown_of
    from kgmem.cli.output import clean

    table = Table(box=None, pad_edge=False, header_style="dim")
    for column, side in (
        ("mentions", "right"),
        ("notes", "right"),
        ("name", "left"),
        ("type", "left"),
        ("seen", "left"),
    ):
        table.add_column(column, justify="right" if side == "right" else "left", overflow="fold")
    for card in cards:
        seen = " – ".join(dict.fromkeys(d for d in (card.first_seen.shown, card.last_seen.shown) if d))
        kind_shown = (
            f"{card.entity.type.value} / {card.entity.subtype}" if card.entity.subtype else card.entity.type.value
        )
        table.add_row(str(card.mentions), str(card.sources), Text(clean(card.entity.name)), kind_shown, seen)
    here.output.console().print(table)
    if note := shown_of(len(cards), total):
        here.output.note(f"{note}; --limit shows more")


def _type(text: str | None) -> EntityType | None:
    from kgmem.model import EntityType

    if text is None:
        return None
    for kind in EntityType:
        if kind.value.casefold() == text.casefold():
            return kind
    raise UserError(f"there is no type {text!r}", f"types are {', '.join(kind.value for kind in EntityType)}")


def facts(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Of this entity; of all without it.", show_default=False)] = None,
    *,
    predicate: Annotated[str | None, typer.Option(metavar="P", help="Only these.", show_default=False)] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    every: Annotated[bool, typer.Option("--all", help="Every version ever believed.")] = False,
    limit: Limit = 100,
) -> None:
    """List facts with dates and evidence.

    kgmem facts Mira --as-of 2019
    """
    from kgmem.recall.facts import find_facts
    from kgmem.recall.history import find_ever
    from kgmem.recall.identity import formerly
    from kgmem.recall.names import find_entity
    from kgmem.store.protocol import FactQuery

    here = session(context)
    at = times(here, as_of, known_at)
    with here.reading() as store:
        find = find_ever if every or at.known is not None else find_entity
        about = tuple(card.entity.id for card in find(store, name)) if name else None
        if about and find is find_ever:
            about = (*about, *(each for entity in about for each in formerly(store, entity)))
        query = FactQuery(
            about=about,
            predicate=predicate and predicate.strip().upper().replace(" ", "_"),
            valid=at.valid,
            known=at.known,
            versions=every,
            limit=limit,
        )
        total, found = find_facts(store, query)
        group = store.group
    if here.output.as_json:
        shown = {"group": group, "as_of": as_of, "known_at": known_at, "total": total}
        here.output.json({**shown, "facts": [fact.as_json() for fact in found]})
        return
    from kgmem.cli import lines

    say_times(here, at)
    if not found:
        here.output.line("Not in your notes.")
        return
    here.output.table(lines.fact_rows(found, None))
    if note := lines.shown_of(len(found), total):
        here.output.note(f"{note}; --limit shows more")
