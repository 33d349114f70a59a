"""A text as tokens, and the questions that the grammar asks of them.

The regular expression has no nested quantifier: reading is linear in the text. It already refuses what only looks
like a date: a number that is part of a version, a price, a path or a code is a token of kind ``other``, which no
rule accepts.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from enum import IntEnum
from typing import Final, NamedTuple

from kgmem.extraction.dates.spans import Span, Yearly
from kgmem.extraction.dates.words import COUNTED

_TOKEN: Final = re.compile(
    r"""
      (?P<break>\n(?=[ \t]*(?:[\n>#|*+-]|\d{1,3}[.)]\s)))
    | [^\S\n]++ | \n
    | (?P<stamp>(?<![\w/.-])\d{4}-\d\d(?:-\d\d(?:
          [T ]\d\d:\d\d:\d\d(?:[.,]\d++)?(?:Z|[+-]\d\d(?::?\d\d)?)?
        | T\d\d:\d\d(?:Z|[+-]\d\d(?::?\d\d)?)?
        | [ ]\d\d:\d\dZ?
      )?)?(?![\w/-]|[.:]\w))
    | (?P<week>(?<![\w/.-])\d{4}-?W\d\d(?:-[1-7])?(?![\w/-]))
    | (?P<numeric>(?<![\w/.-])\d{1,4}(?P<cut>[/.])\d{1,2}(?P=cut)\d{1,4}(?![\w/-]|[.,:]\w))
    | (?P<years>(?<![\w/.-])\d{4}[/–]\d\d(?![\w/-]|[.,:]\d))
    | (?P<clock>(?<![\w/.:-])\d{1,2}(?::\d\d(?::\d\d)?(?:\s?(?i:[ap]m)\b)?|\s?(?i:[ap]m)\b)(?![:\w]))
    | (?P<ordinal>(?<![\w/.])\d{1,2}(?i:st|nd|rd|th)\b)
    | (?P<decade>(?<![\w/.])\d{2,4}s\b)
    | (?P<number>(?<![\w\#$€£¥/\\@=&+^~])(?<!\d[.,:])\d{1,8}(?![\w%€£¥/\\@=+]|[.,:]\d))
    | (?P<code>(?<![\w/.-])[QqHh]\d(?!\w))
    | (?P<word>(?<![\w\#@/\\=.~])[^\W\d_]++(?![\w@/\\=]|\.\w))
    | (?P<possessive>(?<=\w)['’]s?(?!\w))
    | (?P<other>\w++)
    | (?P<mark>.)
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of a text, with its span in code points, half-open."""

    kind: str
    start: int
    end: int
    word: str
    """The piece in lower case."""
    key: str
    """What rules are found by: a word or mark itself, a number or code by its kind, as in ``#number``."""


_YEAR_DIGITS: Final = 4
_END: Final = Token("end", -1, -1, "", "#end")


def _token(kind: str, match: re.Match[str]) -> Token:
    word = match.group().lower()
    return Token(kind, match.start(), match.end(), word, word if kind in {"word", "mark"} else f"#{kind}")


class Needs(IntEnum):
    """What must stand before an expression that could be something else."""

    NOTHING = 0
    PREPOSITION = 1
    """At Christmas, on Mon: any preposition will do."""
    TIME_WORD = 2
    """In May, in 1984: only one that goes with times."""


Rule = Callable[["Reader", int], "Found | None"]
"""A rule gives what it read from the token at an index, or None."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule read.

    With neither `span` nor `yearly`, the words are a date that does not exist, and no part of them is one either.
    """

    end: int
    """The index after the last token."""
    span: Span | None = None
    yearly: Yearly | None = None
    """For a date without its year."""
    needs: Needs = Needs.NOTHING
    partial: bool = False
    """Nothing in it says which one is meant, so the nearest was taken ("Monday", "the 5th")."""

    def map(self, change: Callable[[Span], Span]) -> Found:
        """The same with a changed span."""
        span, yearly = self.span, self.yearly
        if span is not None:
            return made(self.end, lambda: change(span), self.needs, partial=self.partial)
        if yearly is not None:
            return replace(self, yearly=lambda year: change(yearly(year)))
        return self


def made(end: int, make: Callable[[], Span], needs: Needs = Needs.NOTHING, *, partial: bool = False) -> Found:
    """What was found up to a token, if the calendar has it; otherwise a date that does not exist."""
    try:
        return Found(end, make(), needs=needs, partial=partial)
    except (ValueError, OverflowError):
        return Found(end)


class Reader:
    """The tokens of a text, the day that relative words count from, and whether the whole text must be a date."""

    def __init__(self, text: str, anchor: date | None, *, whole: bool = False) -> None:
        self.text = text
        self.anchor = anchor
        self.whole = whole
        self.tokens = [_token(match.lastgroup, match) for match in _TOKEN.finditer(text) if match.lastgroup]

    def counting_from(self, anchor: date) -> Reader:
        """The same tokens with another anchor."""
        other = copy.copy(self)
        other.anchor = anchor
        return other

    def token(self, at: int) -> Token:
        """The token there, or one of kind ``end``."""
        return self.tokens[at] if 0 <= at < len(self.tokens) else _END

    def kind(self, at: int) -> str:
        """The kind of the token there."""
        return self.token(at).kind

    def word(self, at: int) -> str:
        """The word there, in lower case; empty if there is none."""
        tokens = self.tokens
        if not 0 <= at < len(tokens) or tokens[at].kind != "word":
            return ""
        return tokens[at].word

    def words(self, at: int, *expected: str) -> bool:
        """Whether these words stand there, one after the other."""
        return all(self.word(at + step) == word for step, word in enumerate(expected))

    def mark(self, at: int, marks: str) -> bool:
        """Whether one of these characters stands there."""
        token = self.token(at)
        return token.kind == "mark" and token.word in marks

    def capital(self, at: int) -> bool:
        """Whether the token there begins with a capital letter."""
        return self.text[self.token(at).start].isupper()

    def glued(self, at: int) -> bool:
        """Whether nothing stands between this token and the next."""
        return self.token(at).end == self.token(at + 1).start

    def number(self, at: int) -> int | None:
        """The plain number there, unless it counts something."""
        token = self.token(at)
        return int(token.word) if token.kind == "number" and self.word(at + 1) not in COUNTED else None

    def year(self, at: int) -> int | None:
        """The year of four digits there."""
        token = self.token(at)
        return self.number(at) if len(token.word) == _YEAR_DIGITS and self.word(at + 1) not in {"bc", "bce"} else None

    def skip(self, at: int, *optional: str) -> int:
        """The index after the token there if it is one of these words or marks, else the same index."""
        return at + 1 if self.token(at).key in optional else at
