"""The memory: what the outside says goes in, and what we believe follows from it.

`Memory` is the one façade. Every change takes the same way: read what a source says now, compare it with
what it said before, fold the slots that this touches, and commit all of it as one change set:

    scan ─▶ read ─▶ extract ─▶ resolve ─▶ revise ─▶ refold ─▶ commit
    (sources)    (extraction)  (resolution)    (beliefs)       (store)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kgmem.errors import UserError
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.forgotten import Forgotten
from kgmem.ingestion.history import Account, History
from kgmem.ingestion.plan import Planner
from kgmem.ingestion.run import Progress, ReaderOf, Run, silent
from kgmem.model import Fact, Id, Instant, Replayed, Report, Source
from kgmem.resolution.bands import Bands
from kgmem.sources.arriving import is_folder
from kgmem.sources.document import Reader, Scan, Seen
from kgmem.store.protocol import Store

if TYPE_CHECKING:
    from kgmem.embedding.embedder import Embedder
    from kgmem.extraction.entities import Recognizer
    from kgmem.extraction.gliner.labelling import Labeller
    from kgmem.ingestion.batching import Bounds, Estimate
    from kgmem.ingestion.by_model import ReadByModel
    from kgmem.ingestion.correction import Corrected, Correction
    from kgmem.ingestion.identity import Identity
    from kgmem.ingestion.intake import Intake
    from kgmem.ingestion.resolving import Resolver, Review
    from kgmem.ingestion.reversal import Reversal
    from kgmem.ingestion.settling import Settling
    from kgmem.llm.settings import Extract
    from kgmem.llm.spending import Spent
    from kgmem.llm.structured import Structured
    from kgmem.sources.git_history import GitHistory

Moved = Callable[[str, str], bool]
"""Asked with (a folder that is gone, one that holds its notes) whether they are one."""
Confirm = Callable[[int, int], bool]
"""Asked with (gone, known) before many sources are taken as removed."""

_MANY_GONE = 0.2
"""More than this share of a folder's sources gone at once is more often a sync gone wrong than a wish."""


