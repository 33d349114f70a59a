"""Reading claims, facts and evidence, now or as of a recorded instant."""

# ruff: noqa: S608 -- statements are put together from constants of these modules, and every value is bound

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from kgmem.model import LINKS_TO, OPEN, Bound, Claim, ClaimKind, Fact, Id, Instant, Period, Source, unique
from kgmem.store.protocol import Evidence, FactQuery, Transacted
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import seek_id, unpack_bound, unpack_id, unpack_optional

_NOW: Final = Instant(OPEN - 1)
"""An instant after every recorded one and before the open end: as of it, rows are what they are now."""
_KINDS: Final = {str(kind): kind for kind in ClaimKind}

_CLAIM: Final = """
SELECT c.slot, c.id, c.source, c.episode, c.passage, c.subject, c.predicate, c.object, c.value, c.statement, c.quote,
  c.line, c.valid_from, c.valid_to, c.said, c.kind, c.scalar, c.rung, c.confidence, c.recorded_at, c.first_at,
  {replaced}
FROM claim c WHERE c.grp = ?1 AND c.recorded_at <= ?2 AND c.withdrawn_at > ?2
"""
_CLAIM_NOW: Final = _CLAIM.replace("{replaced}", "c.replaced")
_CLAIM_THEN: Final = _CLAIM.replace(
    "{replaced}",
    "(SELECT n.at FROM ending n WHERE n.claim = c.nr AND n.kind = 'replaced' AND n.recorded_at <= ?2"
    " ORDER BY n.recorded_at DESC LIMIT 1)",
)


def claims(
    handle: Handle, slots: Iterable[Id] | None, source: Id | None, known: Instant | None
) -> dict[Id, tuple[Claim, ...]]:
    """See `kgmem.store.protocol.Store.claims`."""
    sql, at = (_CLAIM_NOW, _NOW) if known is None else (_CLAIM_THEN, known)
    bindings: list[tuple[Any, ...]] = [(handle.grp, at)]
    if slots is not None:
        sql += " AND c.slot = ?3"
        bindings = [(handle.grp, at, seek_id(slot)) for slot in unique(slots)]
    if source is not None:
        sql += f" AND c.source = ?{len(bindings[0]) + 1}" if bindings else ""
        bindings = [(*each, seek_id(source)) for each in bindings]
    found: dict[Id, list[Claim]] = {}
    for row in handle.each(sql, bindings):
        found.setdefault(unpack_id(row[0]), []).append(_claim(row))
    return {slot: tuple(sorted(each, key=lambda claim: (claim.recorded_at, claim.id))) for slot, each in found.items()}


def asserted(handle: Handle, source: Id) -> tuple[tuple[Id, Claim], ...]:
    """See `kgmem.store.protocol.Store.asserted`."""
    rows = handle.rows(f"{_CLAIM_NOW} AND c.source = ?3 ORDER BY c.nr", handle.grp, _NOW, seek_id(source))
    return tuple((unpack_id(row[0]), _claim(row)) for row in rows)


def claims_taken(handle: Handle, source: Id, ids: Iterable[Id]) -> frozenset[Id]:
    """See `kgmem.store.protocol.Store.claims_taken`."""
    of = seek_id(source)
    wanted = [(handle.grp, seek_id(one), of) for one in ids]
    found = handle.each("SELECT id FROM claim WHERE grp = ? AND id = ? AND source = ?", wanted)
    return frozenset(unpack_id(packed) for (packed,) in found)


_FACT: Final = """
SELECT f.nr, f.id, f.slot, f.subject, f.predicate, f.object, f.value, f.statement, f.valid_from, f.valid_to,
  f.holds_from, f.holds_to, f.confidence, f.recorded_at, f.closed_at
FROM fact f
"""


def open_facts(handle: Handle, slots: Iterable[Id]) -> dict[Id, tuple[Fact, ...]]:
    """See `kgmem.store.protocol.Store.open_facts`."""
    rows = list(
        handle.each(
            f"{_FACT} WHERE f.grp = ? AND f.slot = ? AND f.closed_at = ?",
            [(handle.grp, seek_id(slot), OPEN) for slot in unique(slots)],
        )
    )
    found: dict[Id, list[Fact]] = {}
    for fact in _with_evidence(handle, rows, _NOW):
        found.setdefault(fact.slot, []).append(fact)
    return {slot: tuple(sorted(each, key=lambda fact: (fact.holds_from, fact.id))) for slot, each in found.items()}


