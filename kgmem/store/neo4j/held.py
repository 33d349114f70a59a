"""What is kept of what a change set speaks of: read in one query, so that the comparison needs no server."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from kgmem.errors import InvariantError
from kgmem.model import OPEN, UNKNOWN, Alias, AliasKind, Claim, Entity, EntityType, Episode, Fact, Id, Passage, unique
from kgmem.store.changes import ChangeSet
from kgmem.store.neo4j.connection import Handle
from kgmem.store.neo4j.sides import NO_SIDES, SIDES, Sides, read_sides, sides_of
from kgmem.store.sqlite.packing import pack_bound

Span = tuple[Id, int, int, Id]
"""(passage, start, end, entity) of a mention."""
Resting = tuple[Id, bool, int]
"""(claim, whether it says otherwise, recorded instant) of what a fact rests on."""


@dataclass(slots=True)
class HeldSource:
    """A source as it is kept, live or not."""

    properties: dict[str, Any]
    """Those of its node."""
    live: bool
    episode: Id | None = None
    """The current one."""
    occurred: int | str = pack_bound(UNKNOWN)
    """The packed date of the current one."""
    aliases: dict[Alias, None] = field(default_factory=dict)
    links: dict[str, bool] = field(default_factory=dict)
    passages: dict[Id, None] = field(default_factory=dict)
    """Its live ones."""

    @property
    def id(self) -> Id:
        """Its id."""
        return str(self.properties["id"])


@dataclass(slots=True)
class HeldFact:
    """A fact as it is kept."""

    slot: Id
    subject: Id
    object: Id | None
    closed: bool = False
    resting: set[Resting] = field(default_factory=set)
    """What it rests on now."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An entity as it is without the sources that the set changes."""

    name: str = ""
    listed: str | None = None
    """The names under which it is searched; None while it has no live mention."""
    names: frozenset[str] = frozenset()
    """Those that other sources give it."""
    seen: bool = False
    """Whether one of them mentions it."""


@dataclass(slots=True)
class HeldClaim:
    """How a claim is asserted."""

    withdrawn: bool = False
    replaced: int | str | None = None


@dataclass(slots=True)
class Held:
    """See the module."""

    sources: dict[Id, HeldSource] = field(default_factory=dict)
    known_sources: set[Id] = field(default_factory=set)
    """Of the sources that claims name, those that are there."""
    episodes: dict[Id, tuple[Id, str]] = field(default_factory=dict)
    """(source, hash) of episodes that the set names."""
    archived: set[Id] = field(default_factory=set)
    """Those of them whose body is not here."""
    places: dict[tuple[Id, int], tuple[int, int]] = field(default_factory=dict)
    """(first line, last line) by (passage, ordinal), in the episode that will be the current one."""
    passages: dict[Id, bool] = field(default_factory=dict)
    """Whether passages that the set names, or that are live, are live."""
    mentions: dict[Span, tuple[str, str]] = field(default_factory=dict)
    """(surface, rung) of the mentions in these."""
    entities: dict[Id, Entity] = field(default_factory=dict)
    hidden: set[Id] = field(default_factory=set)
    """Entities that have no live mention."""
    elsewhere: dict[Id, Elsewhere] = field(default_factory=dict)
    """What other sources say of the entities that the set or its sources speak of."""
    claims: dict[Id, HeldClaim] = field(default_factory=dict)
    facts: dict[Id, HeldFact] = field(default_factory=dict)
    decisions: dict[Id, int] = field(default_factory=dict)
    """When decisions were retracted."""
    vectors: dict[tuple[str, Id], tuple[str, str, str | None]] = field(default_factory=dict)
    """(model, digest, what it was made of) by kind and id, of the group's own model."""
    vector_sides: Sides = NO_SIDES

    def source(self, identity: Id) -> HeldSource:
        """A source that is there, live or not.

        Raises:
            InvariantError: there never was one.
        """
        if identity not in self.sources:
            raise InvariantError(f"no source has the id {identity}")
        return self.sources[identity]

    def require(self, kind: str, identity: Id) -> Id:
        """The id of a row that must be there.

        Raises:
            InvariantError: it is not.
        """
        if identity not in getattr(self, _ROWS[kind]):
            raise InvariantError(f"no {kind} has the id {identity}")
        return identity


_ROWS: Final = {
    "source": "known_sources",
    "episode": "episodes",
    "passage": "passages",
    "entity": "entities",
    "claim": "claims",
    "fact": "facts",
}
"""Where the rows of a kind are held."""


def source_of(changes: ChangeSet) -> Id | None:
    """The one source whose episode, passages, aliases or links the set holds."""
    if changes.source is not None:
        return changes.source.id
    if changes.episode is not None:
        return changes.episode.source
    named: tuple[Passage | Alias, ...] = (*changes.passages, *(changes.aliases or ()))
    return named[0].source if named else None


