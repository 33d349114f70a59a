"""Constraints, indexes, and how an older database becomes a current one.

The server makes no difference between a missing index and a slow query, so all of them are made before anything is
written. Statements that define them cannot share a transaction with rows: each can be said twice, and the record of a
migration comes last. One that was broken off is done again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from neo4j.exceptions import ClientError

from kgmem.errors import StoreError, StoreMissingError, StoreTooNewError
from kgmem.store.generations import no_such, split_name
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import key_of
from kgmem.store.neo4j.words import ENTITY_FIELDS, FACT_FIELDS, PASSAGE_FIELDS

_OLDEST: Final = (5, 26)
"""Older servers lack labels that are parameters, and subqueries that name what they use."""
_WAIT_SECONDS: Final = 600
_ALREADY_THERE: Final = frozenset(
    {
        "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
        "Neo.ClientError.Schema.ConstraintAlreadyExists",
        "Neo.ClientError.Schema.IndexAlreadyExists",
    }
)
"""Two processes opened a new database at once."""


class Needs(StrEnum):
    """What a person's memory needs after a migration."""

    NOTHING = "nothing"
    REREAD = "reread"
    """Sources are to be read again: cheap."""
    REEXTRACT = "reextract"
    """Claims are to be drawn again: ask first."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: statements that do no harm if they are said again."""

    number: int
    name: str
    statements: tuple[str, ...]
    needs: Needs = Needs.NOTHING


_FIRST: Final = (
    "Transaction Source Place Episode Passage Entity Alias Link Claim Ending Fact Decision Replay"
    " Relinked Block Embedding"
).split()
_FIRST_WALKED: Final = (
    "Transaction Source Episode Passage Entity Alias Claim Ending Fact Decision Replay Relinked Embedding"
).split()
_ASKED: Final = ("Conversation", "Message", "Trace", "Step")
IN_A_GROUP: Final = (*_FIRST, *_ASKED)
"""Labels whose rows have a key that begins with that of their group."""
OF_A_GROUP: Final = (*_FIRST_WALKED, "Conversation", "Message")
"""Labels that some reads walk whole, for one group."""
_RANGES: Final = {
    "Transaction": ("recorded_at",),
    "Source": ("lookup", "root"),
    "Place": ("lookup",),
    "Alias": ("lookup",),
    "Link": ("lookup",),
    "Claim": ("slot", "source", "subject", "object", "recorded_at"),
    "Fact": ("slot", "subject", "object", "lookup", "recorded_at", "closed_at", "holds_from", "holds_to"),
}
"""Properties that rows of a group are found by."""


def _first_statements() -> Iterable[str]:
    yield from _found_by(("Group", "Migration", *_FIRST), _FIRST_WALKED, _RANGES)
    yield "CREATE INDEX kgmem_same_as IF NOT EXISTS FOR ()-[r:SAME_AS]-() ON (r.group, r.status)"
    yield "CREATE INDEX kgmem_same_as_decision IF NOT EXISTS FOR ()-[r:SAME_AS]-() ON (r.group, r.decision)"


def _found_by(keyed: Iterable[str], walked: Iterable[str], ranges: Mapping[str, Sequence[str]]) -> Iterable[str]:
    """What finds rows: of some labels by their key, of some by their group, and of some by properties in it."""
    for label in keyed:
        name = f"kgmem_{label.lower()}_key"
        yield f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.key IS UNIQUE"
    for label in walked:
        yield f"CREATE INDEX kgmem_{label.lower()}_group IF NOT EXISTS FOR (n:{label}) ON (n.group)"
    for label, properties in ranges.items():
        for each in properties:
            name = f"kgmem_{label.lower()}_{each}"
            yield f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.group, n.{each})"


_CONVERSATIONS: Final = tuple(
    _found_by(_ASKED, ("Conversation", "Message"), {"Message": ("asked_at", "gist", "conversation")})
)
MIGRATIONS: Final = (
    Migration(1, "initial", tuple(_first_statements())),
    Migration(2, "conversations", _CONVERSATIONS),
    Migration(3, "generations", ("CREATE INDEX kgmem_group_of IF NOT EXISTS FOR (n:Group) ON (n.of)",)),
    Migration(4, "archive", tuple(_found_by(("Volume",), ("Volume",), {}))),
)

_STATE: Final = """
CALL dbms.components() YIELD name, versions WITH name, versions WHERE name = 'Neo4j Kernel'
CALL () { MATCH (m:Migration) RETURN max(m.number) AS number }
CALL () { OPTIONAL MATCH (g:Group {key: $group}) RETURN g IS NOT NULL AS here }
RETURN versions[0], number, here
"""
_RECORD: Final = """
MERGE (m:Migration {key: $key}) ON CREATE SET m.number = $number, m.name = $name, m.needs = $needs, m.applied_at = $now
"""
_MAKE_GROUP: Final = "MERGE (g:Group {key: $group}) ON CREATE SET g.group = $group, g.label = $label"