def facts(handle: Handle, query: FactQuery) -> tuple[int, tuple[Fact, ...]]:
    """See `kgmem.store.protocol.Store.facts`."""
    where, bindings = _conditions(handle, query)
    known = _NOW if query.known is None else query.known
    bindings |= {"limit": -1 if query.limit is None else query.limit, "offset": query.offset}
    if query.about is not None and query.limit:
        total, rows = _some_of(handle, where, bindings)
        if rows:
            return total, tuple(_with_evidence(handle, rows, known))
    ordered = (
        f"{_FACT} CROSS JOIN entity e ON e.grp = f.grp AND e.id = f.subject WHERE {where}"
        f" ORDER BY e.name, {_ORDER.format('f')} LIMIT :limit OFFSET :offset"
    )
    rows = [] if query.limit == 0 else handle.connection.execute(ordered, bindings).fetchall()
    whole = not query.offset and (query.limit is None or len(rows) < query.limit)
    counted = f"SELECT count(*) FROM fact f WHERE {where}"
    total = len(rows) if whole else int(handle.connection.execute(counted, bindings).get)
    return total, tuple(_with_evidence(handle, rows, known))


_ORDER: Final = "{0}.predicate, {0}.holds_from, {0}.recorded_at, {0}.id < 0, {0}.id"


def _some_of(handle: Handle, where: str, bindings: dict[str, Any]) -> tuple[int, list[Any]]:
    """(how many there are, rows of `_FACT`) of very many facts, which are gone through once for both."""
    numbers: list[Any] = handle.connection.execute(
        "WITH hit AS MATERIALIZED"
        f" (SELECT f.nr, f.subject, f.predicate, f.holds_from, f.recorded_at, f.id FROM fact f WHERE {where})"
        " SELECT hit.nr, (SELECT count(*) FROM hit)"
        " FROM hit CROSS JOIN entity e ON e.grp = :grp AND e.id = hit.subject"
        f" ORDER BY e.name, {_ORDER.format('hit')} LIMIT :limit OFFSET :offset",
        bindings,
    ).fetchall()
    rows = handle.each(f"{_FACT} WHERE f.nr = ?", [(nr,) for nr, _ in numbers])
    return (numbers[0][1] if numbers else 0), list(rows)


def _conditions(handle: Handle, query: FactQuery) -> tuple[str, dict[str, Any]]:
    """The WHERE of a query; sets of ids are bound as JSON, so that one statement serves sets of any size."""
    by_number = query.about is not None  # then the plus keeps the group's index, which names every fact, out of use
    where = ["+f.grp = :grp" if by_number else "f.grp = :grp"]
    bindings: dict[str, Any] = {"grp": handle.grp}
    sets = {"id": query.ids, "slot": query.slots, "subject": None if query.subject is None else (query.subject,)}
    for column, ids in sets.items():
        if ids is not None:
            where.append(f"f.{column} IN (SELECT value FROM json_each(:{column}))")
            bindings[column] = _json(ids)
    if query.about is not None:
        where.append(
            "(f.nr IN (SELECT a.nr FROM json_each(:about) j CROSS JOIN fact a ON a.grp = :grp AND a.subject = j.value"
            " UNION ALL SELECT a.nr FROM json_each(:about) j CROSS JOIN fact a ON a.grp = :grp AND a.object = j.value))"
        )
        bindings["about"] = _json(query.about)
    if query.predicate is not None:  # the plus keeps its index, which names more facts than others do, out of use
        narrow = any(each is not None for each in (query.ids, query.slots, query.subject))
        where.append("+f.predicate = :predicate" if narrow else "f.predicate = :predicate")
        bindings["predicate"] = query.predicate
    if not query.links:
        where.append("f.predicate <> :links_to")
        bindings["links_to"] = LINKS_TO
    if query.valid is not None:
        where.append("f.holds_from < :valid_to AND f.holds_to > :valid_from")
        bindings["valid_from"], bindings["valid_to"] = query.valid
    if query.changed is not None:
        where.append(
            "(f.recorded_at > :since AND f.recorded_at <= :until OR f.closed_at > :since AND f.closed_at <= :until)"
        )
        bindings["since"], bindings["until"] = query.changed
    elif not query.versions:
        where.append("f.recorded_at <= :known AND f.closed_at > :known")
        bindings["known"] = _NOW if query.known is None else query.known
    return " AND ".join(where), bindings


def evidence(handle: Handle, identities: Iterable[Id]) -> dict[Id, Evidence]:
    """See `kgmem.store.protocol.Store.evidence`.

    `Evidence.fact` is the newest fact that rests on the claim, an open one first; empty if none ever did. Line and
    date are those of the newest episode that holds the passage.
    """
    rows = list(
        handle.each(
            """
        SELECT c.id, s.id, p.id, s.root, s.path, c.line, c.quote, p.heading, p.block, p.live, s.kind, p.nr,
          s.nr, c.rung, c.confidence,
          (SELECT f.id FROM evidence v CROSS JOIN fact f ON f.nr = v.fact
           WHERE v.claim = c.nr AND v.rival = 0 ORDER BY f.closed_at DESC, f.recorded_at DESC, f.nr DESC LIMIT 1)
        FROM claim c CROSS JOIN passage p ON p.grp = c.grp AND p.id = c.passage CROSS JOIN source s ON s.nr = p.source
        WHERE c.grp = ? AND c.id = ?
        """,
            [(handle.grp, seek_id(one)) for one in unique(identities)],
        )
    )
    places = {(passage, source): place for passage, source, *place in handle.each(_PLACE, {row[11:13] for row in rows})}
    return {unpack_id(row[0]): _evidence(row, *places[row[11:13]]) for row in rows}


