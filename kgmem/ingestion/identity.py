"""Who is one: merging two entities, taking that apart again, and saying that two are two.

A merge is a decision, and what follows from it: every source that calls the one that goes is read again with the
names as they are meant from then on, so that its mentions, names and claims speak of the one that stays. Nothing else
changes a row, and nothing is lost: once the decision is retracted, reading the same sources again restores both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kgmem.errors import NotFoundError, UserError
from kgmem.extraction.ontology import Rank
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.plan import Plan, Planner, Verdict, half_done
from kgmem.ingestion.run import ReaderOf, Run
from kgmem.model import CORRECTION, Decision, DecisionKind, Entity, Id, identify
from kgmem.resolution.directory import named_entity
from kgmem.resolution.names import name_key
from kgmem.resolution.same import Same
from kgmem.sources.document import Reader, Scan
from kgmem.store.protocol import Store


@dataclass(frozen=True, slots=True)
class Merged:
    """What a decision on who is who changed."""

    decision: Decision
    kept: Entity
    others: tuple[Entity, ...]
    sources: int = 0
    """Sources that call any of them, and were read again."""
    facts_closed: int = 0
    facts_opened: int = 0
    warnings: tuple[str, ...] = ()


class Identity:
    """Decides on who is who, and carries it out."""

    def __init__(self, intake: Intake, readers: ReaderOf) -> None:
        """Args: `readers` makes a reader for each folder whose sources are to be read again."""
        self._intake = intake
        self._store: Store = intake.store
        self._readers = readers

    # -- deciding

    def merge(self, one: Id, other: Id, *, because: str = "", dry_run: bool = False, sure: bool = False) -> Merged:
        """Make two entities one: the better known of them stays.

        Raises:
            NotFoundError: one of them is not there.
            UserError: they are one already; or they were said to be two, or both types are known and differ, and
                `sure` does not say that it is meant all the same: then it is a warning.
        """
        same = Same(self._store.decisions())
        one, other = same[one], same[other]
        people = self._entities(one, other)
        if one == other:
            if not dry_run and (done := self.finish()):
                return done
            raise UserError(f"{people[one].name} is one already")
        warnings = tuple(self._doubts(same, people[one], people[other]))
        if warnings and not sure:
            raise UserError(warnings[0], "--yes says that they are one all the same")
        keep, gone = sorted((one, other), key=self._standing, reverse=True)
        decision = self._one(keep, people[gone], because)
        if dry_run:
            planned = Same((*self._store.decisions(), decision))
            work = sum(len(plan.work) for plan, _ in self._plans(frozenset(decision.names), planned))
            return Merged(decision, people[keep], (people[gone],), work, warnings=warnings)
        self._intake.decide(Verdict("merge", (decision,)))
        return self._read_again(decision, people[keep], (people[gone],), warnings)

    def unite(self, pairs: Iterable[tuple[Id, Id, str]]) -> None:
        """Make many pairs one by a rule, each given as (the one that stays, the other, why); sources are read once.

        Raises:
            NotFoundError: one of them is not there.
        """
        decisions: list[Decision] = []
        for keep, gone, because in pairs:
            people = self._entities(keep, gone)
            decisions.append(self._one(keep, people[gone], because, len(decisions)))
        if decisions:
            self._intake.decide(Verdict("merge", tuple(decisions)))
            for plan, reader in self._plans(frozenset(name for each in decisions for name in each.names)):
                self._intake.carry_out(plan, reader, Run(Scan()))

    def _one(self, keep: Id, gone: Entity, because: str, before: int = 0) -> Decision:
        """The decision that two are one; `before` counts those that are made in the same transaction."""
        names = self._names(gone.id)
        return Decision(
            identify("decision", DecisionKind.SAME, keep, gone.id, len(self._store.decisions()) + before),
            DecisionKind.SAME,
            entity=keep,
            others=self._spellings(gone, names, keep),
            names=names,
            note=because,
        )

    def _doubts(self, same: Same, one: Entity, other: Entity) -> Iterator[str]:
        """What a person should know before two are made one."""
        if same.are_distinct(one.id, other.id):
            yield f"{one.name} and {other.name} were said to be two"
        if one.type is not other.type and max(one.type_rank, other.type_rank) <= Rank.RANGE:
            yield f"{one.name} is of type {one.type}, {other.name} of type {other.type}"

    def finish(self) -> Merged | None:
        """Carry out what was decided last, if that was broken off before it was done; None if nothing is left to do."""
        names = {name for _, name in half_done(self._store, lambda: self._intake.ontology)}
        every = [each for each in self._store.decisions() if each.kind is DecisionKind.SAME and each.entity]
        if not names or not every:
            return None
        last = max(every, key=lambda each: each.recorded_at if each.holds else each.retracted_at)
        return self._read_again(replace(last, names=tuple(sorted(names))), *self._people(last))

    def unmerge(self, name: Id) -> Merged:
        """Take a merge back: both are as if it had never been.

        Raises:
            NotFoundError: no merge that holds has that id.
        """
        decision = self._held(DecisionKind.SAME, name)
        people = self._people(decision)
        self._intake.decide(Verdict("unmerge", retracted=(decision.id,)))
        return self._read_again(decision, *people)

    def keep_apart(self, one: Id, other: Id, *, because: str = "") -> Decision:
        """Say that two entities are two: they are not proposed again, and cannot be merged by mistake.

        Raises:
            NotFoundError: one of them is not there.
            UserError: they are one.
        """
        same = Same(self._store.decisions())
        people = self._entities(one, other)
        if same[one] == same[other]:
            raise UserError(f"{people[one].name} and {people[other].name} are one", "kgmem unmerge ID takes that apart")
        decision = Decision(
            identify("decision", DecisionKind.DISTINCT, one, other, len(self._store.decisions())),
            DecisionKind.DISTINCT,
            entity=one,
            others=(other,),
            names=(people[other].name,),
            note=because,
        )
        self._intake.decide(Verdict("reject", (decision,)))
        return decision

    def let_together(self, name: Id) -> Decision:
        """Retract that two are two.

        Raises:
            NotFoundError: no such decision holds.
        """
        decision = self._held(DecisionKind.DISTINCT, name)
        self._intake.decide(Verdict("unreject", retracted=(decision.id,)))
        return decision

    def held(self, kind: DecisionKind) -> tuple[Decision, ...]:
        """The decisions of a kind that hold, in order."""
        return tuple(each for each in self._store.decisions() if each.kind is kind and each.holds)

    # -- how

    def _held(self, kind: DecisionKind, name: Id) -> Decision:
        found = [each for each in self.held(kind) if each.id == name]
        if not found:
            raise NotFoundError(f"no decision that holds has the id {name}", "kgmem review merges --decided lists them")
        return found[0]

    def _entities(self, *ids: Id) -> dict[Id, Entity]:
        found = dict(self._store.entities(ids))
        for each in ids:
            if each not in found:
                raise NotFoundError(f"no entity has the id {each}", "`kgmem entities` lists what is here")
        return found

    def _people(self, decision: Decision) -> tuple[Entity, tuple[Entity, ...]]:
        """(the one that stands for all, the others that are there)."""
        people = self._store.entities((decision.entity or "", *decision.others))
        return people[decision.entity or ""], tuple(people[each] for each in decision.others if each in people)

    def _standing(self, entity: Id) -> tuple[int, int, int, Id]:
        """Which of two stays: one with a note of its own, then the better typed, then the more mentioned."""
        own = len(self._store.sources_about(entity))
        mentions, _ = self._store.mentions_of(entity, 1)
        held = self._store.entities([entity])[entity]
        return bool(own), -held.type_rank, mentions, entity

    def _names(self, entity: Id) -> tuple[str, ...]:
        aliases = self._store.aliases_of([entity]).get(entity, ())
        return tuple(dict.fromkeys(alias.name for alias in aliases))

    def _spellings(self, gone: Entity, names: Iterable[str], keep: Id) -> tuple[Id, ...]:
        """The ids under which either may be met once no note is about it: a link gives a name no type, grammar does."""
        types = {None, gone.type, self._store.entities([keep])[keep].type}
        keys = {name_key(name) for name in (*names, *self._names(keep))}
        natural = {named_entity(key, kind) for key in keys for kind in types}
        return (gone.id, *sorted(natural - {gone.id, keep}))

    def _read_again(
        self, decision: Decision, kept: Entity, others: tuple[Entity, ...], warnings: tuple[str, ...] = ()
    ) -> Merged:
        """Read every source again that uses the names of a decision, folder by folder."""
        sources = closed = opened = 0
        for plan, reader in self._plans(frozenset(decision.names)):
            run = Run(Scan())
            self._intake.carry_out(plan, reader, run)
            report = run.report(plan, notes=0)
            sources += len(plan.work)
            closed += report.facts_closed
            opened += report.facts_opened
        now = self._store.entities([kept.id])[kept.id]
        return Merged(decision, now, others, sources, closed, opened, warnings)

    def _plans(self, names: frozenset[str], same: Same | None = None) -> Iterator[tuple[Plan, Reader]]:
        """What is to be read again, folder by folder."""
        for kind, root, _ in self._store.roots():
            if kind != CORRECTION:
                planner = Planner(self._store, lambda: self._intake.ontology, root, kind, same)
                yield planner.plan(Scan(), renamed=names), self._readers(root, kind)
