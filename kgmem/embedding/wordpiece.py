"""Text in the pieces that BERT reads: lower case, no accents, each word in the longest pieces of a vocabulary.

The algorithm is WordPiece as published with BERT (Devlin et al. 2019). The ids are those of the fast tokenizer that the
model was trained with, except that a text which spells a marker ("[SEP]") is read as what it says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Final

UNKNOWN: Final = "[UNK]"
FIRST: Final = "[CLS]"
LAST: Final = "[SEP]"

_INSIDE: Final = "##"
"""Marks a piece that continues a word."""
_LONGEST_WORD: Final = 100
"""Code points; a longer word is unknown as a whole."""
_READ_OF_A_PIECE: Final = 64
"""Code points read of a text for each piece wanted: enough for any prose, and a bound for a text without end."""
_REMEMBERED_WORDS: Final = 20_000
_ASCII_SIGNS: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_IDEOGRAPH = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f]"
)


class WordPiece:
    """Cuts text into the pieces of one vocabulary: `vocabulary` gives each piece its id."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._ids = vocabulary
        self._unknown = (vocabulary[UNKNOWN],)
        self._longest = max(map(len, vocabulary))
        self._words: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str, limit: int) -> tuple[int, ...]:
        """The ids of the pieces of a text between the two markers, at most `limit` with these: the rest is cut off."""
        room = limit - 2
        ids: list[int] = []
        for word in words(text[: room * _READ_OF_A_PIECE]):
            ids += self._pieces(word)
            if len(ids) >= room:
                break
        return (self._ids[FIRST], *ids[:room], self._ids[LAST])

    def _pieces(self, word: str) -> tuple[int, ...]:
        known = self._words.get(word)
        if known is None:
            known = self._cut(word)
            if len(self._words) < _REMEMBERED_WORDS:
                self._words[word] = known
        return known

    def _cut(self, word: str) -> tuple[int, ...]:
        """The longest piece first, then the longest of what is left; if some of it is no piece, all is unknown."""
        if len(word) > _LONGEST_WORD:
            return self._unknown
        ids: list[int] = []
        start = 0
        while start < len(word):
            mark = _INSIDE if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = self._ids.get(mark + word[start:end])
                if piece is not None:
                    ids.append(piece)
                    start = end
                    break
            else:
                return self._unknown
        return tuple(ids)


def words(text: str) -> Iterator[str]:
    """The words of a text as the vocabulary spells them; each sign and each ideograph is one of its own."""
    return iter(unicodedata.normalize("NFD", text).translate(_SPELLING).lower().split())


class _Spelling(dict[int, str]):
    """How each code point of a decomposed text is spelt, found out when it is first met."""

    def __missing__(self, code: int) -> str:
        spelt = self[code] = _spell(chr(code))
        return spelt


_SPELLING: Final = _Spelling()


def _spell(sign: str) -> str:
    category = unicodedata.category(sign)
    if sign.isspace() and (category != "Cc" or sign in "\t\n\r"):
        return " "
    if category in {"Cc", "Cf", "Cs", "Co", "Mn"} or sign == "\ufffd":
        return ""
    if sign in _ASCII_SIGNS or category.startswith("P") or _IDEOGRAPH.match(sign):
        return f" {sign} "
    return "σ" if sign == "Σ" else sign  # Python would make it ς at the end of a word


@cache
def bert() -> WordPiece:
    """The WordPiece of BERT base, uncased; `vocabulary/SOURCE.md` says where its vocabulary is from."""
    file = resources.files("kgmem.embedding").joinpath("vocabulary", "bert-base-uncased.txt")
    pieces = file.read_text("utf-8").removesuffix("\n").split("\n")
    return WordPiece({piece: number for number, piece in enumerate(pieces)})
