"""What pages tell, read from a store in a few passes over everything: not a query for each entity."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kgmem.export.links import Place
from kgmem.export.page import Page, Quote, Related
from kgmem.export.text import excerpt
from kgmem.model import CORRECTION, FOREVER, LINKS_TO, Fact, Id, Instant, Mention, Moment, Period, day_of
from kgmem.recall.facts import FactView, view, world_range
from kgmem.recall.identity import as_now, successors
from kgmem.recall.times import moment_of
from kgmem.store.protocol import EntityCard, FactQuery, Placed, Store

_ALL: Final = 2**31
_VIEWED: Final = 256
"""Facts that are resolved at a time."""
_BARE: Final = frozenset({"title", "heading"})
"""Kinds of passages that say no more than the link to their note."""


class Gathered:
    """What a store believes and holds of its entities, ready to be told page by page."""

    def __init__(
        self,
        store: Store,
        cards: Sequence[EntityCard],
        told: Collection[Id],
        *,
        as_of: Period | None = None,
        known: Instant | None = None,
    ) -> None:
        """Read it.

        Args:
            store: where.
            cards: the cards of all entities that may be neighbours.
            told: the entities that get a page.
            as_of: the world period to tell of: what begins later is left out, what ended earlier is past.
            known: the recorded instant to tell of.
        """
        self._cards = {card.entity.id: card for card in cards}
        self._as_of, self._known = as_of, moment_of(known) if known is not None else None
        valid = world_range(as_of) if as_of else None
        self._now = valid[0] if valid else _now(store, known)
        _, facts = store.facts(FactQuery(valid=valid and (-FOREVER, valid[1]), known=known))
        if known is not None:
            facts = tuple(as_now(facts, successors(store, facts)))
        self._partners = _partners(fact for fact in facts if fact.predicate != LINKS_TO)
        self._linked = _partners(fact for fact in facts if fact.predicate == LINKS_TO)
        self._views = _views(store, facts, told, known)
        mentions = {
            entity: store.mentions_of(entity, _ALL, valid=valid, known=known)[1] for entity in self._cards
        }  # fmt: skip
        self._placed = store.placed({mention.passage for each in mentions.values() for mention in each}, known=known)
        self._mentions = {  # a passage may have gone since: an ingest can run meanwhile
            entity: [mention for mention in each if mention.passage in self._placed]
            for entity, each in mentions.items()
        }
        self._named = _named(self._mentions)
        self._notes = {
            entity: frozenset(
                placed.passage.source
                for placed in (self._placed[mention.passage] for mention in each)
                if placed.kind != CORRECTION
            )
            for entity, each in self._mentions.items()
        }

    def page(self, entity: Id) -> Page:
        """What there is to tell of an entity."""
        views = self._views.get(entity, ())
        return Page(
            card=self._cards[entity],
            current=tuple(each for each in views if each.fact.holds_to > self._now),
            past=tuple(each for each in views if each.fact.holds_to <= self._now),
            related=tuple(self._related(entity)),
            quotes=tuple(_quotes(self._mentions[entity], self._placed)),
            as_of=self._as_of,
            known=self._known,
        )

    def _related(self, entity: Id) -> Iterator[Related]:
        """The neighbours: by shared facts and links, then by shared passages, then by name."""
        passages: Counter[Id] = Counter()
        for passage in {mention.passage for mention in self._mentions[entity]}:
            passages.update(self._named[passage])
        facts, links = self._partners[entity], self._linked[entity]
        others = (passages.keys() | facts.keys() | links.keys()) & self._cards.keys() - {entity}
        near = [self._cards[other].entity for other in others]
        near.sort(key=lambda each: (-facts[each.id] - links[each.id], -passages[each.id], each.name, each.id))
        for each in near:
            yield Related(each, facts[each.id], len(self._notes[entity] & self._notes[each.id]))


def _now(store: Store, known: Instant | None) -> int:
    """The world second that parts what holds from what held: the day of the last record, as pages know no clock."""
    last = store.stats().last_recorded
    if last is None:
        return 0
    return Moment.day(day_of(last if known is None else min(last, known))).first


def _partners(facts: Iterable[Fact]) -> defaultdict[Id, Counter[Id]]:
    """Of each entity, with which others it shares how many facts."""
    partners: defaultdict[Id, Counter[Id]] = defaultdict(Counter)
    for fact in facts:
        if fact.object is not None:
            partners[fact.subject][fact.object] += 1
            partners[fact.object][fact.subject] += 1
    return partners


def _views(
    store: Store, facts: Iterable[Fact], told: Collection[Id], known: Instant | None
) -> Mapping[Id, Sequence[FactView]]:
    """The facts of each entity that gets a page, but for bare links."""
    telling = [
        fact for fact in facts
        if fact.predicate != LINKS_TO and (fact.subject in told or fact.object in told)
    ]  # fmt: skip
    views: defaultdict[Id, list[FactView]] = defaultdict(list)
    for start in range(0, len(telling), _VIEWED):
        for each in view(store, telling[start : start + _VIEWED], known):
            for entity in {each.fact.subject, each.fact.object} - {None}:
                views[entity or ""].append(each)
    return views


def _named(mentions: Mapping[Id, Sequence[Mention]]) -> Mapping[Id, frozenset[Id]]:
    """The entities that each passage names."""
    named: defaultdict[Id, set[Id]] = defaultdict(set)
    for entity, each in mentions.items():
        for mention in each:
            named[mention.passage].add(entity)
    return {passage: frozenset(entities) for passage, entities in named.items()}


def _quotes(mentions: Sequence[Mention], placed: Mapping[Id, Placed]) -> Iterator[Quote]:
    """The passages that mention an entity: by note, the newest first, then as they stand."""
    by_note: dict[Id, dict[Id, Mention]] = {}
    for mention in mentions:
        passage = placed[mention.passage].passage
        if placed[mention.passage].kind == CORRECTION:  # what it says is told as facts
            continue
        by_note.setdefault(passage.source, {}).setdefault(passage.id, mention)
    for held in sorted(by_note.values(), key=lambda held: -_shown_end(placed[next(iter(held))])):
        order = sorted(held.values(), key=lambda mention: (placed[mention.passage].passage.first_line, mention.start))
        telling = [mention for mention in order if placed[mention.passage].passage.kind not in _BARE]
        for mention in telling or order[:1]:
            yield _quote(mention, placed[mention.passage])


def _shown_end(placed: Placed) -> int:
    """When the day or month of a note was over, in world seconds; 0 without a date that is shown."""
    moment = placed.occurred.moment
    return moment.past if moment is not None and placed.occurred.shown else 0


def _quote(mention: Mention, placed: Placed) -> Quote:
    passage = placed.passage
    bare = passage.kind in _BARE
    line = passage.first_line + passage.text.count("\n", 0, mention.start)
    heading = "" if passage.kind == "title" else passage.heading
    place = Place(placed.root, placed.path, 0 if bare else line, heading, passage.block, placed.kind)
    return Quote(place, "" if bare else excerpt(passage.text, mention.start, mention.end), placed.occurred)
