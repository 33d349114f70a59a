"""The watch: waits for changes, lets them come to rest, hands them on, and survives what goes wrong."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol

from kgmem.errors import KgmemError, TurnTakenError, UserError
from kgmem.ingestion.run import Progress
from kgmem.model import Problem, Report
from kgmem.sources.document import Reader
from kgmem.watching.happenings import Changed, Happening, Scanned, Started, Stopped, Trouble
from kgmem.watching.place import Place
from kgmem.watching.said import Said
from kgmem.watching.timing import Timing
from kgmem.watching.watchers import Alarm
from kgmem.watching.withholding import Withholding, paths_of

_CLOCK_SECONDS = 2.0
"""A clock that goes back less than this was set right."""
_UNREADABLE = "unreadable"
"""The kind of problem that a note which was renamed a moment ago has, too."""


class Taking(Protocol):
    """What becomes of what changed."""

    def take_in(self, reader: Reader, confirm: Callable[[int, int], bool], progress: Progress) -> Report:
        """Bring the memory up to date with a folder, as `kgmem.memory.Memory.ingest` does.

        Raises:
            kgmem.errors.KgmemError: it could not be done; it is tried again later.
        """

    def follow(self, enough: Callable[[], bool]) -> float | None:
        """Do what follows and may take long, until `enough` says so; gives in how many seconds to go on, if at all.

        Raises:
            kgmem.errors.KgmemError: it could not be done; it is tried again later.
        """


class _Touch(NamedTuple):
    place: Place
    path: str
    is_folder: bool


class Watch:
    """Watches some folders."""

    def __init__(
        self,
        places: Iterable[Place],
        taking: Taking,
        tell: Callable[[Happening], None],
        timing: Timing | None = None,
        *,
        all_gone: bool = False,
    ) -> None:
        """Put a watch together; `run` begins.

        Args:
            places: the folders.
            taking: what becomes of changes.
            tell: told what happens, one thing at a time.
            timing: how long to wait for what; as the places have it.
            all_gone: believe that many sources are gone at once.
        """
        self._places = tuple(places)
        self._taking = taking
        self._tell = tell
        self._timing = timing or Timing()
        self._all_gone = all_gone
        self._queue: SimpleQueue[tuple[_Touch | None, float]] = SimpleQueue()
        self._stopping = False
        self._said = Said(tell)
        self._ahead = {place: _Ahead(self._timing) for place in self._places}
        self._follow_at = math.inf
        self._next_check = 0.0
        self._drift = time.time() - time.monotonic()
        self.scans = self.batches = 0
        """How many times a folder was compared with the memory, and how many of them brought something."""

    def stop(self) -> None:
        """End soon: what is being written is written. May be called at any time, from a signal too."""
        self._stopping = True
        self._queue.put((None, 0.0))

    def run(self) -> None:
        """Watch until `stop` is called."""
        with ExitStack() as stack:
            stack.callback(Alarm(self._look_at_all).close)
            for place in self._places:
                stack.callback(place.close)
                self._open(place)
            self._tell(Started(tuple((place.root, place.how or "waiting") for place in self._places)))
            for place in self._places:
                self._tell_how(place)
            while not self._stopping:
                self._wait()
                self._check()
                for place in self._places:
                    self._look_after(place)
                self._follow()
        self._tell(Stopped(self.scans, self.batches))

    # -- noticing

    def _open(self, place: Place) -> None:
        def touch(path: str, is_folder: bool) -> None:
            self._queue.put((_Touch(place, path, is_folder), time.monotonic()))

        place.open(touch, time.monotonic())

    def _tell_how(self, place: Place) -> None:
        if not place.how:
            self._said.waiting(place.root, "the folder is not there, or may not be read")
        elif place.because:
            hint = f"it is looked through every {self._timing.poll:g} s instead"
            self._said.fault(place.root, Problem("", 0, "polling", place.because, hint))

    def _look_at_all(self) -> None:
        """Something was lost, and nobody knows what."""
        for place in self._places:
            place.stale = True
        self._queue.put((None, 0.0))

    def _wait(self) -> None:
        """Wait until something happens, or there is something to do; takes note of all that happened by then."""
        now = time.monotonic()
        follow_at = math.inf if self._is_unsettled() else self._follow_at
        due = min(self._next_check, follow_at, *(self._due(place) for place in self._places))
        touched: dict[_Touch, float] = {}
        try:
            touch, at = self._queue.get(timeout=max(0.0, due - now))
            while True:
                if touch is not None:
                    touched[touch] = at
                touch, at = self._queue.get_nowait()
        except Empty:
            pass
        for each, at in touched.items():
            if not each.path:
                self._next_check = 0.0  # the folder itself: is it still there?
            elif each.place.note(each.path, is_folder=each.is_folder, at=at):
                self._put_off(at + self._timing.quiet)

    def _is_unsettled(self) -> bool:
        return any(place.settling for place in self._places)

    def _put_off(self, until: float) -> None:
        """What follows waits for quiet, if anything is to follow."""
        if self._follow_at < math.inf:
            self._follow_at = max(self._follow_at, until)

    def _due(self, place: Place) -> float:
        return max(place.due(), self._ahead[place].retry_at)

    def _check(self) -> None:
        """Now and then: are the folders there, does the clock go on, and is it time for a sweep?"""
        now = time.monotonic()
        if now < self._next_check:
            return
        self._next_check = now + self._timing.heartbeat
        for place in self._places:
            if not place.is_as_opened():
                self._open(place)
                self._tell_how(place)
                self._ahead[place].first = True
            place.stale |= bool(place.how) and now >= self._ahead[place].sweep_at
        drift = time.time() - now
        if drift < self._drift - _CLOCK_SECONDS:
            back = f"the clock went back by {self._drift - drift:,.0f} s"
            hint = "until it has caught up, what is taken in is recorded right after what came before"
            self._tell(Trouble("", Problem("", 0, "clock", back, hint)))
        self._drift = drift

    # -- taking in

    def _look_after(self, place: Place) -> None:
        ahead = self._ahead[place]
        if self._stopping or not place.how or self._due(place) > time.monotonic():
            return
        try:
            place.poll(time.monotonic())
            self._take(place)
        except TurnTakenError as error:
            place.stale = True
            ahead.retry_at = time.monotonic() + self._timing.retry
            self._said.waiting(place.root, error.message)
        except (KgmemError, OSError) as error:
            place.stale = True
            ahead.failed(time.monotonic())
            if not self._stopping:
                self._fail(place, error)

    def _fail(self, place: Place, error: KgmemError | OSError) -> None:
        if not place.is_as_opened():
            self._next_check = 0.0
        else:
            self._said.fault(place.root, _problem(error))

    def _take(self, place: Place) -> None:
        settled = place.settling.take(time.monotonic())
        whole, place.stale = place.stale, False
        if not (whole or settled.rested):
            return
        began = time.monotonic()
        reader, report = self._taken_in(place, settled.restless)
        self._ahead[place].succeeded(time.monotonic(), swept=whole)
        self.scans += 1
        if report is not None:
            self._tell_taken(place, reader, report, time.monotonic() - began)

    def _tell_taken(self, place: Place, reader: Withholding, report: Report, seconds: float) -> None:
        ahead = self._ahead[place]
        paths, counts = paths_of(reader.found), report.counts
        news = bool(counts.added or counts.changed or counts.moved or counts.removed)
        self.batches += news
        if ahead.first:
            self._tell(Scanned(place.root, report, seconds))
        elif news:
            self._tell(Changed(place.root, paths, report, seconds))
        if news or ahead.first:
            ahead.again = not ahead.first
            self._follow_at = time.monotonic() + self._timing.quiet
        ahead.first = False
        still = [each for each in report.problems if each.kind != _UNREADABLE or place.holds(each.path)]
        self._said.problems(place.root, still, reader.found.problems, paths)

    def _taken_in(self, place: Place, restless: frozenset[str]) -> tuple[Withholding, Report | None]:
        """Take in what rests. Where many sources are gone, all else is taken in, and they are kept.

        Where all are gone, so is the disk: nothing is taken in, and there is no report.
        """
        refused: list[tuple[int, int]] = []

        def confirm(gone: int, known: int) -> bool:
            if not self._all_gone:
                refused.append((gone, known))
            return self._all_gone

        reader = Withholding(place.reader, restless)
        try:
            report = self._taking.take_in(reader, confirm, self._progress)
        except UserError:
            if not refused:
                raise
            gone, known = refused[0]
            if gone == known and not (reader.found.added or reader.found.moved):
                self._ahead[place].first = True
                self._said.waiting(place.root, f"none of the {known:,} known notes is there")
                return reader, None
            hint = f"if they really are gone: kgmem ingest {place.root} --yes"
            message = f"{gone:,} of {known:,} known notes are gone from the folder and are kept; all else goes in"
            self._said.fault(place.root, Problem("", 0, "many-gone", message, hint), same=f"{gone} gone")
            reader = Withholding(place.reader, restless, removed=True)
            return reader, self._taking.take_in(reader, confirm, self._progress)
        self._said.over(place.root)
        return reader, report

    def _progress(self, _done: int, _total: int, _path: str) -> None:
        if self._stopping:
            raise KeyboardInterrupt  # as if somebody had pressed Ctrl-C here: between two sources

    # -- what follows

    def _follow(self) -> None:
        now = time.monotonic()
        if now < self._follow_at or self._stopping or self._is_unsettled():
            return
        again = [place for place in self._places if self._ahead[place].again]
        for place in again:
            self._ahead[place].again, place.stale = False, True
        if again:
            return
        self._follow_at = math.inf
        try:
            wait = self._taking.follow(lambda: self._stopping or not self._queue.empty())
        except TurnTakenError:
            self._follow_at = time.monotonic() + self._timing.retry
        except KgmemError as error:
            self._said.fault("", _problem(error))
            self._follow_at = time.monotonic() + self._timing.retry_most
        else:
            self._said.over("")
            self._follow_at = math.inf if wait is None else time.monotonic() + wait


class _Ahead:
    """When a folder is tried again, and swept."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._wait = timing.retry
        self.first = True
        """No scan has succeeded since the folder was there."""
        self.again = False
        """To be scanned once more when all is quiet: who decided something while this wrote finds it half done."""
        self.retry_at = -math.inf
        self.sweep_at = math.inf

    def failed(self, now: float) -> None:
        self.retry_at = now + self._wait
        self._wait = min(2 * self._wait, self._timing.retry_most)

    def succeeded(self, now: float, *, swept: bool) -> None:
        self.retry_at = -math.inf
        self._wait = self._timing.retry
        if swept or self.sweep_at == math.inf:
            self.sweep_at = now + self._timing.sweep


def _problem(error: KgmemError | OSError) -> Problem:
    if isinstance(error, UserError):
        return Problem("", 0, type(error).__name__, error.message, error.hint)
    if isinstance(error, OSError):
        return Problem("", 0, "OSError", f"the system says: {error.strerror or error}", "it is tried again")
    return Problem("", 0, type(error).__name__, f"a fault in kgmem: {error}", "please report it")