_PLACE: Final = (
    "SELECT t.passage, h.source, t.first_line, h.occurred FROM source_episode h"
    " CROSS JOIN stands t ON t.episode = h.episode AND t.passage = ?1"
    " WHERE h.source = ?2 ORDER BY h.recorded_at DESC, t.ordinal LIMIT 1"
)


def _evidence(row: Any, first_line: int, occurred: Any) -> Evidence:
    claim, source, passage, root, path, line, quote, heading, block, live, kind, _, _, rung, confidence, fact = row
    return Evidence(
        claim=unpack_id(claim),
        fact="" if fact is None else unpack_id(fact),
        source=unpack_id(source),
        passage=unpack_id(passage),
        root=root,
        path=path,
        line=first_line + line,
        quote=quote,
        heading=heading,
        block=block,
        occurred=unpack_bound(occurred),
        live=bool(live),
        kind=kind,
        rung=rung,
        confidence=confidence,
    )


def transactions(handle: Handle, since: Instant | None, until: Instant | None) -> tuple[Transacted, ...]:
    """See `kgmem.store.protocol.Store.transactions`."""
    rows = handle.rows(
        "SELECT t.recorded_at, t.kind,"
        " s.id, s.kind, s.root, s.path, s.title, s.uid, s.entity, s.size, s.mtime_ns, s.hash"
        " FROM tx t LEFT JOIN source s ON s.grp = t.grp AND s.id = t.source"
        " WHERE t.grp = ? AND t.recorded_at BETWEEN ? AND ? ORDER BY t.recorded_at",
        handle.grp,
        -OPEN if since is None else since,
        _NOW if until is None else until,
    )
    return tuple(_transacted(*row) for row in rows)


def _transacted(recorded_at: int, kind: str, source: int | None, *columns: Any) -> Transacted:
    if source is None:
        return Transacted(Instant(recorded_at), kind, None)
    source_kind, root, path, title, uid, entity, size, mtime_ns, digest = columns
    about = unpack_optional(entity)
    named = Source(unpack_id(source), source_kind, root, path, title, uid, about, size, mtime_ns, digest)
    return Transacted(Instant(recorded_at), kind, named)


def _json(ids: Iterable[Id]) -> str:
    return json.dumps([seek_id(one) for one in unique(ids)])


def _with_evidence(handle: Handle, rows: Sequence[Any], known: Instant) -> Iterable[Fact]:
    """Facts of rows of `_FACT`, each with the claims that supported it then, or last, if it was closed before."""
    resting: dict[int, tuple[list[Id], list[Id]]] = {row[0]: ([], []) for row in rows}
    found = handle.each(
        "SELECT v.fact, v.rival, c.id FROM evidence v CROSS JOIN claim c ON c.nr = v.claim"
        " WHERE v.fact = ?1 AND v.recorded_at <= ?2 AND v.closed_at > ?2"
        " AND c.recorded_at <= ?2 AND c.withdrawn_at > ?2",
        [(row[0], min(known, row[14] - 1)) for row in rows],
    )
    for nr, rival, claim in found:
        resting[nr][rival].append(unpack_id(claim))
    return (_fact(row, *resting[row[0]]) for row in rows)


def _fact(row: Any, evidence_ids: list[Id], rivals: list[Id]) -> Fact:
    packed, slot, subject, predicate, target, value, statement, valid_from, valid_to = row[1:10]
    holds_from, holds_to, confidence, recorded_at, closed_at = row[10:]
    return Fact(
        unpack_id(packed),
        unpack_id(slot),
        unpack_id(subject),
        predicate,
        unpack_optional(target),
        value,
        statement,
        Period(unpack_bound(valid_from), unpack_bound(valid_to)),
        holds_from,
        holds_to,
        confidence,
        tuple(sorted(evidence_ids)),
        tuple(sorted(rivals)),
        Instant(recorded_at),
        Instant(closed_at),
    )


def _claim(row: Any) -> Claim:
    """The claim of a row of `_CLAIM`; its first column is the slot."""
    packed, source, episode, passage, subject, predicate, target, value, statement, quote, line = row[1:12]
    valid_from, valid_to, said, kind, scalar, rung, confidence, recorded_at, first_at, replaced = row[12:]
    return Claim(
        unpack_id(packed),
        unpack_id(source),
        unpack_id(episode),
        unpack_id(passage),
        unpack_id(subject),
        predicate,
        unpack_optional(target),
        value,
        statement,
        quote,
        line,
        Period(unpack_bound(valid_from), unpack_bound(valid_to)),
        unpack_bound(said),
        _KINDS[kind],
        bool(scalar),
        rung,
        confidence,
        Instant(recorded_at),
        _bound(replaced),
        None if first_at is None else Instant(first_at),
    )


def _bound(packed: int | str | None) -> Bound | None:
    return None if packed is None else unpack_bound(packed)
