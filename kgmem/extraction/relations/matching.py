"""A phrase on the tokens of a sentence: its words in order, each slot filled directly beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kgmem.extraction.relations.subjects import Verb, Who, find_subjects, read_verb
from kgmem.extraction.relations.tokens import Sentence, Token
from kgmem.extraction.relations.wordings import Grammar, Pattern, Slot
from kgmem.extraction.relations.words import (
    ADVERBS,
    AFTER_OBJECT,
    ARTICLES,
    BE,
    CONJUNCTIONS,
    NO_TEXT,
    OPENERS,
    TEXT_ENDS,
    TEXT_TAILS,
)
from kgmem.model import EntityType

_LONGEST_TEXT: Final = 5
_LONGEST_ROLE: Final = 5
_PRONOUNS: Final = frozenset({"it", "them", "him", "her"})
_ENDS: Final = frozenset(".,;:!?)(—–…")


@dataclass(frozen=True, slots=True)
class Filled:
    """Tokens [first, end) that fill a slot."""

    slot: Slot
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase that was found: tokens [first, end), the verb first; `date` is the index of the date that is its own."""

    pattern: Pattern
    first: int
    end: int
    filled: tuple[Filled, ...]
    verb: Verb
    who: Who
    dates: tuple[int, ...]
    gone: tuple[int, ...] = ()
    """Dates right after what gave way: "left Acme in 2019 and joined Beta Labs"."""
    again: Match | None = None
    """What an ending without an object ends: "joined Acme in 2019 and left in 2021"."""


def find_matches(sentence: Sentence, patterns: Mapping[str, Sequence[Pattern]], grammar: Grammar) -> Iterator[Match]:
    """The phrases of a sentence, from left to right, none inside another.

    Where the words alone leave open which predicate they mean, each gives a match of its own.
    """
    at = 0
    previous: Match | None = None
    while at < len(sentence.tokens):
        found: list[Match] = []
        for pattern in patterns.get(sentence.word(at), ()):
            if found and not _may_mean_too(pattern, found):
                continue
            match = _match(sentence, at, pattern, grammar, previous)
            if match is not None:
                found.append(match)
        if not found:
            at += 1
            continue
        yield from found
        previous, at = found[0], max(found[0].end, at + 1)


def _may_mean_too(pattern: Pattern, found: Sequence[Match]) -> bool:
    """Whether the words that a match was found for may mean another predicate as well."""
    first = found[0]
    unsure = first.pattern.shared or any(each.slot.known for each in first.filled)
    return unsure and pattern.shared and all(pattern.predicate is not each.pattern.predicate for each in found)


def _match(sentence: Sentence, at: int, pattern: Pattern, grammar: Grammar, previous: Match | None) -> Match | None:
    verb = read_verb(sentence, at, pattern.tense)
    if verb.aspect is None:
        return None
    begin = _negated(sentence, at, verb)
    again = _elliptic(sentence, at, pattern, previous)
    filled = _fill(sentence, begin, pattern, grammar) if again is None else ([], again, [], [])
    if filled is None:
        return None
    slots, end, inner, gone = filled
    if _is_trip(sentence, end, pattern):
        return None
    before = (previous.end, previous.who, previous.pattern.predicate.symmetric) if previous else None
    who = find_subjects(sentence, verb, pattern, before)
    mutual = any(each.slot.letter == "b" for each in slots)
    if who is None or (mutual and len(who.subjects) != 2):  # noqa: PLR2004
        return None
    if sentence.word(end) == "anymore":
        end += 1
        verb = replace(verb, aspect="ended" if verb.denied else None, denied=False)
    after, dates = _dates_after(sentence, end, pattern)
    if verb.denied:
        verb = replace(verb, aspect="ended" if _since(sentence, verb, dates) else None)
    if verb.aspect is None:
        return None
    dates = [*inner, *verb.dates, *dates]
    if not dates and who.date is not None:
        dates = [who.date]
    ended = previous if again is not None else None
    return Match(pattern, at, after, tuple(slots), verb, who, tuple(dates), tuple(gone), ended)


def _negated(sentence: Sentence, at: int, verb: Verb) -> int:
    """The index of the last word of "is", "is no longer", "is not"; the verb learns what that tells."""
    if sentence.word(at) not in BE or verb.aspect not in {"present", "perfect"}:
        return at
    if sentence.word(at + 1) == "no" and sentence.word(at + 2) == "longer":
        verb.aspect = "ended"
        return at + 2
    if sentence.word(at + 1) == "not":
        verb.denied = True
        return at + 1
    return at


