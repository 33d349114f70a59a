"""A sentence as tokens: words, marks, names and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from kgmem.extraction.dates import Dates, Expression, read_dates
from kgmem.extraction.ontology import Rank
from kgmem.extraction.proposal import Ref
from kgmem.extraction.relations.words import ABBREVIATED, GIVEN_NAMES, HONOURS, INSIDE_NAMES, OPENERS, TITLES
from kgmem.model import Period

_PLAIN = (
    r"(?P<initials>(?:[^\W\d_]\.){2,}|[^\W\d_a-z]\.(?=\s+[^\W\d_a-z]))"
    r"|(?P<word>\w+(?:[-.&]\w+)*)|(?P<apostrophe>['’](?:s|m|ve|re|d|ll|t)?\b)|(?P<mark>\S)"
)
_PIECE = re.compile(_PLAIN)
_NEGATED_PIECE = re.compile(
    r"(?P<helper>(?i:do|does|is|are|was|were|has|have|had)(?=n['’]t\b))|(?P<negation>n['’]t\b)"
    rf"|(?P<anymore>any\s+(?:more|longer)\b)|{_PLAIN}"
)
"""The same where something is denied: "isn't", "any more"."""
_OTHERWISE = {"negation": "not", "anymore": "anymore"}
"""Pieces that stand for another word."""
_BEFORE_DATES = frozenset({"back", "way", "sometime"})
"""These say no more of a date than that it is one: "back in 2011"."""
_SHORT_FORMS = {"m": "am", "ve": "have", "re": "are", "d": "would", "ll": "will"}
_IS_AFTER = frozenset({"he", "she", "it", "who", "that", "there"})
_LONGEST_NAME = 9


class Name(NamedTuple):
    """A span of a block that names something, with the reference that the ladder made of it."""

    start: int
    end: int
    ref: Ref
    link: bool = False

    @property
    def known(self) -> bool:
        """Whether a note bears the name, or a link says it: no guess."""
        return self.ref.typing.rank != Rank.GUESS


class Token(NamedTuple):
    """A piece of a sentence; offsets are of the block's prose."""

    kind: str
    """word, mark, name or date."""
    start: int
    end: int
    text: str
    word: str
    """The text in lower case; empty for names and dates."""
    name: Name | None = None
    date: Expression | None = None

    @property
    def capital(self) -> bool:
        """Whether it begins as a name does."""
        return self.text[:1].isupper()


