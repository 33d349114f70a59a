"""Talking to the server on behalf of one group: queries in, rows out, in a transaction or each in one of its own."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Timer
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from kgmem.errors import StoreError
from kgmem.store.clock import Clock
from kgmem.store.generations import split_name
from kgmem.store.loading import HalfCopy
from kgmem.store.neo4j.failures import translated
from kgmem.store.neo4j.keys import key_of, search_label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kgmem.model import Id
    from kgmem.store.neo4j.address import Address

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # what goes wrong is said once, by an error of ours

BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another one."""
_CONNECT_SECONDS: Final = 10.0
_ANSWER_SECONDS: Final = 20.0
"""How long a server may take to say hello: one that hangs takes connections and says nothing."""
_RETRY_SECONDS: Final = 10.0
"""How long a read is tried again while a cluster chooses a leader, or a server starts."""
_LOOK_SECONDS: Final = 1.0
"""How long a reader takes it for granted which generation is current."""

_TAKES_VECTORS: Final = (6, 0)
"""The version of the protocol that has them."""

_TAKE_LOCK: Final = """
MATCH (g:Group {key: $group}) SET g.writer = $writer
WITH g CALL () { MATCH (now:Group {key: $group}) RETURN now }
CALL () { OPTIONAL MATCH (p:Group {key: $named}) RETURN p.current AS current }
RETURN now.clock_last, now.clock_base, now.copy_origin, now.copy_dump, now.copy_lines, current
"""
_CURRENT: Final = """
OPTIONAL MATCH (p:Group {key: $named}) OPTIONAL MATCH (g:Group {of: $of, number: $number})
RETURN coalesce(p.current, p.key, g.key)
"""
_LET_GO: Final = """
SHOW TRANSACTIONS YIELD transactionId AS waiting, metaData AS marks WHERE marks.writer = $writer
TERMINATE TRANSACTIONS waiting YIELD message RETURN message
"""


@dataclass(frozen=True, slots=True)
class Locked:
    """A group as its writer finds it."""

    clock: Clock
    half: HalfCopy | None
    """What is copied into it."""


