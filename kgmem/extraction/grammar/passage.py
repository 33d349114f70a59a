"""The names of one block, what they are shown to be, and whom it speaks of again without them."""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kgmem.extraction.ontology import UNTYPED, Rank
from kgmem.extraction.proposal import Ref
from kgmem.extraction.relations.evidence import Evidence
from kgmem.extraction.relations.tokens import Name
from kgmem.extraction.relations.words import OPENERS
from kgmem.model import EntityType
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name

Types = frozenset[EntityType]
_PERSON: Final = frozenset({EntityType.PERSON})
_WORD: Final = re.compile(r"[\w-]+")
_LOWER_END: Final = re.compile(r"(?<=\w)(?: [a-z]+)+$")
_LAST_WORD: Final = re.compile(r"(?:^|[^\w.-])([^\W\d_a-z][\w-]+) $")
_AND: Final = re.compile(r" (?:and|&|to|with) |, ")
_NEXT_BEGUN: Final = re.compile(r"[:;] ([A-Z][a-z]*)$")
"""What a guess takes for the end of a name: "The Nature of Things: He"."""
_LONGEST_WORD: Final = 24
_LONGEST_PERSON: Final = 3


class Named(NamedTuple):
    """A name in the block: its span, its reference where something knows it, and what it is shown to be."""

    start: int
    end: int
    text: str
    ref: Ref | None
    known: bool
    types: Types


@dataclass(frozen=True, slots=True)
class Whom:
    """Whom a note speaks of without a name."""

    title: str
    path: str
    type: EntityType | None
    """What it is about, if somebody said so."""
    owner: str | None


class Shown:
    """What names are shown to be, and how surely."""

    def __init__(self, evidence: Evidence, noted: Callable[[Ref], EntityType | None]) -> None:
        """Args: `noted` gives what the note of a reference says that it is."""
        self._evidence = evidence
        self._noted = noted

    def types(self, text: str, ref: Ref | None) -> tuple[Types, bool]:
        """(what a name is shown to be, whether it is more than a guess); nothing if nothing tells."""
        noted = None if ref is None else self._noted(ref)
        if noted is not None:
            return frozenset({noted}), True
        told = self._evidence.of(text if ref is None else ref.name, UNTYPED)
        if told:
            return told, True
        words = text.split()
        if len(words) <= _LONGEST_PERSON and is_given_name(words[0].casefold()):
            return _PERSON, False
        guess = UNTYPED if ref is None else ref.typing
        return (frozenset({guess.type}), False) if guess.rank <= Rank.GUESS else (frozenset(), False)


class Passage:
    """The names of one block, for the sentences that speak of them again as "she" or "the company"."""

    def __init__(
        self,
        prose: str,
        names: Sequence[Name],
        shown: Shown,
        whom: Whom,
        *,
        starts: Sequence[int],
        roles: frozenset[str] = frozenset(),
    ) -> None:
        """Args: `starts` of the sentences; `roles` are words for what a person may be, and no part of a name."""
        self.roles = roles
        self.of_note: set[str] = set()
        """Whether "she" or "he" has meant what the note is about: then it does so to the end of the block."""
        self.prose = prose
        self.whom = whom
        self.shown = shown
        self._starts = starts
        said = [each for each in names if prose[each.start : each.end].strip()]  # what is struck out names nobody
        self.names = [self._named(each) for each in _apart(said) if not self._is_several(each)]

    def _named(self, name: Name) -> Named:
        start = name.start
        text = self.prose[start : name.end]
        if not name.link and not name.known:
            start = self._begin(start, name.end)
            text = _LOWER_END.sub("", self.prose[start : name.end])
            text = _NEXT_BEGUN.sub(lambda match: "" if match[1].lower() in OPENERS else match[0], text)
        types, _ = self.shown.types(text, name.ref)
        return Named(start, start + len(text), text, name.ref, name.known or name.link, types)

    def learn(self, named: Named) -> None:
        """Take in a name that a sentence told, for what comes after it."""
        if self.over(named.start, named.end) is None:
            insort(self.names, named, key=lambda name: name.start)

    def _is_several(self, name: Name) -> bool:
        """Whether a guess takes "Bo and Cy" for one."""
        if name.known or name.link or (match := _AND.search(self.prose, name.start, name.end)) is None:
            return False
        parts = self.prose[name.start : match.start()], self.prose[match.end() : name.end]
        person = name.ref.typing.type is EntityType.PERSON or match[0] in {" to ", " with "}
        return person or all(is_given_name(part.split(maxsplit=1)[0].casefold()) for part in parts)

    def _begin(self, start: int, end: int) -> int:
        """Where a guessed name begins: after "Acme CEO", and before a given name that was left out."""
        for word in reversed(list(_WORD.finditer(self.prose, start, end))):
            if word[0].lower() in self.roles and word.end() < end - 1:
                return word.end() + 1
        before = _LAST_WORD.search(self.prose[max(0, start - _LONGEST_WORD) : start])
        if before and before[1].lower() not in OPENERS and is_given_name(before[1].casefold()):
            return start - len(before[1]) - 1
        return start

    def over(self, start: int, end: int) -> Named | None:
        """The name that a word is part of."""
        at = bisect_right(self.names, start, key=lambda name: name.start) - 1
        if at < 0 or self.names[at].end < end:
            return None
        return self.names[at]

    def before(self, past: int, types: Types) -> Named | None:
        """The only one of a type who is named in this sentence or the one before, else the only one of the block."""
        fitting = [each for each in self.names if each.start < past and self.types_of(each) & types]
        if not fitting and EntityType.ORGANIZATION in types:  # "the company" is what is neither a person nor a place
            fitting = [each for each in self.names if each.start < past and not self.types_of(each)]
        here = bisect_right(self._starts, past) - 1
        begin = self._starts[max(0, here - 1)]
        near = {name_key(each.text): each for each in fitting if each.start >= begin}
        if types == _PERSON and not any(map(_is_surely_somebody, near.values())):
            near = near if not any(map(_is_surely_somebody, fitting)) else {}
            fitting = [each for each in fitting if _is_surely_somebody(each)] or fitting
        if not near:
            near = {name_key(each.text): each for each in fitting}
        return next(iter(near.values())) if len(near) == 1 else None

    def types_of(self, named: Named) -> Types:
        """What a name is shown to be by now."""
        return self.shown.types(named.text, named.ref)[0] or named.types

    def anyone_before(self, past: int, types: Types) -> bool:
        """Whether somebody of a type, or of no type that shows, is named before a place."""
        return any(each.start < past and (not each.types or each.types & types) for each in self.names)


def _is_surely_somebody(named: Named) -> bool:
    """Whether more than a guess says that a name is a person's: a small model takes many a place for one."""
    return named.known or is_given_name(named.text.split()[0].casefold())


def _apart(names: Sequence[Name]) -> list[Name]:
    """Names of which none lies in another: a link before a known name, and that before a guess; then the longest."""
    kept: list[Name] = []
    for each in sorted(names, key=lambda name: (not name.link, not name.known, name.start - name.end)):
        if all(each.end <= one.start or one.end <= each.start for one in kept):
            kept.append(each)
    return sorted(kept)
