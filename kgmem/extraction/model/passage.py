"""A passage as claims are held against it: where words stand, whether they state something, and when.

A date is never taken from a model: it only points to the words, and kgmem's own grammar reads them.
"""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import Final

from kgmem.extraction.dates import Expression, find_dates
from kgmem.extraction.dates.spans import day_of
from kgmem.extraction.model.replies import Told
from kgmem.extraction.model.stated import is_stated
from kgmem.extraction.relations.framing import readable_prose
from kgmem.extraction.sentences import Sentences
from kgmem.model import UNDATED, UNKNOWN, Basis, Bound, ClaimKind, Moment, Period, Precision
from kgmem.sources.document import Block, Document

_EDGES: Final = " \t\n\"'“”‘’«»…."


class Dropped(StrEnum):
    """Why nothing is left of what a model told."""

    PREDICATE = "predicate"
    QUOTE = "quote"
    STATED = "stated"
    """The sentence asks, denies, foretells, reports, only wishes or supposes, or stands in a story."""
    TYPE = "type"
    """An end is known to be of a type that the predicate does not take there."""
    SUBJECT = "subject"
    OBJECT = "object"
    DATE = "date"


class DroppedError(Exception):
    """Nothing is left of what was told."""

    def __init__(self, why: Dropped) -> None:
        super().__init__(why)
        self.why = why


class Passage:
    """One block of a document."""

    def __init__(self, document: Document, index: int) -> None:
        self.index = index
        self.block: Block = document.blocks[index]
        self.prose = readable_prose(self.block)
        self.sentences = Sentences(self.prose)
        self._document = document
        self._places = [at for at, sign in enumerate(self.prose) if not sign.isspace()]
        self._squeezed = "".join(self.prose[at] for at in self._places)

    @cached_property
    def anchor(self) -> date | None:
        """The day that relative words count from."""
        said = self._document.said(self.block)
        if said.moment is None or said.basis is Basis.FILE or said.moment.precision < Precision.DAY:
            return None
        return day_of(said.moment.first)

    @cached_property
    def dates(self) -> tuple[Expression, ...]:
        """Those that kgmem's own grammar reads."""
        return find_dates(self.prose, self.anchor)

    def find(self, quote: str) -> tuple[int, int]:
        """The span of a quote within one sentence, white space aside."""
        wanted = "".join(quote.strip(_EDGES).split())
        at = self._squeezed.find(wanted) if wanted else -1
        if at < 0:
            raise DroppedError(Dropped.QUOTE)
        start, end = self._places[at], self._places[at + len(wanted) - 1] + 1
        if any(start < begins < end for begins in self.sentences.starts):
            raise DroppedError(Dropped.QUOTE)
        return start, end

    def spans(self, words: str) -> tuple[tuple[int, int], ...]:
        """Where words stand as whole ones, white space aside; in any case, unless they are few letters."""
        pattern = r"\s+".join(map(re.escape, words.split()))
        if not pattern:
            return ()
        flags = re.IGNORECASE if len(words) > 3 else 0  # noqa: PLR2004 -- "us" and "US" are two
        return tuple(match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", self.prose, flags))

    def states(self, around: tuple[int, int], told: Told, quote: tuple[int, int]) -> bool:
        """Whether the sentence states what is told of it; see `kgmem.extraction.model.stated`."""
        ends = [span for name in (told.subject, told.object) for span in self.spans(name)]
        return is_stated(self.prose, around, quote, ends, over=told.ended)

    # -- time

    def period(self, told: Told) -> tuple[ClaimKind, Period]:
        """Whether it holds or ended, and when, as the passage says it."""
        start = self._dated(told.start)
        end = self._dated(told.end)
        if told.ended and (start is None or end is None):
            over = end or (
                start if start is not None and start.kind == "point" else None
            )  # "left in March" is one date
            return ClaimKind.ENDS, UNDATED if over is None else Period(end=_last(over))
        valid = Period(UNKNOWN if start is None else _first(start), UNKNOWN if end is None else _last(end))
        if valid.empty:
            raise DroppedError(Dropped.DATE)
        return ClaimKind.HOLDS, valid

    def _dated(self, said: str) -> Expression | None:
        """The date in the passage that the words point to; the note's own is no date of a claim."""
        if not said:
            return None
        pointed = [
            each for each in self.dates if any(start < each.end and each.start < end for start, end in self.spans(said))
        ]
        moment = _moment(said)
        if not pointed and moment is not None:
            if moment == self._document.said(self.block).moment:
                return None
            pointed = [each for each in self.dates if _is_of(moment, each)]
        periods = {each.period for each in pointed}
        if len(periods) != 1:
            raise DroppedError(Dropped.DATE)
        return pointed[0]


def _first(found: Expression) -> Bound:
    """Where something begins that begins at a date; "until 2020" says of no beginning."""
    if found.period.start.moment is None:
        raise DroppedError(Dropped.DATE)
    return found.period.start


def _last(found: Expression) -> Bound:
    bound = found.period.start if found.kind == "since" else found.period.end
    if bound.moment is None:
        raise DroppedError(Dropped.DATE)
    return bound


def _moment(said: str) -> Moment | None:
    try:
        return Moment.parse(said)
    except ValueError:
        return None


def _is_of(moment: Moment, found: Expression) -> bool:
    """Whether an ISO date says what words of the passage do: the same, or less exactly, or its first day."""
    ends = (each.moment for each in (found.period.start, found.period.end) if each.moment is not None)
    return any(moment.first == each.first or (moment.first <= each.first < moment.past) for each in ends)
