"""What the driver raises becomes an error of ours, with a hint; no server is needed to see that."""

import sys

import pytest
from neo4j import exceptions

import kgmem.store.neo4j
from kgmem.errors import InvariantError, StoreError, StoreLockedError, StorePasswordError, StoreUnreachableError
from kgmem.store import open_store
from kgmem.store.neo4j.address import read_address
from kgmem.store.neo4j.failures import translated

HERE = read_address("neo4j://ann:s3cret@host", {})


def refusal(code):
    """What the driver makes of a server's refusal."""
    return exceptions.Neo4jError._hydrate_neo4j(code=code, message="it says why\nand more")  # noqa: SLF001


@pytest.mark.parametrize(
    ("raised", "kind", "message"),
    [
        (refusal("Neo.ClientError.Security.Unauthorized"), StorePasswordError, "does not let ann in"),
        (refusal("Neo.ClientError.Security.AuthenticationRateLimit"), StoreUnreachableError, "too many passwords"),
        (refusal("Neo.ClientError.Security.Forbidden"), StoreError, "ann may not do that in neo4j://host: it says why"),
        (refusal("Neo.ClientError.Database.DatabaseNotFound"), StoreUnreachableError, "no such database"),
        (refusal("Neo.ClientError.Transaction.LockClientStopped"), StoreLockedError, "another process is writing"),
        (refusal("Neo.TransientError.Transaction.DeadlockDetected"), StoreLockedError, "another process is writing"),
        (refusal("Neo.TransientError.General.MemoryPoolOutOfMemoryError"), StoreError, "has not the memory for this"),
        (refusal("Neo.TransientError.General.DatabaseUnavailable"), StoreError, "is busy: it says why"),
        (refusal("Neo.DatabaseError.General.UnknownError"), StoreError, "failed: it says why"),
        (refusal("Neo.ClientError.Statement.SyntaxError"), StoreError, "refused: it says why"),
        (exceptions.ServiceUnavailable("first:\n  refused"), StoreUnreachableError, "cannot be reached: refused"),
        (exceptions.ServiceUnavailable(), StoreUnreachableError, "cannot be reached: ServiceUnavailable"),
        (
            exceptions.ServiceUnavailable("Failed to read from defunct connection x"),
            StoreUnreachableError,
            "host broke",
        ),
        (exceptions.SessionExpired("gone"), StoreUnreachableError, "the connection to neo4j://host broke"),
        (exceptions.IncompleteCommit("gone"), StoreError, "it is there, or not at all"),
        (exceptions.ConfigurationError("odd"), StoreUnreachableError, "cannot be opened: odd"),
    ],
)
def test_every_failure_says_what_helps(raised, kind, message):
    with pytest.raises(StoreError) as caught, translated(HERE):
        raise raised
    assert type(caught.value) is kind
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint
    assert "s3cret" not in caught.value.message + caught.value.hint


def test_a_broken_rule_is_a_bug_of_ours():
    with pytest.raises(InvariantError, match="it says why"), translated(HERE):
        raise refusal("Neo.ClientError.Schema.ConstraintValidationFailed")


def test_without_the_driver_a_hint_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(kgmem.store, "neo4j", kgmem.store.neo4j)  # an import puts another package there
    for name in [name for name in sys.modules if name.startswith("kgmem.store.neo4j")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "neo4j", None)
    with pytest.raises(StoreUnreachableError, match="not installed") as caught:
        open_store("neo4j://host", "g")
    assert caught.value.hint == "pip install 'kgmem[neo4j]'"
