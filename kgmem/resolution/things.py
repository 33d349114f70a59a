"""How two names agree that are not names of persons."""

from __future__ import annotations

from collections import Counter
from typing import Final

from kgmem.resolution.agreement import Agreement, Kind, surprise
from kgmem.resolution.forms import acronyms, as_acronym, content_words, is_typo, legal_parts, squeeze, squeezed, words
from kgmem.resolution.names import name_key
from kgmem.resolution.opposites import is_prefix, opposed
from kgmem.resolution.profile import Rarity

_WORD: Final = 0.003
"""The share of names that a word is taken to stand in until a memory is large enough to tell."""
LONG: Final = 5
"""Words from which a name may lack or change some and still be meant, as titles do."""
_MOST: Final = 14.0
_ALIKE: Final = 0.65
_SAFE_ACRONYM: Final = 3
"""Letters from which an acronym says something by itself."""


def compare_things(one: str, other: str, rarity: Rarity, *, organization: bool, main: bool) -> Agreement | None:
    """How two names agree as names of anything but persons; None if they do not.

    Args:
        one: a name of one entity.
        other: a name of the other.
        rarity: how rare words are in names.
        organization: whether legal forms may be left out.
        main: whether both are main names; an alias may be borne by many.
    """
    ones, others = words(one), words(other)
    if not ones or not others:
        same = name_key(one) == name_key(other)
        return Agreement(Kind.SAME if main else Kind.ALIAS, _MOST / 2, f"both are called {one}") if same else None
    if squeezed(one) == squeezed(other):
        return _same(one, other, rarity, main=main)
    return (
        (_but_for_legal_form(one, other, rarity, main=main) if organization else None)
        or _acronym(one, other)
        or _acronym(other, one)
        or _worded(one, other, rarity)
    )


def _weight(found: tuple[str, ...], rarity: Rarity) -> float:
    return min(max(sum(surprise(rarity, (word,), _WORD) for word in found), 0), _MOST)


def _same(one: str, other: str, rarity: Rarity, *, main: bool) -> Agreement:
    weight = _weight(content_words(one), rarity)
    if _marked(one) != _marked(other):
        return Agreement(Kind.SPELLED, weight - 0.7, f"{one} and {other} differ only in diacritics")
    if name_key(one) == name_key(other):
        text = f"both are called {one}"
    else:
        text = f"{one} and {other} differ only in punctuation"
    return Agreement(Kind.SAME if main else Kind.ALIAS, weight, text)


def _marked(name: str) -> str:
    return "".join(char for char in name_key(name) if char.isalnum()).replace("ß", "ss")


def _but_for_legal_form(one: str, other: str, rarity: Rarity, *, main: bool) -> Agreement | None:
    (core, forms), (other_core, other_forms) = legal_parts(one), legal_parts(other)
    if squeeze(core) != squeeze(other_core):
        return None
    weight = _weight(core, rarity) - 0.5
    if forms and other_forms and forms != other_forms:
        return Agreement(Kind.OTHER_FORM, weight - 2, f"{one} and {other} have different legal forms")
    the = (words(one)[0] == "the") != (words(other)[0] == "the")
    told = [*(['"the"'] if the else ()), *(["the legal form"] if forms != other_forms else ())]
    text = f"{one} and {other} differ only in {' and '.join(told)}"
    return Agreement(Kind.LEGAL_FORM if main else Kind.ALIAS, weight, text)


def _acronym(short: str, full: str) -> Agreement | None:
    letters = as_acronym(short)
    if letters is None or letters not in acronyms(full):
        return None
    kind = Kind.ACRONYM if len(letters) >= _SAFE_ACRONYM else Kind.SHORT_ACRONYM
    return Agreement(kind, 2.0 * len(letters), f"{short} may be short for {full}")


def _worded(one: str, other: str, rarity: Rarity) -> Agreement | None:
    """Names of several words that share most of them, each weighed by its rarity; short ones all of them."""
    ones, others = Counter(content_words(one)), Counter(content_words(other))
    if min(ones.total(), others.total()) < 2:  # noqa: PLR2004
        return None
    shared = ones & others
    left, right = list((ones - shared).elements()), list((others - shared).elements())
    if _differ_on_purpose(left, right):
        return None
    typed = _typos(left, right)
    short = min(ones.total(), others.total()) < LONG
    if short and (left or right or len(typed) > 1):
        return None
    weights = {word: surprise(rarity, (word,), _WORD) for word in {*ones, *others}}
    agreeing = sum(weights[word] * times for word, times in shared.items())
    slips = 0.8 * sum(min(weights[a], weights[b]) for a, b in typed)
    alone = sum(weights[word] for word in (*left, *right))
    alike = 2 * (agreeing + slips) / (2 * (agreeing + slips) + alone)
    if alike < _ALIKE:
        return None
    weight = min(agreeing + slips, _MOST) * (2 * alike - 1)
    kind = Kind.MISTYPED if short and typed else Kind.WORDED
    return Agreement(kind, weight, _how_worded(one, other, typed, differ=bool(left or right)))


def differ_on_purpose(one: str, other: str) -> bool:
    """Whether a word of one name is the opposite of a word of the other, or another of its kind: Monday and Tuesday."""
    ones, others = Counter(content_words(one)), Counter(content_words(other))
    shared = ones & others
    return _differ_on_purpose(list((ones - shared).elements()), list((others - shared).elements()))


def _differ_on_purpose(left: list[str], right: list[str]) -> bool:
    """Whether a word of one name is the opposite of one of the other, or a prefix that the other lacks."""
    return any(map(is_prefix, (*left, *right))) or any(opposed(a, b) for a in left for b in right)


def _typos(left: list[str], right: list[str]) -> list[tuple[str, str]]:
    """Words of one list that are slips for words of the other, taken out of both."""
    typed = []
    for word in list(left):
        if slip := next((each for each in right if is_typo(word, each)), None):
            left.remove(word)
            right.remove(slip)
            typed.append((word, slip))
    return typed


def _how_worded(one: str, other: str, typed: list[tuple[str, str]], *, differ: bool) -> str:
    if differ:
        return f"{one} and {other} share most of their words"
    if typed:
        return f"{one} and {other} are nearly the same"
    if content_words(one) != content_words(other):
        return f"{one} and {other} are the same words in another order"
    ones, others = Counter(words(one)), Counter(words(other))
    small = " ".join(dict.fromkeys(word for word in (*words(one), *words(other)) if ones[word] != others[word]))
    return f'{one} and {other} differ only in "{small}"' if small else f"{one} and {other} differ in their small words"
