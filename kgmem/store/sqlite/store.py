"""The store: one group's memory in one SQLite file. What each method means is said in `kgmem.store.protocol`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw

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
from kgmem.store.clock import instant_of
from kgmem.store.loading import HalfCopy
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
from kgmem.store.sqlite import care, read_beliefs, read_names, read_texts, schema, search
from kgmem.store.sqlite import connection as files
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.replies import SqliteReplies
from kgmem.store.sqlite.then import Then
from kgmem.store.sqlite.vector_calls import SqliteVectors

if TYPE_CHECKING:
    from kgmem.store.changes import ChangeSet, Erasure
    from kgmem.store.clock import Tick
    from kgmem.store.sqlite.archive import SqliteArchive
    from kgmem.store.sqlite.conversations import SqliteConversations
    from kgmem.store.sqlite.generations import SqliteGenerations
    from kgmem.store.sqlite.graph import SqliteGraph
    from kgmem.store.sqlite.load import SqliteLoader

_NUMPY: Final = "pip install 'kgmem[embeddings]'"


class SqliteTransaction:
    """See `kgmem.store.protocol.Transaction`."""

    def __init__(self, handle: Handle, tick: Tick) -> None:
        self.recorded_at = tick.at
        self.complete = False
        self.begun = False
        self._handle = handle
        self._tick = tick

    def expect(self, entities: Iterable[Id], named: Iterable[Id]) -> None:
        """See the protocol: no way is long here."""

    def commit(self, changes: ChangeSet) -> None:
        """Write the change set; it becomes visible to others when the block ends well."""
        from kgmem.store.sqlite import writes

        if self.begun:
            raise InvariantError("one transaction writes one change set")
        self.begun = True
        try:
            writes.write(self._handle, changes, self._tick)
        except UnicodeEncodeError as error:
            raise InvariantError(f"a text holds half of a surrogate pair: {error}") from error
        self.complete = True


class SqliteStore(SqliteVectors, SqliteReplies):
    """See `kgmem.store.protocol.Store`. A handle belongs to one thread."""

    def __init__(
        self,
        path: Path,
        group: str,
        *,
        now: datetime | None = None,
        readonly: bool = False,
        busy_seconds: float = files.BUSY_SECONDS,
    ) -> None:
        self.url = f"sqlite:///{path.as_posix().lstrip('/')}"
        self.group = group
        self._path = path
        self._readonly = readonly
        self._writing = False
        self._batch: Batch | None = None
        self._now = None if now is None else instant_of(now)
        with files.translated(path), ExitStack() as undo:
            connection = files.connect(path, readonly=readonly, busy_seconds=busy_seconds)
            undo.callback(connection.close)
            self._handle = Handle(connection, self._begin(connection, busy_seconds))
            undo.pop_all()

    def _begin(self, connection: apsw.Connection, busy_seconds: float) -> int:
        """Bring the file up to date and find the group; 0, which has no rows, for a reader of a new one."""
        if not schema.is_current(connection, self._path):
            if self._readonly and schema.is_empty(connection):
                raise files.nothing_here(self._path)
            self._upgrade(connection, busy_seconds)
        if self._readonly:
            return schema.find_group(connection, self.group) or 0
        return schema.make_group(connection, self.group)

    def _upgrade(self, connection: apsw.Connection, busy_seconds: float) -> None:
        """Migrate, for a reader too: after an upgrade of kgmem the first command may be a question."""
        if not self._readonly:
            schema.migrate(connection, self._path)
            return
        writer = files.connect(self._path, readonly=False, busy_seconds=busy_seconds)
        try:
            schema.migrate(writer, self._path)
        finally:
            writer.close()

    def home(self) -> str:  # noqa: D102
        if not self._path.exists():
            return f"sqlite {self._path}"
        found = self._path.stat()
        return f"sqlite {found.st_dev}:{found.st_ino}"

    def close(self) -> None:  # noqa: D102
        self._handle.connection.close()

    # -- writing

    @contextmanager
    def writing(self, at: Instant | None = None) -> Iterator[SqliteTransaction]:  # noqa: D102
        if self._readonly:
            raise StoreError(f"{self._path} was opened for reading only")
        if self._writing:
            raise InvariantError("a transaction is open already: they do not nest")
        self._writing = True
        try:
            with files.translated(self._path), self._unit():
                transaction = SqliteTransaction(self._handle, self._tick(at))
                whole = False
                try:
                    yield transaction
                    whole = transaction.complete
                finally:
                    if transaction.begun and not whole:
                        self._take_back()
        finally:
            self._writing = False

    def _take_back(self) -> None:
        """Undo what was not written to its end; in a batch all of it: a savepoint each costs an eighth."""
        if self._batch is not None:
            self._batch.kept = False
        if self._handle.connection.in_transaction:
            self._handle.connection.execute("ROLLBACK")

    @contextmanager
    def _unit(self) -> Iterator[None]:
        """A transaction of its own, or its part of the one that a batch is."""
        connection = self._handle.connection
        if self._batch is None:
            with files.transaction(connection):
                files.sign(self._path)
                self._follow()
                yield
            return
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
            files.sign(self._path)
            self._follow()
        yield

    def _follow(self) -> Handle:
        """The generation that the group is now: another process may have promoted one."""
        self._handle.grp = schema.find_group(self._handle.connection, self.group) or 0
        return self._handle

    def _tick(self, at: Instant | None) -> Tick:
        from kgmem.store.sqlite import writes

        if (half := self.half_copy()) is not None:
            raise half.refused(self.group, self.url)
        clock = writes.clock_of(self._handle)
        if at is not None:
            return clock.tick_at(at)
        if self._now is not None:
            return clock.tick(self._now, pinned=True)
        return clock.tick(Instant(time.time_ns() // 1000), pinned=False)

    @contextmanager
    def batch(self, coming: Coming | None = None) -> Iterator[Batch]:  # noqa: ARG002, D102
        self._batch = batch = Batch()
        try:
            yield batch
        finally:
            self._batch = None
            with files.translated(self._path):
                if self._handle.connection.in_transaction:
                    self._handle.connection.execute("COMMIT")

    def restat(self, sources: Iterable[Source]) -> None:  # noqa: D102
        from kgmem.store.sqlite import write_texts

        with self._aside() as handle:
            for source in sources:
                write_texts.touch_source(handle, source)

    def replayed(self, root: str) -> Replayed | None:  # noqa: D102
        with self._reading() as handle:
            return read_texts.replayed(handle, root)

    def mark_replayed(self, root: str, upto: Replayed) -> None:  # noqa: D102
        from kgmem.store.sqlite import write_texts

        with self._aside() as handle:
            write_texts.put_replayed(handle, root, upto)

    def graph(self) -> SqliteGraph:  # noqa: D102
        from kgmem.store.sqlite.graph import SqliteGraph

        return SqliteGraph(self._reading)

    @contextmanager
    def _aside(self) -> Iterator[Handle]:
        """Write what is no knowledge, and so ticks no clock: in the open transaction, or in one of its own."""
        if self._readonly:
            raise StoreError(f"{self._path} was opened for reading only")
        connection = self._handle.connection
        with files.translated(self._path):
            if connection.in_transaction:
                yield self._handle
            else:
                with files.transaction(connection):
                    yield self._follow()

    def conversations(self) -> SqliteConversations:  # noqa: D102
        from kgmem.store.sqlite.conversations import SqliteConversations

        return SqliteConversations(self._path, self.group, self._reading)

    # -- reading

    @contextmanager
    def _reading(self) -> Iterator[Handle]:
        """One state of the file for all statements of a read."""
        handle = self._handle
        with files.translated(self._path):
            if handle.connection.in_transaction:
                yield handle
                return
            with files.transaction(handle.connection, "DEFERRED"):
                yield self._follow()

    def roots(self) -> tuple[tuple[str, str, int], ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.roots(handle)

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
            return read_texts.episode(handle, source, self._path)

    def episodes(self, source: Id) -> tuple[Episode, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_texts.episodes(handle, source, self._path)

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
            return read_names.linked(handle, names)

    def relinked(self) -> Mapping[str, Instant]:  # noqa: D102
        with self._reading() as handle:
            return read_names.relinked(handle)

    def look_after(self, keys: Mapping[str, Instant]) -> None:  # noqa: D102
        from kgmem.store.sqlite import write_names

        with self._aside() as handle:
            write_names.look_after(handle, keys)

    def anchors(self) -> Iterator[Naming]:  # noqa: D102
        with self._reading() as handle:
            return read_names.anchors(handle)

    def aliases_of(self, entities: Iterable[Id]) -> Mapping[Id, tuple[Alias, ...]]:  # noqa: D102
        with self._reading() as handle:
            return read_names.aliases_of(handle, entities)

    def aliases_from(self, source: Id) -> tuple[Alias, ...]:  # noqa: D102
        with self._reading() as handle:
            return read_names.aliases_from(handle, source)

    def cards(self, query: EntityQuery) -> tuple[int, tuple[EntityCard, ...]]:  # noqa: D102
        with self._reading() as handle:
            return read_names.cards(handle, query)

    def entities(self, ids: Iterable[Id]) -> Mapping[Id, Entity]:  # noqa: D102
        with self._reading() as handle:
            return read_names.entities(handle, ids)

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
            return read_beliefs.claims(handle, slots, source, known)

    def asserted(self, source: Id) -> tuple[tuple[Id, Claim], ...]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.asserted(handle, source)

    def claims_taken(self, source: Id, ids: Iterable[Id]) -> frozenset[Id]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.claims_taken(handle, source, ids)

    def open_facts(self, slots: Iterable[Id]) -> Mapping[Id, tuple[Fact, ...]]:  # noqa: D102
        with self._reading() as handle:
            return read_beliefs.open_facts(handle, slots)

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
        from kgmem.store.sqlite import decisions

        with self._reading() as handle:
            return decisions.decisions(handle)

    def rungs(self) -> frozenset[str]:  # noqa: D102
        with self._reading() as handle:
            return read_names.rungs(handle)

    def compared_upto(self) -> Instant | None:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.upto(handle)

    def named_since(self, since: Instant | None) -> frozenset[Id]:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.named_since(handle, since)

    def passages_naming(self, entities: Iterable[Id]) -> Mapping[Id, Mapping[Id, Id]]:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.passages_naming(handle, entities)

    def blocked(self, keys: Iterable[str]) -> Mapping[str, tuple[Id, ...]]:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.blocked(handle, keys)

    def keys_of(self, entities: Iterable[Id]) -> Mapping[Id, tuple[str, ...]]:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.keys_of(handle, entities)

    def filed(self, key: str, limit: int) -> int:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.filed(handle, key, limit)

    def proposals(self) -> tuple[Proposal, ...]:  # noqa: D102
        from kgmem.store.sqlite import compare

        with self._reading() as handle:
            return compare.proposals(handle)

    def compare(  # noqa: D102
        self,
        blocks: Mapping[Id, Iterable[str]],
        proposals: Iterable[Proposal],
        dropped: Iterable[tuple[Id, Id]],
        upto: Instant | None = None,
    ) -> int:
        from kgmem.store.sqlite import compare

        with self._aside() as handle:
            return compare.put(handle, blocks, proposals, dropped, upto)

    def claims_ever(self, source: Id, episode: Id | None = None) -> tuple[tuple[Id, Id], ...]:  # noqa: D102
        from kgmem.store.sqlite import erase

        with self._reading() as handle:
            return erase.claims_of(handle, source, episode)

    def instants(self, slot: Id, without: Iterable[Id]) -> tuple[Instant, ...]:  # noqa: D102
        from kgmem.store.sqlite import erase

        with self._reading() as handle:
            return erase.instants(handle, slot, without)

    def erase(self, what: Erasure) -> bool:  # noqa: D102
        from kgmem.store.sqlite import erase

        with self._aside() as handle:
            erase.erase(handle, what)
        with files.translated(self._path):
            return erase.scrub(self._handle.connection, self._path)

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
        try:
            from kgmem.store.sqlite.nearest import nearest
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            raise StoreError("vectors are compared by NumPy, which is not installed", _NUMPY) from None
        with self._reading() as handle:
            return nearest(handle, kind, values, limit, Then(valid, known))

    def verify(self) -> tuple[str, ...]:  # noqa: D102
        with self._reading() as handle:
            return care.verify(handle)

    def strange_vectors(self) -> tuple[str, ...]:  # noqa: D102
        from kgmem.store.sqlite import read_vectors

        with self._reading() as handle:
            return tuple(read_vectors.strange(handle))

    def stats(self) -> Stats:  # noqa: D102
        with self._reading() as handle:
            return care.stats(handle, self._path, self.url)

    def dump(self) -> Iterator[str]:  # noqa: D102
        from kgmem.store.sqlite import dump

        with self._reading() as handle:
            yield from dump.dump(handle, self._path)

    def half_copy(self) -> HalfCopy | None:  # noqa: D102
        with self._reading() as handle:
            row = handle.first("SELECT origin, dump, lines FROM half_copy WHERE grp = ?", handle.grp)
        return None if row is None else HalfCopy(*row)

    def loader(self) -> SqliteLoader:  # noqa: D102
        from kgmem.store.sqlite.load import SqliteLoader

        return SqliteLoader(self._handle.connection, self._aside)

    def generations(self) -> SqliteGenerations:  # noqa: D102
        from kgmem.store.sqlite.generations import SqliteGenerations

        return SqliteGenerations(self.group, self._handle.connection, self._reading, self._aside)

    def archive(self) -> SqliteArchive:  # noqa: D102
        from kgmem.store.sqlite.archive import SqliteArchive

        return SqliteArchive(self._path, self._handle.connection, self._reading, self._aside)

    def sql(self, query: str, limit: int) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Answer a question in SQL. See `kgmem.store.sqlite.views.ask`."""
        from kgmem.store.sqlite import views

        with files.translated(self._path):
            return views.ask(self._path, self.group, query, limit)
