"""The context block: what an answer rests on, as lines for another program, within a budget of tokens.

Current facts come first, those that the direct answer tells before the others, then passages, then facts of other
times. Each is one line with its note and line. A line is there whole or not at all; only a passage that is too long is
cut, at the end of a sentence, and ends in an ellipsis. The same answer and budget give the same block.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from kgmem.recall.answer import Answer
from kgmem.recall.facts import FactView
from kgmem.recall.reply import NOT_HERE
from kgmem.recall.search import Found
from kgmem.recall.wording import place_words, when

_PIECE: Final = re.compile(r"[A-Za-z]+|[0-9]+|[^\x00-\x7f]+|[^\sA-Za-z0-9]")
_LETTERS_A_TOKEN: Final = 4
_DIGITS_A_TOKEN: Final = 2
_BYTES_A_TOKEN: Final = 2.5
"""Of UTF-8, beyond ASCII: a Chinese character counts 1.2 tokens."""
_SENTENCE_END: Final = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")
_CUT: Final = " …"


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a block."""

    kind: str
    """fact, passage, or past for a fact of another time."""
    text: str
    """The line as it stands in the block."""
    source: str | None
    line: int | None
    tokens: int
    cut: bool = False
    begins: int = 0
    """Where in the line begins what the note says, behind its place."""

    def as_json(self) -> dict[str, Any]:
        """The form that scripts rely on."""
        return {
            "kind": self.kind,
            "text": self.text,
            "source": self.source,
            "line": self.line,
            "tokens": self.tokens,
            "cut": self.cut,
        }


@dataclass(frozen=True, slots=True)
class Block:
    """What fits."""

    items: tuple[Item, ...]
    tokens: int
    """Of all lines, by `tokens_of`."""
    left_out: int
    """Lines that did not fit."""

    @property
    def text(self) -> str:
        """The lines."""
        return "\n".join(item.text for item in self.items)


def tokens_of(text: str) -> int:
    """An estimate of the tokens of a text, rather too high than too low.

    A word of letters counts one for each four of them, a number one for each two digits, every mark one, and what is
    not ASCII one for each 2.5 bytes of UTF-8, each rounded up. Models differ; none is asked.
    """
    return sum(_tokens_of_piece(piece[0]) for piece in _PIECE.finditer(text))


def _tokens_of_piece(piece: str) -> int:
    if not piece.isascii():
        return math.ceil(len(piece.encode("utf-8", "replace")) / _BYTES_A_TOKEN)
    return math.ceil(len(piece) / (_DIGITS_A_TOKEN if piece.isdigit() else _LETTERS_A_TOKEN)) if piece.isalnum() else 1


def context(answer: Answer, budget: int) -> Block:
    """The block of an answer.

    Args:
        answer: what `kgmem.recall.answer.ask` gives.
        budget: tokens at most, by `tokens_of`, with one for each line break.
    """
    items: list[Item] = []
    spent = left_out = 0
    for item in _lines(answer):
        room = budget - spent - (1 if items else 0)
        fitting = item if item.tokens <= room else _shortened(item, room)
        if fitting is None:
            left_out += 1
            continue
        spent = budget - room + fitting.tokens
        items.append(fitting)
    return Block(tuple(items), spent, left_out)


def _lines(answer: Answer) -> Iterator[Item]:
    holding = [fact for fact in answer.facts if fact.holds_in(answer.at)]
    told = [fact for one in answer.told for fact in holding if fact.fact.id == one]
    for fact in (*told, *(fact for fact in holding if fact not in told)):
        yield _fact_line("fact", fact)
    passages = [line for line in map(_passage_line, answer.passages) if line]
    yield from passages
    for fact in answer.facts:
        if fact not in holding:
            yield _fact_line("past", fact)
    if not answer.facts and not passages:
        yield _item("none", answer.text or NOT_HERE, None, None)


def _fact_line(kind: str, fact: FactView) -> Item:
    first = fact.evidence[0] if fact.evidence else None
    where = f" [{place_words(first.path, first.line, kind=first.kind)}]" if first else ""
    disputed = "; disputed" if fact.rivals else ""
    said = f"- {fact.says.rstrip('.')} ({when(fact.fact)}{disputed}).{where}"
    return _item(kind, said, first.path if first else None, first.line if first else None)


def _passage_line(passage: Found) -> Item | None:
    """The line of a passage; None for one that says nothing that can be seen."""
    text = _plain(passage.text)
    where = _plain(f"[{place_words(passage.source or '', passage.line, kind=passage.kind)}]")
    heading = f" {passage.heading.rsplit(' > ', 1)[-1]}:" if passage.heading else ""
    return _item("passage", f"{where}{heading} {text}", passage.source, passage.line, len(where)) if text else None


def _item(kind: str, text: str, source: str | None, line: int | None, begins: int = 0) -> Item:
    said = _plain(text)
    return Item(kind, said, source, line, tokens_of(said), begins=begins)


def _plain(text: str) -> str:
    """A text on a line of its own: what a note says is on it and on no other, so that none of it looks like ours."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def _shortened(item: Item, room: int) -> Item | None:
    """A passage up to the last sentence that fits; None if not even one does, or it is no passage."""
    if item.kind != "passage":
        return None
    for end in reversed([match.end() for match in _SENTENCE_END.finditer(item.text, item.begins)]):
        text = item.text[:end] + _CUT
        tokens = tokens_of(text)
        if tokens <= room:
            return Item(item.kind, text, item.source, item.line, tokens, cut=True)
    return None
