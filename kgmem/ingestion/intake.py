"""Taking sources in: each is read, resolved, compared with what it said before, folded, and committed whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from kgmem.beliefs import Revision, refold, revise, rewind
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.answers import Answers
from kgmem.ingestion.changes import change_set, claims_after
from kgmem.ingestion.naming import changed_entities, lost
from kgmem.ingestion.plan import Plan, Verdict, Work
from kgmem.ingestion.reading import Reading, open_keys, propose, read
from kgmem.ingestion.run import Progress, Run, silent
from kgmem.model import (
    Alias,
    AliasKind,
    Basis,
    Bound,
    Claim,
    Entity,
    Episode,
    Id,
    Instant,
    Moment,
    Source,
    day_of,
    identify,
    unique,
)
from kgmem.resolution.directory import Anchor, Directory, named_entity
from kgmem.sources.document import Document, Reader
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import Coming, Naming, Store, Transaction

if TYPE_CHECKING:
    from kgmem.extraction.entities import LanguageRead, Recognizer
    from kgmem.extraction.gliner.labelling import Labeller
    from kgmem.extraction.gliner.spans import Labelling
    from kgmem.extraction.proposal import Extraction

T = TypeVar("T")

_PORTION = 128
"""Sources that are written together, at most."""
_PORTION_SIZE = 400_000
"""Characters of them, unless a single source has more."""
_PORTION_SECONDS = 0.5
"""What was read so long ago is written, however few they are."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A source as it was read, with what it proposes."""

    work: Work
    document: Document
    extraction: Extraction
    open_keys: frozenset[str]
    """See `kgmem.ingestion.reading.open_keys`."""


