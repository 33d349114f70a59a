"""Two entities side by side, and the queue in which a person says whether they are one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kgmem.cli.output import clean, note_uri, one_line, place
from kgmem.cli.queue import Done
from kgmem.recall.pairs import Pair, Side, compared, pairs, side

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table
    from rich.text import Text

    from kgmem.ingestion.resolving import Review
    from kgmem.recall.facts import FactView
    from kgmem.recall.pairs import Quote
    from kgmem.store.protocol import EntityCard, Store

AGAINST: Final = "against: "
"""How a reason begins that speaks against."""
_LABEL: Final = 13
"""Columns of the names of the rows."""
_ROWS: Final = 8
"""Predicates that are shown."""
_VALUES: Final = 3
"""Facts of one predicate that are shown."""
_QUOTES: Final = 2
_ALIASES: Final = 6
_QUOTED: Final = 140
"""Characters of a sentence."""


class MergeDesk:
    """Decides on pairs."""

    help: Sequence[tuple[str, str]] = (
        ("a", "accept: they are one. `kgmem unmerge` takes it back at any time, with nothing lost"),
        ("r", "reject: they are two, and are never offered again"),
    )

    def __init__(self, store: Store, review: Review) -> None:
        self._store = store
        self._review = review
        self._shown: tuple[Side, ...] = ()

    def look(self, item: Pair) -> RenderableType | None:
        """Both entities side by side; None if what was decided meanwhile has settled it."""
        now = pairs(self._store, (item.proposal,))
        if not now:
            return None
        a, b = (side(self._store, card, quotes=_QUOTES) for card in (now[0].a, now[0].b))
        self._shown = (a, b)
        return pair_view(now[0], a, b)

    def choices(self, _item: Pair) -> Mapping[str, str]:
        """The decisions that can be taken."""
        return {"a": "accept", "r": "reject"}

    def decide(self, item: Pair, key: str) -> Done:
        """Take a decision, and save it."""
        if key == "a":
            from kgmem.cli.same import merged_words

            merged = self._review.accept(item.proposal.id)
            says = "\n".join((f"{merged_words(merged)}  (kgmem unmerge {merged.decision.id})", *merged.warnings))
            return Done(says, "accepted", merged)
        decision = self._review.reject(item.proposal.id)
        return Done(f"{names(item)} are two  (kgmem review merges --undo {decision.id})", "rejected", decision)

    def undo(self, item: Pair, done: Done) -> None:
        """Take a decision back: the pair waits again."""
        from kgmem.ingestion.identity import Merged
        from kgmem.model import Decision

        assert isinstance(done.token, Merged | Decision)  # noqa: S101 - for the type checker
        self._review.take_back(item.proposal, done.token)

    def links(self, _item: Pair) -> Iterable[tuple[str, str]]:
        """The notes about the two, then those that are quoted."""
        for one in self._shown:
            for note in one.notes:
                yield clean(note.path), note_uri(note.root, note.path, kind=note.kind)
        for quote in (quote for one in self._shown for quote in one.quotes):
            yield clean(f"{quote.path}:{quote.line}"), note_uri(
                quote.root, quote.path, kind=quote.kind, block=quote.block
            )  # fmt: skip

    def left(self) -> str:
        """How many pairs wait now."""
        number = len(pairs(self._store, self._review.pending()))
        return "no pair is left" if not number else "1 pair is left" if number == 1 else f"{number} pairs are left"


def names(pair: Pair) -> str:
    """``Robert Keane and Bob Keane``."""
    return f"{clean(pair.a.entity.name)} and {clean(pair.b.entity.name)}"


def described(card: EntityCard) -> str:
    """``Robert Keane (Person, 8 mentions)``."""
    mentions = "1 mention" if card.mentions == 1 else f"{card.mentions} mentions"
    return f"{clean(card.entity.name)} ({card.entity.type}, {mentions})"


def pair_view(pair: Pair, a: Side, b: Side) -> RenderableType:
    """Both entities side by side, and below what speaks for one and what against."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(width=_LABEL, style="cyan", overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_row("", Text(clean(a.name), "bold"), Text(clean(b.name), "bold"))
    for label, of in (("type", _type), ("also called", _aliases), ("mentioned", _mentioned), ("notes", _notes)):
        table.add_row(label, of(a), of(b))
    _add_facts(table, a, b)
    table.add_row("in your notes", _quotes(a.quotes), _quotes(b.quotes))
    return Group(table, Text(), *_reasons(pair))


