"""Rules for dates that count from a given day: the day a note is about, or today for a question.

A bare name ("Monday", "the 5th") is the nearest one on or before that day, because notes tell what happened;
"last" is over before that day, "next" and "coming" start after it, "this" is around it. "Two weeks ago" is the week
that lies two weeks back and "three years ago" that year: as exact as the unit that was named, as in TimeML's TIMEX3.

Without an anchor no rule here finds anything.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from kgmem.extraction.dates import absolute, spans, words
from kgmem.extraction.dates.reader import Found, Needs, Reader, Rule, made
from kgmem.extraction.dates.spans import Span, Yearly
from kgmem.model import Moment

_DAYS: Final = {
    ("now",): 0,
    ("today",): 0,
    ("tonight",): 0,
    ("yesterday",): -1,
    ("last", "night"): -1,
    ("day", "before", "yesterday"): -2,
    ("tomorrow",): 1,
    ("day", "after", "tomorrow"): 2,
}
_STEPS: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "upcoming": 1}
_BEFORE_A_COUNT: Final = frozenset({"the", "these", "in", "over", "during", "for", "within"})
_BEFORE_A_DAY: Final = frozenset({"on", "since", "until", "from"})
_PICK: Final[dict[int, Callable[[Yearly, date], Span | None]]] = {
    -1: spans.latest_over,
    0: spans.current,
    1: spans.earliest,
}


def named_day(reader: Reader, at: int) -> Found | None:
    """Read "yesterday", "tonight", "last night", "the day before yesterday"; "now" only as a whole text."""
    anchor, word = reader.anchor, reader.word(at)
    if anchor is None or not word:
        return None
    phrase = next((phrase for phrase in _DAYS if word == phrase[0] and reader.words(at, *phrase)), None)
    if phrase and (word != "now" or reader.whole):
        return made(at + len(phrase), lambda: spans.day(anchor + timedelta(_DAYS[phrase])))
    if word == "this" and reader.word(at + 1) in words.DAYTIMES:
        return made(at + 2, lambda: spans.day(anchor))
    return None


def _count(reader: Reader, at: int) -> tuple[int, int, int] | None:
    """(the index of the unit, the least and the greatest number of units): "3", "two", "a couple of", "a few"."""
    value = reader.token(at).word
    if reader.kind(at) == "number":
        return at + 1, int(value), int(value)
    start = reader.skip(at, "a")
    if reader.word(start) in words.VAGUE:
        return reader.skip(start + 1, "of"), *words.VAGUE[reader.word(start)]
    number = words.NUMBERS.get(reader.word(at))
    return (at + 1, number, number) if number else None


def counted(reader: Reader, at: int) -> Found | None:
    """Read "two weeks ago", "a few months ago", "a year ago today", "in 3 days' time", "a week from now"."""
    anchor = reader.anchor
    ahead = reader.word(at) == "in"
    count = _count(reader, at + ahead) if anchor else None
    unit = words.UNITS.get(reader.word(count[0])) if count else None
    if anchor is None or count is None or unit is None:
        return None
    end, least, most = count[0] + 1, count[1], count[2]
    if reader.word(end) == "ago" and not ahead:
        if reader.word(end + 1) == "today":
            return made(end + 2, lambda: spans.day(spans.same_day(anchor, unit, -least)))
        return made(end + 1, lambda: _between(anchor, unit, -most, -least))
    if not ahead and (reader.words(end, "from", "now") or reader.words(end, "from", "today")):
        return made(end + 2, lambda: _between(anchor, unit, least, most))
    # "wrote it in three weeks" tells how long it took, so that without "time" only a whole text is a date.
    time = reader.skip(end + (reader.kind(end) == "possessive"), "time")
    if ahead and (reader.word(time - 1) == "time" or reader.whole):
        return made(time, lambda: _between(anchor, unit, least, most))
    return None


def _between(anchor: date, unit: str, first: int, last: int) -> Span:
    return Span(spans.shift(anchor, unit, first).first, spans.shift(anchor, unit, last).last)


def rolling(reader: Reader, at: int) -> Found | None:
    """Read "the last three weeks", "the past year", "the next 10 days": days up to or from the anchor."""
    anchor, step = reader.anchor, _STEPS.get(reader.word(at))
    if anchor is None or not step:
        return None
    count = _count(reader, at + 1)
    if count and not reader.whole and reader.word(at - 1) not in _BEFORE_A_COUNT:
        return None  # "it might last 4 years"
    if not count and reader.word(at - 1) == "the" and step < 0 and not reader.word(at + 1).endswith("s"):
        count = (at + 1, 1, 1)
    unit = words.UNITS.get(reader.word(count[0])) if count else None
    if not count or unit is None or (unit == "day" and count[2] == 1) or unit == "weekend":
        return None
    end, least, most = count[0] + 1, count[1], count[2]
    if step > 0:
        return made(end, lambda: spans.days(anchor, spans.same_day(anchor, unit, most)))
    if least != most:  # "the past few months" is not known to the day
        return made(end, lambda: Span(spans.shift(anchor, unit, -most).first, Moment.day(anchor)))
    return made(end, lambda: spans.days(spans.same_day(anchor, unit, -most), anchor))


def stepped(reader: Reader, at: int) -> Found | None:
    """Read "last week", "this month", "next Friday", "last March", "this coming summer", "last Christmas"."""
    anchor, step = reader.anchor, _STEPS.get(reader.word(at))
    if anchor is None or step is None:
        return None
    if reader.word(at) == "this" and reader.word(at + 1) in {"past", "last", "coming", "next"}:
        at, step = at + 1, _STEPS[reader.word(at + 1)]
    elif not reader.whole and (reader.word(at) == "past" or (step and reader.word(at - 1) == "the")):
        return None  # "walked past Christmas lights"; "the next year" counts from something in the story
    word = reader.word(at + 1)
    unit = words.UNITS.get(word)
    if unit == word and unit not in {"day", "fortnight"}:
        return made(at + 2, lambda: spans.shift(anchor, unit, step))
    if _is_weekday(reader, at + 1):
        return made(at + 2, lambda: _weekday(anchor, words.WEEKDAYS[word], step))
    for rule in (absolute.month, absolute.season, absolute.quarter, absolute.feast):
        found = rule(reader, at + 1)
        if found and found.yearly:
            span = _PICK[step](found.yearly, anchor)
            return Found(found.end, span)
    return None


def _is_weekday(reader: Reader, at: int) -> bool:
    word = reader.word(at)
    return word in words.WEEKDAYS and (word.endswith("day") or reader.capital(at))


def _is_habit(reader: Reader, at: int) -> bool:
    """Whether "every" or the like stands before: "every Monday", "every month on the 31st", "Good Friday"."""
    habits = {"every", "each"}
    return reader.word(at - 1) in words.NAMED_WEEKDAYS or any(reader.word(at - back) in habits for back in (1, 2, 3, 4))


def _weekday(anchor: date, weekday: int, step: int) -> Span:
    if step < 0:
        return spans.day(anchor - timedelta((anchor.weekday() - weekday - 1) % 7 + 1))
    if step > 0:
        return spans.day(anchor + timedelta((weekday - anchor.weekday() - 1) % 7 + 1))
    return spans.day(anchor + timedelta(weekday - anchor.weekday()))


def weekday(reader: Reader, at: int) -> Found | None:
    """Read "Monday", "Monday of last week", "Friday the 13th"; not "Good Friday", not "every Monday"."""
    anchor = reader.anchor
    if anchor is None or not _is_weekday(reader, at) or _is_habit(reader, at):
        return None
    number = words.WEEKDAYS[reader.word(at)]
    week = reader.skip(at + 1, "of")
    step = _STEPS.get(reader.word(week))
    if step is not None and reader.word(week + 1) == "week":
        return made(week + 2, lambda: _weekday(anchor + timedelta(weeks=step), number, 0))
    ordinal = reader.skip(at + 1, "the")
    if ordinal > at + 1 and reader.kind(ordinal) == "ordinal":
        found = _day_of_month(anchor, int(reader.token(ordinal).word[:-2]), number)
        return Found(ordinal + 1, found, partial=True)
    needs = Needs.NOTHING if reader.word(at).endswith("day") else Needs.PREPOSITION
    return made(at + 1, lambda: spans.day(anchor - timedelta((anchor.weekday() - number) % 7)), needs, partial=True)


def day_of_month(reader: Reader, at: int) -> Found | None:
    """Read "on the 5th", "the 5th of last month"; not "on the 5th floor"."""
    anchor = reader.anchor
    if anchor is None or reader.kind(at) != "ordinal" or reader.word(at - 1) != "the" or _is_habit(reader, at):
        return None
    day = int(reader.token(at).word[:-2])
    step = _STEPS.get(reader.word(at + 2))
    if reader.word(at + 1) == "of" and step is not None and reader.word(at + 3) == "month":
        return made(at + 4, lambda: spans.day(_in_month(anchor, step, day)))
    goes_on = reader.word(at + 1) in words.AFTER_A_DAY | {""}
    if not goes_on or reader.word(at - 2) not in _BEFORE_A_DAY:
        return None
    return Found(at + 1, _day_of_month(anchor, day, None), partial=True)


def _in_month(anchor: date, step: int, day: int) -> date:
    return spans.day_of(spans.shift(anchor, "month", step).first.first).replace(day=day)


def _day_of_month(anchor: date, day: int, weekday: int | None) -> Span | None:
    """The latest such day of a month on or before the anchor; a weekday and a day meet within 48 months."""
    for back in range(48):
        try:
            found = _in_month(anchor, -back, day)
        except ValueError:  # a month without a 31st
            continue
        if found <= anchor and weekday in {None, found.weekday()}:
            return spans.day(found)
    return None


def this_unit(reader: Reader, at: int) -> Found | None:
    """Read "the month", "the year" after "the end of": the one around the anchor."""
    anchor, unit = reader.anchor, reader.word(at)
    if anchor is None or unit not in {"week", "month", "quarter", "year", "decade"} or reader.word(at - 2) != "of":
        return None
    return made(at + 1, lambda: spans.shift(anchor, unit, 0)) if reader.word(at - 1) == "the" else None


RULES: Final[dict[Rule, frozenset[str]]] = {
    named_day: frozenset({"this", *(phrase[0] for phrase in _DAYS)}),
    counted: frozenset({"#number", "in", *words.NUMBERS, *words.VAGUE}),
    rolling: frozenset(_STEPS),
    stepped: frozenset(_STEPS),
    weekday: frozenset(words.WEEKDAYS),
    day_of_month: frozenset({"#ordinal"}),
}
"""Each rule with the tokens that it may start with."""
