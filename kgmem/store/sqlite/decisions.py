"""What a person decided."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kgmem.model import Decision, DecisionKind, Id, Instant
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id, pack_optional, unpack_id, unpack_optional


def decisions(handle: Handle) -> tuple[Decision, ...]:
    """See `kgmem.store.protocol.Store.decisions`."""
    rows = handle.rows(
        "SELECT id, kind, source, hash, about, entity, others, names, note, recorded_at, retracted_at FROM decision"
        " WHERE grp = ? ORDER BY recorded_at, nr",
        handle.grp,
    )
    return tuple(_decision(row) for row in rows)


def _decision(row: Any) -> Decision:
    packed, kind, source, digest, about, entity, others, names, note, recorded_at, retracted_at = row
    return Decision(
        id=unpack_id(packed),
        kind=DecisionKind(kind),
        source=unpack_optional(source),
        hash=digest,
        about=None if about is None else Instant(about),
        entity=unpack_optional(entity),
        others=tuple(json.loads(others)),
        names=tuple(json.loads(names)),
        note=note,
        recorded_at=Instant(recorded_at),
        retracted_at=Instant(retracted_at),
    )


def put_decisions(handle: Handle, decided: Iterable[Decision], retracted: Iterable[Id], at: Instant) -> None:
    """Log decisions, and that others no longer hold. Saying either again changes nothing."""
    handle.run(
        "INSERT OR IGNORE INTO decision (grp, id, kind, source, hash, about, entity, others, names, note, recorded_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(handle.grp, *_columns(decision), at) for decision in decided],
    )
    handle.run(
        "UPDATE decision SET retracted_at = ? WHERE grp = ? AND id = ? AND retracted_at > ?",
        [(at, handle.grp, pack_id(one), at) for one in retracted],
    )


def _columns(decision: Decision) -> tuple[Any, ...]:
    return (
        pack_id(decision.id),
        decision.kind,
        pack_optional(decision.source),
        decision.hash,
        decision.about,
        pack_optional(decision.entity),
        json.dumps(decision.others),
        json.dumps(decision.names, ensure_ascii=False),
        decision.note,
    )
