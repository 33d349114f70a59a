"""Writing claims and their endings, facts and what they rest on, and the search rows of facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kgmem.errors import InvariantError
from kgmem.model import OPEN, Claim, Fact, Id, Instant, unique
from kgmem.store.changes import Ending, EndKind
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import PACKED_UNKNOWN, pack_bound, pack_id, pack_optional
from kgmem.store.text import prepare


def put_claims(handle: Handle, claims: Iterable[tuple[Id, Claim]], at: Instant) -> None:
    """Append claims to the log. One that is there is left as it is.

    Raises:
        InvariantError: one that is there was withdrawn: who asserts again makes another claim.
    """
    rows = [_claim_row(handle.grp, slot, claim, at) for slot, claim in claims]
    written = handle.run(
        "INSERT INTO claim (grp, id, slot, recorded_at, source, episode, passage, subject, predicate, object, value,"
        " statement, quote, line, valid_from, valid_to, said, kind, scalar, rung, confidence, first_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (grp, id) DO NOTHING",
        rows,
    )
    if written < len(rows):
        ended = handle.each(
            "SELECT id FROM claim WHERE grp = ? AND id = ? AND (withdrawn_at < ? OR replaced IS NOT NULL)",
            [(handle.grp, row[1], OPEN) for row in rows],
        )
        if list(ended):
            raise InvariantError("a claim that is no longer asserted cannot be asserted again under its id")


def put_endings(handle: Handle, endings: Iterable[Ending], at: Instant) -> None:
    """Write that claims are no longer asserted. Saying the same again changes nothing.

    Raises:
        InvariantError: there is no such claim, or it was withdrawn before and is said to be replaced now.
    """
    for ending in endings:
        row = handle.first(
            "SELECT nr, withdrawn_at, replaced FROM claim WHERE grp = ? AND id = ?", handle.grp, pack_id(ending.claim)
        )
        if row is None:
            raise InvariantError(f"no claim has the id {ending.claim}")
        nr, withdrawn = row[0], row[1] < OPEN
        if ending.kind is EndKind.WITHDRAWN:
            if not withdrawn:
                handle.run("UPDATE claim SET withdrawn_at = ? WHERE nr = ?", [(at, nr)])
                _log(handle, nr, at, ending.kind, None)
            continue
        if withdrawn:
            raise InvariantError(f"the claim {ending.claim} was withdrawn and cannot be replaced")
        bound = PACKED_UNKNOWN if ending.at is None else pack_bound(ending.at)
        if row[2] != bound:
            handle.run("UPDATE claim SET replaced = ? WHERE nr = ?", [(bound, nr)])
            _log(handle, nr, at, ending.kind, bound)


def close_facts(handle: Handle, facts: Iterable[Id], at: Instant) -> None:
    """Close open facts. One that is closed is left as it is. Their search rows stay: the past is searched too.

    Raises:
        InvariantError: there is no such fact.
    """
    ids = unique(facts)
    closed = handle.run(
        "UPDATE fact SET closed_at = ? WHERE grp = ? AND id = ? AND closed_at = ?",
        [(at, handle.grp, pack_id(one), OPEN) for one in ids],
    )
    if closed < len(ids):
        _numbers(handle, "fact", ids)


def open_facts(handle: Handle, facts: Iterable[Fact], at: Instant) -> None:
    """Open facts, with what they rest on. One that is open is left as it is.

    Raises:
        InvariantError: a fact of that id was closed, or one rests on a claim that is not there.
    """
    wanted = {pack_id(fact.id): fact for fact in facts}
    if not wanted:
        return
    last = handle.first("SELECT max(nr) FROM fact")[0] or 0
    written = handle.run(
        "INSERT INTO fact (grp, id, slot, recorded_at, holds_from, holds_to, subject, predicate, object, value,"
        " statement, valid_from, valid_to, confidence)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (grp, id) DO NOTHING",
        [_fact_row(handle.grp, fact, at) for fact in wanted.values()],
    )
    if written < len(wanted):
        _refuse_closed(handle, wanted)
    opened = handle.rows("SELECT nr, id, statement FROM fact WHERE nr > ? ORDER BY nr", last)
    handle.run(
        "INSERT INTO fts_fact_@ (rowid, statement) VALUES (?, ?)", [(nr, prepare(text)) for nr, _, text in opened]
    )
    pairs = [(nr, wanted[packed]) for nr, packed, _ in opened]
    claims = _numbers(handle, "claim", (claim for _, fact in pairs for claim in (*fact.evidence, *fact.rivals)))
    rows = [(nr, claims[claim], 0, at) for nr, fact in pairs for claim in fact.evidence]
    rows += [(nr, claims[claim], 1, at) for nr, fact in pairs for claim in fact.rivals]
    _put_evidence(handle, rows)


def support_facts(handle: Handle, supported: Iterable[tuple[Id, tuple[Id, ...]]], at: Instant) -> None:
    """Say what open facts rest on from now on. Claims that say otherwise stay, unless they are among these.

    Raises:
        InvariantError: there is no such fact or claim.
    """
    for fact, claims in supported:
        nr = _numbers(handle, "fact", [fact])[fact]
        wanted = set(_numbers(handle, "claim", claims).values())
        rows = handle.rows("SELECT claim, rival, recorded_at FROM evidence WHERE fact = ? AND closed_at = ?", nr, OPEN)
        resting = {claim for claim, rival, _ in rows if not rival}
        over = [row for row in rows if bool(row[1]) == (row[0] in wanted)]
        _end_evidence(handle, nr, over, at)
        _put_evidence(handle, [(nr, claim, 0, at) for claim in sorted(wanted - resting)])


def _end_evidence(handle: Handle, fact: int, rows: Iterable[tuple[int, int, int]], at: Instant) -> None:
    handle.run(
        "UPDATE evidence SET closed_at = ? WHERE fact = ? AND claim = ? AND rival = ? AND recorded_at = ?",
        [(at, fact, *row) for row in rows],
    )


def _put_evidence(handle: Handle, rows: Iterable[tuple[int, int, int, Instant]]) -> None:
    handle.run("INSERT OR IGNORE INTO evidence (fact, claim, rival, recorded_at) VALUES (?, ?, ?, ?)", rows)


def _log(handle: Handle, claim: int, at: Instant, kind: EndKind, bound: int | str | None) -> None:
    handle.run(
        "INSERT INTO ending (claim, recorded_at, kind, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET at = excluded.at",
        [(claim, at, kind, bound)],
    )


def _refuse_closed(handle: Handle, ids: Iterable[int]) -> None:
    closed = handle.each(
        "SELECT id FROM fact WHERE grp = ? AND id = ? AND closed_at < ?", [(handle.grp, packed, OPEN) for packed in ids]
    )
    if list(closed):
        raise InvariantError("a fact that was closed cannot be opened again under its id")


_NUMBER = {
    "fact": "SELECT id, nr FROM fact WHERE grp = ? AND id = ?",
    "claim": "SELECT id, nr FROM claim WHERE grp = ? AND id = ?",
}


def _numbers(handle: Handle, table: str, ids: Iterable[Id]) -> dict[Id, int]:
    wanted = {pack_id(identity): identity for identity in ids}
    found = dict(handle.each(_NUMBER[table], [(handle.grp, packed) for packed in wanted]))
    if len(found) < len(wanted):
        missing = next(identity for packed, identity in wanted.items() if packed not in found)
        raise InvariantError(f"no {table} has the id {missing}")
    return {identity: found[packed] for packed, identity in wanted.items()}


def _claim_row(grp: int, slot: Id, claim: Claim, at: Instant) -> tuple[Any, ...]:
    return (
        grp,
        pack_id(claim.id),
        pack_id(slot),
        at,
        pack_id(claim.source),
        pack_id(claim.episode),
        pack_id(claim.passage),
        pack_id(claim.subject),
        claim.predicate,
        pack_optional(claim.object),
        claim.value,
        claim.statement,
        claim.quote,
        claim.line,
        pack_bound(claim.valid.start),
        pack_bound(claim.valid.end),
        pack_bound(claim.said),
        claim.kind,
        claim.scalar,
        claim.rung,
        claim.confidence,
        claim.first_at,
    )


def _fact_row(grp: int, fact: Fact, at: Instant) -> tuple[Any, ...]:
    return (
        grp,
        pack_id(fact.id),
        pack_id(fact.slot),
        at,
        fact.holds_from,
        fact.holds_to,
        pack_id(fact.subject),
        fact.predicate,
        pack_optional(fact.object),
        fact.value,
        fact.statement,
        pack_bound(fact.valid.start),
        pack_bound(fact.valid.end),
        fact.confidence,
    )