def _since(sentence: Sentence, verb: Verb, dates: Sequence[int]) -> bool:
    """Whether "has not worked there" goes on with "since May 2020": until then it had."""
    found = [token.date for index in dates if (token := sentence.tokens[index]).date is not None]
    return verb.aspect == "perfect" and any(each.kind == "since" for each in found)


def _is_trip(sentence: Sentence, end: int, pattern: Pattern) -> bool:
    """Whether who left only went: "left Bonn for the weekend"."""
    if pattern.tells != "yields" or sentence.word(end) != "for" or sentence.word(end + 1) in {"good", "ever"}:
        return False
    token = sentence.at(end + 1)
    return token is None or not token.capital or EntityType.LOCATION in pattern.predicate.range


def _elliptic(sentence: Sentence, at: int, pattern: Pattern, previous: Match | None) -> int | None:
    """The index after "left" in "joined Acme in 2019 and left in 2021"."""
    if previous is None or pattern.tells != "ends" or previous.pattern.predicate is not pattern.predicate:
        return None
    slot = pattern.rest[-1]
    if len(pattern.rest) != 2 or not isinstance(slot, Slot) or slot.letter == "b" or previous.again:  # noqa: PLR2004
        return None
    after = at + 2 if sentence.word(at + 1) in _PRONOUNS else at + 1
    after += sentence.word(after) == "again"
    token = sentence.at(after)
    return after if token is None or token.kind == "date" or token.word == "." else None


def _fill(
    sentence: Sentence, at: int, pattern: Pattern, grammar: Grammar
) -> tuple[list[Filled], int, list[int], list[int]] | None:
    """The slots of a pattern whose first word stands at a token, where it ends, the dates inside, and those of {x}."""
    filled: list[Filled] = []
    dates: list[int] = []
    gone: list[int] = []
    here = at + 1
    bracket = False
    for index, part in enumerate(pattern.rest[1:], start=1):
        if isinstance(part, str):
            here = _pass_by(sentence, here, gone if filled and filled[-1].slot.letter == "x" else dates, part)
            bracket = sentence.word(here) == "(" and sentence.word(here + 1) == part
            here += bracket
            if sentence.word(here) != part:
                return None
            here += 1
            continue
        if part.letter not in "db":
            here = _pass_by(sentence, here, dates, "")
        last = index == len(pattern.rest) - 1
        end = _slot(sentence, here, part, pattern, grammar, last=last)
        if end is None:
            return None
        first = here + (part.letter not in "vdb" and sentence.word(here) in ARTICLES)
        filled.append(Filled(part, first, end))
        here = end + (bracket and sentence.word(end) == ")")
    return filled, here, dates, gone


def _pass_by(sentence: Sentence, at: int, dates: list[int], wanted: str) -> int:
    while (token := sentence.at(at)) is not None and token.word != wanted:
        if token.kind == "date":
            dates.append(at)
        elif token.word not in ADVERBS:
            break
        at += 1
    return at


def _slot(sentence: Sentence, at: int, slot: Slot, pattern: Pattern, grammar: Grammar, *, last: bool) -> int | None:
    """The index after what fills a slot at a token, or None."""
    token = sentence.at(at)
    if slot.letter == "d":
        return at + 1 if token and token.date and token.date.kind == "point" else None
    if slot.letter == "b":
        return at if _closes(token) else None
    if slot.letter == "r":
        return _role(sentence, at, grammar.roles, last=last)
    if slot.letter == "v":
        named = _name(sentence, at, slot, pattern, last=last)
        return named if named is not None and sentence.tokens[at].kind == "name" else _text(sentence, at)
    return _name(sentence, at, slot, pattern, last=last)


def _name(sentence: Sentence, at: int, slot: Slot, pattern: Pattern, *, last: bool) -> int | None:
    first = at + 1 if sentence.word(at) == "the" else at
    end = _name_end(sentence, first, slot)
    if end is None:
        return None
    if slot.having and slot.having.isdisjoint(sentence.text(first, end).casefold().replace(".", "").split()):
        return None
    if not last:
        return end
    end = _place_goes_on(sentence, end, pattern)
    return end if _may_follow(sentence, end) and not _half(sentence, first, end) else None


def _name_end(sentence: Sentence, first: int, slot: Slot) -> int | None:
    """The index after the name that begins at a token; more capitals after a note's name make it another one."""
    token = sentence.at(first)
    if token is None or token.kind in {"mark", "date"}:
        return None
    end = sentence.run_from(first)
    if slot.known:
        known = token.name is not None and token.name.known
        return first + 1 if known and end <= first + 1 else None
    if token.kind == "name":
        return max(end, first + 1)
    return None if end == first or (end == first + 1 and token.word in OPENERS) else end


