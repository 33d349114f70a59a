"""Captures in a memory: a thought goes in, is found again, and is changed. `forget` takes one out, as any source.

A capture is a source like a note. It is only not read from a file: its episodes are all there is of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from kgmem.errors import NotFoundError, UserError
from kgmem.ingestion.plan import born
from kgmem.memory import Memory
from kgmem.model import LINKS_TO, OPEN, Counts, Entity, Episode, Fact, Instant, Report, Source
from kgmem.resolution.names import name_key
from kgmem.sources.arriving import CAPTURES
from kgmem.sources.captures import Said, captures, composed, name_of, numbered, readable
from kgmem.sources.document import SourceSettings
from kgmem.store.protocol import FactQuery, Store

_NOTHING: Final = Report(Counts(), 0, 0, 0, 0)
_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class Understood:
    """What a capture came to."""

    source: Source
    report: Report
    facts: tuple[Fact, ...] = ()
    """What is believed because of it, others' words aside or not."""
    names: tuple[Entity, ...] = ()
    """Whom and what it names, in the order of its text."""
    ended: tuple[Fact, ...] = ()
    """What is believed no more since."""
    repeated: bool = False
    """It was there already, word for word, and nothing was changed."""


class Captures:
    """The captures of one memory."""

    def __init__(self, memory: Memory, settings: SourceSettings) -> None:
        self._memory = memory
        self._store = memory.store
        self._settings = settings

    def add(self, text: str, said: Said, *, twice: bool = False) -> Understood:
        """Remember a text.

        Args:
            text: Markdown, as a note has it.
            said: its date, its tags, and whom it is about.
            twice: also if a capture of that date says exactly this.

        Raises:
            UserError: there is nothing in it, or it was erased.
        """
        kept = readable(text)
        name, body = name_of(kept, said.on), composed(kept, said)
        for path, live in self._names(name):
            if live is None:
                return self._ingest(path, body)
            if not twice and self.body(live) == body:
                return Understood(live, _NOTHING, *self._understood(live)[:2], repeated=True)
        raise AssertionError  # pragma: no cover - the numbers do not end

    def edit(self, source: Source, text: str) -> Understood:
        """Let a capture say something else: a new episode of the same source."""
        return self._ingest(source.path, readable(text))

    def find(self, name: str) -> Source:
        """The live capture of a name, or of words that only its name holds.

        Raises:
            NotFoundError: there is none.
            UserError: there are several.
        """
        key = name_key(name)
        every = list(self._store.sources(CAPTURES))
        exact = [each for each in every if name in (each.id, each.path) or key == name_key(each.title)]
        found = exact or [each for each in every if key and key in name_key(each.path)]
        if not found:
            raise NotFoundError(f"no capture is called {name!r}", "`kgmem captures` lists them")
        if len(found) > 1:
            listed = ", ".join(each.path for each in found[:_LISTED])
            raise UserError(f"{len(found)} captures are called {name!r}", f"name one of {listed}")
        return found[0]

    def body(self, source: Source) -> str:
        """What a capture says."""
        episode = self._store.episode(source.id)
        return "" if episode is None else episode.body

    def _names(self, name: str) -> Iterator[tuple[str, Source | None]]:
        """(a name, the live capture that has it), up to one that no capture has, had, or was erased with."""
        live = {each.path: each for each in self._store.sources(CAPTURES)}
        refused = {each for one in self._store.decisions() for each in (one.source, *one.others)}
        for number in count(1):
            path = numbered(name, number)
            own = born(CAPTURES, path)
            if path in live:
                yield path, live[path]
            elif own not in refused and not self._store.sources_ever([own]):
                yield path, None

    def _ingest(self, path: str, body: str) -> Understood:
        report = self._memory.ingest(captures(self._settings, {path: body}))
        source = next((each for each in self._store.sources(CAPTURES) if each.path == path), None)
        if source is None or not (report.counts.added or report.counts.changed or report.counts.unchanged):
            raise UserError(
                "these very words were erased, or forgotten, and are refused since",
                "say it in other words; `kgmem forget --list` shows what is forgotten",
            )
        facts, names, ended = self._understood(source)
        if not (report.counts.added or report.counts.changed):
            return Understood(source, report, facts, names, repeated=True)
        return Understood(source, report, facts, names, ended)

    def _understood(self, source: Source) -> tuple[tuple[Fact, ...], tuple[Entity, ...], tuple[Fact, ...]]:
        said = self._store.asserted(source.id)
        claims = {claim.id for _, claim in said if claim.predicate != LINKS_TO}
        slots = dict.fromkeys(slot for slot, claim in said if claim.id in claims)
        held = self._store.open_facts(slots)
        facts = (fact for slot in slots for fact in held.get(slot, ()) if claims.intersection(fact.evidence))
        mentions = self._store.mentions_in(source.id)
        named = dict.fromkeys(each.entity for each in mentions if each.entity != source.entity)
        known = self._store.entities(named)
        return tuple(facts), tuple(known[each] for each in named if each in known), self._ended(source)

    def _ended(self, source: Source) -> tuple[Fact, ...]:
        """What was closed since its episode came, and is not said in the same words by a fact that was opened."""
        episode = self._store.episode(source.id)
        if episode is None:
            return ()
        before = Instant(episode.recorded_at - 1)
        _, changed = self._store.facts(FactQuery(links=False, versions=True, changed=(before, OPEN)))
        opened = {(each.predicate, each.statement) for each in changed if each.closed_at == OPEN}
        closed = (each for each in changed if each.closed_at < OPEN)
        return tuple(each for each in closed if (each.predicate, each.statement) not in opened)


@dataclass(frozen=True, slots=True)
class Captured:
    """A capture as it is listed."""

    source: Source
    episode: Episode


def listed(store: Store) -> list[Captured]:
    """The live captures, that which was said or changed last first."""
    found = [
        Captured(each, episode) for each in store.sources(CAPTURES) if (episode := store.episode(each.id)) is not None
    ]
    return sorted(found, key=lambda each: (-each.episode.recorded_at, each.source.path))
