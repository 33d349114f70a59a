"""Names that leave open whom they mean in a note, and the queue in which a person says who it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from kgmem.cli.lines import heading
from kgmem.cli.merges import described
from kgmem.cli.output import clean, note_uri, one_line, place
from kgmem.cli.queue import Done
from kgmem.errors import UserError
from kgmem.recall.names import cards_of
from kgmem.recall.pairs import Quote, named_json, quotes_in

if TYPE_CHECKING:
    from rich.console import RenderableType

    from kgmem.cli.output import Output
    from kgmem.ingestion.settling import OpenName, Settling
    from kgmem.model import Id
    from kgmem.resolution.settle import Meaning
    from kgmem.store.protocol import EntityCard, Store

_QUOTED: Final = 140
_QUOTES: Final = 3
"""Sentences of one note that are shown."""
_OPTIONS: Final = 9
"""Whom a name may mean, at most: each has a key."""


class NameDesk:
    """Says whom names mean, one note at a time."""

    help: Sequence[tuple[str, str]] = (
        ("1", "the number before somebody: that is who is meant in this note"),
        ("n", "none of them: it is somebody else"),
    )

    def __init__(self, store: Store, settling: Settling) -> None:
        self._store = store
        self._settling = settling

    def look(self, item: OpenName) -> RenderableType | None:
        """The sentences that use the name, and whom it may mean; None if the note is gone, or somebody said it."""
        from rich.console import Group
        from rich.text import Text

        if self._store.source(item.loose.source) is None or _is_said(self._settling, item):
            return None
        lines = [Text.assemble("who is ", (clean(item.loose.name), "bold"), " here?")]
        for quote in self._quotes(item):
            where = place(quote.root, quote.path, quote.line, kind=quote.kind, block=quote.block)
            lines.append(Text.assemble(f"  “{one_line(quote.text, _QUOTED)}”  ", where))
        for key, (meaning, card) in self._options(item).items():
            lines.append(Text.assemble("  ", (key, "bold"), f"  {described(card)}  ", (_likely(meaning), "dim")))
            lines += [Text(f"       {clean(reason.text)}") for reason in meaning.reasons]
        return Group(*lines)

    def choices(self, item: OpenName) -> Mapping[str, str]:
        """A key for each of those whom it may mean, and one for none of them."""
        options = {key: one_line(card.entity.name, 20) for key, (_, card) in self._options(item).items()}
        return {**options, "n": "none of them"}

    def decide(self, item: OpenName, key: str) -> Done:
        """Record whom the name means in this note."""
        meant = None if key == "n" else self._options(item)[key][0].entity
        return Done(meant_words(self._store, item, meant), "decided", self._settling.mean(item, meant).id)

    def undo(self, item: OpenName, done: Done) -> None:  # noqa: ARG002 - the token says it all
        """Nobody said it."""
        self._settling.take_back(str(done.token))

    def links(self, item: OpenName) -> Iterable[tuple[str, str]]:
        """The note, and the notes about those whom it may mean."""
        for quote in self._quotes(item):
            uri = note_uri(quote.root, quote.path, kind=quote.kind, block=quote.block)
            yield clean(f"{quote.path}:{quote.line}"), uri
        for meaning in item.meanings[:_OPTIONS]:
            for source in self._store.sources_about(meaning.entity):
                yield clean(source.path), note_uri(source.root, source.path, kind=source.kind)

    def left(self) -> str:
        """How many wait now."""
        number = len(self._settling.open())
        return "no name is left" if not number else "1 name is left" if number == 1 else f"{number} names are left"

    def _quotes(self, item: OpenName) -> tuple[Quote, ...]:
        return quotes_in(self._store, item.loose.source, item.loose.name)[:_QUOTES]

    def _options(self, item: OpenName) -> dict[str, tuple[Meaning, EntityCard]]:
        return {str(number): each for number, each in enumerate(_options(self._store, item), 1)}


def _options(store: Store, item: OpenName) -> list[tuple[Meaning, EntityCard]]:
    """Whom a name may mean, with what is known of them."""
    some = item.meanings[:_OPTIONS]
    cards = {card.entity.id: card for card in cards_of(store, [each.entity for each in some])}
    return [(each, cards[each.entity]) for each in some if each.entity in cards]


def _is_said(settling: Settling, item: OpenName) -> bool:
    return any(
        each.source == item.loose.source and item.loose.name in each.names and (each.entity or not each.others)
        for each in settling.held()
    )


def _likely(meaning: Meaning) -> str:
    return f"{meaning.probability:.2f}"


def meant_words(store: Store, item: OpenName, meant: Id | None, verb: str = "is") -> str:
    """What was said, in a sentence."""
    source = store.source(item.loose.source)
    where = f" in {clean(source.path)}" if source else ""
    who = store.entities([meant])[meant].name if meant else "somebody else"
    return f"{clean(item.loose.name)}{where} {verb} {clean(who)}"


# -- lists and scripts


def list_names(output: Output, store: Store, names: Sequence[OpenName]) -> None:
    """The names that wait, each with the sentence and those whom it may mean."""
    if not names:
        return
    heading(output, "Names that leave open who is meant")
    output.table(row for each in names for row in _rows(store, each))
    output.note("--accept ID says who is meant, --reject ID who is not; on a terminal, one key each")


def _rows(store: Store, item: OpenName) -> Iterator[tuple[Any, ...]]:
    quotes = quotes_in(store, item.loose.source, item.loose.name)
    where = (
        place(quotes[0].root, quotes[0].path, quotes[0].line, kind=quotes[0].kind, block=quotes[0].block)
        if quotes
        else ("", "")
    )
    says = f"{clean(item.loose.name)}: “{one_line(quotes[0].text, _QUOTED)}”" if quotes else clean(item.loose.name)
    yield ((item.id, "dim"),), (says,), (), (where,)
    for meaning, card in _options(store, item):
        yield ((item.option(meaning), "dim"),), (f"  {described(card)}",), (_likely(meaning),), ()


def names_json(store: Store, names: Sequence[OpenName]) -> list[dict[str, Any]]:
    """Names that wait, in the form that scripts rely on."""
    return [_name_json(store, each) for each in names]


def _name_json(store: Store, item: OpenName) -> dict[str, Any]:
    source = store.source(item.loose.source)
    quotes = quotes_in(store, item.loose.source, item.loose.name)
    return {
        "id": item.id,
        "name": item.loose.name,
        "source": source.path if source else None,
        "quotes": [{"line": quote.line, "text": quote.text} for quote in quotes],
        "options": [
            {
                "id": item.option(meaning),
                "entity": named_json(card),
                "probability": round(meaning.probability, 4),
                "reasons": [reason.text for reason in meaning.reasons],
            }
            for meaning, card in _options(store, item)
        ],
    }


def is_name(names: Iterable[OpenName], wanted: str) -> bool:
    """Whether an id is that of a name that waits, or of somebody whom it may mean."""
    return any(wanted == name.id or _meaning(name, wanted) for name in names)


def _meaning(name: OpenName, wanted: str) -> Meaning | None:
    return next((each for each in name.meanings if name.option(each) == wanted), None)


def say_name(
    output: Output, store: Store, settling: Settling, names: Iterable[OpenName], wanted: str, *, accept: bool
) -> list[Id]:
    """Say that the one of an id is meant or not, or with the id of a name that none of them is.

    Gives the id of the decision.

    Raises:
        UserError: the id is that of a name, and one of those whom it may mean is to be accepted.
    """
    name = next(each for each in names if wanted == each.id or _meaning(each, wanted))
    meaning = _meaning(name, wanted)
    if accept and meaning is None:
        raise UserError(f"{name.loose.name} may mean several", "give the id of the one who is meant")
    if meaning is None or accept:
        said = settling.mean(name, meaning.entity if meaning else None)
        words = meant_words(store, name, said.entity)
    else:
        said = settling.rule_out(name, meaning.entity)
        words = meant_words(store, name, meaning.entity, "is not")
    if not output.as_json:
        output.line(words)
        output.note(f"kgmem review conflicts --undo {said.id} takes this back")
    return [said.id]
