"""The memory: what the outside says goes in, and what we believe follows from it.

`Memory` is the one façade. Every change takes the same way: read what a source says now, compare it with
what it said before, fold the slots that this touches, and commit all of it as one change set:

    scan ─▶ read ─▶ extract ─▶ resolve ─▶ revise ─▶ refold ─▶ commit
    (sources)    (extraction)  (resolution)    (beliefs)       (store)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from kgmem.beliefs import Revision, refold, revise
from kgmem.errors import UserError
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.changes import change_set, claims_after
from kgmem.ingestion.history import Account, History
from kgmem.ingestion.naming import changed_entities, lost
from kgmem.ingestion.plan import Plan, Planner, Work
from kgmem.ingestion.reading import Reading, open_keys, read
from kgmem.ingestion.run import Run
from kgmem.model import (
    Alias,
    AliasKind,
    Basis,
    Bound,
    Entity,
    Episode,
    Id,
    Instant,
    Moment,
    Replayed,
    Report,
    Source,
    day_of,
    identify,
)
from kgmem.resolution.directory import Anchor, named_entity
from kgmem.sources.document import Document, Reader, Scan
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import Naming, Store, Transaction

if TYPE_CHECKING:
    from kgmem.extraction.entities import NamedSpan, Recognizer
    from kgmem.sources.git_history import GitHistory

Progress = Callable[[int, int, str], None]
"""Called with (done, total, path) after each source."""
Confirm = Callable[[int, int], bool]
"""Asked with (gone, known) before many sources are taken as removed."""

_MANY_GONE = 0.2
"""More than this share of a folder's sources gone at once is more often a sync gone wrong than a wish."""

_PORTION = 32
"""Sources that are written together, at most."""
_PORTION_SIZE = 400_000
"""Characters of them, unless a single source has more."""
_PORTION_SECONDS = 0.5
"""What was read so long ago is written, however few they are."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A source as it was read, with what the language rung found in each block."""

    work: Work
    document: Document
    named: Sequence[Sequence[NamedSpan]] | None = None


