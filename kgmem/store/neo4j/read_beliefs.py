"""Reading claims, facts and evidence, now or as of a recorded instant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from kgmem.model import LINKS_TO, OPEN, Bound, Claim, ClaimKind, Fact, Id, Instant, Period, Source, unique
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import lookup
from kgmem.store.neo4j.then import NOW
from kgmem.store.protocol import Evidence, FactQuery, Transacted
from kgmem.store.sqlite.packing import unpack_bound

CLAIM: Final = (
    "c.slot, c.id, c.source, c.episode, c.passage, c.subject, c.predicate, c.object, c.value, c.statement, c.quote,"
    " c.line, c.valid_from, c.valid_to, c.said, c.kind, c.scalar, c.rung, c.confidence, c.recorded_at, c.first_at"
)
_REPLACED_THEN: Final = """
head(COLLECT {
  MATCH (c)-[:ENDED]->(n:Ending) WHERE n.kind = 'replaced' AND n.recorded_at <= $known
  RETURN n.at ORDER BY n.recorded_at DESC LIMIT 1
})
"""
FACT: Final = (
    "f.id, f.slot, f.subject, f.predicate, f.object, f.value, f.statement, f.valid_from, f.valid_to,"
    " f.holds_from, f.holds_to, f.confidence, f.recorded_at, f.closed_at"
)
RESTING: Final = """
COLLECT {
  WITH f, CASE WHEN f.closed_at - 1 < $told THEN f.closed_at - 1 ELSE $told END AS at
  MATCH (f)-[v:EVIDENCE]->(c:Claim)
  WHERE v.recorded_at <= at AND v.closed_at > at AND c.recorded_at <= at AND c.withdrawn_at > at
  RETURN [c.id, v.rival]
}
"""
"""What supported a fact at the instant that is asked about, or last, if it was closed before: [claim, rival]."""
OF_SOURCE: Final = "MATCH (c:Claim {group: $group, source: $source}) USING INDEX c:Claim(group, source)"
AS_MADE: Final = "ORDER BY c.recorded_at, c.ordinal"
CLAIMS_OF_SLOTS: Final = (
    "UNWIND $slots AS slot MATCH (c:Claim {group: $group, slot: slot}) USING INDEX c:Claim(group, slot)"
    " WHERE c.recorded_at <= $known AND c.withdrawn_at > $known"
)
_OF_SLOTS: Final = "UNWIND $slots AS slot MATCH (f:Fact {group: $group, slot: slot}) USING INDEX f:Fact(group, slot)"
OPEN_FACTS: Final = f"{_OF_SLOTS} WHERE f.closed_at = $open"


def claims(
    handle: Handle, slots: Iterable[Id] | None, source: Id | None, known: Instant | None
) -> dict[Id, tuple[Claim, ...]]:
    """See `kgmem.store.protocol.Store.claims`."""
    start, condition = "MATCH (c:Claim {group: $group})", ""
    if slots is not None:
        start = "UNWIND $slots AS slot MATCH (c:Claim {group: $group, slot: slot}) USING INDEX c:Claim(group, slot)"
        condition = "" if source is None else " AND c.source = $source"
    elif source is not None:
        start = OF_SOURCE
    replaced = "c.replaced" if known is None else _REPLACED_THEN
    rows = handle.rows(
        f"{start} WHERE c.recorded_at <= $known AND c.withdrawn_at > $known{condition} RETURN {CLAIM}, {replaced}",
        known=NOW if known is None else known,
        slots=None if slots is None else list(unique(slots)),
        source=source,
    )
    return claims_by_slot(rows)


def claims_by_slot(rows: Iterable[Any]) -> dict[Id, tuple[Claim, ...]]:
    """The claims of rows of `CLAIM`, in the order in which they were made."""
    found: dict[Id, list[Claim]] = {}
    for slot, *row in rows:
        found.setdefault(slot, []).append(to_claim(row))
    return {slot: tuple(sorted(each, key=lambda claim: (claim.recorded_at, claim.id))) for slot, each in found.items()}


def asserted(handle: Handle, source: Id) -> tuple[tuple[Id, Claim], ...]:
    """See `kgmem.store.protocol.Store.asserted`."""
    rows = handle.rows(
        f"{OF_SOURCE} WHERE c.withdrawn_at = $open RETURN {CLAIM}, c.replaced {AS_MADE}",
        source=source,
        open=OPEN,
    )
    return tuple((slot, to_claim(row)) for slot, *row in rows)


def claims_taken(handle: Handle, source: Id, ids: Iterable[Id]) -> frozenset[Id]:
    """See `kgmem.store.protocol.Store.claims_taken`."""
    keys = handle.keys(ids)
    taken = "UNWIND $keys AS key MATCH (c:Claim {key: key}) WHERE c.source = $source RETURN c.id"
    found = handle.rows(taken, keys=keys, source=source) if keys else []
    return frozenset(one for (one,) in found)


def open_facts(handle: Handle, slots: Iterable[Id]) -> dict[Id, tuple[Fact, ...]]:
    """See `kgmem.store.protocol.Store.open_facts`."""
    wanted = list(unique(slots))
    if not wanted:
        return {}
    rows = handle.rows(
        f"{OPEN_FACTS} RETURN {FACT}, {RESTING}",
        slots=wanted,
        open=OPEN,
        told=NOW,
    )
    return facts_by_slot(rows)


def facts_by_slot(rows: Iterable[Any]) -> dict[Id, tuple[Fact, ...]]:
    """The facts of rows of `FACT`, in the order in which they hold."""
    found: dict[Id, list[Fact]] = {}
    for fact in map(_fact, rows):
        found.setdefault(fact.slot, []).append(fact)
    return {slot: tuple(sorted(each, key=lambda fact: (fact.holds_from, fact.id))) for slot, each in found.items()}


def facts(handle: Handle, query: FactQuery) -> tuple[int, tuple[Fact, ...]]:
    """See `kgmem.store.protocol.Store.facts`."""
    start, parameters = _start(handle, query)
    where, more = _conditions(query)
    parameters |= more
    limit = "" if query.limit is None else "LIMIT $limit"
    rows = handle.rows(
        f"""
        {start} WHERE {where}
        WITH DISTINCT f, $group + '/' + f.subject AS key MATCH (e:Entity {{key: key}})
        WITH f, e ORDER BY e.name, f.predicate, f.holds_from, f.recorded_at, f.id SKIP $offset {limit}
        RETURN {FACT}, {RESTING} ORDER BY e.name, f.predicate, f.holds_from, f.recorded_at, f.id
        """,
        **parameters,
        told=NOW if query.known is None else query.known,
        offset=query.offset,
        limit=query.limit,
    )
    total = len(rows)
    if query.limit is not None or query.offset:
        total = handle.first(f"{start} WHERE {where} RETURN count(DISTINCT f)", **parameters)[0]
    return int(total), tuple(_fact(row) for row in rows)


def _start(handle: Handle, query: FactQuery) -> tuple[str, dict[str, Any]]:
    """What finds facts by the most telling of what a query says: one index each."""
    if query.ids is not None:
        return "UNWIND $keys AS key MATCH (f:Fact {key: key})", {"keys": handle.keys(query.ids)}
    if query.slots is not None:
        return _OF_SLOTS, {"slots": list(unique(query.slots))}
    if query.about is not None:
        return _ABOUT, {"about": list(unique(query.about))}
    if query.subject is not None:
        return "MATCH (f:Fact {group: $group, subject: $subject}) USING INDEX f:Fact(group, subject)", {}
    if query.predicate is not None:
        return "MATCH (f:Fact {group: $group, lookup: $lookup}) USING INDEX f:Fact(group, lookup)", {}
    return "MATCH (f:Fact {group: $group})", {}


_ABOUT: Final = """
UNWIND $about AS one
CALL (one) {
  MATCH (f:Fact {group: $group, subject: one}) USING INDEX f:Fact(group, subject) RETURN f
  UNION
  MATCH (f:Fact {group: $group, object: one}) USING INDEX f:Fact(group, object) RETURN f
}
WITH f
"""


def _conditions(query: FactQuery) -> tuple[str, dict[str, Any]]:
    """The condition of a query on a fact ``f``, with its parameters."""
    where = ["true"]
    parameters: dict[str, Any] = {}
    for column, ids in {"slot": query.slots, "subject": query.subject and (query.subject,)}.items():
        if ids is not None:
            where.append(f"f.{column} IN ${column}s")
            parameters[f"{column}s"] = list(unique(ids))
    if query.subject is not None:
        parameters["subject"] = query.subject
    if query.about is not None:
        where.append("(f.subject IN $about OR f.object IN $about)")
        parameters["about"] = list(unique(query.about))
    if query.predicate is not None:
        where.append("f.predicate = $predicate")
        parameters |= {"predicate": query.predicate, "lookup": lookup(query.predicate)}
    if not query.links:
        where.append("f.predicate <> $links_to")
        parameters["links_to"] = LINKS_TO
    if query.valid is not None:
        where.append("f.holds_from < $valid_to AND f.holds_to > $valid_from")
        parameters["valid_from"], parameters["valid_to"] = query.valid
    if query.changed is not None:
        where.append(
            "(f.recorded_at > $since AND f.recorded_at <= $until OR f.closed_at > $since AND f.closed_at <= $until)"
        )
        parameters["since"], parameters["until"] = query.changed
    elif not query.versions:
        where.append("f.recorded_at <= $known AND f.closed_at > $known")
        parameters["known"] = NOW if query.known is None else query.known
    return " AND ".join(where), parameters


def evidence(handle: Handle, identities: Iterable[Id]) -> dict[Id, Evidence]:
    """See `kgmem.store.protocol.Store.evidence`.

    `Evidence.fact` is the newest fact that rests on the claim, an open one first; empty if none ever did. Line and
    date are those of the newest episode that holds the passage.
    """
    keys = handle.keys(identities)
    if not keys:
        return {}
    rows = handle.rows(_EVIDENCE, keys=keys)
    return {row[0]: _evidence(row) for row in rows}


_EVIDENCE: Final = """
UNWIND $keys AS key
MATCH (c:Claim {key: key})<-[:ASSERTS]-(p:Passage)-[:PART_OF]->(s:Source)
RETURN c.id, s.id, p.id, s.root, s.path, c.line, c.quote, p.heading, p.block, p.live, s.kind,
  c.rung, c.confidence,
  head(COLLECT {
    MATCH (f:Fact)-[v:EVIDENCE]->(c) WHERE NOT v.rival
    RETURN f.id ORDER BY f.closed_at DESC, f.recorded_at DESC, f.ordinal DESC LIMIT 1
  }),
  head(COLLECT {
    MATCH (p)<-[t:HAS_PASSAGE]-(:Episode)<-[h:HAS_EPISODE]-(s)
    RETURN [t.first_line, h.occurred] ORDER BY h.recorded_at DESC, t.ordinal LIMIT 1
  })
