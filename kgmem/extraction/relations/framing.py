"""What stands around sentences and makes them no statement of the writer's: a speaker's name, a story, a strike.

A label before a colon that may be a speaker's name, or announces no facts, takes all that follows it in its block.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import Final

from kgmem.extraction.ontology import Rank, Typing
from kgmem.extraction.relations.words import (
    DOUBTED_LABELS,
    HARMLESS_LABELS,
    HEDGES,
    INVENTED,
    INVENTIONS,
    QUOTING,
    TAKEN_BACK,
    UNSAID,
)
from kgmem.extraction.tongues import is_foreign
from kgmem.sources.document import Block, Head

_STRUCK: Final = re.compile(r"~~(?=\S)(?:[^~]|~(?!~))+~~")
_LABEL: Final = re.compile(
    r"^[^\S\n]*(?:[\[(]?\d{1,2}:\d\d(?::\d\d)?[\])]?[^\S\n]+(?:[-–][^\S\n]+)?)?"
    r"(?P<label>[^\W\d_][\w.'’&-]*(?:[^\S\n]+[\w.'’&-]+){0,4})[^\S\n]*:(?=\s)",
    re.MULTILINE,
)
_WORD: Final = re.compile(r"[^\W_]+")
_LOGGED: Final = re.compile(
    r"^[^\S\n]*(?:"
    r"[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?[\w.,:+-]*[\])]?[^\S\n]+"
    r"[\[(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b"
    r"|[A-Z][a-z]{2}[^\S\n]+\d{1,2} \d\d:\d\d:\d\d \S+ \S+: "
    r").*$",
    re.MULTILINE,
)
"""A line that a program wrote: "2024-02-11T03:17:00Z INFO …", "Feb 11 04:00:01 host sshd[99]: …"."""
_CLAUSE_OF_LAW: Final = re.compile(r"\s*(?:[>*-]\s+)?§")
LONGEST_DENIAL: Final = 100
"""Code points after a sentence that are enough to see whether they take it back."""
_NOT_NEWLINE: Final = re.compile(r"[^\n]")
_DOUBTED_LABELS: Final = HEDGES | INVENTIONS | DOUBTED_LABELS
_TALES: Final = frozenset({"Book", "Film", "Show", "Game", "Character"})
"""Of whom a note about one of these tells, nobody can say whether they live."""


def is_tale(head: Head, typing: Typing, *, told: bool = False) -> bool:
    """Whether the sentences of a note about people may well be invented, and nobody wants to know them.

    Args:
        head: of the note.
        typing: what it is about.
        told: what is told of the people of books and games is wanted; see `Ontology.tales`.
    """
    if not told and typing.subtype in _TALES and typing.rank <= Rank.FOLDER:
        return True
    return any(names_invention(words) for words in (head.title, *head.tags))


@lru_cache(maxsize=1024)
def names_invention(words: str) -> bool:
    """Whether a title, heading or tag announces what nobody did."""
    return not INVENTIONS.isdisjoint(_WORD.findall(words.lower())) or "story idea" in words.lower()


def readable_prose(block: Block) -> str:
    """The prose of a block that its writer stands by, at the same offsets; empty if it is all of others.

    Rules ("§ 4. The Treasurer is …"), what programs log and what is not English are nobody's statements.
    """
    prose = block.prose
    if (block.kind == "callout" and QUOTING.match(block.text)) or _CLAUSE_OF_LAW.match(prose) or is_foreign(prose):
        return ""
    if _LOGGED.search(prose):
        prose = _LOGGED.sub(_blank, prose)
    if "~~" not in block.text:
        return prose
    for match in _STRUCK.finditer(block.text):
        start, end = match.span()
        if not prose[start : start + 2].strip():  # in code the marks are no marks, and the prose is blank already
            prose = prose[:start] + _NOT_NEWLINE.sub(" ", prose[start:end]) + prose[end:]
    return prose


def _blank(match: re.Match[str]) -> str:
    return _NOT_NEWLINE.sub(" ", match[0])


class Labels:
    """The labels in a text, and whom what follows them belongs to."""

    def __init__(self, prose: str, owner: str | None) -> None:
        found = list(_LABEL.finditer(prose)) if ":" in prose else []
        self._starts = [match.end() for match in found]
        self._harmless = [_is_harmless(match["label"], owner) for match in found]

    def taken(self, at: int) -> bool:
        """Whether a place belongs to another speaker, or to a story."""
        before = bisect_right(self._starts, at)
        return before > 0 and not self._harmless[before - 1]


def _is_harmless(label: str, owner: str | None) -> bool:
    """Whether words before a colon lead to what follows: "Good news"; not "Joe", "Aunt May" or "Story idea"."""
    if owner is not None and label.casefold() == owner.casefold():
        return True
    words = _WORD.findall(label)
    lowered = [word.lower() for word in words]
    if not _DOUBTED_LABELS.isdisjoint(lowered):
        return False
    speaker = len(words) == 1 or words[-1][0].isupper()
    return not speaker or lowered[-1] in HARMLESS_LABELS or lowered[-1].isdigit()


def is_unsaid(sentence: str, after: str = "") -> bool:
    """Whether a sentence says what is not so or was made up, or what comes after it takes it back."""
    lowered = sentence.lower()
    if UNSAID.search(lowered) or INVENTED.search(sentence) or TAKEN_BACK.search(lowered):
        return True
    return TAKEN_BACK.match(after.lstrip().lower()) is not None
