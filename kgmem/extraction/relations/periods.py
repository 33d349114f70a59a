"""What a phrase tells of time: that something holds in a period, or ended, and what its note's date is worth for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from kgmem.extraction.dates import Expression
from kgmem.extraction.ontology import hidden
from kgmem.extraction.relations.matching import Match
from kgmem.extraction.relations.tokens import Sentence
from kgmem.extraction.relations.words import BACKGROUND
from kgmem.model import UNDATED, Bound, ClaimKind, Moment, Period, Precision

_YEAR = 366 * 86_400
"""World seconds."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a phrase tells of its object: that it holds in a period, or ended."""

    kind: ClaimKind
    valid: Period
    said: Bound
    gone: Period | None = None
    """When that ended which gave way to it, if it is said apart."""
    unread: bool = False
    """The text says when, in a way that nobody could read."""


def tell(sentence: Sentence, match: Match, noted: Bound, anchor: date | None) -> Told | None:
    """Whether a phrase says that something holds or ended, and when; None if it says neither for sure.

    Args:
        sentence: where it stands.
        match: the phrase.
        noted: the date of the note; of what lies back, or at a date that cannot be read, it only orders.
        anchor: the day of the note.
    """
    dates = _dates(sentence, match.dates)
    expression = one_date(dates)
    if dates and expression is None:
        return None
    unread = expression is None and bool(sentence.unread)
    said = hidden(noted) if unread or _is_background(sentence, match) else noted
    told = _told(sentence, match, expression, said, anchor)
    return replace(told, unread=True) if told is not None and unread else told


def _told(sentence: Sentence, match: Match, found: Expression | None, said: Bound, anchor: date | None) -> Told | None:
    aspect, tells = match.verb.aspect, match.pattern.tells
    if tells == "says" and aspect in {"begun", "ended"}:
        tells = "starts" if aspect == "begun" else "ends"
    if tells == "says" and aspect == "past" and match.pattern.predicate.timeless:
        tells = "starts"  # what a paper cited, it cites
    if tells == "starts" and aspect == "ended":
        return None  # "is no longer the son of"
    if tells == "yields" and match.pattern.stative:
        return _stay(match, found, said)
    if tells != "says" and not _settled(match, found, anchor, tells):
        return None
    if tells == "starts":
        gone = one_date(_dates(sentence, match.gone))
        return Told(ClaimKind.HOLDS, starting(found), said, ending(gone) if gone else None)
    if tells in {"ends", "yields"}:
        return Told(ClaimKind.ENDS if tells == "ends" else ClaimKind.YIELDS, ending(found), said)
    return _state(match, found, said, anchor)


def _dates(sentence: Sentence, indexes: Sequence[int]) -> list[Expression]:
    return [found for index in indexes if (found := sentence.tokens[index].date) is not None]


def _is_background(sentence: Sentence, match: Match) -> bool:
    """Whether "after Ada joined Acme" only says what else was then."""
    first = match.who.subjects[0]
    return not first.is_note and sentence.word(first.first - 1) in BACKGROUND


def _stay(match: Match, found: Expression | None, said: Bound) -> Told | None:
    """Who "is no longer at Acme", or "was at Acme until 2020": by month or year, for a guest leaves on a day."""
    if match.verb.aspect == "ended":
        return Told(ClaimKind.YIELDS, ending(found), said)
    until = found.period.end.moment if found is not None and (found.kind == "until" or found.joined) else None
    if match.verb.aspect != "past" or found is None or until is None or until.precision >= Precision.DAY:
        return None
    return Told(ClaimKind.YIELDS, ending(found), said)


def _settled(match: Match, found: Expression | None, anchor: date | None, tells: str) -> bool:
    """Whether a change is told as one, with a date that is its own or with none.

    "Ada joins Acme" is a headline or a plan, and so it is with a date that lies ahead, "next month"; of "leaves at the
    end of January" the nearest one is not meant. What happens on the day of the note does happen.
    """
    if match.verb.aspect == "present" and not match.pattern.stative:
        return found is not None and not beside(found, tells) and is_today(found, anchor)
    if tells == "yields" and found is not None and _is_outing(match, found):
        return False
    return found is None or not beside(found, tells)


