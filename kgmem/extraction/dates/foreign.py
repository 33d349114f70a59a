"""Dates in French, German and Spanish text, where our own grammar found none: found by shape, read by `dateparser`.

That library (an extra, ``kgmem[dates]``) reads a date well if it is told the language and given nothing else; in
running text it takes "mai" in any sense for a month. So this module finds what has the shape of a date, and the library
only says which one it is. It is imported when there is such a shape, and what it says must agree with the year and the
month that stand there. Without it only bare years are found.

What has the shape of a date: a month, spelled as its language spells it ("mars", "März"), with a year of four digits
and perhaps a day; or a relative expression of days, weeks, months or years, if there is a day to count from; or, in
questions, a year of four digits with a word before it that says so ("en 2019", "im Jahr 2019").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from kgmem.extraction.dates import Expression, find_dates, read_period
from kgmem.extraction.dates.expressions import Kind
from kgmem.model import Basis, Bound, Moment, Period


@dataclass(frozen=True, slots=True)
class _Language:
    """The shapes of dates in a language: its months in order, how they are written, and words around them."""

    months: tuple[str, ...]
    """By number from 1, each with its other spellings."""
    day: str
    of: str
    relative: str
    """Expressions with a group for each unit: ``day``, ``week``, ``month``, ``year``."""
    bounds: dict[str, str]
    """Words before a date, by what our own grammar calls them; of the empty name those that change nothing."""
    year: str
    """The word for a year, with what may stand before it."""


_LANGUAGES: Final = {
    "fr": _Language(
        months=(
            "janvier|janv", "février|fevrier|févr|fév", "mars", "avril|avr", "mai", "juin", "juillet|juil", "août|aout",
            "septembre|sept", "octobre|oct", "novembre|nov", "décembre|decembre|déc",
        ),
        day=r"\d{1,2}(?:er)?",
        of=r"\s+",
        relative=r"(?P<day>avant-hier|hier|il\s+y\s+a\s+\w+\s+jours?)|(?P<week>la\s+semaine\s+dernière|il\s+y\s+a\s+\w+\s+semaines?)"
        r"|(?P<month>le\s+mois\s+dernier|il\s+y\s+a\s+\w+\s+mois)|(?P<year>l['’]an(?:née)?\s+derni(?:er|ère)|il\s+y\s+a\s+\w+\s+ans?)",
        bounds={
            "since": r"depuis|dès", "until": r"jusqu['’](?:en|à|au)", "before": "avant", "after": "après",
            "": "en|au|à|dans|fin|début|courant|pendant|vers",
        },
        year=r"(?:l['’])?année",
    ),
    "de": _Language(
        months=(
            "Januar|Jänner", "Februar|Feber", "März|Maerz", "April", "Mai", "Juni", "Juli", "August", "September",
            "Oktober", "November", "Dezember",
        ),
        day=r"\d{1,2}\.",
        of=r"\s+",
        relative=r"(?P<day>vorgestern|gestern|vor\s+\w+\s+Tag(?:en)?)|(?P<week>letzte[rn]?\s+Woche|vor\s+\w+\s+Wochen?)"
        r"|(?P<month>letzte[nrs]?\s+Monat|vor\s+\w+\s+Monat(?:en)?)|(?P<year>letzte[ns]?\s+Jahr|vor\s+\w+\s+Jahr(?:en)?)",
        bounds={
            "since": "seit|ab", "until": "bis", "before": "vor", "after": "nach",
            "": "im|am|in|ende|anfang|mitte|während",
        },
        year="(?:dem )?Jahre?",
    ),
    "es": _Language(
        months=(
            "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre|setiembre", "octubre",
            "noviembre", "diciembre",
        ),
        day=r"\d{1,2}(?:[º°])?",
        of=r"\s+(?:del?\s+)?",
        relative=r"(?P<day>anteayer|ayer|hace\s+\d+\s+días?)|(?P<week>la\s+semana\s+pasada|hace\s+\d+\s+semanas?)"
        r"|(?P<month>el\s+mes\s+pasado|hace\s+\d+\s+mes(?:es)?)|(?P<year>el\s+año\s+pasado|hace\s+\d+\s+años?)",
        bounds={
            "since": "desde", "until": "hasta", "before": r"antes\s+del?", "after": r"después\s+del?",
            "": "en|el|durante",
        },
        year="(?:el )?año",
    ),
}  # fmt: skip
_SENTENCE: Final = re.compile(r"(?<!\b\d)(?<!\b\d\d)[.!?]\s+|\n")
_YEAR: Final = r"(?:1[5-9]|20)\d\d"
"""A number after "in" that is a year, and hardly one of anything else."""
_ARTICLE: Final = r"(?:(?:le|la|el|dem|den|der)\s+)?"


def find_foreign_dates(
    text: str, anchor: date | None, languages: Sequence[str], *, years: bool = False
) -> tuple[Expression, ...]:
    """Dates of other languages, in sentences in which `find_dates` finds none; without the library only years.

    Args:
        text: prose.
        anchor: the day that relative words count from; None finds only dates that need none.
        languages: their codes ("fr", "de", "es"), tried in this order.
        years: also bare years with a word that may say so ("en 2019", 2019年), as questions have them; in prose it may
            be a number of anything.
    """
    known = [code for code in languages if code in _LANGUAGES]
    shapes = [shape for code in known for shape in _shapes(text, code, anchor)]
    if years:
        shapes += [shape for code in known for shape in _years(text, code)]
        shapes += [_year(match, "") for match in re.finditer(rf"(?<!\d)(?P<y>{_YEAR})\s?年(?![前代])", text)]
    if not shapes:
        return ()
    own = [(each.start, each.end) for each in find_dates(text, anchor)]
    found: list[Expression] = []
    for shape in sorted(shapes, key=lambda shape: (shape.start, -shape.end)):
        first, past = _sentence(text, shape)
        if any(first <= start < past for start, _ in own) or any(shape.start < each.end for each in found):
            continue
        period = _read(shape, anchor)
        if period is not None:
            found.append(Expression(shape.start, shape.end, text[shape.start : shape.end], period, shape.kind))
    return tuple(found)


def read_foreign_period(text: str, anchor: date | None, languages: Sequence[str]) -> Period | None:
    """The period that the whole text names in one of these languages, or None."""
    stripped = text.strip()
    found = find_foreign_dates(stripped, anchor, languages)
    return found[0].period if found and found[0].text == stripped else None


@dataclass(frozen=True, slots=True)
class _Shape:
    """A stretch of text that looks like a date."""

    start: int
    end: int
    language: str
    """Its code; empty of a bare year, which no library has to read."""
    text: str
    """The date alone."""
    bound: str
    """What our own grammar calls the word before it; empty if that changes nothing."""
    unit: str
    written: tuple[int, int, int] | None = None
    """(year, month, day or 0) as they stand there; None for a relative expression."""

    @property
    def kind(self) -> Kind:
        """See `Expression`."""
        if self.bound:
            return "since" if self.bound in {"since", "after"} else "until"
        return "range" if self.unit == "week" else "point"


def _shapes(text: str, code: str, anchor: date | None) -> Iterator[_Shape]:
    language = _LANGUAGES[code]
    months = "|".join(f"(?P<m{number}>{names})" for number, names in enumerate(language.months, 1))
    absolute = rf"(?P<d>{language.day}{language.of})?(?:{months})\.?{language.of}(?P<y>\d{{4}})"
    for pattern, relative in ((absolute, False), (language.relative, True)):
        if relative and anchor is None:
            continue
        whole = rf"(?<![\w-])(?:(?:{_bounds(language)})\s+)?{_ARTICLE}(?P<date>{pattern})(?![\w-])"
        for match in re.finditer(whole, text):
            yield _shape(match, code, relative=relative)


def _years(text: str, code: str) -> Iterator[_Shape]:
    language = _LANGUAGES[code]
    whole = (
        rf"(?<![\w-])(?:{_bounds(language)})\s+(?:(?i:{language.year})\s+)?(?P<y>{_YEAR})(?![\w-]|[.,:]\d|\s*[%€$°])"
    )
    for match in re.finditer(whole, text):
        yield _year(match, _bound(match))


def _year(match: re.Match[str], bound: str) -> _Shape:
    return _Shape(match.start(), match.end(), "", match["y"], bound, "year", (int(match["y"]), 0, 0))


def _bounds(language: _Language) -> str:
    return "|".join(f"(?P<{name or 'plain'}>(?i:{words}))" for name, words in language.bounds.items())


def _bound(match: re.Match[str]) -> str:
    return next((name for name in ("since", "until", "before", "after") if match[name]), "")


def _shape(match: re.Match[str], code: str, *, relative: bool) -> _Shape:
    groups = match.groupdict()
    bound = _bound(match)
    if relative:
        unit = next(name for name in ("day", "week", "month", "year") if groups[name])
        return _Shape(match.start(), match.end(), code, match["date"], bound, unit)
    month = next(number for number in range(1, 13) if groups[f"m{number}"])
    day = int(re.sub(r"\D.*", "", groups["d"], flags=re.DOTALL)) if groups["d"] else 0
    unit = "day" if day else "month"
    return _Shape(match.start(), match.end(), code, match["date"], bound, unit, (int(match["y"]), month, day))


def _sentence(text: str, shape: _Shape) -> tuple[int, int]:
    """The span of the sentence around a shape."""
    ends = [match.end() for match in _SENTENCE.finditer(text)]
    return (
        max((end for end in ends if end <= shape.start), default=0),
        min((end for end in ends if end >= shape.end), default=len(text)),
    )


def _read(shape: _Shape, anchor: date | None) -> Period | None:
    """What the library says of a shape, if that is what stands there; a year says itself."""
    if shape.unit == "year" and shape.written is not None:
        said = Moment.year(shape.written[0])
        return read_period(f"{shape.bound} {said}") if shape.bound else Period(_stated(said), _stated(said))
    day = _parse(shape.text, shape.language, anchor)
    if day is None or (shape.written is not None and shape.written[:2] != (day.year, day.month)):
        return None
    if shape.written is not None and shape.written[2] not in {0, day.day}:
        return None
    if shape.bound:
        return read_period(f"{shape.bound} {_moment(day, shape.unit)}")
    if shape.unit == "week":
        monday = day - timedelta(days=day.weekday())
        return Period(_stated(Moment.day(monday)), _stated(Moment.day(monday + timedelta(days=6))))
    at = _stated(_moment(day, shape.unit))
    return Period(at, at)


def _moment(day: date, unit: str) -> Moment:
    if unit == "year":
        return Moment.year(day.year)
    return Moment.month(day.year, day.month) if unit == "month" else Moment.day(day)


def _stated(moment: Moment) -> Bound:
    return Bound(moment, Basis.STATED)


def _parse(text: str, language: str, anchor: date | None) -> date | None:
    try:
        from dateparser.date import DateDataParser
    except ImportError:
        return None
    noon = datetime.combine(anchor or date(2000, 1, 1), datetime.min.time()).replace(hour=12)
    settings = {"RELATIVE_BASE": noon, "PREFER_DAY_OF_MONTH": "first", "RETURN_AS_TIMEZONE_AWARE": False}
    found = DateDataParser(languages=[language], settings=settings).get_date_data(text).date_obj
    return found.date() if found else None
