"""What time on both axes costs: ``python bench/beliefs.py [PART…] [--times N]``.

Facts as of a world date and a recorded instant, of one entity whose own history stays as it is while that of all
others grows; the fold of one slot with very many claims; and what was learned in a week of a long memory. CPU of this
process, medians. Memories are made up and written straight into a store: no note is read.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from _measure import Figure, at_most, machine, show

import kgmem.cli  # its garbage collection is that of every command
from kgmem.beliefs import Rule, believe, slot_id
from kgmem.model import (
    FOREVER,
    OPEN,
    UNDATED,
    UNKNOWN,
    Alias,
    AliasKind,
    Basis,
    Bound,
    Claim,
    Entity,
    EntityType,
    Episode,
    Fact,
    Id,
    Instant,
    Moment,
    Passage,
    Period,
    Source,
    identify,
)
from kgmem.recall.history import difference
from kgmem.resolution.names import name_key
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Ending, EndKind
from kgmem.store.protocol import FactQuery, Store

MOST_GROWTH = 1.5
"""Cost of a question among many versions, as a multiple of that among few."""
MOST_FOLD = 100
"""Milliseconds, for one slot of `CLAIMS` claims."""
FEW, MANY, LONG = 10, 10_000, 100_000
"""Versions of what others do."""
CLAIMS = 10_000
VALUES, YEARS = 37, 27
OWN = 12
"""Changes of the entity that is asked about."""
ROUNDS = 100
"""Transactions in which the others change, at most."""
SEED = 1
_ASKED = 100
"""Questions that are measured together, for one alone is too quick."""
_FEW_DAYS = 50
_PAGE = 50
"""Changes of each kind that `kgmem diff` shows."""
PARTS = ("asof", "fold", "difference")

_DAY = 86_400
_MICROSECONDS = _DAY * 1_000_000
_FIRST_DAY = date(2016, 1, 1)
_BEGAN = Instant(1_451_606_400_000_000)
"""The recorded instant of the first transaction; each later one is a day on."""
_PREDICATE = "WORKS_AT"
_SINGLE = Rule(single=True)


# -- a memory made up


@dataclass(frozen=True, slots=True)
class Held:
    """What is believed of one entity, with the claim that it rests on."""

    claim: Claim
    fact: Fact


class Made:
    """A memory in which people change their places of work, each change recorded a day after the one before."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[Id, Held] = {}
        self._changes: Counter[Id] = Counter()
        self._places = [Entity(identify("place", n), f"Place {n}", EntityType.ORGANIZATION) for n in range(VALUES)]
        self.day = 0
        """Of the next change, from 0."""

    @staticmethod
    def at(day: int) -> Instant:
        """The recorded instant of a day."""
        return Instant(_BEGAN + day * _MICROSECONDS)

    def change(self, name: str, people: list[Entity]) -> None:
        """One day: a source says of each of these people that they work elsewhere from now on."""
        source = Source(identify("source", name), "obsidian", "/vault", f"{name}.md", name, hash=str(self.day))
        episode = Episode(identify(name, self.day), source.id, str(self.day), f"day {self.day}", UNKNOWN)
        passage = Passage(identify(name, "passage"), source.id, "paragraph", "", name, None, 1, 1)
        now = [self._next(person, episode.id, passage) for person in people]
        before = [self._held[person.id] for person in people if person.id in self._held]
        self._held |= {person.id: held for person, held in zip(people, now, strict=True)}
        begin = now[0].claim.valid.start
        with self._store.writing(self.at(self.day)) as transaction:
            transaction.commit(
                ChangeSet(
                    kind="changed",
                    source=source,
                    episode=episode,
                    passages=(passage,),
                    entities=(*self._places, *people),
                    aliases=tuple(_titled(person, source) for person in people),
                    claims=tuple((held.fact.slot, held.claim) for held in now),
                    endings=tuple(Ending(held.claim.id, EndKind.REPLACED, begin) for held in before),
                    closed=tuple(held.fact.id for held in before),
                    opened=tuple(version for held in now for version in self._versions(held, before)),
                )
            )
        self.day += 1

    def _next(self, person: Entity, episode: Id, passage: Passage) -> Held:
        day = Moment.day(_FIRST_DAY + timedelta(days=self.day))
        place = self._places[self._changes[person.id] % VALUES]
        self._changes[person.id] += 1
        claim = Claim(
            id=identify("claim", person.id, self.day), source=passage.source, episode=episode, passage=passage.id,
            subject=person.id, predicate=_PREDICATE, object=place.id, value=None,
            statement=f"{person.name} works at {place.name}.", quote=passage.text, line=0,
            valid=Period(Bound(day, Basis.STATED)), said=UNKNOWN,
        )  # fmt: skip
        slot = slot_id(person.id, _PREDICATE, None, _SINGLE)
        return Held(claim, _fact(claim, slot, FOREVER, claim.valid))

    def _versions(self, held: Held, before: list[Held]) -> Iterator[Fact]:
        """The new belief, and the one before it with the end that it has from now on."""
        yield held.fact
        begin = held.claim.valid.start
        for each in before:
            if each.fact.subject == held.fact.subject and begin.moment is not None:
                yield _fact(each.claim, each.fact.slot, begin.moment.first, replace(each.fact.valid, end=begin))


