"""What the driver raises, as errors of ours: what a person reads is what happened, and what helps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from neo4j import exceptions

from kgmem.errors import (
    InvariantError,
    KgmemError,
    StoreError,
    StoreLockedError,
    StorePasswordError,
    StoreUnreachableError,
)
from kgmem.store.neo4j.address import Address

_RATE_LIMIT: Final = "Neo.ClientError.Security.AuthenticationRateLimit"
_NO_DATABASE: Final = "Neo.ClientError.Database.DatabaseNotFound"
_STATEMENT: Final = "Neo.ClientError.Statement."
_WRITES: Final = f"{_STATEMENT}AccessMode"
WOULD_WRITE: Final = ("this would write, and a question can only read", "kgmem --help lists what changes a memory")
"""What is said to who asks for more than an answer."""
_MISTAKEN: Final = frozenset({"SyntaxError", "SemanticError", "ParameterMissing", "TypeError", "ProcedureNotFound"})
"""How codes end of queries that were not understood."""
_TLS: Final = re.compile(r"\+s(?:sc)?://")
_WAITED: Final = frozenset(
    "Terminated LockClientStopped LockAcquisitionTimeout DeadlockDetected TransactionTimedOut"
    " TransactionTimedOutClientConfiguration".split()
)
"""How codes end that say that a transaction was waited for; how they begin depends on the version."""
_MORE_MEMORY: Final = "raise its server.memory.heap.max_size, or ingest less at once"
_TRY_AGAIN: Final = "try again: what was not committed is not there"


@contextmanager
def translated(address: Address) -> Iterator[None]:
    """Turn what the driver raises into errors of ours.

    Raises:
        StoreLockedError: another process writes.
        StoreUnreachableError: no such server or database, or it lets nobody in.
        StoreError: it refuses, or the connection broke.
        InvariantError: a row breaks a constraint.
    """
    try:
        yield
    except exceptions.Neo4jError as error:
        raise _refused(error, address) from error
    except exceptions.DriverError as error:
        raise _unreachable(error, address) from error
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeEncodeError):
            raise InvariantError(f"a text holds half of a surrogate pair: {error}") from error
        raise


def asked_wrongly(error: exceptions.ClientError, address: Address) -> KgmemError:
    """What is wrong with a query that a person typed."""
    if error.code == _WRITES:
        return StoreError(*WOULD_WRITE)
    if (error.code or "").startswith(_STATEMENT):
        said = _first_line(error.message or str(error))
        if (error.code or "").rpartition(".")[2] not in _MISTAKEN:
            return StoreError(f"{address.shown} has no answer to this: {said}")
        return StoreError(
            f"{address.shown} does not understand this: {said}", "docs/neo4j.md says what is in the graph"
        )
    return _refused(error, address)


def _refused(error: exceptions.Neo4jError, address: Address) -> KgmemError:
    """What the server said no to."""
    said = _first_line(error.message or str(error))
    if error.code == _RATE_LIMIT:
        return StoreUnreachableError(f"{address.shown} refused too many passwords", "wait a minute, then try again")
    if error.code == _NO_DATABASE:
        return StoreUnreachableError(f"{address.shown} has no such database", "name one with NEO4J_DATABASE")
    reason = (error.code or "").rpartition(".")[2]
    if reason.endswith("OutOfMemoryError"):
        return StoreError(f"{address.shown} has not the memory for this: {said}", _MORE_MEMORY)
    if reason in _WAITED:
        return StoreLockedError(f"another process is writing to {address.shown}", "try again when it is done")
    for kind, make in _REFUSALS.items():
        if isinstance(error, kind):
            return make(said, address)
    return StoreError(f"{address.shown} refused: {said}", "see the log of the server")


def _unreachable(error: exceptions.DriverError, address: Address) -> KgmemError:
    """What went wrong on the way."""
    if isinstance(error, exceptions.IncompleteCommit):
        return StoreError(
            f"the connection to {address.shown} broke while a transaction was committed: it is there, or not at all",
            "do it again: what is there already changes nothing",
        )
    *_, reason = str(error).splitlines() or [type(error).__name__]
    if isinstance(error, exceptions.SessionExpired | exceptions.TransactionError) or "defunct connection" in reason:
        return StoreUnreachableError(f"the connection to {address.shown} broke", _TRY_AGAIN)
    if isinstance(error, exceptions.ConfigurationError):
        return StoreUnreachableError(f"{address.shown} cannot be opened: {error}", "check the URL of the store")
    if "handshake" in reason or "acquire" in reason or "timed out" in reason:
        return StoreUnreachableError(f"{address.shown} does not answer", "is it a Neo4j server, and not too busy?")
    secure = " and does it take TLS" if _TLS.search(address.uri) else ""
    return StoreUnreachableError(
        f"{address.shown} cannot be reached: {reason.strip()}",
        f"is the server running,{secure} and does its address match --store?",
    )


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


_REFUSALS: Final[dict[type[exceptions.Neo4jError], Callable[[str, Address], KgmemError]]] = {
    exceptions.AuthError: lambda _, address: StorePasswordError(
        f"{address.shown} does not let {address.user} in" + ("" if address.password else " without a password"),
        "set NEO4J_USERNAME and NEO4J_PASSWORD, or [neo4j] in the configuration",
    ),
    exceptions.Forbidden: lambda said, address: StoreError(
        f"{address.user} may not do that in {address.shown}: {said}",
        "the user needs rights to read and write, and to make indexes and constraints",
    ),
    exceptions.ConstraintError: lambda said, _: InvariantError(f"a row breaks a rule of the store: {said}"),
    exceptions.TransientError: lambda said, address: StoreError(f"{address.shown} is busy: {said}", _TRY_AGAIN),
    exceptions.DatabaseError: lambda said, address: StoreError(
        f"{address.shown} failed: {said}", "check its disk and its memory"
    ),
}
