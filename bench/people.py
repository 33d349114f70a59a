"""Who is who among noisy records of real people: what is merged, what a person is asked, and what is missed.

    python bench/people.py FOLDER

FOLDER holds ``records.csv``: names, dates and places of historical people with errors, several records of each, the
truth in `cluster`. Every record is an entity of its own, as if each came from another note; its birthplace, date,
postcode, gender and occupation are facts. Candidates come through `blocks` alone, and each pair of them is scored
with the program's own rules and bands. What is at or above the merge band is one, transitively.

A pair of records counts as found by review if a person who knows the truth, asked about each pending pair of merged
clusters that may be one, would have joined them.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType, unique
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.blocks import blocks
from kgmem.resolution.profile import Census, Profile
from kgmem.resolution.score import score

_FACTS = {
    "dob": "BORN_ON",
    "birth_place": "BORN_IN",
    "postcode_fake": "ADDRESS",
    "gender": "GENDER",
    "occupation": "ROLE",
}
_LARGEST = 500
"""Entities in a block above which it tells nothing and is passed over."""

Pair = tuple[int, int]


class Measure(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float

    def __str__(self) -> str:
        both = self.precision + self.recall
        f1 = 2 * self.precision * self.recall / both if both else 0.0
        return f"precision {self.precision:.4f}  recall {self.recall:.4f}  F1 {f1:.4f}"


class Clusters:
    """Disjoint sets of numbers, joined by pairs."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, item: int) -> int:
        """The number that stands for an item's set."""
        while self._parent[item] != item:
            self._parent[item] = self._parent[self._parent[item]]
            item = self._parent[item]
        return item

    def join(self, one: int, other: int) -> None:
        """Make the sets of two items one."""
        self._parent[self.find(one)] = self.find(other)

    def labels(self) -> list[int]:
        """For each item the number that stands for its set."""
        return [self.find(item) for item in range(len(self._parent))]


def profile_of(row: Mapping[str, str]) -> Profile:
    """A record as an entity."""
    facts = {predicate: frozenset({row[column]}) for column, predicate in _FACTS.items() if row[column]}
    names = unique(name for name in (row["full_name"], row["first_and_surname"]) if name)
    single = frozenset(facts) - {"ROLE"}
    return Profile(row["unique_id"], EntityType.PERSON, Rank.SAID, None, names, facts, single)


def candidates(profiles: Sequence[Profile]) -> set[Pair]:
    """Pairs of numbers that share a block."""
    members: dict[str, list[int]] = defaultdict(list)
    for number, profile in enumerate(profiles):
        for key in blocks(profile):
            members[key].append(number)
    large = {key: len(each) for key, each in members.items() if len(each) > _LARGEST}
    print(f"{len(members):,} blocks, {len(large)} of more than {_LARGEST} passed over: {sorted(large)[:5]}")
    return {pair for key, each in members.items() if key not in large for pair in combinations(each, 2)}


