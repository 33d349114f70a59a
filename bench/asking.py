"""What a question costs: ``python bench/asking.py [cold] [warm] [--notes N] [--facts N] [--vectors N] [--times N]``.

Cold: whole processes against a memory of one generated vault whose passages have vectors, as a multiple of
`kgmem search` for the same words. What asks with the packaged model is told apart from what needs no vectors.

Warm: one process that opens a memory of made-up people, ten facts each, some firms and places in very many of them,
and asks questions of every kind. CPU a question, the searches of `kgmem search` for the same words beside it, and the
memory that the process took at most. The answers are told as a hash: what makes them cheaper must not change them.

The vectors of both are drawn, and lie evenly in all directions: to search among them costs no less than among real
ones, which 5,000 notes would take an hour to make.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from _measure import Figure, Program, at_most, machine, median_cpu, run, show
from notes import cast, write
from stores import A_SOURCE, DIMENSION, Said, World, direction, fill

from kgmem.embedding.embedder import PACKAGED, find_embedder
from kgmem.extraction.ontology import load_ontology
from kgmem.model import Entity, EntityType, identify
from kgmem.recall.answer import Answer, ask
from kgmem.recall.search import search
from kgmem.store import open_store
from kgmem.store.changes import Vector
from kgmem.store.protocol import Scope, Store

MOST_TIMES = 3
"""Of the cost of `kgmem search`."""
MOST_COLD = 700
"""CPU milliseconds of a whole process."""
MOST_WARM = {100_000: 50, 1_000_000: 250}
"""CPU milliseconds of the 95th percentile."""
MOST_MEMORY = 700
"""Megabytes, at any size."""
SEED = 1
NOW = 1_790_000_000 + 719_163 * 86_400
"""A world second in 2026."""
ASKED = 170
WORDS = 5_000
COMMON = "letter garden river kitchen summer train market winter bridge music".split()
PASSAGES = 20_000
"""That have vectors, in a warm memory: the first ones."""
_HERE = "import sys; sys.path.insert(0, 'bench'); import asking; asking.main()"
"""This script again, in a process of its own."""


class Known(World):
    """People who work, live and know each other; some firms, places and persons are in very many facts."""

    def __init__(self, facts: int) -> None:
        super().__init__(facts)
        count = len(self.people)
        first = [_name(number, 2) for number in range(max(40, min(1_000, count // 40)))]
        last = [_name(number, 3) for number in range(20_000, 20_000 + max(60, count // 20))]
        pairs = random.Random(1).sample(range(len(first) * len(last)), count)  # noqa: S311 - a benchmark
        names = (f"{first[pair % len(first)]} {last[pair // len(first)]}" for pair in pairs)
        self.people = [_entity("person", name, EntityType.PERSON) for name in names]
        self.firms = [_entity("firm", f"{name} Works", EntityType.ORGANIZATION) for name in last[: count // 50]]
        self.places = [_entity("place", _name(n, 4), EntityType.LOCATION) for n in range(max(20, count // 500))]

    def said(self, person: Entity) -> list[Said]:  # noqa: D102
        return [
            *self.revised(person),
            self._about(person, "REPORTS_TO", "reports to", self._often(self.people)),
            self._about(person, "FRIEND_OF", "is a friend of", self._often(self.people)),
            self._about(person, "MEMBER_OF", "is a member of", self._often(self.firms)),
            self._value(person, "ROLE", "is a", self._chance.choice("nurse teacher engineer editor architect".split())),
            self._value(person, "BORN_ON", "was born on", f"19{self._chance.randrange(40, 99)}-05-17"),
            self._value(person, "EMAIL", "writes from", f"{person.id}@example.org"),
            self._value(person, "LIKES", "likes", f"word{self._chance.randrange(WORDS)}"),
            self._about(person, "KNOWS", "knows", self._often(self.people)),
        ]

    def revised(self, person: Entity) -> list[Said]:  # noqa: D102
        return [
            self._about(person, "WORKS_AT", "works at", self._often(self.firms)),
            self._about(person, "LIVES_IN", "lives in", self._often(self.places)),
        ]

    def questions(self, count: int) -> Iterator[tuple[str, str]]:
        """(kind, question), of all kinds alike."""
        chance = random.Random(2)  # noqa: S311 - a benchmark
        forms = list(QUESTIONS.items())
        for number in range(count):
            kind, form = forms[number % len(forms)]
            words = (f"{chance.choice(COMMON)} word{chance.randrange(WORDS)}" for _ in range(2))
            yield kind, form.format(
                p=chance.choice(self.people).name, q=chance.choice(self.people).name,
                firm=chance.choice(self.firms).name, place=chance.choice(self.places[:5]).name,
                w=next(words), v=next(words),
            )  # fmt: skip

    def _often(self, things: Sequence[Entity]) -> Entity:
        """The first ones far more often than the last."""
        return things[int(len(things) * self._chance.random() ** 2.5)]

    def _about(self, person: Entity, predicate: str, says: str, target: Entity) -> Said:
        return Said(predicate, target, None, f"{person.name} {says} {target.name} {self._rest()}")

    def _value(self, person: Entity, predicate: str, says: str, value: str) -> Said:
        return Said(predicate, None, value, f"{person.name} {says} {value} {self._rest()}")

    def _rest(self) -> str:
        drawn = (f"word{int(WORDS * self._chance.random() ** 2)}" for _ in range(10))
        return f"{self._chance.choice(COMMON)} {' '.join(drawn)}"


QUESTIONS = {
    "where": "where does {p} work",
    "who": "who does {p} report to",
    "who is": "who is {p}",
    "when": "when was {p} born",
    "since when": "since when does {p} live in {place}",
    "how many": "how many friends does {p} have",
    "how many, a hub": "how many people live in {place}",
    "known": "what do I know about {p}",
    "known, a hub": "what do I know about {place}",
    "changed": "what has changed for {p}",
    "yes or no": "is {p} a friend of {q}",
    "which": "what is the email of {p}",
    "two steps": "where does the boss of {p} live",
    "then": "where did {p} work in 2005",
    "why": "why does {p} think about {w}",
    "nothing named": "what was written about {w} and {v}",
    "words": "{w} {v}",
}


def _name(number: int, syllables: int) -> str:
    sounds = "ba de fi go ku la me ni po ru sa te vi wo zu tra".split()
    word = ""
    for _ in range(syllables):
        number, sound = divmod(number, len(sounds))
        word += sounds[sound]
    return f"{word}{'nlr'[number % 3]}{number // 3 or ''}".capitalize()


def _entity(word: str, name: str, kind: EntityType) -> Entity:
    return Entity(identify(word, name), name, kind, None, 0)


def embed(store: Store, count: int | None = None) -> None:
    """Give passages drawn vectors, under the name of the packaged model."""
    if store.vector_model() is None:
        store.declare_vectors(PACKAGED, DIMENSION)
    lacking = islice(store.without_vectors("passage", PACKAGED), count)
    while some := list(islice(lacking, 1000)):
        store.put_vectors(Vector("passage", each.id, PACKAGED, direction(each.id), each.hash) for each in some)


def cold(folder: Path, notes: int, times: int) -> list[Figure]:
    """Whole processes."""
    write(folder / "vault", notes, SEED)
    Program(folder)("ingest", folder / "vault", "--no-nlp", "--quiet")
    kgmem = Program(folder, embedding=PACKAGED)
    with closing(open_store(kgmem.url, "default")) as store:
        embed(store)
    names = cast(notes, SEED).names
    somebody, project = names["People"][0], names["Projects"][3]
    asked = {
        "known": f"what do I know about {somebody}",
        "where": f"where does {names['People'][5]} live",
        "who": f"who leads {project}",
        "when": f"when was {names['People'][9]} born",
        "two steps": f"where does the boss of {somebody} live",
        "yes or no": f"does {somebody} live in {names['Places'][0]}",
        "why": f"why does {somebody} talk about the garden",
        "nothing named": "what was said about the quiet garden and the river",
    }
    runs = [partial(run, "-c", "pass"), partial(kgmem, "search", somebody)]
    runs += [partial(kgmem, "ask", "--private", question) for question in asked.values()]
    floor, least, *costs = median_cpu(runs, times)
    figures = [
        Figure("python -c pass", f"{floor * 1000:.0f} ms"),
        Figure("kgmem search", f"{least * 1000:.0f} ms"),
    ]
    for (kind, question), cost in zip(asked.items(), costs, strict=True):
        arms = json.loads(kgmem("--json", "ask", "--private", question).output)["trace"]["steps"]
        used = "with vectors" if any(step["name"] == "vectors" for step in arms) else "no vectors"
        figures.append(at_most(f"{kind}, {used}, times search", cost / least, MOST_TIMES))
        figures.append(at_most(f"{kind}, {used}, ms", cost * 1000, MOST_COLD, "{:.0f}"))
    return figures


def warm(folder: Path, facts: int, vectors: int) -> list[Figure]:
    """One process, its memory counted apart from that of who wrote the memory that it asks."""
    file = folder / f"asked-{facts}-{vectors}.db"
    if not file.exists():
        run("-c", _HERE, "made", "--facts", str(facts), "--vectors", str(vectors), "--file", file)
    asked = run("-c", _HERE, "asked", "--file", file)
    said = json.loads(asked.output)
    limit = MOST_WARM[min(MOST_WARM, key=lambda each: abs(each - facts))]
    return [
        *(Figure(kind, f"{low:.1f} / {high:.1f} ms") for kind, (low, high) in said["kinds"].items()),
        Figure("searches alone, median / p95", "{:.1f} / {:.1f} ms".format(*said["searches"])),
        Figure("all, median", f"{said['all'][0]:.1f} ms"),
        at_most("all, p95, ms", said["all"][1], limit, "{:.1f}"),
        at_most("memory at most, MB", asked.peak / 1e6, MOST_MEMORY, "{:.0f}"),
        Figure("answers", said["answers"]),
    ]


def made(file: Path, facts: int, vectors: int) -> None:
    """Write the memory that is asked."""
    part = file.with_suffix(".part")
    with closing(open_store(f"sqlite:///{part}", "default")) as store:
        fill(store, Known(facts), 0)
        if vectors:
            embed(store, vectors)
    asked = list(Known(facts).questions(ASKED + len(QUESTIONS)))
    file.with_suffix(".json").write_text(json.dumps(asked), encoding="utf-8")  # not made where memory is measured
    part.rename(file)


def asked(file: Path) -> None:
    """Ask it, and print the costs as JSON."""
    questions = json.loads(file.with_suffix(".json").read_text("utf-8"))
    ontology, embedder = load_ontology(), find_embedder()
    costs: dict[str, list[float]] = {kind: [] for kind in QUESTIONS}
    searched, answers = [], hashlib.blake2b(digest_size=8)
    with closing(open_store(f"sqlite:///{file}", "default", readonly=True)) as store:
        embedder = embedder if store.vector_model() else None
        for number, (kind, question) in enumerate(questions):
            began = time.process_time()
            found = ask(store, question, now=NOW, ontology=ontology, embedder=embedder)
            between = time.process_time()
            search(store, question, [Scope.FACTS, Scope.ENTITIES, Scope.EPISODES], 20)
            if number >= len(QUESTIONS):  # the first of each kind warm up
                costs[kind].append((between - began) * 1000)
                searched.append((time.process_time() - between) * 1000)
            answers.update(_shown(found).encode())
    said = {
        "kinds": {kind: (statistics.median(each), max(each)) for kind, each in costs.items()},
        "searches": _quantiles(searched),
        "all": _quantiles([each for some in costs.values() for each in some]),
        "answers": answers.hexdigest(),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }
    sys.stdout.write(json.dumps(said))


def _shown(answer: Answer) -> str:
    """All that a person sees of an answer."""
    said = answer.as_json()
    return json.dumps([said[each] for each in ("answer", "entities", "facts", "passages", "neighbours")])


def _quantiles(costs: list[float]) -> tuple[float, float]:
    """(median, 95th percentile)."""
    return statistics.median(costs), statistics.quantiles(costs, n=20)[-1]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="What a question costs.")
    parser.add_argument("parts", nargs="*", help="cold, warm; both without it")
    parser.add_argument("--notes", type=int, default=5000, help="of the vault that is asked cold")
    parser.add_argument("--times", type=int, default=5, help="runs of each, cold; the median counts")
    parser.add_argument("--facts", type=int, default=100_000, help="of the memory that is asked warm")
    parser.add_argument("--vectors", type=int, default=PASSAGES, help="passages of it that have vectors")
    parser.add_argument("--cache", type=Path, help="where memories to be asked warm are kept between runs")
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    match options.parts:
        case ["made"]:
            return made(options.file, options.facts, options.vectors)
        case ["asked"]:
            return asked(options.file)
    parts = options.parts or ["cold", "warm"]
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        if "cold" in parts:
            show(f"cold, {options.notes} notes", cold(Path(folder), options.notes, options.times))
        if "warm" in parts:
            title = f"warm, {options.facts:,} facts of {options.facts // A_SOURCE:,} notes (median / most of each kind)"
            show(title, warm(options.cache or Path(folder), options.facts, options.vectors))
    return None


if __name__ == "__main__":
    main()
