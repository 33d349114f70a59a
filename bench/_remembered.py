"""Notes in a memory of their own, ingested as a person would, and what that memory claims from their prose."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from _gold import Item, Said, dates_shown, kind_shown, said

from kgmem.extraction.entities import Recognizer
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import LINKS_TO, Basis, Bound, Claim, ClaimKind, Id
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.protocol import Store

_NOT_SAID = frozenset({"title", "property"})
"""Kinds of passages that are no prose."""


class Note(NamedTuple):
    """A note as a person keeps it."""

    text: str
    title: str | None = None

    @classmethod
    def of(cls, item: Item) -> Note:
        """A note of the gold set."""
        kind = f"type: {item.type}\n" if item.type else ""
        return cls(f"---\ndate: {item.date}\n{kind}---\n{item.text}\n", item.title)


class Remembered(NamedTuple):
    """A memory of notes, each by its number."""

    store: Store
    numbers: Mapping[Id, int]


@contextmanager
def remembered(notes: Sequence[Note], *, owner: str | None = None, beside: Sequence[Note] = ()) -> Iterator[Remembered]:
    """A memory that ingested notes as the program does with spaCy and without a model.

    Args:
        notes: those that are measured.
        owner: who "I" is.
        beside: more notes, which have no number.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        paths = {_write(folder / "vault", f"Note {number:04}", note): number for number, note in enumerate(notes)}
        for number, note in enumerate(beside):
            _write(folder / "vault", f"Beside {number:04}", note)
        with closing(open_store(f"sqlite:///{folder / 'memory.db'}", "default")) as store:
            Memory(store, load_ontology(owner=owner), Recognizer()).ingest(Vault(folder / "vault"))
            yield Remembered(store, {each.id: paths[each.path] for each in store.sources() if each.path in paths})


def _write(vault: Path, title: str, note: Note) -> str:
    file = vault / "Notes" / f"{note.title or title}.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(note.text, encoding="utf-8")
    return file.relative_to(vault).as_posix()


class Claimed(NamedTuple):
    """What the memory claims from the prose of each note, and what it calls those that it speaks of."""

    claims: Mapping[int, Sequence[Claim]]
    names: Mapping[Id, frozenset[str]]


def claimed(memory: Remembered) -> Claimed:
    """Read what the memory claims; a bare link claims nothing."""
    held: dict[int, list[Claim]] = {}
    for source, number in memory.numbers.items():
        prose = {each.id for each in memory.store.passages_of(source) if each.kind not in _NOT_SAID}
        claims = (claim for _, claim in memory.store.asserted(source))
        held[number] = [claim for claim in claims if claim.passage in prose and claim.predicate != LINKS_TO]
    every = list(chain.from_iterable(held.values()))
    ids = {claim.subject for claim in every} | {claim.object for claim in every if claim.object is not None}
    names = {each: {entity.name} for each, entity in memory.store.entities(ids).items()}
    for each, aliases in memory.store.aliases_of(ids).items():
        names[each] |= {alias.name for alias in aliases}
    return Claimed(held, {each: frozenset(some) for each, some in names.items()})


def said_in(memory: Remembered) -> dict[int, list[Said]]:
    """The claims from each note, as they are compared."""
    found = claimed(memory)
    return {number: [_read(claim, found.names) for claim in claims] for number, claims in found.claims.items()}


def _read(claim: Claim, names: Mapping[Id, frozenset[str]]) -> Said:
    target = names[claim.object] if claim.object is not None else {claim.value or ""}
    start, end = _stated(claim.valid.start), _stated(claim.valid.end)
    only_if = claim.kind is ClaimKind.YIELDS
    ends = only_if or claim.kind is ClaimKind.ENDS
    words = f"{max(names[claim.subject], key=len)} {claim.predicate} {max(target, key=len)}"
    shown = f"{kind_shown(claim.kind.value)}{words}{dates_shown(start, end)} ({claim.rung})"
    return said(
        names[claim.subject], frozenset({claim.predicate}), target, start, end, ends=ends, maybe=only_if, shown=shown
    )


def _stated(bound: Bound) -> str | None:
    return bound.shown if bound.basis is Basis.STATED else None


class Drawn(NamedTuple):
    """All that is claimed from a vault but bare links; what its entities are called; where each claim stands."""

    claims: Sequence[Claim]
    names: Mapping[Id, str]
    places: Mapping[Id, str]
    """``path:line``."""


def claims_of_vault(vault: Path, *, owner: str | None = None) -> Drawn:
    """Ingest a vault as it is, with spaCy and without a model, and read its claims in the order of its notes."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        closing(open_store(f"sqlite:///{Path(temporary) / 'memory.db'}", "default")) as store,
    ):
        Memory(store, load_ontology(owner=owner), Recognizer()).ingest(Vault(vault))
        claims, places = [], {}
        for source in sorted(store.sources(), key=lambda each: each.path):
            lines = {each.id: each.first_line for each in store.passages_of(source.id)}
            some = sorted((claim for _, claim in store.asserted(source.id)), key=lambda claim: claim.statement)
            claims += [claim for claim in some if claim.predicate != LINKS_TO]
            places.update({each.id: f"{source.path}:{lines.get(each.passage, 0) + each.line}" for each in some})
        ids = {claim.subject for claim in claims} | {claim.object for claim in claims if claim.object is not None}
        return Drawn(claims, {each: entity.name for each, entity in store.entities(ids).items()}, places)
