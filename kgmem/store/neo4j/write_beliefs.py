"""Claims and their endings, facts and what they rest on: the rows that a change set makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from kgmem.errors import InvariantError
from kgmem.model import OPEN, UNKNOWN, Claim, Fact, Id, unique
from kgmem.store.changes import Ending, EndKind
from kgmem.store.neo4j.dates import shown
from kgmem.store.neo4j.held import HeldClaim, HeldFact
from kgmem.store.neo4j.keys import checked, lookup
from kgmem.store.neo4j.rows import Work
from kgmem.store.neo4j.vectors import follow
from kgmem.store.neo4j.words import DEAD, LIVE, indexed
from kgmem.store.sqlite.packing import pack_bound

PIECES: Final = {
    "claims_new": (
        "MATCH (p:Passage {key: row.passage}) CREATE (p)-[:ASSERTS {group: $group}]->(c:Claim) SET c = row.properties"
    ),
    "claims_set": "MATCH (c:Claim {key: row.key}) SET c += row.properties",
    "endings_put": (
        "MATCH (c:Claim {key: row.claim}) MERGE (n:Ending {key: row.properties.key}) SET n = row.properties"
        " MERGE (c)-[:ENDED]->(n)"
    ),
    "facts_close": "MATCH (f:Fact {key: row.key}) SET f.closed_at = $at, f.state = $dead",
    "related_drop": (
        "MATCH (:Entity {key: row.subject})-[r:RELATED_TO {fact: row.fact}]->(:Entity {key: row.object}) DELETE r"
    ),
    "facts_new": (
        "MATCH (e:Entity {key: row.subject})"
        " CREATE (e)<-[:ABOUT {group: $group, role: 'subject'}]-(f:Fact) SET f = row.properties, f:$($label)"
    ),
    "facts_object": (
        "MATCH (f:Fact {key: row.key}) MATCH (e:Entity {key: row.object}) MATCH (a:Entity {key: row.subject})"
        " CREATE (f)-[:ABOUT {group: $group, role: 'object'}]->(e)"
        " CREATE (a)-[r:RELATED_TO]->(e) SET r = row.properties"
    ),
    "supersedes": (
        "MATCH (f:Fact {key: row.key}) MATCH (o:Fact {key: row.before}) CREATE (f)-[:SUPERSEDES {group: $group}]->(o)"
    ),
    "evidence_close": (
        "MATCH (:Fact {key: row.fact})-[v:EVIDENCE {rival: row.rival, recorded_at: row.recorded_at}]->"
        "(:Claim {key: row.claim}) SET v.closed_at = $at"
    ),
    "evidence_new": (
        "MATCH (f:Fact {key: row.fact}) MATCH (c:Claim {key: row.claim})"
        " CREATE (f)-[v:EVIDENCE]->(c) SET v = row.properties"
    ),
}


def put_claims(work: Work, claims: Iterable[tuple[Id, Claim]]) -> None:
    """Append claims to the log. One that is there is left as it is.

    Raises:
        InvariantError: one names what is not there, or was withdrawn: who asserts again makes another claim.
    """
    for ordinal, (slot, claim) in enumerate(claims):
        kept = work.held.claims.get(claim.id)
        if kept is not None:
            if kept.withdrawn or kept.replaced is not None:
                raise InvariantError("a claim that is no longer asserted cannot be asserted again under its id")
            continue
        for kind, one in (("source", claim.source), ("episode", claim.episode), ("passage", claim.passage)):
            work.held.require(kind, one)
        _require_ends(work, claim)
        properties = {**_claim(work, checked(slot), claim), "recorded_at": work.at, "ordinal": ordinal}
        work.put("claims_new", passage=work.handle.key(claim.passage), properties=properties)
        work.held.claims[claim.id] = HeldClaim()


def _require_ends(work: Work, row: Claim | Fact) -> None:
    work.held.require("entity", row.subject)
    if row.object is not None:
        work.held.require("entity", row.object)
        if row.value is not None:
            raise InvariantError(f"{row.id} has both an object and a value")


def put_endings(work: Work, endings: Iterable[Ending]) -> None:
    """Write that claims are no longer asserted. Saying the same again changes nothing.

    Raises:
        InvariantError: there is no such claim, or it was withdrawn before and is said to be replaced now.
    """
    for ending in endings:
        work.held.require("claim", ending.claim)
        kept, key = work.held.claims[ending.claim], work.handle.key(ending.claim)
        if ending.kind is EndKind.WITHDRAWN:
            if not kept.withdrawn:
                kept.withdrawn = True
                work.put("claims_set", key=key, properties={"withdrawn_at": work.at})
                _log(work, ending, None)
            continue
        if kept.withdrawn:
            raise InvariantError(f"the claim {ending.claim} was withdrawn and cannot be replaced")
        bound = pack_bound(UNKNOWN if ending.at is None else ending.at)
        if kept.replaced != bound:
            kept.replaced = bound
            work.put("claims_set", key=key, properties={"replaced": bound})
            _log(work, ending, bound)


def _log(work: Work, ending: Ending, bound: int | str | None) -> None:
    work.put(
        "endings_put",
        claim=work.handle.key(ending.claim),
        properties={
            "key": work.handle.key(ending.claim, work.at, ending.kind),
            "group": work.group,
            "claim": ending.claim,
            "recorded_at": work.at,
            "kind": str(ending.kind),
            "at": bound,
        },
    )


def close_facts(work: Work, facts: Iterable[Id]) -> dict[Id, list[Id]]:
    """Close open facts, whose words stay: the past is searched too. Gives those that it closed, by slot.

    Raises:
        InvariantError: there is no such fact.
    """
    closed: dict[Id, list[Id]] = {}
    for one in unique(facts):
        work.held.require("fact", one)
        fact = work.held.facts[one]
        if fact.closed:
            continue
        fact.closed = True
        closed.setdefault(fact.slot, []).append(one)
        work.put("facts_close", key=work.handle.key(one))
        follow(work, "fact", one, state=DEAD, closed_at=work.at)
        if fact.object is not None:
            ends = {"subject": work.handle.key(fact.subject), "object": work.handle.key(fact.object)}
            work.put("related_drop", fact=one, **ends)
    return closed


def open_facts(work: Work, facts: Iterable[Fact], closed: dict[Id, list[Id]]) -> None:
    """Open facts, with what they rest on; each supersedes those of its slot that were closed with it.

    Raises:
        InvariantError: a fact of that id was closed, or one names what is not there.
    """
    for ordinal, fact in enumerate({fact.id: fact for fact in facts}.values()):
        kept = work.held.facts.get(fact.id)
        if kept is not None:
            if kept.closed:
                raise InvariantError("a fact that was closed cannot be opened again under its id")
            continue
        _require_ends(work, fact)
        if fact.holds_from >= fact.holds_to:
            raise InvariantError(f"the fact {fact.id} holds at no time")
        key, subject = work.handle.key(checked(fact.id)), work.handle.key(fact.subject)
        work.put("facts_new", subject=subject, properties={**_fact(work, fact), "key": key, "ordinal": ordinal})
        if fact.object is not None:
            ends = {"subject": subject, "object": work.handle.key(fact.object)}
            work.put("facts_object", key=key, **ends, properties=_tie(work, fact))
        for before in closed.get(fact.slot, ()):
            work.put("supersedes", key=key, before=work.handle.key(before))
        work.held.facts[fact.id] = HeldFact(fact.slot, fact.subject, fact.object)
        for claim in unique(fact.evidence):
            _rest(work, fact.id, claim, rival=False)
        for claim in unique(fact.rivals):
            _rest(work, fact.id, claim, rival=True)


def support_facts(work: Work, supported: Iterable[tuple[Id, tuple[Id, ...]]]) -> None:
    """Say what open facts rest on from now on. Claims that say otherwise stay, unless they are among these.

    Raises:
        InvariantError: there is no such fact or claim.
    """
    for fact, claims in supported:
        work.held.require("fact", fact)
        wanted = {work.held.require("claim", claim) for claim in claims}
        resting = work.held.facts[fact].resting
        before = {claim for claim, rival, _ in resting if not rival}
        for row in sorted(row for row in resting if row[1] == (row[0] in wanted)):
            claim, rival, since = row
            resting.discard(row)
            work.put(
                "evidence_close",
                fact=work.handle.key(fact),
                claim=work.handle.key(claim),
                rival=rival,
                recorded_at=since,
            )
        for claim in sorted(wanted - before):
            _rest(work, fact, claim, rival=False)


def _rest(work: Work, fact: Id, claim: Id, *, rival: bool) -> None:
    work.held.require("claim", claim)
    work.held.facts[fact].resting.add((claim, rival, work.at))
    work.put(
        "evidence_new",
        fact=work.handle.key(fact),
        claim=work.handle.key(claim),
        properties={"group": work.group, "rival": rival, "recorded_at": work.at, "closed_at": OPEN},
    )


def _claim(work: Work, slot: Id, claim: Claim) -> dict[str, Any]:
    """The columns of a claim; dates as they sort, and as a person reads them."""
    return {
        "key": work.handle.key(checked(claim.id)),
        "group": work.group,
        "id": claim.id,
        "slot": slot,
        "withdrawn_at": OPEN,
        "source": claim.source,
        "episode": claim.episode,
        "passage": claim.passage,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "object": claim.object,
        "value": claim.value,
        "statement": claim.statement,
        "quote": claim.quote,
        "line": claim.line,
        "valid_from": pack_bound(claim.valid.start),
        "valid_to": pack_bound(claim.valid.end),
        "from_shown": shown(claim.valid.start),
        "to_shown": shown(claim.valid.end),
        "said": pack_bound(claim.said),
        "kind": str(claim.kind),
        "scalar": claim.scalar,
        "rung": claim.rung,
        "confidence": float(claim.confidence),
        "first_at": claim.first_at,
    }


def _fact(work: Work, fact: Fact) -> dict[str, Any]:
    """The columns of a fact but its key; dates as they sort, and as a person reads them."""
    return {
        "group": work.group,
        "id": fact.id,
        "slot": checked(fact.slot),
        "recorded_at": work.at,
        "closed_at": OPEN,
        "holds_from": fact.holds_from,
        "holds_to": fact.holds_to,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "lookup": lookup(fact.predicate),
        "object": fact.object,
        "value": fact.value,
        "statement": fact.statement,
        "statement_words": indexed(fact.statement),
        "state": LIVE,
        "valid_from": pack_bound(fact.valid.start),
        "valid_to": pack_bound(fact.valid.end),
        "from_shown": shown(fact.valid.start),
        "to_shown": shown(fact.valid.end),
        "confidence": float(fact.confidence),
    }


def _tie(work: Work, fact: Fact) -> dict[str, Any]:
    """A current fact as a relationship of its subject to its object."""
    return {
        "group": work.group,
        "fact": fact.id,
        "predicate": fact.predicate,
        "from_shown": shown(fact.valid.start),
        "to_shown": shown(fact.valid.end),
    }


MORE: Final = {"dead": DEAD}
"""Parameters of the pieces that are the same for all rows."""
