"""The account of a replayed history: what its commits did, added up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgmem.model import Counts, Instant, Problem, Report

if TYPE_CHECKING:
    from kgmem.sources.git_history import Commit, GitHistory

_SHORT = 10


@dataclass(frozen=True, slots=True)
class History:
    """The outcome of a replay. Nothing in it counts as unchanged, and no notes are counted: those are of the past."""

    root: str
    commits: int
    report: Report
    first: Instant | None = None
    last: Instant | None = None
    """When the commits taken in were recorded."""


class Account:
    """Adds up what the commits of a history do."""

    def __init__(self) -> None:
        self.interrupted = False
        self._commits = 0
        self._first: Instant | None = None
        self._last: Instant | None = None
        self._sums: Counter[str] = Counter()
        self._problems: dict[tuple[str, str], Problem] = {}

    def took_in(self, commit: Commit, report: Report) -> None:
        """A commit was ingested, or some of it if that was interrupted.

        A note that is at fault in a thousand commits is one problem, of the first.
        """
        self.interrupted = report.interrupted
        for key in ("added", "changed", "moved", "removed"):
            self._sums[key] += getattr(report.counts, key)
        for key in ("aliases", "links", "unresolved_links", "facts_opened", "facts_closed"):
            self._sums[key] += getattr(report, key)
        for each in report.problems:
            told = replace(each, message=f"{each.message}, in commit {commit.name[:_SHORT]}")
            self._problems.setdefault((each.path, each.kind), told)

    def done(self, commit: Commit) -> None:
        """A commit is taken in whole."""
        self._commits += 1
        self._first = commit.at if self._first is None else self._first
        self._last = commit.at

    def closed(self, history: GitHistory, commits: int | None = None) -> History:
        """The outcome; of so many commits, if none was taken in for a wish to know only that."""
        sums = self._sums
        report = Report(
            counts=Counts(sums["added"], sums["changed"], sums["moved"], sums["removed"]),
            notes=0,
            problems=tuple(dict.fromkeys((*history.problems, *self._problems.values()))),
            interrupted=self.interrupted or history.stopped,
            aliases=sums["aliases"],
            links=sums["links"],
            unresolved_links=sums["unresolved_links"],
            facts_opened=sums["facts_opened"],
            facts_closed=sums["facts_closed"],
        )
        return History(history.root, self._commits if commits is None else commits, report, self._first, self._last)
