"""Words that are alike and meant to differ: supervised and unsupervised, import and export, first and second.

A slip of the pen mostly makes a word that is none. A prefix that turns a word around, or another word of the same kind
(a direction, a month, a number), makes another name of a name. English, as the notes it was grown on.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_PREFIXES: Final = frozenset(
    "a ab an ante anti auto bi co contra counter de demi dis dys en ex extra fore hyper hypo il im in infra inter intra"
    " ir macro mal mega meta micro mini mis mono multi non omni out over para poly post pre pro proto pseudo quasi re"
    " retro semi sub super trans tri ultra un under uni".split()
)
"""What stands before a word and makes another one of it, also by grading it."""
_APART: Final = frozenset("anti hyper hypo inter intra macro micro multi non post pre pseudo quasi semi".split())
"""Those that are written as a word of their own, too, and are no word otherwise."""
_STEM: Final = 4
"""Letters from which what a prefix stands before is taken for a word."""
_ANYWHERE: Final = 4
"""Letters from which a part turns a word around wherever it stands in it, as in north-*east*-ern."""
_TURNED: Final = (
    ("north", "south"), ("east", "west"), ("left", "right"), ("upper", "lower"), ("inner", "outer"),
    ("over", "under"), ("up", "down"), ("pre", "post"), ("ante", "post"), ("pro", "anti"), ("micro", "macro"),
    ("mini", "maxi"), ("inter", "intra"), ("intro", "extro"), ("intro", "retro"), ("hyper", "hypo"), ("endo", "exo"),
    ("homo", "hetero"), ("mono", "poly"), ("uni", "multi"), ("sub", "super"), ("infra", "ultra"), ("in", "ex"),
    ("im", "ex"), ("in", "de"), ("en", "de"), ("as", "des"),
)  # fmt: skip
"""Parts that stand for each other, each time the other way round."""
_KINDS: Final = tuple(
    frozenset(kind.split())
    for kind in (
        "north south east west northeast northwest southeast southwest",
        "northern southern eastern western central",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
        "one two three four five six seven eight nine ten eleven twelve",
        "january february march april may june july august september october november december",
        "monday tuesday wednesday thursday friday saturday sunday",
        "spring summer autumn winter",
        "morning afternoon evening night",
        "daily weekly monthly quarterly yearly",
        "primary secondary tertiary",
        "beginner intermediate advanced",
        "black white red green blue yellow orange purple brown pink silver golden",
        "alpha beta gamma delta epsilon",
        "old new",
        "high low",
        "open closed",
        "male female",
        "men women",
    )
)
"""Words of which each names another one of a kind."""


@lru_cache(1 << 16)
def opposed(one: str, other: str) -> bool:
    """Whether two words, by `forms.plain_key`, were meant to differ, however alike they are spelled."""
    if one != other and any(one in kind and other in kind for kind in _KINDS):
        return True
    short, full = sorted((one, other), key=len)
    if len(short) >= _STEM and full.endswith(short) and full.removesuffix(short) in _PREFIXES:
        return True
    return any(_turns(one, other, *pair) or _turns(other, one, *pair) for pair in _TURNED)


def is_prefix(word: str) -> bool:
    """Whether a word is a prefix that is written apart: the first one of ``non-linear``."""
    return word in _APART


def _turns(one: str, other: str, part: str, against: str) -> bool:
    if one.startswith(part):
        return other == against + one.removeprefix(part)
    return len(part) >= _ANYWHERE and part in one and other == one.replace(part, against, 1)
