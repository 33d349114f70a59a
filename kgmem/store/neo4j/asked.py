"""A query that a person typed: it may look at the graph and do nothing else, and gives plain values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import neo4j
from neo4j.exceptions import ClientError
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector

from kgmem.errors import StoreError
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.failures import WOULD_WRITE, asked_wrongly

_PROFILED: Final = re.compile(r"^\s*(?:PROFILE|EXPLAIN)\b", re.IGNORECASE)
_READS: Final = frozenset({"r", None})
"""Types of queries that read; a procedure that commands the server has one of its own."""


def ask(handle: Handle, query: str, limit: int) -> tuple[tuple[str, ...], list[list[Any]]]:
    """See `kgmem.store.neo4j.store.Neo4jStore.cypher`."""
    try:
        with handle.looking() as transaction:
            _refuse_more_than_reading(transaction, query, handle.group)
            result = transaction.run(query, {"group": handle.group})
            columns = tuple(result.keys())
            return columns, [[plain(value) for value in record.values()] for record in result.fetch(limit)]
    except ClientError as error:
        raise asked_wrongly(error, handle.address) from error


def _refuse_more_than_reading(transaction: neo4j.Transaction, query: str, group: str) -> None:
    """Look at the plan: a query that writes nothing can still read files and other hosts, and command the server.

    Raises:
        StoreError: it does that, or it would write.
    """
    bare = _PROFILED.sub("", query)
    summary = transaction.run(f"EXPLAIN {bare}", {"group": group}).consume()
    if summary.query_type not in _READS:
        raise StoreError(*WOULD_WRITE)
    steps = {step.partition("@")[0] for step in _operators(summary.plan or {})}
    if "LoadCSV" in steps:
        raise StoreError("a question reads the graph, and no files or other hosts")
    if "TerminateTransactions" in steps:
        raise StoreError(*WOULD_WRITE)


def _operators(plan: dict[str, Any]) -> Iterator[str]:
    """Those of a plan and of all below."""
    yield plan.get("operatorType", "")
    for child in plan.get("children", ()):
        yield from _operators(child)


def plain(value: Any) -> Any:
    """A value as numbers, texts, lists and dictionaries: a node by its labels and properties, a date in ISO form."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    for kind, shown in _SHOWN.items():
        if isinstance(value, kind):
            return shown(value)
    return [plain(each) for each in value] if isinstance(value, list) else value


def _properties(value: Node | Relationship) -> dict[str, Any]:
    return {name: plain(value[name]) for name in sorted(value)}


_SHOWN: Final[dict[type, Callable[[Any], Any]]] = {
    Node: lambda node: {"labels": sorted(node.labels), "properties": _properties(node)},
    Relationship: lambda tie: {"type": tie.type, "properties": _properties(tie)},
    Path: lambda path: {"nodes": [plain(node) for node in path.nodes], "relationships": [plain(tie) for tie in path]},
    Point: lambda point: {"srid": point.srid, "coordinates": [float(each) for each in point]},
    Vector: lambda vector: list(vector.to_native()),
    **dict.fromkeys((Date, DateTime, Duration, Time), lambda time: time.iso_format()),
}
