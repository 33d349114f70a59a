"""What a search among vectors costs in SQLite: ``python bench/vectors.py [--vectors N] [--times N]``.

Facts with vectors of 384 dimensions around 200 centres, half of them believed no longer. `Store.nearest` reads the
codes in blocks and looks at the rows of the best alone; the floor looks at every row, joined with what it is of, and
compares it exactly. Both must give the same hits. CPU is that of this process, medians of questions that take turns.

Then what one question costs to embed with the packaged model, as whole processes: loaded as for an ingest, and as for
a question.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

import apsw
import numpy as np
from _measure import Figure, at_least, machine, median_cpu, run, show

from kgmem.embedding.embedder import find_embedder
from kgmem.model import (
    FOREVER,
    UNDATED,
    Alias,
    AliasKind,
    Bound,
    Claim,
    Entity,
    EntityType,
    Episode,
    Fact,
    Instant,
    Passage,
    Source,
    identify,
)
from kgmem.store.changes import ChangeSet, Vector
from kgmem.store.protocol import Store
from kgmem.store.sqlite.store import SqliteStore

DIMENSION = 384
CENTRES = 200
SPREAD = 1.0
"""How far vectors lie from their centre, in lengths of it."""
LEAST_RATIO = 3
"""Times that a search may be cheaper than to look at every row."""
A_COMMIT = 1000
PORTION = 256
LIMIT = 10
LATER = Instant(2**60)

Hits = list[tuple[str, float]]
Questions = list[tuple[float, ...]]

EACH_ROW = (
    "SELECT v.id, v.data FROM vector v CROSS JOIN fact f ON f.grp = v.grp AND f.id = v.id"
    " WHERE v.kind = 'fact' AND f.recorded_at <= :known AND f.closed_at > :known"
)


def fill(store: Store, count: int, chance: np.random.Generator) -> float:
    """Write the facts and their vectors, and close every second fact; gives the CPU seconds of the vectors."""
    subject = Entity(identify("subject"), "Mira", EntityType.PERSON)
    source = Source(identify("source"), "obsidian", "/v", "a.md", "a", entity=subject.id)
    episode = Episode(identify("episode"), source.id, "h", "text", Bound())
    passage = Passage(identify("passage"), source.id, "section", "", "text", None, 1, 1)
    alias = Alias(subject.id, source.id, "Mira", "mira", AliasKind.TITLE, EntityType.PERSON)
    claim = Claim(
        identify("claim"), source.id, episode.id, passage.id, subject.id,
        "KNOWS", None, "x", "s", "q", 0, UNDATED, Bound(),
    )  # fmt: skip
    _commit(
        store,
        ChangeSet(
            "ingest", source=source, episode=episode, passages=(passage,), entities=(subject,), aliases=(alias,),
            claims=((identify("slot"), claim),),
        ),
    )  # fmt: skip
    store.declare_vectors("bench", DIMENSION)
    centres = chance.standard_normal((CENTRES, DIMENSION))
    spent = 0.0
    for start in range(0, count, A_COMMIT):
        numbers = range(start, min(count, start + A_COMMIT))
        facts = [_fact(number, subject, claim) for number in numbers]
        _commit(store, ChangeSet("facts", opened=tuple(facts)))
        made = [
            Vector("fact", fact.id, "bench", values, identify(fact.statement))
            for fact, values in zip(facts, _draw(chance, centres, len(facts)), strict=True)
        ]
        began = time.process_time()
        store.put_vectors(made)
        spent += time.process_time() - began
        _commit(store, ChangeSet("close", closed=tuple(fact.id for fact in facts[::2])))
    return spent


def _fact(number: int, subject: Entity, claim: Claim) -> Fact:
    name = identify("fact", number)
    return Fact(
        name, name, subject.id, "KNOWS", None, f"x{number}", f"fact {number}",
        UNDATED, -FOREVER, FOREVER, 1.0, (claim.id,),
    )  # fmt: skip


def _draw(chance: np.random.Generator, centres: np.ndarray, count: int) -> Questions:
    drawn = centres[chance.integers(0, CENTRES, count)] + SPREAD * chance.standard_normal((count, DIMENSION))
    return [tuple(row) for row in (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).tolist()]


def _commit(store: Store, changes: ChangeSet) -> None:
    with store.writing() as transaction:
        transaction.commit(changes)


def each_row(connection: apsw.Connection, question: tuple[float, ...], known: int) -> Hits:
    """The nearest by looking at all, as rows of floats."""
    asked = np.array(question)
    ids: list[int] = []
    scores: list[np.ndarray] = []
    rows = connection.execute(EACH_ROW, {"known": known})
    while portion := list(islice(rows, PORTION)):
        some, data = zip(*portion, strict=True)
        held = np.frombuffer(b"".join(data), "<f4").reshape(-1, DIMENSION).astype(np.float64)
        ids += some
        scores.append(held @ asked / np.sqrt(np.vecdot(held, held)))
    every = np.concatenate(scores)
    best = np.argsort(-every)[:LIMIT]
    return [(f"{ids[each] & (2**64 - 1):016x}", float(every[each])) for each in best]


def in_turns(ways: dict[str, Callable[[tuple[float, ...]], Hits]], questions: Questions) -> dict[str, float]:
    """The median CPU seconds of each way to answer.

    Raises:
        RuntimeError: two ways give different hits.
    """
    costs: dict[str, list[float]] = {name: [] for name in ways}
    for question in questions:
        found = []
        for name, way in ways.items():
            began = time.process_time()
            found.append(way(question))
            costs[name].append(time.process_time() - began)
        if [each for each, _ in found[0]] != [each for each, _ in found[1]]:
            raise RuntimeError(f"different hits: {found}")
    return {name: statistics.median(each) for name, each in costs.items()}


def measure(folder: Path, count: int, times: int) -> list[Figure]:
    """The table."""
    chance = np.random.default_rng(7)
    path = folder / "memory.db"
    figures = []
    with closing(SqliteStore(path, "bench")) as store, closing(apsw.Connection(str(path))) as connection:
        spent = fill(store, count, chance)
        last = store.stats().last_recorded or LATER
        figures.append(Figure("writing a vector", f"{1e6 * spent / count:.0f} us"))
        figures.append(Figure("the file, a vector", f"{store.stats().size_bytes / count:.0f} bytes"))
        questions = _draw(chance, chance.standard_normal((CENTRES, DIMENSION)), times // 2)
        questions += [next(iter(_near(store, number))) for number in range(times - len(questions))]
        for what, known in (("now", None), ("as of then", last)):
            ways: dict[str, Callable[[tuple[float, ...]], Hits]] = {
                "blocks": lambda asked, known=known: [  # type: ignore[misc]
                    (hit.id, hit.score) for hit in store.nearest("fact", asked, LIMIT, known=known)
                ],
                "rows": lambda asked, known=known: each_row(connection, asked, known or LATER),  # type: ignore[misc]
            }
            cost = in_turns(ways, questions)
            figures.append(Figure(f"every row, {what}", f"{cost['rows'] * 1000:.0f} ms"))
            figures.append(Figure(f"blocks, {what}", f"{cost['blocks'] * 1000:.1f} ms"))
            figures.append(at_least(f"times cheaper, {what}", cost["rows"] / cost["blocks"], LEAST_RATIO, "{:.1f}"))
    return figures


def _near(store: Store, number: int) -> Questions:
    """A question that a stored vector answers all but exactly."""
    vector = next(islice(store.vectors("fact"), number, None))
    return [tuple(value + 0.02 * (-1) ** place for place, value in enumerate(vector.values))]


QUESTION = """
from kgmem.embedding.embedder import EmbeddingSettings, find_embedder
next(find_embedder(EmbeddingSettings({settings})).embed(["where does Mira work"]))
"""


def cold(times: int) -> list[Figure]:
    """What a process costs that embeds one question, starts included."""
    programs = {
        "python -c pass": "pass",
        "numpy and onnxruntime": "import os; os.environ['ORT_DISABLE_TELEMETRY'] = '1'; import numpy, onnxruntime",
        "loaded for an ingest": QUESTION.format(settings=""),
        "loaded for a question": QUESTION.format(settings="few=True"),
    }
    costs = median_cpu([partial(run, "-c", program) for program in programs.values()], times)
    return [Figure(what, f"{1000 * cost:.0f} ms") for what, cost in zip(programs, costs, strict=True)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="A search among vectors in SQLite.")
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=20, help="questions; the median counts")
    asked = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), asked.vectors, asked.times)
    show(f"{asked.vectors} vectors of {DIMENSION} dimensions", figures)
    if find_embedder() is None:
        print("\nthe packaged model is not installed: what a question costs to embed is left out")
        return
    show(f"one question embedded, medians of {asked.times} processes", cold(asked.times))


if __name__ == "__main__":
    main()
