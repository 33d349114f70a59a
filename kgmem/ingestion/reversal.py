"""Taking back: what a source said, or what a transaction did, with everything that rested on it.

The log only grows. What is taken back is withdrawn in a transaction of its own, so that what was believed before
stays to be asked for; what had stood in its place is claimed again, and every belief is folded anew. Where the names
of a source meant something to others, those are read again, as after any other change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from kgmem.archive.tidying import tidy
from kgmem.beliefs import rebuild
from kgmem.errors import NotFoundError, UserError
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.plan import Plan, Planner, Verdict, Work, born, seen_of
from kgmem.ingestion.run import Run
from kgmem.model import (
    CORRECTION,
    OPEN,
    Claim,
    ClaimKind,
    Decision,
    DecisionKind,
    Episode,
    Id,
    Instant,
    Report,
    Source,
    identify,
    show_instant,
)
from kgmem.resolution.names import name_key
from kgmem.sources.document import Found, Reader, Scan
from kgmem.store.changes import Erasure
from kgmem.store.protocol import Transacted

_TAKEN_BACK: Final = frozenset({"added", "changed", "removed", "forget", "restore", CORRECTION})
"""Kinds of transactions that somebody or something outside brought about; others only follow from them."""


@dataclass(frozen=True, slots=True)
class Reversed:
    """What was taken back, and what that changed."""

    source: Source
    report: Report
    what: Transacted | None = None
    """The transaction that was undone."""


class Reversal:
    """Takes back what sources brought."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._store = intake.store

    def find(self, what: str) -> tuple[Source, Id | None]:
        """(a source, live or forgotten, and the episode of it if that is meant), by path, title or id.

        Raises:
            NotFoundError: nothing is called so.
            UserError: several are.
        """
        if (owner := self._store.source_of(what)) is not None:
            return self._store.sources_ever([owner])[owner], what
        if (source := self._store.source(what)) is not None:
            return source, None
        every = {each.id: each for each in self._store.sources()}
        every |= {source.id: source for _, source in self.forgotten() if source}
        place, key = Path(what).absolute().as_posix(), name_key(what)
        by_path = [each for each in every.values() if what == each.path or place == f"{each.root}/{each.path}"]
        by_name = by_path or [each for each in every.values() if key in (name_key(each.title), name_key(each.path))]
        found = by_name or self._gone(what, place)
        if not found:
            near = get_close_matches(what, [each.path for each in every.values()], 3, 0.6)
            hint = f"did you mean {', '.join(near)}?" if near else "`kgmem doctor NOTE` says whether a note is known"
            raise NotFoundError(f"no source is called {what!r}", hint)
        if len(found) > 1:
            raise UserError(f"several are called {what!r}", ", ".join(f"{each.root}/{each.path}" for each in found[:5]))
        return found[0], None

    def _gone(self, what: str, place: str) -> list[Source]:
        """Sources that are no longer there, by where they stood."""
        roots = {root for _, root, _ in self._store.roots()}
        inside = [place.removeprefix(f"{root}/") for root in roots if place.startswith(f"{root}/")]
        return [each for path in (what, *inside) for each in self._store.sources_called(path)][:1]

    # -- forgetting

    def forget(self, source: Source, reader: Reader) -> Reversed:
        """Withdraw all that a source says, and keep it out until that is retracted.

        Raises:
            UserError: it is forgotten already.
        """
        if self.is_forgotten(source, None):
            raise UserError(f"{source.path} is forgotten already", "kgmem forget --list")
        stood = tuple(dict.fromkeys(born(root, path) for root, path in self._store.paths(source.id)))
        decision = replace(self._decision(DecisionKind.FORGET, source.id), others=stood)
        return self._out(source, reader, Verdict("forget", (decision,)))

    def forget_episode(self, source: Source, episode: Id, reader: Reader) -> Reversed:
        """Withdraw what a source said first in one of its episodes; what it said before and after stands."""
        stays = [each for each in self._store.episodes(source.id) if each.id == episode]
        if not stays:
            raise UserError(f"{episode} is no episode of {source.path}")
        first = stays[0]
        decision = self._decision(DecisionKind.FORGET, source.id, first.hash)
        return self._back(source, first.recorded_at, reader, Verdict("forget", (decision,)), without=episode)

    def restore(self, source: Source, reader: Reader) -> Reversed:
        """Retract that a source is forgotten, or the last of its episodes that was: it says again what it said."""
        every = [each for each in self._in_force(DecisionKind.FORGET) if each.source == source.id]
        if not every:
            raise UserError(f"{source.path} is not forgotten", "kgmem forget --list")
        held = [each for each in every if not each.hash] or every[-1:]
        retracted = tuple(each.id for each in held)
        return self._back(source, held[0].recorded_at, reader, Verdict("restore", (), retracted))

    def forgotten(self) -> tuple[tuple[Decision, Source | None], ...]:
        """The decisions to forget that hold, with what they are about as far as it is known."""
        held = self._in_force(DecisionKind.FORGET)
        ever = self._store.sources_ever(each.source for each in held if each.source)
        return tuple((each, ever.get(each.source or "")) for each in held)

    def erase(self, source: Source, episode: Id | None = None) -> bool:
        """Leave nothing of a source, or of an episode, that was forgotten: not in the past either.

        Beliefs of all times are what the claims of others alone would have made them. Gives whether no byte is left;
        if not, another process is reading, or a place that archived bodies are in cannot be reached: to be done again.
        """
        store = self._store
        for correction in self._corrections_of(source, episode):
            self._intake.remove(correction, Run(Scan()), Verdict("erase"))
            self.erase(correction)
        self._refuse_content(source, episode)
        made = store.claims_ever(source.id, episode)
        gone = {claim for _, claim in made}
        slots = tuple(dict.fromkeys(slot for slot, _ in made))
        rebuilt = [
            (at, change.closed, change.opened, change.supported)
            for slot in slots
            for at, change in rebuild(slot, self._claims_over_time(slot, gone), self._intake.ontology.rule)
        ]
        ordered = tuple(sorted(rebuilt, key=lambda change: change[0]))
        whole = store.erase(Erasure(source.id, episode, tuple(gone), slots, ordered))
        return not tidy(store.archive()).left and whole

    def _corrections_of(self, source: Source, episode: Id | None) -> list[Source]:
        """Corrections of what nobody but the source said: they repeat its words."""
        slots = {slot for slot, _ in self._store.claims_ever(source.id, episode)}
        claims = self._store.claims(slots=slots)
        found = {}
        for said in claims.values():
            others = {claim.target for claim in said if claim.rung != CORRECTION and claim.source != source.id}
            for claim in said:
                if claim.kind is ClaimKind.DENIES and claim.target not in others:
                    found[claim.source] = self._store.source(claim.source)
        return [each for each in found.values() if each is not None]

    def _refuse_content(self, source: Source, episode: Id | None) -> None:
        """Log the erasure, with what tells the text apart wherever its file turns up again."""
        kept = source.kind != CORRECTION
        every = self._store.episodes(source.id) if kept else ()
        ever = [each for each in every if episode in (None, each.id) and not each.is_blank]
        refused = (self._decision(DecisionKind.FORGET, source.id, each) for each in {each.hash for each in ever})
        self._intake.decide(Verdict("erase", tuple(refused)))

    def _claims_over_time(self, slot: Id, without: Collection[Id]) -> Iterator[tuple[Instant, list[Claim]]]:
        for at in self._store.instants(slot, without):
            claims = self._store.claims(slots=[slot], known=at).get(slot, ())
            yield at, [claim for claim in claims if claim.id not in without]

    def is_forgotten(self, source: Source, episode: Id | None) -> bool:
        """Whether that was decided before, and holds."""
        contents = {each.hash for each in self._in_force(DecisionKind.FORGET) if each.source == source.id}
        wanted = {each.hash for each in self._store.episodes(source.id) if each.id == episode} if episode else {""}
        return not wanted.isdisjoint(contents)

    # -- undoing

    def last(self, *, past_erased: bool = False) -> Transacted:
        """The last transaction that can be taken back, and was not.

        Raises:
            UserError: there is none, or something was erased after it, and `past_erased` does not pass that by.
        """
        for each in self.next(past_erased=past_erased):
            return each
        raise UserError("there is nothing left to undo")

    def next(self, *, past_erased: bool = False) -> Iterator[Transacted]:
        """The transactions that can be taken back, the last first. Raises as `last`.

        Decisions on who is who that hold are taken back by their own command, and stop this one as an erasure does.
        """
        undone = {each.about for each in self._in_force(DecisionKind.UNDO)}
        of_people = (DecisionKind.SAME, DecisionKind.DISTINCT, DecisionKind.MEANS)
        decided = {each.recorded_at for kind in of_people for each in self._in_force(kind)}
        for each in reversed(self._store.transactions()):
            if each.kind == "erase" and not past_erased:
                raise UserError(
                    "the last thing done was to erase something, and that cannot be taken back",
                    "`kgmem undo --past-erased` takes back what was done before",
                )
            if each.recorded_at in decided and not past_erased:
                raise UserError(
                    "the last thing done was to decide who is who",
                    "`kgmem review merges --decided` lists what was decided, and --undo ID takes it back",
                )
            if each.kind in _TAKEN_BACK and each.recorded_at not in undone and each.source is not None:
                yield each

    def undo(self, what: Transacted, reader: Reader) -> Reversed:
        """Take one transaction back. What it brought stays out until its source changes."""
        source, at = what.source, what.recorded_at
        if source is None:
            raise UserError(f"the source of {show_instant(at)} was erased")
        decided = [self._decision(DecisionKind.UNDO, source.id, about=at)]
        decisions = self._store.decisions()
        retracted = [each.id for each in decisions if each.recorded_at == at]
        again = [each.hash for each in decisions if each.retracted_at == at and each.kind is DecisionKind.FORGET]
        if what.kind in {"added", "changed"}:
            again += [each.hash for each in self._store.episodes(source.id) if each.recorded_at == at]
        decided += [self._decision(DecisionKind.FORGET, source.id, content) for content in again]
        done = self._back(source, at, reader, Verdict("undo", tuple(decided), tuple(retracted)))
        return replace(done, what=what)

    # -- one way out, one way back

    def _out(self, source: Source, reader: Reader, verdict: Verdict) -> Reversed:
        """Take a source out of the present."""
        scan = Scan(removed=(seen_of(source),))
        run = Run(scan)
        if self._store.source(source.id) is None:  # it says nothing any more
            self._intake.decide(verdict)
            return Reversed(source, run.report(None, notes=0))
        if source.kind == CORRECTION:  # nothing links to it
            self._intake.remove(source, run, verdict)
            return Reversed(source, run.report(None, notes=0))
        plan = self._planner(reader).plan(scan)
        self._intake.remove(source, run, verdict)
        return self._follow(replace(plan, removed=()), plan.work, source, reader, run)

    def _back(
        self, source: Source, before: Instant, reader: Reader, verdict: Verdict, *, without: Id | None = None
    ) -> Reversed:
        """Bring a source back to what it said just before an instant; without an episode, on to what it said later."""
        ever = self._store.episodes(source.id)
        then = next((each for each in ever if each.recorded_at < before <= each.closed_at), None)
        stands = without is not None and ever[-1].closed_at == OPEN
        later = _later(ever, before, without) if without and stands else []
        if source.kind == CORRECTION or (then is None and not later) or (without and not stands):
            return self._out(source, reader, verdict)
        planner = self._planner(reader)
        planner.revive(source)
        now = later[-1] if later else then
        _fetch((*([then] if then else []), *later))
        assert now is not None  # noqa: S101 - for the type checker
        document = reader.parse(source.path, now.body, mtime_ns=source.mtime_ns)
        found = Found(source.path, source.size, source.mtime_ns, source.hash, document.head, document.daily)
        scan = Scan(changed=((seen_of(source), found),))
        plan, run = planner.plan(scan), Run(scan)
        (own,) = (each for each in plan.work if each.source.id == source.id)
        work = (
            replace(own, kind=verdict.kind, episode=then or later[0], back_to=before, verdict=verdict),
            *(replace(own, kind="replayed", episode=each) for each in later),
            *(each for each in plan.work if each is not own),
            replace(own, kind="replayed", episode=now),  # names may mean others than they did then
        )
        return self._follow(plan, work, source, reader, run)

    def _follow(self, plan: Plan, work: Sequence[Work], source: Source, reader: Reader, run: Run) -> Reversed:
        self._intake.carry_out(replace(plan, work=tuple(work)), reader, run)
        return Reversed(source, run.report(plan, notes=0))

    def _planner(self, reader: Reader) -> Planner:
        return Planner(self._store, lambda: self._intake.ontology, reader.root, reader.kind)

    def _in_force(self, kind: DecisionKind) -> list[Decision]:
        return [each for each in self._store.decisions() if each.kind is kind and each.holds]

    def _decision(self, kind: DecisionKind, source: Id, content: str = "", about: Instant | None = None) -> Decision:
        number = len(self._store.decisions())
        return Decision(identify("decision", kind, source, content, about, number), kind, source, content, about)


def _fetch(episodes: Iterable[Episode]) -> None:
    """Have the bodies at hand before anything changes. Raises ArchiveError: one of them cannot be had."""
    for each in episodes:
        _ = each.body


def _later(ever: Sequence[Episode], since: Instant, without: Id) -> list[Episode]:
    return [each for each in ever if each.recorded_at >= since and each.id != without]
