"""The seam between the memory and where it is kept: what any store must do, in the words of the design.

A store is opened *for* one group and cannot be asked about another. Reading needs nothing; writing goes
through `Store.writing`, which takes the group's writer lock, ticks the group's clock and gives a
`Transaction`: everything read inside it is current, and one `Transaction.commit` writes one change set
whole, or not at all.

Iterables of ids and keys may be of any length; a store batches them itself. Results of a mapping kind
leave out what is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from kgmem.model import (
    Alias,
    Bound,
    Claim,
    Decision,
    Entity,
    EntityType,
    Episode,
    Fact,
    Id,
    Instant,
    Mention,
    Passage,
    Replayed,
    Source,
    identify,
)
from kgmem.store.loading import HalfCopy, Loader
from kgmem.store.replies import ReplyStore
from kgmem.store.vector_store import VectorStore

if TYPE_CHECKING:
    from kgmem.store.archive import ArchiveStore
    from kgmem.store.changes import ChangeSet, Erasure
    from kgmem.store.conversations import Conversations
    from kgmem.store.generations import Generations
    from kgmem.store.graph import Graph


class Scope(StrEnum):
    """What a search can look through."""

    FACTS = "facts"
    ENTITIES = "entities"
    EPISODES = "episodes"
    COMMUNITIES = "communities"


@dataclass(frozen=True, slots=True)
class Transacted:
    """An entry of the log: a transaction that wrote something."""

    recorded_at: Instant
    kind: str
    """`ChangeSet.kind`."""
    source: Source | None
    """The source that it was about, as the memory knows it now; None if it was about none."""


@dataclass(frozen=True, slots=True)
class Naming:
    """An alias with the entity it names: a candidate for a mention."""

    alias: Alias
    entity: Entity


@dataclass(frozen=True, slots=True)
class EntityCard:
    """An entity with what its mentions say, counted over live passages."""

    entity: Entity
    aliases: tuple[Alias, ...]
    """One for each name."""
    mentions: int
    sources: int
    first_seen: Bound
    last_seen: Bound


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entity that shares current facts or passages with another."""

    entity: Entity
    facts: int
    passages: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a claim stands: enough for a citation."""

    claim: Id
    fact: Id
    source: Id
    passage: Id
    root: str
    path: str
    line: int
    """1-based in the newest episode of the source that holds the passage."""
    quote: str
    heading: str
    block: str | None
    occurred: Bound
    live: bool
    """Whether the passage still stands in its source."""
    kind: str = "obsidian"
    rung: str = "structure"
    """As in `Claim`: the rung that found it, and those that found it too."""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A passage with where it stands."""

    passage: Passage
    root: str
    path: str
    title: str
    occurred: Bound
    kind: str = "obsidian"


@dataclass(frozen=True, slots=True)
class Hit:
    """A result of a search: `score` is higher for better, comparable within one call only."""

    scope: Scope
    id: Id
    score: float


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Which facts. Without `valid` and `known`: what is believed now, whatever its world time."""

    about: tuple[Id, ...] | None = None
    """Entities that are subject or object; None for all."""
    subject: Id | None = None
    predicate: str | None = None
    links: bool = True
    """Also bare links, which are many and say little."""
    ids: tuple[Id, ...] | None = None
    slots: tuple[Id, ...] | None = None
    valid: tuple[int, int] | None = None
    """World seconds [from, to): facts that hold at some instant of it."""
    known: Instant | None = None
    """Recorded instant: what was believed then."""
    versions: bool = False
    """Every version ever recorded, also closed ones; `known` is ignored."""
    changed: tuple[Instant, Instant] | None = None
    """Recorded instants (from, to]: versions that were recorded or closed after the first and not after the second,
    also those closed since. `known` then only says as of when their evidence is told."""
    limit: int | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class EntityQuery:
    """Which entities; hidden ones (with no live mention) are left out unless asked for."""

    ids: tuple[Id, ...] | None = None
    type: EntityType | None = None
    sort: str = "mentions"
    """mentions, sources, name, first_seen, last_seen."""
    hidden: bool = False
    valid: tuple[int, int] | None = None
    """World seconds [from, to): see `Store`. Counts and dates are of the passages that both axes leave."""
    known: Instant | None = None
    """Recorded instant: the passages that stood then."""
    limit: int | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """How much a group holds."""

    counts: Mapping[str, int] = field(default_factory=dict)
    last_recorded: Instant | None = None
    size_bytes: int = 0
    engine: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two entities that may be one."""

    one: Id
    other: Id
    """The greater of the two ids."""
    score: float
    reasons: tuple[str, ...] = ()

    @property
    def id(self) -> Id:
        """A name for the pair."""
        return identify("proposal", self.one, self.other)


