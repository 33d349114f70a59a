"""What kind of answer a question wants, by the words it begins with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What a question asks for."""

    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how many"
    KNOWN = "what is known"
    CHANGED = "what changed"
    YES_NO = "yes or no"
    WHICH = "which"
    """What, or which of several."""
    OPEN = "how or why"
    """No fact says it: how, why, what may be. A sentence of a note may."""
    WORDS = "words"
    """No question, or none in English: a name, words to look for."""


@dataclass(frozen=True, slots=True)
class Asking:
    """The kind of a question, and where the rest of it begins."""

    kind: Kind
    rest: int
    """Characters that the words which say it take."""
    noun: str = ""
    """What a noun beside them asks for: the city of "in which city"."""
    preposition: str = ""
    """What stands before them: the "at" of "at which company"."""


_AUXILIARIES: Final = "do does did is are was were am has have had will would can could should may might"
AUXILIARIES: Final = frozenset(_AUXILIARIES.split())
_AUXILIARY: Final = rf"(?:{'|'.join(AUXILIARIES)})"
_TIMES: Final = r"(?:year|month|day|date|week|season)"
_PREPOSITIONS: Final = "in on at for from to with by of since until during".split()
_PREPOSITION: Final = rf"(?:(?:{'|'.join(_PREPOSITIONS)})\s+)?"
_CHANGED: Final = (
    r"(?:what(?:['’]s|\s+has|\s+have)?\s+happened\s+(?:to|with|in|at)\b"
    r"|what(?:['’]s|\s+has|\s+have|\s+is|\s+was)?\s+(?:changed|new|different)\b"
    r"|how\s+(?:has|have|did)\b(?=.*\bchanged?\b))"
)
_KNOWN: Final = (
    r"(?:what\s+(?:do|did|does)\s+(?:i|we|(?:my|our)\s+notes?)\s+(?:know|write|say|believe|note|have)\s+(?:about|on|of)\b"
    r"|what\s+(?:is|are|was|were)\s+known\s+(?:about|of)\b|(?:tell|remind)\s+me\s+(?:about|of)\b"
    r"|what\s+about\b|everything\s+about\b)"
)
_FORMS: Final = tuple(
    (kind, re.compile(rf"\s*(?:and\s+|so\s+|but\s+)?{form}", re.IGNORECASE))
    for kind, form in (
        (Kind.CHANGED, _CHANGED),
        (Kind.KNOWN, _KNOWN),
        (Kind.HOW_MANY, rf"{_PREPOSITION}how\s+(?:many|much)\b"),
        (Kind.WHEN, rf"(?:since\s+|until\s+)?when\b|how\s+(?:long|old)\b|{_PREPOSITION}(?:what|which)\s+{_TIMES}\b"),
        (Kind.WHERE, r"(?:from\s+)?where(?:['’]s)?\b"),
        (Kind.WHO, rf"{_PREPOSITION}(?:who|whom|whose)(?:['’]s)?\b"),
        (Kind.WHICH, rf"{_PREPOSITION}(?:what(?:['’]s)?|which)\b(?:\s+(?!{_AUXILIARY}\b)(?P<noun>[^\W\d_]+)\b)?"),
        (Kind.OPEN, r"(?:how|why)\b|(?=(?:will|would|can|could|should|may|might)(?:n['’]t)?\s)"),
        (Kind.YES_NO, rf"(?={_AUXILIARY}(?:n['’]t)?\s)"),
    )
)
_PLACES: Final = frozenset("place city town village country region state place places cities countries".split())
_PEOPLE: Final = frozenset("person people man woman men women".split())


def read_kind(question: str) -> Asking:
    """What a question asks for. A noun after "which" may say it: "in which city" is where, "which person" is who."""
    for kind, form in _FORMS:
        match = form.match(question)
        if match is None:
            continue
        first = match[0].lower().split()[:1]
        said = first[0] if first and first[0] in _PREPOSITIONS else ""
        noun = (match.groupdict().get("noun") or "").lower()
        if noun in _PLACES:
            return Asking(Kind.WHERE, match.end(), noun, said)
        if noun in _PEOPLE:
            return Asking(Kind.WHO, match.end(), noun, said)
        if kind is Kind.WHEN and match[0].lower().endswith("old"):
            return Asking(kind, match.end(), "age")
        return Asking(kind, match.start("noun") if noun else match.end(), preposition=said)
    return Asking(Kind.WORDS, 0)
