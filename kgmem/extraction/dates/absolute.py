"""Rules for dates that the calendar alone decides, with or without their year."""

# ruff: noqa: PLR2004 - a year has four digits, a month at most 31 days: names for them would say less
from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from kgmem.extraction.dates import spans, words
from kgmem.extraction.dates.reader import Found, Needs, Reader, Rule, made
from kgmem.extraction.dates.spans import Span, Yearly
from kgmem.model import Moment

_WEEK_STAMP: Final = re.compile(r"(\d{4})-?w(\d\d)(?:-(\d))?")
_YEAR_STEPS: Final = {"last": -1, "this": 0, "next": 1}
_BEFORE_LOWER_CASE: Final = frozenset({"in", "since", "until", "of", "early", "late", "mid"})
"""Before "may" and "march" in lower case, these make a month of them."""


class _Year(NamedTuple):
    end: int
    value: int


def _year_at(reader: Reader, at: int) -> _Year | None:
    """The year after a month or a season: "2021", ", 2021", "of 2021", "last year"."""
    at = reader.skip(at, ",", "of", "in")
    value = reader.year(at)
    if value is not None:
        return _Year(at + 1, value)
    if reader.anchor and reader.word(at) in _YEAR_STEPS and reader.word(at + 1) == "year":
        return _Year(at + 2, reader.anchor.year + _YEAR_STEPS[reader.word(at)])
    return None


def dated(reader: Reader, at: int, yearly: Yearly, needs: Needs = Needs.NOTHING) -> Found:
    """A stretch of some year, of the year that is named next if one is."""
    year = _year_at(reader, at)
    return made(year.end, lambda: yearly(year.value)) if year else Found(at, yearly=yearly, needs=needs)


class MonthName(NamedTuple):
    """The name of a month in a text."""

    end: int
    number: int
    sure: bool
    """It can be nothing else: "march" in lower case can."""


def month_name(reader: Reader, at: int) -> MonthName | None:
    """A month's name or its abbreviation, which may end in a full stop."""
    word = reader.word(at)
    number = words.MONTHS.get(word)
    if number is None:
        return None
    short = len(word) <= len("sept") and word not in {"may", "june", "july"}
    end = at + 2 if short and reader.mark(at + 1, ".") and reader.glued(at) else at + 1
    return MonthName(end, number, reader.capital(at) or word in words.CLEAR_MONTHS)


def day_number(reader: Reader, at: int) -> tuple[int, int, bool] | None:
    """(the index after it, the day of the month, whether it is an ordinal): "3", "03", "3rd", "third"."""
    if reader.kind(at) == "ordinal":
        return at + 1, int(reader.token(at).word[:-2]), True
    ordinal = ordinal_word(reader, at)
    if ordinal:
        return *ordinal, True
    value = reader.number(at) if len(reader.token(at).word) <= 2 else None
    return None if value is None or not 1 <= value <= 31 else (at + 1, value, False)


def ordinal_word(reader: Reader, at: int) -> tuple[int, int] | None:
    """(the index after it, its number): "third", "twenty-first"."""
    word = reader.word(at)
    if word in words.TENS and reader.mark(at + 1, "-") and words.ORDINALS.get(reader.word(at + 2), 10) < 10:
        return at + 3, words.TENS[word] + words.ORDINALS[reader.word(at + 2)]
    return (at + 1, words.ORDINALS[word]) if word in words.ORDINALS else None


def stamp(reader: Reader, at: int) -> Found | None:
    """ISO 8601: a month, a day, an instant."""
    if reader.kind(at) != "stamp":
        return None
    token = reader.token(at)
    return made(at + 1, lambda: spans.moment(Moment.parse(reader.text[token.start : token.end])))


def week_stamp(reader: Reader, at: int) -> Found | None:
    """ISO 8601: a week of a year, or a day of it."""
    match = _WEEK_STAMP.fullmatch(reader.token(at).word) if reader.kind(at) == "week" else None
    if not match:
        return None
    year, week, day = int(match[1]), int(match[2]), match[3]
    if day:
        return made(at + 1, lambda: spans.day(date.fromisocalendar(year, week, int(day))))
    return made(at + 1, lambda: spans.week(date.fromisocalendar(year, week, 1)))


