"""Making a generation, comparing it with the one that answers, and putting it in that one's place.

A generation is loaded as a copy is: line by line of a dump, which is that of the current generation with the claims
drawn again. Broken off at any point it is no memory yet, and the next run goes on with it, or begins it anew. At the
end the current episodes are read once more as an ingest would read them, so that mentions, names and links follow. It
is complete once it says what it was made of: the dump of the current generation, and the extraction. A generation that
was made of anything else is made again before it is promoted, so that nothing which happened meanwhile is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from time import monotonic
from typing import Final

from kgmem.errors import InvariantError, NotFoundError, StoreError, StoreLockedError
from kgmem.extraction.grammar import telling_of
from kgmem.model import identify
from kgmem.reextraction.hearing import Remembering, RememberingLabels, hear
from kgmem.reextraction.lines import rewriting, rewritten
from kgmem.reextraction.log import read_log
from kgmem.reextraction.presence import read_again
from kgmem.reextraction.replay import Means, Progress, Replay, Wish
from kgmem.store.conversations import MessageQuery
from kgmem.store.copying import carry, measure
from kgmem.store.generations import Generation, waiting_of
from kgmem.store.loading import HalfCopy
from kgmem.store.protocol import Store

_CHUNK: Final = 2000
"""Lines of one transaction."""
_TIMES: Final = 5
"""How often a memory that is written to meanwhile is drawn again before somebody is told so."""
_JUDGED: Final = 200
"""So many answers, the newest, may be judged while a generation takes the place of another."""
_TELL_SECONDS: Final = 20.0
_AGAIN: Final = "replayed"
"""The kind of transactions in which a source is only read again."""

Opener = Callable[[str], Store]
"""Opens a generation by its name, to write, also one that is not complete."""


class Making:
    """Makes the generations of a group."""

    def __init__(self, store: Store, opener: Opener, means: Means, wish: Wish | None, progress: Progress) -> None:
        """Put it together.

        Args:
            store: the group as it answers, opened to write; it is left open.
            opener: see `Opener`.
            means: what episodes are read with.
            wish: what is read again; None for what the generation that waits was made for, or else everything.
            progress: told how far it is.
        """
        self._store = store
        self._generations = store.generations()
        self._open = opener
        recognizer = means.recognizer and Remembering(means.recognizer, telling_of(means.ontology))
        labeller = means.labeller and RememberingLabels(means.labeller)
        self._means = replace(means, recognizer=recognizer, labeller=labeller)
        self._wish = wish or self._wish_before()
        self._progress = progress
        self._told = monotonic()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the one process that makes a generation of this group.

        Raises:
            kgmem.errors.NotFoundError: the group holds nothing.
            kgmem.errors.StoreLockedError: another process is making one.
        """
        if not self._store.transactions():
            raise NotFoundError(f"the group {self._store.group} holds nothing", "kgmem ingest PATH")
        self._generations.hold()
        try:
            yield
        finally:
            self._generations.let_go()

    def make(self) -> Generation:
        """A complete generation of what the memory holds now; one that is there already is taken.

        Raises:
            kgmem.errors.StoreLockedError: the memory is written to all the time.
        """
        for _ in range(_TIMES):
            mark, whole = self._mark(), self._measured()
            waiting = self.waiting()
            if waiting is not None and waiting.made_of == whole.dump:
                return waiting
            try:
                made = self._make(whole)
            except InvariantError:
                if self._mark() == mark:
                    raise
                continue  # it was written to between two readings of it
            if self._mark() == mark:
                self._generations.complete(made.number, whole.dump)
                return replace(made, made_of=whole.dump)
        raise _never_still()

    def promote(self, made: Generation) -> Generation:
        """Make a generation the one that answers; what happened since it was made is taken into it before.

        Raises:
            kgmem.errors.StoreLockedError: the memory is written to all the time.
        """
        for _ in range(_TIMES):
            mark = self._mark()
            if self._measured().dump != made.made_of:
                made = self.make()
            elif self._generations.promote(made.number, partial(self._is_as_at, mark)):
                return made
        raise _never_still()

    def discard(self) -> Generation:
        """Drop the generation that waits to be promoted.

        Raises:
            kgmem.errors.NotFoundError: none does.
        """
        waiting = self.waiting()
        if waiting is None:
            older = any(not each.current for each in self._generations.every())
            prune = "; --prune drops those that answered before" if older else ""
            raise NotFoundError("no generation waits to be promoted", f"`kgmem reextract` makes one{prune}")
        self._generations.drop(waiting.number)
        return waiting

    def prune(self) -> tuple[Generation, ...]:
        """Drop all generations but the one that answers; gives those."""
        gone = tuple(each for each in self._generations.every() if not each.current)
        for each in gone:
            self._generations.drop(each.number)
        return gone

    def back(self, *, leave: bool = False) -> Generation:
        """Make the generation current that was so before.

        Args:
            leave: also if something was recorded since, which that generation does not have.

        Raises:
            kgmem.errors.NotFoundError: there is none.
            kgmem.errors.StoreError: something was recorded since.
        """
        before = next((each for each in self._generations.every() if each.before), None)
        if before is None:
            raise NotFoundError("there is no generation to go back to", "`kgmem reextract --list` shows them")
        with closing(self._open(before.group)) as there:
            news = self._news(there)
        if news and not leave:
            raise StoreError(
                f"since the generation {before.group} answered, {news}; it does not have that",
                "--yes goes back all the same: the generation that answers now keeps it, and --back returns to that",
            )
        self._generations.promote(before.number, _certainly)
        return before

    def _news(self, there: Store) -> str:
        """What was recorded or asked here and not there, in words; empty if nothing."""
        last = there.stats().last_recorded
        later = [each for each in self._store.transactions(last) if last is None or each.recorded_at > last]
        recorded = sum(each.kind != _AGAIN for each in later)
        asked = self._store.conversations().messages(MessageQuery(limit=1))[0]
        asked -= there.conversations().messages(MessageQuery(limit=1))[0]
        told = [(recorded, "transaction was recorded", "transactions were recorded")]
        told += [(asked, "question was asked", "questions were asked")]
        return " and ".join(f"{n:,} {one if n == 1 else many}" for n, one, many in told if n > 0)

    def waiting(self) -> Generation | None:
        """The generation that waits to be promoted, complete or not."""
        return waiting_of(self._generations.every())

    def _measured(self) -> HalfCopy:
        """What the memory is known by now, with what it is read by."""
        whole = measure(self._store, self._progress)
        return replace(whole, dump=f"{identify(whole.dump, self._means.version)} {self._wish}")

    def _wish_before(self) -> Wish:
        """What the generation that waits was made for."""
        waiting = self.waiting()
        return Wish.read(waiting.made_of.partition(" ")[2]) if waiting and waiting.made_of else Wish()

    def _mark(self) -> object:
        """Another one after whatever is recorded, asked, judged or erased; to measure a memory takes much longer."""
        held, conversations = self._store.stats(), self._store.conversations()
        _, asked = conversations.messages(MessageQuery(limit=_JUDGED))
        judged = [(each.id, each.thumb, each.because) for each in asked]
        replayed = [self._store.replayed(root) for _, root, _ in self._store.roots()]
        return held.last_recorded, dict(held.counts), conversations.every(), judged, replayed

    def _is_as_at(self, mark: object) -> bool:
        return self._mark() == mark

    # -- one generation

    def _make(self, whole: HalfCopy) -> Generation:
        made = self._begun()
        with closing(self._open(made.group)) as target:
            self._load(target, whole)
        return made

    def _begun(self) -> Generation:
        """A generation to load; one that was loaded, and is not what it should be, gives way."""
        waiting = self.waiting()
        if waiting is not None:
            with closing(self._open(waiting.group)) as target:
                loaded = target.half_copy() is None and bool(target.transactions())
            if loaded:
                self._generations.drop(waiting.number)
        return self._generations.make()

    def _load(self, target: Store, whole: HalfCopy) -> None:
        """Fill a generation, from where that was broken off."""
        log = read_log(self._store.dump())
        heard = hear(log, self._means, self._wish, self._still_here)
        replay = Replay(log, self._means, self._wish, heard)
        change = rewriting(log, replay.run(self._still_here), self._means.ontology.rule)
        loader = target.loader()
        half = target.half_copy()
        if half is None or half.dump != whole.dump:
            half = loader.begin(HalfCopy(whole.origin, whole.dump))
        with closing(self._open(self._store.group)) as reader, closing(rewritten(reader.dump(), change)) as lines:
            rest = islice(lines, half.lines, None)
            while chunk := list(islice(rest, _CHUNK)):
                half = loader.load(chunk, half)
                self._still_here("loading", half.lines, whole.lines)
        carry(self._store, target)
        loader.end(half)
        self._generations.hold()
        read_again(target, replay, self._means, self._wish, self._progress)

    def _still_here(self, what: str, done: int, total: int) -> None:
        """Tell how far it is, and from time to time others that it goes on."""
        now = monotonic()
        if now - self._told > _TELL_SECONDS:
            self._told = now
            self._generations.hold()
        self._progress(what, done, total)


def _certainly() -> bool:
    return True


def _never_still() -> StoreLockedError:
    return StoreLockedError("the memory is written to all the time", "try again when that is over")
