"""How a note calls a person whom it names in full: "Anna", "Dr. Berg" or "A. Berg", where it also says "Anna Berg".

Only within one note, and only if nobody else in it could be meant: what holds across notes is for resolution to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kgmem.extraction.proposal import MentionProposal, Ref
from kgmem.extraction.relations.words import OPENERS, TITLES
from kgmem.model import AliasKind, EntityType
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import parse_person
from kgmem.sources.document import Block, Document

if TYPE_CHECKING:
    from kgmem.extraction.entities import NamedSpan

_NAME: Final = r"[^\W\d_a-z][^\W\d_]+(?:[-'’][^\W\d_]+)*"
_NO_NAME: Final = OPENERS | TITLES | {"will"}
_EVERYDAY: Final = frozenset(
    "art bill chase dawn dean drew eve faith frank gene grace grant guy hope jack joy mark miles pat penny ray rich rob"
    " rose ruby sky sue summer autumn victor wade".split()
)
"""Given names that may open a sentence as any word does."""
_BEFORE_FAMILY: Final = r"(?:Dr|Prof|Professor|Mr|Mrs|Ms|Mx|Miss|Herr|Frau|Mme|Sr|Sra|Doctor)\.?[^\S\n]+"
_SENTENCE_END: Final = ".!?:;\n•*-–—"


@dataclass(frozen=True, slots=True)
class Person:
    """A person whom a document names in full, and the reference that does."""

    ref: Ref
    name: str
    key: str
    """The same for all references to one person."""
    rung: str = "names"


@dataclass(frozen=True, slots=True)
class _Full:
    """The two names of a person as written, and the short forms' common key."""

    person: Person
    given: str
    family: str


class ShortNames:
    """The short names of the persons of one document."""

    def __init__(self, document: Document, persons: Iterable[Person], settled: Iterable[str] = ()) -> None:
        """Read whom the document names.

        Args:
            document: the note.
            persons: whom it names in full; the same one may come several times.
            settled: short names that somebody decided the meaning of, for this note.
        """
        self._document = document
        everybody = list(persons)
        full = [found for each in everybody if (found := _full(each)) is not None]
        self._families = _only((each.family, each.person) for each in full)
        given = _only((each.given, each.person) for each in full)
        unshared = {word: who for word, who in given.items() if not self._is_shared(word, who, everybody)}
        decided = {word: Person(Ref(word, AliasKind.TEXT), word, name_key(word)) for word in settled}
        self._given: Mapping[str, Person] = {**unshared, **decided}
        words = sorted(self._given, key=len, reverse=True)
        self._finder = _given_finder(words) if words else None
        families = sorted(self._families, key=len, reverse=True)
        self._titled = re.compile(rf"\b{_BEFORE_FAMILY}(?P<name>{_any(families)})(?![\w-])") if families else None

    def mentions(
        self, index: int, block: Block, taken: list[tuple[int, int]], named: Sequence[NamedSpan] = ()
    ) -> list[MentionProposal]:
        """Where a block calls a person by a short name, outside of what is taken; it is taken then.

        Args:
            index: of the block.
            block: to read.
            taken: spans that other names have.
            named: what the language rung took for names.
        """
        people = {(span.start, span.end) for span in named if span.type is EntityType.PERSON}
        found: list[MentionProposal] = []
        for start, end, person in (*self._bare(block, people), *self._with_family(block, named)):
            if all(end <= first or last <= start for first, last in taken):
                taken.append((start, end))
                surface = block.prose[start:end]
                found.append(MentionProposal(index, person.ref, start, end, surface, person.rung))
        return found

    def _bare(self, block: Block, people: set[tuple[int, int]]) -> Iterator[tuple[int, int, Person]]:
        for match in self._finder.finditer(block.prose) if self._finder else ():
            start, end = match.span("name")
            person = self._given[match["name"]]
            everyday = match["name"].casefold() in _EVERYDAY and _opens(block.prose, start)
            unsure = everyday or person.rung == "spacy"
            if not _goes_on(match) and (not unsure or (start, end) in people):
                yield start, end, person

    def _with_family(self, block: Block, named: Sequence[NamedSpan]) -> Iterator[tuple[int, int, Person]]:
        """A family name after a title, or in what the language rung takes for a person's name: "Berg", "A. Berg"."""
        for match in self._titled.finditer(block.prose) if self._titled else ():
            yield (*match.span("name"), self._families[match["name"]])
        for span in named:
            if span.type is EntityType.PERSON and (person := self._by_family(span.surface)):
                yield span.start, span.end, person

    def _by_family(self, surface: str) -> Person | None:
        person = self._families.get(surface.rsplit(maxsplit=1)[-1])
        if person is None:
            return None
        said, full = parse_person(surface), parse_person(person.name)
        if said.bare:
            return person if len(surface.split()) == 1 else None
        initial = len(said.given[0]) == 1 and full.given[0].startswith(said.given[0])
        return person if initial and said.family == full.family else None

    def _is_shared(self, given: str, person: Person, everybody: Iterable[Person]) -> bool:
        """Whether the note names somebody else whose name begins so, by a link or by the words after it."""
        finder = _given_finder([given])
        own = {each.name.casefold() for each in everybody if each.key == person.key}
        for block in self._document.blocks:
            for link in block.links:
                names = {link.target.rsplit("/", 1)[-1].casefold(), link.shown.casefold()}
                ours = bool(names & own) or (link.path is not None and link.path == person.ref.path)
                if not ours and any(name.split()[:1] == [given.casefold()] for name in names):
                    return True
            for match in finder.finditer(block.prose):
                if _goes_on(match) and not _begins(block.prose[match.start() :], own):
                    return True
        return False


def _full(person: Person) -> _Full | None:
    """A person's given and family name as written; None of one who has but one name, or one that names nobody."""
    words = person.name.split()
    while words and words[0].rstrip(".").casefold() in TITLES:
        words = words[1:]
    parsed = parse_person(person.name)
    if len(words) < 2 or parsed.bare or parsed.whole or not words[-1][:1].isupper():  # noqa: PLR2004
        return None
    if not re.fullmatch(_NAME, words[0]) or words[0].casefold() in _NO_NAME:
        return None
    return _Full(person, words[0], words[-1] if re.fullmatch(_NAME, words[-1]) else "")


def _only(found: Iterable[tuple[str, Person]]) -> dict[str, Person]:
    """Each short name that one person alone has."""
    bearers: dict[str, dict[str, Person]] = {}
    for word, person in found:
        if word:
            bearers.setdefault(word, {}).setdefault(person.key, person)
    return {word: next(iter(people.values())) for word, people in bearers.items() if len(people) == 1}


def _any(words: Sequence[str]) -> str:
    return "|".join(map(re.escape, words))


def _given_finder(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w@#/.'’-])(?P<name>{_any(words)})(?![\w@/-])(?:[^\S\n]+(?P<more>{_NAME}))?")


def _goes_on(match: re.Match[str]) -> bool:
    """Whether another name follows: "Anna Berg", not "Anna Yesterday"."""
    return match["more"] is not None and match["more"].lower() not in OPENERS


def _opens(prose: str, start: int) -> bool:
    """Whether a word opens its sentence."""
    before = prose[:start].rstrip(" \t\"'“‘(")
    return not before or before[-1] in _SENTENCE_END


def _begins(text: str, names: set[str]) -> bool:
    folded = " ".join(text[:100].casefold().split())
    return any(folded.startswith(name) for name in names)