class Intake:
    """Writes what sources say into a store."""

    def __init__(
        self,
        store: Store,
        ontology: Ontology,
        recognizer: Recognizer | None = None,
        labeller: Labeller | None = None,
    ) -> None:
        """Args as those of `kgmem.memory.Memory`."""
        self.store = store
        self.ontology = ontology
        self._recognizer = recognizer
        self._labeller = labeller
        self.answers = Answers(store)

    def carry_out(self, plan: Plan, reader: Reader, run: Run, progress: Progress = silent) -> None:
        """Do the work of a plan. Ctrl-C ends it early: what was taken in stays."""
        total = len(plan.work) + len(plan.removed)
        done = count(1)

        def tell(source: Source) -> None:
            progress(next(done), total, source.path)

        progress(0, total, "")
        try:
            self._take_in_all(plan.work, plan, reader, run, tell)
            coming = Coming(tuple(source.id for source in plan.removed))
            with self.store.batch(coming) as batch, run.portion(batch):
                for source in plan.removed:
                    self.remove(source, run)
                    tell(source)
        except KeyboardInterrupt:
            run.interrupted = True
        self._look_after_names(plan, reader, run)

    def take_in_answers(self, plan: Plan, work: Iterable[Work], reader: Reader, run: Run) -> None:
        """Read sources again of whose passages a model said something: see `Answers.bring`."""
        self._take_in_all(work, plan, reader, run)

    def _take_in_all(
        self, work: Iterable[Work], plan: Plan, reader: Reader, run: Run, tell: Callable[[Source], None] | None = None
    ) -> None:
        for some in _portions(self._read_all(plan, work, reader, run)):
            sources = tuple(each.work.source.id for each in some)
            names = tuple((key, named_entity(key)) for each in some for key in each.open_keys)
            with self.store.batch(Coming(sources, tuple(unique(names)))) as batch, run.portion(batch):
                for each in some:
                    self._take_in(plan, each, run)
                    if tell:
                        tell(each.work.source)

    # -- reading

    def _read_all(self, plan: Plan, work: Iterable[Work], reader: Reader, run: Run) -> Iterator[_Read]:
        """Each source read; a language rung in other processes may run ahead of the writer."""
        reads = ((one, document) for one in work if (document := self._read(one, reader, run)) is not None)
        if self._recognizer is None and self._labeller is None:
            yield from (self._proposed(plan, one, document) for one, document in reads)
            return
        for ((one, document), language), labelled in self._labelled(self._parsed(reads)):
            yield self._proposed(plan, one, document, language, labelled)

    def _parsed(
        self, reads: Iterable[tuple[Work, Document]]
    ) -> Iterator[tuple[tuple[Work, Document], LanguageRead | None]]:
        """With what spaCy makes of it."""
        from kgmem.extraction.grammar import telling_of
        from kgmem.extraction.ladder import readable

        if self._recognizer is None:
            return ((each, None) for each in reads)
        return self._recognizer.read(((each, readable(each[1])) for each in reads), telling_of(self.ontology))

    def _labelled(
        self, reads: Iterable[tuple[tuple[Work, Document], T]]
    ) -> Iterator[tuple[tuple[tuple[Work, Document], T], Labelling | None]]:
        """With what the labels of a person's own find."""
        from kgmem.extraction.ladder import readable

        if self._labeller is None:
            return ((each, None) for each in reads)
        return self._labeller.label((each, readable(each[0][1])) for each in reads)

    def _proposed(
        self,
        plan: Plan,
        work: Work,
        document: Document,
        language: LanguageRead | None = None,
        labelled: Labelling | None = None,
    ) -> _Read:
        further = self.answers.of(work, document, self.ontology)
        extraction = propose(plan, work, document, self.ontology, language, labelled=labelled, further=further)
        return _Read(work, document, extraction, open_keys(extraction, plan.directory))

    def _read(self, work: Work, reader: Reader, run: Run) -> Document | None:
        source = work.source
        if work.kind == "replayed" or work.episode is not None:
            episode = work.episode or self.store.episode(source.id)
            if episode is None:
                return None
            return reader.parse(source.path, episode.body, mtime_ns=source.mtime_ns)
        try:
            return reader.read(source.path)
        except OSError as error:
            run.problem(source.path, "unreadable", f"it cannot be read: {error.strerror or error}")
            return None

    # -- one source, one transaction

    def _take_in(self, plan: Plan, each: _Read, run: Run) -> None:
        """Commit what a source says now."""
        work, document = each.work, each.document
        with self.store.writing(run.at) as transaction:
            link_keys = self.store.linked((key, named_entity(key)) for key in each.open_keys)
            reading = read(work, document, each.extraction, plan.directory, link_keys)
            from_file = work.kind != "replayed" and work.episode is None
            source = replace(work.source, hash=document.hash) if from_file else work.source
            current = self.store.episode(source.id)
            before = self.store.aliases_from(source.id) if current else ()
            concerned = _concerned(before, reading.aliases, reading.anchors)
            transaction.expect(concerned, lost(before, frozenset(reading.aliases)) | _titled(reading.aliases))
            changes = replace(
                self._changes(each, transaction, source, reading, current),
                entities=self.entities(source.id, before, reading.aliases, reading.anchors),
                relinked=_relinked(before, reading.aliases, plan.directory),
                replies=self.answers.new(reading.passages),
            )
            transaction.commit(changes)
        run.took_in(work, document, changes)
        if from_file:
            run.noted(each.extraction.problems)

    def _changes(
        self, each: _Read, transaction: Transaction, source: Source, reading: Reading, current: Episode | None
    ) -> ChangeSet:
        episode = each.work.episode or _episode(source, each.document, current)
        held = self.store.asserted(source.id) if current else ()
        revision = self._revision(each.work, held, reading, episode.id, transaction.recorded_at)
        verdict = each.work.verdict or Verdict(each.work.kind)
        return replace(
            self.with_beliefs(verdict.kind, transaction, revision),
            decisions=verdict.decided,
            retracted=verdict.retracted,
            source=source,
            episode=None if current is not None and episode.id == current.id else episode,
            passages=reading.passages,
            mentions=reading.mentions,
            aliases=reading.aliases,
            links=reading.links,
        )

    def _revision(
        self, work: Work, held: Sequence[tuple[Id, Claim]], reading: Reading, episode: Id, now: Instant
    ) -> Revision:
        taken = partial(self.store.claims_taken, work.source.id)
        if work.back_to is not None:
            then = self.store.claims(source=work.source.id, known=Instant(work.back_to - 1))
            before = [(slot, claim) for slot, claims in then.items() for claim in claims]
            return rewind(held, before, taken, now=now)
        edited = work.episode.recorded_at if work.episode else now
        return revise(
            held,
            reading.claims,
            self.ontology.rule,
            taken,
            passages={passage.id for passage in reading.passages},
            episode=episode,
            now=now,
            seen=Bound(Moment.day(day_of(edited)), Basis.OBSERVED),
        )

    def remove(self, source: Source, run: Run, verdict: Verdict | None = None) -> None:
        """Take a source that is gone, or forgotten, out of the present; the past keeps it."""
        why = verdict or Verdict("removed")
        with self.store.writing(run.at) as transaction:
            asserted = self.store.asserted(source.id)
            slots = tuple(dict.fromkeys(slot for slot, _ in asserted))
            revision = Revision((), (), tuple(claim.id for _, claim in asserted), slots)
            before = self.store.aliases_from(source.id)
            gone = _concerned(before)
            transaction.expect(gone, gone)
            changes = replace(
                self.with_beliefs(why.kind, transaction, revision),
                decisions=why.decided,
                retracted=why.retracted,
                removed=source.id,
                entities=self.entities(source.id, before, ()),
                relinked=_relinked(before, ()),
            )
            transaction.commit(changes)
        run.removed(changes)

    def decide(self, verdict: Verdict) -> None:
        """Record a decision from which nothing follows now."""
        with self.store.writing() as transaction:
            transaction.commit(ChangeSet(verdict.kind, decisions=verdict.decided, retracted=verdict.retracted))

    def with_beliefs(self, kind: str, transaction: Transaction, revision: Revision) -> ChangeSet:
        """The claims that come and go, and what that does to the facts of their slots."""
        slots = revision.touched
        claims = claims_after(self.store.claims(slots=slots), revision)
        held = self.store.open_facts(slots)
        return change_set(kind, revision, refold(slots, claims, held, self.ontology.rule, transaction.recorded_at))

    def refold(self, slots: Iterable[Id]) -> int:
        """See `kgmem.memory.Memory.refold`."""
        with self.store.writing() as transaction:
            changes = self.with_beliefs("refold", transaction, Revision((), (), (), tuple(slots)))
            transaction.commit(changes)
        return len(changes.closed) + len(changes.opened)

    # -- names

    def entities(
        self, source: Id, before: Sequence[Alias], after: Sequence[Alias], anchors: Sequence[Anchor] = ()
    ) -> tuple[Entity, ...]:
        """The entities that a source's names describe anew, and those of other sources that it speaks of first."""
        held = self.store.entities(_concerned(before, after, anchors))
        losing = lost(before, frozenset(after)) | _retitled(after, held)
        rest = {
            entity: [alias for alias in rows if alias.source != source]
            for entity, rows in (self.store.aliases_of(losing).items() if losing else ())
        }
        return changed_entities(before, after, held, {**dict.fromkeys(losing, ()), **rest}, anchors)

    def _look_after_names(self, plan: Plan, reader: Reader, run: Run) -> None:
        """Read again what says a name that others began or ceased to link to, here or in an ingest that was broken off.

        Without this, who a name means would depend on which source came first.
        """
        names = self.store.relinked()
        if names:
            self._take_in_all(self._unsettled(names, plan, reader), plan, reader, run)
            self.store.look_after(names)

    def _unsettled(self, names: Iterable[str], plan: Plan, reader: Reader) -> list[Work]:
        """Sources that take a name from the text alone otherwise than the links to it say."""
        sources = {source.id: source for source in self.store.sources(reader.root)}
        namings = self.store.namings({key for key in names if not plan.directory.owns(key)})
        again = {
            naming.alias.source
            for found in namings.values()
            for naming in found
            if _by_text(naming) and (naming.entity.id == named_entity(naming.alias.key)) != _is_linked(found)
        }
        return [
            Work(source, "replayed", anchor.typing)
            for name in sorted(again & sources.keys())
            if (anchor := plan.directory.at((source := sources[name]).path))
        ]


