"""A memory kept in step with a service that hands out books by the page.

How far that is stands in the memory, beside how far the histories of folders are replayed (`Store.replayed`): whoever
is stopped between two pages, be it by a power cut, goes on with the next one. What is kept of a book is its body alone.

What is named as deleted goes; what is only not named stays. A book that was deleted and comes back may come with what
changed since, and no more: to ask for everything brings the rest.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from kgmem.errors import SourceError
from kgmem.ingestion.run import silent
from kgmem.memory import Memory
from kgmem.model import Counts, Id, Instant, Problem, Replayed, Report, to_instant
from kgmem.sources.readwise import Book, body_of, books_of, shelf
from kgmem.sources.readwise.merging import book_in, id_in, merged, path_of
from kgmem.sources.readwise.service import NAME, Page, Readwise
from kgmem.sources.readwise.wire import Tell

_NOTHING: Final = Instant(0)
_MARGIN: Final = timedelta(minutes=10)
"""What was changed so shortly before a page was asked for is asked for again: a service need not tell at once."""

_COUNTS: Final = ("added", "changed", "moved", "removed", "unchanged")
_SUMS: Final = ("aliases", "links", "unresolved_links", "facts_opened", "facts_closed")

Progress = Callable[[int, int, str], None]
"""Told (books so far, of how many or 0, a title) after each page."""


@dataclass(frozen=True, slots=True)
class Mark:
    """How far the pages of a service are taken in.

    Its instants are of the service's clock, and never later than ours: a clock that runs ahead, here or there, would
    pass over what changes until the other one has come as far. One that runs behind only asks for more than is new.
    """

    since: Instant = _NOTHING
    """What changed before that is taken in; 0 for nothing."""
    until: Instant | None = None
    """The same, once the pages under way are; None if Readwise did not say what time it is."""
    cursor: str | None = None
    """The next of those pages; None between two syncs."""

    @classmethod
    def read(cls, kept: Replayed | None) -> Mark:
        """The mark that is kept; one that cannot be read asks for everything once more."""
        if kept is None:
            return cls()
        try:
            until, cursor = json.loads(kept.commit)
        except (TypeError, ValueError):
            return cls()
        return cls(kept.at, None if until is None else Instant(until), cursor)

    def kept(self) -> Replayed:
        """The form in which it is kept."""
        return Replayed(json.dumps([self.until, self.cursor]), self.since)

    def begun(self, at: datetime | None, now: datetime) -> Mark:
        """The mark of a sync whose first page was asked for at that instant of the service, and `now` here."""
        if at is None:
            return replace(self, until=None)
        until = to_instant(min(at, now) - _MARGIN)
        return replace(self, until=max(until, self.since))

    def behind(self, page: Page) -> Mark:
        """The mark after a page."""
        if page.cursor is not None:
            return replace(self, cursor=page.cursor)
        return Mark(self.since if self.until is None else self.until)

    def after(self) -> datetime | None:
        """What is asked for: changes after that; None for everything."""
        return datetime.fromtimestamp(self.since / 1_000_000, UTC) if self.since > 0 else None


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync came to."""

    report: Report
    pages: int
    books: int
    highlights: int
    """What came, deleted ones too."""


