"""Whether a sentence of a model tells as present what is over: "Mira lives in Mâcon", of a line that ends in 2023.

A clause that is not in the past tense has to rest on what still holds, and any clause on what held at the time asked
about, if a question asks about one. What no longer holds carries "Mira lived in Mâcon", and that alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kgmem.model import UNKNOWN, Period
from kgmem.recall.context import Item
from kgmem.recall.facts import world_range
from kgmem.recall.times import tells_of_others

_CLAUSE: Final = re.compile(r"[;,:]\s+|\s+(?:and|but|while|whereas|although|though|where|who|which)\s+", re.IGNORECASE)
_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|formerly|previously|earlier|once|ago|until|till|ended|ex|former|previous|used|died"
    r"|left|went|came|became|began|met|took|gave|held|led|wrote|made|ran|grew|bought|sold|taught|kept|lost|won|spent"
    r"|drew|built|sent|quit|said|told|knew|got|found|brought|fell|stood|spoke|sang|drove)\b"
    r"|\b(?-i:(?!hundred\b)[a-z]{3,}(?<!e)ed)\b",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(
    r"(?:\b(?:has|have)|['’]s|['’]ve)\b.*\b(?:since|for)\b|(?:\b(?:is|are|am)|['’]s|['’]re)\s+(?:\w+\s+)?\w+ed\b",
    re.IGNORECASE,
)
"""Has lived there since, is married: it still goes on."""
_PRESENT: Final = re.compile(r"\b(?:is|are|am|has|have|does|do|now|currently|[a-z]{2,}[a-rt-z]s)\b")
_PROPERTY: Final = re.compile(r"(?<![^\s>*(\[-])[\w-]+::\s.*?(?=(?:\s[\w-]+::\s)|$)")
_DATES: Final = re.compile(r"\(([^()]*\d{4}[^()]*)\)\s*$")
_SENTENCE: Final = re.compile(r"[^.!?。！？]+(?:[.!?](?=\S)[^.!?]*)*[.!?。！？]?")


@dataclass(frozen=True, slots=True)
class Asked:
    """What holds of some lines at the time that a question asks about."""

    standing: Sequence[str]
    """Each line without what it tells of other times."""
    dated: bool = False
    """Whether it asks about another time than now."""

    def stand(self, number: int) -> str:
        """What stands of a line, numbered from 1."""
        return self.standing[number - 1]


def asked_of(items: Sequence[Item], at: tuple[int, int], *, dated: bool) -> Asked:
    """What holds of the lines of a block.

    Args:
        items: the lines.
        at: world seconds [from, to) that are asked about.
        dated: whether they are those of another time than now.
    """
    return Asked([_standing(item, at, dated=dated) for item in items], dated)


def _standing(item: Item, at: tuple[int, int], *, dated: bool) -> str:
    if item.kind == "past":
        return ""
    if item.kind != "passage":
        return item.text
    place, text = item.text[: item.begins], item.text[item.begins :]
    text = _PROPERTY.sub(lambda found: found[0] if _holds(found[0], at) else "", text)
    if dated:
        kept = (each[0] for each in _SENTENCE.finditer(text) if not tells_of_others(each[0], UNKNOWN, at))
        text = "".join(kept)
    return place + text


def _holds(stated: str, at: tuple[int, int]) -> bool:
    """Whether a property holds in a period, by the dates behind its value; without any it does."""
    dates = _DATES.search(stated)
    if dates is None:
        return True
    from kgmem.extraction.dates import read_period

    period: Period | None = read_period(dates[1], date(1970, 1, 1))
    if period is None:
        return True
    start, past = world_range(period)
    return start < at[1] and at[0] < past


def clauses_of_the_time(said: str, *, dated: bool) -> list[str]:
    """The clauses of a sentence that have to hold at the time asked about: of now, those that are not in the past.

    A clause without a verb goes with the one before it; at the beginning of the sentence with the one after it.
    """
    found: list[str] = []
    past: bool | None = None
    waiting = ""
    for part in filter(str.strip, _CLAUSE.split(said)):
        clause = f"{waiting} {part}".strip()
        goes_on = _GOES_ON.search(clause)
        if not goes_on and _PAST.search(clause):
            past = True
        elif goes_on or _PRESENT.search(clause):
            past = False
        waiting = clause if past is None else ""
        if past is not None and (dated or not past):
            found.append(clause)
    return [waiting] if waiting else found
