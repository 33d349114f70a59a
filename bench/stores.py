"""Both stores, side by side: ``python bench/stores.py [--facts N] [--vectors N] [--times N] [--notes N]``.

A memory of made-up people with ten facts each, written in change sets of a source each, in batches as an ingest does:
how fast that goes, and what one question costs. Every tenth source is written a second time with two beliefs changed,
so that the past differs from the present. Then a small vault is ingested, and the round trips to the server counted.

The server is the one of the tests: named by `KGMEM_TEST_NEO4J_URL`, or started; without one its column is left out.
Times are those on the clock, of a client and a server on the same machine.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from _measure import ROOT, Figure, at_most, machine, show
from notes import write

from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import (
    FOREVER,
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
    Mention,
    Moment,
    Passage,
    Period,
    Source,
    identify,
)
from kgmem.resolution.names import name_key
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Vector
from kgmem.store.protocol import FactQuery, Scope, Store

MOST_TRIPS = 4
"""Round trips to a server for each ingested source."""
A_SOURCE = 10
"""Facts of a source: half of them name another entity, the others a value."""
A_BATCH = 128
"""Sources that are written together, as an ingest does."""
DIMENSION = 384
WORDS = 5_000
"""Different words in statements."""
GROUPS = tuple(f"{word} {secrets.token_hex(4)}" for word in ("bench", "trips"))
"""Of this run alone."""

Row = tuple[str, str]
"""What was measured, and the figure."""


class Said(NamedTuple):
    """What a passage asserts of somebody: of one target and value, one."""

    predicate: str
    target: Entity | None
    value: str | None
    text: str


class World:
    """People with a note each, drawn from a seed: the same for every store."""

    def __init__(self, facts: int) -> None:
        self.people = [_entity("person", number, EntityType.PERSON) for number in range(facts // A_SOURCE)]
        self.others = [_entity("firm", number, EntityType.ORGANIZATION) for number in range(max(1, facts // 50))]
        self._chance = random.Random(7)  # noqa: S311 - a benchmark

    def sources(self) -> Iterator[ChangeSet]:
        """A change set of each source."""
        for number, person in enumerate(self.people):
            yield self._first(number, person)

    def revisions(self) -> Iterator[ChangeSet]:
        """Every tenth source again: two of its beliefs were others."""
        for number in range(0, len(self.people), 10):
            yield self._second(number, self.people[number])

    def words(self) -> str:
        """Two words that statements have, one of them common."""
        return f"word{self._chance.randrange(20)} word{self._chance.randrange(WORDS)}"

    def said(self, person: Entity) -> list[Said]:
        """What the note of somebody asserts, a passage each."""
        others = [self._chance.choice(self.others) for _ in range(A_SOURCE // 2)]
        objects = [*others, *[None] * (A_SOURCE - len(others))]
        return [self._say(person, each, target) for each, target in enumerate(objects)]

    def revised(self, person: Entity) -> list[Said]:
        """What the note of somebody asserts when it is written again, in place of as many of its first claims."""
        return [self._say(person, each, self.others[0]) for each in range(2)]

    def _first(self, number: int, person: Entity) -> ChangeSet:
        source = _source(number, person)
        said = self.said(person)
        passages = tuple(_passage(source, each, one.text) for each, one in enumerate(said))
        episode = _episode(source, passages)
        claims = [
            _claim(episode, where, person, each, one)
            for each, (where, one) in enumerate(zip(passages, said, strict=True))
        ]
        named = [person, *dict.fromkeys(one.target for one in said if one.target)]
        return ChangeSet(
            "ingest",
            source=source,
            episode=episode,
            passages=passages,
            mentions=tuple(
                Mention(where.id, each.id, 0, 1, each.name, "structure")
                for where, one in zip(passages, said, strict=True)
                for each in (person, *([one.target] if one.target else []))
            ),
            entities=tuple(named),
            aliases=tuple(_alias(source, one, AliasKind.TITLE if one is person else AliasKind.LINK) for one in named),
            links=tuple((name_key(one.name), True) for one in named[1:]),
            claims=tuple((_slot(claim), claim) for claim in claims),
            opened=tuple(_fact(claim) for claim in claims),
        )

    def _second(self, number: int, person: Entity) -> ChangeSet:
        source = _source(number, person)
        said = self.revised(person)
        where = _passage(source, A_SOURCE, said[0].text)
        episode = _episode(source, (where,))
        claims = [_claim(episode, where, person, each, one) for each, one in enumerate(said)]
        return ChangeSet(
            "ingest",
            source=source,
            episode=episode,
            passages=(where,),
            entities=tuple(dict.fromkeys(one.target for one in said if one.target)),
            claims=tuple((_slot(claim), claim) for claim in claims),
            closed=tuple(fact_id(number, each) for each in range(2)),
            opened=tuple(_fact(claim) for claim in claims),
        )

    def _say(self, person: Entity, each: int, target: Entity | None) -> Said:
        return Said(f"PREDICATE_{each}", target, None if target else f"value {each}", self._sentence(person))

    def _sentence(self, person: Entity) -> str:
        drawn = (f"word{int(WORDS * self._chance.random() ** 2)}" for _ in range(12))
        return f"{person.name} {' '.join(drawn)}"


def fact_id(number: int, each: int) -> Id:
    """The id of a fact of somebody's note as it was first."""
    source = identify("s", number)
    return identify("fact", identify("claim", identify("passage", source, each), each))


