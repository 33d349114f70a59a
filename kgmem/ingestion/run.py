"""The account of one ingest: what it did, and what it could not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from kgmem.ingestion.plan import Plan, Work
from kgmem.model import Counts, Instant, Problem, Report
from kgmem.sources.document import Document, Reader, Scan
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import Batch

Progress = Callable[[int, int, str], None]
"""Called with (done, total, path) after each source."""
ReaderOf = Callable[[str, str], Reader]
"""The reader of a folder, by root and kind."""


def silent(_done: int, _total: int, _path: str) -> None:
    """Tell nobody."""


class Run:
    """Collects what an ingest does, source by source."""

    def __init__(self, scan: Scan, at: Instant | None = None) -> None:
        self.at = at
        """The instant it is recorded at; None for the present."""
        self._scan = scan
        self._problems: list[Problem] = list(scan.problems)
        self._counts: Counter[str] = Counter()
        self.interrupted = False

    @contextmanager
    def portion(self, batch: Batch) -> Iterator[None]:
        """Count what is done inside only if the batch is kept."""
        before = self._counts.copy()
        try:
            yield
        finally:
            if not batch.kept:
                self._counts = before

    def problem(self, path: str, kind: str, message: str, hint: str = "") -> None:
        """Something that could not be read."""
        self._problems.append(Problem(path, 1, kind, message, hint))

    def took_in(self, work: Work, document: Document, changes: ChangeSet) -> None:
        """A source was read and committed."""
        self._count_facts(changes)
        if work.kind == "replayed":
            return
        from kgmem.extraction.structure import names_a_note

        links = [link for block in document.blocks for link in block.links if names_a_note(link)]
        self._counts[work.kind] += 1
        self._counts["aliases"] += len(document.head.aliases)
        self._counts["links"] += len(links)
        self._counts["unresolved"] += sum(link.path is None for link in links)

    def noted(self, problems: Iterable[Problem]) -> None:
        """Problems of a source that was read all the same."""
        self._problems += problems

    def removed(self, changes: ChangeSet) -> None:
        """A source is gone."""
        self._counts["removed"] += 1
        self._count_facts(changes)

    def _count_facts(self, changes: ChangeSet) -> None:
        self._counts["opened"] += len(changes.opened)
        self._counts["closed"] += len(changes.closed)

    def report(self, plan: Plan | None, notes: int) -> Report:
        """The outcome; without a plan, what would be done."""
        scan = self._scan
        done = self._counts
        if plan is None:
            done = Counter(
                added=len(scan.added), changed=len(scan.changed), moved=len(scan.moved), removed=len(scan.removed)
            )
        return Report(
            counts=Counts(
                added=done["added"],
                changed=done["changed"],
                moved=done["moved"],
                removed=done["removed"],
                unchanged=scan.unchanged + len(scan.touched),
            ),
            notes=notes,
            aliases=self._counts["aliases"],
            links=self._counts["links"],
            unresolved_links=self._counts["unresolved"],
            problems=tuple(sorted(set(self._problems), key=lambda p: (p.path, p.line, p.kind, p.message))),
            facts_opened=self._counts["opened"],
            facts_closed=self._counts["closed"],
            interrupted=self.interrupted,
        )
