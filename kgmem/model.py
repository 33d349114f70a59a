"""The nouns of kgmem, as frozen dataclasses. This module knows nothing else of ours.

Two kinds of time run through everything and never mix:

* *world time*: when something held. A `Moment` keeps the precision it was given (year, month, day,
  instant) and covers the seconds ``[first, past)``, counted from 0001-01-01 in the proleptic Gregorian
  calendar. A day is a day in every time zone, so days carry no zone; instants are UTC.
* *recorded time*: when this memory believed it. An `Instant` is whole microseconds since the Unix epoch,
  set by the store's clock alone.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from enum import IntEnum, StrEnum
from typing import Final, NewType, Protocol, TypeVar

T = TypeVar("T")

Id = str
"""Sixteen lower-case hexadecimal digits: 64 bits, so that a store may keep it as an integer."""

Instant = NewType("Instant", int)
"""Recorded time: microseconds since 1970-01-01T00:00:00Z."""

ALWAYS: Final = -(2**62)
"""The open start of a world interval, in seconds. A number, not None: indexes and filters stay simple."""
FOREVER: Final = 2**62
"""The open end of a world interval, in seconds."""
OPEN: Final = Instant(2**62)
"""`closed_at` of what is believed now."""

CORRECTION: Final = "correction"
"""The rung, and the kind of source, of what a person said to the memory itself: it outranks their notes."""

BY_MODEL: Final = "llm"
"""The rung of what a language model read in a passage."""

LINKS_TO: Final = "LINKS_TO"
"""The predicate of a bare link: a note points to another, and says no more."""

RUNGS_JOINED: Final = "+"  # sentences+grammar
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400
_ISO: Final = (
    r"(?P<year>\d{4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2})"
    r"(?:[T ](?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s?(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?"
)


def identify(*parts: object) -> Id:
    """The id of what these parts name: the same parts, the same id, on every machine."""
    import hashlib  # here: what only reads needs no ids made, and it brings all of OpenSSL

    text = "\x1f".join("" if part is None else str(part) for part in parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class EntityType(StrEnum):
    """POLE+O: every entity is exactly one of these, with an open subtype beside it."""

    PERSON = "Person"
    OBJECT = "Object"
    LOCATION = "Location"
    EVENT = "Event"
    ORGANIZATION = "Organization"


class Precision(IntEnum):
    """How much of a date was given."""

    YEAR = 1
    MONTH = 2
    DAY = 3
    INSTANT = 4


class Basis(StrEnum):
    """How a world date is known, from the best to the weakest."""

    STATED = "stated"
    """The text says so."""
    NOTE = "note"
    """The date of the note it stands in."""
    OBSERVED = "observed"
    """An edit was seen between two ingests."""
    FILE = "file"
    """The file's modification time: it orders claims and is never shown as a world date."""
    UNKNOWN = "unknown"


