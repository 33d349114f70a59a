"""What reading exports of highlights costs: ``python bench/readwise.py [--sizes N…] [--large MB]``.

The export is made here: books of 40 highlights on average, of which every tenth has a note of the person's own that
links to somebody. Read, extracted and stored without a language rung; then again with nothing new. CPU is that of
whole processes, starts included; peaks are theirs too.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _measure import Figure, Program, at_least, at_most, machine, show

LEAST_RATE = 2_000
"""Highlights a CPU second, first ingest without spaCy."""
MOST_GROWTH = 1.3
"""Cost of a highlight in the largest export, as a multiple of that in the smallest."""
MOST_MEMORY = 300
"""Million bytes at most, whatever the size of the export."""
MOST_AGAIN = 1.0
"""CPU seconds of an ingest that finds nothing new."""
SIZES = (1_658, 5_000, 10_000)
_A_BOOK = 40
_NOTED = 10
_WORDS = (
    "the tide turns before anyone on the pier has seen it and a patient mind keeps what a quick one loses because "
    "trade money trust story habit memory river island letter winter engine garden language and law grow slowly"
).split()
_COLUMNS = (
    "Highlight", "Book Title", "Book Author", "Amazon Book ID", "Note", "Color", "Tags", "Location Type", "Location",
    "Highlighted at", "Document tags",
)  # fmt: skip


def rows(count: int, each: int = _A_BOOK) -> Iterator[list[str]]:
    """So many rows of the CSV, always the same, so many of each book."""
    chance = random.Random(9)  # noqa: S311 - no secret
    for number in range(count):
        book = number // each
        text = " ".join(chance.choices(_WORDS, k=chance.randint(12, 60))).capitalize() + f", {number}."
        note = f"Ask [[Person {chance.randint(1, 200)}]] about it." if number % _NOTED == 0 else ""
        at = f"20{10 + book % 15}-{1 + number % 12:02}-{1 + number % 28:02} 10:{number % 60:02}:00+00:00"
        yield [text, f"The Book of {book}", f"Author {book // 3}", f"B{book:09}", note, "yellow", "tag, .favorite",
               "location", str(number % 4000), at, "reading"]  # fmt: skip


def write_csv(file: Path, count: int, each: int = _A_BOOK) -> None:
    """Write an export of so many highlights, so many of each book."""
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(_COLUMNS)
        writer.writerows(rows(count, each))


def write_json(file: Path, count: int) -> None:
    """Write the same highlights as a page of the API's export."""
    books: dict[str, list[dict[str, object]]] = {}
    for number, row in enumerate(rows(count)):
        marked = {"id": number, "text": row[0], "note": row[4], "location": int(row[8]), "location_type": "location",
                  "highlighted_at": row[9], "tags": [{"name": "tag"}]}  # fmt: skip
        books.setdefault(row[1], []).append(marked)
    results = [{"user_book_id": at, "title": title, "author": f"Author {at // 3}", "category": "books",
                "highlights": marked} for at, (title, marked) in enumerate(books.items())]  # fmt: skip
    file.write_text(json.dumps({"count": len(results), "nextPageCursor": None, "results": results}))


def measure(folder: Path, sizes: list[int]) -> Iterator[Figure]:
    """Rates and peaks of several sizes, in both forms; and of an ingest that finds nothing new."""
    (folder / "warm" / "export").mkdir(parents=True)
    write_csv(folder / "warm" / "export" / "export.csv", 1)
    Program(folder / "warm")("ingest", folder / "warm" / "export", "--no-nlp", "--no-embeddings")
    costs = []
    for form, write in (("csv", write_csv), ("json", write_json)):
        for count in sizes:
            home = folder / f"{form}-{count}"
            (home / "export").mkdir(parents=True)
            write(home / "export" / f"export.{form}", count)
            kgmem = Program(home)
            first = kgmem("ingest", home / "export", "--no-nlp", "--no-embeddings")
            again = kgmem("ingest", home / "export", "--no-nlp", "--no-embeddings")
            yield at_least(f"{form}, {count:,}: highlights a CPU second", count / first.cpu, LEAST_RATE, "{:,.0f}")
            yield Figure(f"{form}, {count:,}: seconds, and CPU with nothing new", f"{first.wall:.2f}, {again.cpu:.2f}")
            yield at_most(f"{form}, {count:,}: peak, million bytes", first.peak / 1e6, MOST_MEMORY, "{:,.0f}")
            if form == "csv":
                costs.append(first.cpu / count)
    alone = folder / "alone"
    (alone / "export").mkdir(parents=True)
    write_csv(alone / "export" / "export.csv", sizes[0], 1)
    spent = Program(alone)("ingest", alone / "export", "--no-nlp", "--no-embeddings")
    yield Figure(f"csv, {sizes[0]:,}, each of a book of its own: a CPU second", f"{sizes[0] / spent.cpu:,.0f}")
    yield at_most("csv: a highlight among many, among few", costs[-1] / costs[0], MOST_GROWTH)


def measure_large(folder: Path, megabytes: int) -> Iterator[Figure]:
    """A large file: the memory that reading it takes, and a second ingest of it."""
    home = folder / "large"
    (home / "export").mkdir(parents=True)
    file = home / "export" / "export.csv"
    count = megabytes * 1_000_000 // 310
    write_csv(file, count)
    kgmem = Program(home)
    first = kgmem("ingest", home / "export", "--no-nlp", "--no-embeddings")
    again = kgmem("ingest", home / "export", "--no-nlp", "--no-embeddings")
    size = file.stat().st_size / 1e6
    yield Figure(f"{size:,.0f} MB, {count:,} highlights: seconds", f"{first.wall:,.1f}")
    yield at_least("its highlights a CPU second", count / first.cpu, LEAST_RATE, "{:,.0f}")
    yield at_most("its peak, million bytes", first.peak / 1e6, MOST_MEMORY, "{:,.0f}")
    yield at_most("CPU seconds with nothing new", again.cpu, MOST_AGAIN)


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="highlights of the exports")
    options.add_argument("--large", type=int, metavar="MB", default=0, help="a file of so many MB too")
    given = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        show("Exports of highlights, without a language rung", measure(Path(folder), sorted(given.sizes)))
        if given.large:
            show("A large one", measure_large(Path(folder), given.large))


if __name__ == "__main__":
    main()
