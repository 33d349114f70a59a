"""How fast prose is read with and without its grammar: ``python bench/grammar.py FOLDER [EVERY]``.

FOLDER holds Markdown notes, of which every EVERY-th is read (1 without it). Speed is in words a second, of the CPU
(worker processes included) and of the clock.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

from kgmem.extraction.entities import Recognizer
from kgmem.extraction.grammar import telling_of
from kgmem.extraction.ladder import readable
from kgmem.extraction.ontology import load_ontology
from kgmem.sources.obsidian import Vault


def cpu() -> float:
    """CPU seconds of this process and of those that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    """Read the notes with one process and with two."""
    if len(sys.argv) == 1:
        sys.exit("skipped: name a folder of notes")
    folder, every = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1  # noqa: PLR2004
    vault = Vault(folder)
    paths = sorted(folder.rglob("*.md"))[::every]
    texts = [(path, readable(vault.read(path.relative_to(folder).as_posix()))) for path in paths]
    words = sum(len(text.split()) for _, some in texts for text in some)
    telling = telling_of(load_ontology())
    for processes in (1, 2):
        for name, wanted in (("names", None), ("names and grammar", telling)):
            began, used = time.perf_counter(), cpu()
            reads = Recognizer(processes=processes).read(texts, wanted)
            parsed = sum(len(each) for _, read in reads for each in read.sentences)
            seconds, spent = time.perf_counter() - began, cpu() - used
            speed = f"{words / spent:7.0f} words a CPU second, {words / seconds:7.0f} a second"
            print(f"{processes} process(es), {name:18} {speed}, {parsed} sentences parsed")


if __name__ == "__main__":
    main()
