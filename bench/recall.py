"""Which passages a question gets: ``python bench/recall.py [PART…] --wiki FOLDER --timeqa FILE --cache FOLDER``.

Parts: ``few`` and ``all``, the first 778 and all passages of 2WikiMultihopQA as HippoRAG published them, each passage a
note of its title; ``timeqa``, each page a note, the paragraph with the answer sought among those of all pages. Notes
are ingested as kgmem does it, with spaCy where it is installed, and the memory is kept in the cache for the next run.

The floor is the arm of text alone, which is BM25. Then each other arm alone, the mix, and the mix without each arm in
turn. R@k is the mean share of the right notes (or paragraphs) among the first k; "all in 8", how often none is missing
from the first eight. With ``--vectors`` passages are embedded first, which takes minutes.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path

from _measure import Figure, at_least, machine, show

from kgmem.embedding.embedder import Embedder, find_embedder
from kgmem.extraction.entities import Recognizer
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import Id
from kgmem.recall.facts import world_range
from kgmem.recall.retrieve import FRAME_KINDS, Retrieved, retrieve
from kgmem.recall.times import read_question
from kgmem.recall.weights import WEIGHTS, Mix, Weights
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.changes import ChangeSet, Vector
from kgmem.store.protocol import Store

FEW = 778
"""Passages of the small corpus, for which others published figures."""
LIMIT = 30
PORTION = 8
"""Passages that are embedded at once."""
TODAY = date(2026, 6, 15)
PARTS = ("few", "all", "timeqa")

TEXT = Mix(text=1.0, graph=0.0, vectors=0.0, seeds=0.0, faint=0.0)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and what is to be found."""

    text: str
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class Bench:
    """Questions, the notes that answer them, and how a passage is told right."""

    name: str
    notes: Sequence[tuple[str, str]]
    """(title, body)"""
    questions: Sequence[Question]
    by_note: bool
    """Whether titles of notes are sought, or else texts of passages."""
    aims: dict[str, float]


def wiki(folder: Path, count: int | None) -> Bench:
    """2WikiMultihopQA."""
    corpus = json.loads((folder / "corpus.json").read_text("utf-8"))[:count]
    asked = json.loads((folder / "questions.json").read_text("utf-8"))
    questions = [Question(each["question"], frozenset(map(file_name, each["supporting_titles"]))) for each in asked]
    notes = [(each["title"], each["text"]) for each in corpus]
    aims = {"R@5": 0.92, "all in 8": 0.94} if count is None else {"all in 8": 0.97}
    return Bench(f"2wiki, {len(notes)} passages", notes, questions, by_note=True, aims=aims)


def timeqa(file: Path) -> Bench:
    """TimeQA, the questions that people asked and that the page answers."""
    pages = json.loads(file.read_text("utf-8"))
    notes = [(page["link"].removeprefix("/wiki/").replace("_", " "), "\n\n".join(page["paras"])) for page in pages]
    questions = [
        Question(text, frozenset(page["paras"][answer["para"]].strip() for answer in answers))
        for page in pages
        for text, answers in page["questions"]
        if answers
    ]
    return Bench(f"timeqa, {len(notes)} pages", notes, questions, by_note=False, aims={"R@5": 0.60, "R@10": 0.72})


def file_name(title: str) -> str:
    """A title as the name of a note."""
    return title.replace("/", "-").strip()


def remembered(bench: Bench, folder: Path) -> Store:
    """A memory of the notes; the one of the last run if there is one."""
    home = folder / bench.name.replace(",", "").replace(" ", "-")
    done = home / "done"
    store = open_store(f"sqlite:///{home / 'memory.db'}", "default")
    if not done.exists():
        vault = home / "vault"
        vault.mkdir(parents=True, exist_ok=True)
        for title, body in bench.notes:
            alias = f"---\naliases: [{json.dumps(title)}]\n---\n" if file_name(title) != title else ""
            (vault / f"{file_name(title)}.md").write_text(f"{alias}{body}\n", encoding="utf-8")
        recognizer = Recognizer() if Recognizer.available() else None
        print(f"ingesting {len(bench.notes)} notes {'with' if recognizer else 'without'} spaCy")
        Memory(store, load_ontology(), recognizer).ingest(Vault(vault))
        done.touch()
    return store


def embed(store: Store, embedder: Embedder) -> None:
    """Give every passage of prose a vector that has none yet."""
    have = {vector.id for vector in store.vectors("passage")}
    passages = [each for source in store.sources() for each in store.passages_of(source.id)]
    missing = [each for each in passages if each.id not in have and each.kind not in FRAME_KINDS]
    if not missing:
        return
    store.declare_vectors(embedder.model, embedder.dimension)
    began = time.process_time()
    for start in range(0, len(missing), PORTION):
        portion = missing[start : start + PORTION]
        made = zip(portion, embedder.embed([each.text for each in portion]), strict=True)
        vectors = tuple(Vector("passage", each.id, embedder.model, values) for each, values in made)
        with store.writing() as transaction:
            transaction.commit(ChangeSet("embed", vectors=vectors))
    print(f"embedded {len(missing)} passages, {len(missing) / (time.process_time() - began):.0f} a CPU second")


Found = Sequence[str]
"""Titles of notes, or texts of passages, the best first, each once."""


