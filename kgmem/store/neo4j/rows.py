"""The rows that a change set makes of what is kept: nothing is sent before all of them are known to be sound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kgmem.model import Instant
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.held import Held

Row = dict[str, Any]

MOST_ROWS: Final = 2000
"""A server keeps the rows of a query in memory until it ends; a note may have 10,000 lines, and a server 300 MB."""

PLANNED_ONCE: Final = "CYPHER replan=skip\n"
"""Before a query that finds all by keys, so that a plan is kept however much the graph grows."""


@dataclass(slots=True)
class Work:
    """One change set on its way: what is kept, what will be, and the rows that make the difference."""

    handle: Handle
    held: Held
    at: Instant
    """The recorded instant of the transaction."""
    rows: dict[str, list[Row]] = field(default_factory=dict)
    """By the name of the piece of a statement that takes them."""

    def put(self, piece: str, **row: Any) -> None:
        """Add a row."""
        self.rows.setdefault(piece, []).append(row)

    @property
    def group(self) -> str:
        """The group that every row belongs to."""
        return self.handle.group


def statement(pieces: Mapping[str, str]) -> str:
    """One query of many pieces, each run for every ``row`` of the parameter of its name.

    It finds all by keys: no statistics would make another plan of it, and planning it costs more than running it. All
    rows are in one parameter, for a server plans anew for lists of other lengths, but looks into no map.
    """
    return PLANNED_ONCE + "\n".join(
        f"CALL () {{ UNWIND $rows.{name} AS row {cypher} }}" for name, cypher in pieces.items()
    )


def send(handle: Handle, pieces: Mapping[str, str], rows: Mapping[str, list[Row]], **more: Any) -> None:
    """Run the pieces that have rows: in one query, or in several if there are very many; nothing if none has."""
    for portion in portions(pieces, rows):
        handle.write(statement(pieces), rows={name: portion.get(name, []) for name in pieces}, **more)


def portions(
    pieces: Iterable[str], rows: Mapping[str, list[Row]], most: int = MOST_ROWS
) -> Iterator[dict[str, list[Row]]]:
    """The rows of pieces in the order of the pieces, at most so many at a time: a query's memory is bounded."""
    portion: dict[str, list[Row]] = {}
    space = most
    for name in pieces:
        left = rows.get(name, [])
        while left:
            portion[name] = left[:space]
            left = left[space:]
            space -= len(portion[name])
            if not space:
                yield portion
                portion, space = {}, most
    if portion:
        yield portion