class Handle:
    """A driver on behalf of one group. Every query may use the parameter ``$group``.

    While a transaction is open, all queries are part of it; else each is a transaction that is tried again where the
    server says that this may help. All of them are one causal chain: what was written is read, also in a cluster.
    """

    def __init__(self, address: Address, group: str, busy_seconds: float = BUSY_SECONDS) -> None:
        """Connect to nothing yet."""
        self.named = group
        """What the group is called; `group` is the generation that it is now."""
        self.group = group
        self.address = address
        self.label = search_label(group)
        self.exists = False
        """Whether the group was seen."""
        self.takes_vectors = False
        """Whether the server takes vectors of the driver; an older one takes lists alone."""
        self.filters_vectors: dict[str, bool] = {}
        """By the name of an index of vectors that was seen at work, whether it filters."""
        self._busy_seconds = busy_seconds
        self._followed = time.monotonic()
        self._transaction: neo4j.Transaction | None = None
        self._session: neo4j.Session | None = None
        self.driver = neo4j.GraphDatabase.driver(
            address.uri,
            auth=None if address.password is None else (address.user, address.password),
            user_agent="kgmem",
            connection_timeout=_CONNECT_SECONDS,
            connection_acquisition_timeout=_ANSWER_SECONDS,
            max_transaction_retry_time=_RETRY_SECONDS,
            notifications_min_severity="OFF",
        )

    def close(self) -> None:
        """Roll back what is open, and let go of the server."""
        self.roll_back()
        self.driver.close()

    def greet(self) -> None:
        """Find out whether the server answers, and what it can do."""
        self.takes_vectors = self.driver.get_server_info().protocol_version >= _TAKES_VECTORS

    def is_there(self) -> bool:
        """Whether anything was ever written for the group; a reader may come before its writer."""
        if not self.exists:
            self.exists = self.first("MATCH (g:Group {key: $group}) RETURN 1") is not None
        return self.exists

    # -- generations

    def follow(self) -> None:
        """Be on the generation that the group is now."""
        of, number = split_name(self.named) or (None, None)
        current = self.first(_CURRENT, named=self.named, of=of, number=number)[0]
        self._followed = time.monotonic()
        if current is not None:
            self._switch(current)

    def follow_soon(self) -> None:
        """The same, if nobody looked for a second: every look is a way to the server."""
        if not self.in_transaction and time.monotonic() - self._followed > _LOOK_SECONDS:
            self.follow()

    def _switch(self, group: str) -> None:
        self.group = group
        self.label = search_label(group)

    # -- keys

    def key(self, *parts: object) -> str:
        """The key of a row of the group."""
        return key_of(self.group, *parts)

    def keys(self, ids: Iterable[Id]) -> list[str]:
        """The keys of rows of the group, each once."""
        return list(dict.fromkeys(key_of(self.group, each) for each in ids))

    # -- queries

    def rows(self, cypher: str, **parameters: Any) -> list[Any]:
        """All rows of a query."""
        return self._run(cypher, parameters, neo4j.RoutingControl.READ)

    def first(self, cypher: str, **parameters: Any) -> Any:
        """The first row, or None."""
        return next(iter(self.rows(cypher, **parameters)), None)

    def write(self, cypher: str, **parameters: Any) -> list[Any]:
        """Run a query that writes, and give its rows."""
        return self._run(cypher, parameters, neo4j.RoutingControl.WRITE)

    def define(self, cypher: str) -> None:
        """Change constraints or indexes, which no transaction with rows can do."""
        with self._open_session(neo4j.WRITE_ACCESS) as session:
            session.run(cypher).consume()

    def stream(self, cypher: str, **parameters: Any) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
        """(columns, row) of a query that gives more than memory should hold, as they come."""
        bindings = {"group": self.group, **parameters}
        if self._transaction is not None:
            for record in self._transaction.run(cypher, bindings):
                yield tuple(record.keys()), record.values()
            return
        with self._open_session(neo4j.READ_ACCESS) as session:
            for record in session.run(cypher, bindings):
                yield tuple(record.keys()), record.values()

    @contextmanager
    def looking(self) -> Iterator[neo4j.Transaction]:
        """A transaction of its own, in which a server refuses to write; it is rolled back."""
        with self._open_session(neo4j.READ_ACCESS) as session, session.begin_transaction() as transaction:
            yield transaction

    def _run(self, cypher: str, parameters: dict[str, Any], routing: neo4j.RoutingControl) -> list[Any]:
        if self._transaction is None:
            return [record.values() for record in self._once(cypher, parameters, routing)]
        result = self._transaction.run(cypher, {"group": self.group, **parameters})
        return [record.values() for record in result]

    def _once(self, cypher: str, parameters: dict[str, Any], routing: neo4j.RoutingControl) -> list[neo4j.Record]:
        return self.driver.execute_query(
            cypher,
            {"group": self.group, **parameters},
            routing_=routing,
            database_=self.address.database,
        ).records

    def _open_session(self, access: str, **settings: Any) -> neo4j.Session:
        return self.driver.session(
            database=self.address.database,
            default_access_mode=access,
            bookmark_manager=self.driver.execute_query_bookmark_manager,
            **settings,
        )

    # -- transactions

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._transaction is not None

    def begin(self, patience_seconds: float | None = None) -> Locked:
        """Open a transaction and take the group's lock in it, for which it waits so long, or as long as a writer does.

        The lock is that of the generation which the group is once it is taken: another one may be promoted meanwhile.

        Raises:
            StoreLockedError: another process kept the lock.
        """
        while (locked := self._lock(patience_seconds)) is None:
            pass
        return locked

    def _lock(self, patience_seconds: float | None) -> Locked | None:
        """The generation locked; None if the group is another one since, which is to be locked then."""
        writer = uuid4().hex
        self._session = self._open_session(neo4j.WRITE_ACCESS)
        self._transaction = self._session.begin_transaction(metadata={"app": "kgmem", "writer": writer})
        patience = Timer(
            self._busy_seconds if patience_seconds is None else patience_seconds, self._stop_waiting, (writer,)
        )
        patience.daemon = True
        patience.start()
        with ExitStack() as undo:
            undo.callback(self.roll_back)
            try:
                row = self.first(_TAKE_LOCK, writer=writer, named=self.named)
            finally:
                patience.cancel()
            if row is None:
                raise StoreError(f"the group {self.group} is no longer there", "open the memory again")
            last, base, *copied, current = row
            if current not in {None, self.group}:
                self._switch(current)
                return None
            undo.pop_all()
        return Locked(Clock(last, base), half_of(copied))

    def _stop_waiting(self, writer: str) -> None:
        """End a transaction that waits for the lock. A server has no time-out for one lock alone."""
        try:
            self._once(_LET_GO, {"writer": writer}, neo4j.RoutingControl.WRITE)
        except (DriverError, Neo4jError):
            return  # then it waits on: nothing is lost but patience

    def commit(self) -> None:
        """Make what the open transaction wrote visible; nothing if there is none."""
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            try:
                transaction.commit()
            finally:
                self._end_session()

    def roll_back(self) -> None:
        """Forget what the open transaction wrote; nothing if there is none."""
        transaction, self._transaction = self._transaction, None
        if transaction is not None:
            try:
                transaction.close()
            except (DriverError, Neo4jError):
                pass  # the server forgets it as the connection ends
            finally:
                self._end_session()

    def _end_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()


def half_of(copied: Sequence[Any]) -> HalfCopy | None:
    """What the (origin, dump, lines) that a group says of itself mean."""
    origin, dump, lines = copied
    return None if origin is None else HalfCopy(origin, dump, lines)


def connect(address: Address, group: str, busy_seconds: float) -> Handle:
    """A handle on a server that answers.

    Raises:
        StoreUnreachableError: nobody answers, or lets us in.
    """
    with translated(address), ExitStack() as undo:
        handle = Handle(address, group, busy_seconds)
        undo.callback(handle.close)
        handle.greet()
        undo.pop_all()
    return handle
