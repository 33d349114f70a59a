"""Two questions in one: "where does Mira live and who is her manager?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from kgmem.model import Entity, EntityType, unique
from kgmem.recall.kinds import Kind, read_kind
from kgmem.recall.reply import GERMAN_WHAT, NEAREST, NOT_HERE

if TYPE_CHECKING:
    from kgmem.recall.answer import Answer
    from kgmem.recall.clauses import Understood
    from kgmem.store.protocol import EntityCard

_WORDS: Final = "who|whom|whose|what|when|where|which|how"
_AUXILIARY: Final = "is|was|are|were|do|does|did|has|had|have"
_SUBJECT: Final = r"(?:(?i:he|she|it|they|i|we|my|our)|(?-i:[^\W\d_a-z])\w*)"
"""How whom a question is about may begin: a pronoun, or a capital letter."""
_SECOND: Final = re.compile(
    rf"(?:[,;?]\s+(?:(?:and|but|or)\s+)?|\s+and\s+)(?P<second>(?:(?:at|in|since|for|to|with)\s+)?(?:{_WORDS})\b.*)"
    rf"|(?:[,;?]\s+(?:(?:and|but|or)\s+)?|\s+(?:and|but)\s+(?=\w+\s+{_SUBJECT}\b))(?P<other>(?:{_AUXILIARY})\b.*)"
    r"|\s+(?:and|but)\s+(?P<alike>(?:do|does|did)\s+\w+.*)",
    re.IGNORECASE | re.DOTALL,
)
"""Where a second question begins.

What only begins with an auxiliary needs a comma before it, or a pronoun or a name after it: "who lives in Bath and is a
baker" is one question. "Do" begins one beside whatever asks in that form.
"""
_IN_THAT_FORM: Final = frozenset({Kind.YES_NO, Kind.WHERE, Kind.WHEN, Kind.OPEN, Kind.HOW_MANY})
"""Kinds that ask with "do" and a subject: after "who" it may be the verb of the same question."""
_ALONE: Final = re.compile(r"(?:since\s+)?when[\s?.!]*", re.IGNORECASE)
_OWNED: Final = re.compile(
    r"\b(?P<pronoun>his|her|its|their)(?=\s+\w)(?!\s+(?:and|or|in|at|on|since|for|from|to|with|by)\b)", re.IGNORECASE
)
_MEANT: Final = re.compile(r"\b(?P<pronoun>he|she|it|they|him|her|them)\b", re.IGNORECASE)
_THINGS: Final = frozenset({"it", "its"})


def halves(question: str) -> tuple[str, str]:
    """(the first question, the second or nothing)."""
    asking = read_kind(question)
    if asking.kind is Kind.WORDS or GERMAN_WHAT.match(question):
        from kgmem.recall.foreign import foreign_halves

        return foreign_halves(question)
    found = None if asking.kind is Kind.KNOWN else _SECOND.search(question, max(asking.rest, 1))
    if found is not None and found["alike"] and asking.kind not in _IN_THAT_FORM:
        found = None
    if found is None or not question[asking.rest : found.start()].strip():  # "when and where did …" is one
        return question, ""
    second = (found["second"] or found["other"] or found["alike"]).strip()
    bare = _ALONE.fullmatch(second)  # "and when?": facts are told with their dates
    return question[: found.start()], "" if bare else second


def resolved(second: str, first: Understood, entities: Sequence[EntityCard]) -> str:
    """A second question with what the first was about in the place of its pronoun.

    "It" is the last thing that it was about. "She" is whom it found, where it asked who; else whom it was about.

    Args:
        second: the question.
        first: what the first one asked.
        entities: what that was about.
    """
    match = _OWNED.search(second) or _MEANT.search(second)
    if match is None:
        return second
    name = _meant(match["pronoun"].lower(), first, [card.entity for card in entities])
    owned = "'s" if name and match.re is _OWNED else ""
    return f"{second[: match.start()]}{name}{owned}{second[match.end() :]}" if name else second


def _meant(pronoun: str, first: Understood, entities: Sequence[Entity]) -> str:
    if pronoun in _THINGS:
        return next((each.name for each in reversed(entities) if each.type is not EntityType.PERSON), "")
    told = {each.id: each for fact in first.facts for each in (fact.subject, fact.object) if each is not None}
    found = [each.name for each in told.values() if each.type is EntityType.PERSON and each.id not in first.about]
    if first.kind is Kind.WHO and (len(found) == 1 or not first.facts):
        return found[0] if found else ""
    return next((each.name for each in entities if each.type is EntityType.PERSON), "")


def _second_line(second: Answer) -> str:
    """What is told to a second question; where that is nothing of its own, with the words that were not answered."""
    if second.text and not second.text.endswith((NEAREST, NOT_HERE)):
        return second.text
    asked = second.question.strip().rstrip("?!. ")
    return f"“{asked[:1].upper()}{asked[1:]}?” {second.text or NEAREST}"


def joined(question: str, first: Answer, second: Answer, limit: int) -> Answer:
    """Two answers as one: the passages of both in turn, at most `limit`."""
    pairs = zip_longest(first.passages, second.passages)
    passages = {each.id: each for pair in pairs for each in pair if each is not None}
    mine, other = first.trace, second.trace
    return replace(
        first,
        question=question,
        meaning=(),
        text=" ".join(each for each in (first.text, _second_line(second)) if each),
        entities=unique((*first.entities, *second.entities)),
        facts=first.facts or second.facts,
        facts_total=first.facts_total if first.facts else second.facts_total,
        passages=tuple(passages.values())[:limit],
        notes=unique((*first.notes, *second.notes)),
        told=unique((*first.told, *second.told)),
        trace=replace(
            mine,
            steps=(*mine.steps, *other.steps),
            touched=unique((*mine.touched, *other.touched)),
            seconds=round(mine.seconds + other.seconds, 6),
        ),
    )