class Sync:
    """Takes in what is new, page by page."""

    def __init__(
        self, memory: Memory, service: Readwise, *, now: datetime, tell: Tell | None = None, dry_run: bool = False
    ) -> None:
        """Ask nobody yet.

        Args:
            memory: where it goes.
            service: who hands it out.
            now: our clock.
            tell: told of what a person who waits may wonder about.
            dry_run: only say what would be done.
        """
        self._memory = memory
        self._store = memory.store
        self._service = service
        self._now = now
        self._tell = tell or (lambda _why: None)
        self._dry_run = dry_run
        self._held: dict[str, Id] = {}
        self._paths: dict[str, str] = {}
        self._sums: Counter[str] = Counter()
        self._problems: dict[Problem, None] = {}

    def run(self, *, full: bool = False, progress: Progress | None = None) -> Synced:
        """Bring the memory up to date. Doing it twice changes nothing.

        Args:
            full: ask for everything, not only for what changed.
            progress: told after each page.

        Raises:
            kgmem.errors.ConfigurationError: the token is refused.
            kgmem.errors.SourceError: no answer, or none of any use. Pages that came before are taken in.
        """
        self._look()
        self._paths = {found: path for path in self._held if (found := id_in(path))}
        interrupted = False
        try:
            self._pages(Mark() if full else Mark.read(self._store.replayed(shelf.ROOT)), progress or silent)
        except KeyboardInterrupt:
            interrupted = True
        return self._synced(interrupted=interrupted)

    def _look(self) -> None:
        """See what the memory holds."""
        self._held = {each.path: each.id for each in self._store.sources(shelf.ROOT)}

    def _pages(self, mark: Mark, progress: Progress) -> None:
        """Take in pages up to the last one; of a sync that was broken off first the rest, then what is new since."""
        rest, again = mark.cursor is not None, True
        while True:
            page = self._service.page(mark.after(), mark.cursor)
            if page is None:
                self._start_again(allowed=again)
                mark, rest, again = Mark(mark.since), False, False
                continue
            if mark.cursor is None:
                mark = mark.begun(page.at, self._now)
            self._take_in(page)
            mark = mark.behind(page)
            if not self._dry_run:
                self._store.mark_replayed(shelf.ROOT, mark.kept())
            progress(self._sums["books"], page.count, "")
            if mark.cursor is None and not rest:
                return
            rest = rest and mark.cursor is not None

    def _start_again(self, *, allowed: bool) -> None:
        if not allowed:
            raise SourceError(f"{NAME} names pages that it does not have", "try again later")
        self._tell(f"{NAME} no longer knows where the last sync stopped: what is new is asked for from its beginning")

    def _take_in(self, page: Page) -> None:
        books = tuple(books_of({"results": page.books}))
        self._came(page, books)
        bodies: dict[str, str] = {}
        gone: set[str] = set()
        for book in books:
            path = self._paths.get(book.id) or _sound(path_of(book))
            if book.deleted:
                gone.add(path)
                bodies.pop(path, None)
            else:
                gone.discard(path)
                before = book_in(bodies[path]) if path in bodies else self._kept(book, path)
                bodies[path] = _sound(body_of(merged(before, book)))
                if book.id:
                    self._paths[book.id] = path
        if bodies or gone:
            self._count(self._memory.ingest(shelf.arriving(bodies, gone), confirm=_as_said, dry_run=self._dry_run))

    def _kept(self, book: Book, path: str) -> Book | None:
        """A book as the memory has it."""
        if path not in self._held and book.id in self._paths:
            self._look()  # it came with a page of this sync
        episode = self._store.episode(self._held[path]) if path in self._held else None
        return None if episode is None else book_in(episode.body)

    # -- the account

    def _came(self, page: Page, books: Sequence[Book]) -> None:
        self._sums["pages"] += 1
        self._sums["books"] += len(books)
        self._sums["highlights"] += sum(len(book.highlights) for book in books)
        if number := len(page.books) - len(books):
            told = "something that is no book" if number == 1 else f"{number} things that are no books"
            self._problems[Problem(shelf.ROOT, 1, "no-book", f"{NAME} gives {told}")] = None

    def _count(self, report: Report) -> None:
        for key in _COUNTS:
            self._sums[key] += getattr(report.counts, key)
        for key in _SUMS:
            self._sums[key] += getattr(report, key)
        self._problems.update(dict.fromkeys(report.problems))
        if report.interrupted:
            raise KeyboardInterrupt

    def _synced(self, *, interrupted: bool) -> Synced:
        sums = self._sums
        report = Report(
            counts=Counts(**{key: sums[key] for key in _COUNTS}),
            notes=sum(number for _, root, number in self._store.roots() if root == shelf.ROOT),
            aliases=sums["aliases"],
            links=sums["links"],
            unresolved_links=sums["unresolved_links"],
            problems=tuple(self._problems),
            facts_opened=sums["facts_opened"],
            facts_closed=sums["facts_closed"],
            interrupted=interrupted,
        )
        return Synced(report, sums["pages"], sums["books"], sums["highlights"])


def _as_said(_gone: int, _known: int) -> bool:
    """Believe that many books are gone: each is named as deleted."""
    return True


def _sound(text: str) -> str:
    """A text without halves of characters, which JSON can spell and no store can keep."""
    return text.encode("utf-8", "replace").decode()
