"""Whom a short or shared name means in one note, by what surrounds it: links, folder, time, people and things named.

Each candidate gets log-odds from the ways in which notes that name it are near to the note in question, and somebody
whom nobody has written about yet competes with all of them. So two who are equally near leave the name open, and so
does one who is near in no way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kgmem.model import Id
from kgmem.resolution.context import neighbour_weight
from kgmem.resolution.persons import parse_person
from kgmem.resolution.profile import Rarity
from kgmem.resolution.score import Reason

_SOMEBODY_ELSE: Final = 2.0
"""Log-odds of one who is in no note yet."""
_NAMED_HERE: Final = 3.0
_ABOUT_IT: Final = 4.0
_LINKED: Final = 3.5
_THREAD: Final = 2.0
_NEIGHBOURS: Final = 4.0
_FOLDER: Final = 2.5
_GUESSED: Final = -1.5
_DAY: Final = 86_400
_NEAR: Final = ((7, 1.5, "within a week of it"), (31, 0.7, "within a month of it"))


@dataclass(frozen=True, slots=True)
class Place:
    """A note that names somebody."""

    source: Id
    folder: str
    """Empty for the top of its root."""
    when: int | None
    """World seconds of its date; None without one."""
    about: Id | None
    daily: bool = False
    """One of a thread of daily notes."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody whom a name may mean."""

    entity: Id
    name: str
    places: tuple[Place, ...]
    neighbours: frozenset[Id]
    """Entities that share facts with it."""
    known: bool = True
    """Somebody said who it is; else a recognizer guessed that there is such a person."""


@dataclass(frozen=True, slots=True)
class Here:
    """The note that uses the name."""

    place: Place
    named: frozenset[Id]
    """Entities that it names beyond doubt."""
    linking: frozenset[Id]
    """Sources that name what it is about."""
    in_folder: float
    """The share of all notes that stand in its folder; 1 at the top of the root."""
    links: float
    """The share of all notes that are linked with it."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """Whom a name may mean, how likely that is, and why."""

    entity: Id
    probability: float
    reasons: tuple[Reason, ...]
    known: bool = True
    """See `Candidate`."""


def may_call(short: str, full: str) -> bool:
    """Whether a single name is the given or the family name of somebody with both."""
    said, parsed = parse_person(short), parse_person(full)
    if not (said.bare and said.single) or parsed.bare or parsed.whole:
        return False
    return said.single in {parsed.given[0], parsed.family}


def settle(here: Here, candidates: Iterable[Candidate], rarity: Rarity) -> tuple[Meaning, ...]:
    """How likely each candidate is meant, the likeliest first. Probabilities leave room for somebody else."""
    found = [(each, _reasons(here, each, rarity)) for each in candidates]
    odds = {
        each.entity: math.exp(0.5 * math.log1p(len(each.places)) + sum(reason.weight for reason in reasons))
        for each, reasons in found
        if reasons
    }
    total = math.exp(_SOMEBODY_ELSE) + sum(odds.values())
    meanings = [
        Meaning(each.entity, odds.get(each.entity, 0.0) / total, tuple(reasons), each.known) for each, reasons in found
    ]
    return tuple(sorted(meanings, key=lambda each: (-each.probability, each.entity)))


def _reasons(here: Here, candidate: Candidate, rarity: Rarity) -> list[Reason]:
    """What brings a candidate near, each kind once."""
    places = [place for place in candidate.places if place.source != here.place.source]
    reasons = []
    if candidate.entity in here.named:
        reasons.append(Reason(f"this note names {candidate.name}", _NAMED_HERE))
    if candidate.entity == here.place.about:
        reasons.append(Reason(f"this note is about {candidate.name}", _ABOUT_IT))
    if any(place.source in here.linking or (place.about and place.about in here.named) for place in places):
        weight = min(_LINKED, _unlikely(here.links, len(places)))
        reasons.append(Reason(f"a note that is linked with this one names {candidate.name}", weight))
    shared = (candidate.neighbours & here.named) - {candidate.entity}
    if weight := _neighbours(shared, rarity):
        reasons.append(Reason(f"this note names what {candidate.name} is connected with", weight, tuple(shared)))
    if here.place.folder and any(place.folder == here.place.folder for place in places):
        weight = min(_FOLDER, _unlikely(here.in_folder, len(places)))
        reasons.append(Reason(f"the same folder names {candidate.name}", weight))
    near = _nearest(here.place, places)
    if near is not None:
        reasons.append(Reason(f"{candidate.name} is named {near[1]}", near[0]))
    if reasons and not candidate.known:
        reasons.append(Reason(f"{candidate.name} is known by a guess only", _GUESSED))
    return reasons


def _neighbours(shared: frozenset[Id], rarity: Rarity) -> float:
    weights = sorted((neighbour_weight(rarity, each) for each in shared), reverse=True)
    return min(sum(weight * 0.6**rank for rank, weight in enumerate(weights)), _NEIGHBOURS)


def _unlikely(share_of_all: float, notes: int) -> float:
    """The log-odds against one of so many notes being near by chance, if that share of all notes is."""
    return -math.log(1 - (1 - min(share_of_all, 0.999)) ** notes)


def _nearest(here: Place, places: Iterable[Place]) -> tuple[float, str] | None:
    """(weight, words) of how near in time the nearest place is; of two daily notes it counts more."""
    found = []
    for place in places:
        if here.when is None or place.when is None:
            continue
        days = abs(place.when - here.when) / _DAY
        thread = here.daily and place.daily and here.folder == place.folder
        near = next(((weight, words) for most, weight, words in _NEAR if days <= most), None)
        if near is not None:
            found.append((near[0] + _THREAD, f"in a daily note {near[1]}") if thread else near)
    return max(found, default=None)
