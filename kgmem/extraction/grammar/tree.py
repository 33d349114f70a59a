"""A parsed sentence as a tree: children, subjects, conjunctions, and what relative pronouns stand for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from kgmem.extraction.grammar.words import RELATIVE, Parsed, Word

_SUBJECTS: Final = ("nsubj", "nsubjpass")
_DEEPEST: Final = 12


class Tree:
    """Reads one parsed sentence; all places are indexes of its words."""

    def __init__(self, parsed: Parsed) -> None:
        self.words = parsed.words
        self.start, self.end = parsed.start, parsed.end

    @cached_property
    def children(self) -> list[list[int]]:
        """The words that each word governs, in order."""
        found: list[list[int]] = [[] for _ in self.words]
        for at, word in enumerate(self.words):
            if word.head != at:
                found[word.head].append(at)
        return found

    def of(self, at: int, *deps: str) -> list[int]:
        """The children with one of these labels."""
        return [child for child in self.children[at] if self.words[child].dep in deps]

    def lemmas(self, at: int, *deps: str) -> set[str]:
        """Their lemmas."""
        return {self.words[child].lemma for child in self.of(at, *deps)}

    def head(self, at: int) -> Word:
        """The word that governs one."""
        return self.words[self.words[at].head]

    def is_verb(self, at: int) -> bool:
        """Whether a word is a form of a verb, and may open a clause."""
        return self.words[at].tag.startswith("VB")

    def above(self, at: int) -> Iterator[int]:
        """The words over one, to the root."""
        for _ in range(len(self.words)):
            up = self.words[at].head
            if up == at:
                return
            yield up
            at = up

    def below(self, at: int) -> list[int]:
        """A word and all under it, in the order of the text."""
        found, waiting = [], [at]
        while waiting:
            found.append(waiting.pop())
            waiting += self.children[found[-1]]
        return sorted(found)

    def conjuncts(self, at: int) -> list[int]:
        """A phrase and those joined to it by "and"; nothing where "or" leaves open which is meant."""
        found = [at]
        for one in found:
            if not self.lemmas(one, "cc").isdisjoint({"or", "nor", "but"}) or "no" in self.lemmas(one, "det"):
                return []
            found += [each for each in self.of(one, "conj") if not self._is_left_out(one, each)]
        return found

    def _is_left_out(self, one: int, joined: int) -> bool:
        """Whether "not" stands before the second of two: "Ana and not Bo"; a parser may hang it on either."""
        over = {one, *self.below(joined)}
        return any(self.words[at].lemma == "not" and self.words[at].head in over for at in range(one + 1, joined))

    # -- who does it

    def is_passive(self, at: int) -> bool:
        """Whether a verb tells what is done to its subject: "was founded", "founded by Bo"."""
        if self.words[at].tag != "VBN":
            return False
        if self.of(at, "auxpass"):
            return True
        if self.of(at, "aux", "nsubj"):
            return False
        word = self.words[at]
        if word.dep == "conj":
            return self.is_passive(word.head)
        return word.dep == "acl" or bool(self.of(at, "agent"))

    def subject(self, at: int, depth: int = 0) -> int | None:
        """Who a verb is about; of a participle or a second verb, whom the words above it are about."""
        if own := self.of(at, *_SUBJECTS):
            return self.antecedent(self._name_of(own))
        word = self.words[at]
        up = word.head
        if up == at or depth > _DEEPEST:
            return None
        if word.dep in {"acl", "relcl"}:
            return self.antecedent(up) if word.tag in {"VBG", "VBN"} and word.dep == "acl" else None
        if word.dep in {"conj", "xcomp"} or (word.dep == "advcl" and word.tag in {"VBG", "VBN"}):
            return self.subject(up, depth + 1) if self.is_verb(up) else None
        if word.dep == "pcomp":
            over = next((each for each in self.above(up) if self.is_verb(each)), None)
            return None if over is None else self.subject(over, depth + 1)
        return None

    def _name_of(self, subjects: list[int]) -> int:
        """Of "Mira's employer Acme moved", where a parser sees two subjects, the name."""
        return next((each for each in reversed(subjects) if self.words[each].tag.startswith("NNP")), subjects[-1])

    def antecedent(self, at: int) -> int:
        """What a relative pronoun stands for, else the word itself."""
        if self.words[at].lemma not in RELATIVE or not self.words[at].tag.startswith("W"):
            return at
        return next((self.words[up].head for up in (at, *self.above(at)) if self.words[up].dep == "relcl"), at)

    # -- what it is done to, where and with whom

    def objects(self, at: int) -> list[int]:
        """The direct object of a verb, also one that stands before it as "which"."""
        return [self.antecedent(each) for each in self.of(at, "dobj", "oprd")]

    def after(self, at: int, words: frozenset[str], particle: int | None = None) -> Iterator[int]:
        """What stands after one of these prepositions of a verb or noun, the nearest first.

        A parser may hang the preposition on the object ("prefer tea over coffee"), or on what another one governs
        ("works as an engineer at Acme").
        """
        over = [at, *([] if particle is None else [particle]), *self.of(at, "dobj", "attr", "oprd", "acomp")]
        seen: set[int] = set()
        for depth in range(3):
            further: list[int] = []
            for each in over:
                for prep in self.of(each, "prep", "agent", "dative"):
                    if prep in seen:
                        continue
                    seen.add(prep)
                    governed = self.of(prep, "pobj")
                    if self.words[prep].lemma in words:
                        yield from map(self.antecedent, governed)
                    further += [word for word in governed if not self.words[word].tag.startswith("NNP") or depth < 1]
                    further += self.of(prep, "prep")
            over = further

    def where(self, at: int) -> int | None:
        """What "where" stands for in "Acme, where Ana works"."""
        if any(self.words[each].lemma == "where" for each in self.of(at, "advmod")) and self.words[at].dep == "relcl":
            return self.words[at].head
        return None
