"""Every transaction of a log once more, in order, with what its source says by today's extraction.

A reading is read with the names that were known at its time, and revises what the source claimed before it. What a
person withdrew, took back or corrected is withdrawn, taken back and corrected again. The claims of each source come out
as a chain; where the extraction is as it was, every chain is the one of the log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from kgmem.beliefs import revise, rewind, slot_id
from kgmem.extraction.entities import LanguageRead, Recognizer
from kgmem.extraction.gliner.labelling import Labeller
from kgmem.extraction.gliner.spans import Labelling
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.answers import rung_of
from kgmem.ingestion.naming import changed_entities
from kgmem.ingestion.plan import Work
from kgmem.ingestion.reading import Reading, open_keys, passages_of, propose, read
from kgmem.model import (
    CORRECTION,
    AliasKind,
    Basis,
    Bound,
    Claim,
    DecisionKind,
    Entity,
    Id,
    Instant,
    Moment,
    Passage,
    day_of,
)
from kgmem.reextraction.chain import Chain, as_said, claims_of, ids_of
from kgmem.reextraction.log import Ended, Entry, Log, Said, Stood
from kgmem.reextraction.names import Names, RereaderOf
from kgmem.reextraction.runs import ends_of_runs, instants
from kgmem.resolution.directory import named_entity

Progress = Callable[[str, int, int], None]
"""Told (what is done now, how much of it, of how much; 0 while nobody knows)."""


@dataclass(frozen=True, slots=True)
class Means:
    """What episodes are read with."""

    ontology: Ontology
    readers: RereaderOf
    recognizer: Recognizer | None = None
    labeller: Labeller | None = None
    version: str = ""
    """Tells this extraction from any other: what was made with another one is made again."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the language rungs made of texts, by path and episode; None without that rung."""

    language: Mapping[tuple[str, Id], LanguageRead] | None = None
    labelled: Mapping[tuple[str, Id], Labelling] | None = None

    def of(self, path: str, episode: Id) -> tuple[LanguageRead | None, Labelling | None]:
        """What they made of one text."""
        key = path, episode
        language = None if self.language is None else self.language.get(key)
        return language, None if self.labelled is None else self.labelled.get(key)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be drawn again."""

    since: Instant | None = None
    """Only from episodes that were recorded at this instant or later; older ones keep their claims."""
    rungs: frozenset[str] = frozenset()
    """Only what these rungs say, other claims stay; empty for all."""

    def __str__(self) -> str:
        """The same text for the same wish: see `read`."""
        return f"{'' if self.since is None else self.since};{','.join(sorted(self.rungs))}"

    @classmethod
    def read(cls, text: str) -> Wish:
        """The wish that a text says."""
        since, _, rungs = text.partition(";")
        return cls(Instant(int(since)) if since else None, frozenset(rungs.split(",")) if rungs else frozenset())

    def reaches(self, stood: Stood) -> bool:
        """Whether an episode is to be read again."""
        return self.since is None or stood.since >= self.since

    def of_rungs(self, said: Iterable[Claim], held: Iterable[Claim]) -> tuple[Claim, ...]:
        """What the chosen rungs say now, and what the others said before."""
        if not self.rungs:
            return tuple(said)
        kept = (claim for claim in held if claim.replaced is None and self.rungs.isdisjoint(claim.rungs))
        return (*(claim for claim in said if not self.rungs.isdisjoint(claim.rungs)), *kept)


@dataclass(slots=True)
class Redrawn:
    """What a replay came to."""

    chains: dict[Id, Chain] = field(default_factory=dict)
    """By source."""
    entities: dict[Id, Entity] = field(default_factory=dict)
    """Those that the log does not have."""
    passages: dict[Id, tuple[Id, int, Passage]] = field(default_factory=dict)
    """(episode, place in it, passage), of those that the log does not have."""
    read: frozenset[Id] = frozenset()
    """Sources whose current episode was read again."""


class _Fit(NamedTuple):
    """How well a reading with some names is what was recorded; the best is the greatest."""

    claims: bool
    """The very claims come out."""
    ids: bool
    """At least claims of the same things do, in other words."""
    own: bool
    """The source itself was as it is read."""


class Replay:
    """Draws the claims of a log again."""

    def __init__(self, log: Log, means: Means, wish: Wish, heard: Heard) -> None:
        """Put it together; `heard` is what the language rungs made of texts."""
        self.names = Names(log, means.ontology, means.readers)
        self._log = log
        self._ontology = means.ontology
        self._wish = wish
        self._heard = heard
        self._ends = ends_of_runs(log.entries)
        self._then = {each: Chain() for each in log.sources}
        """The chains of the log, up to where the replay is."""
        self._links: dict[Id, frozenset[str]] = {}
        self._linked: Counter[str] = Counter()
        """Keys of names that sources link to, with how many do."""
        self.redrawn = Redrawn(chains={each: Chain() for each in log.sources})

    def run(self, progress: Progress) -> Redrawn:
        """Draw all of them."""
        total = len(self._log.entries)
        for place, entry in enumerate(self._log.entries):
            if entry.source in self._log.sources:
                self._take(place, entry, entry.source)
            progress("replaying", place + 1, total)
        now = self._log.entries[-1].at if total else Instant(0)
        standing = ((source, self._log.episode(source, now)) for source in self._log.sources)
        self.redrawn.read = frozenset(source for source, stood in standing if stood and self._wish.reaches(stood))
        return self.redrawn

    def _take(self, place: int, entry: Entry, source: Id) -> None:
        then = self._then[source]
        recorded = self._log.said[source].get(entry.at, Said())
        said = self._said(place, entry, source, recorded)
        then.apply(entry.at, recorded)
        self.redrawn.chains[source].apply(entry.at, self._by_rule(said))

    def _said(self, place: int, entry: Entry, source: Id, recorded: Said) -> Said:
        """What a transaction does to the claims of its source by today's extraction."""
        chain = self.redrawn.chains[source]
        stood = self._log.episode(source, entry.at)
        if self._log.sources[source].kind == CORRECTION:
            return chain.fitting(recorded)
        if stood is None or self._log.place(source, entry.at) is None:
            self._link(source, frozenset())
            return Said(endings=tuple(Ended(claim.id) for _, claim in chain.held))
        reading = self._likeliest(place, entry, source, stood, recorded)
        if reading is None or not self._wish.reaches(stood):
            return chain.fitting(recorded)
        back_to = self._back_to(entry, source)
        if back_to is not None:
            return as_said(rewind(chain.held, chain.before(back_to), chain.taken, now=entry.at))
        said = self._revised(chain, reading, entry, source, stood)
        self._bring(reading, said, stood)
        return said

    def _back_to(self, entry: Entry, source: Id) -> Instant | None:
        """To before which instant a transaction brought a source back; None if it did not."""
        own = [each for each in self._log.decisions if each.source == source]
        forgets = [each for each in own if each.kind is DecisionKind.FORGET]
        if entry.kind == "undo":
            undone = (each.about for each in own if each.kind is DecisionKind.UNDO and each.recorded_at == entry.at)
            return next(undone, None)
        if entry.kind == "restore":
            return next((each.recorded_at for each in forgets if each.retracted_at == entry.at), None)
        if entry.kind == "forget":
            contents = (each.hash for each in forgets if each.recorded_at == entry.at)
            return next((self._first_of(source, content) for content in contents), None)
        return None

    def _first_of(self, source: Id, content: str) -> Instant | None:
        every = self._log.episodes.get(source, ())
        return next((each.since for each in every if self._log.bodies.get(each.episode, ("",))[0] == content), None)

    # -- reading

    def _likeliest(self, place: int, entry: Entry, source: Id, stood: Stood, recorded: Said) -> Reading | None:
        """A source read with the names that it was read with, as far as its claims tell; None if it cannot be."""
        best: Reading | None = None
        fits = _Fit(claims=False, ids=False, own=False)
        for at in dict.fromkeys(instants(self._log.entries, place, self._ends[place])):
            reading = self._reading(source, at, stood)
            if reading is None:
                continue
            as_then = self._revised(self._then[source], reading, entry, source, stood)
            fit = _Fit(
                claims=claims_of(as_then) == claims_of(recorded),
                ids=ids_of(as_then) == ids_of(recorded),
                own=self._log.episode(source, at) == stood,
            )
            if best is None or fit > fits:
                best, fits = reading, fit
            if all(fits):
                break
        if best is not None:
            self._link(source, frozenset(_links_of(best)))
        return best

    def _reading(self, source: Id, at: Instant, stood: Stood) -> Reading | None:
        told = self.names.told(source, at)
        if told is None:
            return None
        then = self.names.then(told.source.root, told.source.kind, at)
        work = Work(told.source, "replayed", told.typing)
        document = self.names.document(then, told, stood)
        answers = self._log.told((each.id for each in passages_of(source, document)), at) if self._log.replies else {}
        further = rung_of(answers, work, document, self._ontology, lambda *_: None) if answers else None
        language, labelled = self._heard.of(told.source.path, stood.episode)
        extraction = propose(then.plan, work, document, self._ontology, language, labelled=labelled, further=further)
        directory = then.plan.directory
        linked = frozenset(key for key in open_keys(extraction, directory) if self._linked[key])
        return read(work, document, extraction, directory, linked)

    def _link(self, source: Id, keys: frozenset[str]) -> None:
        """Keep which names a source links to."""
        self._linked.subtract(self._links.get(source, ()))
        self._linked.update(keys)
        self._links[source] = keys

    # -- revising

    def _revised(self, chain: Chain, reading: Reading, entry: Entry, source: Id, stood: Stood) -> Said:
        stated = self._stated(reading, source, entry.at)
        revision = revise(
            chain.held,
            stated,
            self._ontology.rule,
            chain.taken,
            passages={passage.id for passage in reading.passages},
            episode=stood.episode,
            now=entry.at,
            seen=Bound(Moment.day(day_of(self._edited(entry, source, stood))), Basis.OBSERVED),
        )
        said = as_said(revision)
        return Said(tuple((slot, self._dated(claim)) for slot, claim in said.claims), said.endings)

    def _stated(self, reading: Reading, source: Id, at: Instant) -> Iterable[Claim]:
        if not self._wish.rungs:
            return reading.claims
        then = Chain()
        for when, said in self._log.said[source].items():
            if when <= at:
                then.apply(when, said)
        return self._wish.of_rungs(reading.claims, (claim for _, claim in then.held))

    def _edited(self, entry: Entry, source: Id, stood: Stood) -> Instant:
        """When the text of a reading was written, as far as it was seen: of one brought back, at its first time."""
        if entry.kind == "replayed" and stood.since == entry.at:
            first = (each.since for each in self._log.episodes[source] if each.episode == stood.episode)
            return min(first, default=entry.at)
        return entry.at

    def _dated(self, claim: Claim) -> Claim:
        """A claim that was made then keeps the file's time that it was ordered by: it is recorded nowhere else."""
        known = self._log.claims.get(claim.id)
        if known is None or known[1].recorded_at != claim.recorded_at:
            return claim
        said = known[1].said
        by_file = {said.basis, claim.said.basis} <= {Basis.FILE, Basis.UNKNOWN}
        return replace(claim, said=said) if by_file else claim

    def _by_rule(self, said: Said) -> Said:
        """Claims in the slots that they compete for today."""
        rule = self._ontology.rule
        slots = ((slot_id(c.subject, c.predicate, c.target, rule(c.predicate)), c) for _, c in said.claims)
        return Said(tuple(slots), said.endings) if said.claims else said

    def _bring(self, reading: Reading, said: Said, stood: Stood) -> None:
        """Keep what new claims speak of and stand in, where the log does not have it."""
        wanted = {each for _, claim in said.claims for each in (claim.subject, claim.object) if each}
        missing = wanted - self._log.entities - self.redrawn.entities.keys()
        if missing:
            described = changed_entities((), reading.aliases, {}, {}, reading.anchors)
            self.redrawn.entities |= {each.id: each for each in described if each.id in missing}
        places = {passage.id: (place, passage) for place, passage in enumerate(reading.passages)}
        for name in {claim.passage for _, claim in said.claims} - self._log.passages:
            self.redrawn.passages.setdefault(name, (stood.episode, *places[name]))


def _links_of(reading: Reading) -> Iterator[str]:
    for alias in reading.aliases:
        if alias.kind is AliasKind.LINK and alias.entity == named_entity(alias.key):
            yield alias.key
