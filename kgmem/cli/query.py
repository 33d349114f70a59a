"""`kgmem sql` and `kgmem cypher`: questions in the language of the store itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Protocol, runtime_checkable

import typer

from kgmem.cli.output import Output, clean
from kgmem.cli.session import session
from kgmem.errors import UserError

Rows = tuple[tuple[str, ...], Sequence[Sequence[Any]]]
"""(names of columns, rows)"""

Limit = Annotated[int, typer.Option(min=1, help="Show at most so many rows.")]


@runtime_checkable
class AnswersSql(Protocol):
    """A store that can be asked in SQL."""

    def sql(self, query: str, limit: int) -> Rows:
        """The first rows of what one reading statement gives. Raises UserError: it is something else, or wrong."""


@runtime_checkable
class AnswersCypher(Protocol):
    """A store that can be asked in Cypher."""

    def cypher(self, query: str, limit: int) -> Rows:
        """The first rows of what one reading statement gives. Raises UserError: it is something else, or wrong."""


def register(app: typer.Typer) -> None:
    """Add the commands of this family."""
    app.command()(sql)
    app.command()(cypher)


def sql(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="One statement that reads.", show_default=False)],
    *,
    limit: Limit = 100,
) -> None:
    """Ask the store in SQL. It can only read.

    The views are kg_facts, kg_entities, kg_sources, kg_passages, kg_mentions, kg_claims, kg_evidence and
    kg_decisions; docs/sql.md says what is in them.

    kgmem sql "SELECT statement FROM kg_facts WHERE closed_at IS NULL"
    """
    here = session(context)
    with here.reading() as store:
        if not isinstance(store, AnswersSql):
            raise UserError(f"{store.url} is not a SQLite store", "kgmem cypher")
        columns, rows = store.sql(query, limit + 1)
    _show(here.output, columns, rows, limit)


def cypher(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="One statement that reads.", show_default=False)],
    *,
    limit: Limit = 100,
) -> None:
    """Ask the store in Cypher, if it is a Neo4j store. It can only read.

    $group is the open group; without it, all groups of the server are asked. docs/neo4j.md says what is in the graph.

    kgmem cypher 'MATCH (e:Entity {group: $group}) RETURN e.name'
    """
    here = session(context)
    with here.reading() as store:
        if not isinstance(store, AnswersCypher):
            raise UserError(f"Cypher needs a Neo4j store, and {store.url} is none", "kgmem sql")
        columns, rows = store.cypher(query, limit + 1)
    _show(here.output, columns, rows, limit)


def _show(output: Output, columns: Sequence[str], rows: Sequence[Sequence[Any]], limit: int) -> None:
    """Print up to so many rows, and say if there are more."""
    shown, more = [[_plain(value) for value in row] for row in rows[:limit]], len(rows) > limit
    if output.as_json:
        output.json({"columns": list(columns), "rows": shown, "more": more})
        return
    output.table([[[(clean(name), "bold")] for name in columns], *([[_cell(value)] for value in row] for row in shown)])
    if more:
        output.note(f"showing the first {limit}, there are more; --limit shows more")


def _plain(value: Any) -> Any:
    """A value that JSON knows."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Iterable):
        return [_plain(each) for each in value]
    return str(value)


def _cell(value: Any) -> str:
    """A value on one line; nothing for none."""
    return "" if value is None else " ".join(clean(str(value)).split())
