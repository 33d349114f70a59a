"""Reading which passages and entities hang together: what a walk over the graph asks for, many at a time.

A walk comes back to what it found, so what was read of a passage or an entity is kept: where its rows are, and how
often the entity is named. A step then costs the ties that it finds, and not also the way to both of their ends.
"""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any, Final

from kgmem.model import Id, Instant, unique
from kgmem.store.graph import Tie
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import seek_id, unpack_id
from kgmem.store.sqlite.then import Then
from kgmem.store.text import phrase

_PASSAGES: Final = (
    "SELECT p.nr, p.id, p.source FROM json_each(:sought) j CROSS JOIN passage p ON p.grp = :grp AND p.id = j.value"
    " WHERE {0}"
)
_NAMED_BY_PASSAGE: Final = (
    "SELECT m.passage, m.entity FROM json_each(:sought) j CROSS JOIN mention m ON m.passage = j.value"
)
_NAMING_ENTITY: Final = (
    "SELECT m.entity, p.nr, p.id, p.source FROM json_each(:sought) j CROSS JOIN mention m ON m.entity = j.value"
    " CROSS JOIN passage p ON p.nr = m.passage WHERE {0}"
)
_ABOUT: Final = (
    "SELECT s.nr, e.nr FROM json_each(:sought) j CROSS JOIN source s ON s.nr = j.value"
    " CROSS JOIN entity e ON e.grp = s.grp AND e.id = s.entity"
)
_OWN_OF_ENTITY: Final = (
    "SELECT e.nr, p.nr, p.id, p.source FROM json_each(:sought) j CROSS JOIN entity e ON e.nr = j.value"
    " CROSS JOIN source s ON s.grp = e.grp AND s.entity = e.id"
    " CROSS JOIN passage p ON p.grp = s.grp AND p.live IN (0, 1) AND p.source = s.nr WHERE {0}"
)
_NAMED: Final = "SELECT count(*) FROM (SELECT DISTINCT m.passage FROM mention m WHERE m.entity = e.nr LIMIT :cap)"
_BY_ID: Final = (
    f"SELECT e.nr, e.id, ({_NAMED}) FROM json_each(:sought) j CROSS JOIN entity e ON e.grp = :grp AND e.id = j.value"
)
_BY_NUMBER: Final = f"SELECT e.nr, e.id, ({_NAMED}) FROM json_each(:sought) j CROSS JOIN entity e ON e.nr = j.value"

_SAID: Final = "SELECT count(*) FROM (SELECT rowid FROM fts_passage_@ WHERE fts_passage_@ MATCH ? LIMIT ?)"


class SqliteGraph:
    """See `kgmem.store.graph.Graph`."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Handle]]) -> None:
        self._reading = reading
        self._read: _Read | None = None

    def ties(  # noqa: D102
        self,
        *,
        passages: Iterable[Id] = (),
        entities: Iterable[Id] = (),
        most: int,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Tie, ...]:
        then = Then(valid, known)
        if self._read is None or not self._read.fits(then, most):
            self._read = _Read(then, most)
        with self._reading() as handle:
            return self._read.ties(handle, passages, entities)

    def said(self, texts: Iterable[str], most: int) -> dict[str, int]:  # noqa: D102
        with self._reading() as handle:
            return _said(handle, texts, most)


class _Read:
    """What was read of the passages and entities of one time. Everything goes by the numbers of rows."""

    def __init__(self, then: Then, most: int) -> None:
        self._then = then
        self._most = most
        self._texts: dict[int, tuple[Id, int]] = {}
        """The id of each passage that stands, and the number of its source."""
        self._things: dict[int, tuple[Id, int]] = {}
        """The id of each entity, and how many passages ever named it, counted up to one more than `most`."""
        self._about: dict[int, int | None] = {}
        """What each source is about."""
        self._of_text: dict[Id, int] = {}
        self._of_thing: dict[Id, int] = {}

    def fits(self, then: Then, most: int) -> bool:
        return (self._then, self._most) == (then, most)

    def ties(self, handle: Handle, passages: Iterable[Id], entities: Iterable[Id]) -> tuple[Tie, ...]:
        texts = self._sought_texts(handle, unique(passages))
        things = self._sought_things(handle, unique(entities))
        named = self._rows(handle, _NAMED_BY_PASSAGE, texts)
        few = [thing for thing in things if self._things[thing][1] <= self._most]
        naming = self._led_to(handle, _NAMING_ENTITY, few)
        found = dict.fromkeys((*named, *naming), False)
        found.update(dict.fromkeys((*self._abouts(handle, texts), *self._led_to(handle, _OWN_OF_ENTITY, things)), True))
        self._note(self._rows(handle, _BY_NUMBER, unique(thing for _, thing in found if thing not in self._things)))
        of_text, of_thing = self._texts, self._things
        return tuple(
            Tie(of_text[text][0], of_thing[thing][0], own, of_thing[thing][1]) for (text, thing), own in found.items()
        )

    def _sought_texts(self, handle: Handle, ids: Iterable[Id]) -> list[int]:
        """The numbers of those passages that stand."""
        wanted = list(ids)
        new = [seek_id(each) for each in wanted if each not in self._of_text]
        for nr, packed, source in self._rows(handle, _PASSAGES, new):
            self._keep(nr, packed, source)
        return [self._of_text[each] for each in wanted if each in self._of_text]

    def _sought_things(self, handle: Handle, ids: Iterable[Id]) -> list[int]:
        """The numbers of those entities that are there."""
        wanted = list(ids)
        self._note(self._rows(handle, _BY_ID, [seek_id(each) for each in wanted if each not in self._of_thing]))
        return [self._of_thing[each] for each in wanted if each in self._of_thing]

    def _led_to(self, handle: Handle, sql: str, things: Iterable[int]) -> list[tuple[int, int]]:
        """(passage, entity) of some entities."""
        found = []
        for thing, text, packed, source in self._rows(handle, sql, things):
            if text not in self._texts:
                self._keep(text, packed, source)
            found.append((text, thing))
        return found

    def _abouts(self, handle: Handle, texts: Iterable[int]) -> list[tuple[int, int]]:
        """(passage, what its source is about) of some passages."""
        sources = {text: self._texts[text][1] for text in texts}
        new = unique(source for source in sources.values() if source not in self._about)
        self._about.update(dict.fromkeys(new))
        self._about.update(self._rows(handle, _ABOUT, new))
        abouts = ((text, self._about[source]) for text, source in sources.items())
        return [(text, about) for text, about in abouts if about is not None]

    def _keep(self, text: int, packed: int, source: int) -> None:
        identity = unpack_id(packed)
        self._texts[text] = (identity, source)
        self._of_text[identity] = text

    def _note(self, things: Iterable[tuple[int, int, int]]) -> None:
        for nr, packed, named in things:
            identity = unpack_id(packed)
            self._things[nr] = (identity, named)
            self._of_thing[identity] = nr

    def _rows(self, handle: Handle, sql: str, sought: Iterable[int | None]) -> list[Any]:
        """The rows of a statement for some ids or numbers, in their order."""
        wanted = list(sought)
        if not wanted:
            return []
        bindings = {**self._then.bindings, "grp": handle.grp, "cap": self._most + 1, "sought": json.dumps(wanted)}
        return list(handle.connection.execute(sql.format(self._then.stands), bindings))


def _said(handle: Handle, texts: Iterable[str], most: int) -> dict[str, int]:
    asked = {text: phrase(text) for text in unique(texts)} if handle.grp else {}
    return {text: int(handle.first(_SAID, words, most)[0]) for text, words in asked.items() if words is not None}
