"""How two names can agree, and how much that says: the rarer the name, the more.

Weights are natural log-odds, after Fellegi and Sunter: the logarithm of how much likelier an agreement is between
names of one entity than between names of any two. What a kind of agreement can lead to is told in `score`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from kgmem.resolution.profile import Rarity, name_trait, share


class Kind(StrEnum):
    """How two names agree; the rules of `score` hang on it."""

    SAME = "same name"
    SPELLED = "same name without diacritics"
    LEGAL_FORM = "same name but for the legal form"
    OTHER_FORM = "same name with two legal forms"
    ALIAS = "one's alias is a name of the other"
    ACRONYM = "acronym"
    SHORT_ACRONYM = "acronym of two letters"
    WORDED = "same words but for some"
    MEANT = "other words of the same meaning"
    MISTYPED = "a short name but for a slip"
    SAME_PERSON = "same full name of a person"
    LONE_NAME = "same single name, not a common given name"
    VARIANT = "full names that may be one: short, mistyped, with initials"
    SLIP = "full names but for a digit in the place of a letter"
    BARE = "a single name or initials"
    OTHER_PERSON = "only the given or only the family name agrees"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A name of each of two entities, and what their agreement says."""

    kind: Kind
    weight: float
    """Log-odds, mostly above 0."""
    text: str
    """In words that a person reads."""


def surprise(rarity: Rarity, words: tuple[str, ...], typical: float) -> float:
    """The log-odds of having the commonest of these words in a name by chance: 7 if one in a thousand has it."""
    return -math.log(max(share(rarity, name_trait(word), typical) for word in words))
