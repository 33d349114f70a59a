"""What a query that a person typed gives, as plain values: what belongs to the driver means nothing outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time
from neo4j.vector import Vector


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
