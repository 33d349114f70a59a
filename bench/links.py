"""What links would mean without their brackets: ``python bench/links.py VAULT…``.

The author of a vault linked words to a note. With the brackets gone, does the mention of those words still lead to
that note? Coverage is the share of links whose words are found as a name and lead to one note, accuracy the share of
these that lead to the note which the author meant. Links shown by other words than the title are counted apart.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from _measure import Figure, machine, show

from kgmem.extraction.marks import NOT_PROSE
from kgmem.extraction.ontology import load_ontology
from kgmem.extraction.proposal import Ref
from kgmem.ingestion.plan import Plan, Planner
from kgmem.model import AliasKind
from kgmem.resolution.names import name_key
from kgmem.sources.document import Block, Link
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a link without its brackets."""

    plain: bool
    """It is shown by the title of its note."""
    found: bool
    right: bool


def outcomes(vault: Vault, plan: Plan) -> Iterator[Outcome]:
    """Every link of a vault to a note that is there."""
    for path in vault.paths():
        for block in vault.read(path).blocks:
            if block.kind not in NOT_PROSE:
                spans = {(span.start, span.end) for span in plan.lexicon.find(block.prose)}
                yield from (_outcome(link, block, spans, plan) for link in block.links if _is_meant(link, path, plan))


def _is_meant(link: Link, path: str, plan: Plan) -> bool:
    return bool(link.path and link.path != path and link.shown and plan.directory.at(link.path))


def _outcome(link: Link, block: Block, spans: set[tuple[int, int]], plan: Plan) -> Outcome:
    meant = plan.directory.at(link.path or "")
    words = block.prose[link.shown_start : link.shown_end]
    plain = meant is not None and name_key(words) == name_key(meant.name)
    who = plan.directory.resolve(Ref(words, AliasKind.TEXT), frozenset(), frozenset())
    found = (link.shown_start, link.shown_end) in spans and who is not None and who.anchor is not None
    return Outcome(plain, found, found and meant is not None and who is not None and who.entity == meant.entity)


def figures(folder: Path) -> list[Figure]:
    """Coverage and accuracy of one vault."""
    with tempfile.TemporaryDirectory() as home:
        store = open_store(f"sqlite:///{home}/memory.db", "default")
        vault = Vault(folder)
        planner = Planner(store, load_ontology, vault.root, vault.kind)
        plan = planner.plan(vault.scan({}))
        counts = {plain: Counter[str]() for plain in (True, False)}
        for each in outcomes(vault, plan):
            counts[each.plain].update(links=1, found=each.found, right=each.right)
        store.close()
    return [row for plain, count in counts.items() for row in _rows(count, plain=plain)]


def _rows(count: Counter[str], *, plain: bool) -> Iterator[Figure]:
    how = "shown by the title" if plain else "shown by other words"
    links, found = count["links"], count["found"]
    yield Figure(f"links {how}", f"{links}")
    yield Figure("  that still lead to a note", f"{found / links:.3f}" if links else "-")
    yield Figure("  to the note that was meant, of these", f"{count['right'] / found:.3f}" if found else "-")


def main() -> None:
    """Measure each vault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vaults", nargs="+", type=Path)
    print(machine())
    for folder in parser.parse_args().vaults:
        if not folder.is_dir():
            print(f"\nSKIPPED: there is no folder {folder}", file=sys.stderr)
            continue
        show(folder.name, figures(folder))


if __name__ == "__main__":
    main()