class Memory:
    """One group's memory: a store, and the ontology that gives its claims meaning."""

    def __init__(
        self,
        store: Store,
        ontology: Ontology | Callable[[], Ontology],
        recognizer: Recognizer | None = None,
        bands: Bands | None = None,
        embedder: Embedder | None = None,
        *,
        labeller: Labeller | None = None,
        readers: ReaderOf | None = None,
    ) -> None:
        """Put a memory together.

        Args:
            store: where it is kept.
            ontology: or what loads it, when something is read: an ingest that finds nothing new needs none.
            recognizer: finds named entities that no note is about; without it, structure and known names.
            bands: from which score on two entities are one, or a person is asked.
            embedder: tells what names mean; without it, their letters count.
            labeller: finds names and relations by labels of a person's own.
            readers: makes the reader of a folder whose sources are to be read again, once an ingest shows that two
                are one; without it, nobody looks.
        """
        self.store = store
        self._readers = readers
        self._ontology = ontology
        self._recognizer = recognizer
        self._bands = bands or Bands()
        self._embedder = embedder
        self._labeller = labeller

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
        moved: Moved | None = None,
    ) -> Report:
        """Bring the memory up to date with a folder. Doing it twice changes nothing.

        Args:
            reader: the folder.
            confirm: decides when more than a fifth of the folder's sources are gone; without it, no.
            progress: told after each source.
            dry_run: only say what would be done.
            reread: read again what did not change too: after the ontology or the language rung did.
            at: the recorded instant, for a folder as it was then; without it, the present.
            moved: decides whether a new folder that holds the notes of one that is gone is that one; without it, no.

        Raises:
            kgmem.errors.SourceError: the folder cannot be read; nothing was changed.
            kgmem.errors.UserError: many sources are gone, and `confirm` said no, the folder overlaps another one
                that is in the memory, or something was recorded after `at`; nothing was changed.
        """
        roots = {root: kind for kind, root, _ in self.store.roots()}
        _refuse_overlap(reader.root, roots)
        if is_folder(reader.root) and reader.root not in roots and not dry_run:
            self._follow_folder(reader, [root for root in roots if is_folder(root) and not Path(root).is_dir()], moved)
        planner = Planner(self.store, lambda: self.ontology, reader.root, reader.kind)
        seen = planner.seen()
        forgotten = Forgotten(self.store, reader.root)
        known = {**forgotten.seen(seen), **seen}
        planner.reserve(forgotten.gone)
        scan, followed = forgotten.strip(reader.scan(known))
        _guard(scan, len(seen), confirm)
        for seen_before, _ in (*scan.changed, *scan.moved):
            if seen_before.id in forgotten.gone:
                planner.revive(forgotten.gone[seen_before.id])
        run = Run(scan, at)
        broken_off = bool(self.store.relinked())
        plan = None
        if not dry_run:
            plan = planner.plan(scan, reread=reread, renamed=planner.unsettled(), relinked=broken_off)
        if plan is not None:
            try:
                self.store.restat((*plan.touched, *followed))
                if plan.work or plan.removed or broken_off:
                    self._intake().carry_out(plan, reader, run, progress or silent)
                if plan.work and at is None and self._readers is not None and not run.interrupted:
                    self._unite_books(self._readers)
            except KeyboardInterrupt:
                run.interrupted = True
        return run.report(plan, notes=sum(number for _, root, number in self.store.roots() if root == reader.root))

    def _unite_books(self, readers: ReaderOf) -> None:
        from kgmem.ingestion.books import unite

        unite(self.store, self.identity(readers))

    def _follow_folder(self, reader: Reader, missing: Iterable[str], moved: Moved | None) -> None:
        """Take a folder that holds most notes of one that is gone for that one, if somebody says so.

        Raises:
            kgmem.errors.UserError: nobody is there to say: its notes would be taken in twice.
        """
        from kgmem.store.changes import ChangeSet

        for root in missing:
            known = {each.path: each.hash for each in self.store.sources(root)}
            seen = {path: Seen("", path, -1, -1, digest) for path, digest in known.items()}
            scan = reader.scan(seen)
            if not known or len(scan.removed) > len(known) / 2:
                continue
            if moved is None:
                raise UserError(
                    f"{root} is gone, and {reader.root} holds its notes",
                    "--yes says that it was moved there; `kgmem ingest` asks where somebody can answer",
                )
            if moved(root, reader.root):
                with self.store.writing() as transaction:
                    transaction.commit(ChangeSet("moved", moved_root=(root, reader.root)))
                return

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
                    (progress or silent)(commit.number, commit.total, commit.name)
        except KeyboardInterrupt:
            account.interrupted = True
        return account.closed(history)

    def read_by_model(
        self,
        readers: Iterable[Reader],
        model: Structured,
        extract: Extract,
        spent: Spent,
        *,
        bounds: Bounds | None = None,
        progress: Progress | None = None,
    ) -> ReadByModel:
        """Ask a model about what the other rungs leave open. See `kgmem.ingestion.by_model.ModelReading`."""
        from kgmem.ingestion.by_model import ModelReading

        return ModelReading(self._intake(), model, extract, spent, bounds).run(readers, progress or silent)

    def forecast(
        self, readers: Iterable[Reader], model: str, extract: Extract, *, bounds: Bounds | None = None
    ) -> Estimate:
        """What an ingest would ask a model. See `kgmem.ingestion.forecast.forecast`."""
        from kgmem.ingestion.forecast import forecast

        return forecast(self._intake(), model, extract, readers, bounds)

    def refold(self, slots: Iterable[Id]) -> int:
        """Believe again what the claims of some slots say; gives the number of facts that this closed or opened."""
        return self._intake().refold(slots)

    def correct(self, fact: Fact, correction: Correction) -> Corrected:
        """Record a person's correction of a fact. See `kgmem.ingestion.correction.correct`."""
        from kgmem.ingestion.correction import correct

        return correct(self._intake(), fact, correction)

    @property
    def back(self) -> Reversal:
        """What takes back: forget, restore, undo."""
        from kgmem.ingestion.reversal import Reversal

        return Reversal(self._intake())

    def erase(self, source: Source, episode: Id | None, reader: Reader, opener: Callable[[str], Store]) -> bool:
        """Erase what was forgotten, in every generation: see `kgmem.ingestion.reversal.Reversal.erase`.

        Args:
            source: the source.
            episode: the one of it that is meant, if not all of them are.
            reader: the folder of the source.
            opener: opens a generation of the memory by its name, to write.
        """
        from kgmem.reextraction.erasing import erased_elsewhere

        with erased_elsewhere(self._intake(), opener, (source, episode), reader) as whole:
            return self.back.erase(source, episode) and all(whole)

    def identity(self, readers: ReaderOf) -> Identity:
        """What decides who is who. Args as those of `kgmem.ingestion.identity.Identity`."""
        from kgmem.ingestion.identity import Identity

        return Identity(self._intake(), readers)

    def resolver(self, readers: ReaderOf) -> Resolver:
        """What compares entities with each other."""
        from kgmem.ingestion.meanings import Meanings
        from kgmem.ingestion.resolving import Resolver

        meanings = Meanings(self._embedder) if self._embedder else None
        return Resolver(self._intake(), self.identity(readers), self.settling(readers), self._bands, meanings)

    def settling(self, readers: ReaderOf) -> Settling:
        """What says whom a name means in a single source."""
        from kgmem.ingestion.settling import Settling

        return Settling(self._intake(), readers, self._bands)

    def review(self, readers: ReaderOf) -> Review:
        """The pairs that wait for a person."""
        from kgmem.ingestion.resolving import Review

        return Review(self.store, self.identity(readers))

    def _intake(self) -> Intake:
        from kgmem.ingestion.intake import Intake  # here: an ingest that finds nothing new does without it

        return Intake(self.store, self.ontology, self._recognizer, self._labeller)


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