def _type(one: Side) -> Text:
    from rich.text import Text

    entity = one.card.entity
    return Text(entity.type.value if entity.subtype is None else f"{entity.type.value} / {clean(entity.subtype)}")


def _aliases(one: Side) -> Text:
    from rich.text import Text

    others = list(dict.fromkeys(clean(alias.name) for alias in one.card.aliases if alias.name != one.name))
    more = f" and {len(others) - _ALIASES} more" if len(others) > _ALIASES else ""
    return Text(", ".join(others[:_ALIASES]) + more or "–")


def _mentioned(one: Side) -> Text:
    from rich.text import Text

    card = one.card
    times = "once" if card.mentions == 1 else f"{card.mentions} times"
    notes = "1 note" if card.sources == 1 else f"{card.sources} notes"
    dates = " – ".join(dict.fromkeys(each for each in (card.first_seen.shown, card.last_seen.shown) if each))
    return Text(f"{times} in {notes}" + (f", {dates}" if dates else ""))


def _notes(one: Side) -> Text:
    from rich.text import Text

    if not one.notes:
        return Text("none of its own", "dim")
    return Text("\n").join(Text(*place(note.root, note.path, None, kind=note.kind)) for note in one.notes)


def _add_facts(table: Table, a: Side, b: Side) -> None:
    rows = [row for row in compared(a, b) if row[1] or row[2]]
    for name, ours, theirs in rows[:_ROWS]:
        table.add_row(name or "said by others", *(_facts(some, own=bool(name)) for some in (ours, theirs)))
    if len(rows) > _ROWS:
        table.add_row("", f"and {len(rows) - _ROWS} more kinds of facts: kgmem show", "")


def _facts(facts: Sequence[FactView], *, own: bool) -> RenderableType:
    """What is believed, when, and where it is written."""
    from rich.console import Group
    from rich.text import Text

    from kgmem.cli.lines import cited
    from kgmem.recall.wording import NO_DATE, when

    lines: list[RenderableType] = []
    for each in facts[:_VALUES]:
        date = when(each.fact)
        says = one_line(each.target if own else each.says) + ("" if date == NO_DATE else f", {date}")
        lines.append(_Placed(Text(says), Text.assemble(*cited((each,)))))
    if len(facts) > _VALUES:
        lines.append(Text(f"and {len(facts) - _VALUES} more", "dim"))
    return Group(*lines) if lines else Text("–", "dim")


def _quotes(quotes: Sequence[Quote]) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    lines = (
        _Placed(
            Text(f"“{one_line(each.text, _QUOTED)}”"),
            Text(*place(each.root, each.path, each.line, kind=each.kind, block=each.block)),
        )
        for each in quotes
    )
    return Group(*lines) if quotes else Text("–", "dim")


@dataclass(frozen=True, slots=True)
class _Placed:
    """Words with where they stand: beside them if there is room, else below."""

    words: Text
    where: Text

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        """The lines of it."""
        fits = self.words.cell_len + 2 + self.where.cell_len <= options.max_width
        gap = "  " if fits else "\n" if self.where else ""
        yield self.words.copy().append(gap).append_text(self.where)


def _reasons(pair: Pair) -> Iterator[RenderableType]:
    """The score, then what speaks for one and what against."""
    from rich.text import Text

    yield Text.assemble((f"score {pair.proposal.score:.2f}", "bold"))
    for reason in pair.proposal.reasons:
        against = reason.startswith(AGAINST)
        yield Text.assemble(("  − " if against else "  + ", "bold"), clean(reason.removeprefix(AGAINST)))