def _fact(claim: Claim, slot: Id, past: int, valid: Period) -> Fact:
    start = claim.valid.start.moment
    return Fact(
        id=identify("fact", claim.id, past), slot=slot, subject=claim.subject, predicate=claim.predicate,
        object=claim.object, value=None, statement=claim.statement, valid=valid,
        holds_from=start.first if start else 0, holds_to=past, confidence=1.0, evidence=(claim.id,),
    )  # fmt: skip


def _titled(person: Entity, source: Source) -> Alias:
    return Alias(person.id, source.id, person.name, name_key(person.name), AliasKind.TITLE, person.type)


@dataclass(frozen=True, slots=True)
class Filled:
    """Who is asked about, and when: the day and the instant of the change in the middle of their own."""

    hero: Entity
    valid: tuple[int, int]
    known: Instant
    days: int


def fill(store: Store, versions: int) -> Filled:
    """An entity of `OWN` changes, with about so many versions of others evenly between them."""
    hero = Entity(identify("hero"), "Mira", EntityType.PERSON)
    changes = versions // 2  # each is two versions: the new one, and the one before it with its end
    people = max(1, changes // ROUNDS)
    others = [Entity(identify("other", n), f"Person {n}", EntityType.PERSON) for n in range(people)]
    rounds = changes // people
    made = Made(store)
    middle = 0
    for number in range(OWN):
        for _ in range(rounds * number // OWN, rounds * (number + 1) // OWN):
            made.change("Others", others)
        if number == OWN // 2:
            middle = made.day
        made.change("Mira", [hero])
    first = (_FIRST_DAY + timedelta(days=middle)).toordinal() * _DAY
    return Filled(hero, (first, first + _DAY), made.at(middle), made.day)


def cpu(work: Callable[[], object], times: int) -> float:
    """The median CPU of some work, in milliseconds, after one run that warms up."""
    work()
    costs = []
    for _ in range(times):
        began = time.process_time()
        work()
        costs.append(time.process_time() - began)
    return statistics.median(costs) * 1000


# -- the parts


def asof(folder: Path, times: int) -> list[Figure]:
    """Facts of one entity as of a date, among few and among many versions of others."""
    costs: dict[str, list[float]] = {}
    counts, answers = [], set()
    for versions in (FEW, MANY):
        with closing(open_store(f"sqlite:///{folder / f'{versions}.db'}", "default")) as store:
            made = fill(store, versions)
            about, valid, known = (made.hero.id,), made.valid, made.known
            queries = {
                "on both axes": FactQuery(about=about, valid=valid, known=known),
                "on the world axis": FactQuery(about=about, valid=valid),
                "on the recorded axis": FactQuery(about=about, known=known),
                "every version": FactQuery(about=about, versions=True),
            }
            counts.append(store.facts(FactQuery(versions=True, limit=0))[0])
            answers.add(tuple(fact.statement for query in queries.values() for fact in store.facts(query)[1]))
            for what, query in queries.items():
                costs.setdefault(what, []).append(cpu(partial(_ask, store, query), times) / _ASKED)
    if len(answers) != 1:
        raise RuntimeError(f"the same questions have the same answers: {answers}")
    figures = [Figure("versions in the store", " and ".join(f"{count:,}" for count in counts))]
    for what, (among_few, among_many) in costs.items():
        ratio = at_most(f"{what}, the second as a multiple of the first", among_many / among_few, MOST_GROWTH)
        figures += [Figure(f"{what}, CPU", f"{among_few:.3f} and {among_many:.3f} ms"), ratio]
    return figures


def _ask(store: Store, query: FactQuery) -> None:
    for _ in range(_ASKED):
        store.facts(query)


def fold(_folder: Path, times: int) -> list[Figure]:
    """The fold of one slot with very many claims."""
    days = YEARS * 365
    slots = {
        f"one value at a time, {VALUES} values over {YEARS} years": (_claims(VALUES, days), _SINGLE),
        f"one value at a time, {VALUES} values on {_FEW_DAYS} days": (_claims(VALUES, _FEW_DAYS), _SINGLE),
        f"many values, one of them over {YEARS} years": (_claims(1, days), Rule(single=False)),
    }
    return [
        at_most(f"{what}, CPU (ms)", cpu(partial(believe, claims, rule), times), MOST_FOLD, "{:.0f}")
        for what, (claims, rule) in slots.items()
    ]


def _claims(values: int, days: int) -> list[Claim]:
    """Claims of one slot in no order: half of them date themselves, half have the date of their note."""
    chance = random.Random(SEED)  # noqa: S311 - nothing secret hangs on it
    claims = []
    for number in range(CLAIMS):
        day = Moment.day(date(1999, 1, 1) + timedelta(days=chance.randrange(days)))
        stated = number % 2 == 0
        claims.append(
            Claim(
                id=identify("claim", number), source="s", episode="e", passage="p", subject="who",
                predicate=_PREDICATE, object=None, value=f"value {chance.randrange(values)}", statement="", quote="",
                line=0, valid=Period(Bound(day, Basis.STATED)) if stated else UNDATED,
                said=UNKNOWN if stated else Bound(day, Basis.NOTE), recorded_at=Instant(chance.randrange(1000)),
            )
        )  # fmt: skip
    return claims


def week(folder: Path, times: int) -> list[Figure]:
    """What was learned, changed and dropped in a week of a long memory."""
    with closing(open_store(f"sqlite:///{folder / 'long.db'}", "default")) as store:
        end = fill(store, LONG).known
        span = (Instant(end - 7 * _MICROSECONDS), end)
        total = store.facts(FactQuery(versions=True, limit=0))[0]
        inside = store.facts(FactQuery(changed=span, limit=0))[0]
        found = difference(store, *span).total
        whole = cpu(partial(difference, store, *span), times)
        page = cpu(partial(difference, store, *span, limit=_PAGE), times)
        last = cpu(partial(difference, store, Instant(OPEN - 2), limit=_PAGE), times)
    return [
        Figure("versions in the store", f"{total:,}"),
        Figure("opened or closed in the week", f"{inside:,}"),
        Figure("net changes of the week", f"{sum(found.values()):,}"),
        Figure("all of them, CPU", f"{whole:.0f} ms"),
        Figure(f"the first {_PAGE} of each kind, CPU", f"{page:.0f} ms"),
        Figure("a week in which nothing happened, CPU", f"{last:.0f} ms"),
    ]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="The cost of time on both axes.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all without it")
    parser.add_argument("--times", type=int, default=9, help="runs of each; the median counts")
    asked = parser.parse_args()
    parts = asked.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    print(f"{machine()}; garbage is looked for as by {kgmem.cli.__name__}")
    titles = {
        "asof": (f"facts of one entity that changed {OWN} times, among few and many versions of others", asof),
        "fold": (f"the fold of one slot with {CLAIMS:,} claims", fold),
        "difference": ("what a week changed", week),
    }
    for part in parts:
        title, measure = titles[part]
        with tempfile.TemporaryDirectory() as folder:
            show(f"{title}, medians of {asked.times} runs", measure(Path(folder), asked.times))


if __name__ == "__main__":
    main()
