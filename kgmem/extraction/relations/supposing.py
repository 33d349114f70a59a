"""Clauses that say what need not be so: conditions, what lies ahead, and what somebody is told to see to."""

from __future__ import annotations

from typing import Final

from kgmem.extraction.relations.tokens import Sentence
from kgmem.extraction.relations.words import (
    BEFORE_ORDERS,
    CONDITIONS,
    DETERMINERS,
    NEVER_FACT,
    NOT_YET,
    ORDERS,
    PRESENT_IS_NOT_FACT,
)

_LONGEST_TITLE: Final = 3
"""Words between "my" and a name: "my old friend"."""
_LONGEST_ORDER: Final = 4
"""Words from the verb of an order to its "that": "make quite sure"."""


def is_supposed(sentence: Sentence, first: int, *, past: bool) -> bool:
    """Whether the clause of a subject is a condition, lies ahead, or is what an order is about.

    Args:
        sentence: the tokens.
        first: where its subject begins.
        past: its verb stands in the past: "when Bo left Acme" tells what happened.
    """
    at = _before_title(sentence, first) - 1
    word = sentence.word(at)
    if word in NEVER_FACT or (word in PRESENT_IS_NOT_FACT and not past):
        return True
    if word == "as" and sentence.word(at - 1) in NOT_YET and sentence.word(at - 2) == "as":
        return not past
    if word == "that":
        return sentence.word(at - 1) in CONDITIONS or _is_ordered(sentence, at - 1)
    return word == "case" or _is_ordered(sentence, at)


def _before_title(sentence: Sentence, first: int) -> int:
    """Where a phrase begins: at "my" in "my old friend Ada"."""
    for at in range(first - 1, max(-1, first - _LONGEST_TITLE - 2), -1):
        if sentence.word(at) in DETERMINERS:
            return at
    return first


def _is_ordered(sentence: Sentence, last: int) -> bool:
    """Whether the words up to a token are an order: a verb as it stands in the dictionary, and nobody who does it."""
    for at in range(last, max(-1, last - _LONGEST_ORDER), -1):
        token = sentence.tokens[at]
        if token.kind == "mark":
            return False
        if token.word in ORDERS:
            return at == 0 or sentence.word(at - 1) in BEFORE_ORDERS
    return False
