"""The rows of a graph that the lines of a dump make, table by table: those that daily life would have made.

Numbers by which rows of one instant are told apart are in no dump: they come as the lines do.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from kgmem.errors import InvariantError
from kgmem.model import OPEN, Alias, AliasKind, Bound, Entity, EntityType, identify
from kgmem.store.changes import Vector
from kgmem.store.lines import no_line, read_bound, read_line
from kgmem.store.neo4j import conversations, decisions, replies, vectors, write_beliefs, write_names, write_texts
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.dates import dated, shown
from kgmem.store.neo4j.dump import BOUNDS, FLAGS
from kgmem.store.neo4j.keys import checked, labels_of, lookup
from kgmem.store.neo4j.rows import MOST_ROWS, PLANNED_ONCE, Row
from kgmem.store.neo4j.words import DEAD, LIVE, indexed, joined
from kgmem.store.sqlite.packing import pack_bound

Sent = Iterator[tuple[str, list[Row]]]
"""Pieces of Cypher, each with the rows that it is run for: every row finds what it names, once."""

_CLAIM: Final = (
    "id slot source episode passage subject predicate object value statement quote line valid_from valid_to said kind"
    " scalar rung confidence recorded_at first_at withdrawn_at replaced"
)
_FACT: Final = (
    "id slot subject predicate object value statement valid_from valid_to holds_from holds_to confidence recorded_at"
    " closed_at"
)
_COLUMNS: Final = {
    table: tuple(names.split())
    for table, names in {
        "tx": "recorded_at kind source",
        "decision": "id kind source hash about entity others names note recorded_at retracted_at",
        "replay": "root commit upto",
        "entity": "id name type subtype type_rank",
        "source": "id kind root path title uid entity hash removed_at",
        "source_path": "source recorded_at closed_at root path",
        "episode": "id source hash body",
        "source_episode": "source recorded_at closed_at episode occurred",
        "passage": "id source live kind heading block text",
        "stands": "episode passage ordinal first_line last_line",
        "reply": "passage model prompt told tokens_in tokens_out milliseconds",
        "mention": "passage start past entity surface rung",
        "alias": "source entity name key kind type subtype type_rank",
        "link": "source key resolved",
        "claim": _CLAIM,
        "ending": "claim recorded_at kind at",
        "fact": _FACT,
        "evidence": "fact claim rival recorded_at closed_at",
        "vectors": "model dimension",
        "vector": "kind id model made_of data",
        "conversation": "name",
        "message": (
            "id conversation place asked_at known question gist answer as_of known_at thumb because seconds tokens"
            " model"
        ),
        "spoken_of": "message role ordinal entity",
        "step": "message place name seconds note hits",
    }.items()
}
"""What a line of each table must say. The current episode of a source is said twice, and read where it comes after."""


def parsed(line: str) -> tuple[str, Row]:
    """(table, values) of a line; world dates as bounds, and what is true or false as such.

    Raises:
        InvariantError: it is no line of a dump.
    """
    table, said = read_line(line)
    if table not in _COLUMNS:
        raise InvariantError(f"a dump has no table {table!r}")
    try:
        row = {name: said[name] for name in _COLUMNS[table]}
        for name in BOUNDS:
            if row.get(name) is not None:
                row[name] = read_bound(row[name])
        for name in FLAGS:
            if name in row:
                row[name] = bool(row[name])
    except KeyError as error:
        raise InvariantError(f"a line of {table} lacks {error}") from error
    except (ValueError, TypeError) as error:
        raise no_line(line) from error
    return table, row


def put(handle: Handle, table: str, rows: Sequence[Row], number: int) -> None:
    """Write rows of one table, with all that follows from them.

    Args:
        handle: with a transaction that is open.
        table: of the dump.
        rows: as they were parsed.
        number: of lines before the first of them.

    Raises:
        InvariantError: one names what is not there.
    """
    numbered = [{**row, "number": number + place} for place, row in enumerate(rows)]
    for piece, sent in _TABLES[table](handle, numbered):
        cypher = f"{PLANNED_ONCE}UNWIND $rows AS row {piece} RETURN count(*)"
        for first in range(0, len(sent), MOST_ROWS):
            portion = sent[first : first + MOST_ROWS]
            ((count,),) = handle.write(cypher, rows=portion, label=handle.label)
            if count != len(portion):
                raise InvariantError(f"a line of {table} names what no line before it brought")


def _kept(handle: Handle, row: Row, *key: object, **more: Any) -> Row:
    """The properties of a node, or of a relationship, which has no key: the values of a line, and what else is said."""
    values = {name: pack_bound(value) if isinstance(value, Bound) else value for name, value in row.items()}
    del values["number"]
    return {**values, "group": handle.group, **({"key": handle.key(*key)} if key else {}), **more}


def _part(row: Row, *names: str) -> Row:
    return {name: row[name] for name in (*names, "number")}


def _transactions(handle: Handle, rows: list[Row]) -> Sent:
    properties = [_kept(handle, row, row["recorded_at"]) for row in rows]
    yield "CREATE (t:Transaction) SET t = row", properties


def _decisions(handle: Handle, rows: list[Row]) -> Sent:
    texts = ("others", "names")
    yield (
        decisions.PIECES["decisions_new"],
        [
            {
                "properties": _kept(
                    handle, row, checked(row["id"]), ordinal=row["number"],
                    **{name: json.loads(row[name]) for name in texts},
                )
            }
            for row in rows
        ],
    )  # fmt: skip


def _replays(handle: Handle, rows: list[Row]) -> Sent:
    said = "SET r.group = $group, r.root = row.root, r.commit = row.commit, r.at = row.upto"
    yield (
        f"MERGE (r:Replay {{key: row.key}}) {said}",
        [{**row, "key": handle.key(identify("replay", row["root"]))} for row in rows],
    )


def _entities(handle: Handle, rows: list[Row]) -> Sent:
    sent = []
    for row in rows:
        entity = Entity(row["id"], row["name"], EntityType(row["type"]), row["subtype"], row["type_rank"])
        sent.append({"properties": _kept(handle, row, checked(entity.id)), "labels": labels_of(entity)})
    yield write_names.ENTITIES["entities_new"], sent


def _sources(handle: Handle, rows: list[Row]) -> Sent:
    unread = {"size": 0, "mtime_ns": 0}
    yield (
        write_texts.PIECES["sources_new"],
        [{"properties": _kept(handle, row, checked(row["id"]), lookup=lookup(row["path"]), **unread)} for row in rows],
    )
    about = [row for row in rows if row["entity"] is not None]
    yield (
        write_texts.PIECES["about_new"],
        [{"key": handle.key(row["id"]), "entity": handle.key(row["entity"])} for row in about],
    )


def _places(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_texts.PIECES["places_new"] + " SET s.first_at = coalesce(s.first_at, row.properties.recorded_at)",
        [
            {
                "key": handle.key(row["source"]),
                "properties": _kept(handle, row, row["source"], row["recorded_at"], lookup=lookup(row["path"])),
            }
            for row in rows
        ],
    )


def _episodes(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        f"MATCH (:Source {{key: row.source}}) {write_texts.PIECES['episodes_new']}",
        [
            {
                "source": handle.key(row["source"]),
                "properties": _kept(handle, row, checked(row["id"]), bytes=len(row["body"].encode("utf-8"))),
            }
            for row in rows
        ],
    )


_FORMER: Final = (
    "MATCH (s:Source {key: row.key}) MATCH (e:Episode {key: row.episode})"
    " CREATE (s)-[h:HAS_EPISODE]->(e) SET h = row.properties"
)
"""An episode that is not the current one any more."""


def _episodes_of(handle: Handle, rows: list[Row]) -> Sent:
    current: list[Row] = []
    former: list[Row] = []
    for row in rows:
        times = _kept(handle, _part(row, "recorded_at", "closed_at"), **dated(row["occurred"]))
        ends = {"key": handle.key(row["source"]), "episode": handle.key(row["episode"])}
        (current if row["closed_at"] == OPEN else former).append({**ends, "properties": times})
    yield write_texts.PIECES["episodes_current"], current
    yield _FORMER, former


def _passages(handle: Handle, rows: list[Row]) -> Sent:
    titles = handle.rows(
        "UNWIND $keys AS key MATCH (s:Source {key: key}) RETURN s.id, s.title",
        keys=handle.keys(row["source"] for row in rows),
    )
    title_words = {one: indexed(title) for one, title in titles}
    sent = []
    for row in rows:
        text, heading = indexed(row["text"]), indexed(row["heading"])
        words = joined(text, heading, title_words.get(row["source"], ""))
        parts = {"words": words, "text_words": text, "heading_words": heading}
        more = {**parts, "state": LIVE if row["live"] else DEAD, "first_at": 0}
        sent.append({"source": handle.key(row["source"]), "properties": _kept(handle, row, checked(row["id"]), **more)})
    yield write_texts.PIECES["passages_new"], sent


def _stands(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_texts.PIECES["stands_new"] + " SET p.ordinal = coalesce(p.ordinal, row.properties.ordinal)",
        [
            {
                "episode": handle.key(row["episode"]),
                "passage": handle.key(row["passage"]),
                "properties": _kept(handle, _part(row, "ordinal", "first_line", "last_line")),
            }
            for row in rows
        ],
    )


def _mentions(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_texts.PIECES["mentions_new"],
        [
            {
                "passage": handle.key(row["passage"]),
                "entity": handle.key(row["entity"]),
                "properties": _kept(handle, _part(row, "start", "past", "surface", "rung")),
            }
            for row in rows
        ],
    )


def _replies(handle: Handle, rows: list[Row]) -> Sent:
    yield replies.PIECES["replies_put"], [replies.row_of(handle, row) for row in rows]


def _aliases(handle: Handle, rows: list[Row]) -> Sent:
    sent = []
    for row in rows:
        kinds = (AliasKind(row["kind"]), EntityType(row["type"]))
        alias = Alias(row["entity"], row["source"], row["name"], row["key"], *kinds, row["subtype"], row["type_rank"])
        ends = {"source": handle.key(alias.source), "entity": handle.key(alias.entity)}
        sent.append({**ends, "properties": write_names.alias_properties(handle, alias)})
    yield write_names.PIECES["aliases_new"], sent


def _links(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_names.PIECES["links_new"],
        [
            {
                "source": handle.key(row["source"]),
                "properties": write_names.link_properties(handle, row["source"], row["key"], resolved=row["resolved"]),
            }
            for row in rows
        ],
    )


def _claims(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_beliefs.PIECES["claims_new"],
        [
            {
                "passage": handle.key(row["passage"]),
                "properties": _kept(handle, row, checked(row["id"]), ordinal=row["number"], **_period_shown(row)),
            }
            for row in rows
        ],
    )


def _period_shown(row: Mapping[str, Any]) -> dict[str, str | None]:
    return {"from_shown": shown(row["valid_from"]), "to_shown": shown(row["valid_to"])}


def _endings(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_beliefs.PIECES["endings_put"],
        [
            {
                "claim": handle.key(row["claim"]),
                "properties": _kept(handle, row, row["claim"], row["recorded_at"], row["kind"]),
            }
            for row in rows
        ],
    )


_LOOSE: Final = (
    "MATCH (f:Fact {key: row.key}) MATCH (e:Entity {key: row.object})"
    " CREATE (f)-[:ABOUT {group: $group, role: 'object'}]->(e)"
)
"""A fact that is not believed any more ties nothing together."""
_SUPERSEDES: Final = """
CALL (row) {
  MATCH (f:Fact {key: row.key})
  MATCH (o:Fact {group: $group, slot: row.slot}) USING INDEX o:Fact(group, slot) WHERE o.closed_at = f.recorded_at
  MERGE (f)-[:SUPERSEDES {group: $group}]->(o)
}
CALL (row) {
  MATCH (f:Fact {key: row.key})
  MATCH (n:Fact {group: $group, slot: row.slot}) USING INDEX n:Fact(group, slot) WHERE n.recorded_at = f.closed_at
  MERGE (n)-[:SUPERSEDES {group: $group}]->(f)
}
"""
"""A fact took the place of those of its slot that were closed with it, whichever of them comes first in a dump."""


def _facts(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_beliefs.PIECES["facts_new"],
        [
            {
                "subject": handle.key(row["subject"]),
                "properties": _kept(
                    handle, row, checked(row["id"]), ordinal=row["number"], lookup=lookup(row["predicate"]),
                    statement_words=indexed(row["statement"]), state=LIVE if row["closed_at"] == OPEN else DEAD,
                    **_period_shown(row),
                ),
            }
            for row in rows
        ],
    )  # fmt: skip
    tied: list[Row] = []
    loose: list[Row] = []
    for row in (row for row in rows if row["object"] is not None):
        ends = {name: handle.key(row[name]) for name in ("subject", "object")}
        properties = {"group": handle.group, "fact": row["id"], "predicate": row["predicate"], **_period_shown(row)}
        (tied if row["closed_at"] == OPEN else loose).append(
            {"key": handle.key(row["id"]), **ends, "properties": properties}
        )
    yield write_beliefs.PIECES["facts_object"], tied
    yield _LOOSE, loose
    yield _SUPERSEDES, [{"key": handle.key(row["id"]), "slot": row["slot"]} for row in rows]


def _evidence(handle: Handle, rows: list[Row]) -> Sent:
    yield (
        write_beliefs.PIECES["evidence_new"],
        [
            {
                "fact": handle.key(row["fact"]),
                "claim": handle.key(row["claim"]),
                "properties": _kept(handle, _part(row, "rival", "recorded_at", "closed_at")),
            }
            for row in rows
        ],
    )


def _declared(_handle: Handle, rows: list[Row]) -> Sent:
    yield "MATCH (g:Group {key: $group}) SET g.vector_model = row.model, g.vector_dimension = row.dimension", rows


def _vectors(handle: Handle, rows: list[Row]) -> Sent:
    sent = [
        Vector(row["kind"], row["id"], row["model"], tuple(map(float, row["data"])), row["made_of"]) for row in rows
    ]
    yield vectors.PIECES["vectors_put"], [vectors.row_of(handle, vector) for vector in sent]


def _conversations(handle: Handle, rows: list[Row]) -> Sent:
    yield conversations.CONVERSATION, [conversations.conversation_row(handle, row["name"]) for row in rows]


def _messages(handle: Handle, rows: list[Row]) -> Sent:
    yield conversations.MESSAGE, [conversations.message_row(handle, row) for row in rows]


def _spoken_of(handle: Handle, rows: list[Row]) -> Sent:
    for role, piece in conversations.SPOKEN_OF.items():
        yield piece, [conversations.spoken_row(handle, row) for row in rows if row["role"] == role]


def _steps(handle: Handle, rows: list[Row]) -> Sent:
    yield conversations.STEP, [conversations.step_row(handle, row) for row in rows]


_TABLES: Final[dict[str, Callable[[Handle, list[Row]], Sent]]] = {
    "tx": _transactions,
    "decision": _decisions,
    "replay": _replays,
    "entity": _entities,
    "source": _sources,
    "source_path": _places,
    "episode": _episodes,
    "source_episode": _episodes_of,
    "passage": _passages,
    "stands": _stands,
    "reply": _replies,
    "mention": _mentions,
    "alias": _aliases,
    "link": _links,
    "claim": _claims,
    "ending": _endings,
    "fact": _facts,
    "evidence": _evidence,
    "vectors": _declared,
    "vector": _vectors,
    "conversation": _conversations,
    "message": _messages,
    "spoken_of": _spoken_of,
    "step": _steps,
}