def _source(number: int, person: Entity) -> Source:
    return Source(identify("s", number), "obsidian", "/made-up", f"{person.name}.md", person.name, entity=person.id)


def _entity(word: str, number: int, kind: EntityType) -> Entity:
    return Entity(identify(word, number), f"{word.capitalize()} {number}", kind, None, 0)


def _passage(source: Source, number: int, text: str) -> Passage:
    return Passage(
        identify("passage", source.id, number), source.id, "paragraph", "", text, None, number + 1, number + 1
    )


def _episode(source: Source, passages: tuple[Passage, ...]) -> Episode:
    body = "\n".join(each.text for each in passages)
    written = Bound(Moment.parse("2024-05-01"), Basis.NOTE)
    return Episode(identify("episode", source.id, body), source.id, identify(body), body, written)


def _alias(source: Source, one: Entity, kind: AliasKind) -> Alias:
    return Alias(one.id, source.id, one.name, name_key(one.name), kind, one.type, one.subtype, one.type_rank)


def _claim(episode: Episode, where: Passage, person: Entity, each: int, said: Said) -> Claim:
    start = Bound(Moment.year(2000 + each), Basis.STATED)
    return Claim(
        id=identify("claim", where.id, each),
        source=where.source,
        episode=episode.id,
        passage=where.id,
        subject=person.id,
        predicate=said.predicate,
        object=said.target.id if said.target else None,
        value=said.value,
        statement=where.text,
        quote=where.text,
        line=0,
        valid=Period(start),
        said=episode.occurred,
    )


def _slot(claim: Claim) -> Id:
    return identify("slot", claim.subject, claim.predicate)


def _fact(claim: Claim) -> Fact:
    assert claim.valid.start.moment is not None  # noqa: S101 - for the type checker
    return Fact(
        id=identify("fact", claim.id),
        slot=_slot(claim),
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        value=claim.value,
        statement=claim.statement,
        valid=claim.valid,
        holds_from=claim.valid.start.moment.first,
        holds_to=FOREVER,
        confidence=1.0,
        evidence=(claim.id,),
    )


# -- measuring


def fill(store: Store, world: World, vectors: int) -> tuple[list[Row], Instant]:
    """Write the memory; gives what that cost, and an instant before the revisions."""
    first, last = _commit(store, world.sources())
    again, _ = _commit(store, world.revisions())
    count = len(world.people)
    rows = [
        ("sources a second", f"{count / first:,.0f}"),
        ("facts a second", f"{count * A_SOURCE / first:,.0f}"),
        ("sources a second, written again", f"{len(world.people[::10]) / again:,.0f}"),
    ]
    if not vectors:
        return rows, last
    store.declare_vectors("made-up", DIMENSION)
    began = time.perf_counter()
    for start in range(0, vectors, 1000):
        some = (fact_id(*divmod(number, A_SOURCE)) for number in range(start, min(start + 1000, vectors)))
        embedded = tuple(Vector("fact", one, "made-up", direction(one)) for one in some)
        with store.writing() as transaction:
            transaction.commit(ChangeSet("embed", vectors=embedded))
    return [*rows, ("vectors a second", f"{vectors / (time.perf_counter() - began):,.0f}")], last


def _commit(store: Store, sets: Iterator[ChangeSet]) -> tuple[float, Instant]:
    """(seconds in the store, the last recorded instant); what makes the change sets is not counted."""
    spent, last = 0.0, Instant(0)
    while some := list(islice(sets, A_BATCH)):
        began = time.perf_counter()
        with store.batch():
            for changes in some:
                with store.writing() as transaction:
                    transaction.commit(changes)
                last = transaction.recorded_at
        spent += time.perf_counter() - began
    return spent, last


def direction(seed: object) -> tuple[float, ...]:
    """A vector that is drawn from a seed."""
    chance = random.Random(str(seed))  # noqa: S311 - a benchmark
    return tuple(chance.gauss(0, 1) for _ in range(DIMENSION))


