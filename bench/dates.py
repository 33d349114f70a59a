"""Accuracy and cost of the dates grammar on questions whose intervals are known.

    python bench/dates.py FOLDER

FOLDER holds ``golden.json``: a key is the instant of reference, a unit separator and a question; its value is an
interval of two instants, or null. The questions come from another product, which reads other languages and has
conventions of its own, so each row is sorted by rules first and only those counted as a test of the grammar that
are in English and on which both agree about what the words mean; the others are shown beside them, each by kind.
The rows are split in two by a hash of the question, so that no question is in both halves, and ``--failures`` shows
what went wrong in the first half only: mend kinds of failure there, and read the result in the other.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from kgmem.extraction.dates import find_dates, read_period
from kgmem.extraction.dates.spans import day_of

Days = tuple[date, date]

_ENGLISH_SEEN = re.compile(
    r"\b(?:de|del|du|der|il|la|le|lo|el|am|um|vor|fa|hace|scorso|un|una|und|was|ist|cosa|qué|qu|ai|ho|het|y|oggi|hoy|heute"
    r"|hier|ieri|ayer|gestern|demain|mañana|morgen|domani"
    r"|jan(?:uar|vier)|gennaio|enero|feb(?:ruar|braio|rero)|f[ée]vrier|m[äa]rz|mars|marzo|avril|aprile|abril|mai|maggio"
    r"|mayo|jui(?:n|llet)|jun[i]o?|giugno|jul[i]o?|luglio|ao[uû]t|agosto|sept(?:embre|iembre)|settembre|o[ck]to(?:bre|ber)"
    r"|octubre|ottobre|novembre|noviembre|d[ei][cz]iembre|dezember|d[ée]cembre|dicembre|letzte\w*|aujourd\w*)\b"
)
_OTHER_CONVENTIONS = {
    "a vague or whole unit": re.compile(r"\b(?:few|couple|several)\b|\d+ ?(?:weeks?|months?|mon|years?|yrs?) ago"),
    "a weekend not over": re.compile(r"\bweekend\b"),
    "a clock or part of a day": re.compile(r"noon|midnight|tonight|this morning|\d ?[ap]m\b|\d:\d\d"),
    "only some of the dates": re.compile(r"between|\b(?:or|and|to|from)\b.*\d|last week or|\d{4}-\d\d-\d\d \d{4}"),
    "what lies ahead": re.compile(r"\b(?:in \d+ (?:days?|weeks?)|next|tomorrow)\b"),
    "a verb or a bare name": re.compile(r"\b(?:may (?:have|i|report)|may$|now|mar$|sat$|sun$|wed$|mon$|year \d{4}$)"),
    "a day that does not exist": re.compile(r"\b3[01] (?:february|april)|0000|february 30"),
    "a day counted from a story": re.compile(r"\b(?:later|earlier)\b"),
    "a dotted date": re.compile(r"\d\d\.\d\d\.\d{4}"),
}


class Row(NamedTuple):
    """One question with the days that it is about."""

    anchor: date
    question: str
    expected: Days | None

    @property
    def kind(self) -> str:
        """Why it is not counted, or "counted"."""
        text = self.question.lower()
        if not text.isascii() or (_ENGLISH_SEEN.search(text) and not re.search(r"\boctober\b", text)):
            return "another language"
        names = (name for name, pattern in _OTHER_CONVENTIONS.items() if pattern.search(text))
        return next(names, "counted")

    @property
    def held_out(self) -> bool:
        """Whether it is in the half whose failures are not shown."""
        return bool(hashlib.blake2b(self.question.strip().lower().encode(), digest_size=1).digest()[0] & 1)


def load(folder: Path) -> list[Row]:
    """The rows of a folder."""
    golden = json.loads((folder / "golden.json").read_text(encoding="utf-8"))
    return [_row(key, value) for key, value in golden.items()]


def _row(key: str, value: list[str] | None) -> Row:
    reference, question = key.split("\x1f", 1)
    days = value and (datetime.fromisoformat(value[0]).date(), datetime.fromisoformat(value[1]).date())
    return Row(datetime.fromisoformat(reference).date(), question, days or None)


def ours(row: Row) -> Days | None:
    """The days of the whole question, or of the first date in it."""
    found = find_dates(row.question, row.anchor)
    period = read_period(row.question, row.anchor) or (found[0].period if found else None)
    if period is None or period.start.moment is None or period.end.moment is None:
        return None
    return day_of(period.start.moment.first), day_of(period.end.moment.past - 1)


def peer() -> Callable[[Row], Days | None]:
    """Dateparser, told the language and the day; a month or year that it names covers that month or year."""
    from dateparser.search import search_dates

    def read(row: Row) -> Days | None:
        base = datetime(row.anchor.year, row.anchor.month, row.anchor.day)  # noqa: DTZ001 - dateparser takes it so
        settings = {"RELATIVE_BASE": base, "PREFER_DATES_FROM": "past", "RETURN_TIME_SPAN": True}
        found = search_dates(row.question, languages=["en"], settings=settings)
        if not found:
            return None
        first = found[0][1].date()
        last = found[1][1].date() if len(found) > 1 and "(end)" in found[1][0] else first
        if re.fullmatch(r"[a-z]+ \d{4}", found[0][0].strip().lower()):
            first = first.replace(day=1)
            last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
        return first, last

    return read


def report(name: str, read: Callable[[Row], Days | None], rows: list[Row]) -> None:
    """Print how many rows of each kind are exactly right, and the cost of one."""
    started = time.process_time()
    right = [(row, read(row) == row.expected) for row in rows]
    cost = (time.process_time() - started) / max(1, len(rows)) * 1000
    for title, held_out in (("seen half", False), ("held-out half", True)):
        counted = [(row, good) for row, good in right if row.kind == "counted" and row.held_out is held_out]
        dated = [good for row, good in counted if row.expected]
        decoys = [good for row, good in counted if not row.expected]
        shares = f"{_share(dated)} of dates, {_share(decoys)} of texts without one"
        print(f"{name:12} {title:14} {_share([good for _, good in counted])} exact: {shares}")
    others = Counter((row.kind, good) for row, good in right)
    for kind in sorted({row.kind for row in rows} - {"counted"}):
        print(
            f"{name:12} {kind:28} {others[kind, True]:4} of {others[kind, True] + others[kind, False]} as the rows say"
        )
    print(f"{name:12} {cost:.3f} ms of CPU a row")


def _share(good: list[bool]) -> str:
    return f"{sum(good)} of {len(good)} ({sum(good) / max(1, len(good)):.3f})"


def main() -> None:
    """Print the table."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    if not (folder / "golden.json").exists():
        print(f"skipped: no golden.json in {folder}")
        return
    rows = load(folder)
    report("kgmem", ours, rows)
    if "--failures" in sys.argv:
        for row in rows:
            if row.kind == "counted" and not row.held_out and ours(row) != row.expected:
                print("    ", row, ours(row))
    if importlib.util.find_spec("dateparser"):
        report("dateparser", peer(), rows)
    else:
        print("skipped: dateparser is not installed")


if __name__ == "__main__":
    main()