def week_number(reader: Reader, at: int) -> Found | None:
    """Read "week 12 of 2020", as ISO 8601 numbers weeks."""
    at = reader.skip(at, "calendar")
    week = reader.number(at + 1) if reader.word(at) == "week" else None
    year = _year_at(reader, at + 2) if week else None
    return made(year.end, lambda: spans.week(date.fromisocalendar(year.value, week, 1))) if week and year else None


def numeric(reader: Reader, at: int) -> Found | None:
    """Three numbers: year first, or a day and a month in the only order that the calendar allows.

    "3/5/2021" is the third of May to one reader and the fifth of March to another, so it is neither here.
    """
    if reader.kind(at) != "numeric":
        return None
    parts = re.split(r"[/.]", reader.token(at).word)
    one, two, three = map(int, parts)
    if len(parts[0]) == 4 and len(parts[2]) <= 2:
        if "." in reader.token(at).word:
            return None  # "2024.10.3" is how software is numbered
        return made(at + 1, lambda: spans.day(date(one, two, three)))
    if len(parts[0]) > 2 or len(parts[2]) != 4:
        return None
    if one != two and max(one, two) <= 12:
        return Found(at + 1)
    month, day = (two, one) if two <= 12 else (one, two)
    return made(at + 1, lambda: spans.day(date(three, month, day)))


def day_first(reader: Reader, at: int) -> Found | None:
    """Read "3 May 2021", "Monday, the 3rd of May", "03-Mar-2021"."""
    start = at
    if reader.word(at) in words.WEEKDAYS:
        at = reader.skip(at + 1, ",")
    number = day_number(reader, reader.skip(at, "the"))
    if not number:
        return None
    end, day, ordinal = number
    dashed = reader.mark(end, "-") and reader.glued(end - 1) and reader.glued(end)
    month = month_name(reader, end + 1 if dashed else reader.skip(end, "of"))
    if not month:
        return None
    found = dated(reader, _after_dash(reader, month.end, dashed=dashed), _day_of_year(month.number, day))
    # "the 3 may go", "the second may": a verb.
    return found if month.sure or found.span or (ordinal and reader.word(end) == "of") or start != at else None


def _after_dash(reader: Reader, at: int, *, dashed: bool) -> int:
    return at + 1 if dashed and reader.mark(at, "-") and reader.year(at + 1) is not None else at


def month_first(reader: Reader, at: int) -> Found | None:
    """Read "May 3, 2021", "Monday, May 3rd", "March the 5th"."""
    weekday = reader.word(at) in words.WEEKDAYS
    month = month_name(reader, reader.skip(at + 1, ",") if weekday else at)
    if not month:
        return None
    number = day_number(reader, reader.skip(month.end, "the"))
    if not number or reader.word(number[0] - 1) in words.ORDINALS:
        return None
    end, day, ordinal = number
    found = dated(reader, end, _day_of_year(month.number, day))
    return found if month.sure or ordinal or found.span or weekday else None


def _day_of_year(month: int, day: int) -> Yearly:
    return lambda year: spans.day(date(year, month, day))


def month(reader: Reader, at: int) -> Found | None:
    """Read "May 2021", "May of last year", and "May" alone after a word that goes with times."""
    name = month_name(reader, at)
    if not name:
        return None
    found = dated(reader, name.end, lambda year: spans.months(year, name.number), Needs.TIME_WORD)
    return found if name.sure or found.span or reader.word(at - 1) in _BEFORE_LOWER_CASE else None


