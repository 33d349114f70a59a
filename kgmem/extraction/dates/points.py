"""One date: what the rules read, and what "early", "the end of", "the week of", "the first Monday in" make of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from kgmem.extraction.dates import absolute, relative, spans, words
from kgmem.extraction.dates.reader import Found, Needs, Reader, Rule
from kgmem.model import Precision


def point(reader: Reader, at: int) -> Found | None:
    """The longest date that starts at a token, with "the" before it and the time of day after it.

    A clock or "morning" is read and not kept: without a zone it names no instant, so the day is what is known.
    """
    at = _clock_before(reader, at)
    at = reader.skip(at, "the")
    found = _longest(rule(reader, at) for rule in _RULES.get(reader.token(at).key, ()))
    return found and _with_clock(reader, found)


def calendar_date(reader: Reader, at: int) -> Found | None:
    """The longest date there that the calendar alone decides."""
    return _longest(rule(reader, at) for rule in _CALENDAR_RULES.get(reader.token(at).key, ()))


def _longest(candidates: Iterable[Found | None]) -> Found | None:
    best: Found | None = None
    for found in candidates:
        if found and (best is None or found.end > best.end):
            best = found
    return best


def _plain(reader: Reader, at: int) -> Found | None:
    return _longest(rule(reader, at) for rule in _PLAIN_RULES.get(reader.token(at).key, ()))


def _part(reader: Reader, at: int) -> Found | None:
    """Read "early 2019", "mid-May", "late last year", "the early 1990s"."""
    which = words.PARTS.get(reader.word(at))
    if which is None:
        return None
    found = _plain(reader, reader.skip(at + 1, "-"))
    return found and _certain(found.map(lambda span: spans.part(span, which)))


def _edge(reader: Reader, at: int) -> Found | None:
    """Read "the end of 2020", "the beginning of last month", "the end of the year"."""
    which = words.EDGES.get(reader.word(at))
    if which is None or reader.word(at + 1) != "of":
        return None
    inner = reader.skip(at + 2, "the")
    found = _longest((_plain(reader, inner), _part(reader, inner), relative.this_unit(reader, inner)))
    return found and _certain(found.map(lambda span: spans.edge(span, which)))


def _around(reader: Reader, at: int) -> Found | None:
    """Read "the week of 3 May 2021", "the morning of 3 May"."""
    word = reader.word(at)
    if reader.word(at + 1) != "of" or word not in {"week", "weekend", *words.DAYTIMES}:
        return None
    found = _plain(reader, reader.skip(at + 2, "the"))
    if not found or (found.span and found.span.first.precision < Precision.DAY):
        return None
    if word == "week":
        return found.map(lambda span: spans.week(spans.day_of(span.first.first)))
    return found.map(lambda span: spans.weekend(spans.day_of(span.first.first))) if word == "weekend" else found


def _nth(reader: Reader, at: int) -> Found | None:
    """Read "the first Monday of May 2021", "the last week of 2020", "the second week in March"."""
    last = reader.word(at) == "last"
    ordinal = (at + 1, -1) if last else absolute.ordinal_word(reader, at)
    if not ordinal or reader.word(ordinal[0] + 1) not in {"of", "in"}:
        return None
    name, nth = reader.word(ordinal[0]), ordinal[1]
    found = _plain(reader, reader.skip(ordinal[0] + 2, "the"))
    if not found or (name != "week" and name not in words.WEEKDAYS):
        return None
    if name == "week":
        return _certain(found.map(lambda span: spans.nth_week(span, nth)))
    return _certain(found.map(lambda span: spans.nth_weekday(span, words.WEEKDAYS[name], nth)))


def _certain(found: Found) -> Found:
    """The same without a need of a word before it: "early" and "the end of" have settled that it is a date."""
    return Found(found.end, found.span, found.yearly, partial=found.partial)


def _clock_before(reader: Reader, at: int) -> int:
    """The index after "10:30 on", or the same index."""
    clock = reader.skip(at, "at")
    return reader.skip(clock + 1, "on", ",") if reader.kind(clock) == "clock" else at


def _with_clock(reader: Reader, found: Found) -> Found:
    if found.needs is Needs.TIME_WORD or (found.span and found.span.first.precision is not Precision.DAY):
        return found
    end = found.end
    if reader.word(end) in words.DAYTIMES:
        end += 1
    clock = reader.skip(reader.skip(end, ","), "at", "around")
    end = clock + 1 if reader.kind(clock) == "clock" else end
    return Found(end, found.span, found.yearly, Needs.NOTHING if end > found.end else found.needs, found.partial)


def _by_key(rules: Mapping[Rule, frozenset[str]]) -> dict[str, tuple[Rule, ...]]:
    keys = frozenset().union(*rules.values())
    return {key: tuple(rule for rule, starts in rules.items() if key in starts) for key in keys}


_CALENDAR_RULES: Final = _by_key(absolute.RULES)
_PLAIN: Final = absolute.RULES | relative.RULES
_PLAIN_RULES: Final = _by_key(_PLAIN)
_RULES: Final = _by_key(
    _PLAIN
    | {
        _part: frozenset(words.PARTS),
        _edge: frozenset(words.EDGES),
        _around: frozenset({"week", "weekend", *words.DAYTIMES}),
        _nth: frozenset({"last", *words.ORDINALS, *words.TENS}),
    }
)
STARTS: Final = frozenset({"the", "#clock", *_RULES})
"""The keys of every token that a date may begin with."""
