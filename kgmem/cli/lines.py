"""Facts, entities and passages as lines on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kgmem.cli.output import clean, one_line, place
from kgmem.recall.wording import when

if TYPE_CHECKING:
    from rich.console import Console

    from kgmem.model import Id
    from kgmem.recall.facts import FactView
    from kgmem.recall.search import Found
    from kgmem.store.protocol import EntityCard, Neighbour


def heading(console: Console, text: str, note: str = "") -> None:
    """A heading of a part of the result."""
    console.print()
    console.print(Text.assemble((text, "bold"), (f"  {note}" if note else "", "dim")))


def shown_of(shown: int, total: int) -> str:
    """``showing 20 of 134``, or nothing where all is shown."""
    return f"showing {shown} of {total}" if shown < total else ""


def entity_line(card: EntityCard) -> Text:
    """Name, type, counts and dates of an entity."""
    entity = card.entity
    kind = entity.type.value if entity.subtype in (None, "Individual") else f"{entity.type.value} ({entity.subtype})"
    notes = "1 note" if card.sources == 1 else f"{card.sources} notes"
    first, last = card.first_seen.shown, card.last_seen.shown
    since = f", {first} – {last}" if first and last and first != last else f", {first}" if first else ""
    return Text.assemble((clean(entity.name), "bold"), f"  {kind}", (f"  in {notes}{since}", "dim"))


def fact_table(facts: Iterable[FactView], about: Id | None) -> Table:
    """Facts in lines: what, when, and the note and line it rests on."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    label = ""
    for each in sorted(facts, key=lambda f: (f.fact.subject != about, f.fact.predicate)):
        own = about is not None and each.fact.subject == about
        name = each.fact.predicate.replace("_", " ").lower() if own else "elsewhere" if about is not None else ""
        text = clean(each.target) if own else one_line(each.says)
        date = when(each.fact) + disputed(each)
        table.add_row(Text("" if name == label else name, "cyan"), Text(text), Text(date), cited(each))
        label = name
    return table


def disputed(fact: FactView) -> str:
    """Who says otherwise, and what."""
    said = (f"{rival.path}:{rival.line} says {one_line(rival.quote, 60)}" for rival in fact.rivals)
    return f"; disputed: {'; '.join(dict.fromkeys(said))}" if fact.rivals else ""


def cited(fact: FactView) -> Text:
    """Where a fact was written: the first place, and how many more."""
    if not fact.evidence:
        return Text("")
    first = fact.evidence[0]
    line = place(first.root, first.path, first.line, kind=first.kind, block=first.block)
    more = len({(e.path, e.line) for e in fact.evidence}) - 1
    return Text.assemble(line, (f" +{more}" if more else "", "dim"))


def passage_lines(console: Console, passages: Sequence[Found]) -> None:
    """Passages with their place, one or two lines each."""
    for each in passages:
        where = place(each.root, each.source or "", each.line, block=each.block)
        head = (f"  {clean(each.heading.rsplit(' > ', 1)[-1])}", "dim") if each.heading else ""
        console.print(Text.assemble(where, head))
        console.print(Text(f"  {one_line(each.text, 240)}"))


def neighbour_line(neighbours: Iterable[Neighbour]) -> Text:
    """Neighbours with the notes that they share."""
    words = (f"{clean(n.entity.name)} ({n.facts + n.passages})" for n in neighbours)
    return Text(", ".join(words))
