"""The left side of a phrase: what its verb tells of time, and who the subject is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from kgmem.extraction.relations.supposing import is_supposed
from kgmem.extraction.relations.tokens import Sentence, Token
from kgmem.extraction.relations.wordings import Pattern
from kgmem.extraction.relations.words import (
    ADVERBS,
    ARTICLES,
    BE,
    BEGUN,
    CLAUSE_STARTS,
    CONJUNCTIONS,
    DETERMINERS,
    HAVE,
    NO_NOUN,
    ORDERS,
    PERSONAL,
    STOPPED,
    Tense,
)
from kgmem.model import EntityType

Aspect = Literal["present", "past", "perfect", "begun", "ended"]
_LONGEST_PERSON: Final = 6
"""Tokens of a person's name that nobody knows yet."""
_LONGEST_TITLE: Final = 3
"""Words between "my" and a name: "my old friend"."""
_LONGEST_LABEL: Final = 4
"""Tokens of a label, with its colon: "Good news:"."""
_PLURAL: Final = frozenset({"are", "am", "were"})
_BOUNDARIES: Final = frozenset(",;:—–(…")


@dataclass(slots=True)
class Verb:
    """What stands before a verb, read leftwards."""

    at: int
    """The index of the token that the subject must end with; -1 at the start of the sentence."""
    tense: Tense
    aspect: Aspect | None
    """None if the words say something else, or nothing that can be told."""
    waiting: bool
    """The form needs another verb before it: "working", "taken"."""
    plural: bool = False
    """The form goes with "I", or with several."""
    dates: list[int] = field(default_factory=list)
    who: bool = False
    denied: bool = False
    """It says "not": what that means, the words after it tell."""
    helped: bool = False
    """"does" or "do" stands there."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a phrase is about: tokens [first, end), or what the note is about where both are equal."""

    first: int
    end: int
    is_note: bool = False
    owner: bool = False


@dataclass(frozen=True, slots=True)
class Who:
    """The subjects, and the index of a date before them."""

    subjects: tuple[Subject, ...]
    date: int | None = None


Previous = tuple[int, Who, bool]


def read_verb(sentence: Sentence, at: int, tense: Tense) -> Verb:
    """What the words before the verb at a token say of time.

    Anything that is no adverb, auxiliary or date ends the way left: what it is decides about the subject.
    """
    aspect: Aspect | None = "past" if tense == "past" else "present" if tense in {"present", "base", "bare"} else None
    verb = Verb(at - 1, tense, aspect, waiting=tense in {"ing", "participle"})
    verb.plural = tense == "base" or sentence.word(at) in _PLURAL
    while verb.at >= 0 and (_passes(sentence, verb) or _turn(sentence, verb) or _auxiliary(sentence, verb)):
        verb.at -= 1
    if verb.at < 0 and tense == "ing" and verb.waiting:
        verb.aspect, verb.waiting = "present", False
    verb.who = sentence.word(verb.at) == "who"
    if verb.waiting or (verb.denied and not _may_deny(verb)):
        verb.aspect = None
    return verb


def _may_deny(verb: Verb) -> bool:
    """Whether "not" stands where it can say that something is over: "does not work", "has not worked"."""
    if verb.tense == "base":
        return verb.helped
    return verb.aspect == "perfect" or (verb.tense == "ing" and verb.aspect == "present")


def _passes(sentence: Sentence, verb: Verb) -> bool:
    """Whether a date or an adverb stands there, or the article of "Ada, a member of"."""
    token = sentence.tokens[verb.at]
    if token.kind == "date":
        verb.dates.append(verb.at)
        return True
    article = verb.tense == "bare" and token.word in ARTICLES and sentence.word(verb.at - 1) == ","
    return article or token.word in ADVERBS


def _turn(sentence: Sentence, verb: Verb) -> bool:
    """Read "no longer", "used to", "began to"."""
    before, word = sentence.word(verb.at - 1), sentence.word(verb.at)
    if word == "longer" and before == "no" and verb.aspect == "present":
        verb.aspect = "ended"
    elif word == "to" and verb.tense == "base" and (before == "used" or before in BEGUN):
        verb.aspect, verb.plural = "past" if before == "used" else "begun", False
    else:
        return False
    verb.at -= 1
    return True