@dataclass(frozen=True, slots=True)
class Score:
    """How well a way of retrieval did."""

    recall: dict[int, float]
    complete: float
    cost: float
    """CPU milliseconds a question."""

    def __str__(self) -> str:
        shares = "  ".join(f"{self.recall[k] * 100:5.1f}" for k in (2, 5, 10))
        return f"{shares}  {self.complete:.3f}  {self.cost:4.0f} ms"

    def of(self, what: str) -> float:
        """The figure of an aim."""
        return self.complete if what == "all in 8" else self.recall[int(what.removeprefix("R@"))]


def measure(bench: Bench, ask: Callable[[str], Retrieved]) -> Score:
    """Ask every question."""
    began = time.process_time()
    found = [list(said(bench, ask(question.text))) for question in bench.questions]
    cost = (time.process_time() - began) * 1000 / len(found)
    rights = [question.right for question in bench.questions]
    recall = {
        k: sum(len(right & set(each[:k])) / len(right) for right, each in zip(rights, found, strict=True)) / len(found)
        for k in (2, 5, 10)
    }
    complete = sum(right <= set(each[:8]) for right, each in zip(rights, found, strict=True)) / len(found)
    return Score(recall, complete, cost)


def said(bench: Bench, found: Retrieved) -> Iterator[str]:
    """What was found, in the form in which right answers are named."""
    names: dict[str, Id] = {}
    for hit in found.hits:
        place = found.placed[hit.id]
        name = Path(place.path).stem if bench.by_note else place.passage.text.strip()
        if name not in names:
            names[name] = hit.id
            yield name


def ways(*, vectors: bool) -> Iterator[tuple[str, Weights]]:
    """Each arm alone, the mix, and the mix without each arm in turn."""
    yield "text alone (BM25)", alone(TEXT)
    if vectors:
        yield "vectors alone", alone(replace(TEXT, text=0.0, vectors=1.0))
    yield "graph alone, from names", alone(replace(TEXT, text=0.0, graph=1.0, seeds=WEIGHTS.several.seeds))
    yield "graph alone, from words", alone(replace(TEXT, text=0.0, graph=1.0, seeds=1.0))
    yield "the mix", WEIGHTS
    yield "always as about one thing", replace(WEIGHTS, several=WEIGHTS.one)
    yield "always as about several", replace(WEIGHTS, one=WEIGHTS.several)
    for arm in ("text", "graph", *(["vectors"] if vectors else [])):
        yield f"without {arm}", replace(WEIGHTS, arms=WEIGHTS.arms - {arm})
    yield "walk without words", replace(WEIGHTS, graph=replace(WEIGHTS.graph, words=0.0))
    yield "dates not looked at", replace(WEIGHTS, told=0.0)
    yield "names without notes too", replace(WEIGHTS, titled=0.0)
    yield "own ties as others", replace(WEIGHTS, graph=replace(WEIGHTS.graph, own=1.0))


def asked(store: Store, embedder: Embedder | None, weights: Weights, question: str) -> Retrieved:
    """What one question gets, its names and its period read as the program reads them."""
    read = read_question(store, question, TODAY)
    period = world_range(read.as_of) if read.as_of else None
    return retrieve(store, question, read.named, limit=LIMIT, period=period, embedder=embedder, weights=weights)


def alone(mix: Mix) -> Weights:
    """One mix for every question."""
    return replace(WEIGHTS, one=mix, several=mix)


def report(bench: Bench, cache: Path, embedder: Embedder | None) -> None:
    """Print what every way finds, and whether the aims are met."""
    with closing(remembered(bench, cache)) as store:
        if embedder is not None:
            embed(store, embedder)
        print(f"\n{bench.name}, {len(bench.questions)} questions\n{'':28}    R@2    R@5   R@10  all in 8")
        for name, weights in ways(vectors=embedder is not None):
            score = measure(bench, partial(asked, store, embedder, weights))
            print(f"{name:28}  {score}", flush=True)
            if weights is WEIGHTS:
                mix = score
    show(bench.name, [*aims(bench, mix), Figure("CPU of a question", f"{mix.cost:.0f} ms")])


def aims(bench: Bench, score: Score) -> Iterator[Figure]:
    """The mix against what it is to reach."""
    for what, least in bench.aims.items():
        yield at_least(what, score.of(what), least, "{:.3f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Which passages a question gets.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all without it")
    parser.add_argument("--wiki", type=Path, help="the folder with corpus.json and questions.json")
    parser.add_argument("--timeqa", type=Path, help="the file pages.json")
    parser.add_argument("--cache", type=Path, required=True, help="where memories are kept between runs")
    parser.add_argument("--vectors", action="store_true")
    options = parser.parse_args()
    parts = options.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    embedder = find_embedder() if options.vectors else None
    if options.vectors and embedder is None:
        print("no vectors: they need `pip install 'kgmem[embeddings]'`")
    print(machine())
    for part in parts:
        source = options.timeqa if part == "timeqa" else options.wiki
        if source is None or not source.exists():
            print(f"\nskipped {part}: its data is not here")
            continue
        bench = timeqa(source) if part == "timeqa" else wiki(source, FEW if part == "few" else None)
        report(bench, options.cache, embedder)


if __name__ == "__main__":
    main()
