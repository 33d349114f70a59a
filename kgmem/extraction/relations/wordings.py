"""The phrases of an ontology as patterns, with the other forms of their verbs, and the words that give them away.

A phrase is written as an ontology has it: "works at" stands for "{s} works at {o}", and a pattern begins with a slot.
Of a phrase that says what holds, the first word is a verb in the form of "works"; of one that says what began or
ended, in the form of "joined". Other forms come from a rule that also makes forms which do not exist: they match
nothing. Irregular verbs stand in the ontology.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import ahocorasick

from kgmem.errors import ConfigurationError
from kgmem.extraction.ontology import Ontology, Predicate, Wording
from kgmem.extraction.relations.words import ARTICLES, BE, Tense
from kgmem.model import EntityType

_SLOT: Final = re.compile(r"\{([soxrvdb])([!?]?)(?::([^{}]*))?\}")
_PARTS: Final = re.compile(r"\{[^{}]*\}|\S+")
_MEMBERS: Final = 5
_TARGETS: Final = frozenset("orvdb")
_NO_TRIGGER: Final = frozenset("at in on of to by for from as with is the a an was not who".split()) | frozenset(BE)
_OVER: Final = ("no longer", "anymore", "any more", "any longer", "until", "till")
"""What gives away "is no longer at Acme": its own words stand everywhere."""
_VOWELS: Final = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where something is named in a phrase.

    {s} the subject, {o} the object, {x} who or what gave way, {r} a role, {v} a few words of text, {d} a date,
    {b} nothing at all: two subjects are it to each other.
    """

    letter: str
    known: bool = False
    """``{o!}``: only a link or the name of a note, as the words alone can mean something else."""
    open: bool = False
    """``{o?}``: what else is known of the name decides which of several predicates is meant."""
    having: frozenset[str] = frozenset()
    """``{o:Party|Club}``: only a name with one of these words."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a first look at a sentence tells."""

    words: frozenset[str]
    names: bool
    """It holds a name, or is about a note that is no person's."""
    capitals: bool
    """A word in it may be a name that nobody knows yet."""
    roles: bool
    """It holds a word for what a person may be."""
    bare_verbs: bool
    """Verbs without an ending may say something: after "I", "used to", "Ada and Bo"."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of a phrase: a slot, then words and slots."""

    predicate: Predicate
    tells: str
    first: Slot
    rest: tuple[str | Slot, ...]
    """It begins with a word: the verb, but for a bare form."""
    tense: Tense
    required: frozenset[str]
    """The words that a sentence must have."""
    takes_role: bool
    weight: int
    """Of two patterns that match at a place, the heavier one is meant."""

    def may_stand_with(self, seen: Seen) -> bool:
        """Whether a sentence has what the pattern needs; most have not, and cost no more than this look."""
        if (self.tense == "base" and not seen.bare_verbs) or (self.takes_role and not seen.roles):
            return False
        if not seen.names and EntityType.PERSON not in self.types(self.first):
            return False
        target = self.rest[-1]
        return seen.names or seen.capitals or not isinstance(target, Slot) or target.letter not in "ox"

    @property
    def shared(self) -> bool:
        """Whether other predicates may mean the same words too."""
        return self.tells == "yields" or any(isinstance(part, Slot) and part.open for part in self.rest)

    @property
    def stative(self) -> bool:
        """Whether a form of "is" stands there, or is left out: that tells of no plan."""
        return self.tense == "bare" or self.rest[0] in BE

    def types(self, slot: Slot) -> tuple[EntityType, ...]:
        """What may stand in a slot; empty for anything."""
        return self.predicate.domain if slot.letter == "s" else self.predicate.range


class Grammar:
    """The patterns of an ontology, by the words that give them away."""

    def __init__(self, ontology: Ontology) -> None:
        self.roles = ontology.roles
        self._verbs = _irregular(ontology.verbs)
        self._by_trigger: dict[str, list[Pattern]] = defaultdict(list)
        self.role: Predicate | None = None
        """The predicate that takes a role for itself."""
        for predicate in ontology.predicates.values():
            for wording in predicate.wordings:
                self._add(predicate, wording)
        self._automaton: Any = ahocorasick.Automaton()
        for word in self._by_trigger:
            self._automaton.add_word(word, word)
        self._automaton.make_automaton()

    def hits(self, prose: str) -> Iterator[tuple[int, str]]:
        """(offset, word) of every telling word, in one pass."""
        if not self._by_trigger:
            return
        lowered = prose.lower()
        if len(lowered) != len(prose):  # a few capitals become two letters
            lowered = "".join(low if len(low := char.lower()) == 1 else char for char in prose)
        for last, word in self._automaton.iter(lowered):
            first = last + 1 - len(word)
            if (first and lowered[first - 1].isalnum()) or lowered[last + 1 : last + 2].isalnum():
                continue
            yield first, word

    def patterns(self, triggers: Iterable[str], seen: Seen) -> Mapping[str, list[Pattern]]:
        """The patterns that a sentence may hold with these triggers, by their first word, heaviest first."""
        found: dict[str, list[Pattern]] = defaultdict(list)
        for trigger in set(triggers):
            for pattern in self._by_trigger[trigger]:
                if pattern.required <= seen.words and pattern.may_stand_with(seen):
                    found[str(pattern.rest[0])].append(pattern)
        for patterns in found.values():
            patterns.sort(key=lambda pattern: -pattern.weight)
        return found

    def _add(self, predicate: Predicate, wording: Wording) -> None:
        first, rest = _parse(predicate.name, wording.text)
        slots = [part for part in rest if isinstance(part, Slot)]
        if any(slot.letter == "r" for slot in slots) and not any(slot.letter == "o" for slot in slots):
            self.role = predicate
        verb, *others = rest
        forms: Iterable[tuple[str, Tense]] = self._forms(str(verb), wording.tells)
        for form, tense in forms:
            self._add_form(predicate, wording.tells, first, (form, *others), tense)
        if verb in BE and others and isinstance(others[0], str) and wording.tells != "yields":
            begin = 1 if others[0] in ARTICLES else 0
            if isinstance(others[begin], str) and others[begin] not in _NO_TRIGGER:
                self._add_form(predicate, wording.tells, first, tuple(others[begin:]), "bare")

    def _add_form(
        self, predicate: Predicate, tells: str, first: Slot, rest: tuple[str | Slot, ...], tense: Tense
    ) -> None:
        literals = [part for part in rest if isinstance(part, str)]
        slots = [first, *(part for part in rest if isinstance(part, Slot))]
        weight = 10 * len(literals) + sum(5 * bool(slot.having) + len(slots) for slot in slots)
        takes_role = any(slot.letter == "r" for slot in slots)
        pattern = Pattern(predicate, tells, first, rest, tense, frozenset(literals) - BE.keys(), takes_role, weight)
        over = tells == "yields" and literals[0] in BE
        for trigger in _OVER if over else _triggers(literals, slots, self.roles):
            self._by_trigger[trigger].append(pattern)

    def _forms(self, verb: str, tells: str) -> Iterator[tuple[str, Tense]]:
        if verb in BE:
            yield from BE.items()
            return
        yield from self._verbs.get(verb) or (_from_third(verb) if tells == "says" else _from_past(verb))


