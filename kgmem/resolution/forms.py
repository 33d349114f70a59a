"""What a name is made of: weaker keys beside `name_key`, the words of a name, and the codes that may not differ.

Every function takes a name as written and is pure. A weaker key says that two names *may* mean one thing; only
`name_key` says that they are the same name.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from kgmem.resolution.names import name_key

_CACHED: Final = 1 << 16
_SMALL: Final = frozenset(
    "a an and at by de del der des di du et for from in la le of on or the to und von with y".split()
)
_MARKERS: Final = frozenset(
    "annex appendix block class exhibit grade group hepatitis level mark model option part phase plan rev revision"
    " schedule section series team type unit version vitamin volume".split()
)
_ROMAN: Final = frozenset(
    f"{tens}{ones}" for tens in ("", "x", "xx", "xxx") for ones in ("", *"i ii iii iv v vi vii viii ix".split())
) - {""}
_SIGNS: Final = frozenset("+#@%*&$")
_NO_SIGNS: Final = frozenset("™®©℠`´^¨~|<>=°")
_STROKES: Final = str.maketrans({
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t",
})  # fmt: skip
_POINTS: Final = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
"""Of Hebrew and Arabic."""
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])['’ʼ`´](?=[^\W\d_])")
_DOTTED: Final = re.compile(r"(?<![^\W_])(?:[^\W\d_]\.){2,}")
_LEGAL_FORMS: Final = {
    form: same
    for same, forms in {
        "inc": "inc incorporated", "corp": "corp corporation", "co": "co company", "ltd": "ltd limited", "llc": "llc",
        "llp": "llp", "lp": "lp", "plc": "plc", "gmbh": "gmbh mbh", "ag": "ag", "kg": "kg", "ug": "ug", "se": "se",
        "sa": "sa", "sas": "sas", "sarl": "sarl", "srl": "srl", "spa": "spa", "sl": "sl", "bv": "bv", "nv": "nv",
        "oy": "oy", "oyj": "oyj", "ab": "ab", "as": "as", "asa": "asa", "aps": "aps", "pty": "pty", "pte": "pte",
        "ltda": "ltda", "kk": "kk", "ev": "ev",
    }.items()
    for form in forms.split()
}  # fmt: skip
_COUNTED: Final = re.compile(
    "(?<=第)[〇零一二三四五六七八九十百千]+|[〇零一二三四五六七八九十百千]+(?=[季部卷集期届回话話册冊号號])"
)
"""The number in names such as 第五季, "season five": their words are not set apart."""
_SLASHED: Final = re.compile(r"\b([as])/([as])\b", re.IGNORECASE)


@lru_cache(_CACHED)
def plain_key(name: str) -> str:
    """`name_key` without the diacritics and strokes of Latin and Greek letters: Müller is Muller.

    So are the vowel points of Arabic and Hebrew, which are mostly left out. Marks of other scripts are letters of their
    own (й, が, the vowels of Hindi) and stay.
    """
    kept: list[str] = []
    base = ""
    for char in unicodedata.normalize("NFD", name_key(name)):
        if not unicodedata.combining(char):
            base = char
        elif _bears_accents(base) or _POINTS.match(char):
            continue
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_STROKES)


def _bears_accents(base: str) -> bool:
    return base.isalpha() and (base < "\u0250" or "\u0370" <= base < "\u0400" or "\u1e00" <= base < "\u2000")


@lru_cache(_CACHED)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in order, by `plain_key`: ``U.S.A.`` is one, ``C++`` keeps its signs, ``&`` is "and"."""
    text = _APOSTROPHE.sub("", plain_key(_SLASHED.sub(r"\1\2", name)))
    text = _DOTTED.sub(lambda match: match[0].replace(".", "") + " ", text)
    spaced = "".join(char if _in_word(char) else " " for char in text)
    return tuple("and" if word == "&" else word for word in spaced.split())


@lru_cache(4096)
def _in_word(char: str) -> bool:
    kind = unicodedata.category(char)
    return kind[0] in "LNM" or char in _SIGNS or (kind[0] == "S" and char not in _NO_SIGNS)


@lru_cache(_CACHED)
def squeezed(name: str) -> str:
    """The words of a name as one, so that ``New-York`` is ``New York``; digits that stood apart stay apart."""
    return squeeze(words(name))


def squeeze(parts: tuple[str, ...]) -> str:
    """Words as one; see `squeezed`."""
    joined = ""
    for part in parts:
        joined += f" {part}" if joined and joined[-1].isdigit() and part[0].isdigit() else part
    return joined


