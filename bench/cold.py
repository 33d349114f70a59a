"""What a command costs that starts from nothing: ``python bench/cold.py [--notes N] [--times N]``.

Whole processes, in CPU as a multiple of ``python -c pass``, against a memory of one generated vault: what a person
waits for who types one question, or a script that asks a hundred.
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path

from _measure import Figure, Program, at_most, machine, median_cpu, run, show
from notes import cast, write

MOST = 12
"""Times the cost of ``python -c pass``."""
SEED = 1


def measure(folder: Path, count: int, times: int) -> list[Figure]:
    """The table."""
    write(folder / "vault", count, SEED)
    kgmem = Program(folder)
    kgmem("ingest", folder / "vault", "--no-nlp")
    somebody = cast(count, SEED).names["People"][0]
    asked = {
        "kgmem --help": ("--help",),
        "kgmem search, two words": ("search", "quiet harvest"),
        f"kgmem ask about {somebody}": ("ask", f"what do I know about {somebody}"),
        "kgmem show, the most named": ("show", somebody),
    }
    commands = {what: partial(kgmem, *words) for what, words in asked.items()}
    commands["kgmem search --json"] = partial(kgmem, "--json", "search", "quiet harvest")
    floor, *costs = median_cpu([partial(run, "-c", "pass"), *commands.values()], times)
    figures = [Figure("python -c pass", f"{floor * 1000:.0f} ms")]
    for what, cost in zip(commands, costs, strict=True):
        figures.append(Figure(f"{what}, CPU", f"{cost * 1000:.0f} ms"))
        figures.append(at_most(f"{what}, times the floor", cost / floor, MOST, "{:.1f}"))
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