"""


def _evidence(row: Any) -> Evidence:
    claim, source, passage, root, path, line, quote, heading, block, live, kind, rung, confidence, fact, place = row
    first_line, occurred = place
    return Evidence(
        claim=claim,
        fact=fact or "",
        source=source,
        passage=passage,
        root=root,
        path=path,
        line=first_line + line,
        quote=quote,
        heading=heading,
        block=block,
        occurred=unpack_bound(occurred),
        live=live,
        kind=kind,
        rung=rung,
        confidence=confidence,
    )


def transactions(handle: Handle, since: Instant | None, until: Instant | None) -> tuple[Transacted, ...]:
    """See `kgmem.store.protocol.Store.transactions`."""
    rows = handle.rows(
        "MATCH (t:Transaction {group: $group}) WHERE t.recorded_at >= $since AND t.recorded_at <= $until"
        " WITH t, $group + '/' + t.source AS key OPTIONAL MATCH (s:Source {key: key})"
        " RETURN t.recorded_at, t.kind,"
        " s.id, s.kind, s.root, s.path, s.title, s.uid, s.entity, s.size, s.mtime_ns, s.hash ORDER BY t.recorded_at",
        since=-OPEN if since is None else since,
        until=NOW if until is None else until,
    )
    return tuple(
        Transacted(Instant(at), kind, None if source[0] is None else Source(*source)) for at, kind, *source in rows
    )


def claims_ever(handle: Handle, source: Id, episode: Id | None) -> tuple[tuple[Id, Id], ...]:
    """See `kgmem.store.protocol.Store.claims_ever`."""
    rows = handle.rows(
        f"{OF_SOURCE} WHERE $episode IS NULL OR c.episode = $episode"
        " RETURN c.slot, c.id ORDER BY c.recorded_at, c.ordinal",
        source=source,
        episode=episode,
    )
    return tuple((slot, claim) for slot, claim in rows)


def instants(handle: Handle, slot: Id, without: Iterable[Id]) -> tuple[Instant, ...]:
    """See `kgmem.store.protocol.Store.instants`."""
    rows = handle.rows(
        "MATCH (c:Claim {group: $group, slot: $slot}) USING INDEX c:Claim(group, slot) WHERE NOT c.id IN $without"
        " OPTIONAL MATCH (c)-[:ENDED]->(n:Ending) RETURN c.recorded_at, c.withdrawn_at, n.recorded_at",
        slot=slot,
        without=list(unique(without)),
    )
    return tuple(sorted({Instant(at) for row in rows for at in row if at is not None and at < OPEN}))


def _fact(row: Any) -> Fact:
    one, slot, subject, predicate, target, value, statement, valid_from, valid_to = row[:9]
    holds_from, holds_to, confidence, recorded_at, closed_at, resting = row[9:]
    return Fact(
        one,
        slot,
        subject,
        predicate,
        target,
        value,
        statement,
        Period(unpack_bound(valid_from), unpack_bound(valid_to)),
        holds_from,
        holds_to,
        confidence,
        tuple(sorted(_claims(resting, rival=False))),
        tuple(sorted(_claims(resting, rival=True))),
        Instant(recorded_at),
        Instant(closed_at),
    )


def _claims(resting: Iterable[tuple[Id, bool]], *, rival: bool) -> Iterator[Id]:
    return (claim for claim, otherwise in resting if otherwise is rival)


def to_claim(row: Any) -> Claim:
    """The claim of a row of `CLAIM` after its slot."""
    one, source, episode, passage, subject, predicate, target, value, statement, quote, line = row[:11]
    valid_from, valid_to, said, kind, scalar, rung, confidence, recorded_at, first_at, replaced = row[11:]
    return Claim(
        one,
        source,
        episode,
        passage,
        subject,
        predicate,
        target,
        value,
        statement,
        quote,
        line,
        Period(unpack_bound(valid_from), unpack_bound(valid_to)),
        unpack_bound(said),
        ClaimKind(kind),
        scalar,
        rung,
        confidence,
        Instant(recorded_at),
        _bound(replaced),
        None if first_at is None else Instant(first_at),
    )


def _bound(packed: int | str | None) -> Bound | None:
    return None if packed is None else unpack_bound(packed)