@lru_cache(_CACHED)
def codes(name: str, *, person: bool = False) -> tuple[str, ...]:
    """The words of a name that tell one thing from the next, in order: with a digit or sign, a roman numeral, a letter.

    A letter alone is an initial in a person's name, and a roman numeral is one there only where it ends the name
    in capitals.
    """
    found = words(name)
    initials = person and not any(char.isdigit() for char in name)
    coded = (word for at, word in enumerate(found) if _is_code(word, at, found, name, person=initials))
    return (*coded, *_COUNTED.findall(name_key(name)))


def _is_code(word: str, at: int, found: tuple[str, ...], name: str, *, person: bool) -> bool:
    if any(char.isdigit() for char in word) or not all(unicodedata.category(char)[0] in "LM" for char in word):
        return re.fullmatch(r"[^\W\d_]+(?:&[^\W\d_]+)+", word) is None
    if person:
        return word in _ROMAN and at > 0 and name.rstrip().endswith(f" {word.upper()}")
    if word in _ROMAN:
        return True
    if len(word) > 1 or not word.isascii():
        return False
    return word != "a" or at == len(found) - 1 or (at > 0 and found[at - 1] in _MARKERS)


def differ_in_code(one: str, other: str, *, person: bool = False) -> bool:
    """Whether a digit, sign, numeral or letter tells two names apart: then nothing else counts.

    The one digit that stands for a letter of a person's name (``d3nton``, denton) is no code, but a slip.
    """
    ones, others = codes(one, person=person), codes(other, person=person)
    if ones == others or squeezed(one) == squeezed(other):
        return False
    return not person or _without_slips(ones, words(other)) != _without_slips(others, words(one))


def _without_slips(found: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
    return [word for word in found if not any(is_digit_slip(word, other) for other in others)]


def is_digit_slip(one: str, other: str) -> bool:
    """Whether two words of five characters or more are the same but for a digit in the place of a letter."""
    if len(one) != len(other) or len(one) < 5:  # noqa: PLR2004
        return False
    unlike = [(left, right) for left, right in zip(one, other, strict=True) if left != right]
    if len(unlike) != 1 or sum(char.isdigit() for char in one + other) != 1:
        return False
    return (one + other).isalnum()


@lru_cache(_CACHED)
def legal_parts(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of an organization's name, and its legal form: ``The Acme Corporation`` gives (acme), (corp)."""
    core = list(words(name))
    forms: list[str] = []
    while len(core) > 1 and (core[-1] in _LEGAL_FORMS or (forms and core[-1] == "and")):
        word = core.pop()
        forms += [_LEGAL_FORMS[word]] if word in _LEGAL_FORMS else []
    if len(core) > 1 and core[0] == "the":
        core = core[1:]
    return tuple(core), tuple(sorted(forms))


@lru_cache(_CACHED)
def content_words(name: str) -> tuple[str, ...]:
    """The words of a name without articles and the like; all of them if there are no others."""
    found = words(name)
    return tuple(word for word in found if word not in _SMALL) or found


@lru_cache(_CACHED)
def acronyms(name: str) -> frozenset[str]:
    """What a name of several words may be shortened to: ``New York City`` to nyc, ``Bank of Spain`` to bs and bos."""
    every = [found for found in (words(name), content_words(name)) if len(found) > 1]
    return frozenset(
        short for found in every if len(short := "".join(word[0] for word in found)) > 1 and short.isalpha()
    )


def as_acronym(name: str) -> str | None:
    """The letters of a name that is written as an acronym (``NYC``, ``U.S.A.``): two to six capitals; else None."""
    letters = name.strip().replace(".", "")
    written = 1 < len(letters) <= 6 and letters.isalpha() and letters.isupper()  # noqa: PLR2004
    return plain_key(letters) if written else None


def is_typo(one: str, other: str, *, shortest: int = 5, most: int = 2, ends: bool = False) -> bool:
    """Whether two words may be one with a slip: a letter more, less, other or swapped; `most` in a long one.

    Words shorter than `shortest` letters, words of scripts without case, and words of which one only goes on
    longer at an end (``cranel`` and ``cranelr``, a plural, a prefix) are two words; the last with `ends` are not.
    """
    from rapidfuzz.distance import OSA

    length = min(len(one), len(other))
    if length < shortest or one == other or (not ends and _goes_on(*sorted((one, other), key=len))):
        return False
    if not (one.isalpha() and other.isalpha()) or one.upper() == one or other.upper() == other:
        return False
    allowed = most if length > 8 else 1  # noqa: PLR2004
    return bool(OSA.distance(one, other, score_cutoff=allowed) <= allowed)


def _goes_on(short: str, full: str) -> bool:
    return full.startswith(short) or full.endswith(short)
