"""From a revision of claims to the rows of a change set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgmem.beliefs import Refolded, Revision
from kgmem.model import Claim, Id
from kgmem.store.changes import ChangeSet, Ending, EndKind


def claims_after(held: Mapping[Id, Sequence[Claim]], revision: Revision) -> dict[Id, list[Claim]]:
    """The claims of the touched slots as they stand once the revision is committed."""
    replaced = dict(revision.replaced)
    withdrawn = set(revision.withdrawn)
    after = {
        slot: [
            replace(claim, replaced=replaced.get(claim.id, claim.replaced))
            for claim in claims
            if claim.id not in withdrawn
        ]
        for slot, claims in held.items()
    }
    for slot, claim in revision.added:
        after.setdefault(slot, []).append(claim)
    return after


def change_set(kind: str, revision: Revision, folded: Refolded) -> ChangeSet:
    """A revision and its fold as rows."""
    return ChangeSet(
        kind=kind,
        claims=revision.added,
        endings=(
            *(Ending(claim, EndKind.REPLACED, bound) for claim, bound in revision.replaced),
            *(Ending(claim, EndKind.WITHDRAWN) for claim in revision.withdrawn),
        ),
        closed=folded.closed,
        opened=folded.opened,
        supported=folded.supported,
    )
