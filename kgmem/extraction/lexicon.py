"""Names the memory already knows, found in prose by one pass of an Aho-Corasick automaton.

A known name beats a statistical guess, but only where the text means the name. What is refused:

* part of a word: no letter, digit or mark may touch the name (scripts without spaces excepted);
* part of a compound that is a name of its own (``Jean-Paul`` is not ``Paul``, ``Node.js`` is not ``Node``), while
  ``Acme-style``, ``Acme's`` and ``d'Acme`` do name Acme: there, what is joined on begins in lower case;
* a name with one telling word that the text does not capitalise (``jot it down`` is not ``Jot``);
* a single lower-case word (``trust``): a concept, and most uses of it in a sentence mean nothing more;
* bare numbers, dates, function words and the titles of index notes.

Text and names are compared as `kgmem.resolution.names.name_key` does; spans are of the text as it was given.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import ahocorasick

# A name made only of these words, and of numbers, says nothing by itself.
_FUNCTION_WORDS: Final = """
a about above after again against all also always am an and another any are around as at away back be because been
before being below between both but by can cannot could did do does doing done down during each either else even ever
every few first for from further get go had has have having he her here hers herself him himself his how however i if in
into is it its itself just last least less let like many may maybe me might mine more most much must my myself neither
never new next no nobody none nor not nothing now of off often old on once one only onto or other others otherwise our
ours out over own per perhaps please quite rather really same second several shall she should since so some soon still
such than thanks that the their theirs them themselves then there these they this those though through thus till to
together too toward two under unless until up upon us very via was we well were what when where whether which while who
whom whose why will with within without would yes yet you your yours yourself
"""
_INDEX_TITLES: Final = """
archive archives article articles attachments backlog blog bookmarks books calendar chapter contacts contents daily
dashboard day diary draft drafts example faq glossary home idea ideas inbox index introduction journal library list
links log maps meeting meetings misc moc month monthly note notes overview page people plan plans places project
projects quote quotes readme reading references resources review someday start summary table tag tags task tasks
template templates test todo tomorrow today untitled week weekly welcome year yearly yesterday
"""
_CALENDAR: Final = """
monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter
"""
_EMPTY_WORDS: Final = frozenset(f"{_FUNCTION_WORDS} {_INDEX_TITLES} {_CALENDAR}".split())
_NUMBER = re.compile(r"[wq]?\d+(?:st|nd|rd|th)?|(?:\d+[年月日週周])+")
_PART = re.compile(r"[^\W_]+")

_OTHER_SPACE = re.compile(r"[^\S ]")
# Begins only where the white space does: blanked code is thousands of spaces, to be walked once.
_WRAP = re.compile(r"(?<![^\S\n])[^\S\n]++\n[^\S\n]*+|\n[^\S\n]++")
_WORD = re.compile(r"\S+")

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # iteration marks, Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]"  # Han
)
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_POSSESSIVE = re.compile(r"['\u2019][sS](?!\w)")
_JOINTS: Final = frozenset("-\u2010\u2011'\u2019")


@dataclass(frozen=True, slots=True)
class Span:
    """A known name in a text: code points ``[start, end)``, the words as they stand there, the key of the name."""

    start: int
    end: int
    surface: str
    key: str


@dataclass(slots=True)
class _Rule:
    """When the text that equals a key means the name."""

    key: str
    solo: int | None
    """The index of the name's only telling word, which the text must capitalise; None for several."""
    written: set[str] = field(default_factory=set)

    def admits(self, surface: str) -> bool:
        if self.solo is None or _begins_as_name(surface.split()[self.solo]):
            return True
        return unicodedata.normalize("NFC", surface) in self.written