@dataclass(frozen=True, slots=True)
class Coming:
    """What the transactions of a batch are going to ask: a store that is far away may read it all at once."""

    sources: tuple[Id, ...] = ()
    """What is kept of these."""
    names: tuple[tuple[str, Id], ...] = ()
    """As `Store.linked` takes them."""


@dataclass(slots=True)
class Batch:
    """Transactions that were written together."""

    kept: bool = True
    """False once they were taken back."""


class Transaction(Protocol):
    """The writer's side. Reads through the store inside it see its group locked and current."""

    recorded_at: Instant
    """The tick of this transaction: later than every earlier one of the group."""

    def expect(self, entities: Iterable[Id], named: Iterable[Id]) -> None:
        """Say which entities will be asked for before the commit, and of which of them the aliases.

        A hint to a store that is far away, which may read them with what is asked next. It changes no answer.
        """

    def commit(self, changes: ChangeSet) -> None:
        """Write the change set, whole. Leaving the block without a commit writes nothing.

        Raises:
            kgmem.errors.StoreError: a vector's model or dimension is not the group's.
            kgmem.errors.InvariantError: a reference in the set names nothing.
        """


class Store(VectorStore, ReplyStore, Protocol):
    """One group's memory. See the module's docstring.

    Reads that take `valid` and `known` tell of another time than now. `known` is a recorded instant: facts that were
    believed then, passages that stood then in the current episode of their source. `valid` are world seconds
    [from, to): facts that hold at some instant of it; passages whose note was not written after it. A note without a
    date that a person would be shown may be of any time, and stays. Mentions and aliases are no log: which entities
    a passage names, and what they and their sources are called, is always told as it was read last.
    """

    url: str
    group: str

    def close(self) -> None:
        """Let go of the store."""

    def home(self) -> str:
        """What tells this store from every other, however its URL is spelt."""

    def writing(self, at: Instant | None = None) -> AbstractContextManager[Transaction]:
        """Become the writer; waits a while for another one.

        Args:
            at: replays the past: the transaction is recorded at this instant, whatever the clock says, or a
                microsecond after the one before if that was recorded for the same instant.

        Raises:
            kgmem.errors.StoreLockedError: another process kept the lock.
            kgmem.errors.UserError: the clock was set, or `at` lies, before the last recorded instant.
        """

    def batch(self, coming: Coming | None = None) -> AbstractContextManager[Batch]:
        """Make many transactions cheaper where the store can; each is still whole or not there at all.

        Inside, the writer's lock may be kept from the first transaction on, and what they wrote become visible to
        others and safe from a crash only when the block is left, however it is left. If one of them is broken off
        while it writes, all may be taken back: `Batch.kept` tells. So a batch is to be short.
        """

    # -- sources and texts

    def roots(self) -> tuple[tuple[str, str, int], ...]:
        """(kind, root, number of live sources) of each folder that was ingested."""

    def sources(self, root: str | None = None) -> Iterator[Source]:
        """The live sources, by path."""

    def source(self, name: str) -> Source | None:
        """The live source of that id, or of that path if it is the only one."""

    def sources_ever(self, ids: Iterable[Id]) -> Mapping[Id, Source]:
        """Sources by id, as they were last, also those that are gone."""

    def sources_called(self, path: str) -> tuple[Source, ...]:
        """Sources, live or gone, that stand or once stood at a path."""

    def paths(self, source: Id) -> tuple[tuple[str, str], ...]:
        """(root, path) of everywhere that a source stood, in recorded order."""

    def sources_about(self, entity: Id, *, known: Instant | None = None) -> tuple[Source, ...]:
        """The live sources that an entity is the subject of, by path; those that were live at a recorded instant."""

    def episode(self, source: Id) -> Episode | None:
        """The current episode of a source."""

    def episodes(self, source: Id) -> tuple[Episode, ...]:
        """Every time that an episode of a source was current, in recorded order, also of one that is gone."""

    def source_of(self, episode: Id) -> Id | None:
        """The source that an episode is of, live or not."""

    def passages_of(self, source: Id, *, known: Instant | None = None) -> tuple[Passage, ...]:
        """The live passages of a source, in order; those that stood at a recorded instant, with their lines then."""

    def placed(self, passages: Iterable[Id], *, known: Instant | None = None) -> Mapping[Id, Placed]:
        """Live passages with where they stand; those that stood at a recorded instant, with lines and date of then."""

    def sources_naming(self, keys: Iterable[str], phrases: Iterable[str] = ()) -> frozenset[Id]:
        """Live sources that link to a name, give an alias of it (by key), or whose text holds a phrase.

        May name too many, never too few.
        """

    def restat(self, sources: Iterable[Source]) -> None:
        """Note new sizes, times and kinds of sources whose content did not change: no transaction, nothing logical."""

    def replayed(self, root: str) -> Replayed | None:
        """How far the history of a folder was replayed, or a service was read."""

    def mark_replayed(self, root: str, upto: Replayed) -> None:
        """Keep how far that is: no transaction, the clock stands still."""

    # -- names and entities

    def namings(self, keys: Iterable[str], *, strongest: bool = False) -> Mapping[str, tuple[Naming, ...]]:
        """Live aliases by key, each with its entity; one of each entity, the `strongest` kind and then the best type.

        What very many sources link to has as many aliases of one name.
        """

    def linked(self, names: Iterable[tuple[str, Id]]) -> frozenset[str]:
        """Of (key, entity) pairs, the keys under which a link of a live source means that entity."""

    def relinked(self) -> Mapping[str, Instant]:
        """Keys of names that sources began or ceased to link to, each with when that was recorded last.

        What only grammar told of such a name may be told otherwise now. They are kept until somebody has `looked_after`
        them, so that one who is stopped between leaves them to the next.
        """

    def look_after(self, keys: Mapping[str, Instant]) -> None:
        """Keep some of `relinked` no longer, unless it was recorded again since: no transaction, nothing logical."""

    def anchors(self) -> Iterator[Naming]:
        """Every live title and alias of an entity that a source is about: the names known for sure."""

    def aliases_of(self, entities: Iterable[Id]) -> Mapping[Id, tuple[Alias, ...]]:
        """The live aliases of entities."""

    def aliases_from(self, source: Id) -> tuple[Alias, ...]:
        """The live aliases that a source gives."""

    def cards(self, query: EntityQuery) -> tuple[int, tuple[EntityCard, ...]]:
        """(total, the page of them that the query asks for)."""

    def entities(self, ids: Iterable[Id]) -> Mapping[Id, Entity]:
        """Entities by id, hidden ones too."""

    def neighbours(
        self, entity: Id, limit: int, *, valid: tuple[int, int] | None = None, known: Instant | None = None
    ) -> tuple[int, tuple[Neighbour, ...]]:
        """(total, those nearest): by shared current facts, then by shared passages, then by name."""

    def mentions_of(
        self, entity: Id, limit: int, *, valid: tuple[int, int] | None = None, known: Instant | None = None
    ) -> tuple[int, tuple[Mention, ...]]:
        """(total, live mentions), newest world date of the source first."""

    def mentions_in(self, source: Id) -> tuple[Mention, ...]:
        """The mentions in the live passages of a source, in the order of its text."""

    # -- claims and facts

    def claims(
        self, *, slots: Iterable[Id] | None = None, source: Id | None = None, known: Instant | None = None
    ) -> Mapping[Id, tuple[Claim, ...]]:
        """Claims in the fold (asserted or replaced, never withdrawn), by slot.

        Those of the named slots, or of the named source, or all; as of a recorded instant if one is given.
        """

    def asserted(self, source: Id) -> tuple[tuple[Id, Claim], ...]:
        """(slot, claim) of every claim that a source made and that is not withdrawn."""

    def claims_taken(self, source: Id, ids: Iterable[Id]) -> frozenset[Id]:
        """Of some ids, those that claims of a source bear, asserted or not."""

    def open_facts(self, slots: Iterable[Id]) -> Mapping[Id, tuple[Fact, ...]]:
        """What is believed now, by slot, with all evidence."""

    def facts(self, query: FactQuery) -> tuple[int, tuple[Fact, ...]]:
        """(total, facts ordered by subject's name, predicate, holds_from, recorded_at, id).

        `Fact.evidence` holds the claims that supported it at the recorded instant of the query.
        """

    def evidence(self, claims: Iterable[Id]) -> Mapping[Id, Evidence]:
        """Where claims stand."""

    def transactions(self, since: Instant | None = None, until: Instant | None = None) -> tuple[Transacted, ...]:
        """The log of the group from one recorded instant to another, both included, in order."""

    def decisions(self) -> tuple[Decision, ...]:
        """All decisions, also retracted ones, in recorded order."""

    # -- who is who

    def rungs(self) -> frozenset[str]:
        """The rungs that mentions were found by."""

    def compared_upto(self) -> Instant | None:
        """The last transaction whose entities were compared with all others."""

    def named_since(self, since: Instant | None) -> frozenset[Id]:
        """Live entities that sources name which a later transaction touched; without an instant, all."""

    def passages_naming(self, entities: Iterable[Id]) -> Mapping[Id, Mapping[Id, Id]]:
        """By entity, the live passages that mention it, each with its source."""

    def blocked(self, keys: Iterable[str]) -> Mapping[str, tuple[Id, ...]]:
        """The entities that were filed under some keys."""

    def keys_of(self, entities: Iterable[Id]) -> Mapping[Id, tuple[str, ...]]:
        """The keys that entities are filed under, in order."""

    def filed(self, key: str, limit: int) -> int:
        """How many entities are filed under a key, up to a limit."""

    def proposals(self) -> tuple[Proposal, ...]:
        """The pairs that wait for a decision, the likeliest first."""

    def compare(
        self,
        blocks: Mapping[Id, Iterable[str]],
        proposals: Iterable[Proposal],
        dropped: Iterable[tuple[Id, Id]],
        upto: Instant | None = None,
    ) -> int:
        """File entities under keys, in place of those they had; put proposals on the list and take others off.

        It is no knowledge: all of it can be made again.

        Returns:
            How many pairs are on the list then.
        """

    # -- erasing

    def claims_ever(self, source: Id, episode: Id | None = None) -> tuple[tuple[Id, Id], ...]:
        """(slot, claim) of every claim that a source made, ended ones too; only those made first in an episode."""

    def instants(self, slot: Id, without: Iterable[Id]) -> tuple[Instant, ...]:
        """The recorded instants at which the claims of a slot came or ended, in order, but for some claims."""

    def erase(self, what: Erasure) -> bool:
        """Delete for good, so that no byte of it stays. Recorded time does not move, and no transaction is logged.

        The texts of messages go with what they cite: see `kgmem.store.conversations`.

        A server's own logs and backups are out of reach: they are its keeper's to prune.

        Returns:
            Whether all copies are overwritten; no if another process is reading: erase again when it is done.

        Raises:
            kgmem.errors.StoreLockedError: another process kept the lock; nothing was erased.
        """

    # -- search

    def search(
        self,
        scope: Scope,
        text: str,
        limit: int,
        *,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Hit, ...]:
        """Full-text search by BM25, best first. Any text is a good query; no words, no hits.

        Only what is live counts, or what both axes leave; the limit is of those. An entity counts while it is
        mentioned in such a passage.
        """

    def graph(self) -> Graph:
        """What a walk over passages and entities asks."""

    # -- vectors: see also `VectorStore`

    def nearest(
        self,
        kind: str,
        values: Sequence[float],
        limit: int,
        *,
        valid: tuple[int, int] | None = None,
        known: Instant | None = None,
    ) -> tuple[Hit, ...]:
        """The passages, facts or entities whose vectors point most nearly the same way, best first, then by id.

        What counts is what counts in `search`; `Hit.score` is the cosine, from -1 to 1. A vector of zeros points
        nowhere: it is near nothing, and nothing is near it. A group in which nothing was ever written has no hits.

        Args:
            kind: passage, fact or entity.
            values: a vector of the group's dimension.
            limit: hits at most, of what counts.
            valid: see the class.
            known: see the class.

        Raises:
            kgmem.errors.StoreError: the group declares no vectors, or of another dimension.
            ValueError: there is no such kind.
        """

    def conversations(self) -> Conversations:
        """What was asked and answered: no knowledge, and so a store opened for reading takes it too."""

    # -- care

    def verify(self) -> tuple[str, ...]:
        """What is damaged in the store itself: files, indexes, references; nothing if it is sound."""

    def strange_vectors(self) -> tuple[str, ...]:
        """Vectors whose model or dimension is not what the group declared."""

    def stats(self) -> Stats:
        """How much there is."""

    def dump(self) -> Iterator[str]:
        """Everything in the group as JSON Lines in a fixed order: equal memories give equal dumps."""

    # -- copying

    def half_copy(self) -> HalfCopy | None:
        """What is copied into the group, until the copy is complete; None for a group that is whole, or empty."""

    def loader(self) -> Loader:
        """What takes in the dump of another store."""

    # -- generations

    def generations(self) -> Generations:
        """The generations of the group, one of which is the group now."""

    # -- bodies outside of the store

    def archive(self) -> ArchiveStore:
        """What is known of bodies that were moved out of the store."""
