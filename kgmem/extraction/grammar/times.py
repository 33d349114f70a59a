"""When a clause holds: the dates that stand in it, and what its verb and its frame make of them.

Tense alone gives no date. The rules are those of the rung of phrases (`relations.periods`), for clauses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from kgmem.extraction.dates import Expression
from kgmem.extraction.dates.spans import day_of
from kgmem.extraction.grammar.filling import Found
from kgmem.extraction.grammar.tree import Tree
from kgmem.extraction.ontology import hidden
from kgmem.extraction.relations.periods import beside, covers, ending, is_today, lies_ahead, one_date, starting
from kgmem.extraction.relations.tokens import Sentence
from kgmem.model import UNDATED, Basis, Bound, ClaimKind, EntityType, Moment, Period, Precision

_NUMBERS: Final = {
    word: at for at, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_LASTING: Final = re.compile(r"\bfor (?P<number>\d{1,2}|[a-z]+) (?P<unit>years?|months?)\b", re.IGNORECASE)
_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class Told:
    """What a clause tells of its object."""

    kind: ClaimKind
    valid: Period
    said: Bound
    denied: bool = False
    """It says that it is not so: of a liking that means the opposite one."""


@dataclass(frozen=True, slots=True)
class Noted:
    """The date of a note, as a world date that orders and as the day that relative dates count from."""

    said: Bound
    anchor: date | None


class Times:
    """The dates of one sentence, each with the words above it."""

    def __init__(self, tree: Tree, sentence: Sentence) -> None:
        self._tree = tree
        self._sentence = sentence
        self._dates = [
            (token.date, self._over(token.start, token.end), token.start) for token in sentence.tokens if token.date
        ]

    @property
    def unread(self) -> bool:
        """Whether the sentence says when in a way that nobody could read."""
        return bool(self._sentence.unread)

    def _over(self, start: int, end: int) -> list[int]:
        """The words above a date, up to its verb."""
        words = self._tree.words
        inside = [at for at, word in enumerate(words) if start <= word.start and word.end <= end]
        top = next((at for at in inside if words[at].head not in inside or words[at].head == at), None)
        if top is None or words[top].head == top:
            return []
        found = [words[top].head]
        for each in self._tree.above(found[0]) if not self._tree.is_verb(found[0]) else ():
            found.append(each)
            if self._tree.is_verb(each):
                break
        return found

    def of(self, found: Found) -> list[Expression]:
        """The dates that a clause has for its own; a second verb shares what stands before the first."""
        own = [date for date, over, start in self._dates if self._is_own(found, over, start)]
        if own or found.apposed:
            return own
        at, words = found.at, self._tree.words
        while words[at].dep == "conj":
            at = words[at].head
            first = min(at, *self._tree.of(at, "nsubj", "nsubjpass"), at)
            shared = [
                date for date, over, start in self._dates if over and over[-1] == at and start < words[first].start
            ]
            if shared:
                return shared
        return []

    def _is_own(self, found: Found, over: Sequence[int], start: int) -> bool:
        if not over or self._is_life(found, start):
            return False
        return bool(found.places & set(over))

    def _is_life(self, found: Found, start: int) -> bool:
        """Whether a date stands in brackets after somebody: "Bo (1836–1903)" lived then."""
        return self._sentence.prose[start - 1 : start] == "(" and EntityType.PERSON in found.frame.predicate.range

    def lasting(self) -> int | None:
        """Months that something lasted: "for three years"."""
        match = _LASTING.search(self._sentence.prose, self._sentence.start, self._sentence.end)
        if match is None:
            return None
        word = match["number"].lower()
        number = int(word) if word.isdigit() else _NUMBERS.get(word)
        return None if number is None else number * (_MONTHS if match["unit"].lower().startswith("y") else 1)


def tell(found: Found, times: Times, noted: Noted) -> Told | None:
    """Whether a clause says that something holds, ended, or is not so, and when; None if it says none of it."""
    dates = times.of(found)
    expression = _lasted(one_date(dates), times.lasting())
    if dates and expression is None:
        return None
    said = noted.said
    if (expression is None and times.unread) or found.stance.background or found.over:
        said = hidden(said)
    manner = _manner(found)
    if manner == "says":
        begun = _since(noted.anchor, times.lasting()) if not dates and found.stance.aspect == "perfect" else None
        return Told(ClaimKind.HOLDS, begun, said) if begun else _state(found, expression, said, noted.anchor)
    if manner in _CHANGES:
        return _change(found, expression, Noted(said, noted.anchor), manner)
    return _ALWAYS[manner](found, expression, said)


def _manner(found: Found) -> str:
    """How a clause tells: as its frame, unless what stands around its words says otherwise."""
    aspect, tells = found.stance.aspect, found.tells
    if found.frame.first.letter == "a":
        return "by the way"
    if aspect == "denied" or found.over:
        return "denied" if aspect == "denied" else "former"
    if tells == "says":
        return {"begun": "starts", "ended": "ends"}.get(aspect, tells)
    if aspect in {"ended", "used"}:
        return "never"
    once = found.frame.kind == "noun" and tells == "starts" and found.frame.tells == "starts"
    return "ever" if once else tells


def _denied(found: Found, expression: Expression | None, said: Bound) -> Told | None:
    """Who does not like something, dislikes it; nothing else that is not so is claimed."""
    plain = found.frame.predicate.opposite is not None and expression is None and found.tells == "says"
    return Told(ClaimKind.HOLDS, UNDATED, said, denied=True) if plain else None


def _undated(_found: Found, _expression: Expression | None, said: Bound) -> Told:
    """What does not begin: whose sister she is."""
    return Told(ClaimKind.HOLDS, UNDATED, said)


def _by_the_way(_found: Found, _expression: Expression | None, said: Bound) -> Told:
    """Who wrote what somebody reads: it is not as old as the note."""
    return Told(ClaimKind.HOLDS, UNDATED, hidden(said))


def _nothing(_found: Found, _expression: Expression | None, _said: Bound) -> None:
    """What "used to" begin, or no longer begins."""


def _change(found: Found, expression: Expression | None, noted: Noted, tells: str) -> Told | None:
    if not _settled(found, expression, noted.anchor, tells):
        return None
    if tells == "starts":
        return Told(ClaimKind.HOLDS, starting(expression), noted.said)
    return Told(ClaimKind.ENDS if tells == "ends" else ClaimKind.YIELDS, ending(expression), noted.said)


def _former(found: Found, expression: Expression | None, said: Bound) -> Told | None:
    """What a former head was: for the years that are told, else over by the time of the note."""
    if found.frame.predicate.timeless:
        return None
    if expression is not None and (expression.joined or expression.kind in {"range", "until"}):
        return Told(ClaimKind.HOLDS, expression.period, said)
    return Told(ClaimKind.ENDS, UNDATED, said)


def _settled(found: Found, expression: Expression | None, anchor: date | None, tells: str) -> bool:
    """Whether a change is told as one: "Ana joins Acme" is a headline or a plan, unless it is today's."""
    if found.stance.aspect == "present" and found.frame.kind == "verb" and not found.apposed:
        return expression is not None and not beside(expression, tells) and is_today(expression, anchor)
    places = found.frame.predicate.range == (EntityType.LOCATION,)
    moment = None if expression is None else expression.period.end.moment or expression.period.start.moment
    if tells == "yields" and places and moment is not None and moment.precision >= Precision.DAY:
        return False
    return expression is None or not beside(expression, tells)