def _auxiliary(sentence: Sentence, verb: Verb) -> bool:
    """Read "has", "is", "started", "stopped"."""
    word, ing = sentence.word(verb.at), verb.tense == "ing" and verb.waiting
    if word == "not" and not verb.denied:
        verb.denied = True
    elif word in {"does", "do"} and verb.denied and verb.tense == "base":
        verb.helped, verb.plural = True, word == "do"
    elif ing and (word in BEGUN or word in STOPPED):
        verb.aspect, verb.waiting = "begun" if word in BEGUN else "ended", False
    elif word in HAVE and (verb.tense in {"past", "participle"} or sentence.word(verb.at + 1) == "been"):
        verb.aspect, verb.waiting = "past" if word == "had" else "perfect", False
        verb.plural = word == "have"
    elif ing and word in BE:
        verb.aspect, verb.waiting = _of_be(word), word == "been"
        verb.plural = word in _PLURAL
    else:
        return False
    return True


def _of_be(word: str) -> Aspect | None:
    return {"present": "present", "past": "past"}.get(BE[word])  # type: ignore[return-value]


def find_subjects(sentence: Sentence, verb: Verb, pattern: Pattern, previous: Previous | None) -> Who | None:
    """Who a phrase is about, or None if nobody stands directly before it.

    Args:
        sentence: the tokens.
        verb: what stands before the verb.
        pattern: what was said.
        previous: where the phrase before it in the sentence ended, whom it was about, and whether it is mutual.
    """
    at = verb.at
    if verb.who:
        at = at - 2 if sentence.word(at - 1) == "," else at - 1
        ended = at + 1 == len(sentence.tokens) or at < 0
        return None if ended else _named(sentence, at, pattern, verb, None)
    if pattern.tense == "bare" and at >= 0:
        # "Ada, member of Acme, …"; without the comma the words may belong to any other.
        return _named(sentence, at - 1, pattern, verb, previous) if at and sentence.word(at) == "," else None
    if at < 0:
        return _nobody(sentence, pattern, verb)
    if previous is not None and (shared := _shared(sentence, at, *previous)):
        return shared
    word = sentence.word(at)
    if word in CONJUNCTIONS or word == ",":
        leading = _leading_date(sentence, at + 1)
        return _nobody(sentence, pattern, verb) if leading is not None and leading[1] == 0 else None
    return _named(sentence, at, pattern, verb, previous)


def _nobody(sentence: Sentence, pattern: Pattern, verb: Verb) -> Who | None:
    """What the note is about: "works at Acme since 2019"."""
    bare = pattern.tense == "base" and not verb.helped
    if not sentence.tokens or bare or (verb.plural and pattern.tense != "bare"):
        return None
    return Who((Subject(0, 0, is_note=True),))


def _shared(sentence: Sentence, at: int, end: int, who: Who, mutual: bool) -> Who | None:
    """The subject of the phrase before, where only "and", or "and she", stands between: "left Acme and joined Beta"."""
    between = sentence.tokens[end : at + 1]
    pronouns = PERSONAL | {"they"} if mutual else PERSONAL
    named = bool(between) and between[-1].word in pronouns
    joined = all(
        token.kind == "date" or token.word in CONJUNCTIONS or token.word in {",", ";"}
        for token in (between[:-1] if named else between)
    )
    return who if between and joined and at >= end and any(token.kind != "date" for token in between) else None


def _named(sentence: Sentence, at: int, pattern: Pattern, verb: Verb, previous: Previous | None) -> Who | None:
    found: list[Subject] = []
    while True:
        one = _one(sentence, at, pattern)
        if one is None or is_supposed(sentence, one.first, past=verb.aspect == "past"):
            return None
        found.append(one)
        date = _clause_start(sentence, one.first, previous)
        if date is not None:
            break
        step = 2 if sentence.word(one.first - 1) == "and" and sentence.word(one.first - 2) == "," else 1
        if sentence.word(one.first - 1) not in {"and", "&", ","}:
            return None
        at = one.first - step - 1
        if at < 0:
            return None
    if not _agrees(sentence, found, verb, pattern):
        return None
    return Who(tuple(found[::-1]), date if date >= 0 else None)


def _agrees(sentence: Sentence, found: list[Subject], verb: Verb, pattern: Pattern) -> bool:
    """Whether the form of the verb goes with the number of subjects; "he" stands alone at the start."""
    several = len(found) > 1 or found[0].owner
    bare = pattern.tense == "base" and not verb.helped
    if (bare or verb.plural) and verb.aspect != "begun" and not several:
        return False
    if not verb.plural and (pattern.tense == "present" or verb.helped) and several:
        return False
    first = sentence.tokens[found[-1].first]
    return first.word not in PERSONAL or len(found) == 1


