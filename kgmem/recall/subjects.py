"""Of whom the verb of a sentence is said: of "they have a daughter, Elsa, born in 2020" it is Elsa who was born.

No sentence is parsed: the subject is the name that stands nearest before the verb, with those joined to it by "and".
A name behind a preposition, or one that owns what follows, is none; but "who" may stand for the former.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kgmem.recall.cues import PREPOSITIONS
from kgmem.resolution.names import name_key

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_JOINED: Final = re.compile(r"\s*(?:,|,?\s+and|\s*&)\s+", re.IGNORECASE)
_RELATIVE: Final = re.compile(
    r"\b(?:who|which|that)\s+(?:(?:was|were|is|are|had|has|have|once|later|first)\s+)*$", re.IGNORECASE
)
"""What stands for the name before it, right before a verb."""
_OWNING: Final = re.compile(r"['’]s?$")
_PRONOUNS: Final = frozenset({"i", "we"})
_BARE: Final = PREPOSITIONS | frozenset("between near before after since until during without like than".split())


def is_said_of(
    keys: Collection[str], verb: int, sentence: str, *, own: bool = False, skip: Collection[str] = ()
) -> bool:
    """Whether the verb that begins at a place of a sentence is said of somebody.

    Where no name stands before the verb, it is said of whom the note is about.

    Args:
        keys: the keys of their names.
        verb: where it begins.
        sentence: without marks.
        own: they are the owner of the memory, who says "I".
        skip: words, folded, that are no names though they are written like them.
    """
    names = _subjects(sentence[:verb], skip)
    if not names:
        said = " ".join(_OWNING.sub("", match[0]) for match in _WORD.finditer(name_key(sentence[:verb])))
        return not any(f" {key} " in f" {said} " for key in keys)
    return any((own and name in _PRONOUNS) or _means(name, keys) for name in names)


def _means(name: str, keys: Collection[str]) -> bool:
    """Whether a name in a text is one of some names, or a word of one."""
    return any(name == key or f" {name} " in f" {key} " or f" {key} " in f" {name} " for key in keys)


def _subjects(text: str, skip: Collection[str]) -> list[str]:
    """The last name of a text that may be a subject, with those joined to it; folded."""
    runs: list[tuple[int, int, bool]] = []
    before, last = "", 0
    for match in _WORD.finditer(text):
        word = match[0]
        folded = name_key(word)
        named = (word[0].isupper() and folded not in skip) or folded in _PRONOUNS
        if named and runs and runs[-1][1] == last and not text[last : match.start()].strip():
            runs[-1] = (runs[-1][0], match.end(), runs[-1][2])
        elif named:
            runs.append((match.start(), match.end(), before not in _BARE))
        before, last = word.lower(), match.end()
    relative = _RELATIVE.search(text) is not None
    found: list[tuple[int, int]] = []
    for start, end, free in reversed(runs):
        if found and not _JOINED.fullmatch(text[end : found[-1][0]]):
            break
        if found or ((free or relative) and not _OWNING.search(text[start:end])):
            found.append((start, end))
    return [name_key(text[start:end]) for start, end in found]
