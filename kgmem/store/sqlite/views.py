"""A group as tables that a person can read: views for `kgmem sql`, and the connection that only answers from them.

They are temporary and belong to one connection, so that they are no part of the schema. Ids are their sixteen digits,
dates ISO 8601 as far as they are known, open ends NULL.
"""

# ruff: noqa: S608 -- statements are put together from constants of this module and the number of the group

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import apsw

from kgmem.errors import UserError
from kgmem.model import OPEN, Instant, show_instant, show_second
from kgmem.store.sqlite import schema
from kgmem.store.sqlite.connection import connect
from kgmem.store.sqlite.packing import FILE_BASIS, unpack_bound

Table = tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]
"""(names of columns, rows)"""

_BUSY_SECONDS: Final = 10.0
_STEPS: Final = 100_000
"""Steps of a query after which Ctrl-C is looked for."""
_NO_STATEMENT: Final = re.compile(r"(?:[\s;]|--[^\n]*(?:\n|\Z)|(?>/\*.*?(?:\*/|\Z)))*", re.DOTALL)
"""Spaces, semicolons and comments."""
_TABLE_FUNCTIONS: Final = frozenset({"json_each", "json_tree"})


def _hex(column: str) -> str:
    return f"iif({column} IS NULL, NULL, format('%016x', {column}))"


_PLACE: Final = (
    "(SELECT t.{0} FROM source_episode h CROSS JOIN stands t ON t.episode = h.episode AND t.passage = p.nr"
    " WHERE h.source = p.source ORDER BY h.recorded_at DESC, t.ordinal LIMIT 1)"
)
"""A line of the passage ``p`` in the newest episode that holds it."""
_SEEN: Final = (
    "(SELECT kg_date({0}(s.occurred)) FROM mention m CROSS JOIN passage p ON p.nr = m.passage AND p.live = 1"
    " CROSS JOIN source s ON s.nr = p.source"
    f" WHERE m.entity = e.nr AND s.occurred > 0 AND s.occurred & 7 <> {FILE_BASIS})"
)
_COUNTED: Final = (
    "(SELECT count({0}) FROM mention m CROSS JOIN passage p ON p.nr = m.passage AND p.live = 1 WHERE m.entity = e.nr)"
)


@dataclass(frozen=True, slots=True)
class View:
    """One of the views."""

    columns: str
    """Their names, in order."""
    body: str
    """What they are, and from where; ``@`` stands for the number of the group.

    A table that is only joined by its number looks to an authorizer like one that the query itself names: so each is
    joined by its group too. Without a likelihood SQLite, which knows no statistics of the file, takes a group for ten
    rows, and joins three views by all pairs of two.
    """