def _one(sentence: Sentence, at: int, pattern: Pattern) -> Subject | None:
    """The one subject that ends with a token."""
    token = sentence.tokens[at]
    if token.kind == "name":
        first = _unknown(sentence, at, pattern, longer=True) if not (token.name and token.name.link) else None
        return Subject(at if first is None else first, at + 1)
    if token.kind != "word":
        return None
    if token.word == "i" and token.text == "I":
        return Subject(at, at + 1, owner=True) if EntityType.PERSON in pattern.types(pattern.first) else None
    if token.word in PERSONAL:
        opens = _opening(sentence, at)
        return Subject(at, at + 1, is_note=True) if opens and pattern.types(pattern.first)[:1] == _PERSON else None
    first = _unknown(sentence, at, pattern, longer=False)
    return None if first is None else Subject(first, at + 1)


_PERSON: Final = (EntityType.PERSON,)


def _unknown(sentence: Sentence, at: int, pattern: Pattern, *, longer: bool) -> int | None:
    """Where a capitalised name that opens the sentence and ends at a token begins: a person nobody knows yet."""
    slot = pattern.first
    if slot.known or EntityType.PERSON not in pattern.types(slot):
        return None
    for first in range(max(0, at - _LONGEST_PERSON + 1), at + (not longer)):
        begins = _opening(sentence, first) or sentence.word(first - 1) in {"and", "&"} or _titled(sentence, first)
        if begins and sentence.run_from(first) >= at + 1:
            if first < at and sentence.word(first) in ORDERS and _opening(sentence, first):
                continue  # "Ensure Max Hall works at Acme"
            words = [token for token in sentence.tokens[first : at + 1] if token.capital]
            if words and sentence.is_name(first, at + 1) and sentence.tokens[first].word != "the":
                return first
    return None


def _opening(sentence: Sentence, first: int) -> bool:
    """Whether a subject that begins there opens the sentence, or a line, or what a date or a label opens."""
    if first == 0 or _new_line(sentence, first) or (first <= _LONGEST_LABEL and sentence.word(first - 1) == ":"):
        return True
    leading = _leading_date(sentence, first)
    return leading is not None and leading[1] == 0


def _clause_start(sentence: Sentence, first: int, previous: Previous | None) -> int | None:
    """Whether a clause begins at a token: the index of the date before it, -1 without one; None if it does not."""
    if first == 0 or _new_line(sentence, first):
        return -1
    leading = _leading_date(sentence, first)
    if leading is not None:
        return leading[0] if leading[1] == 0 or sentence.word(leading[1] - 1) in {"and", "but", ";", ":"} else -1
    before = sentence.word(first - 1)
    if before in CLAUSE_STARTS or (before in _BOUNDARIES and before):
        return -1
    if previous is not None and before == "and" and previous[0] in {first - 1, first - 2}:
        return -1
    return -1 if _titled(sentence, first) else None


def _leading_date(sentence: Sentence, first: int) -> tuple[int, int] | None:
    """The index of the date that stands before a token (a comma between), and where its clause begins."""
    at = first - 2 if sentence.word(first - 1) == "," else first - 1
    token = sentence.at(at)
    return (at, at) if token is not None and token.kind == "date" else None


def _titled(sentence: Sentence, first: int) -> bool:
    """Whether "my old friend" stands before a name, and a clause begins with it."""
    at = first - 1
    for _ in range(_LONGEST_TITLE + 1):
        token = sentence.at(at)
        if token is None or token.kind != "word" or (token.capital and at > 0):
            return False
        if token.word in DETERMINERS:
            before = sentence.at(at - 1)
            if before is None or before.word in _BOUNDARIES or before.word in CLAUSE_STARTS:
                return True
        elif token.word in NO_NOUN:
            return False
        at -= 1
    return False


def _new_line(sentence: Sentence, first: int) -> bool:
    before: Token | None = sentence.at(first - 1)
    if before is None or "\n" not in sentence.prose[before.end : sentence.tokens[first].start]:
        return False
    return before.word not in NO_NOUN and before.word not in DETERMINERS and before.word != ","