def is_today(found: Expression, anchor: date | None) -> bool:
    """Whether a date is the day of the note."""
    start = found.period.start.moment
    return anchor is not None and start is not None and start == Moment.day(anchor)


def _is_outing(match: Match, found: Expression) -> bool:
    """Whether "left Bonn on Friday" may tell of a trip: nobody moves house by the day alone."""
    places = {kind.value for kind in match.pattern.predicate.range} == {"Location"}
    moment = found.period.end.moment or found.period.start.moment
    return places and moment is not None and moment.precision >= Precision.DAY


def beside(found: Expression, tells: str) -> bool:
    """Whether a date only bounds a change: "joined after 2019"."""
    return found.text.lower().startswith(("after", "before", "by ")) or (tells == "starts" and found.kind == "until")


def one_date(dates: Sequence[Expression]) -> Expression | None:
    """The one date of a phrase; "since … until …" make one, other pairs leave it open which is meant."""
    if len(dates) == 2 and {each.kind for each in dates} == {"since", "until"}:  # noqa: PLR2004
        since, until = sorted(dates, key=lambda each: each.kind)
        return replace(since, kind="range", period=Period(since.period.start, until.period.end), joined=True)
    return dates[0] if len(dates) == 1 else None


def starting(found: Expression | None) -> Period:
    """What begins at a date; it lasted only if the text names both ends."""
    if found is None or _is_vague(found):
        return UNDATED
    # "In the summer of 2018" it began, and lasted: only what is told to end does.
    return found.period if found.joined else Period(start=found.period.start)


def _is_vague(found: Expression) -> bool:
    """Whether it is one date that takes years, "the late 1990s": it was in one of them, and nobody knows in which."""
    start, end = found.period.start.moment, found.period.end.moment
    if found.kind != "range" or found.joined or start is None or end is None:
        return False
    return end.past - start.first > _YEAR


def ending(found: Expression | None) -> Period:
    """What ends at a date; "since" it, it is over."""
    if found is None or _is_vague(found):
        return UNDATED
    return Period(end=found.period.start if found.kind == "since" else found.period.end)


def _state(match: Match, found: Expression | None, said: Bound, anchor: date | None) -> Told | None:
    aspect = match.verb.aspect
    if match.pattern.tense == "bare" and found is None:
        aspect = "present"
    if found is None:
        return Told(ClaimKind.HOLDS, UNDATED, said) if aspect == "present" else _over(match, said)
    if aspect == "present" and found.kind == "point" and covers(found, anchor):
        return Told(ClaimKind.HOLDS, UNDATED, said)
    if aspect == "present" and match.pattern.tense == "ing" and lies_ahead(found, anchor):
        return None  # "is working at Acme next year"
    if (aspect == "past" and found.kind == "since") or (match.pattern.tense == "bare" and found.kind == "point"):
        return None  # it began then, and nobody says when it was over, or whether
    mutual = any(each.slot.letter == "b" for each in match.filled)
    once = found.kind == "point" or (found.kind == "range" and not found.joined)
    # "Ada and Bo were married in 1999" tells of the day.
    valid = Period(start=found.period.start) if mutual and once else found.period
    return Told(ClaimKind.HOLDS, valid, said)


def _over(match: Match, said: Bound) -> Told | None:
    """What was, at no date: over by the time of the note, which orders it and is not shown.

    Of a predicate that holds one value it says nothing: where it belongs among the others nobody can tell.
    """
    textual = any(each.slot.letter in "vr" for each in match.filled)
    if match.pattern.predicate.one or textual or said.moment is None:
        return None
    return Told(ClaimKind.ENDS, UNDATED, hidden(said))


def covers(found: Expression, anchor: date | None) -> bool:
    """Whether the day of the note lies in a date."""
    start, end = found.period.start.moment, found.period.end.moment
    if anchor is None or start is None or end is None:
        return False
    day = Moment.day(anchor)
    return start.first <= day.first and day.past <= end.past


def lies_ahead(found: Expression, anchor: date | None) -> bool:
    """Whether a date begins after the day of the note."""
    start = found.period.start.moment
    return anchor is not None and start is not None and start.first >= Moment.day(anchor).past