def questions(store: Store, facts: int, before: Instant) -> dict[str, Callable[[int], object]]:
    """Each a question about the person of a number."""
    world = World(facts)

    def person(number: int) -> Id:
        return world.people[number * 7919 % len(world.people)].id

    def then(number: int) -> tuple[int, int]:
        moment = Moment.year(2001 + number % 9)
        return moment.first, moment.past

    def two_hops(number: int) -> object:
        _, near = store.facts(FactQuery(about=(person(number),)))
        further = tuple({one for fact in near for one in (fact.subject, fact.object) if one})
        return store.facts(FactQuery(about=further))

    return {
        "facts of one, both axes": lambda n: store.facts(FactQuery(subject=person(n), valid=then(n), known=before)),
        "facts of one and of all near it": two_hops,
        "neighbours of one": lambda n: store.neighbours(person(n), 10),
        "full text, facts, 20": lambda _: store.search(Scope.FACTS, world.words(), 20),
        "full text as of, facts, 20": lambda _: store.search(Scope.FACTS, world.words(), 20, known=before),
        "nearest vectors, now, 10": lambda n: store.nearest("fact", direction(n), 10),
        "nearest vectors, both axes, 10": lambda n: store.nearest(
            "fact", direction(n), 10, valid=then(n), known=before
        ),
    }


def ask(store: Store, facts: int, before: Instant, times: int) -> list[Row]:
    """Median and 95th percentile of each question, after some that warm up."""
    rows = []
    for name, question in questions(store, facts, before).items():
        spent = []
        for number in range(-5, times):
            began = time.perf_counter()
            question(number)
            spent.append(time.perf_counter() - began)
        high = statistics.quantiles(spent[5:], n=20)[-1]
        rows.append((name, f"{statistics.median(spent[5:]) * 1000:,.1f} / {high * 1000:,.1f} ms"))
    return rows


class _Trips(logging.Handler):
    """Counts the queries that the driver says it sends."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += "C: RUN" in record.getMessage() or "C: COMMIT" in record.getMessage()


def trips(url: str, count: int) -> list[Figure]:
    """The round trips of ingesting a vault, and of ingesting it again after every note was changed."""
    with tempfile.TemporaryDirectory() as folder, closing(open_store(url, GROUPS[1])) as store:
        vault = Path(folder) / "vault"
        write(vault, count)
        memory = Memory(store, load_ontology())
        first = _counted(lambda: memory.ingest(Vault(vault)))
        for each in vault.rglob("*.md"):
            each.write_text(f"{each.read_text('utf-8')}\nA line more, about [[Somebody]].\n", encoding="utf-8")
        again = _counted(lambda: memory.ingest(Vault(vault)))
    return [
        at_most("round trips a source, first", first / count, MOST_TRIPS),
        at_most("round trips a source, changed", again / count, MOST_TRIPS),
    ]


def _counted(work: Callable[[], object]) -> int:
    log, counter = logging.getLogger("neo4j.io"), _Trips()
    log.addHandler(counter)
    level = log.level
    log.setLevel(logging.DEBUG)
    try:
        work()
    finally:
        log.setLevel(level)
        log.removeHandler(counter)
    return counter.count


# -- the stores


@contextmanager
def servers(folder: Path) -> Iterator[str | None]:
    """The URL of a server; None, and why, without one."""
    sys.path.insert(0, str(ROOT / "tests"))
    from store.neo4j_server import NoServerError, running

    with ExitStack() as stack:
        try:
            server = stack.enter_context(running(folder))
        except NoServerError as error:
            print(f"Neo4j left out: {error}")
            yield None
            return
        os.environ |= {"NEO4J_USERNAME": server.user, "NEO4J_PASSWORD": server.password}
        yield server.url
        if not server.own:
            for group in GROUPS:
                _leave_nothing(server.url, group)


def _leave_nothing(url: str, group: str) -> None:
    """Delete a group from a server that is somebody's own."""
    import neo4j

    from kgmem.store.neo4j.keys import search_label
    from kgmem.store.neo4j.schema import search_indexes, vector_index

    label = search_label(group)
    user = (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    with neo4j.GraphDatabase.driver(url, auth=user) as driver, driver.session() as session:
        for name in (*search_indexes(label), vector_index(label)):
            session.run(f"DROP INDEX `{name}` IF EXISTS").consume()
        session.run(
            "MATCH (n) WHERE n.group = $group CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS", group=group
        ).consume()


def measure(url: str, asked: argparse.Namespace) -> list[Row]:
    """Fill one store, and ask it."""
    with closing(open_store(url, GROUPS[0])) as store:
        rows, before = fill(store, World(asked.facts), asked.vectors)
        return [("engine", store.stats().engine), *rows, *ask(store, asked.facts, before, asked.times)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Both stores, side by side.")
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--vectors", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--notes", type=int, default=50)
    asked = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder, servers(Path(folder) / "server") as server:
        urls = [f"sqlite://{folder}/memory.db", *([server] if server else [])]
        columns = [measure(url, asked) for url in urls]
        title = f"{asked.facts:,} facts, {asked.vectors:,} vectors of {DIMENSION} dimensions (median / 95th percentile)"
        show(
            title,
            (Figure(same[0][0], "  ".join(f"{value:>24}" for _, value in same)) for same in zip(*columns, strict=True)),
        )
        if server:
            show(f"Neo4j, {asked.notes} notes", trips(server, asked.notes))


if __name__ == "__main__":
    main()
