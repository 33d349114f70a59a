"""The names in sentences, and which of them the program finds, with and without a vault that knows half of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import yaml
from _gold import GOLD
from _remembered import Note, remembered

from kgmem.model import EntityType

_NOTE_TYPES = {
    EntityType.PERSON: "person",
    EntityType.ORGANIZATION: "organization",
    EntityType.LOCATION: "place",
    EntityType.EVENT: "event",
    EntityType.OBJECT: "product",
}
"""What the `type` property of a note about such a thing says."""


class Named(NamedTuple):
    """A name where it stands in a text. An article at its start is no part of it: "the Louvre" is "Louvre"."""

    item: int
    start: int
    end: int
    type: EntityType

    @classmethod
    def at(cls, item: int, text: str, start: int, end: int, kind: EntityType) -> Named:
        """The name that stands there."""
        article = re.match(r"(?i:the)\s+", text[start:end])
        return cls(item, start + (article.end() if article else 0), end, kind)


class Names(NamedTuple):
    """The gold set of names."""

    texts: tuple[str, ...]
    named: frozenset[Named]
    known: Mapping[str, EntityType]
    """The half of the names that a vault may have notes about."""


def names(path: Path = GOLD / "names.yaml") -> Names:
    """Read the gold set."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    named, types = set(), {}
    for number, row in enumerate(data["items"]):
        for kind, some in row["names"].items():
            for name in some:
                types[name] = EntityType(kind)
                places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", row["text"])
                named |= {Named.at(number, row["text"], *place.span(), EntityType(kind)) for place in places}
    return Names(
        tuple(row["text"] for row in data["items"]), frozenset(named), {name: types[name] for name in data["known"]}
    )


def find_names(gold: Names, *, known: bool) -> frozenset[Named]:
    """The names that the program finds in the texts; with `known`, in a vault that has notes about half of them."""
    about = [Note(f"---\ntype: {_NOTE_TYPES[kind]}\n---\n", name) for name, kind in gold.known.items()]
    found = set()
    with remembered([Note(text) for text in gold.texts], beside=about if known else ()) as memory:
        for source, number in memory.numbers.items():
            body = {each.id for each in memory.store.passages_of(source) if each.text == gold.texts[number]}
            mentions = [each for each in memory.store.mentions_in(source) if each.passage in body]
            entities = memory.store.entities(each.entity for each in mentions)
            found |= {
                Named.at(number, gold.texts[number], each.start, each.end, entities[each.entity].type)
                for each in mentions
            }
    return frozenset(found)


def f1(gold: frozenset[Named], found: frozenset[Named], kind: EntityType | None = None) -> tuple[float, float, float]:
    """(F1, precision, recall) of all names, or of those of one type; span and type must both be right."""
    wanted, got = ({each for each in some if kind in {None, each.type}} for some in (gold, found))
    right = len(wanted & got)
    return 2 * right / max(1, len(wanted) + len(got)), right / max(1, len(got)), right / max(1, len(wanted))
