"""How a note calls somebody whom it names in full: "Anna", "Dr. Berg" or "A. Berg", where it also says "Anna Berg".

Organizations too: "Brannock" or "BFC" beside "Brannock Food Company". Only within one note, and only if nobody else in
it could be meant: what holds across notes is for resolution to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kgmem.extraction.marks import is_free
from kgmem.extraction.proposal import MentionProposal, Ref
from kgmem.extraction.relations.words import OPENERS, TITLES
from kgmem.model import AliasKind, EntityType
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name, parse_person
from kgmem.resolution.variants import first_word, is_acronym_of
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
_CAPITALS: Final = re.compile(r"(?<![\w@#/.&-])(?:[A-Z]{3,6}|(?:[A-Z]\.){3,6})(?![\w@/&-])")
_SENTENCE_END: Final = ".!?:;\n•*-–—"


@dataclass(frozen=True, slots=True)
class Full:
    """Somebody whom a document names in full, and the reference that does."""

    ref: Ref
    name: str
    key: str
    """The same for all references to one."""
    type: EntityType = EntityType.PERSON
    rung: str = "names"
    called: str = ""
    """The words of a link to it: a given name among them means it in the rest of the note."""


class ShortNames:
    """The short names of those whom one document names in full."""

    def __init__(self, document: Document, full: Iterable[Full], settled: Iterable[str] = ()) -> None:
        """Read whom the document names.

        Args:
            document: the note.
            full: whom it names in full; the same one may come several times.
            settled: short names that somebody decided the meaning of, for this note.
        """
        self._document = document
        self._full = list(full)
        people = [(parts, each) for each in self._full if (parts := _parts(each)) is not None]
        self._families = _only((family, each) for (_, family), each in people)
        given = ((given, each) for (given, _), each in people)
        called = ((each.called, each) for each in self._full if is_given_name(each.called.casefold()))
        words = _only([*given, *called, *self._first_words()])
        unshared = {word: who for word, who in words.items() if not self._is_shared(word, who)}
        decided = {word: Full(Ref(word, AliasKind.TEXT), word, name_key(word)) for word in settled}
        every = {**unshared, **decided}
        self._short: Mapping[str, Full] = {word: every[word] for word in sorted(every, key=len, reverse=True)}
        """The longest first, as they are looked for."""

    def mentions(
        self, index: int, block: Block, taken: list[tuple[int, int]], named: Sequence[NamedSpan] = ()
    ) -> list[MentionProposal]:
        """Where a block calls somebody by a short name, outside of what is taken; it is taken then.

        Args:
            index: of the block.
            block: to read.
            taken: spans that other names have.
            named: what the language rung took for names.
        """
        found: list[MentionProposal] = []
        for start, end, who in (*self._words(block, named), *self._with_family(block, named), *self._acronyms(block)):
            if is_free(start, end, taken):
                taken.append((start, end))
                found.append(MentionProposal(index, who.ref, start, end, block.prose[start:end], who.rung))
        return found

    def _first_words(self) -> Iterator[tuple[str, Full]]:
        for each in self._full:
            if each.type is EntityType.ORGANIZATION and each.rung != "spacy" and (word := first_word(each.name)):
                yield word, each

    def _words(self, block: Block, named: Sequence[NamedSpan]) -> Iterator[tuple[int, int, Full]]:
        people = {(span.start, span.end) for span in named if span.type is EntityType.PERSON}
        for word, who in self._short.items():
            for match in _finder(word).finditer(block.prose) if word in block.prose else ():
                start, end = match.span("name")
                everyday = word.casefold() in _EVERYDAY and _opens(block.prose, start)
                unsure = everyday or who.rung == "spacy"
                if not _goes_on(match) and (not unsure or (start, end) in people):
                    yield start, end, who

    def _with_family(self, block: Block, named: Sequence[NamedSpan]) -> Iterator[tuple[int, int, Full]]:
        """A family name after a title, or in what the language rung takes for a person's name: "Berg", "A. Berg"."""
        for family, who in self._families.items():
            for match in _titled(family).finditer(block.prose) if family in block.prose else ():
                yield (*match.span("name"), who)
        for span in named:
            if span.type is EntityType.PERSON and (person := self._by_family(span.surface)):
                yield span.start, span.end, person

    def _by_family(self, surface: str) -> Full | None:
        person = self._families.get(surface.rsplit(maxsplit=1)[-1])
        if person is None:
            return None
        said, full = parse_person(surface), parse_person(person.name)
        if said.bare:
            return person if len(surface.split()) == 1 else None
        initial = len(said.given[0]) == 1 and full.given[0].startswith(said.given[0])
        return person if initial and said.family == full.family else None

    def _acronyms(self, block: Block) -> Iterator[tuple[int, int, Full]]:
        """Capitals that are the first letters of one organization alone."""
        for match in _CAPITALS.finditer(block.prose):
            meant = {
                each.key: each
                for each in self._full
                if each.type is EntityType.ORGANIZATION and is_acronym_of(match[0], each.name)
            }
            if len(meant) == 1:
                yield match.start(), match.end(), next(iter(meant.values()))

    def _is_shared(self, word: str, who: Full) -> bool:
        """Whether the note names somebody else whose name begins so, by a link or by the words after it."""
        finder = _finder(word)
        own = {each.name.casefold() for each in self._full if each.key == who.key}
        for block in self._document.blocks:
            for link in block.links:
                names = {link.target.rsplit("/", 1)[-1].casefold(), link.shown.casefold()}
                ours = bool(names & own) or (link.path is not None and link.path == who.ref.path)
                if not ours and any(name.split()[:1] == [word.casefold()] for name in names):
                    return True
            for match in finder.finditer(block.prose) if word in block.prose else ():
                if _goes_on(match) and not _begins(block.prose[match.start() :], own):
                    return True
        return False


def _parts(who: Full) -> tuple[str, str] | None:
    """A person's given and family name as written; None of one who has but one name, or one that names nobody."""
    if who.type is not EntityType.PERSON:
        return None
    words = who.name.split()
    while words and words[0].rstrip(".").casefold() in TITLES:
        words = words[1:]
    parsed = parse_person(who.name)
    if len(words) < 2 or parsed.bare or parsed.whole or not words[-1][:1].isupper():  # noqa: PLR2004
        return None
    if not re.fullmatch(_NAME, words[0]) or words[0].casefold() in _NO_NAME:
        return None
    return words[0], words[-1] if re.fullmatch(_NAME, words[-1]) else ""


def _only(found: Iterable[tuple[str, Full]]) -> dict[str, Full]:
    """Each short name that one alone has."""
    bearers: dict[str, dict[str, Full]] = {}
    for word, who in found:
        if word:
            bearers.setdefault(word, {}).setdefault(who.key, who)
    return {word: next(iter(each.values())) for word, each in bearers.items() if len(each) == 1}


@lru_cache(1 << 14)
def _finder(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w@#/.'’-])(?P<name>{re.escape(word)})(?![\w@/-])(?:[^\S\n]+(?P<more>{_NAME}))?")


@lru_cache(1 << 14)
def _titled(family: str) -> re.Pattern[str]:
    return re.compile(rf"\b{_BEFORE_FAMILY}(?P<name>{re.escape(family)})(?![\w-])")


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
