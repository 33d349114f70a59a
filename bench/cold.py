"""What a command costs that starts from nothing: ``python bench/cold.py [--notes N] [--times N]``.

Whole processes, in CPU as a multiple of ``python -c pass``, against a memory of one generated vault: what a person
waits for who types one question, or a script that asks a hundred.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from _measure import Figure, Program, at_most, machine, median_cpu, run, show
from notes import cast, write

MOST = 12
"""Times the cost of ``python -c pass``."""
TARGETED = frozenset({"kgmem --help", "kgmem search"})
SEED = 1
SEARCHED = "wooden horizon"
"""Each in a few per cent of the notes, as the words of a search are."""


def measure(folder: Path, count: int, times: int) -> list[Figure]:
    """The table."""
    write(folder / "vault", count, SEED)
    kgmem = Program(folder)
    kgmem("ingest", folder / "vault", "--no-nlp")
    somebody = cast(count, SEED).names["People"][0]
    commands = {
        "kgmem --help": ("--help",),
        "kgmem search": ("search", SEARCHED),
        "kgmem --json search": ("--json", "search", SEARCHED),
        "kgmem ask": ("ask", f"what do I know about {somebody}"),
        "kgmem show": ("show", somebody),
    }
    runs = [partial(run, "-c", "pass"), *(partial(kgmem, *words) for words in commands.values())]
    floor, *costs = median_cpu(runs, times)
    figures = [Figure("python -c pass", f"{floor * 1000:.0f} ms")]
    for what, cost in zip(commands, costs, strict=True):
        ratio = at_most(what, cost / floor, MOST, "{:.1f}") if what in TARGETED else Figure(what, f"{cost / floor:.1f}")
        figures.append(replace(ratio, value=f"{cost * 1000:.0f} ms = {ratio.value} x"))
    return figures


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="The cost of a command that starts from nothing.")
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--times", type=int, default=9, help="runs of each; the median counts")
    asked = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), asked.notes, asked.times)
    show(f"{asked.notes} notes, medians of {asked.times} runs", figures)


if __name__ == "__main__":
    main()
