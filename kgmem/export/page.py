"""The text of an entity's page: its properties, and what stands between our markers. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kgmem.export.links import Linker, Place
from kgmem.export.text import prose, value
from kgmem.model import CORRECTION, Bound, Entity, Moment, Period, unique
from kgmem.recall.facts import FactView
from kgmem.recall.wording import asked_words, period_words, when
from kgmem.store.protocol import EntityCard, Evidence

Properties = Mapping[str, tuple[str, ...]]
"""Our properties of a page, in order; a list may have any number of values, anything else has one."""

OUR_KEYS: Final = (
    "kgmem_id",
    "kgmem_as_of",
    "kgmem_known_at",
    "title",
    "type",
    "subtype",
    "aliases",
    "mentions",
    "sources",
    "first_seen",
    "last_seen",
)
LIST_KEYS: Final = frozenset({"aliases"})

_CITED: Final = 3
"""Places that a fact names."""
_FACTS: Final = 100
_RELATED: Final = 20
_QUOTES: Final = 50
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_INSTANT: Final = re.compile(r"(\d{4}-\d{2}-\d{2})T.*")


@dataclass(frozen=True, slots=True)
class Related:
    """A neighbour, with what it shares: current facts, and notes that mention both."""

    entity: Entity
    facts: int
    notes: int


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage that mentions the entity; `text` is empty where the link alone says it all."""

    place: Place
    text: str
    occurred: Bound


@dataclass(frozen=True, slots=True)
class Page:
    """What a page tells of an entity, in the order that it tells it."""

    card: EntityCard
    current: tuple[FactView, ...] = ()
    past: tuple[FactView, ...] = ()
    related: tuple[Related, ...] = ()
    quotes: tuple[Quote, ...] = ()
    as_of: Period | None = None
    """What period it tells of; None for now."""
    known: Moment | None = None
    """At the end of what it was known; None for now."""


def properties(page: Page, file_name: str) -> Properties:
    """The frontmatter that is ours. A day is a date to Obsidian; a year or a month stays text."""
    card, entity = page.card, page.card.entity
    name = " ".join(entity.name.split())
    also = unique(" ".join(alias.name.split()) for alias in card.aliases)
    found = {
        "kgmem_id": entity.id,
        "kgmem_as_of": period_words(page.as_of) if page.as_of else None,
        "kgmem_known_at": str(page.known) if page.known else None,
        "title": name,
        "type": entity.type.value,
        "subtype": entity.subtype,
        "mentions": str(card.mentions),
        "sources": str(card.sources),
        "first_seen": _day(card.first_seen),
        "last_seen": _day(card.last_seen),
    }
    lists = {"aliases": unique(each for each in (name, *sorted(also)) if each and each != file_name)}
    single = {key: (each,) for key, each in found.items() if each}
    return {key: (single | lists)[key] for key in OUR_KEYS if key in single or key in lists}


def _day(bound: Bound) -> str | None:
    shown = bound.shown
    return _INSTANT.sub(r"\1", shown) if shown else None


def is_day(text: str) -> bool:
    """Whether a date is precise to the day, so that Obsidian takes it as one."""
    return _DAY.fullmatch(text) is not None


def body(page: Page, link: Linker) -> str:
    """What stands between the markers: lines, each with its line feed."""
    parts = [
        [f"# {prose(page.card.entity.name)}"],
        [_lead(page)],
        _section("Facts", _fact_table(page, page.current, link)),
        _section("Earlier", _fact_table(page, page.past, link)),
        _section("Related", _related(page.related, link)),
        _section("Mentions", _mentions(page.quotes, link)),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _lead(page: Page) -> str:
    card, entity = page.card, page.card.entity
    kind = entity.type.value
    if entity.subtype and entity.subtype not in {"Individual", kind}:
        kind = f"{kind}, {entity.subtype}"
    times = "once" if card.mentions == 1 else f"{card.mentions} times"
    first, last = card.first_seen.shown, card.last_seen.shown
    seen = f", from {first} to {last}" if first and last and first != last else f", on {first}" if first else ""
    asked = asked_words(page.as_of, page.known)
    where = f"{times} in {_count(card.sources, 'note')}{seen}" if card.sources else "in no note"
    said = f"{prose(entity.name)} ({prose(kind)}) is mentioned {where}."
    return f"{asked}: {said}" if asked else said


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [f"## {title}", "", *lines] if lines else []


def _fact_table(page: Page, facts: Sequence[FactView], link: Linker) -> list[str]:
    if not facts:
        return []
    own = page.card.entity
    rows = [_fact_row(each, own, link) for each in _ordered(facts, own)[:_FACTS]]
    more = [] if len(facts) <= _FACTS else ["", f"and {len(facts) - _FACTS} more"]
    return ["| Fact | | When | Written in |", "| --- | --- | --- | --- |", *rows, *more]


def _ordered(facts: Sequence[FactView], own: Entity) -> list[FactView]:
    """By predicate, what the entity does before what is done with it, then in world order."""
    return sorted(
        facts,
        key=lambda each: (
            each.fact.subject != own.id,
            each.fact.predicate,
            each.fact.holds_from,
            each.target,
            each.subject.name,
            each.fact.id,
        ),
    )


def _fact_row(view: FactView, own: Entity, link: Linker) -> str:
    phrase = prose(view.fact.predicate.replace("_", " ").lower())
    if view.fact.subject != own.id:
        said = f"{link.page(view.subject.id, view.subject.name, cell=True)} {phrase}"
        target = prose(own.name)
    else:
        said = phrase
        target = link.page(view.object.id, view.object.name, cell=True) if view.object else value(view.target)
    dates = when(view.fact) + (", disputed" if view.rivals else "")
    return f"| {said} | {target} | {dates} | {_citations(view.evidence, link)} |"


def _citations(evidence: Sequence[Evidence], link: Linker) -> str:
    cited = unique(_cite(each, link) for each in evidence)
    more = f" and {len(cited) - _CITED} more" if len(cited) > _CITED else ""
    return ", ".join(cited[:_CITED]) + more


def _cite(each: Evidence, link: Linker) -> str:
    if not each.live and each.kind != CORRECTION:
        return f"{link.note(Place(each.root, each.path, 0, kind=each.kind), cell=True)} before an edit"
    place = Place(each.root, each.path, each.line, each.heading, each.block, each.kind)
    return link.note(place, cell=True)


def _related(related: Sequence[Related], link: Linker) -> list[str]:
    lines = [f"- {link.page(each.entity.id, each.entity.name)}: {_shared(each)}" for each in related[:_RELATED]]
    return lines if len(related) <= _RELATED else [*lines, f"- and {len(related) - _RELATED} more"]


def _shared(each: Related) -> str:
    shared = [(each.facts, "fact"), (each.notes, "shared note")]
    return ", ".join(_count(number, word) for number, word in shared if number) or "a link"


def _mentions(quotes: Sequence[Quote], link: Linker) -> list[str]:
    lines = [_quote(each, link) for each in quotes[:_QUOTES]]
    return lines if len(quotes) <= _QUOTES else [*lines, f"- and {len(quotes) - _QUOTES} more"]


def _quote(each: Quote, link: Linker) -> str:
    date = f", {each.occurred.shown}" if each.occurred.shown else ""
    text = f": “{prose(each.text)}”" if each.text else ""
    return f"- {link.note(each.place)}{date}{text}"


def _count(number: int, word: str) -> str:
    return f"1 {word}" if number == 1 else f"{number} {word}s"