def _concerned(before: Iterable[Alias], after: Iterable[Alias] = (), anchors: Iterable[Anchor] = ()) -> frozenset[Id]:
    """The entities that a source's names, or its text, speak of."""
    return frozenset({alias.entity for alias in (*before, *after)} | {anchor.entity for anchor in anchors})


def _relinked(before: Iterable[Alias], after: Iterable[Alias], directory: Directory | None = None) -> frozenset[str]:
    """Names that a source began or ceased to link to, but for those that some note owns."""
    changed = set(before) ^ set(after)
    keys = {alias.key for alias in changed if alias.kind is AliasKind.LINK}
    return frozenset(key for key in keys if directory is None or not directory.owns(key))


def _titled(aliases: Iterable[Alias]) -> frozenset[Id]:
    return frozenset(alias.entity for alias in aliases if alias.kind is AliasKind.TITLE)


def _retitled(aliases: Iterable[Alias], held: Mapping[Id, Entity]) -> frozenset[Id]:
    """Entities that get a title and are called something else: another source may give them one, too."""
    titles = ((alias, held.get(alias.entity)) for alias in aliases if alias.kind is AliasKind.TITLE)
    return frozenset(alias.entity for alias, known in titles if known is not None and known.name != alias.name)


def _is_linked(namings: Iterable[Naming]) -> bool:
    return any(n.alias.kind is AliasKind.LINK and n.entity.id == named_entity(n.alias.key) for n in namings)


def _by_text(naming: Naming) -> bool:
    """A name that only grammar or a property's range gave a type."""
    return naming.alias.kind in (AliasKind.TEXT, AliasKind.PROPERTY)


def _episode(source: Source, document: Document, current: Episode | None) -> Episode:
    """The current episode of a source, or the next one if the content is another."""
    if current is not None and current.hash == document.hash:
        return current
    name = identify("episode", source.id, document.hash, current and current.id)
    return Episode(name, source.id, document.hash, document.text, document.occurred)


def _portions(reads: Iterable[_Read]) -> Iterator[list[_Read]]:
    """Sources that are written together: few enough to keep other writers waiting for a moment only."""
    some: list[_Read] = []
    size = 0
    began = monotonic()
    for each in reads:
        some.append(each)
        size += len(each.document.text)
        if len(some) >= _PORTION or size >= _PORTION_SIZE or monotonic() - began > _PORTION_SECONDS:
            yield some
            some, size = [], 0
            began = monotonic()
    if some:
        yield some