class Lexicon:
    """The names to look for: pairs of a name as written and its key. Picklable, and read-only once made."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._names = tuple(names)
        rules: dict[str, _Rule] = {}
        for name, key in self._names:
            written = unicodedata.normalize("NFC", name.strip())
            telling = _telling_words(key)
            solo = telling[0] if len(telling) == 1 else None
            if min(len(written), len(key)) < 2 or not telling or (solo is not None and _is_plain(written, solo)):  # noqa: PLR2004
                continue
            rules.setdefault(key, _Rule(key, solo)).written.add(written)
        self._size = len(rules)
        self._automaton: Any = ahocorasick.Automaton()
        for key, rule in rules.items():
            self._automaton.add_word(key, rule)
        self._automaton.make_automaton()

    def __len__(self) -> int:
        """How many different names can be found."""
        return self._size

    def __reduce__(self) -> tuple[type[Lexicon], tuple[tuple[tuple[str, str], ...]]]:
        # The names are a tenth of the automaton's size, and are built into one in hundredths of a second.
        return type(self), (self._names,)

    def find(self, prose: str) -> list[Span]:
        """The known names in a text, in order: the leftmost first, the longest there, none overlapping."""
        if not self._size:
            return []
        spans: list[Span] = []
        past = 0
        for start, end, rule in sorted(self._hits(prose), key=lambda hit: (hit[0], -hit[1])):
            if start >= past:
                spans.append(Span(start, end, prose[start:end], rule.key))
                past = end
        return spans

    def _hits(self, prose: str) -> Iterator[tuple[int, int, _Rule]]:
        """Every place that means a name, overlapping ones too: a long hit that is refused must not hide a short one."""
        folded = _fold(prose)
        text, origin = folded.text, folded.origin
        for last, rule in self._automaton.iter(text):
            past = last + 1
            first = past - len(rule.key)
            # Most hits lie inside a word; two letters of the plainest alphabet settle that without another look.
            if _are_letters(text[past - 1 : past + 1]) or (first and _are_letters(text[first - 1 : first + 1])):
                continue
            start, end = origin(first), origin(past)
            if start is None or end is None or not _open_before(prose, start) or not _open_after(prose, end):
                continue
            if rule.admits(prose[start:end]):
                yield start, end, rule


# -- which names, and how they must be written


def _telling_words(key: str) -> list[int]:
    """The indices of the words of a key that say more than a number, a date or a function word does."""
    return [
        index
        for index, word in enumerate(key.split())
        if any(part not in _EMPTY_WORDS and not _NUMBER.fullmatch(part) for part in _PART.findall(word))
    ]


def _is_plain(name: str, index: int) -> bool:
    """Whether a word of a name is one as any other: lower case, and no digit."""
    word = name.split()[index]
    return not _begins_as_name(word) and word == word.lower() and not any(char.isdigit() for char in word)


def _begins_as_name(word: str) -> bool:
    """Whether the first letter of a word is not a lower-case one; scripts without case always pass."""
    return not next((char for char in word if char.isalpha()), "").islower()


# -- where a name may begin and end


def _are_letters(pair: str) -> bool:
    return len(pair) == 2 and pair.isascii() and pair.isalpha()  # noqa: PLR2004


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char)[:1] == "M"


def _is_proper(char: str) -> bool:
    """Whether a part of a compound that begins so is a name or a number, and the compound another name."""
    return char.isupper() or char.isdigit()


def _open_before(text: str, start: int) -> bool:
    """Whether a name may begin here."""
    if start == 0:
        return True
    before, first = text[start - 1], text[start]
    if _is_word(before):
        return not _is_word(first) or _is_seam(before, first)
    if before not in _JOINTS and before not in ".@":
        return True
    head = start - 1
    while head > 0 and _is_word(text[head - 1]):
        head -= 1
    return head == start - 1 or (before in _JOINTS and not _is_proper(text[head]))


def _open_after(text: str, end: int) -> bool:
    """Whether a name may end here."""
    if end == len(text):
        return True
    last, after, beyond = text[end - 1], text[end], text[end + 1 : end + 2]
    if _is_word(after):
        # A Korean particle follows its noun without a space; a mark belongs to the letter before it.
        parts = not _is_word(last) or _is_seam(last, after) or _HANGUL.match(after) is not None
        return parts and unicodedata.category(after)[0] != "M"
    joined = beyond != "" and _is_word(beyond)
    if after in "+#":
        return joined
    if after in _JOINTS:
        return not joined or not _is_proper(beyond) or _POSSESSIVE.match(text, end) is not None
    return after not in ".@" or not joined or (after == "." and beyond.isupper())


def _is_seam(left: str, right: str) -> bool:
    """Whether words may part between two characters of words: not inside a run of Katakana or Hangul."""
    if (_HANGUL.match(left) is None) != (_HANGUL.match(right) is None):
        return True
    unspaced = _UNSPACED.match(left) or _UNSPACED.match(right)
    return unspaced is not None and not (_KATAKANA.match(left) and _KATAKANA.match(right))


# -- text as it is compared, and the way back


@dataclass(frozen=True, slots=True)
class _Folded:
    """A text in the form of keys, in pieces that begin at `at` and came from `source`.

    Inside a piece both advance together, save for those in `whole`, which correspond only at their ends.
    """

    text: str
    at: list[int] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    whole: set[int] = field(default_factory=set)

    def origin(self, offset: int) -> int | None:
        """Where an offset lies in the text as given, or None inside of what cannot be divided."""
        if not self.at:
            return offset
        piece = bisect_right(self.at, offset) - 1
        inside = offset - self.at[piece]
        return None if inside and piece in self.whole else self.source[piece] + inside


def _fold(text: str) -> _Folded:
    """Case folded, NFC, every white space character and every wrapped line one space; offsets are kept."""
    folded = _fold_evenly(text)
    if folded is not None and not _WRAP.search(text):
        return _Folded(folded)
    made = _Folded("")
    parts: list[str] = []
    length = 0
    for start, end in _pieces(text):
        piece = text[start:end]
        even = None if _WRAP.fullmatch(piece) else _fold_evenly(piece)
        if even is None:
            made.whole.add(len(made.at))
        made.at.append(length)
        made.source.append(start)
        parts.append(_fold_whole(piece) if even is None else even)
        length += len(parts[-1])
    made.at.append(length)
    made.source.append(len(text))
    return _Folded("".join(parts), made.at, made.source, made.whole)


def _fold_evenly(text: str) -> str | None:
    """The folded text if every code point of it stands where it stood, else None."""
    if text.isascii():
        return _OTHER_SPACE.sub(" ", text.lower())
    folded = text.casefold()
    # Folding only ever lengthens, so an equal length means that nothing moved, provided that NFC has no say.
    if len(folded) != len(text) or not (
        unicodedata.is_normalized("NFC", text) and unicodedata.is_normalized("NFC", folded)
    ):
        return None
    return _OTHER_SPACE.sub(" ", folded)


def _fold_whole(text: str) -> str:
    """The folded form of what cannot be divided: a wrapped line end, or a base with its marks."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()) if text.strip() else " "


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text into stretches, of which each folds evenly or cannot be divided."""
    even = 0
    for match in re.finditer(rf"{_WRAP.pattern}|{_WORD.pattern}", text):
        start, end = match.span()
        if not match[0].isspace() and _fold_evenly(match[0]) is not None:
            continue
        if even < start:
            yield even, start
        yield from [(start, end)] if match[0].isspace() else _clusters(text, start, end)
        even = end
    if even < len(text):
        yield even, len(text)


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The bases of a word, each with all that combines with it: marks, the later letters of a Hangul syllable."""
    base = start
    for index in range(start + 1, end):
        char = text[index]
        if unicodedata.category(char)[0] != "M" and not "\u1160" <= char <= "\u11ff":
            yield base, index
            base = index
    yield base, end
