"""What a person decided."""

from __future__ import annotations

from collections.abc import Iterable

from kgmem.model import Decision, DecisionKind, Id, Instant
from kgmem.store.sqlite.connection import Handle
from kgmem.store.sqlite.packing import pack_id, pack_optional, unpack_id, unpack_optional


def decisions(handle: Handle) -> tuple[Decision, ...]:
    """See `kgmem.store.protocol.Store.decisions`."""
    rows = handle.rows(
        "SELECT id, kind, source, hash, about, recorded_at, retracted_at FROM decision WHERE grp = ?"
        " ORDER BY recorded_at, nr",
        handle.grp,
    )
    return tuple(
        Decision(
            unpack_id(packed),
            DecisionKind(kind),
            unpack_optional(source),
            digest,
            None if about is None else Instant(about),
            Instant(recorded_at),
            Instant(retracted_at),
        )
        for packed, kind, source, digest, about, recorded_at, retracted_at in rows
    )


def put_decisions(handle: Handle, decided: Iterable[Decision], retracted: Iterable[Id], at: Instant) -> None:
    """Log decisions, and that others no longer hold. Saying either again changes nothing."""
    handle.run(
        "INSERT OR IGNORE INTO decision (grp, id, kind, source, hash, about, recorded_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(handle.grp, pack_id(d.id), d.kind, pack_optional(d.source), d.hash, d.about, at) for d in decided],
    )
    handle.run(
        "UPDATE decision SET retracted_at = ? WHERE grp = ? AND id = ? AND retracted_at > ?",
        [(at, handle.grp, pack_id(one), at) for one in retracted],
    )