def quarter(reader: Reader, at: int) -> Found | None:
    """Read "Q3 2023", "2023 Q3", "the third quarter of 2023", "H1 2023", "the first half of 2023"."""
    year = reader.year(at)
    if year is not None and reader.kind(reader.skip(at + 1, "-")) == "code":
        end = reader.skip(at + 1, "-")
        piece = _piece(reader.token(end).word)
        return made(end + 1, lambda: piece(year)) if piece else None
    if reader.kind(at) == "code":
        yearly = _piece(reader.token(at).word)
        found = dated(reader, reader.skip(at + 1, "-", "/"), yearly, Needs.TIME_WORD) if yearly else None
        return None if found and not found.span and reader.token(at).word[0] == "h" else found
    ordinal = ordinal_word(reader, at) or (day_number(reader, at) or (0, 0))[:2]
    name = reader.word(ordinal[0])
    yearly = _piece(f"{name[:1]}{ordinal[1]}") if name in {"quarter", "half"} else None
    return dated(reader, ordinal[0] + 1, yearly, Needs.TIME_WORD) if yearly else None


def _piece(code: str) -> Yearly | None:
    number = int(code[1:])
    if code[0] == "q" and 1 <= number <= 4:
        return lambda year: spans.quarter(year, number)
    if code[0] == "h" and 1 <= number <= 2:
        return lambda year: spans.months(year, number * 6 - 5, 6)
    return None


def season(reader: Reader, at: int) -> Found | None:
    """Read "summer 2019", "the winter of 2019/20"; the winter of 2019 begins in December 2019."""
    word = reader.word(at)
    if word not in words.SEASONS:
        return None

    def yearly(year: int) -> Span:
        return spans.months(year, words.SEASONS[word], 3)

    after = reader.skip(at + 1, ",", "of", "in")
    if word == "winter" and reader.kind(after) == "years":
        first = _pair(reader.token(after).word, winter=True)
        return made(after + 1, lambda: yearly(first[0])) if first else None
    # "in the fall of Rome", "the spring of water"
    found = dated(reader, at + 1, yearly, Needs.TIME_WORD)
    return None if not found.span and reader.word(at + 1) == "of" else found