def _triggers(literals: Sequence[str], slots: Sequence[Slot], roles: frozenset[str]) -> Iterable[str]:
    """The word that gives a pattern away, or any role where only "is" and "at" would."""
    content = [word for word in literals if word not in _NO_TRIGGER]
    if not content and any(slot.letter == "r" for slot in slots):
        return roles
    return [max(content or literals, key=len)]


@lru_cache(maxsize=4)
def grammar_of(ontology: Ontology) -> Grammar:
    """The grammar of an ontology, made once."""
    return Grammar(ontology)


def check_phrase(name: str, text: str) -> None:
    """Raise ConfigurationError for a phrase of a predicate that no sentence could be matched with."""
    _parse(name, text)


def _parse(name: str, text: str) -> tuple[Slot, tuple[str | Slot, ...]]:
    """The parts of a phrase, with the slots at both ends that it leaves unsaid."""
    slots = {match[1] for match in _SLOT.finditer(text)}
    whole = text if "s" in slots else f"{{s}} {text}"
    whole = whole if slots & _TARGETS else f"{whole} {{o}}"
    parts = [_part(name, part) for part in _PARTS.findall(whole)]
    first, rest = parts[0], tuple(parts[1:])
    if not isinstance(first, Slot) or not rest or not isinstance(rest[0], str):
        raise ConfigurationError(f"predicate {name} has the phrase {text!r}", "a phrase is one name, then a verb")
    return first, rest


def _part(name: str, part: str) -> str | Slot:
    if "{" not in part and "}" not in part:
        return part.casefold()
    slot = _SLOT.fullmatch(part)
    if slot is None:
        raise ConfigurationError(
            f"predicate {name} has a phrase with {part}", "slots are {s}, {o}, {x}, {r}, {v}, {d}, {b}"
        )
    having = frozenset((slot[3] or "").casefold().split("|")) - {""}
    return Slot(slot[1], slot[2] == "!", slot[2] == "?", having)


# -- verbs


def _irregular(verbs: Iterable[tuple[str, ...]]) -> dict[str, list[tuple[str, Tense]]]:
    """Irregular verbs by the two forms that phrases begin with."""
    table: dict[str, list[tuple[str, Tense]]] = {}
    for forms in verbs:
        if len(forms) != _MEMBERS:
            raise ConfigurationError(f"the verb {forms} has not five forms", "as in [take, takes, took, taken, taking]")
        base, third, past, participle, ing = forms
        tenses: dict[str, Tense] = {
            ing: "ing", base: "base", third: "present", participle: "participle", past: "past",
        }  # fmt: skip
        table[third] = table[past] = list(tenses.items())
    return table


def _from_third(verb: str) -> Iterator[tuple[str, Tense]]:
    bases = {verb.removesuffix("s")}
    if verb.endswith("ies"):
        bases = {f"{verb[:-3]}y"}
    elif verb.endswith("es"):
        bases.add(verb[:-2])
    yield verb, "present"
    for base in bases:
        yield from _regular(base)


def _from_past(verb: str) -> Iterator[tuple[str, Tense]]:
    yield verb, "past"
    if not verb.endswith("ed"):
        return
    stem = verb[:-2]
    bases = {f"{verb[:-3]}y"} if verb.endswith("ied") else {stem, f"{stem}e"}
    if stem[-1:] == stem[-2:-1]:
        bases.add(stem[:-1])
    for base in bases:
        yield (f"{base[:-1]}ies" if base.endswith("y") and base[-2:-1] not in _VOWELS else f"{base}s"), "present"
        yield from ((form, tense) for form, tense in _regular(base) if tense != "past")


def _regular(base: str) -> Iterator[tuple[str, Tense]]:
    """The base, past and -ing of a regular verb."""
    yield base, "base"
    last = base[-1:]
    if last == "e":
        yield f"{base}d", "past"
        yield f"{base[:-1]}ing", "ing"
        return
    yield f"{base}ing", "ing"
    yield (f"{base[:-1]}ied" if last == "y" and base[-2:-1] not in _VOWELS else f"{base}ed"), "past"
    if last and last not in _VOWELS:
        yield f"{base}{last}ed", "past"
        yield f"{base}{last}ing", "ing"