def read_held(handle: Handle, changes: ChangeSet) -> Held:
    """Read what the set is to be compared with."""
    row = handle.first(_HELD, asked=_asked(handle, changes))
    sources, lives, aliases, links, episodes, places, passages, mentions, entities, *beliefs, others = row
    held = Held()
    for properties, episode, occurred in sources:
        kept = HeldSource(properties, properties["removed_at"] == OPEN, episode)
        kept.occurred = kept.occurred if occurred is None else occurred
        held.sources[kept.id] = kept
    for source, passage in lives:
        held.sources[source].passages[passage] = None
    for source, given in aliases:
        held.sources[source].aliases[_alias(source, given)] = None
    for source, name, resolved in links:
        held.sources[source].links[name] = resolved
    held.known_sources = {*held.sources, *others["sources"]}
    held.episodes = {one: (source, digest) for one, source, digest, _ in episodes}
    held.archived = {one for one, _, _, away in episodes if away}
    held.places = {(one, ordinal): (first, last) for one, ordinal, first, last in places}
    held.passages = dict(passages)
    held.mentions = {(p, start, past, e): (surface, rung) for p, start, past, e, surface, rung in mentions}
    for one, name, kind, subtype, rank, hidden in entities:
        held.entities[one] = Entity(one, name, EntityType(kind), subtype, rank)
        if hidden:
            held.hidden.add(one)
    held.elsewhere = _elsewhere(others["elsewhere"])
    _take_beliefs(held, *beliefs)
    held.decisions = dict(others["decisions"])
    held.vectors = {(kind, one): (model, digest, of) for kind, one, model, digest, of in others["vectors"]}
    held.vector_sides = sides_of(others["sides"])
    return held


def read_named(handle: Handle, entities: Iterable[Id]) -> Held:
    """Read what all sources say of some entities, for who has changed more than one change set may."""
    rows = handle.rows(_SPOKEN_OF, asked={"entities": handle.keys(entities), "changed": []})
    return Held(elsewhere=_elsewhere(row for (row,) in rows), vector_sides=read_sides(handle))


def _elsewhere(rows: Iterable[Any]) -> dict[Id, Elsewhere]:
    return {one: Elsewhere(name, listed, frozenset(names), seen) for one, name, listed, names, seen in rows}


def _take_beliefs(held: Held, claims: Iterable[Any], facts: Iterable[Any], resting: Iterable[Any]) -> None:
    held.claims = {one: HeldClaim(withdrawn < OPEN, replaced) for one, withdrawn, replaced in claims}
    held.facts = {one: HeldFact(slot, subject, target, closed < OPEN) for one, slot, subject, target, closed in facts}
    for fact, claim, rival, at in resting:
        held.facts[fact].resting.add((claim, rival, at))


def _alias(source: Id, given: dict[str, Any]) -> Alias:
    return Alias(
        given["entity"],
        source,
        given["name"],
        given["name_key"],
        AliasKind(given["kind"]),
        EntityType(given["type"]),
        given.get("subtype"),
        given["type_rank"],
    )


def _asked(handle: Handle, changes: ChangeSet) -> dict[str, Any]:
    """The keys of all that a change set names."""
    claims = [claim for _, claim in changes.claims]
    facts = changes.opened
    about: tuple[Claim | Fact, ...] = (*claims, *facts)
    named = source_of(changes)
    main = [one for one in (named, changes.removed) if one is not None]
    entities = [
        *(entity.id for entity in changes.entities),
        *(mention.entity for mention in changes.mentions or ()),
        *(alias.entity for alias in changes.aliases or ()),
        *(one for row in about for one in (row.subject, row.object) if one is not None),
        *([changes.source.entity] if changes.source and changes.source.entity else []),
        *(one for each in changes.decisions for one in (each.entity, *each.others) if one is not None),
    ]
    passages = [*(each.id for each in changes.passages), *(claim.passage for claim in claims)]
    resting = [
        *(claim.id for claim in claims),
        *(ending.claim for ending in changes.endings),
        *(claim for fact in facts for claim in (*fact.evidence, *fact.rivals)),
        *(claim for _, claims_now in changes.supported for claim in claims_now),
    ]
    believed = [*changes.closed, *(fact.id for fact in facts), *(fact for fact, _ in changes.supported)]
    return {
        "sources": handle.keys(main),
        "changed": main,
        "source": None if named is None else handle.key(named),
        "episode": _episode_key(handle, changes.episode),
        "episodes": handle.keys([*([changes.episode.id] if changes.episode else []), *(c.episode for c in claims)]),
        "passages": handle.keys(passages),
        "entities": handle.keys(entities),
        "claims": handle.keys(resting),
        "facts": handle.keys(believed),
        "claimed": handle.keys(claim.source for claim in claims),
        "decisions": handle.keys([*(each.id for each in changes.decisions), *changes.retracted]),
        "vectors": [handle.key(*pair) for pair in unique((each.kind, each.id) for each in changes.vectors)],
    }


def _episode_key(handle: Handle, episode: Episode | None) -> str | None:
    return None if episode is None else handle.key(episode.id)