class Memory:
    """One group's memory: a store, and the ontology that gives its claims meaning."""

    def __init__(
        self, store: Store, ontology: Ontology | Callable[[], Ontology], recognizer: Recognizer | None = None
    ) -> None:
        """Put a memory together.

        Args:
            store: where it is kept.
            ontology: or what loads it, when something is read: an ingest that finds nothing new needs none.
            recognizer: finds named entities that no note is about; without it, structure and known names.
        """
        self.store = store
        self._ontology = ontology
        self._recognizer = recognizer

    @cached_property
    def ontology(self) -> Ontology:
        """What keys, headings and types mean."""
        return self._ontology() if callable(self._ontology) else self._ontology

    def ingest(
        self,
        reader: Reader,
        *,
        confirm: Confirm | None = None,
        progress: Progress | None = None,
        dry_run: bool = False,
        reread: bool = False,
        at: Instant | None = None,
    ) -> Report:
        """Bring the memory up to date with a folder. Doing it twice changes nothing.

        Args:
            reader: the folder.
            confirm: decides when more than a fifth of the folder's sources are gone; without it, no.
            progress: told after each source.
            dry_run: only say what would be done.
            reread: read again what did not change too: after the ontology or the language rung did.
            at: the recorded instant, for a folder as it was then; without it, the present.

        Raises:
            kgmem.errors.SourceError: the folder cannot be read; nothing was changed.
            kgmem.errors.UserError: many sources are gone, and `confirm` said no, the folder overlaps another one
                that is in the memory, or something was recorded after `at`; nothing was changed.
        """
        _refuse_overlap(reader.root, (root for _, root, _ in self.store.roots()))
        planner = Planner(self.store, lambda: self.ontology, reader.root, reader.kind)
        seen = planner.seen()
        scan = reader.scan(seen)
        _guard(scan, len(seen), confirm)
        run = Run(scan, at)
        plan = None if dry_run else planner.plan(scan, reread=reread)
        if plan is not None:
            try:
                self._carry_out(plan, reader, run, progress or _silent)
            except KeyboardInterrupt:
                run.interrupted = True
        return run.report(plan, notes=sum(number for _, root, number in self.store.roots() if root == reader.root))

    def replay(self, history: GitHistory, *, progress: Progress | None = None, dry_run: bool = False) -> History:
        """Take in the commits of a folder that were not taken in yet, each recorded at its own time.

        It can be stopped at any time, and goes on where it stopped. The folder as it is now is not read.

        Args:
            history: the commits.
            progress: told after each commit.
            dry_run: only count the commits.

        Raises:
            kgmem.errors.SourceError: the commits cannot be listed; nothing was changed.
            kgmem.errors.UserError: a commit has news, and something was recorded after it; the commits before
                it are taken in.
        """
        done = self.store.replayed(history.root)
        account = Account()
        if dry_run:
            return account.closed(history, commits=history.pending(done))
        try:
            with closing(history.commits(done)) as commits:
                for commit in commits:
                    if commit.reader is not None:
                        account.took_in(commit, self.ingest(commit.reader, confirm=_as_committed, at=commit.at))
                    if account.interrupted:
                        break
                    self.store.mark_replayed(history.root, Replayed(commit.name, commit.at))
                    account.done(commit)
                    (progress or _silent)(commit.number, commit.total, commit.name)
        except KeyboardInterrupt:
            account.interrupted = True
        return account.closed(history)

    def _carry_out(self, plan: Plan, reader: Reader, run: Run, progress: Progress) -> None:
        total = len(plan.work) + len(plan.removed)
        done = count(1)

        def tell(source: Source) -> None:
            progress(next(done), total, source.path)

        self.store.restat(plan.touched)
        if total:
            progress(0, total, "")
        try:
            self._take_in_all(plan.work, plan, reader, run, tell)
            with self.store.batch() as batch, run.portion(batch):
                for source in plan.removed:
                    self._remove(source, run)
                    tell(source)
        except KeyboardInterrupt:
            run.interrupted = True
        self._take_in_all(self._unsettled(plan, reader, run), plan, reader, run)

    def _take_in_all(
        self, work: Iterable[Work], plan: Plan, reader: Reader, run: Run, tell: Callable[[Source], None] | None = None
    ) -> None:
        for some in _portions(self._read_all(work, reader, run)):
            with self.store.batch() as batch, run.portion(batch):
                for each in some:
                    self._take_in(plan, each, run)
                    if tell:
                        tell(each.work.source)

    # -- reading

    def _read_all(self, work: Iterable[Work], reader: Reader, run: Run) -> Iterator[_Read]:
        """Each source read; a language rung in other processes may run ahead of the writer."""
        reads = (each for one in work if (each := self._read(one, reader, run)) is not None)
        if self._recognizer is None:
            yield from reads
            return
        from kgmem.extraction.ladder import readable

        for each, named in self._recognizer.recognize((one, readable(one.document)) for one in reads):
            yield replace(each, named=named)

    def _read(self, work: Work, reader: Reader, run: Run) -> _Read | None:
        source = work.source
        if work.kind == "replayed":
            episode = self.store.episode(source.id)
            if episode is None:
                return None
            return _Read(work, reader.parse(source.path, episode.body, mtime_ns=source.mtime_ns))
        try:
            return _Read(work, reader.read(source.path))
        except OSError as error:
            run.problem(source.path, "unreadable", f"it cannot be read: {error.strerror or error}")
            return None

    # -- one source, one transaction

    def _take_in(self, plan: Plan, each: _Read, run: Run) -> None:
        """Commit what a source says now."""
        from kgmem.extraction.ladder import extract

        work, document = each.work, each.document
        extraction = extract(document, work.typing, self.ontology, plan.lexicon, each.named)
        with self.store.writing(run.at) as transaction:
            open_names = ((key, named_entity(key)) for key in open_keys(extraction, plan.directory))
            link_keys = self.store.linked(open_names)
            reading = read(work, document, extraction, plan.directory, link_keys)
            source = work.source if work.kind == "replayed" else replace(work.source, hash=document.hash)
            current = self.store.episode(source.id)
            before = self.store.aliases_from(source.id) if current else ()
            changes = replace(
                self._changes(each, transaction, source, reading, current),
                entities=self._entities(source.id, before, reading.aliases, reading.anchors),
            )
            transaction.commit(changes)
        run.took_in(work, document, changes)
        run.renamed(before, reading.aliases)
        if work.kind != "replayed":
            run.noted(extraction.problems)

    def _changes(
        self, each: _Read, transaction: Transaction, source: Source, reading: Reading, current: Episode | None
    ) -> ChangeSet:
        episode = _episode(source, each.document, current)
        revision = revise(
            self.store.asserted(source.id) if current else (),
            reading.claims,
            self.ontology.rule,
            self.store.claims_taken,
            passages={passage.id for passage in reading.passages},
            episode=episode.id,
            now=transaction.recorded_at,
            seen=Bound(Moment.day(day_of(transaction.recorded_at)), Basis.OBSERVED),
        )
        return replace(
            self._with_beliefs(each.work.kind, transaction, revision),
            source=source,
            episode=None if episode is current else episode,
            passages=reading.passages,
            mentions=reading.mentions,
            aliases=reading.aliases,
            links=reading.links,
        )

    def _remove(self, source: Source, run: Run) -> None:
        """Take a source that is gone out of the present; the past keeps it."""
        with self.store.writing(run.at) as transaction:
            asserted = self.store.asserted(source.id)
            slots = tuple(dict.fromkeys(slot for slot, _ in asserted))
            revision = Revision((), (), tuple(claim.id for _, claim in asserted), slots)
            before = self.store.aliases_from(source.id)
            changes = replace(
                self._with_beliefs("removed", transaction, revision),
                removed=source.id,
                entities=self._entities(source.id, before, ()),
            )
            transaction.commit(changes)
        run.removed(changes)
        run.renamed(before, ())

    def _with_beliefs(self, kind: str, transaction: Transaction, revision: Revision) -> ChangeSet:
        """The claims that come and go, and what that does to the facts of their slots."""
        slots = revision.touched
        claims = claims_after(self.store.claims(slots=slots), revision)
        held = self.store.open_facts(slots)
        return change_set(kind, revision, refold(slots, claims, held, self.ontology.rule, transaction.recorded_at))

    def refold(self, slots: Iterable[Id]) -> int:
        """Believe again what the claims of some slots say; gives the number of facts that this closed or opened."""
        wanted = tuple(slots)
        with self.store.writing() as transaction:
            changes = self._with_beliefs("refold", transaction, Revision((), (), (), wanted))
            transaction.commit(changes)
        return len(changes.closed) + len(changes.opened)

    # -- names

    def _entities(
        self, source: Id, before: Sequence[Alias], after: Sequence[Alias], anchors: Sequence[Anchor] = ()
    ) -> tuple[Entity, ...]:
        """The entities that a source's names describe anew, and those of other sources that it speaks of first."""
        losing = lost(before, frozenset(after))
        rest = {
            entity: [alias for alias in rows if alias.source != source]
            for entity, rows in (self.store.aliases_of(losing).items() if losing else ())
        }
        concerned = {alias.entity for alias in (*before, *after)} | {anchor.entity for anchor in anchors}
        held = self.store.entities(concerned)
        return changed_entities(before, after, held, {**dict.fromkeys(losing, ()), **rest}, anchors)

    def _unsettled(self, plan: Plan, reader: Reader, run: Run) -> list[Work]:
        """Sources to read again: a name was taken from the text alone, and meanwhile others (no longer) link to it.

        Without this, who a name means would depend on which source came first.
        """
        if not run.link_keys:
            return []
        sources = {source.id: source for source in self.store.sources(reader.root)}
        namings = self.store.namings({key for key in run.link_keys if not plan.directory.owns(key)})
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


def _guard(scan: Scan, known: int, confirm: Confirm | None) -> None:
    """Ask before many sources are taken as removed."""
    gone = len(scan.removed)
    if gone > known * _MANY_GONE and gone > 1 and not (confirm and confirm(gone, known)):
        raise UserError(
            f"{gone} of {known} known sources are gone from the folder; nothing was changed",
            "if they really are gone, say so with --yes",
        )


def _as_committed(_gone: int, _known: int) -> bool:
    """Believe a commit that many sources are gone: somebody said so on purpose."""
    return True


def _refuse_overlap(root: str, known: Iterable[str]) -> None:
    """A folder within a known one, or around it, would be taken in twice."""
    for other in known:
        inside, around = root.startswith(f"{other}/"), other.startswith(f"{root}/")
        if (inside or around) and Path(other).is_dir():
            where = "within" if inside else "around"
            raise UserError(f"{root} is {where} {other}, which is in the memory", f"kgmem ingest {other}")


def _silent(_done: int, _total: int, _path: str) -> None:
    """Tell nobody."""