def open_group(handle: Handle, *, readonly: bool, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the database up to date and make the group; a reader makes nothing.

    Raises:
        NotFoundError: it is called like a generation of another group, and there is none.
        StoreError: the server is too old.
        StoreTooNewError: a newer kgmem wrote there.
        StoreMissingError: nothing was ever written there, and this is a reader.
    """
    handle.follow()
    version, number, handle.exists = handle.first(_STATE)
    where, newest = handle.address.shown, migrations[-1].number
    refuse_old_server(version, where)
    if number is not None and number > newest:
        raise StoreTooNewError(
            f"{where} was written by a newer kgmem (schema {number}; this one knows {newest})",
            "upgrade kgmem, or name another store with --store",
        )
    if number is None and readonly:
        raise StoreMissingError(f"there is no memory here yet: {where}", "kgmem ingest PATH")
    for step in migrations:
        if number is None or step.number > number:
            _apply(handle, step)
    if not (handle.exists or readonly):
        _make_group(handle)


def refuse_old_server(version: str, where: str) -> None:
    """Raise StoreError for a server that lacks what queries need."""
    found = tuple(int(part) for part in re.findall(r"\d+", version)[:2])
    if found < _OLDEST:
        needed = ".".join(map(str, _OLDEST))
        raise StoreError(f"{where} runs Neo4j {version}; {needed} or newer is needed", "upgrade the server")


def search_indexes(label: str) -> dict[str, str]:
    """The full-text indexes of a group, by the label that its searched rows bear: statements by name."""
    fields = {"passages": PASSAGE_FIELDS, "facts": FACT_FIELDS, "entities": ENTITY_FIELDS}
    return {
        f"{label}_{scope}": (
            f"CREATE FULLTEXT INDEX `{label}_{scope}` IF NOT EXISTS FOR (n:`{label}`) ON EACH"
            f" [{', '.join(f'n.{each}' for each in (*words, 'state'))}]"
            " OPTIONS {indexConfig: {`fulltext.analyzer`: 'whitespace'}}"
        )
        for scope, words in fields.items()
    }


def vector_label(label: str, side: str = "") -> str:
    """The label of a group's vectors on one side of it: see `kgmem.store.neo4j.vectors`."""
    return f"{label}_{side}" if side else label


def vector_index(label: str, side: str = "") -> str:
    """The name of a group's vector index."""
    return f"{vector_label(label, side)}_vectors"


FILTERS: Final = ("kind", "state", "recorded_at", "closed_at", "holds_from", "holds_to")
"""Properties of a vector that its index can filter by, where the server has such indexes."""


def make_vector_index(handle: Handle, dimension: int, side: str = "") -> None:
    """An index over all vectors of the group; exact ones, for rounding them off loses a fifth of filtered answers.

    Raises:
        ClientError: the server has no vector indexes.
    """
    name, label = vector_index(handle.label, side), vector_label(handle.label, side)
    start = f"CREATE VECTOR INDEX `{name}` IF NOT EXISTS FOR (n:`{label}`) ON n.values"
    options = (
        f" OPTIONS {{indexConfig: {{`vector.dimensions`: {int(dimension)}, `vector.similarity_function`: 'cosine',"
        " `vector.quantization.enabled`: false}}"
    )
    filters = ", ".join(f"n.{each}" for each in FILTERS)
    try:
        _define(handle, f"CYPHER 25 {start} WITH [{filters}]{options}")
    except ClientError as error:
        if not (error.code or "").startswith("Neo.ClientError.Statement."):
            raise
        _define(handle, start + options)  # an older server, which has no filters
    _define(handle, _BY_TEXT)
    for each in (name, "kgmem_embedding_made_of"):
        handle.rows("CALL db.awaitIndex($name, $seconds)", name=each, seconds=_WAIT_SECONDS)


def drop_vector_index(handle: Handle, side: str = "") -> None:
    """Leave no index of vectors, for another dimension may be declared."""
    handle.define(f"DROP INDEX `{vector_index(handle.label, side)}` IF EXISTS")


_BY_TEXT: Final = "CREATE INDEX kgmem_embedding_made_of IF NOT EXISTS FOR (n:Embedding) ON (n.made_of)"
"""Finds the vector of an equal text. Made with the first vectors: a memory that has none has no use for it."""


def _apply(handle: Handle, step: Migration) -> None:
    for statement in step.statements:
        _define(handle, statement)
    handle.rows("CALL db.awaitIndexes($seconds)", seconds=_WAIT_SECONDS)
    handle.write(
        _RECORD,
        key=key_of("", step.number),
        number=step.number,
        name=step.name,
        needs=str(step.needs),
        now=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def make_search_indexes(handle: Handle, label: str) -> None:
    """The full-text indexes of a group, by the label that its searched rows bear; those that are there stay."""
    for name, statement in search_indexes(label).items():
        _define(handle, statement)
        handle.rows("CALL db.awaitIndex($name, $seconds)", name=name, seconds=_WAIT_SECONDS)


def drop_indexes(handle: Handle, label: str, sides: Iterable[str]) -> None:
    """Leave no index of a group, by the label that its rows bear."""
    for name in (*search_indexes(label), *(vector_index(label, side) for side in sides)):
        handle.define(f"DROP INDEX `{name}` IF EXISTS")


def _make_group(handle: Handle) -> None:
    """The group with its indexes, which come first: a group that is there can be searched."""
    if split_name(handle.named) is not None:
        raise no_such(handle.named)
    make_search_indexes(handle, handle.label)
    handle.write(_MAKE_GROUP, label=handle.label)
    handle.exists = True


def _define(handle: Handle, statement: str) -> None:
    try:
        handle.define(statement)
    except ClientError as error:
        if error.code not in _ALREADY_THERE:
            raise
