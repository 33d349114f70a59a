"""Who is who in a small story: ``python bench/story.py``.

Twelve notes tell of one company: its legal forms, initials, nicknames, acronyms, "the union", and two people of one
name. `tests/gold/story.md` says who each mention means. The notes are ingested, once with structure and known names
alone and once with spaCy where it is installed, and resolved; a mention's cluster is the entity that the memory gives
it, and one that was not found is alone. With pending: as if a person who knows the truth had accepted the pairs that
wait and are right.
"""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from _measure import ROOT
from people import Clusters, b_cubed, pairwise

from kgmem.extraction.entities import Recognizer
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import Id, Mention
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.protocol import Store

GOLD = ROOT / "tests" / "gold" / "story.md"
_MARK = re.compile(r"\{([^{}|]+)\|(\w+)\}")


class Said(NamedTuple):
    """A mention of the gold: the n-th place (from 0) below the properties where a note has these words."""

    path: str
    surface: str
    nth: int
    who: str


class Place(NamedTuple):
    """Where words stand in a memory."""

    passage: Id
    start: int
    end: int


def notes_of(gold: str) -> Iterator[tuple[str, str]]:
    """(path, marked text) of each note."""
    for part in re.split(r"^=== ", gold, flags=re.MULTILINE)[1:]:
        path, _, text = part.partition("\n")
        yield path, text


def said_in(path: str, marked: str) -> Iterator[Said]:
    """The mentions of a note."""
    body = marked.rpartition("---\n")[2]
    for match in _MARK.finditer(body):
        before = _MARK.sub(r"\1", body[: match.start()])
        yield Said(path, match[1], before.count(match[1]), match[2])


def place(store: Store, said: Said) -> Place:
    """Where the words of a mention stand."""
    source = store.source(said.path)
    passages = store.passages_of(source.id) if source else ()
    places = (
        Place(passage.id, match.start(), match.end())
        for passage in passages
        if passage.kind not in {"title", "property"}
        for match in re.finditer(re.escape(said.surface), passage.text)
    )
    return next(islice(places, said.nth, None))


def found(store: Store, said: Sequence[Said]) -> list[Id | None]:
    """The entity of each mention: of those held there, the one that covers most of the words; None if there is none."""
    held: dict[Id, list[Mention]] = defaultdict(list)
    for source in store.sources():
        for mention in store.mentions_in(source.id):
            held[mention.passage].append(mention)
    entities: list[Id | None] = []
    for each in said:
        where = place(store, each)
        covers = [(min(m.end, where.end) - max(m.start, where.start), m.entity) for m in held[where.passage]]
        most, entity = max(covers, default=(0, ""))
        entities.append(entity if most > 0 else None)
    return entities


def remember(folder: Path, notes: Mapping[str, str], recognizer: Recognizer | None) -> Store:
    """The notes ingested and resolved."""
    for path, text in notes.items():
        file = folder / "vault" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    store = open_store(f"sqlite:///{folder / 'memory.db'}", "default")
    memory = Memory(store, load_ontology(), recognizer)
    memory.ingest(Vault(folder / "vault"))
    memory.resolver(lambda root, kind: Vault(Path(root), kind=kind)).resolve()
    return store


def report(store: Store, said: Sequence[Said]) -> None:
    """Print what the memory makes of the mentions."""
    entities, truth = found(store, said), [each.who for each in said]
    known = {entity: number for number, entity in enumerate(entities) if entity}
    sure, reviewed = Clusters(len(said)), Clusters(len(said))
    for number, entity in enumerate(entities):
        if entity:
            sure.join(number, known[entity])
            reviewed.join(number, known[entity])
    asked = [
        (known[pair.one], known[pair.other]) for pair in store.proposals() if {pair.one, pair.other} <= known.keys()
    ]
    right = [(one, other) for one, other in asked if truth[one] == truth[other]]
    for one, other in right:
        reviewed.join(one, other)
    print(f"found {sum(entity is not None for entity in entities)} of {len(said)} mentions as {len(known)} entities;"
          f" {len(right)} of {len(asked)} pairs that wait are right")  # fmt: skip
    for what, clusters in (("merged", sure), ("merged and pending", reviewed)):
        print(f"  {what + ', pairwise:':31} {pairwise(clusters.labels(), truth)}")
        print(f"  {what + ', B-cubed:':31} {b_cubed(clusters.labels(), truth)}")


def main() -> None:
    """Print the figures."""
    marked = dict(notes_of(GOLD.read_text(encoding="utf-8")))
    said = [each for path, text in marked.items() for each in said_in(path, text)]
    notes = {path: _MARK.sub(r"\1", text) for path, text in marked.items()}
    print(f"{len(said)} mentions of {len({each.who for each in said})} in {len(notes)} notes")
    recognizers: dict[str, Recognizer | None] = {"structure and known names": None}
    if Recognizer.available():
        recognizers["and spaCy"] = Recognizer()
    for how, recognizer in recognizers.items():
        with tempfile.TemporaryDirectory() as folder, closing(remember(Path(folder), notes, recognizer)) as store:
            print(f"\n{how}: ", end="")
            report(store, said)


if __name__ == "__main__":
    main()
