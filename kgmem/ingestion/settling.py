"""Saying whom a name means in one source, by a person or by what surrounds it, and taking that back.

What is said is a decision; the source is read again in the same transaction, so that its mentions and claims follow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from kgmem.errors import NotFoundError, UserError
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.intake import Intake
from kgmem.ingestion.plan import Planner, Verdict
from kgmem.ingestion.run import ReaderOf, Run
from kgmem.ingestion.surroundings import LooseName, Surroundings, words_of
from kgmem.model import Decision, DecisionKind, EntityType, Id, identify
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.names import name_key
from kgmem.resolution.same import Same
from kgmem.resolution.settle import Meaning
from kgmem.sources.document import Scan
from kgmem.store.protocol import Store

_MANY = 20
"""Sources from which it is cheaper to know all names than to look for those of each."""
_SPOKEN = "means"
"""The kind of a transaction in which a person says whom a name means, or takes that back."""
_SAID = (DecisionKind.MEANS, DecisionKind.TAKEN)


@dataclass(frozen=True, slots=True)
class OpenName:
    """A name in a source, with those whom it may mean; a person can say who it is."""

    loose: LooseName
    meanings: tuple[Meaning, ...]
    """The likeliest first."""

    @property
    def id(self) -> Id:
        """A name for it."""
        return identify("open", self.loose.source, self.loose.key)

    def option(self, meaning: Meaning) -> Id:
        """A name for one of those whom it may mean."""
        return identify("option", self.id, meaning.entity)


class Settling:
    """Decides whom names mean in single sources."""

    def __init__(self, intake: Intake, readers: ReaderOf, bands: Bands) -> None:
        """Args: `readers` makes a reader for each folder whose sources are to be read again."""
        self._intake = intake
        self._store: Store = intake.store
        self._ontology: Ontology = intake.ontology
        self._readers = readers
        self._bands = bands

    # -- by a rule

    def take(self, sources: Iterable[Id], entities: Iterable[Id]) -> int:
        """Take loose names for whom their surroundings leave no doubt about; gives how many meanings changed.

        Args:
            sources: those that are new, or changed.
            entities: those that are new, or changed: names elsewhere may mean them.
        """
        fresh = tuple(sources)
        around = Surroundings(self._store, self._ontology, whole=len(fresh) > _MANY)
        taken = [each for each in self._store.decisions() if each.kind is DecisionKind.TAKEN and each.names]
        held = {(each.source, name_key(each.names[0])): each for each in taken if each.holds and each.source}
        refused = self._refused(taken)
        decided: dict[Id, list[Decision]] = defaultdict(list)
        retracted: dict[Id, list[Id]] = defaultdict(list)
        for loose in self._concerned(around, held, fresh, entities):
            before = held.get((loose.source, loose.key))
            best = next(iter(around.meanings(loose)), None)
            if best is not None and (
                self._bands.of(best.probability) is not Band.MERGE or (loose.source, loose.key, best.entity) in refused
            ):
                best = None
            if before is not None and best is not None and around.same[before.entity or ""] == best.entity:
                continue
            if before is not None:
                retracted[loose.source].append(before.id)
            if best is not None:
                decided[loose.source].append(self._decision(DecisionKind.TAKEN, loose, best.entity, (), _why(best)))
        verdicts = {
            source: Verdict("taken", tuple(decided.get(source, ())), tuple(retracted.get(source, ())))
            for source in {*decided, *retracted}
        }
        self._carry_out(verdicts)
        return sum(map(len, decided.values())) + sum(map(len, retracted.values()))

    def _refused(self, taken: Iterable[Decision]) -> set[tuple[Id | None, str, Id | None]]:
        """(source, key, entity) of what a rule took and a person took back."""
        back = [each for each in taken if not each.holds]
        if not back:
            return set()
        first = min(each.retracted_at for each in back)
        spoken = {each.recorded_at for each in self._store.transactions(first) if each.kind == _SPOKEN}
        return {(each.source, name_key(each.names[0]), each.entity) for each in back if each.retracted_at in spoken}

    def _concerned(
        self,
        around: Surroundings,
        held: Mapping[tuple[Id, str], Decision],
        sources: Iterable[Id],
        entities: Iterable[Id],
    ) -> Iterator[LooseName]:
        """The loose names that may mean somebody else now, each once."""
        seen: set[tuple[Id, str]] = set()
        fresh = set(sources)
        words = {
            name_key(word)
            for entity in self._store.entities(entities).values()
            if entity.type is EntityType.PERSON
            for word in words_of(entity.name)
        }
        again = (
            LooseName(each.source or "", key, each.names[0])
            for (source, key), each in held.items()
            if source in fresh or key in words
        )
        met = (loose for source in sorted(fresh) for loose in around.in_source(source))
        used = (loose for word in sorted(words) for loose in around.using(word))
        for loose in (*again, *met, *used):
            if (loose.source, loose.key) not in seen:
                seen.add((loose.source, loose.key))
                yield loose

    # -- by a person

    def open(self) -> tuple[OpenName, ...]:
        """The names that somebody could settle: those that may mean several, or one who is known."""
        around = Surroundings(self._store, self._ontology, whole=True)
        loose: dict[tuple[Id, str], LooseName] = {}
        for source in self._store.sources():
            loose |= {(each.source, each.key): each for each in around.in_source(source.id)}
        found = [OpenName(each, around.meanings(each)) for each in loose.values()]
        asked = [each for each in found if self._is_worth_asking(each)]
        return tuple(sorted(asked, key=lambda each: (-each.meanings[0].probability, each.loose.key, each.id)))

    def _is_worth_asking(self, name: OpenName) -> bool:
        if not name.meanings:
            return False
        return name.loose.shared or len(name.meanings) > 1 or any(each.known for each in name.meanings)

    def mean(self, name: OpenName, entity: Id | None, because: str = "") -> Decision:
        """Record whom a name means in a source; without an entity, none of those whom it may mean.

        Raises:
            UserError: the source is gone.
        """
        return self._say(self._decision(DecisionKind.MEANS, name.loose, entity, (), because))

    def rule_out(self, name: OpenName, entity: Id, because: str = "") -> Decision:
        """Record that a name does not mean somebody. Raises as `mean`."""
        return self._say(self._decision(DecisionKind.MEANS, name.loose, None, (entity,), because))

    def take_back(self, decision: Id) -> Decision:
        """Retract what was said of a name: it is open again. What a rule took and a person took back, no rule takes.

        Raises:
            NotFoundError: no such decision holds.
        """
        held = next((each for each in self.held() if each.id == decision), None)
        if held is None or held.source is None:
            raise NotFoundError(f"no decision that holds has the id {decision}", "kgmem review merges --decided")
        self._carry_out({held.source: Verdict(_SPOKEN, (), (held.id,))})
        return held

    def held(self) -> tuple[Decision, ...]:
        """What is said of names, in order."""
        return tuple(each for each in self._store.decisions() if each.kind in _SAID and each.holds and each.source)

    # -- how

    def _say(self, decision: Decision) -> Decision:
        source = decision.source or ""
        key = name_key(decision.names[0])
        if self._store.source(source) is None:
            raise UserError("the note is gone")
        over = [each.id for each in self.held() if each.source == source and name_key(each.names[0]) == key]
        retracted = () if decision.others else tuple(over)
        self._carry_out({source: Verdict(_SPOKEN, (decision,), retracted)})
        return decision

    def _decision(
        self, kind: DecisionKind, loose: LooseName, entity: Id | None, others: tuple[Id, ...], because: str
    ) -> Decision:
        name = identify("decision", kind, loose.source, loose.key, entity, *others, len(self._store.decisions()))
        return Decision(
            name, kind, source=loose.source, entity=entity, others=others, names=(loose.name,), note=because
        )

    def _carry_out(self, verdicts: dict[Id, Verdict]) -> None:
        """Read the sources again, each with its decisions in one transaction."""
        gone = {name for verdict in verdicts.values() for name in verdict.retracted}
        new = [each for verdict in verdicts.values() for each in verdict.decided]
        same = Same((*(each for each in self._store.decisions() if each.id not in gone), *new))
        for (root, kind), sources in self._by_folder(verdicts).items():
            planner = Planner(self._store, lambda: self._intake.ontology, root, kind, same)
            plan = planner.again({source: verdicts[source] for source in sources})
            self._intake.carry_out(plan, self._readers(root, kind), Run(Scan()))

    def _by_folder(self, sources: Iterable[Id]) -> dict[tuple[str, str], list[Id]]:
        folders: dict[tuple[str, str], list[Id]] = defaultdict(list)
        for name in sources:
            if (source := self._store.source(name)) is not None:
                folders[source.root, source.kind].append(name)
        return folders


def _why(meaning: Meaning) -> str:
    return "; ".join(reason.text for reason in meaning.reasons)