def _state(found: Found, expression: Expression | None, said: Bound, anchor: date | None) -> Told | None:
    aspect = found.stance.aspect
    if expression is None:
        now = aspect == "present" or (aspect == "perfect" and found.frame.kind != "verb")
        return Told(ClaimKind.HOLDS, UNDATED, said) if now else _over(found, said)
    if aspect == "present" and expression.kind == "point" and covers(expression, anchor):
        return Told(ClaimKind.HOLDS, UNDATED, said)
    ahead = aspect == "present" and found.stance.progressive and lies_ahead(expression, anchor)
    open_past = aspect in {"past", "used"} and expression.kind == "since"
    if ahead or open_past or (found.apposed and expression.kind == "point"):
        return None
    once = expression.kind == "point" or (expression.kind == "range" and not expression.joined)
    mutual = "o" not in found.fills and found.frame.mutual
    return Told(ClaimKind.HOLDS, Period(start=expression.period.start) if mutual and once else expression.period, said)


def _over(found: Found, said: Bound) -> Told | None:
    """What was, at no date: what "used to" be is over; where a plain past belongs among others nobody can tell."""
    if found.stance.aspect == "used":
        return Told(ClaimKind.ENDS, UNDATED, hidden(said))
    textual = any(end.value is not None for some in found.fills.values() for end in some)
    if found.frame.predicate.one or textual or said.moment is None:
        return None
    return Told(ClaimKind.ENDS, UNDATED, hidden(said))


def _since(anchor: date | None, months: int | None) -> Period | None:
    """When "has worked there for six years" began: so many whole years before the year of the note."""
    if anchor is None or months is None or months % _MONTHS:
        return None
    return Period(start=Bound(Moment.year(anchor.year - months // _MONTHS), Basis.STATED))


def _lasted(expression: Expression | None, months: int | None) -> Expression | None:
    """A date with the other end that "for three years" gives it."""
    if expression is None or months is None:
        return expression
    start, end = expression.period.start, expression.period.end
    if expression.kind == "until" and end.moment is not None:
        begun = Bound(_moved(end.moment, -months), end.basis)
        return replace(expression, kind="range", period=Period(begun, end), joined=True)
    if start.moment is not None and expression.text.lower().startswith(("from", "starting", "beginning")):
        return replace(
            expression,
            kind="range",
            period=Period(start, Bound(_moved(start.moment, months), start.basis)),
            joined=True,
        )
    return expression


def _moved(moment: Moment, months: int) -> Moment:
    """A moment some months on, no more precise than the year or month that was given."""
    day = day_of(moment.first)
    if moment.precision is Precision.YEAR:
        return Moment.year(day.year + months // _MONTHS)
    year, month = divmod(day.year * _MONTHS + day.month - 1 + months, _MONTHS)
    return Moment.month(year, month + 1)


_CHANGES: Final = frozenset({"starts", "ends", "yields"})
_ALWAYS: Final[dict[str, Callable[[Found, Expression | None, Bound], Told | None]]] = {
    "by the way": _by_the_way,
    "denied": _denied,
    "former": _former,
    "ever": _undated,
    "never": _nothing,
}
"""What a clause tells that is no state and no change."""
