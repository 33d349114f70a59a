"""Text as it is searched: the index and the query go through the same function.

SQLite's and Lucene's word breakers find words between spaces and signs. Scripts written without spaces are
therefore cut here, into single characters and overlapping pairs, interleaved: ``页面路`` becomes
``页 页面 面 面路 路``. Every part of a run of characters is then a phrase of it: ``面路`` gives
``面 面路 路``, which stands in the longer list word for word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from kgmem.model import unique

MOST_TERMS: Final = 64
"""A longer question is answered by its first so many different words."""

_UNSPACED: Final = (
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # iteration marks, Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # Han
    "\uac00-\ud7a3"  # Hangul: has spaces, but its particles cling to the word
    "]+"
)

_GREEK: Final = re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")

STOP_WORDS: Final = frozenset(
    """
    a an the this that these those
    i me my mine you your yours he him his she her hers it its we us our ours they them their theirs
    myself yourself himself herself itself ourselves themselves
    who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having
    can could shall should would must
    and or but nor if then than because as while until so
    of at by for with about against between into through during before after above below to from in on
    over under out off up down
    not no all any both each few more most other some such only own same too very just there here
    s t d ll m re ve don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
    """.split()
)
"""English function words. Not ``may`` and ``will``: a month and a man."""


@cache
def _unspaced() -> re.Pattern[str]:
    """A run of a script without spaces; not compiled for a question in ASCII, which takes longer than to ask it."""
    return re.compile(_UNSPACED)


def prepare(text: str) -> str:
    """The text in the form that is indexed: compatible characters made one, case folded, unspaced scripts cut.

    Accents of Latin letters are left to SQLite, which forgets those of Greek. Signs are blanked here, for its table
    of what is a letter is another one than Python's.
    """
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = _GREEK.sub(lambda run: _ACCENTS.sub("", unicodedata.normalize("NFD", run[0])), folded)
    return _unspaced().sub(lambda run: f" {_grams(run[0])} ", folded.translate(_SIGNS))


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, as the index holds them; without quotes, operators or any other sign."""
    folded = text.lower() if text.isascii() else prepare(text)
    return tuple(folded.translate(_SIGNS).split())


def phrase(text: str) -> str | None:
    """An FTS5 expression for these words in this order, or None if the text has no words."""
    found = words(text)
    return f'"{" ".join(found)}"' if found else None


def match(text: str) -> str | None:
    """An FTS5 expression for `alternatives`, or None if there are none."""
    return " OR ".join(f'"{" ".join(each)}"' for each in alternatives(text)) or None


def alternatives(text: str) -> tuple[tuple[str, ...], ...]:
    """What a text asks for, each as words in a row: any of its words.

    Function words count only where there is nothing else. The whole text is one more alternative, so that a
    row that holds it word for word outranks one that holds the same words apart.
    """
    found = words(text)
    distinct = unique(found)
    kept = [word for word in distinct if word not in STOP_WORDS] or list(distinct)
    pairs = [word for word in kept if _is_unspaced(word)]
    terms = [(word,) for word in kept if not _within(word, pairs)][:MOST_TERMS]
    whole = [found] if 1 < len(found) <= MOST_TERMS else []
    return (*whole, *terms)


def _within(word: str, pairs: list[str]) -> bool:
    """Whether a single character of an unspaced script is part of a pair, which says more."""
    return _is_unspaced(word) and any(
        len(pair) > len(word) and (pair.startswith(word) or pair.endswith(word)) for pair in pairs
    )


def _is_unspaced(word: str) -> bool:
    return not word.isascii() and _unspaced().match(word) is not None


def _grams(run: str) -> str:
    """Single characters and pairs, interleaved; a mark stays with its letter."""
    clusters: list[str] = []
    for char in run:
        if clusters and _category(char) == "M":
            clusters[-1] += char
        else:
            clusters.append(char)
    cut = [part for one, other in pairwise(clusters) for part in (one, one + other)]
    return " ".join([*cut, clusters[-1]])


@lru_cache(maxsize=4096)
def _category(char: str) -> str:
    return unicodedata.category(char)[0]


class _Blanks(dict[int, int]):
    """For `str.translate`: letters, marks and numbers stay, all else becomes a space. Filled as it is asked."""

    def __missing__(self, code: int) -> int:
        kept = code if unicodedata.category(chr(code))[0] in "LMN" else ord(" ")
        self[code] = kept
        return kept


_SIGNS: Final = _Blanks()
