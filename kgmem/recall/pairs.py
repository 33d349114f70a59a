"""Two entities that may be one, with what a person needs to tell: names, facts, notes, and the words that name them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kgmem.extraction.marks import is_free, link_spans
from kgmem.extraction.sentences import Sentences
from kgmem.model import FOREVER, Id, Mention, Source, unique
from kgmem.recall.facts import FactView, current_facts
from kgmem.recall.names import cards_of
from kgmem.resolution.same import Same
from kgmem.store.protocol import EntityCard, Placed, Proposal, Store

_READ: Final = 60
"""Mentions, the newest first, among which a few telling ones are looked for."""
_BARE: Final = frozenset({"title", "heading", "property"})
"""Kinds of passages that say no more than a name, or what a fact says already."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence with where it stands."""

    root: str
    path: str
    line: int
    text: str
    kind: str = "obsidian"
    block: str | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One entity of a pair."""

    card: EntityCard
    notes: tuple[Source, ...]
    """The notes that are about it."""
    facts: tuple[FactView, ...]
    """What is believed of it: what holds first, the latest first."""
    quotes: tuple[Quote, ...]
    """A few sentences that name it, the newest first, from as many notes as there are."""

    @property
    def id(self) -> Id:
        """The entity's."""
        return self.card.entity.id

    @property
    def name(self) -> str:
        """The entity's."""
        return self.card.entity.name


@dataclass(frozen=True, slots=True)
class Pair:
    """A proposal with the two that it is about; the first is the more mentioned."""

    proposal: Proposal
    a: EntityCard
    b: EntityCard

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "id": self.proposal.id,
            "a": named_json(self.a),
            "b": named_json(self.b),
            "score": round(self.proposal.score, 4),
            "reasons": list(self.proposal.reasons),
        }


def named_json(card: EntityCard) -> dict[str, Any]:
    """An entity of a pair, in the form that scripts rely on."""
    entity = card.entity
    return {"id": entity.id, "name": entity.name, "type": entity.type.value, "mentions": card.mentions}


def pairs(store: Store, proposals: Iterable[Proposal]) -> tuple[Pair, ...]:
    """Proposals that are still open, with their entities, in the same order.

    What was decided meanwhile may have settled some: two are one by way of a third, or an entity is gone.
    """
    some = tuple(proposals)
    same = Same(store.decisions())
    stands = {each: same[each] for pair in some for each in (pair.one, pair.other)}
    cards = {card.entity.id: card for card in cards_of(store, unique(stands.values()))}
    found = []
    for pair in some:
        one, other = cards.get(stands[pair.one]), cards.get(stands[pair.other])
        if one is None or other is None or not (one.mentions and other.mentions):
            continue
        if one is not other and not same.are_distinct(pair.one, pair.other):
            found.append(Pair(pair, *sorted((one, other), key=lambda card: (-card.mentions, card.entity.id))))
    return tuple(found)


def side(store: Store, card: EntityCard, *, quotes: int) -> Side:
    """What there is to show of one entity of a pair, with at most so many quotes."""
    entity = card.entity.id
    facts = sorted(current_facts(store, entity), key=lambda view: (view.fact.holds_to < FOREVER, -view.fact.holds_from))
    return Side(card, store.sources_about(entity), tuple(facts), tuple(_quotes(store, entity, quotes)))


def _quotes(store: Store, entity: Id, limit: int) -> list[Quote]:
    """Sentences that name an entity: one of each note first, and what is about it before bare headings."""
    _, mentions = store.mentions_of(entity, _READ)
    placed = store.placed({mention.passage for mention in mentions})
    standing = [(mention, placed[mention.passage]) for mention in mentions if mention.passage in placed]
    telling = [each for each in standing if each[1].passage.kind not in _BARE] or standing[:1]
    return _spread((quote_of(*each) for each in telling), limit)


def _spread(quotes: Iterable[Quote], limit: int) -> list[Quote]:
    """The first quotes, those of notes that were not quoted yet before others."""
    first: dict[tuple[str, str], Quote] = {}
    rest: dict[Quote, None] = {}
    for quote in quotes:
        if first.setdefault((quote.root, quote.path), quote) != quote:
            rest[quote] = None
    return [*first.values(), *rest][:limit]


def quote_of(mention: Mention, placed: Placed) -> Quote:
    """The sentence that holds a mention."""
    return quote_at(placed, mention.start, mention.end)


def quote_at(placed: Placed, start: int, end: int) -> Quote:
    """The sentence that holds a span of a passage (code points, half-open)."""
    passage = placed.passage
    words = Sentences(passage.text).around(start, end)
    line = passage.first_line + passage.text.count("\n", 0, start)
    return Quote(placed.root, placed.path, line, words, placed.kind, passage.block)


def quotes_in(store: Store, source: Id, name: str) -> tuple[Quote, ...]:
    """The sentences of a source that use a name, but for its title and properties."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    placed = store.placed(passage.id for passage in store.passages_of(source) if passage.kind not in _BARE)
    standing = sorted(placed.values(), key=lambda each: each.passage.first_line)
    return unique(
        quote_at(each, *match.span())
        for each in standing
        for match in word.finditer(each.passage.text)
        if is_free(*match.span(), link_spans(each.passage.text))
    )


def compared(a: Side, b: Side) -> Iterator[tuple[str, Sequence[FactView], Sequence[FactView]]]:
    """(predicate in words, facts of the one, facts of the other): what both have first.

    What is said of them as the object of others is under the empty name.
    """
    ours, theirs = _by_predicate(a), _by_predicate(b)
    order = unique((*ours, *theirs))
    for name in sorted(order, key=lambda name: (not name, not (name in ours and name in theirs))):
        yield name, ours.get(name, ()), theirs.get(name, ())


def _by_predicate(one: Side) -> dict[str, list[FactView]]:
    found: dict[str, list[FactView]] = {}
    for view in one.facts:
        name = view.fact.predicate.replace("_", " ").lower() if view.fact.subject == one.id else ""
        found.setdefault(name, []).append(view)
    return found