_SHOWN: Final = {Precision.YEAR: 4, Precision.MONTH: 7, Precision.DAY: 10}
"""Characters of an ISO date that each precision gives."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as precise as it was given, covering the world seconds ``[first, past)``."""

    first: int
    past: int
    precision: Precision

    @classmethod
    def year(cls, year: int) -> Moment:
        """The whole of a year. Raises ValueError outside 1 to 9999."""
        first = date(year, 1, 1).toordinal() * _DAY
        return cls(first, first + (366 if calendar.isleap(year) else 365) * _DAY, Precision.YEAR)

    @classmethod
    def month(cls, year: int, month: int) -> Moment:
        """The whole of a month. Raises ValueError if there is no such month."""
        first = date(year, month, 1).toordinal() * _DAY
        return cls(first, first + calendar.monthrange(year, month)[1] * _DAY, Precision.MONTH)

    @classmethod
    def day(cls, day: date) -> Moment:
        """The whole of a day, in no zone."""
        first = day.toordinal() * _DAY
        return cls(first, first + _DAY, Precision.DAY)

    @classmethod
    def instant(cls, moment: datetime) -> Moment:
        """A second. One without a zone is taken as UTC."""
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        at = aware.astimezone(UTC)
        first = at.toordinal() * _DAY + at.hour * 3600 + at.minute * 60 + at.second
        return cls(first, first + 1, Precision.INSTANT)

    @classmethod
    def parse(cls, text: str) -> Moment:
        """Read ISO 8601: ``2015``, ``2015-03``, ``2015-03-07``, ``2015-03-07T10:00:00+02:00``.

        Raises:
            ValueError: it is not such a date, or no such day exists.
        """
        match = re.fullmatch(_ISO, text.strip())
        if not match:
            raise ValueError(f"not an ISO date: {text!r}")
        year, month, day = match["year"], match["month"], match["day"]
        if match["hour"]:
            zone = (match["zone"] or "Z").replace("Z", "+00:00")
            clock = f"{match['hour']}:{match['minute']}:{match['second'] or '00'}"
            return cls.instant(datetime.fromisoformat(f"{year}-{month}-{day}T{clock}{zone}"))
        if day:
            return cls.day(date(int(year), int(month), int(day)))
        return cls.month(int(year), int(month)) if month else cls.year(int(year))

    def __str__(self) -> str:
        """ISO 8601, with no more than was given."""
        if self.precision is Precision.INSTANT:
            day, seconds = divmod(self.first, _DAY)
            clock = f"{seconds // 3600:02}:{seconds % 3600 // 60:02}:{seconds % 60:02}"
            return f"{date.fromordinal(day).isoformat()}T{clock}Z"
        return date.fromordinal(self.first // _DAY).isoformat()[: _SHOWN[self.precision]]


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a world period: when, and how that is known.

    Without a moment the end is open or not known. A bound of basis ``file`` orders and is not shown.
    """

    moment: Moment | None = None
    basis: Basis = Basis.UNKNOWN

    @property
    def shown(self) -> str | None:
        """The date as a person may see it, or None."""
        return None if self.moment is None or self.basis is Basis.FILE else str(self.moment)


UNKNOWN: Final = Bound()


@dataclass(frozen=True, slots=True)
class Period:
    """A world period as a text states it; either end may be unknown."""

    start: Bound = UNKNOWN
    end: Bound = UNKNOWN

    @property
    def empty(self) -> bool:
        """Whether the end comes before the start: a slip of the pen, which nothing may rest on."""
        start, end = self.start.moment, self.end.moment
        return start is not None and end is not None and end.past <= start.first


UNDATED: Final = Period()


class ClaimKind(StrEnum):
    """Whether a passage says that something holds, or that it ended ("left", "no longer", "until")."""

    HOLDS = "holds"
    ENDS = "ends"
    YIELDS = "yields"
    """It ended if it held, and nobody says that it did: who hates a dish may never have loved it."""
    DENIES = "denies"
    """It never held, whatever notes say: a person's correction."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one passage asserts. Immutable: a changed text makes another claim.

    Exactly one of `object` (an entity) and `value` (text) is set; an ENDS claim may have neither, and then
    ends whatever held. `said` is the world date that orders the claim where `valid` states none.
    `replaced` is set when the claim's passage left its source and another claim of the slot took its
    place: the bound where this one ends. It reflects the log as of the recorded instant it was read at.
    """

    id: Id
    source: Id
    episode: Id
    passage: Id
    subject: Id
    predicate: str
    object: Id | None
    value: str | None
    statement: str
    quote: str
    line: int
    """Lines below the first line of the passage."""
    valid: Period
    said: Bound
    kind: ClaimKind = ClaimKind.HOLDS
    scalar: bool = False
    """The one value of a property that can hold one: its next value in the same source replaces it."""
    rung: str = "structure"
    confidence: float = 1.0
    recorded_at: Instant = Instant(0)
    replaced: Bound | None = None
    first_at: Instant | None = None
    """When it was first recorded, if it was taken back and is made again."""

    @property
    def rungs(self) -> tuple[str, ...]:
        """The rung that found it, then those that found it too."""
        return tuple(self.rung.split(RUNGS_JOINED))

    @property
    def ranked_at(self) -> Instant:
        """The recorded instant by which it wins or loses against others of the same world date."""
        return self.recorded_at if self.first_at is None else self.first_at

    @property
    def target(self) -> str | None:
        """The object or value as one comparable text; None for an ENDS claim that names none."""
        return f"e:{self.object}" if self.object is not None else None if self.value is None else f"v:{self.value}"


@dataclass(frozen=True, slots=True)
class Fact:
    """One version of a belief, on both time axes.

    ``[holds_from, holds_to)`` are world seconds and exact; `valid` shows the same ends as they were
    stated. An end that is stated by year, month or day includes that whole period; an end that is the
    start of the next value excludes it. ``[recorded_at, closed_at)`` is recorded time.
    """

    id: Id
    slot: Id
    subject: Id
    predicate: str
    object: Id | None
    value: str | None
    statement: str
    valid: Period
    holds_from: int
    holds_to: int
    confidence: float
    evidence: tuple[Id, ...]
    """Ids of the claims it rests on."""
    rivals: tuple[Id, ...] = ()
    """Ids of claims that say otherwise for the same time: the fact is disputed."""
    recorded_at: Instant = Instant(0)
    closed_at: Instant = OPEN


@dataclass(frozen=True, slots=True)
class Entity:
    """A deduplicated thing. Its name and type are the best of what its aliases propose."""

    id: Id
    name: str
    type: EntityType
    subtype: str | None = None
    type_rank: int = 9
    """How good the evidence for the type is; 0 is best."""


class AliasKind(StrEnum):
    """Where a name of an entity comes from, from the strongest to the weakest."""

    TITLE = "title"
    ALIAS = "alias"
    LINK = "link"
    PROPERTY = "property"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Alias:
    """A name of an entity as one source gives it, with the type which that source proposes."""

    entity: Id
    source: Id
    name: str
    key: str
    """The name as it is compared: see `kgmem.resolution.names.name_key`."""
    kind: AliasKind
    type: EntityType
    subtype: str | None = None
    type_rank: int = 9
    """How good the evidence for the type is; 0 is best."""


@dataclass(frozen=True, slots=True)
class Source:
    """One thing outside: a note, a book, a conversation. Its id survives a rename."""

    id: Id
    kind: str
    root: str
    path: str
    """POSIX, relative to the root, as the file system spells it."""
    title: str
    uid: str | None = None
    """An id that the note itself carries."""
    entity: Id | None = None
    """The entity that the source is about, if it has a page of its own here."""
    size: int = 0
    mtime_ns: int = 0
    hash: str = ""


class Archived(Protocol):
    """A body that is not in the store: it is fetched when somebody asks for it."""

    def read(self) -> str:
        """The text, checked.

        Raises:
            kgmem.errors.ArchiveError: it cannot be had, or is not what it was.
        """


@dataclass(frozen=True, slots=True)
class Episode:
    """One immutable revision of a source."""

    id: Id
    source: Id
    hash: str
    text: str | Archived
    """The body, or where it is. Who wants the body asks for `body`."""
    occurred: Bound
    recorded_at: Instant = Instant(0)
    closed_at: Instant = OPEN

    @property
    def body(self) -> str:
        """All that the source said, from the archive if it lies there. Raises as `Archived.read`."""
        return self.text if isinstance(self.text, str) else self.text.read()

    @property
    def is_blank(self) -> bool:
        """Whether it says nothing: such a one is never archived."""
        return isinstance(self.text, str) and not self.text.strip()


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an episode: the unit of evidence and of search."""

    id: Id
    source: Id
    kind: str
    heading: str
    """The headings above it, joined by `` > ``."""
    text: str
    block: str | None = None
    """The block id (``^id``) that a link can name."""
    first_line: int = 0
    """1-based; lines belong to the episode that the passage was read from."""
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """A passage names an entity, at a span of its text (code points, half-open)."""

    passage: Id
    entity: Id
    start: int
    end: int
    surface: str
    rung: str


class DecisionKind(StrEnum):
    """What a person may decide."""

    FORGET = "forget"
    """A source, or one episode of it, is not to be taken in again."""
    UNDO = "undo"
    """A transaction was taken back."""
    SAME = "same"
    """Entities are one."""
    DISTINCT = "distinct"
    """Entities are two, whatever speaks for one."""
    MEANS = "means"
    """What a name means in a source: `entity`; without one, none of `others`, or nobody known if there are none."""
    TAKEN = "taken"
    """The same, by a rule from what surrounds the name: what a person says counts before it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided: it outlives all that is read later, until it is retracted."""

    id: Id
    kind: DecisionKind
    source: Id | None = None
    hash: str = ""
    """The content that is forgotten; without it, whatever the source says."""
    about: Instant | None = None
    """The transaction that was taken back."""
    entity: Id | None = None
    """The one that stands for all, or one of the two; or whom a name means."""
    others: tuple[Id, ...] = ()
    """Those that are it, or are not; or whom a name does not mean."""
    names: tuple[str, ...] = ()
    """What the others were called; or the name that means somebody."""
    note: str = ""
    """Why."""
    recorded_at: Instant = Instant(0)
    retracted_at: Instant = OPEN

    @property
    def holds(self) -> bool:
        """Whether nobody retracted it."""
        return self.retracted_at == OPEN


@dataclass(frozen=True, slots=True)
class Replayed:
    """How far a root was taken in: the last commit of a folder's history, and the instant it was recorded for.

    Of a service it is the mark that whoever reads it makes of that: see `kgmem.syncing.Mark`.
    """

    commit: str
    at: Instant


@dataclass(frozen=True, slots=True)
class Problem:
    """Bad input is data: what could not be read, where, and what helps."""

    path: str
    line: int
    kind: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """What an ingest did, in sources."""

    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of an ingest."""

    counts: Counts
    notes: int
    aliases: int
    links: int
    unresolved_links: int
    problems: tuple[Problem, ...] = ()
    facts_opened: int = 0
    facts_closed: int = 0
    interrupted: bool = False
    seconds: dict[str, float] = field(default_factory=dict)


def show_second(second: int) -> str | None:
    """A world second in ISO 8601: a day if it is the start of one; None for an open end."""
    if not _DAY <= second < _DAY * date.max.toordinal():
        return None
    moment = Moment(second, second + 1, Precision.INSTANT if second % _DAY else Precision.DAY)
    return str(moment)


def to_instant(moment: datetime) -> Instant:
    """Recorded time of an aware datetime."""
    return Instant((moment - _EPOCH) // timedelta(microseconds=1))


def show_instant(at: Instant) -> str:
    """ISO 8601 in UTC, to the second."""
    return (_EPOCH + timedelta(microseconds=at)).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_of(at: Instant) -> date:
    """The UTC day of a recorded instant."""
    return (_EPOCH + timedelta(microseconds=at)).date()


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """The items in order, each once."""
    return tuple(dict.fromkeys(items))
