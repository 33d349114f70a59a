"""A note's own date: in its name, in a property, else the file's modification time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime

from kgmem.model import UNKNOWN, Basis, Bound, Moment
from kgmem.sources.document import Property
from kgmem.sources.obsidian.frontmatter import Slip

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

_LEADING = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?!\d)|(?P<Y>\d{4})(?P<M>\d{2})(?P<D>\d{2})(?:\d{4}|\d{6})?(?!\d)"
)
_NUMERIC = re.compile(
    r"(?P<year>\d{4})(?:[-/.](?P<month>\d{1,2})(?:[-/.](?P<day>\d{1,2})(?:[T ]+\d{1,2}:\d{2}.*)?)?)?"
    r"|(?P<compact>\d{8})(?:T?\d{4}(?:\d{2})?)?"
)
_WORDED = re.compile(
    r"(?:[A-Za-z]{3,9},?\s+)?(?:(?P<month>[A-Za-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th)?\s+(?P<month2>[A-Za-z]{3,9})\.?),?\s+(?P<year>\d{4})(?:,?\s+\d{1,2}:\d{2}.*)?"
)
_BRACKETS = re.compile(r"\[\[([^\[\]|#]*)[^\[\]]*\]\]")
_TOKEN = re.compile(r"\[(?P<literal>[^\[\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|Do|DD|D|dddd|ddd|dd|d|.", re.DOTALL)
_PATTERNS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<short>\d{2})",
    "MMMM": r"(?P<name>[^\W\d_]+)",
    "MMM": r"(?P<name>[^\W\d_]+)",
    "MM": r"(?P<month>\d{2})",
    "M": r"(?P<month>\d{1,2})",
    "Do": r"(?P<day>\d{1,2})(?:st|nd|rd|th)",
    "DD": r"(?P<day>\d{2})",
    "D": r"(?P<day>\d{1,2})",
    "dddd": r"[^\W\d_]+",
    "ddd": r"[^\W\d_]+\.?",
    "dd": r"[^\W\d_]+",
    "d": r"\d",
}
_FLAGS = frozenset({"true", "false", "yes", "no"})
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
"""Eight digits at the start of a name are a date only in these years; no note was written before them."""

DayOf = Callable[[str], date | None]
"""From the name of a note below the folder of daily notes, without ``.md``, to its day."""


def daily_format(text: str) -> DayOf:
    """Read a date format of moment.js, as daily notes are named by; slashes in it are folders.

    A format without a year, a month or a day (of weekly notes, say) matches nothing.
    """
    pattern: list[str] = []
    seen: set[str] = set()
    for token in _TOKEN.finditer(text):
        part = _PATTERNS.get(token[0])
        if part is None:
            literal = token["literal"] if token["literal"] is not None else token[0]
            pattern.append(re.escape(literal))
            continue
        group = re.match(r"\(\?P<(\w+)>", part)
        if group and group[1] in seen:
            part = f"(?P={group[1]})" if token[0] in {"YYYY", "MM", "DD"} else r"[^\W_]+"
        elif group:
            seen.add(group[1])
        pattern.append(part)
    matcher = re.compile("".join(pattern))
    whole = {"year", "short"} & seen and {"month", "name"} & seen and "day" in seen

    def day_of(name: str) -> date | None:
        match = matcher.fullmatch(name) if whole else None
        if match is None:
            return None
        found = match.groupdict()
        year = found.get("year") or f"20{found.get('short')}"
        month = int(found["month"]) if found.get("month") else month_number(found.get("name") or "")
        return _day(int(year), month, int(found["day"]))

    return day_of


def month_number(word: str) -> int:
    """1 to 12 for an English month or its first letters (three at least); 0 for anything else."""
    folded = word.casefold()
    if folded == "sept":
        return 9
    return next((at for at, month in enumerate(MONTHS, 1) if month[:3] == folded[:3] and month.startswith(folded)), 0)


def leading_day(name: str) -> tuple[date | None, bool]:
    """(the full date that a note's name starts with, whether the name is nothing else)."""
    match = _LEADING.match(name)
    if match is None:
        return None, False
    if match["y"]:
        found = _day(int(match["y"]), int(match["m"]), int(match["d"]))
    else:
        year = int(match["Y"])
        found = _day(year, int(match["M"]), int(match["D"])) if _FIRST_YEAR <= year <= _LAST_YEAR else None
    return found, found is not None and match.end() == len(name)


def impossible_day(name: str) -> Slip | None:
    """What is wrong with a note's name that begins like a day which does not exist: ``2023-02-30``."""
    match = _LEADING.match(name)
    if match is None or not match["y"] or leading_day(name)[0] is not None:
        return None
    return Slip(1, f"there is no such day: {match[0]}", "rename the note", "date")


def read_date(text: str) -> Moment | None:
    """The date that a property states, as precise as it is given, but no more precise than a day.

    A note's date is the writer's day: of ``2025-01-01T23:30:00-08:00`` the first of January, in every zone.

    Returns:
        None if the text is no date, or there is no such day.
    """
    text = text.strip()
    if linked := _BRACKETS.fullmatch(text):
        text = linked[1].strip()
    try:
        if match := _NUMERIC.fullmatch(text):
            return _moment(match)
        if match := _WORDED.fullmatch(text):
            month = month_number(match["month"] or match["month2"])
            return Moment.day(date(int(match["year"]), month, int(match["day"] or match["day2"])))
    except ValueError:
        return None
    return None


def _moment(match: re.Match[str]) -> Moment:
    if compact := match["compact"]:
        return Moment.day(date(int(compact[:4]), int(compact[4:6]), int(compact[6:])))
    year = int(match["year"])
    if year < _FIRST_YEAR:
        raise ValueError(f"nobody wrote notes in the year {year}")
    if match["day"]:
        return Moment.day(date(year, int(match["month"]), int(match["day"])))
    return Moment.month(year, int(match["month"])) if match["month"] else Moment.year(year)


def stated_date(properties: Iterable[Property], keys: Iterable[str]) -> tuple[Moment | None, str, list[Slip]]:
    """(the date of the first key that states one, that key, what the keys before it hold that is no date)."""
    by_key = {each.key.casefold(): each for each in properties}
    slips: list[Slip] = []
    for key in keys:
        found = by_key.get(key.casefold())
        value = found.values[0] if found and found.values else None
        if found is None or value is None or value.text.strip().casefold() in _FLAGS | {""}:
            continue
        moment = read_date(value.text)
        if moment is not None:
            return moment, key, slips
        slips.append(Slip(value.line, f"{found.key!r} is no date: {value.text}", "write it as YYYY-MM-DD", "date"))
    return None, "", slips


def file_date(mtime_ns: int) -> Bound:
    """The UTC day of a modification time: it orders, and is never shown."""
    try:
        day = datetime.fromtimestamp(mtime_ns // 1_000_000_000, UTC).date() if mtime_ns > 0 else None
    except (ValueError, OverflowError, OSError):
        day = None
    return Bound(Moment.day(day), Basis.FILE) if day else UNKNOWN


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