VIEWS: Final = {
    "kg_facts": View(
        "id subject subject_id predicate object object_id value statement valid_from valid_from_basis valid_to"
        " valid_to_basis holds_from holds_to recorded_at closed_at confidence disputed",
        f"{_hex('f.id')}, s.name, {_hex('f.subject')}, f.predicate, o.name, {_hex('f.object')}, f.value, f.statement,"
        " kg_date(f.valid_from), kg_basis(f.valid_from), kg_date(f.valid_to), kg_basis(f.valid_to),"
        " kg_second(f.holds_from), kg_second(f.holds_to), kg_instant(f.recorded_at), kg_instant(f.closed_at),"
        " f.confidence, EXISTS (SELECT 1 FROM evidence v WHERE v.fact = f.nr AND v.rival = 1"
        f"   AND v.closed_at = {OPEN})"
        " FROM fact f JOIN entity s ON s.grp = f.grp AND s.id = f.subject"
        " LEFT JOIN entity o ON o.grp = f.grp AND o.id = f.object WHERE likelihood(f.grp = @, 0.9)",
    ),
    "kg_entities": View(
        "id name type subtype aliases mentions sources first_seen last_seen",
        f"{_hex('e.id')}, e.name, e.type, e.subtype,"
        " nullif(replace(substr(e.listed, length(e.name) + 2), char(10), '; '), ''),"
        f" {_COUNTED.format('*')}, {_COUNTED.format('DISTINCT p.source')}, {_SEEN.format('min')}, {_SEEN.format('max')}"
        " FROM entity e WHERE likelihood(e.grp = @, 0.9)",
    ),
    "kg_sources": View(
        "id kind root path title about about_id date date_basis episodes recorded_at removed_at",
        f"{_hex('s.id')}, s.kind, s.root, s.path, s.title, e.name, {_hex('s.entity')},"
        " kg_date(s.occurred), kg_basis(s.occurred), (SELECT count(*) FROM source_episode h WHERE h.source = s.nr),"
        " kg_instant((SELECT min(h.recorded_at) FROM source_path h WHERE h.source = s.nr)), kg_instant(s.removed_at)"
        " FROM source s LEFT JOIN entity e ON e.grp = s.grp AND e.id = s.entity WHERE likelihood(s.grp = @, 0.9)",
    ),
    "kg_passages": View(
        "id source_id path kind heading text block first_line last_line live",
        f"{_hex('p.id')}, {_hex('s.id')}, s.path, p.kind, p.heading, p.text, p.block,"
        f" {_PLACE.format('first_line')}, {_PLACE.format('last_line')}, p.live"
        " FROM passage p JOIN source s ON s.grp = p.grp AND s.nr = p.source WHERE likelihood(p.grp = @, 0.9)",
    ),
    "kg_mentions": View(
        "passage_id path entity_id entity surface start past rung live",
        f"{_hex('p.id')}, s.path, {_hex('e.id')}, e.name, m.surface, m.start, m.past, m.rung, p.live"
        " FROM passage p JOIN mention m ON m.passage = p.nr JOIN entity e ON e.grp = p.grp AND e.nr = m.entity"
        " JOIN source s ON s.grp = p.grp AND s.nr = p.source WHERE likelihood(p.grp = @, 0.9)",
    ),
    "kg_claims": View(
        "id passage_id path line quote subject subject_id predicate object object_id value statement kind valid_from"
        " valid_from_basis valid_to valid_to_basis said said_basis rung confidence recorded_at withdrawn_at replaced",
        f"{_hex('c.id')}, {_hex('c.passage')}, r.path, {_PLACE.format('first_line')} + c.line, c.quote, s.name,"
        f" {_hex('c.subject')}, c.predicate, o.name, {_hex('c.object')}, c.value, c.statement, c.kind,"
        " kg_date(c.valid_from), kg_basis(c.valid_from), kg_date(c.valid_to), kg_basis(c.valid_to), kg_date(c.said),"
        " kg_basis(c.said), c.rung, c.confidence, kg_instant(c.recorded_at), kg_instant(c.withdrawn_at),"
        " c.replaced IS NOT NULL"
        " FROM claim c JOIN passage p ON p.grp = c.grp AND p.id = c.passage"
        " JOIN source r ON r.grp = c.grp AND r.nr = p.source JOIN entity s ON s.grp = c.grp AND s.id = c.subject"
        " LEFT JOIN entity o ON o.grp = c.grp AND o.id = c.object WHERE likelihood(c.grp = @, 0.9)",
    ),
    "kg_evidence": View(
        "fact_id claim_id against recorded_at closed_at",
        f"{_hex('f.id')}, {_hex('c.id')}, v.rival, kg_instant(v.recorded_at), kg_instant(v.closed_at)"
        " FROM fact f JOIN evidence v ON v.fact = f.nr JOIN claim c ON c.grp = f.grp AND c.nr = v.claim"
        " WHERE likelihood(f.grp = @, 0.9)",
    ),
    "kg_decisions": View(
        "id kind source_id path entity_id entity others names undone note recorded_at retracted_at",
        f"{_hex('d.id')}, d.kind, {_hex('d.source')}, s.path, {_hex('d.entity')}, e.name, d.others, d.names,"
        " kg_instant(d.about), d.note, kg_instant(d.recorded_at), kg_instant(d.retracted_at)"
        " FROM decision d LEFT JOIN source s ON s.grp = d.grp AND s.id = d.source"
        " LEFT JOIN entity e ON e.grp = d.grp AND e.id = d.entity WHERE likelihood(d.grp = @, 0.9)",
    ),
}


def ask(path: Path, group: str, query: str, limit: int) -> Table:
    """Answer one statement that reads, from the views of a group; a connection of its own cannot write.

    Args:
        path: the file.
        group: whose rows the views hold.
        query: a SELECT, also one that begins with WITH; or EXPLAIN of one.
        limit: the most rows to give.

    Raises:
        UserError: it is no such statement, more than one, or wrong.
    """
    connection = connect(path, readonly=True, busy_seconds=_BUSY_SECONDS)
    try:
        inner = _make_views(connection, schema.find_group(connection, group) or 0)
        connection.pragma("query_only", True)
        connection.authorizer = _only_reading(inner, _tables(connection))
        connection.set_progress_handler(lambda: False, _STEPS)
        return _answer(connection, query, limit)
    except apsw.AuthError as error:
        raise UserError("a query only reads, and only the views", f"they are {', '.join(VIEWS)}") from error
    except apsw.BindingsError:
        raise UserError("the query has a parameter, and nothing gives it a value", "write the value into it") from None
    except (apsw.SQLError, apsw.TooBigError) as error:
        raise UserError(f"the query fails: {error}", _columns_of(query)) from error
    finally:
        connection.close()


