"""How two personal names agree."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from kgmem.resolution.agreement import Agreement, Kind, surprise
from kgmem.resolution.forms import is_digit_slip, is_typo, words
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import (
    PersonName,
    initial_of,
    is_given_name,
    is_nickname,
    long_forms,
    parse_person,
    skeleton,
)
from kgmem.resolution.profile import Rarity

_GIVEN: Final = 0.004
"""The share of people that a given name is taken to have until a memory is large enough to tell."""
_FAMILY: Final = 0.001
_INITIAL: Final = 2.3
_UNUSUAL: Final = 6.5
"""Log-odds from which a single name is rare enough to say something alone: about one in 650 has it."""
_SHORTEST: Final = 4
"""Letters from which a given name may be mistyped."""
_SOUNDS: Final = 3
"""Consonants from which two names that sound alike may be one: Jane and John are not."""


class Degree(IntEnum):
    """How far two parts of a name agree."""

    NO = 0
    PARTLY = 1
    SAME = 2


class Part(NamedTuple):
    """How two given or two family names agree."""

    degree: Degree
    weight: float
    text: str = ""


def compare_people(one: str, other: str, rarity: Rarity) -> Agreement | None:
    """How two names agree as names of persons; None if nothing in them does."""
    p, q = parse_person(one), parse_person(other)
    if (p.generation and q.generation and p.generation != q.generation) or (
        p.qualifier and q.qualifier and p.qualifier != q.qualifier
    ):
        return None
    if p.whole or q.whole:
        same = p == q
        return (
            Agreement(Kind.SAME_PERSON, surprise(rarity, (p.family,), _FAMILY) + 3, f"both are called {one}")
            if same
            else None
        )
    if p.only_initials or q.only_initials:
        return _initials(one, other, p, q)
    if p.bare or q.bare:
        return _bare(one, other, p, q, rarity)
    return _full(one, other, p, q, rarity)


def _full(one: str, other: str, p: PersonName, q: PersonName, rarity: Rarity) -> Agreement | None:
    if (p.given[0], p.family) == (q.family, q.given[0]) and p.family != q.family:
        weight = surprise(rarity, (p.given[0],), _GIVEN) + surprise(rarity, (p.family,), _FAMILY) - 2.5
        return Agreement(Kind.VARIANT, weight, f"{one} and {other} are the same words in another order")
    given, family, middle = _given(p, q, rarity), _family(p, q, rarity), _middle(p, q)
    kind = _kind(p, q, given.degree, family.degree)
    if kind is None:
        return None
    weight = given.weight + family.weight
    if kind is Kind.OTHER_PERSON:
        text = "; ".join(part.text for part in (given, family) if part.text)
        return Agreement(kind, weight, text or f"{one} and {other} have only one name in common")
    if kind is Kind.SAME_PERSON and middle.degree is Degree.NO:
        kind = Kind.VARIANT
    text = "; ".join(part.text for part in (given, family, middle) if part.text)
    same = f"both are called {one}" if _letters(one) == _letters(other) else _same_but_for(one, other)
    return Agreement(kind, weight + middle.weight, text or same)


def _kind(p: PersonName, q: PersonName, given: Degree, family: Degree) -> Kind | None:
    if given is family is Degree.NO:
        return None
    if given is family is Degree.SAME:
        return Kind.SAME_PERSON
    if Degree.SAME not in {given, family} or Degree.NO in {given, family}:
        return Kind.OTHER_PERSON
    slip = is_digit_slip(p.given[0], q.given[0]) or is_digit_slip(p.family, q.family)
    return Kind.SLIP if slip else Kind.VARIANT


def _letters(name: str) -> str:
    return "".join(char for char in name_key(name) if char.isalpha())


def _same_but_for(one: str, other: str) -> str:
    if sorted(_letters(one)) == sorted(_letters(other)):
        return f"{one} and {other} are one name written in two ways"
    if sorted(words(one)) == sorted(words(other)):
        return f"{one} and {other} differ only in diacritics"
    return f"{one} and {other} have the same given and family name"


def _given(p: PersonName, q: PersonName, rarity: Rarity) -> Part:
    g, h = p.given[0], q.given[0]
    return next(
        _given_ways(p, q, surprise(rarity, (g, h), _GIVEN)), Part(Degree.NO, -3.0 if min(len(g), len(h)) > 1 else -4.0)
    )


def _given_ways(p: PersonName, q: PersonName, rare: float) -> Iterator[Part]:
    """The ways in which two given names may be one, the most telling first."""
    g, h = p.given[0], q.given[0]
    if g == h and len(g) > 1:
        yield Part(Degree.SAME, rare)
    yield from _initial(g, h)
    if is_nickname(g, h):
        yield Part(Degree.PARTLY, rare - 1.2, _short_for(g, h))
    if _mistyped(g, h, shortest=_SHORTEST):
        yield Part(Degree.PARTLY, rare - 2, f"{g.title()} and {h.title()} are nearly the same")
    if _sound_alike(g, h):
        yield Part(Degree.PARTLY, rare - 2.5, f"{g.title()} and {h.title()} sound alike")
    if middle := _through_middle(p, q):
        yield Part(Degree.PARTLY, rare - 2, middle)
    yield from _share_part(g, h, rare)
    short, full = sorted((g, h), key=len)
    if len(short) >= _SHORTEST - 1 and full.startswith(short):
        yield Part(Degree.PARTLY, rare - 4, f"{short.title()} may be short for {full.title()}")


def _share_part(one: str, other: str, rare: float) -> Iterator[Part]:
    if not set(one.split("-")).isdisjoint(other.split("-")):
        yield Part(Degree.PARTLY, rare - 1.5, f"{one.title()} and {other.title()} share a part")


def _through_middle(p: PersonName, q: PersonName) -> str:
    """How a given name of one agrees with another one of the other, whichever comes first; empty if none does."""
    for one in p.given:
        for other in q.given:
            if one == other and len(one) > 1:
                return f"both have {one.title()} among their given names"
            if is_nickname(one, other):
                return _short_for(one, other)
    return ""


def _mistyped(one: str, other: str, *, shortest: int = 5, most: int = 2) -> bool:
    return is_typo(one, other, shortest=shortest, most=most, ends=True) or is_digit_slip(one, other)


def _sound_alike(one: str, other: str) -> bool:
    return len(skeleton(one)) >= _SOUNDS and skeleton(one) == skeleton(other)


def _initial(one: str, other: str) -> Iterator[Part]:
    """How an initial agrees with a name or with another initial."""
    letter, name = sorted((one, other), key=len)
    if len(letter) > 1:
        return
    if letter == name:
        yield Part(Degree.PARTLY, _INITIAL, f"both have the initial {letter.upper()}.")
    elif letter == name[0]:
        yield Part(Degree.PARTLY, _INITIAL, f"{letter.upper()}. may be {name.title()}")
    elif initial_of(letter) == initial_of(name):
        yield Part(Degree.PARTLY, _INITIAL - 1, f"{letter.upper()}. sounds like the initial of {name.title()}")


def _short_for(one: str, other: str) -> str:
    one, other = sorted((one, other), key=lambda name: (len(name), name))  # the table has Tom and Thomas both ways
    if other in long_forms(one):
        return f"{one.title()} is short for {other.title()}"
    if one in long_forms(other):
        return f"{other.title()} is short for {one.title()}"
    full = min(long_forms(one) & long_forms(other)).title()
    return f"{min(one, other).title()} and {max(one, other).title()} are both short for {full}"


def _family(p: PersonName, q: PersonName, rarity: Rarity) -> Part:
    f, g = p.family, q.family
    rare = surprise(rarity, (f, g), _FAMILY)
    # Four letters leave nothing that could find the other: such names count only where something else does.
    short_slip = is_typo(f, g, shortest=_SHORTEST)
    return next(_family_ways(p, q, rare), Part(Degree.NO, rare - 4 if short_slip else -4.0))


def _family_ways(p: PersonName, q: PersonName, rare: float) -> Iterator[Part]:
    """The ways in which two family names may be one, the most telling first."""
    f, g = p.family, q.family
    if f == g and len(f) > 1:
        yield Part(Degree.SAME, rare)
    yield from _initial(f, g)
    if _mistyped(f, g, most=1):
        yield Part(Degree.PARTLY, rare - 2.5, f"{f.title()} and {g.title()} are nearly the same")
    if _sound_alike(f, g):
        yield Part(Degree.PARTLY, rare - 3.5, f"{f.title()} and {g.title()} sound alike")
    yield from _share_part(f, g, rare)
    if f in q.given[1:] or g in p.given[1:]:
        yield Part(Degree.PARTLY, rare - 2, f"{(f if f in q.given[1:] else g).title()} is a middle name of the other")


def _middle(p: PersonName, q: PersonName) -> Part:
    ones, others = p.given[1:], q.given[1:]
    if not ones or not others:
        return Part(Degree.PARTLY, 0.0)
    if any(
        left == right or (left[0] == right[0] and 1 in {len(left), len(right)}) for left in ones for right in others
    ):
        return Part(Degree.SAME, 1.5)
    if any(is_typo(left, right, shortest=_SHORTEST, ends=True) for left in ones for right in others):
        return Part(Degree.PARTLY, 0.5)
    return Part(Degree.NO, -4.0, f"but {ones[0].title()} is not {others[0].title()}")


def _bare(one: str, other: str, p: PersonName, q: PersonName, rarity: Rarity) -> Agreement | None:
    if p.bare and q.bare:
        return _both_bare(one, other, p, q, rarity)
    alone, full = (p, q) if p.bare else (q, p)
    word = alone.single
    if not word:
        return None
    found = _family(PersonName((), word), PersonName(full.given[:1], full.family), rarity)
    if found.degree is not Degree.NO:
        return Agreement(Kind.BARE, found.weight, found.text or f"{word.title()} alone is the family name of the other")
    if alone.family:
        return None
    found = _given(alone, full, rarity)
    if found.degree is Degree.NO:
        return None
    return Agreement(Kind.BARE, found.weight, found.text or f"{word.title()} alone is the given name of the other")


def _both_bare(one: str, other: str, p: PersonName, q: PersonName, rarity: Rarity) -> Agreement | None:
    left, right = p.single, q.single
    if min(len(left), len(right)) <= 1:
        return None
    given = is_given_name(left)
    rare = surprise(rarity, (left, right), _GIVEN if given else _FAMILY)
    if left == right:
        text = f"both are called {one}" if _letters(one) == _letters(other) else _same_but_for(one, other)
        return Agreement(Kind.BARE if given or rare < _UNUSUAL else Kind.LONE_NAME, rare, text)
    if is_nickname(left, right):
        return Agreement(Kind.BARE, rare - 1.2, _short_for(left, right))
    if _mistyped(left, right):
        return Agreement(Kind.BARE, rare - 2.5, f"{one} and {other} are nearly the same")
    return None


def _initials(one: str, other: str, p: PersonName, q: PersonName) -> Agreement | None:
    shared = p.initials if p.initials == q.initials else ""
    if p.bare or q.bare or len(shared) < 2:  # noqa: PLR2004
        return None
    return Agreement(Kind.BARE, _INITIAL * len(shared), f"{one} and {other} have the same initials")