def _pair(word: str, *, winter: bool = False) -> tuple[int, int] | None:
    first, last = int(word[:4]), int(word[5:])
    if winter or word[4] == "/":
        return (first, first + 1) if last == (first + 1) % 100 else None
    # "2001–03" may be a month; "2019–21" cannot.
    return (first, first // 100 * 100 + last) if last > max(12, first % 100) else None


def year_pair(reader: Reader, at: int) -> Found | None:
    """Read "2019–21", and "2019/20" for a season of sport or a school year."""
    pair = _pair(reader.token(at).word) if reader.kind(at) == "years" else None
    return made(at + 1, lambda: spans.years(*pair), Needs.TIME_WORD) if pair else None


_FEASTS: Final[dict[tuple[str, ...], Yearly]] = {
    ("christmas",): _day_of_year(12, 25),
    ("christmas", "day"): _day_of_year(12, 25),
    ("christmas", "eve"): _day_of_year(12, 24),
    ("boxing", "day"): _day_of_year(12, 26),
    ("new", "year", "eve"): _day_of_year(12, 31),
    ("new", "year", "day"): _day_of_year(1, 1),
    ("new", "year"): _day_of_year(1, 1),
    ("halloween",): _day_of_year(10, 31),
    ("valentine", "day"): _day_of_year(2, 14),
    ("easter",): spans.easter,
    ("easter", "sunday"): spans.easter,
    ("easter", "monday"): lambda year: Span(*[spans.beside(spans.easter(year).first, 1)] * 2),
    ("good", "friday"): lambda year: Span(*[spans.beside(spans.beside(spans.easter(year).first, -1), -1)] * 2),
}
_FEAST_STARTS: Final = frozenset(names[0] for names in _FEASTS)


def feast(reader: Reader, at: int) -> Found | None:
    """Read "Christmas 2020", "New Year's Eve", "Easter 2021"."""
    if reader.word(at) not in _FEAST_STARTS:
        return None
    names: list[str] = []
    best: Found | None = None
    for index in range(at, at + 4):
        if reader.kind(index) == "possessive":
            continue
        names.append(reader.word(index))
        yearly = _FEASTS.get(tuple(names))
        if yearly:
            best = dated(reader, index + 1, yearly, Needs.PREPOSITION)
    return best


def decade(reader: Reader, at: int) -> Found | None:
    """Read "the 1990s", "the '90s", "the nineties"; "the 20s" may be of either century, so they are of none."""
    the = reader.word(at - 1) == "the" or reader.word(at - 1) in words.PARTS or reader.mark(at - 1, "-")
    if reader.word(at) in words.DECADES:
        return made(at + 1, lambda: spans.decade(words.DECADES[reader.word(at)])) if the else None
    at = reader.skip(at, "'", "’")
    digits = reader.token(at).word[:-1]
    if reader.kind(at) != "decade" or digits[-1] != "0":
        return None
    if len(digits) == 4:
        return _years_of(at + 1, int(digits))
    return made(at + 1, lambda: spans.decade(1900 + int(digits))) if the and "30" <= digits <= "90" else None


def _years_of(end: int, first: int) -> Found | None:
    """The 1990s are ten years, the 1800s a hundred; the 1900s may be either."""
    if first == 1900:
        return None
    hundred = first % 100 == 0 and first < 1900
    return made(end, lambda: spans.years(first, first + 99) if hundred else spans.decade(first))


def century(reader: Reader, at: int) -> Found | None:
    """Read "the 19th century", "the twenty-first century"."""
    number = day_number(reader, at)
    if not number or not number[2] or reader.word(number[0]) != "century":
        return None
    return made(number[0] + 1, lambda: spans.century(number[1]))


def year(reader: Reader, at: int) -> Found | None:
    """Read "the year 1789", "AD 476", "476 AD", and "1789" alone after a word that goes with times."""
    era = next(
        (at + step for step in (0, 1) if reader.word(at + step) in {"ad", "ce"} and reader.capital(at + step)), None
    )
    named = era is not None or reader.word(at) == "year"
    number = at + (reader.word(at) != "")
    value = reader.number(number) if era is not None else reader.year(number)
    if value is None or value > 9999:
        return None
    # "until 0800" is a time of day, "in 3000" mostly a number of things.
    if not (named or reader.whole or 1000 <= value < 2200) or (number > at and not named):
        return None
    end = max(number, era or 0) + 1
    return made(end, lambda: spans.years(value), Needs.NOTHING if named else Needs.TIME_WORD)


def compact(reader: Reader, at: int) -> Found | None:
    """Read "20240115", only where the whole text must be a date: elsewhere it is any number."""
    token = reader.token(at)
    if not reader.whole or token.kind != "number" or len(token.word) != 8:
        return None
    return made(at + 1, lambda: spans.day(date(int(token.word[:4]), int(token.word[4:6]), int(token.word[6:]))))


CALENDAR_DATES: Final[tuple[Rule, ...]] = (stamp, day_first, month_first, month)
"""What a dated property may hold beside a year: ISO 8601 and written months."""

_ORDINALS: Final = frozenset({"#ordinal", *words.ORDINALS, *words.TENS})

RULES: Final[dict[Rule, frozenset[str]]] = {
    stamp: frozenset({"#stamp"}),
    week_stamp: frozenset({"#week"}),
    week_number: frozenset({"week", "calendar"}),
    numeric: frozenset({"#numeric"}),
    day_first: frozenset({"#number", *_ORDINALS, *words.WEEKDAYS}),
    month_first: frozenset({*words.MONTHS, *words.WEEKDAYS}),
    month: frozenset(words.MONTHS),
    quarter: frozenset({"#number", "#code", *_ORDINALS}),
    season: frozenset(words.SEASONS),
    year_pair: frozenset({"#years"}),
    feast: _FEAST_STARTS,
    decade: frozenset({"#decade", "'", "’", *words.DECADES}),
    century: _ORDINALS,
    year: frozenset({"#number", "year", "ad", "ce"}),
    compact: frozenset({"#number"}),
}
"""Each rule with the tokens that it may start with."""