def _place_goes_on(sentence: Sentence, end: int, pattern: Pattern) -> int:
    """The index after "Cambridge, Massachusetts": one name where a place is named and the sentence goes on."""
    kinds = {kind.value for kind in pattern.predicate.range}
    alone = sentence.tokens[end - 1]
    if kinds != {"Location"} or sentence.word(end) != "," or (alone.name and alone.name.link):
        return end
    token = sentence.at(end + 1)
    further = sentence.run_from(end + 1) if token and token.kind == "word" else end
    closed = _closes(sentence.at(further))
    known = alone.name is not None and alone.name.known
    return further if further > end + 1 and closed and not known else end


def _may_follow(sentence: Sentence, end: int) -> bool:
    """Whether a name may end there, and is no part of something longer ("Acme's office", "Paris suburbs")."""
    token = sentence.at(end)
    if token is None or token.kind == "date":
        return True
    if token.kind == "mark":
        return token.word in _ENDS or token.word in {'"', "”"} or (token.word == "-" and _gap(sentence, end) != "")
    return token.word in AFTER_OBJECT or token.word in ADVERBS or "\n" in _gap(sentence, end)


def _half(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a name that nobody knows may go on.

    "The Threat and Local Observation Notices", "Union for French Democracy", "University of California, Berkeley".
    """
    token, after = sentence.tokens[first], sentence.at(end + 1)
    if after is None or not after.capital or (token.name is not None and token.name.known):
        return False
    if sentence.word(end) == ",":
        return _closes(sentence.at(sentence.run_from(end + 1)))
    return sentence.word(end) in {"and", "&", "for", "or", "to"}


def _closes(token: Token | None) -> bool:
    """Whether nothing more is said after a name."""
    return token is None or token.kind == "date" or token.word in _ENDS


def _gap(sentence: Sentence, at: int) -> str:
    return sentence.prose[sentence.tokens[at - 1].end : sentence.tokens[at].start]


def _role(sentence: Sentence, at: int, roles: frozenset[str], *, last: bool) -> int | None:
    """The index after "a senior software engineer": a few words, of which the last is a role."""
    first = at + 1 if sentence.word(at) in ARTICLES else at
    best: int | None = None
    for here in range(first, min(len(sentence.tokens), first + _LONGEST_ROLE)):
        token = sentence.tokens[here]
        if token.kind != "word" or token.word in NO_TEXT or token.word in CONJUNCTIONS:
            break
        if token.word in roles:
            best = here + 1
    if best is None or not last:
        return best
    return best if _closes(sentence.at(best)) else None


def _text(sentence: Sentence, at: int) -> int | None:
    """The index after a few words that end a clause: "Chinese food"."""
    end = at
    while (token := sentence.at(end)) is not None and token.kind == "word":
        if token.word in TEXT_ENDS:
            break
        if token.word in NO_TEXT and token.word not in TEXT_TAILS:
            return None
        if token.word == "and":
            return None
        end += 1
    follows = sentence.at(end)
    if follows is not None and follows.kind == "mark" and follows.word not in _ENDS:
        return None
    if follows is not None and follows.kind == "name":
        return None
    while end > at and sentence.word(end - 1) in TEXT_TAILS:
        end -= 1
    return end if at < end <= at + _LONGEST_TEXT else None


def _dates_after(sentence: Sentence, end: int, pattern: Pattern) -> tuple[int, list[int]]:
    """The index after the dates that follow a phrase, and which they are."""
    here = end + 1 if sentence.word(end) in ADVERBS else end
    token = sentence.at(here)
    if token is not None and token.kind == "date":
        here += 1
        found = [here - 1]
        while (more := sentence.at(here)) is not None and more.kind == "date":
            found.append(here)
            here += 1
        return here, found
    comma = sentence.word(here) == ","
    token = sentence.at(here + 1)
    # "Bo (1836 – 1903)" lived then.
    bracket = sentence.word(here) == "(" and EntityType.PERSON not in pattern.predicate.range
    if (comma or bracket) and token is not None and token.kind == "date":
        follows = sentence.at(here + 2)
        closes = {".", ",", ";", ")", "!"} if comma else {")"}
        if follows is None or follows.word in closes or (comma and follows.word in CONJUNCTIONS):
            return here + 2 + (not comma), [here + 1]
    return end, []