_ELSEWHERE: Final = """[
  e.id, e.name, e.listed,
  COLLECT { MATCH (e)<-[:NAMES]-(a:Alias)
    WHERE EXISTS { MATCH (a)<-[:GIVES]-(s:Source) WHERE NOT s.id IN $asked.changed } RETURN DISTINCT a.name },
  EXISTS { MATCH (e)<-[:MENTIONS]-(p:Passage) WHERE p.live AND NOT p.source IN $asked.changed }
]"""
"""What is told of an entity ``e`` that all sources but the changed ones speak of."""
_SPOKEN_OF: Final = (
    f"CYPHER replan=skip UNWIND $asked.entities AS key MATCH (e:Entity {{key: key}}) RETURN {_ELSEWHERE}"
)
_HELD: Final = (
    """
CYPHER replan=skip
CALL () {
  UNWIND $asked.sources AS key MATCH (s:Source {key: key}) OPTIONAL MATCH (s)-[now:CURRENT]->(e:Episode)
  RETURN collect([properties(s), e.id, now.occurred]) AS sources
}
CALL () {
  UNWIND $asked.sources AS key
  MATCH (s:Source {key: key})-[:CURRENT]->(:Episode)-[t:HAS_PASSAGE]->(p:Passage) WHERE p.live
  WITH s, p, min(t.ordinal) AS ordinal ORDER BY ordinal
  RETURN collect([s.id, p.id]) AS lives, collect(p.key) AS standing
}
CALL () {
  UNWIND $asked.sources AS key MATCH (s:Source {key: key})-[:GIVES]->(a:Alias)
  RETURN collect([s.id, properties(a)]) AS aliases, collect(DISTINCT $group + '/' + a.entity) AS named
}
CALL () {
  UNWIND $asked.sources AS key MATCH (s:Source {key: key})-[:LINKS]->(l:Link)
  RETURN collect([s.id, l.name, l.resolved]) AS links
}
CALL () {
  UNWIND $asked.episodes AS key MATCH (e:Episode {key: key})
  RETURN collect([e.id, e.source, e.hash, EXISTS { (e)-[:KEPT_IN]->(:Volume) }]) AS episodes
}
CALL () {
  OPTIONAL MATCH (:Source {key: $asked.source})-[:CURRENT]->(now:Episode)
  WITH coalesce($asked.episode, now.key) AS key
  MATCH (e:Episode {key: key})-[t:HAS_PASSAGE]->(p:Passage)
  RETURN collect([p.id, t.ordinal, t.first_line, t.last_line]) AS places
}
CALL (standing) {
  UNWIND standing + $asked.passages AS key WITH DISTINCT key MATCH (p:Passage {key: key})
  RETURN collect([p.id, p.live]) AS passages
}
CALL (standing) {
  UNWIND standing + $asked.passages AS key WITH DISTINCT key MATCH (p:Passage {key: key})-[m:MENTIONS]->(e:Entity)
  RETURN collect([p.id, m.start, m.past, e.id, m.surface, m.rung]) AS mentions, collect(DISTINCT e.key) AS mentioned
}
CALL () {
  UNWIND $asked.entities AS key MATCH (e:Entity {key: key})
  RETURN collect([e.id, e.name, e.type, e.subtype, e.type_rank, e.listed IS NULL]) AS entities
}
CALL (named, mentioned) {
  UNWIND $asked.entities + named + mentioned AS key WITH DISTINCT key MATCH (e:Entity {key: key})
  RETURN collect($elsewhere) AS elsewhere
}
CALL () {
  UNWIND $asked.claims AS key MATCH (c:Claim {key: key}) RETURN collect([c.id, c.withdrawn_at, c.replaced]) AS claims
}
CALL () {
  UNWIND $asked.facts AS key MATCH (f:Fact {key: key})
  RETURN collect([f.id, f.slot, f.subject, f.object, f.closed_at]) AS facts
}
CALL () {
  UNWIND $asked.facts AS key MATCH (f:Fact {key: key})-[v:EVIDENCE]->(c:Claim) WHERE v.closed_at = $open
  RETURN collect([f.id, c.id, v.rival, v.recorded_at]) AS resting
}
CALL () {
  UNWIND $asked.claimed AS key MATCH (s:Source {key: key}) RETURN collect(s.id) AS claimed
}
CALL () {
  UNWIND $asked.decisions AS key MATCH (d:Decision {key: key}) RETURN collect([d.id, d.retracted_at]) AS decisions
}
CALL () {
  MATCH (g:Group {key: $group}) UNWIND $asked.vectors AS key
  MATCH (v:Embedding {key: key + CASE WHEN coalesce(g.vector_side, '') = '' THEN '' ELSE '/' + g.vector_side END})
  RETURN collect([v.kind, v.id, v.model, v.digest, v.made_of]) AS vectors
}
MATCH (g:Group {key: $group})
RETURN sources, lives, aliases, links, episodes, places, passages, mentions, entities, claims, facts, resting,
  {elsewhere: elsewhere, sources: claimed, decisions: decisions, vectors: vectors, sides: $sides}
""".replace("$open", str(OPEN))
    .replace("$elsewhere", _ELSEWHERE)
    .replace("$sides", SIDES)
)
