"""What a person decided, and the pairs of entities that decisions tie or keep apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kgmem.model import OPEN, Decision, DecisionKind, Id, Instant
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.keys import checked
from kgmem.store.neo4j.rows import Work

PIECES: Final = {
    "decisions_new": "CREATE (d:Decision) SET d = row.properties",
    "decisions_set": "MATCH (d:Decision {key: row.key}) SET d.retracted_at = $at",
    "pairs_new": (
        "MATCH (one:Entity {key: row.one}) MATCH (other:Entity {key: row.other})"
        " CREATE (one)-[r:SAME_AS]->(other) SET r = row.properties"
    ),
    "pairs_drop": "MATCH ()-[r:SAME_AS {group: $group, decision: row.decision}]->() DELETE r",
}
_DECIDED: Final = {DecisionKind.SAME: "confirmed", DecisionKind.DISTINCT: "rejected"}
"""The status of pairs that a decision ties, or keeps apart."""

_READ: Final = """
MATCH (d:Decision {group: $group})
RETURN d.id, d.kind, d.source, d.hash, d.about, d.entity, d.others, d.names, d.note, d.recorded_at, d.retracted_at
ORDER BY d.recorded_at, d.ordinal
"""


def decisions(handle: Handle) -> tuple[Decision, ...]:
    """See `kgmem.store.protocol.Store.decisions`."""
    return tuple(_decision(row) for row in handle.rows(_READ))


def _decision(row: Any) -> Decision:
    one, kind, source, digest, about, entity, others, names, note, recorded_at, retracted_at = row
    return Decision(
        id=one,
        kind=DecisionKind(kind),
        source=source,
        hash=digest,
        about=None if about is None else Instant(about),
        entity=entity,
        others=tuple(others),
        names=tuple(names),
        note=note,
        recorded_at=Instant(recorded_at),
        retracted_at=Instant(retracted_at),
    )


def put_decisions(work: Work, decided: Iterable[Decision], retracted: Iterable[Id]) -> None:
    """Log decisions, and that others no longer hold. Saying either again changes nothing."""
    for ordinal, decision in enumerate(decided):
        if decision.id in work.held.decisions:
            continue
        work.put("decisions_new", properties={**_columns(work, decision), "ordinal": ordinal})
        work.held.decisions[decision.id] = OPEN
        _tie(work, decision)
    for one in retracted:
        if work.held.decisions.get(one, work.at) > work.at:
            work.put("decisions_set", key=work.handle.key(one))
            work.put("pairs_drop", decision=one)
            work.held.decisions[one] = work.at


def _tie(work: Work, decision: Decision) -> None:
    status = _DECIDED.get(decision.kind)
    if status is None or decision.entity is None:
        return
    for other in decision.others:
        work.put(
            "pairs_new",
            one=work.handle.key(other),
            other=work.handle.key(decision.entity),
            properties={"group": work.group, "status": status, "decision": decision.id, "reasons": [decision.note]},
        )


def tie_pairs(handle: Handle) -> None:
    """Tie or keep apart the pairs of all decisions that hold, in a memory whose decisions came before its entities."""
    handle.write(_TIE, statuses={str(kind): status for kind, status in _DECIDED.items()}, open=OPEN)


_TIE: Final = """
MATCH (d:Decision {group: $group}) WHERE d.retracted_at = $open AND $statuses[d.kind] IS NOT NULL
UNWIND d.others AS id
WITH d, $group + '/' + id AS key, $group + '/' + d.entity AS stands
MATCH (one:Entity {key: key}) MATCH (other:Entity {key: stands})
CREATE (one)-[:SAME_AS {group: $group, status: $statuses[d.kind], decision: d.id, reasons: [d.note]}]->(other)
"""


def _columns(work: Work, decision: Decision) -> dict[str, Any]:
    return {
        "key": work.handle.key(checked(decision.id)),
        "group": work.group,
        "id": decision.id,
        "kind": str(decision.kind),
        "source": decision.source,
        "hash": decision.hash,
        "about": decision.about,
        "entity": decision.entity,
        "others": list(decision.others),
        "names": list(decision.names),
        "note": decision.note,
        "recorded_at": work.at,
        "retracted_at": OPEN,
    }
