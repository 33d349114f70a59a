"""Dated properties: ``[[Acme]] (2019-03 – 2021-06)``, exact and with no guess."""

from __future__ import annotations

import re
from typing import Final

from kgmem.extraction.dates import absolute
from kgmem.extraction.dates.points import point
from kgmem.extraction.dates.reader import Reader
from kgmem.extraction.dates.spans import Span, moment
from kgmem.model import Moment, Period, Precision

_YEAR: Final = re.compile(r"\d{4}")
_BETWEEN: Final = re.compile(r"\s*(?:[–—]|\.\.)\s*|\s+(?:-|to)\s+|(?<=\d)-(?=\d{4}(?!\d))|(?<=\d{4})-(?=[^\W\d_])")
_ONE_SIDED: Final = re.compile(r"(since|from|until|till)\s+")
_OPEN: Final = frozenset({"now", "present"})


def split_dated(text: str) -> tuple[str, Period | None]:
    """The value of a property and the period that it ends in.

    A period is ``(2015)``, ``(since 2021)``, ``(from 2021)``, ``(until 2020)``, ``(2015 – present)``, ``(2015 – now)``
    or two dates with ``-``, ``–``, ``—``, ``to`` or ``..`` between them. A date is a year, month or day of ISO 8601
    or with a written month ("Mar 2019", "3 May 2021", "May 3, 2021"); beside "since", "until" or another date also
    one that takes time ("spring 2019", "the end of 2019"), which begins and ends as its first and last month do.
    Anything else in parentheses belongs to the value, also a day that does not exist; then the text comes back whole,
    without a period. An inverted period is given as it stands: see `kgmem.model.Period.empty`.
    """
    body = text.rstrip()
    opening = body.rfind("(")
    if opening < 0 or not body.endswith(")"):
        return text, None
    value = body[:opening].rstrip()
    period = _period(body[opening + 1 : -1].strip())
    return (value, period) if value and period else (text, None)


def _period(inside: str) -> Period | None:
    sided = _ONE_SIDED.match(inside.lower())
    rest = inside[sided.end() :] if sided else inside
    first, dash, last = _cut(rest)
    start = _exact(first) or (_long(rest if sided and not dash else first) if sided or dash else None)
    if start is None and dash and sided:  # the dash of "mid-2020"
        start, dash = _long(rest), False
    if start is None or (dash and sided and sided[1] != "from"):
        return None
    if not dash:
        return _open(start, sided[1]) if sided else start.period
    if last.lower() in _OPEN:
        return Period(start.period.start)
    end = _exact(last) or _long(last)
    return Period(start.period.start, end.period.end) if end else None


def _open(span: Span, word: str) -> Period:
    return Period(end=span.period.end) if word in {"until", "till"} else Period(span.period.start)


def _cut(text: str) -> tuple[str, bool, str]:
    """The text before the first sign that may stand between two dates, whether there is one, and the text after."""
    match = _BETWEEN.search(text)
    return (text[: match.start()], True, text[match.end() :]) if match else (text, False, "")


def _exact(text: str) -> Span | None:
    """A year, month or day."""
    if _YEAR.fullmatch(text):
        return moment(Moment.year(int(text))) if int(text) else None
    reader = Reader(text, None)
    for rule in absolute.CALENDAR_DATES:
        found = rule(reader, 0)
        if found and found.span and found.end == len(reader.tokens):
            return found.span if found.span.first.precision is not Precision.INSTANT else None
    return None


def _long(text: str) -> Span | None:
    """A season, a quarter, a part of a year."""
    reader = Reader(text, None, whole=True)
    found = point(reader, 0) if reader.tokens else None
    whole = found is not None and found.end == len(reader.tokens)
    return found.span if found and whole and found.span and found.span.first.precision < Precision.INSTANT else None
