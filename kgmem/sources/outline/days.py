"""How Logseq and Roam name the page of a day: the formats of Java's and date-fns' letters."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

_TOKEN = re.compile(r"'(?P<quoted>[^']*)'|y+|M+|do|d+|E+|[^'yMdE]+|.", re.DOTALL)
_MOMENT = {"yyyy": "YYYY", "yy": "YY", "do": "Do", "dd": "DD", "d": "D", "EEEE": "dddd", "EEE": "ddd", "EE": "ddd"}
_MONTHS = tuple("January February March April May June July August September October November December".split())
_WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_WORDED = re.compile(rf"(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}})(?:st|nd|rd|th), (?P<year>\d{{4}})")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_TEENS = range(11, 14)

_WRITTEN: dict[str, Callable[[date], str]] = {
    "yyyy": lambda day: f"{day.year:04}",
    "yy": lambda day: f"{day.year % 100:02}",
    "MMMM": lambda day: _MONTHS[day.month - 1],
    "MMM": lambda day: _MONTHS[day.month - 1][:3],
    "MM": lambda day: f"{day.month:02}",
    "M": lambda day: str(day.month),
    "do": lambda day: ordinal(day.day),
    "dd": lambda day: f"{day.day:02}",
    "d": lambda day: str(day.day),
    "EEEE": lambda day: _WEEKDAYS[day.weekday()],
    "EEE": lambda day: _WEEKDAYS[day.weekday()][:3],
    "EE": lambda day: _WEEKDAYS[day.weekday()][:3],
    "E": lambda day: _WEEKDAYS[day.weekday()][:3],
}


def worded_day(name: str) -> date | None:
    """The day of a name such as ``January 2nd, 2024``; None for any other, or where there is no such day."""
    match = _WORDED.fullmatch(name)
    if match is None:
        return None
    try:
        return date(int(match["year"]), _MONTHS.index(match["month"]) + 1, int(match["day"]))
    except ValueError:
        return None


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``11th``."""
    return f"{number}{'th' if number in _TEENS else _ENDINGS.get(number % 10, 'th')}"


def written(day: date, form: str) -> str:
    """A day in a format such as ``MMM do, yyyy``."""
    return "".join(
        token["quoted"] if token["quoted"] is not None else _WRITTEN.get(token[0], lambda _, text=token[0]: text)(day)
        for token in _TOKEN.finditer(form)
    )


def as_moment(form: str) -> str:
    """The same format in the letters of moment.js, as `kgmem.sources.obsidian.dates.daily_format` reads them."""
    return "".join(
        f"[{token['quoted']}]" if token["quoted"] else _MOMENT.get(token[0], token[0])
        for token in _TOKEN.finditer(form)
    )