def pairs_in(labels: Iterable[object]) -> int:
    """How many pairs have the same label."""
    return sum(count * (count - 1) // 2 for count in Counter(labels).values())


def pairwise(found: Sequence[int], truth: Sequence[str]) -> Measure:
    """Over pairs that are in one cluster."""
    both = pairs_in(zip(found, truth, strict=True))
    return Measure(both / max(pairs_in(found), 1), both / pairs_in(truth))


def b_cubed(found: Sequence[int], truth: Sequence[str]) -> Measure:
    """Over records: the share of its cluster that is right, and of its true one that is there."""
    both, clusters, true = Counter(zip(found, truth, strict=True)), Counter(found), Counter(truth)
    precision = sum(count * count / clusters[cluster] for (cluster, _), count in both.items())
    recall = sum(count * count / true[label] for (_, label), count in both.items())
    return Measure(precision / len(truth), recall / len(truth))


def report(rows: Sequence[Mapping[str, str]]) -> None:
    """Resolve the records and print what came of it."""
    truth = [row["cluster"] for row in rows]
    start = time.process_time()
    profiles = [profile_of(row) for row in rows]
    rarity = Census.of(profiles)
    pairs = candidates(profiles)
    blocked = time.process_time() - start
    within = sum(truth[one] == truth[other] for one, other in pairs)
    print(
        f"{len(rows):,} records of {len(set(truth)):,} people; {len(pairs) / len(rows):.1f} candidate pairs a record,"
        f" {within / pairs_in(truth):.4f} of the true pairs among them"
    )
    bands, merged, pending = Bands(), Clusters(len(rows)), []
    scores: list[tuple[float, bool]] = []
    start = time.process_time()
    for one, other in pairs:
        verdict = score(profiles[one], profiles[other], rarity).score
        scores.append((verdict, truth[one] == truth[other]))
        band = bands.of(verdict)
        if band is Band.MERGE:
            merged.join(one, other)
        elif band is Band.PENDING:
            pending.append((one, other))
    spent = time.process_time() - start
    print(
        f"{1e3 * (blocked + spent) / len(rows):.1f} ms a record: {1e3 * blocked / len(rows):.2f} for its blocks and"
        f" candidates, {1e6 * spent / max(len(pairs), 1):.0f} us a score"
    )
    labels = merged.labels()
    print(f"auto, pairwise:   {pairwise(labels, truth)}")
    print(f"auto, B-cubed:    {b_cubed(labels, truth)}")
    _report_review(labels, truth, pending)
    _report_calibration(scores)


def _report_review(labels: Sequence[int], truth: Sequence[str], pending: Sequence[Pair]) -> None:
    asked = {tuple(sorted((labels[one], labels[other]))) for one, other in pending if labels[one] != labels[other]}
    right = [(one, other) for one, other in pending if truth[one] == truth[other]]
    reviewed = Clusters(len(labels))
    for number, label in enumerate(labels):
        reviewed.join(number, label)
    joins = 0
    for one, other in right:
        if reviewed.find(one) != reviewed.find(other):
            reviewed.join(one, other)
            joins += 1
    print(f"after review:     {pairwise(reviewed.labels(), truth)}")
    print(f"after, B-cubed:   {b_cubed(reviewed.labels(), truth)}")
    size = Counter(zip(labels, truth, strict=True))
    cluster = defaultdict(set)
    for one, other in zip(labels, truth, strict=True):
        cluster[other].add(one)
    direct = sum(
        size[left, label] * size[right, label]
        for label, found in cluster.items()
        for left, right in combinations(sorted(found), 2)
        if (left, right) in asked
    )
    sure = pairs_in(zip(labels, truth, strict=True))
    found = (sure + direct) / pairs_in(truth)
    print(f"auto plus pending recall, without what follows from several answers: {found:.4f}")
    print(f"review load: {len(asked):,} pairs of clusters for {joins:,} joins, {len(asked) / max(joins, 1):.2f} each")


def _report_calibration(scores: Sequence[tuple[float, bool]]) -> None:
    for low, high in ((0.0, 0.5), (0.5, 0.85), (0.85, 0.95), (0.95, 0.99), (0.99, 1.01)):
        inside = [(value, true) for value, true in scores if low <= value < high]
        if inside:
            mean = sum(value for value, _ in inside) / len(inside)
            share = sum(true for _, true in inside) / len(inside)
            print(f"scores from {low:.2f}: {len(inside):8,} pairs, mean {mean:.3f}, one person in {share:.3f}")


def main() -> None:
    """Run it on the folder that the command line names."""
    path = Path(*sys.argv[1:2]) / "records.csv"
    if not path.is_file():
        print(f"skipped: no {path}")
        return
    with path.open(encoding="utf-8", newline="") as file:
        report(list(csv.DictReader(file)))


if __name__ == "__main__":
    main()
