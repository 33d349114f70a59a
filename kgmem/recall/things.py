"""Things by what they are and where: "the winery in Avignon", "which winery is in Avignon"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kgmem.model import Id
from kgmem.recall.cues import Cue
from kgmem.recall.relations import Ground, Item, Ref, Word

ARTICLES: Final = frozenset("the a an this that".split())


def _is_article(items: Sequence[Item]) -> bool:
    return any(isinstance(item, Word) and item.lower in ARTICLES for item in items)


def thing_there(items: Sequence[Item], ground: Ground) -> tuple[int, int, Ref] | None:
    """The winery in [Avignon]: what is there, and is of the type or subtype that a noun says."""
    for place in range(len(items) - 1, 1, -1):
        ref, word, noun = items[place], items[place - 1], items[place - 2]
        if not (isinstance(ref, Ref) and isinstance(word, Word) and isinstance(noun, Word)):
            continue
        if word.lower not in {"in", "at"} or not _is_article(items[place - 3 : place - 2]):
            continue
        hop = ground.hop(ref.ids, (Cue("LOCATED_IN", "o"),), lambda cue: cue.first)
        ends = () if hop.past else tuple(each for each in hop.ends if is_called(each, noun.lower, ground))
        if ends:
            facts = tuple(each for each in hop.facts if each.fact.subject in ends)
            led = replace(hop, facts=facts, ends=ends)
            start = items[place - 3].start
            return place - 3, place + 1, Ref(start, ref.end, ends, hops=(*ref.hops, led), origin=ref.ids)
    return None


def is_called(entity: Id, noun: str, ground: Ground) -> bool:
    """Whether something is what a noun says, by its type and subtype or by a value of its note."""
    noun = ground.cues.singular(noun)
    found = ground.entities([entity]).get(entity)
    if found is None:
        return False
    if noun == (found.subtype or "").casefold() or (found.type, found.subtype) == ground.cues.ontology.type_named(noun):
        return True
    return any(fact.subject == entity and noun == (fact.value or "").casefold() for fact in ground.facts(entity))
