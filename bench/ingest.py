"""What reading a vault costs: ``python bench/ingest.py [PART…] [--notes N] [--few N] [--many N] [--nlp-notes N]``.

The first time, again with nothing changed, again with every file touched, the same for few and for many notes, and
with spaCy. CPU is that of whole processes, starts included. The floor for an unchanged vault is a Python process
that reads every file's size and time and hashes its content, which is the least that proves that nothing changed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from _measure import Figure, Program, Spent, at_least, at_most, machine, median_cpu, run, show
from notes import write

LEAST_RATE = 400
"""Notes a CPU second, first ingest without spaCy."""
MOST_OF_FLOOR = 3
MOST_GROWTH = 1.3
"""Cost of a note among many, as a multiple of that among few."""
MOST_MEMORY = 600
"""Million bytes."""
LEAST_SHARE = 0.8
"""Of the CPU with spaCy, what spaCy alone needs."""
TIMES = 5
PARTS = ("again", "growth", "nlp")

FLOOR = """
import hashlib, os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        path = os.path.join(folder, name)
        os.stat(path)
        with open(path, "rb") as file:
            hashlib.blake2b(file.read(), digest_size=16).hexdigest()
"""

ALONE = """
import sys, time
from pathlib import Path
from kgmem.extraction.entities import Recognizer
from kgmem.extraction.ladder import readable
from kgmem.sources.obsidian import Vault
vault = Vault(Path(sys.argv[1]))
vault.scan({})
texts = [(path, readable(vault.read(path))) for path in vault.paths()]
began = time.process_time()
names = sum(len(spans) for _, found in Recognizer().recognize(texts) for spans in found)
print(time.process_time() - began, sum(len(text.split()) for _, prose in texts for text in prose), names)
"""


class Vaults:
    """Vaults in a folder, each with a memory of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def new(self, count: int, *, processes: int = 1) -> tuple[Path, Program]:
        """A vault of so many notes, and a program that never read it."""
        home = Path(tempfile.mkdtemp(dir=self._folder))
        write(home / "vault", count)
        return home / "vault", Program(home, processes=processes)


@dataclass(frozen=True, slots=True)
class First:
    """A vault that was read once."""

    vault: Path
    kgmem: Program
    count: int
    spent: Spent

    def memory(self) -> Figure:
        """The memory of the process, against its limit."""
        return at_most(f"memory at most, {self.count} notes (MB)", self.spent.peak / 1e6, MOST_MEMORY, "{:.0f}")

    def store(self) -> Figure:
        """The size of what was written."""
        return Figure(f"the store of {self.count} notes", f"{self.kgmem.size / 1e6:.0f} MB")


def first(vaults: Vaults, count: int) -> First:
    """Read a vault for the first time."""
    vault, kgmem = vaults.new(count)
    return First(vault, kgmem, count, kgmem("ingest", vault, "--no-nlp"))


def rate(read: First) -> list[Figure]:
    """How fast that was."""
    return [
        Figure("first ingest, CPU", f"{read.spent.cpu:.1f} s"),
        Figure("first ingest, on the clock", f"{read.spent.wall:.1f} s"),
        at_least("first ingest, notes a CPU second", read.count / read.spent.cpu, LEAST_RATE, "{:.0f}"),
        read.memory(),
        read.store(),
    ]


def again(read: First) -> list[Figure]:
    """Ingests that find nothing new."""
    vault, kgmem = read.vault, read.kgmem
    floor, cost = median_cpu([lambda: run("-c", FLOOR, vault), lambda: kgmem("ingest", vault, "--no-nlp")], TIMES)
    [touched] = median_cpu([lambda: _touched(read)], TIMES)
    return [
        Figure("floor: every file's metadata and hash, CPU", f"{floor * 1000:.0f} ms"),
        Figure("unchanged, CPU", f"{cost * 1000:.0f} ms"),
        at_most("unchanged, times the floor", cost / floor, MOST_OF_FLOOR),
        Figure("every file touched, CPU", f"{touched * 1000:.0f} ms"),
        Figure("every file touched, times the floor", f"{touched / floor:.2f}"),
    ]


def _touched(read: First) -> Spent:
    """Ingest after every file got a new time and no new content."""
    now = time.time_ns()
    for path in read.vault.rglob("*.md"):
        os.utime(path, ns=(now, now))
    spent = read.kgmem("--json", "ingest", read.vault, "--no-nlp")
    said = json.loads(spent.output)
    if said["unchanged"] != read.count or said["changed"]:
        raise RuntimeError(f"a touch is no change: {spent.output}")
    return spent


def growth(vaults: Vaults, few: int, many: int) -> list[Figure]:
    """The cost of a note among few and among many."""
    start, small, large = first(vaults, 0), first(vaults, few), first(vaults, many)
    among_few = (small.spent.cpu - start.spent.cpu) / few
    among_many = (large.spent.cpu - start.spent.cpu) / many
    return [
        Figure("a vault without notes, CPU", f"{start.spent.cpu * 1000:.0f} ms"),
        Figure(f"a note of {few} beyond that, CPU", f"{among_few * 1000:.2f} ms"),
        Figure(f"a note of {many} beyond that, CPU", f"{among_many * 1000:.2f} ms"),
        at_most("the second as a multiple of the first", among_many / among_few, MOST_GROWTH),
        large.memory(),
        large.store(),
    ]


def with_names(vaults: Vaults, count: int) -> list[Figure]:
    """With spaCy: its share of the CPU, and what a second process saves."""
    vault, kgmem = vaults.new(count)
    seconds, words, names = run("-c", ALONE, vault).output.split()
    alone = float(seconds)
    one = kgmem("ingest", vault)
    vault, kgmem = vaults.new(count, processes=2)
    two = kgmem("ingest", vault)
    return [
        Figure("spaCy alone on the same prose, CPU", f"{alone:.1f} s"),
        Figure("words of prose a CPU second", f"{int(words) / alone:,.0f}"),
        Figure("names that it finds", names),
        Figure("ingest, CPU", f"{one.cpu:.1f} s"),
        at_least("share of spaCy alone", alone / one.cpu, LEAST_SHARE),
        Figure("ingest with 1 process, on the clock", f"{one.wall:.1f} s"),
        Figure("ingest with 2 processes, on the clock", f"{two.wall:.1f} s"),
        at_most("memory at most of one process (MB)", max(one.peak, two.peak) / 1e6, MOST_MEMORY, "{:.0f}"),
    ]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="The cost of reading a vault.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all without it")
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--few", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10_000)
    parser.add_argument("--nlp-notes", type=int, default=200)
    asked = parser.parse_args()
    parts = asked.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}")
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        vaults = Vaults(Path(folder))
        if "again" in parts:
            read = first(vaults, asked.notes)
            show(f"{asked.notes} notes without spaCy", rate(read))
            show(f"the same {asked.notes} notes again", again(read))
        if "growth" in parts:
            show(f"{asked.few} and {asked.many} notes", growth(vaults, asked.few, asked.many))
        if "nlp" in parts and importlib.util.find_spec("spacy") is None:
            print("\nskipped: spaCy needs `pip install 'kgmem[nlp]'`")
        elif "nlp" in parts:
            show(f"{asked.nlp_notes} notes with spaCy", with_names(vaults, asked.nlp_notes))


if __name__ == "__main__":
    main()
