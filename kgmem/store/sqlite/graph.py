"""Reading which passages and entities hang together: what a walk over the graph asks for, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final

from kgmem.model import Id, Instant, unique
from kgmem.store.graph import Tie
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import seek_id, unpack_id
from kgmem.store.sqlite.then import Then
from kgmem.store.text import phrase

_NAMED_BY_PASSAGE: Final = (
    "SELECT p.id, e.id, 0 FROM passage p CROSS JOIN mention m ON m.passage = p.nr"
    " CROSS JOIN entity e ON e.nr = m.entity WHERE p.grp = :grp AND p.id = :id AND {0}"
)
_ABOUT_OF_PASSAGE: Final = (
    "SELECT p.id, s.entity, 1 FROM passage p CROSS JOIN source s ON s.nr = p.source"
    " WHERE p.grp = :grp AND p.id = :id AND s.entity IS NOT NULL AND {0}"
)
_NAMING_ENTITY: Final = (
    "SELECT p.id, e.id, 0 FROM entity e CROSS JOIN mention m ON m.entity = e.nr"
    " CROSS JOIN passage p ON p.nr = m.passage WHERE e.grp = :grp AND e.id = :id AND :few AND {0}"
)
_OWN_OF_ENTITY: Final = (
    "SELECT p.id, s.entity, 1 FROM source s CROSS JOIN passage p"
    " ON p.grp = s.grp AND p.live IN (0, 1) AND p.source = s.nr WHERE s.grp = :grp AND s.entity = :id AND {0}"
)
_NAMED: Final = (
    "SELECT e.id, (SELECT count(*) FROM (SELECT DISTINCT m.passage FROM mention m WHERE m.entity = e.nr LIMIT ?))"
    " FROM entity e WHERE e.grp = ? AND e.id = ?"
)

_SAID: Final = "SELECT count(*) FROM (SELECT rowid FROM fts_passage_@ WHERE fts_passage_@ MATCH ? LIMIT ?)"


class SqliteGraph:
    """See `kgmem.store.graph.Graph`."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Handle]]) -> None:
        self._reading = reading

    def ties(  # noqa: D102
        self,
        *,
        passages: Iterable[Id] = (),
        entities: Iterable[Id] = (),
        most: int,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Tie, ...]:
        with self._reading() as handle:
            return _ties(handle, passages, entities, most, Then(valid, known))

    def said(self, texts: Iterable[str], most: int) -> dict[str, int]:  # noqa: D102
        with self._reading() as handle:
            return _said(handle, texts, most)


def _ties(handle: Handle, passages: Iterable[Id], entities: Iterable[Id], most: int, then: Then) -> tuple[Tie, ...]:
    fixed = {**then.bindings, "grp": handle.grp}
    texts = [{**fixed, "id": seek_id(each)} for each in unique(passages)]
    named = _named(handle, (seek_id(each) for each in unique(entities)), most)
    things = [{**fixed, "id": each, "few": number <= most} for each, number in named.items()]
    found: dict[tuple[int, int], int] = {}
    for asked, sql in (
        (texts, _NAMED_BY_PASSAGE), (things, _NAMING_ENTITY), (texts, _ABOUT_OF_PASSAGE), (things, _OWN_OF_ENTITY)
    ):  # fmt: skip
        for passage, entity, own in handle.connection.executemany(sql.format(then.stands), asked):
            found[passage, entity] = max(own, found.get((passage, entity), 0))
    named.update(_named(handle, {entity for _, entity in found} - named.keys(), most))
    return tuple(
        Tie(unpack_id(passage), unpack_id(entity), bool(own), named[entity]) for (passage, entity), own in found.items()
    )


def _named(handle: Handle, entities: Iterable[Any], most: int) -> dict[int, int]:
    """By packed id, how many passages ever named an entity, counted up to one more than `most`."""
    return dict(handle.each(_NAMED, [(most + 1, handle.grp, each) for each in entities]))


def _said(handle: Handle, texts: Iterable[str], most: int) -> dict[str, int]:
    asked = {text: phrase(text) for text in unique(texts)} if handle.grp else {}
    return {text: int(handle.first(_SAID, words, most)[0]) for text, words in asked.items() if words is not None}
