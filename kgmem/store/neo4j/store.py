"""The store: one group's memory on a Neo4j server. What each method means is said in `kgmem.store.protocol`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from kgmem.errors import InvariantError, StoreError
from kgmem.model import (
    Alias,
    Claim,
    Decision,
    Entity,
    Episode,
    Fact,
    Id,
    Instant,
    Mention,
    Passage,
    Replayed,
    Source,
)
from kgmem.store.clock import Clock, Tick, instant_of
from kgmem.store.loading import HalfCopy
from kgmem.store.neo4j import care, compare, decisions, read_beliefs, read_names, read_texts, schema, search
from kgmem.store.neo4j.address import read_address
from kgmem.store.neo4j.ahead import Ahead
from kgmem.store.neo4j.archive import Neo4jArchive
from kgmem.store.neo4j.connection import BUSY_SECONDS, Handle, connect
from kgmem.store.neo4j.failures import translated
from kgmem.store.neo4j.replies import Neo4jReplies
from kgmem.store.neo4j.then import Then
from kgmem.store.neo4j.vector_calls import Neo4jVectors
from kgmem.store.protocol import (
    Batch,
    Coming,
    EntityCard,
    EntityQuery,
    Evidence,
    FactQuery,
    Hit,
    Naming,
    Neighbour,
    Placed,
    Proposal,
    Scope,
    Stats,
    Transacted,
)

if TYPE_CHECKING:
    from kgmem.store.changes import ChangeSet, Erasure
    from kgmem.store.neo4j.conversations import Neo4jConversations
    from kgmem.store.neo4j.generations import Neo4jGenerations
    from kgmem.store.neo4j.graph import Neo4jGraph
    from kgmem.store.neo4j.load import Neo4jLoader

_HOLD_SECONDS: Final = 2.0
"""How long a batch keeps other writers waiting, who give up after a while: then it is made two. Only the count of what
it took in may be too low where the second one breaks off."""


class Neo4jTransaction:
    """See `kgmem.store.protocol.Transaction`."""

    def __init__(self, handle: Handle, tick: Tick, ahead: Ahead, begins: Callable[[], None]) -> None:
        self.recorded_at = tick.at
        self.complete = False
        self.begun = False
        self.news = False
        """Whether it wrote anything."""
        self._handle = handle
        self._tick = tick
        self._ahead = ahead
        self._begins = begins
        """Tells that from now on every read sees what was written."""

    def expect(self, entities: Iterable[Id], named: Iterable[Id]) -> None:  # noqa: D102
        self._ahead.expect(entities, named)

    def commit(self, changes: ChangeSet) -> None:
        """Write the change set; it becomes visible to others when the block ends well."""
        from kgmem.store.neo4j import writes

        if self.begun:
            raise InvariantError("one transaction writes one change set")
        self.begun = True
        self._begins()
        self._ahead.forget(changes)
        with translated(self._handle.address):
            self.news = writes.write(self._handle, changes, self._tick)
        self.complete = True


class Neo4jStore(Neo4jVectors, Neo4jReplies):
    """See `kgmem.store.protocol.Store`. A handle belongs to one thread."""

    def __init__(
        self,
        url: str,
        group: str,
        *,
        now: datetime | None = None,
        readonly: bool = False,
        busy_seconds: float = BUSY_SECONDS,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._now = None if now is None else instant_of(now)
        self._address = read_address(url, environ)
        self.url = self._address.shown
        self.group = group
        self._readonly = readonly
        self._writing = False
        self._batch: Batch | None = None
        self._ahead: Ahead | None = None
        """While a transaction has written nothing."""
        self._kept: Ahead | None = None
        """The same, from one transaction of a batch to the next."""
        self._coming = Coming()
        self._clock = Clock()
        self._began = 0.0
        with translated(self._address), ExitStack() as undo:
            self._handle = connect(self._address, group, busy_seconds)
            undo.callback(self._handle.close)
            schema.open_group(self._handle, readonly=readonly)
            undo.pop_all()

    def close(self) -> None:  # noqa: D102
        self._handle.close()

    def home(self) -> str:  # noqa: D102
        with self._reading() as handle:
            return f"neo4j {handle.first('CALL db.info() YIELD id RETURN id')[0]}"

    # -- writing

    @contextmanager
    def writing(self, at: Instant | None = None) -> Iterator[Neo4jTransaction]:  # noqa: D102
        if self._readonly:
            raise StoreError(f"{self.url} was opened for reading only")
        if self._writing:
            raise InvariantError("a transaction is open already: they do not nest")
        self._writing = True
        try:
            with translated(self._address):
                if not self._handle.in_transaction:
                    self._begin()
            yield from self._transact(at)
        finally:
            self._writing = False

    def _begin(self) -> None:
        """Become the writer. Half a copy takes nothing else in."""
        before = self._handle.group
        found = self._handle.begin()
        if found.half is not None:
            self._handle.roll_back()
            raise found.half.refused(self.group, self.url)
        if self._handle.group != before:
            self._kept = None  # what was read ahead is of another generation
        self._clock, self._began = found.clock, time.monotonic()
        self._kept = Ahead(self._handle, self._kept.still() if self._kept else self._coming)

    def _transact(self, at: Instant | None) -> Iterator[Neo4jTransaction]:
        """A transaction of its own, or its part of the one that a batch is."""
        whole = False
        transaction = None
        try:
            tick = self._tick(at)
            if self._kept is None:
                self._kept = Ahead(self._handle, Coming())
            self._ahead = self._kept
            transaction = Neo4jTransaction(self._handle, tick, self._ahead, self._stop_reading_ahead)
            yield transaction
            whole = transaction.complete
        finally:
            self._stop_reading_ahead()
            if self._batch is None:
                self._kept = None
            if transaction is not None and transaction.begun and not whole:
                self._take_back()
            elif transaction is not None and transaction.news:
                self._clock = Clock(tick.at, tick.base)
            if self._batch is None and not whole:
                self._take_back()
        if self._batch is None or time.monotonic() - self._began > _HOLD_SECONDS:
            with translated(self._address):
                self._handle.commit()

    def _stop_reading_ahead(self) -> None:
        self._ahead = None

    def _take_back(self) -> None:
        """Undo what was not written to its end; in a batch all of it, for a server has no savepoints."""
        if self._batch is not None:
            self._batch.kept = False
        self._handle.roll_back()

    def _tick(self, at: Instant | None) -> Tick:
        if at is not None:
            return self._clock.tick_at(at)
        if self._now is not None:
            return self._clock.tick(self._now, pinned=True)
        return self._clock.tick(Instant(time.time_ns() // 1000), pinned=False)

    @contextmanager
    def batch(self, coming: Coming | None = None) -> Iterator[Batch]:  # noqa: D102
        self._batch = batch = Batch()
        self._coming = coming or Coming()
        try:
            yield batch
        finally:
            self._batch, self._kept, self._coming = None, None, Coming()
            kept, batch.kept = batch.kept, False
            with translated(self._address):
                self._handle.commit()
            batch.kept = kept

    def restat(self, sources: Iterable[Source]) -> None:  # noqa: D102
        from kgmem.store.neo4j import writes

        with self._aside() as handle:
            writes.restat(handle, list(sources))

    def mark_replayed(self, root: str, upto: Replayed) -> None:  # noqa: D102
        from kgmem.store.neo4j import writes

        with self._aside() as handle:
            writes.put_replayed(handle, root, upto)

    def graph(self) -> Neo4jGraph:  # noqa: D102
        from kgmem.store.neo4j.graph import Neo4jGraph

        return Neo4jGraph(self._reading)

    def compare(  # noqa: D102
        self,
        blocks: Mapping[Id, Iterable[str]],
        proposals: Iterable[Proposal],
        dropped: Iterable[tuple[Id, Id]],
        upto: Instant | None = None,
    ) -> int:
        with self._aside() as handle, self._unit():
            return compare.put(handle, blocks, proposals, dropped, upto)

    def erase(self, what: Erasure) -> bool:
        """See the protocol: nothing is left that a client can reach."""
        from kgmem.store.neo4j import erase

        with self._aside() as handle, self._unit():
            erase.erase(handle, what)
        return True

    @contextmanager
    def _aside(self) -> Iterator[Handle]:
        """Write what is no knowledge, and so ticks no clock."""
        if self._readonly:
            raise StoreError(f"{self.url} was opened for reading only")
        self._stop_reading_ahead()
        self._kept = None
        with translated(self._address):
            yield self._handle

    @contextmanager
    def _unit(self) -> Iterator[None]:
        """All queries of a block as one transaction: the open one, or one of their own."""
        if self._handle.in_transaction:
            yield
            return
        with self._transaction():
            yield

    @contextmanager
    def _transaction(self) -> Iterator[HalfCopy | None]:
        """A transaction that holds the lock, with what the group is half a copy of then."""
        with self._aside() as handle:
            found = handle.begin()
            try:
                yield found.half
                handle.commit()
            finally:
                handle.roll_back()

    def conversations(self) -> Neo4jConversations:  # noqa: D102
        from kgmem.store.neo4j.conversations import Neo4jConversations

        return Neo4jConversations(self._handle, self._reading)

    # -- reading

    @contextmanager
    def _reading(self) -> Iterator[Handle]:
        with translated(self._address):
            self._handle.follow_soon()
            yield self._handle

    def roots(self) -> tuple[tuple[str, str, int], ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.roots(handle)

    def replayed(self, root: str) -> Replayed | None:  # noqa: D102
        with self._reading() as handle:
            return read_texts.replayed(handle, root)

    def sources(self, root: str | None = None) -> Iterator[Source]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.sources(handle, root)

    def source(self, name: str) -> Source | None:  # noqa: D102
        with self._reading() as handle:
            return read_texts.source(handle, name)

    def sources_ever(self, ids: Iterable[Id]) -> Mapping[Id, Source]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.sources_ever(handle, ids)

    def sources_called(self, path: str) -> tuple[Source, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.sources_called(handle, path)

    def paths(self, source: Id) -> tuple[tuple[str, str], ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.paths(handle, source)

    def sources_about(self, entity: Id, *, known: Instant | None = None) -> tuple[Source, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.sources_about(handle, entity, known)

    def episode(self, source: Id) -> Episode | None:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.episode(source) if self._ahead else read_texts.episode(handle, source)

    def episodes(self, source: Id) -> tuple[Episode, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.episodes(handle, source)

    def source_of(self, episode: Id) -> Id | None:  # noqa: D102
        with self._reading() as handle:
            return read_texts.source_of(handle, episode)

    def passages_of(self, source: Id, *, known: Instant | None = None) -> tuple[Passage, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.passages_of(handle, source, known)

    def placed(self, passages: Iterable[Id], *, known: Instant | None = None) -> Mapping[Id, Placed]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.placed(handle, passages, known)

    def sources_naming(self, keys: Iterable[str], phrases: Iterable[str] = ()) -> frozenset[Id]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.sources_naming(handle, keys, phrases)

    def namings(self, keys: Iterable[str], *, strongest: bool = False) -> Mapping[str, tuple[Naming, ...]]:  # noqa: D102
        with self._reading() as handle:
            return read_names.namings(handle, keys, strongest=strongest)

    def linked(self, names: Iterable[tuple[str, Id]]) -> frozenset[str]:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.linked(names) if self._ahead else read_names.linked(handle, names)

    def relinked(self) -> Mapping[str, Instant]:  # noqa: D102
        with self._reading() as handle:
            return read_names.relinked(handle)

    def look_after(self, keys: Mapping[str, Instant]) -> None:  # noqa: D102
        from kgmem.store.neo4j import write_names

        with self._aside() as handle, self._unit():
            write_names.look_after(handle, keys)

    def anchors(self) -> Iterator[Naming]:  # noqa: D102
        with self._reading() as handle:
            return read_names.anchors(handle)

    def aliases_of(self, entities: Iterable[Id]) -> Mapping[Id, tuple[Alias, ...]]:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.aliases_of(entities) if self._ahead else read_names.aliases_of(handle, entities)

    def aliases_from(self, source: Id) -> tuple[Alias, ...]:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.aliases_from(source) if self._ahead else read_names.aliases_from(handle, source)

    def cards(self, query: EntityQuery) -> tuple[int, tuple[EntityCard, ...]]:  # noqa: D102
        with self._reading() as handle:
            return read_names.cards(handle, query)

    def entities(self, ids: Iterable[Id]) -> Mapping[Id, Entity]:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.entities(ids) if self._ahead else read_names.entities(handle, ids)

    def neighbours(  # noqa: D102
        self, entity: Id, limit: int, *, valid: tuple[int, int] | None = None, known: Instant | None = None
    ) -> tuple[int, tuple[Neighbour, ...]]:
        with self._reading() as handle:
            return read_names.neighbours(handle, entity, limit, Then(valid, known))

    def mentions_of(  # noqa: D102
        self, entity: Id, limit: int, *, valid: tuple[int, int] | None = None, known: Instant | None = None
    ) -> tuple[int, tuple[Mention, ...]]:
        with self._reading() as handle:
            return read_names.mentions_of(handle, entity, limit, Then(valid, known))

    def mentions_in(self, source: Id) -> tuple[Mention, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_names.mentions_in(handle, source)

    def claims(  # noqa: D102
        self, *, slots: Iterable[Id] | None = None, source: Id | None = None, known: Instant | None = None
    ) -> Mapping[Id, tuple[Claim, ...]]:
        with self._reading() as handle:
            if self._ahead and slots is not None and source is None and known is None:
                return self._ahead.claims(slots)
            return read_beliefs.claims(handle, slots, source, known)

    def asserted(self, source: Id) -> tuple[tuple[Id, Claim], ...]:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.asserted(source) if self._ahead else read_beliefs.asserted(handle, source)

    def claims_taken(self, source: Id, ids: Iterable[Id]) -> frozenset[Id]:  # noqa: D102
        with self._reading() as handle:
            if self._ahead:
                return self._ahead.claims_taken(source, ids)
            return read_beliefs.claims_taken(handle, source, ids)

    def open_facts(self, slots: Iterable[Id]) -> Mapping[Id, tuple[Fact, ...]]:  # noqa: D102
        with self._reading() as handle:
            return self._ahead.open_facts(slots) if self._ahead else read_beliefs.open_facts(handle, slots)

    def facts(self, query: FactQuery) -> tuple[int, tuple[Fact, ...]]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.facts(handle, query)

    def evidence(self, claims: Iterable[Id]) -> Mapping[Id, Evidence]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.evidence(handle, claims)

    def transactions(  # noqa: D102
        self, since: Instant | None = None, until: Instant | None = None
    ) -> tuple[Transacted, ...]:
        with self._reading() as handle:
            return read_beliefs.transactions(handle, since, until)

    def decisions(self) -> tuple[Decision, ...]:  # noqa: D102
        with self._reading() as handle:
            return decisions.decisions(handle)

    def rungs(self) -> frozenset[str]:  # noqa: D102
        with self._reading() as handle:
            return read_names.rungs(handle)

    def compared_upto(self) -> Instant | None:  # noqa: D102
        with self._reading() as handle:
            return compare.upto(handle)

    def named_since(self, since: Instant | None) -> frozenset[Id]:  # noqa: D102
        with self._reading() as handle:
            return compare.named_since(handle, since)

    def passages_naming(self, entities: Iterable[Id]) -> Mapping[Id, Mapping[Id, Id]]:  # noqa: D102
        with self._reading() as handle:
            return compare.passages_naming(handle, entities)

    def blocked(self, keys: Iterable[str]) -> Mapping[str, tuple[Id, ...]]:  # noqa: D102
        with self._reading() as handle:
            return compare.blocked(handle, keys)

    def keys_of(self, entities: Iterable[Id]) -> Mapping[Id, tuple[str, ...]]:  # noqa: D102
        with self._reading() as handle:
            return compare.keys_of(handle, entities)

    def filed(self, key: str, limit: int) -> int:  # noqa: D102
        with self._reading() as handle:
            return compare.filed(handle, key, limit)

    def proposals(self) -> tuple[Proposal, ...]:  # noqa: D102
        with self._reading() as handle:
            return compare.proposals(handle)

    def claims_ever(self, source: Id, episode: Id | None = None) -> tuple[tuple[Id, Id], ...]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.claims_ever(handle, source, episode)

    def instants(self, slot: Id, without: Iterable[Id]) -> tuple[Instant, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.instants(handle, slot, without)

    def search(  # noqa: D102
        self,
        scope: Scope,
        text: str,
        limit: int,
        *,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Hit, ...]:
        with self._reading() as handle:
            return search.search(handle, scope, text, limit, Then(valid, known))

    def nearest(  # noqa: D102
        self,
        kind: str,
        values: Sequence[float],
        limit: int,
        *,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Hit, ...]:
        from kgmem.store.neo4j.nearest import nearest

        with self._reading() as handle:
            return nearest(handle, kind, values, limit, Then(valid, known))

    def verify(self) -> tuple[str, ...]:  # noqa: D102
        with self._reading() as handle:
            return care.verify(handle)

    def strange_vectors(self) -> tuple[str, ...]:  # noqa: D102
        from kgmem.store.neo4j import vectors

        with self._reading() as handle:
            return vectors.strange(handle)

    def stats(self) -> Stats:  # noqa: D102
        with self._reading() as handle:
            return care.stats(handle)

    def dump(self) -> Iterator[str]:  # noqa: D102
        from kgmem.store.neo4j import dump

        with self._reading() as handle:
            yield from dump.dump(handle)

    def half_copy(self) -> HalfCopy | None:  # noqa: D102
        from kgmem.store.neo4j import load

        with self._reading() as handle:
            return load.half_copy(handle)

    def loader(self) -> Neo4jLoader:  # noqa: D102
        from kgmem.store.neo4j.load import Neo4jLoader

        return Neo4jLoader(self._handle, self._transaction)

    def cypher(self, query: str, limit: int) -> tuple[tuple[str, ...], list[list[Any]]]:
        """(columns, at most so many rows) of a query that a person typed, in a transaction that can only read.

        ``$group`` is the open group. Unlike every other call, this one sees whatever the query asks for.

        Raises:
            StoreError: the server does not understand it, or it would write.
        """
        from kgmem.store.neo4j import asked

        with self._reading() as handle:
            return asked.ask(handle, query, limit)

    def generations(self) -> Neo4jGenerations:  # noqa: D102
        from kgmem.store.neo4j.generations import Neo4jGenerations

        return Neo4jGenerations(self._handle, self._transaction)

    def archive(self) -> Neo4jArchive:  # noqa: D102
        return Neo4jArchive(self._reading, self._handle, self._transaction)
