"""How well and how fast names are found in prose: ``python bench/entities.py`` at the root of the project.

Accuracy is measured on ``tests/gold/entities.jsonl``; a name counts as found if its span and its type are both right.
The memory knows none, half (drawn by name with a fixed seed) or all of the names, with spaCy's guesses and without.
Speed is in words a CPU second, worker processes included, on notes made of the same sentences in random order.
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kgmem.extraction.entities import NamedSpan, Recognizer, merge_spans
from kgmem.extraction.lexicon import Lexicon, Span
from kgmem.resolution.names import name_key

GOLD = Path(__file__).parents[1] / "tests" / "gold" / "entities.jsonl"
SEED = 7
NOTES = 500
SENTENCES_A_NOTE = 25
TYPES = ("Person", "Organization", "Location", "Event", "Object")


class Name(NamedTuple):
    """A name in a sentence of the gold set."""

    sentence: int
    start: int
    end: int
    surface: str
    type: str


def load() -> tuple[list[str], set[Name]]:
    """The sentences, and the names in them."""
    rows = [json.loads(line) for line in GOLD.read_text(encoding="utf-8").splitlines()]
    names = {Name(index, **span) for index, row in enumerate(rows) for span in row["spans"]}
    return [row["text"] for row in rows], names


def find(texts: Sequence[str], guesses: Sequence[Sequence[NamedSpan]], known: dict[str, str]) -> set[Name]:
    """What the two rungs find together; `known` gives the type of each name."""
    lexicon = Lexicon((surface, name_key(surface)) for surface in known)
    types = {name_key(surface): kind for surface, kind in known.items()}
    found: set[Name] = set()
    for index, text in enumerate(texts):
        for span in merge_spans(lexicon.find(text), guesses[index]):
            kind = types[span.key] if isinstance(span, Span) else str(span.type)
            found.add(Name(index, span.start, span.end, span.surface, kind))
    return found


def f1(gold: set[Name], found: set[Name]) -> str:
    """F1, with precision and recall."""
    right = len(gold & found)
    precision, recall = right / max(1, len(found)), right / max(1, len(gold))
    return f"{2 * right / max(1, len(gold) + len(found)):.2f} ({precision:.2f} {recall:.2f})"


def report_accuracy(texts: Sequence[str], gold: set[Name]) -> None:
    """Print F1 by type."""
    everything = sorted({(name.surface, name.type) for name in gold})
    half = random.Random(SEED).sample(everything, len(everything) // 2)  # noqa: S311
    sizes = Counter(name.type for name in gold)
    print(f"\nF1 (precision recall) on {len(texts)} sentences, {len(everything)} different names")
    print(f"{'':28}" + "".join(f"{kind} {sizes[kind]}".ljust(19) for kind in TYPES) + f"all {len(gold)}")
    nothing: list[list[NamedSpan]] = [[] for _ in texts]
    [(_, by_model)] = Recognizer().recognize([(None, list(texts))])
    for rung, guesses in (("model", by_model), ("no model", nothing)):
        for label, known in (("none", []), ("half", half), ("all", everything)):
            found = find(texts, guesses, dict(known))
            cells = [
                f1({name for name in gold if name.type == kind}, {name for name in found if name.type == kind})
                for kind in TYPES
            ]
            if found:
                print(
                    f"{rung}, {label + ' known':17}".ljust(28) + "".join(map("{:19}".format, cells)) + f1(gold, found)
                )


def cpu_seconds() -> float:
    """CPU seconds of this process and of its children that have ended."""
    usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def report_speed(texts: Sequence[str], gold: set[Name]) -> None:
    """Print words a second of each rung, and the share that the model has of both."""
    draw = random.Random(SEED)  # noqa: S311
    notes = [(number, [draw.choice(texts) for _ in range(SENTENCES_A_NOTE)]) for number in range(NOTES)]
    words = sum(len(text.split()) for _, passages in notes for text in passages)
    print(f"\n{NOTES} notes, {words} words; the start of spaCy and of worker processes is included")

    lexicon = Lexicon((name.surface, name_key(name.surface)) for name in gold)
    began = cpu_seconds()
    known = {number: [lexicon.find(text) for text in passages] for number, passages in notes}
    seeking = cpu_seconds() - began
    print(f"known names: {words / seeking:,.0f} words a CPU second")
    for processes in (1, 2):
        began, wall = cpu_seconds(), time.perf_counter()
        found = list(Recognizer(processes=processes).recognize(notes))
        cpu, wall = cpu_seconds() - began, time.perf_counter() - wall
        print(
            f"model, {processes} process{'es' if processes > 1 else ''}: {words / cpu:,.0f} words a CPU second, "
            f"{words / wall:,.0f} a second on the clock"
        )
        if processes == 1:
            began = cpu_seconds()
            for number, guesses in found:
                for spans, guessed in zip(known[number], guesses, strict=True):
                    merge_spans(spans, guessed)
            merging = cpu_seconds() - began
            print(f"share of the time: model {cpu / (cpu + seeking + merging):.1%}, known names and merging the rest")


def main() -> None:
    """Print both tables."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    if not Recognizer.available():
        print("skipped: needs `pip install 'kgmem[nlp]'`")
        return
    texts, gold = load()
    print(f"model: {Recognizer().model}")
    report_accuracy(texts, gold)
    report_speed(texts, gold)


if __name__ == "__main__":
    main()
