"""Facts, entities and passages as lines on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kgmem.cli.output import Output, Part, clean, one_line, place
from kgmem.recall.wording import place_words, when

if TYPE_CHECKING:
    from kgmem.model import Id
    from kgmem.recall.facts import FactView
    from kgmem.recall.search import Found
    from kgmem.store.protocol import EntityCard, Neighbour


def heading(output: Output, text: str, note: str = "") -> None:
    """A heading of a part of the result."""
    output.line()
    output.line((text, "bold"), (f"  {note}" if note else "", "dim"))


def shown_of(shown: int, total: int) -> str:
    """``showing 20 of 134``, or nothing where all is shown."""
    return f"showing {shown} of {total}" if shown < total else ""


def entity_line(card: EntityCard) -> tuple[Part, ...]:
    """Name, type, counts and dates of an entity."""
    entity = card.entity
    kind = entity.type.value if entity.subtype in (None, "Individual") else f"{entity.type.value} ({entity.subtype})"
    notes = "1 note" if card.sources == 1 else f"{card.sources} notes"
    first, last = card.first_seen.shown, card.last_seen.shown
    since = f", {first} – {last}" if first and last and first != last else f", {first}" if first else ""
    return (clean(entity.name), "bold"), f"  {kind}", (f"  in {notes}{since}", "dim")


def fact_rows(facts: Iterable[FactView], about: Id | None) -> Iterator[tuple[tuple[Part, ...], ...]]:
    """Facts as rows of a table: what, when, and the note and line it rests on; what reads the same is one row."""
    rows: dict[tuple[str, ...], tuple[str, tuple[Part, ...], tuple[Part, ...], list[FactView]]] = {}
    for each in sorted(facts, key=lambda f: (f.fact.subject != about, f.fact.predicate)):
        own = about is not None and each.fact.subject == about
        name = each.fact.predicate.replace("_", " ").lower() if own else "elsewhere" if about is not None else ""
        text = clean(each.target) if own else one_line(each.says)
        date = when(each.fact) + disputed(each)
        key = (each.fact.subject, each.fact.predicate, clean(each.target if own else each.says), date)
        rows.setdefault(key, (name, (text,), (date,), []))[-1].append(each)
    label = ""
    for name, said, dated, told in rows.values():
        yield (("" if name == label else name, "cyan"),), said, dated, cited(told)
        label = name


def disputed(fact: FactView) -> str:
    """Who says otherwise, and what."""
    said = (
        f"{place_words(rival.path, rival.line, kind=rival.kind)} says {one_line(rival.quote, 60)}"
        for rival in fact.rivals
    )
    return f"; disputed: {'; '.join(dict.fromkeys(said))}" if fact.rivals else ""


def cited(facts: Iterable[FactView]) -> tuple[Part, ...]:
    """Where facts that read the same were written: the first place, and how many more."""
    evidence = [each for fact in facts for each in fact.evidence]
    if not evidence:
        return ()
    first = evidence[0]
    line = place(first.root, first.path, first.line, kind=first.kind, block=first.block)
    more = len({(e.root, e.path, e.line) for e in evidence}) - 1
    return line, (f" +{more}" if more else "", "dim")


def also(passage: Found) -> Part:
    """Where else the same passage stands."""
    places = [f"{source}:{line}" for _, source, line in passage.also]
    return (clean(f"  also {', '.join(places)}"), "dim") if places else ""


def passage_lines(output: Output, passages: Sequence[Found]) -> None:
    """Passages with their place, one or two lines each."""
    for each in passages:
        where = place(each.root, each.source or "", each.line, kind=each.kind, block=each.block)
        head = (f"  {clean(each.heading.rsplit(' > ', 1)[-1])}", "dim") if each.heading else ""
        output.line(where, head, also(each))
        output.line(f"  {one_line(each.text, 240)}")


def neighbour_line(neighbours: Iterable[Neighbour]) -> str:
    """Neighbours with the notes that they share."""
    return ", ".join(f"{clean(n.entity.name)} ({n.facts + n.passages})" for n in neighbours)