def _answer(connection: apsw.Connection, query: str, limit: int) -> Table:
    columns: list[str] = []

    def look(cursor: apsw.Cursor, statement: str, _bindings: object) -> bool:
        rest = query[query.index(statement) + len(statement) :]
        if _NO_STATEMENT.fullmatch(rest) is None:
            raise UserError("that is more than one statement", "ask one at a time")
        columns.extend(name for name, _ in cursor.get_description())
        return True

    cursor = connection.cursor()
    cursor.exec_trace = look
    rows = [tuple(row) for _, row in zip(range(limit), cursor.execute(query), strict=False)]
    if not columns:
        raise UserError("there is no query", 'kgmem sql "SELECT * FROM kg_facts"')
    return tuple(columns), tuple(rows)


def _make_views(connection: apsw.Connection, group: int) -> str:
    """Make the views, each over one whose name nobody can guess; gives the start of those names.

    SQLite says in the name of which view a table is read, and calls a common table expression by its name as well:
    one that was called like a view could read what it likes. It cannot be called like these.

    A limit, which is none, keeps SQLite from putting the view into the query that asks it. Ids are made of numbers
    there, and two views would be joined by comparing every row with every other; a view by itself gets an index.
    """
    for name, function in _FUNCTIONS.items():
        connection.create_scalar_function(name, function, 1, deterministic=True, flags=apsw.SQLITE_INNOCUOUS)
    inner = f"_{os.urandom(8).hex()}_"
    for name, view in VIEWS.items():
        columns = ", ".join(f'"{column}"' for column in view.columns.split())
        body = view.body.replace("@", str(group))
        connection.execute(
            f"CREATE TEMP VIEW {inner}{name} ({columns}) AS SELECT {body};"
            f"CREATE TEMP VIEW {name} AS SELECT * FROM {inner}{name} LIMIT -1"
        )
    return inner


def _tables(connection: apsw.Connection) -> frozenset[str]:
    rows = connection.execute("SELECT lower(name) FROM sqlite_schema UNION SELECT lower(name) FROM pragma_module_list")
    return frozenset(name for (name,) in rows)


def _only_reading(inner: str, tables: frozenset[str]) -> Callable[..., int]:
    """An authorizer that lets a statement read the views, and nothing else of the file.

    Args:
        inner: how the names begin of the views that read tables.
        tables: the names of all tables. Of what is read without any column only the name is told, which may be that
            of a common table expression.
    """

    def may_read(name: str, column: str, within: str) -> bool:
        if within.startswith(inner) or name.startswith(inner) or name in VIEWS or name in _TABLE_FUNCTIONS:
            return True
        return not column and name.lower() not in tables and not name.lower().startswith("sqlite_")

    def decide(operation: int, one: str | None, two: str | None, _database: str | None, within: str | None) -> int:
        if operation == apsw.SQLITE_READ:
            allowed = may_read(one or "", two or "", within or "")
        elif operation == apsw.SQLITE_FUNCTION:
            allowed = two != "load_extension"
        else:
            allowed = operation in {apsw.SQLITE_SELECT, apsw.SQLITE_RECURSIVE}
        return apsw.SQLITE_OK if allowed else apsw.SQLITE_DENY

    return decide


def _columns_of(query: str) -> str:
    """What helps who got a name wrong."""
    named = [name for name in VIEWS if re.search(rf"\b{name}\b", query, re.IGNORECASE)]
    if not named:
        return f"the views are {', '.join(VIEWS)}"
    return "; ".join(f"{name} has {', '.join(VIEWS[name].columns.split())}" for name in named)


def _date(packed: int | str | None) -> str | None:
    return None if packed is None else unpack_bound(packed).shown


def _basis(packed: int | str | None) -> str | None:
    return None if packed is None else unpack_bound(packed).basis.value


def _instant(at: int | None) -> str | None:
    return None if at is None or at >= OPEN else show_instant(Instant(at))


_FUNCTIONS: Final[dict[str, Callable[..., str | None]]] = {
    "kg_date": _date,
    "kg_basis": _basis,
    "kg_second": show_second,
    "kg_instant": _instant,
}
