"""What brings the claims of a source back to what they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count

from kgmem.beliefs.revision import Revision, Taken
from kgmem.model import Bound, Claim, Id, Instant, identify


def rewind(
    held: Iterable[tuple[Id, Claim]], then: Iterable[tuple[Id, Claim]], taken: Taken, *, now: Instant
) -> Revision:
    """The revision after which a source claims again what it did before.

    The log only grows: a claim that ended since is made again, as another one of the same content, dates and rank.

    Args:
        held: (slot, claim) of every claim of the source that is not withdrawn now.
        then: the same, as it was.
        taken: which ids the log knows.
        now: the transaction's recorded instant.
    """
    held, then = list(held), list(then)
    standing = {(claim.id, claim.replaced) for _, claim in held}
    kept = {claim.id for _, claim in then if (claim.id, claim.replaced) in standing}
    withdrawn = [(slot, claim.id) for slot, claim in held if claim.id not in kept]
    again = [(slot, claim) for slot, claim in then if claim.id not in kept]
    added: list[tuple[Id, Claim]] = []
    replaced: list[tuple[Id, Bound]] = []
    for slot, claim in again:
        name = _free(claim, taken)
        added.append((slot, replace(claim, id=name, recorded_at=now, first_at=claim.ranked_at)))
        if claim.replaced is not None:
            replaced.append((name, claim.replaced))
    touched = dict.fromkeys([slot for slot, _ in withdrawn] + [slot for slot, _ in added])
    return Revision(tuple(added), tuple(replaced), tuple(name for _, name in withdrawn), tuple(touched))


def _free(claim: Claim, taken: Taken) -> Id:
    """An id for a claim that is made again: by how often it was."""
    return next(name for n in count() if not taken([name := identify("claim", "again", claim.id, n)]))
