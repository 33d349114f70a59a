"""What a personal name is made of: given and family names, initials, honorifics, long forms of short names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from kgmem.resolution.forms import plain_key

_FORMAL: Final = frozenset(
    "dr doctor prof professor mr mrs ms mx miss mister herr frau monsieur madame m mme sr sra señor senora rev reverend"
    " capt captain col colonel lt lieutenant maj sgt hon judge fr ing".split()
) - {"m", "sr"}
_FAMILIAR: Final = frozenset(
    "sir dame lord lady uncle aunt auntie grandma grandpa cousin saint st brother sister".split()
)
_DEGREES: Final = frozenset("phd md esq obe mbe cbe kbe dphil bsc msc mba dds jd llm frs".split())
_GENERATIONS: Final = {"jr": "junior", "junior": "junior", "sr": "senior", "senior": "senior"}
_PARTICLES: Final = frozenset(
    "af al av bin bint da dal das de del della den der di do dos du el ibn la las le lo los op ten ter van vom von zu"
    " zum zur".split()
)  # fmt: skip
_BREAKS: Final = re.compile(r"[^\w\-'’]+|_|(?<!\w)[-'’]+|[-'’]+(?!\w)")
_NOBILITY: Final = re.compile(
    r"(?:,|\b(?P<number>\d+)(?:st|nd|rd|th)\b)[\s,]*(?:(?P<after>\d+)(?:st|nd|rd|th)\s+)?"
    r"(?:baron(?:et|ess)?|bt|earl|countess|count|duke|duchess|viscount(?:ess)?|marquess|marquis|marchioness|of)\b.*$"
    r"|[\s,]+(?:baronet|bt)\b\.?$",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\s*[(\[]([^()\[\]]+)[)\]]\s*$")
_SHORT_ENDS: Final = ("ie", "ey", "ee", "y", "i")
_APOSTROPHES: Final = re.compile(r"['’]")
_SOFT: Final = {"y": "j", "i": "j", "c": "k", "q": "k", "v": "w"}


@dataclass(frozen=True, slots=True)
class PersonName:
    """A personal name in its parts, each by `plain_key`; one letter is an initial."""

    given: tuple[str, ...]
    """First the given name, then the middle ones; may be empty ("Dr. Chen")."""
    family: str
    """The last word of the family name, without "van" or "de"; may be empty ("Chris")."""
    generation: str = ""
    """junior or senior, or the number of a title ("9th Baronet")."""
    qualifier: str = ""
    """What stands in brackets at the end: "Anna Berg (cousin)"."""
    whole: bool = False
    """Written in one word with no space, as in Chinese: `given` and `family` are both all of it."""

    @property
    def bare(self) -> bool:
        """Whether one name stands alone."""
        return not (self.given and self.family)

    @property
    def single(self) -> str:
        """The family name, or else the given one: all there is of a bare name; empty of none."""
        return self.family or "".join(self.given[:1])

    @property
    def initials(self) -> str:
        """The first letters of all parts; empty where a script has none."""
        return "" if self.whole else "".join(part[0] for part in (*self.given, self.family) if part)

    @property
    def only_initials(self) -> bool:
        """Whether nothing but letters is left of it: ``A.C.``."""
        parts = [part for part in (*self.given, self.family) if part]
        return len(parts) > 1 and all(len(part) == 1 for part in parts) and not self.whole


@lru_cache(1 << 16)
def parse_person(name: str) -> PersonName:
    """The parts of a personal name; "Karpathy, Andrej" is "Andrej Karpathy"."""
    text, number = strip_title(name)
    bracket = _BRACKETS.search(text)
    if bracket and text[: bracket.start()].strip():
        text = text[: bracket.start()]
        return replace(_parse(text, number), qualifier=plain_key(bracket[1]).strip())
    return _parse(text, number)


def _parse(text: str, number: str) -> PersonName:
    before, comma, after = plain_key(text).partition(",")
    first, second = _parts(before), _parts(after)
    if comma and second and first and not all(part in _GENERATIONS or part in _DEGREES for part in second):
        _strip_honorifics(second)
        given, generation = _strip_ends(second)
        return PersonName(tuple(given), first[-1], number or generation)
    parts = [*first, *second]
    formal = _strip_honorifics(parts)
    parts, generation = _strip_ends(parts)
    generation = number or generation
    if len(parts) <= 1:
        return replace(_one(parts, formal=formal), generation=generation)
    family = parts[-1]
    given = parts[:-1]
    while len(given) > 1 and given[-1] in _PARTICLES:
        given.pop()
    if given[0] in _PARTICLES:
        return PersonName((), family, generation)
    return PersonName(tuple(given), family, generation)


@lru_cache(1 << 16)
def strip_title(name: str) -> tuple[str, str]:
    """A name without a title of nobility at its end, and the number of that: ``X, 9th Baronet`` gives X and 9."""
    match = _NOBILITY.search(name)
    if not match or not name[: match.start()].strip(" ,"):
        return name, ""
    return name[: match.start()].strip(" ,"), match["number"] or match["after"] or ""


def _one(parts: list[str], *, formal: bool) -> PersonName:
    if not parts:
        return PersonName((), "")
    if len(parts[0]) > 1 and not _has_case(parts[0]) and _is_east_asian(parts[0]):
        return PersonName((parts[0],), parts[0], whole=True)
    return PersonName((), parts[0]) if formal else PersonName((parts[0],), "")


def _parts(text: str) -> list[str]:
    return [_APOSTROPHES.sub("", part) for part in _spaced(text).split()]


def _spaced(text: str) -> str:
    """Everything that is no letter, mark, digit, hyphen or apostrophe made a space; a pattern breaks at marks."""
    marked = "".join("\ue000" if unicodedata.category(char)[0] == "M" else char for char in text)
    if "\ue000" not in marked:
        return _BREAKS.sub(" ", text)
    return "".join(char if unicodedata.category(char)[0] in "LNM" or char in "-'’" else " " for char in text)


def _strip_honorifics(parts: list[str]) -> bool:
    """Take titles off the front, in place; whether a family name is expected after one ("Dr.", not "Aunt")."""
    formal = False
    while len(parts) > 1 and (parts[0] in _FORMAL or parts[0] in _FAMILIAR):
        formal |= parts.pop(0) in _FORMAL
    return formal


def _strip_ends(parts: list[str]) -> tuple[list[str], str]:
    generation = ""
    while len(parts) > 1 and (parts[-1] in _GENERATIONS or parts[-1] in _DEGREES):
        generation = _GENERATIONS.get(parts[-1], generation)
        parts = parts[:-1]
    return parts, generation


def _has_case(word: str) -> bool:
    return word.upper() != word


def _is_east_asian(word: str) -> bool:
    return all(unicodedata.name(char, "").startswith(("CJK", "HANGUL", "HIRAGANA", "KATAKANA")) for char in word)


@lru_cache(1)
def _long_forms() -> dict[str, frozenset[str]]:
    from nicknames import NickNamer

    return {short: frozenset(full) for short, full in NickNamer().canonical_lookup.items()}


@lru_cache(1)
def _known_given() -> frozenset[str]:
    table = _long_forms()
    return frozenset(table).union(*table.values())


def long_forms(given: str) -> frozenset[str]:
    """The names that a given name is short for (bob: robert; becki as becky: rebecca).

    By the table of the `nicknames` package, which knows English ones.
    """
    table = _long_forms()
    if found := table.get(given):
        return found
    stem = next(
        (given.removesuffix(end) for end in _SHORT_ENDS if given.endswith(end) and len(given) > len(end) + 1), ""
    )
    return next((table[stem + end] for end in _SHORT_ENDS if stem and stem + end in table), frozenset())


def is_given_name(word: str) -> bool:
    """Whether that table has the word: "Chris" is a given name, "Feldt" may be any."""
    return word in _known_given()


def is_nickname(one: str, other: str) -> bool:
    """Whether one given name is short for the other, or both for the same."""
    ones, others = long_forms(one), long_forms(other)
    return other in ones or one in others or not ones.isdisjoint(others)


def initial_of(given: str) -> str:
    """The first letter as it sounds, so that Giulia may be J. and Karl C."""
    if given[:2] in {"ge", "gi"}:
        return "j"
    if given[:2] == "ph":
        return "f"
    return _SOFT.get(given[0], given[0]) if given else ""


@lru_cache(1 << 16)
def skeleton(word: str) -> str:
    """The first letter as it sounds and the consonants after it, doubled ones once: hutchens and hutchins agree."""
    text = word.replace("ph", "f").replace("ck", "k").replace("gh", "").replace("sch", "s").replace("th", "t") or word
    letters = [initial_of(text)]
    for char in text[1:]:
        sound = "s" if char == "z" else _SOFT.get(char, char)
        if char not in "aeiouyhw'-" and sound != letters[-1]:
            letters.append(sound)
    return "".join(letters)