@dataclass(frozen=True, slots=True)
class Sentence:
    """The tokens of one sentence."""

    prose: str
    start: int
    end: int
    tokens: tuple[Token, ...]
    dates: Dates
    """Those of its text, by themselves."""

    @property
    def unread(self) -> tuple[tuple[int, int], ...]:
        """Spans of the block's prose that look like dates, and are none that can be read."""
        return tuple((first + self.start, past + self.start) for first, past in self.dates.unread)

    def at(self, index: int) -> Token | None:
        """The token there, or None past either end."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def word(self, index: int) -> str:
        """The word or mark there, in lower case; empty for none, a name or a date."""
        token = self.at(index)
        return token.word if token else ""

    def run_from(self, index: int) -> int:
        """The index after the capitalised words that begin there: a name that nobody knows yet."""
        end = at = index
        while at < min(len(self.tokens), index + _LONGEST_NAME):
            if self._breaks(index, at):
                break
            token = self.tokens[at]
            if token.capital and token.kind != "date" and not (token.name and token.name.link):
                end = at + 1
            elif token.word == "." and self.word(at - 1) in ABBREVIATED and end == at:
                end = at + 1  # the stop of "St."
            elif end == index or not (token.word in INSIDE_NAMES or self._of_an_honour(at)):
                break
            at += 1
        return end if self.is_name(index, end) else index

    def _of_an_honour(self, at: int) -> bool:
        """Whether a name goes on with "in" or "for": the Wolf Prize in Medicine."""
        return self.word(at) in {"in", "for"} and at > 0 and self.tokens[at - 1].text.lower() in HONOURS

    def _breaks(self, first: int, at: int) -> bool:
        return at > first and "\n" in self.prose[self.tokens[at - 1].end : self.tokens[at].start]

    def is_name(self, first: int, end: int) -> bool:
        """Whether the capitalised words [first, end) can name anything."""
        words = [token for token in self.tokens[first:end] if token.kind in {"word", "name"}]
        if not words or (len(words) == 1 and words[0].word in TITLES):
            return False
        return words[0].word not in OPENERS or (len(words) > 1 and words[0].word in GIVEN_NAMES | {"the"})

    def text(self, first: int, end: int) -> str:
        """The words of tokens [first, end) as they stand, white space collapsed."""
        return " ".join(self.prose[self.tokens[first].start : self.tokens[end - 1].end].split())


def sentence_tokens(
    prose: str, start: int, end: int, names: Sequence[Name], anchor: date | None, *, dated: bool = True
) -> Sentence:
    """Cut a sentence of a block into tokens.

    Args:
        prose: the block's.
        start: of the sentence.
        end: of the sentence.
        names: what the block names, in order.
        anchor: the day that relative dates count from.
        dated: whether it may hold a date: most hold none, and looking costs the most.
    """
    read = read_dates(prose[start:end], anchor) if dated else Dates("", (), ())
    dates = [_moved(each, start) for each in read.found]
    held = [name for name in names if start <= name.start and name.end <= end and not _is_date(name, dates)]
    dates = [each for each in dates if not any(_overlap(each, name) for name in held)]
    whole: list[Name | Expression] = sorted((*held, *dates), key=lambda each: each.start)
    tokens: list[Token] = []
    at = start
    for each in whole:
        if each.start < at:
            continue
        tokens += _plain(prose, at, each.start)
        text = prose[each.start : each.end]
        if isinstance(each, Expression):
            tokens.append(Token("date", each.start, each.end, text, "", date=each))
        else:
            tokens.append(Token("name", each.start, each.end, text, "", name=each))
        at = each.end
    tokens += _plain(prose, at, end)
    return Sentence(prose, start, end, tuple(_with_leads(prose, tokens) if dates else tokens), read)


def _with_leads(prose: str, tokens: Sequence[Token]) -> Iterator[Token]:
    """Take into a date what leads to it: "back in 2011", and "from 5 January 2026" and "as of 2021", which begin.

    The grammar of dates knows "from" only with "to", and that for a question "as of" is a point in time.
    """
    at = 0
    while at < len(tokens):
        lead = at
        while tokens[lead].word in _BEFORE_DATES and lead + 1 < len(tokens):
            lead += 1
        begins = tokens[lead].word in {"from", "effective"}
        if tokens[lead].word == "as" and lead + 1 < len(tokens) and tokens[lead + 1].word in {"of", "from"}:
            lead, begins = lead + 1, True
        last = lead + begins
        found = tokens[last].date if last < len(tokens) else None
        if found is None:
            yield tokens[at]
            at += 1
            continue
        begins = begins or found.text.lower().startswith("as ")
        if begins and found.kind in {"point", "range"} and not found.joined:
            found = replace(found, kind="since", period=Period(start=found.period.start))
        start, end = tokens[at].start, tokens[last].end
        yield Token("date", start, end, prose[start:end], "", date=found)
        at = last + 1


def _moved(found: Expression, by: int) -> Expression:
    return replace(found, start=found.start + by, end=found.end + by)


def _is_date(name: Name, dates: Sequence[Expression]) -> bool:
    return any(each.start <= name.start and name.end <= each.end for each in dates)


def _overlap(found: Expression, name: Name) -> bool:
    return found.start < name.end and name.start < found.end


def _plain(prose: str, start: int, end: int) -> Iterator[Token]:
    before = ""
    denied = "n't" in prose or "n’t" in prose or "any " in prose
    for match in (_NEGATED_PIECE if denied else _PIECE).finditer(prose, start, end):
        text, word = match[0], match[0].lower()
        if match.lastgroup == "apostrophe":
            ending = word[1:]
            said = "is" if ending == "s" and before in _IS_AFTER else _SHORT_FORMS.get(ending)
            said = "not" if ending == "t" else said
            word = said or "'s"
            yield Token("word" if said else "mark", match.start(), match.end(), text, word)
        else:
            kind = "mark" if match.lastgroup == "mark" else "word"
            word = _OTHERWISE.get(match.lastgroup or "", word)
            yield Token(kind, match.start(), match.end(), text, word)
        before = word
