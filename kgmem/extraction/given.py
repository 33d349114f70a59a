"""How a note calls the person it is about: "Anna", in the note of Anna Roth."""

from __future__ import annotations

import re
from typing import Final

from kgmem.extraction.ontology import Rank, Typing
from kgmem.extraction.proposal import MentionProposal, Ref
from kgmem.extraction.relations.words import OPENERS, TITLES
from kgmem.model import AliasKind, EntityType
from kgmem.sources.document import Block, Document

_NAME: Final = re.compile(r"[^\W\d_a-z][^\W\d_]+(?:[-'’][^\W\d_]+)*")
_NO_NAME: Final = OPENERS | TITLES | {"will"}


class GivenName:
    """The first name of the person a note is about, if nothing else in the note begins so."""

    def __init__(self, document: Document, typing: Typing) -> None:
        self._document = document
        self._ref = Ref(document.head.title, AliasKind.TEXT, document.head.path)
        first = _first_name(document.head.title) if _is_person(typing) else None
        self._finder = _finder(first) if first else None
        if self._finder is not None and self._is_shared(first or "", self._finder):
            self._finder = None

    def mentions(self, index: int, block: Block, taken: list[tuple[int, int]]) -> list[MentionProposal]:
        """Where a block calls the person so, outside of what is taken; it is taken then."""
        found: list[MentionProposal] = []
        for match in self._finder.finditer(block.prose) if self._finder else ():
            start, end = match.span("name")
            if not _goes_on(match) and all(end <= first or last <= start for first, last in taken):
                taken.append((start, end))
                found.append(MentionProposal(index, self._ref, start, end, match["name"], "names"))
        return found

    def _is_shared(self, first: str, finder: re.Pattern[str]) -> bool:
        """Whether the note names somebody else whose name begins so, by a link or by the words after it."""
        own = {name.casefold() for name in (self._document.head.title, *self._document.head.aliases)}
        for block in self._document.blocks:
            for link in block.links:
                names = {link.target.rsplit("/", 1)[-1].casefold(), link.shown.casefold()}
                if link.path != self._document.head.path and any(
                    name.split()[:1] == [first.casefold()] for name in names
                ):
                    return True
            for match in finder.finditer(block.prose):
                if _goes_on(match) and not _begins(block.prose[match.start() :], own):
                    return True
        return False


def _goes_on(match: re.Match[str]) -> bool:
    """Whether another name follows: "Anna Berg", not "Anna Yesterday"."""
    return match["more"] is not None and match["more"].lower() not in OPENERS


def _is_person(typing: Typing) -> bool:
    return typing.type is EntityType.PERSON and typing.rank <= Rank.FOLDER


def _first_name(title: str) -> str | None:
    """The first of two names or more, titles left out: nothing is shorter than a single one."""
    words = title.split()
    while words and words[0].rstrip(".").casefold() in TITLES:
        words = words[1:]
    whole = len(words) > 1 and _NAME.fullmatch(words[0]) and words[-1][:1].isupper()
    return words[0] if whole and words[0].casefold() not in _NO_NAME else None


def _finder(first: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w@#/.'’-])(?P<name>{re.escape(first)})(?![\w@/-])(?:[^\S\n]+(?P<more>{_NAME.pattern}))?")


def _begins(text: str, names: set[str]) -> bool:
    folded = " ".join(text[:100].casefold().split())
    return any(folded.startswith(name) for name in names)
