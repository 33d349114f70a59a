"""Words that two predicates would both claim: a key of a note, or a phrase of a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Final

from kgmem.extraction.ontology import Predicate
from kgmem.model import EntityType

_SURE: Final = ("says", "starts", "ends")
"""Phrases that mean one predicate; what `yields` says is shared by design, and settled by what is known."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Words of a predicate that mean another one."""

    predicate: str
    entry: str
    """names, inverse, says, …"""
    words: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class _Word:
    predicate: Predicate
    entry: str
    words: str
    """As they compare."""
    ends: tuple[frozenset[EntityType], ...]
    """The types that stand at each end which tells it from others; empty for any."""


def clashes(
    own: Mapping[str, Predicate], held: Mapping[str, Predicate], type_keys: AbstractSet[str] = frozenset()
) -> Iterator[Clash]:
    """Of a pack's predicates, the words that what it is laid on, or another of its own, means something by.

    The same words may serve two predicates whose ends are of different types: "location" of a person and of an event.

    Args:
        own: those of the pack.
        held: those below it.
        type_keys: keys that say what a note is.
    """
    taken: dict[str, list[_Word]] = {}
    for word in chain.from_iterable(map(_words, held.values())):
        taken.setdefault(word.words, []).append(word)
    for name, predicate in own.items():
        for word in _words(predicate):
            if word.entry in {"names", "inverse"} and word.words in type_keys:
                message = f"{word.words!r} says what a note is, and cannot say {name} too"
                yield Clash(name, word.entry, word.words, message, "take another key")
            others = taken.setdefault(word.words, [])
            if rival := next((each for each in others if each.predicate.name != name and _meet(each, word)), None):
                types = _shared(rival, word)
                message = f"{word.words!r} means {rival.predicate.name}{types}, and here {name}"
                yield Clash(name, word.entry, word.words, message, "take other words, or another domain")
            others.append(word)


def _words(predicate: Predicate) -> Iterator[_Word]:
    domain, span = frozenset(predicate.domain), frozenset(predicate.range)
    yield from (_Word(predicate, "names", name, (domain,)) for name in sorted(predicate.names))
    yield from (_Word(predicate, "inverse", name, (span,)) for name in sorted(predicate.inverse))
    for wording in predicate.wordings:
        if wording.tells in _SURE:
            yield _Word(predicate, wording.tells, wording.text, (domain, span))


def _meet(one: _Word, other: _Word) -> bool:
    """Whether both may be meant by the words in one place."""
    if len(one.ends) != len(other.ends):
        return False
    return all(not mine or not theirs or mine & theirs for mine, theirs in zip(one.ends, other.ends, strict=True))


def _shared(one: _Word, other: _Word) -> str:
    mine, theirs = one.ends[0], other.ends[0]
    both: Iterable[EntityType] = mine & theirs if mine and theirs else mine or theirs
    return f" of {', '.join(sorted(both))}" if both else ""
