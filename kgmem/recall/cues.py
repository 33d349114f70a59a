"""Which predicates the words of a question ask for: the ontology, read the other way round.

A noun asks for the other end: "the employer of Mira" for the object of WORKS_AT, "the employees of Nord" for its
subjects. A verb has a subject and an object: what stands where tells which end is known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from kgmem.extraction.ontology import FAVOURITE, Ontology, Predicate, plain
from kgmem.model import EntityType

End = Literal["s", "o", "either"]
"""Which end of a fact something stands at: its subject, its object."""

PREPOSITIONS: Final = frozenset("at in on of to by for from with as into over out up off about under through".split())
_BE: Final = frozenset("is are am was were be been being".split())
_ARTICLES: Final = frozenset("a an the".split())
_PART: Final = re.compile(r"\{[^{}]*\}|\S+")
_INFLECTION: Final = re.compile(r"(?<=\w{3})(?:ing|ied|ies|ed|er|es|e|s|y)$")
_OVER: Final = frozenset({"ends", "yields"})
_PLURAL: Final = re.compile(r"(?<=\w{2})(?:ies|(?<=ss|sh|ch)es|(?<![su])s)$")
_DOUBLED: Final = re.compile(r"(?<=\w\w)([bdgmnprt])\1$")
_COINED: Final = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Cue:
    """A predicate that a word asks for."""

    predicate: str
    first: End
    """Of a noun, the end whose other end it asks for; of a verb, the end that its grammatical subject is."""
    tells: str = "says"
    """says, starts, ends or yields, as the wordings of the ontology."""
    rest: tuple[str, ...] = ()
    """Of a verb, what has to follow it: stems, and prepositions as they are."""
    copular: bool = False
    """Of a verb, that it is said with a form of "be"."""

    @property
    def is_over(self) -> bool:
        """Whether it asks for what has ended: "left", "quit"."""
        return self.tells in _OVER

    @property
    def last(self) -> End:
        """The end that the grammatical object of a verb is."""
        return "either" if self.first == "either" else "o" if self.first == "s" else "s"


def uninflected(word: str) -> str:
    """A word without the ending that inflects it, roughly."""
    return _INFLECTION.sub("", word)


class Cues:
    """The nouns and verbs of an ontology, by their stems."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._irregular = {form: forms[0] for forms in ontology.verbs for form in forms}
        self._nouns: dict[tuple[str, ...], list[Cue]] = defaultdict(list)
        self._verbs: dict[str, list[Cue]] = defaultdict(list)
        for predicate in ontology.predicates.values():
            self._add_names(predicate)
            for wording in predicate.wordings:
                self._add_wording(predicate, wording.text, wording.tells)

    def stem(self, word: str) -> str:
        """A word without what inflects it, roughly: "lives", "living" and "live" are one, and "wrote" is "write"."""
        folded = word.casefold().replace("’", "'").removesuffix("'s")
        return _DOUBLED.sub(r"\1", uninflected(self._irregular.get(folded, folded)))

    def singular(self, word: str) -> str:
        """A noun without its plural: "owner" stays apart from "owns"."""
        folded = word.casefold().replace("’", "'").removesuffix("'s")
        return _PLURAL.sub(lambda match: "y" if match[0] == "ies" else "", folded)

    def nouns(self, words: Sequence[str]) -> tuple[Cue, ...]:
        """What a noun of one or more words asks for; a person's own predicate of that name is always one of it."""
        key = tuple(self.singular(word) for word in words)
        coined = _COINED.sub("_", plain(" ".join(words))).strip("_").upper().replace("FAVORITE_", FAVOURITE)
        own = () if coined in self.ontology.predicates or not coined else (Cue(coined, "s"),)
        return (*self._nouns.get(key, ()), *own)

    def knows_noun(self, words: Sequence[str]) -> bool:
        """Whether the ontology has such a noun."""
        return tuple(self.singular(word) for word in words) in self._nouns

    def verbs(self, word: str) -> Sequence[Cue]:
        """What a verb may ask for."""
        return self._verbs.get(self.stem(word), ())

    def names_of(self, cue: Cue) -> frozenset[str]:
        """Names of predicates that a person coined with a word that asks for the same as a cue."""
        known = self.ontology.predicates.get(cue.predicate)
        names = frozenset() if known is None else known.names | known.asked
        names |= {self.singular(name) for name in names}
        return frozenset(_COINED.sub("_", name).strip("_").upper() for name in names) - self.ontology.predicates.keys()

    def is_role(self, noun: str) -> bool:
        """Whether a noun is what a person may be."""
        return self.singular(noun) in self.ontology.roles

    def apart(self, noun: str) -> frozenset[str]:
        """The nouns that say of somebody what one does not: brother, where sister is asked for."""
        word = self.singular(noun)
        return frozenset().union(*(each - {word} for each in self.ontology.apart if word in each))

    def alike(self, noun: str) -> frozenset[str]:
        """Nouns of one word that say of a person what another one does: daughter, where children are asked for."""
        asked = {(cue.predicate, cue.first) for cue in self._nouns.get((self.singular(noun),), ())}
        known = self.ontology.predicates
        asked = {each for each in asked if known[each[0]].domain == known[each[0]].range == (EntityType.PERSON,)}
        found = (
            words[0]
            for words, cues in self._nouns.items()
            if len(words) == 1 and not asked.isdisjoint((cue.predicate, cue.first) for cue in cues)
        )
        return frozenset(found) - self.apart(noun)

    def is_symmetric(self, predicate: str) -> bool:
        """Whether it holds both ways."""
        known = self.ontology.predicates.get(predicate)
        return known is not None and known.symmetric

    def is_timeless(self, predicate: str) -> bool:
        """Whether what makes it true does not begin with a note."""
        known = self.ontology.predicates.get(predicate)
        return known is not None and known.timeless

    def _add_names(self, predicate: Predicate) -> None:
        either: End | None = "either" if predicate.symmetric else None
        sides: tuple[tuple[frozenset[str], End], ...] = (
            (predicate.names | predicate.asked, either or "s"),
            (predicate.inverse, either or "o"),
        )
        for names, end in sides:
            for name in sorted(names):
                words = name.split()
                if words[-1] in PREPOSITIONS:
                    cue = Cue(predicate.name, end, rest=self._rest(words[1:]))
                    active = [] if words[-1] == "by" else [cue]
                    self._verbs[self.stem(words[0])] += [replace(cue, copular=True), *active]
                else:
                    self._nouns[tuple(self.singular(word) for word in words)].append(Cue(predicate.name, end))

    def _add_wording(self, predicate: Predicate, text: str, tells: str) -> None:
        parts = _PART.findall(text)
        letters = [part[1] for part in parts if part.startswith("{")]
        flipped = "s" in letters and letters[0] != "s"
        words = [part for part in parts if not part.startswith("{")]
        copular = words[0] in _BE
        words = [word for word in words[copular:] if word not in _ARTICLES]
        if not words or words[0] in PREPOSITIONS:
            return
        first: End = "either" if predicate.symmetric else "o" if flipped else "s"
        if copular and "of" in words[1:] and words[-1] == "of":
            asked = Cue(predicate.name, Cue(predicate.name, first).last, tells)
            self._nouns[tuple(self.singular(word) for word in words[:-1])].append(asked)
            return
        cue = Cue(predicate.name, first, tells, self._rest(words[1:]), copular)
        self._verbs[self.stem(words[0])].append(cue)
        if copular and words[1:] == ["by"]:
            self._verbs[self.stem(words[0])].append(Cue(predicate.name, cue.last, tells))

    def _rest(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(word if word in PREPOSITIONS else self.stem(word) for word in words)


@lru_cache(maxsize=4)
def cues_of(ontology: Ontology) -> Cues:
    """The cues of an ontology, made once."""
    return Cues(ontology)


def fitting(cues: Sequence[Cue], following: Sequence[str]) -> Iterator[Cue]:
    """The verbs that what follows allows, the best first: all their words are there, and no other preposition.

    Args:
        cues: what a verb may ask for.
        following: the stems after it, prepositions as they are.
    """
    said = next((word for word in following[:1] if word in PREPOSITIONS), None)
    ranked = []
    for place, cue in enumerate(cues):
        content = [word for word in cue.rest if word not in PREPOSITIONS]
        prepositions = [word for word in cue.rest if word in PREPOSITIONS]
        if not all(word in following for word in content):
            continue
        if prepositions and said is not None and said not in prepositions:
            continue
        exact = (said in prepositions) if prepositions else said is None
        ranked.append((-len(content), not exact, cue.tells == "yields", len(prepositions), place, cue))
    yield from (cue for *_, cue in sorted(ranked, key=lambda each: each[:-1]))
