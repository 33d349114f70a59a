"""Which articles of two bibliographies are the same: the program's own rules, without training or settings of its own.

    python bench/dblp.py FOLDER

FOLDER holds ``dblp.csv``, ``acm.csv`` (fields split by %) and ``gt.csv``, the true pairs. A title is the name of an
Object of subtype Article; the authors are a fact of many values, each by family name and initial, as both sets write
given names at length or not; the venue is a fact as it is written ("VLDB" says nothing of "Very Large Data Bases"); the
year is a fact of one value. Pairs come through `blocks` alone.

Each set names an article once, so that matching may be one to one: of the pairs that are merged the likeliest come
first, and whoever is matched is out. The result without that is shown beside it.
"""

from __future__ import annotations

import csv
import html
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType
from kgmem.resolution.bands import Bands
from kgmem.resolution.blocks import blocks
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import parse_person
from kgmem.resolution.profile import Census, Profile
from kgmem.resolution.score import score

Row = Mapping[str, str]
Pair = tuple[str, str]


def read(path: Path, delimiter: str = "%") -> list[Row]:
    """The rows of a file, character entities resolved."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter=delimiter)
        return [{key: html.unescape(value or "") for key, value in row.items()} for row in rows]


def author_keys(authors: str) -> Iterator[str]:
    """Each author by family name and initial."""
    for author in authors.split(","):
        name = parse_person(author)
        if name.family or name.given:
            yield f"{name.family} {''.join(name.given)[:1]}".strip()


def profile_of(row: Row, source: str) -> Profile:
    """An article as an entity."""
    authors, venue, year = frozenset(author_keys(row["authors"])), name_key(row["venue"]), row["year"]
    facts = {"WRITTEN_BY": authors, "PUBLISHED_BY": frozenset({venue} - {""}), "PUBLISHED_ON": frozenset({year})}
    known = {predicate: values for predicate, values in facts.items() if values}
    single = frozenset({"PUBLISHED_ON"})
    return Profile(f"{source}{row['id']}", EntityType.OBJECT, Rank.SAID, "Article", (row["title"],), known, single)


def candidates(left: Iterable[Profile], right: Iterable[Profile]) -> set[Pair]:
    """Pairs of ids, one of each set, that share a block."""
    members: dict[str, list[str]] = defaultdict(list)
    for profile in right:
        for key in blocks(profile):
            members[key].append(profile.id)
    return {(profile.id, other) for profile in left for key in blocks(profile) for other in members.get(key, ())}


def one_to_one(scored: Iterable[tuple[float, float, Pair]]) -> set[Pair]:
    """The likeliest pairs first; whoever is matched is out."""
    taken: set[str] = set()
    matched = set()
    for _, _, (one, other) in sorted(scored, key=lambda each: (-each[0], -each[1], each[2])):
        if one not in taken and other not in taken:
            taken |= {one, other}
            matched.add((one, other))
    return matched


def measure(name: str, found: set[Pair], truth: set[Pair]) -> None:
    """Print precision, recall and F1."""
    right = len(found & truth)
    precision, recall = right / max(len(found), 1), right / len(truth)
    print(f"{name}: precision {precision:.4f}  recall {recall:.4f}  F1 {2 * right / (len(found) + len(truth)):.4f}")


def main() -> None:
    """Run it on the folder that the command line names."""
    folder = Path(*sys.argv[1:2])
    if not (folder / "gt.csv").is_file():
        print(f"skipped: no {folder / 'gt.csv'}")
        return
    left = {each.id: each for each in (profile_of(row, "d") for row in read(folder / "dblp.csv"))}
    right = {each.id: each for each in (profile_of(row, "a") for row in read(folder / "acm.csv"))}
    truth = {(f"d{row['D1']}", f"a{row['D2']}") for row in read(folder / "gt.csv")}
    start = time.process_time()
    rarity = Census.of([*left.values(), *right.values()])
    pairs = candidates(left.values(), right.values())
    scored = []
    for one, other in pairs:
        verdict = score(left[one], right[other], rarity)
        scored.append((verdict.score, sum(reason.weight for reason in verdict.reasons), (one, other)))
    spent = time.process_time() - start
    print(
        f"{len(left):,} and {len(right):,} articles, {len(truth):,} in both; {len(pairs) / len(left):.1f} candidates,"
        f" {len(truth & pairs) / len(truth):.4f} of the true pairs among them;"
        f" {1e6 * spent / max(len(pairs), 1):.0f} us a pair in all"
    )
    bands = Bands()
    merged = [each for each in scored if each[0] >= bands.merge]
    measure("merged           ", {pair for _, _, pair in merged}, truth)
    measure("merged, 1 to 1   ", one_to_one(merged), truth)
    measure("and pending      ", {pair for value, _, pair in scored if value >= bands.pending}, truth)
    measure("and, 1 to 1      ", one_to_one([each for each in scored if each[0] >= bands.pending]), truth)


if __name__ == "__main__":
    main()
