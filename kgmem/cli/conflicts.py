"""Values that contradict each other, and the queue in which a person says which is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kgmem.cli.output import clean, note_uri, one_line, place
from kgmem.cli.queue import Done
from kgmem.errors import UserError
from kgmem.model import FOREVER
from kgmem.recall.conflicts import Conflict, Rival, find_conflicts, still_open

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from kgmem.ingestion.run import ReaderOf
    from kgmem.memory import Memory
    from kgmem.model import Fact, Id, Source
    from kgmem.store.protocol import Evidence

_QUOTED: Final = 140
"""Characters of a sentence."""
_PLACES: Final = 3
"""Places that are shown for one value."""


class ConflictDesk:
    """Decides on facts that are disputed."""

    help: Sequence[tuple[str, str]] = (
        ("a", "accept: what is believed is right, and the other value is not"),
        ("r", "reject: the other value is right; where there are several, the key is the number before it"),
    )

    def __init__(self, memory: Memory, readers: ReaderOf) -> None:
        self._memory = memory
        self._readers = readers
        self._shown: Conflict | None = None

    def look(self, item: Conflict) -> RenderableType | None:
        """All values with dates and places; None if nothing disputes the fact any more."""
        self._shown = still_open(self._memory.store, item)
        return None if self._shown is None else conflict_view(self._shown)

    def choices(self, item: Conflict) -> Mapping[str, str]:
        """The decisions that can be taken."""
        shown = self._shown or item
        rivals = {key: one_line(rival.target, 20) for key, rival in _keys(shown).items()}
        return {"a": one_line(shown.view.target, 20), **rivals}

    def decide(self, item: Conflict, key: str) -> Done:
        """Record what is right, as a correction."""
        shown = self._shown or item
        right = None if key == "a" else _keys(shown)[key]
        sources = settle(self._memory, shown, right)
        return Done(settled_words(shown, right, sources), "decided", sources)

    def undo(self, item: Conflict, done: Done) -> None:  # noqa: ARG002 - the token says it all
        """Take the correction back."""
        assert isinstance(done.token, tuple)  # noqa: S101 - for the type checker
        for source in reversed(done.token):
            take_back(self._memory, self._readers, source.id)

    def links(self, item: Conflict) -> Iterable[tuple[str, str]]:
        """The notes that say either."""
        for each in (*item.view.evidence, *(one for rival in item.rivals for one in rival.evidence)):
            yield clean(f"{each.path}:{each.line}"), note_uri(each.root, each.path, kind=each.kind, block=each.block)

    def left(self) -> str:
        """How many conflicts wait now."""
        number = len(find_conflicts(self._memory.store))
        return "none is left" if not number else "1 is left" if number == 1 else f"{number} are left"


def _keys(conflict: Conflict) -> dict[str, Rival]:
    """The key of each rival: r for the only one, else numbers."""
    if len(conflict.rivals) == 1:
        return {"r": conflict.rivals[0]}
    return {str(number): rival for number, rival in enumerate(conflict.rivals[:9], 1)}


# -- deciding


def settle(memory: Memory, conflict: Conflict, right: Rival | None) -> tuple[Source, ...]:
    """Record which value is right: what is believed, or a rival. Gives the corrections that say so.

    Raises:
        UserError: a value that is wrong here is believed for another time, and a denial would take that too.
    """
    from kgmem.ingestion.correction import Correction

    fact = conflict.view.fact
    wrong = [_as_fact(fact, rival) for rival in conflict.rivals if rival is not right]
    _refuse_elsewhere(memory, conflict, [*wrong, *([fact] if right else [])])
    said = [memory.correct(each, Correction(wrong=True)) for each in wrong]
    if right is not None:
        period = right.period
        correction = Correction(target=right.object, value=right.claim.value, start=period.start, end=period.end)
        said.append(memory.correct(fact, correction))
    return tuple(each.source for each in said)


def _as_fact(fact: Fact, rival: Rival) -> Fact:
    """What would be believed if the rival were right: what a denial is about."""
    return replace(
        fact,
        object=rival.claim.object,
        value=rival.claim.value,
        statement=rival.claim.statement,
        valid=rival.period,
        holds_to=FOREVER,
        evidence=(rival.claim.id,),
        rivals=(),
    )


def _refuse_elsewhere(memory: Memory, conflict: Conflict, wrong: Iterable[Fact]) -> None:
    """A value is denied for all time: not where it is believed for another one."""
    fact = conflict.view.fact
    others = [each for each in memory.store.open_facts([fact.slot]).get(fact.slot, ()) if each.id != fact.id]
    for each in wrong:
        for other in others:
            if (other.object, other.value) == (each.object, each.value):
                raise UserError(
                    f"it also holds at another time, and would be denied there too: {clean(other.statement)}",
                    "change the note that is wrong",
                )


def take_back(memory: Memory, readers: ReaderOf, source: Id) -> Source:
    """Undo a correction that settled a conflict.

    Raises:
        NotFoundError: no correction that holds has that id.
    """
    from kgmem.errors import NotFoundError
    from kgmem.model import CORRECTION

    made = {each.source.id: each for each in memory.store.transactions() if each.kind == CORRECTION and each.source}
    what = made.get(source)
    if what is None or what.source is None or memory.store.source(source) is None:
        hint = "`kgmem undo` takes back the last transaction"
        raise NotFoundError(f"no correction that holds has the id {source!r}", hint)
    memory.back.undo(what, readers(what.source.root, what.source.kind))
    return what.source


# -- showing


def settled_words(conflict: Conflict, right: Rival | None, sources: Sequence[Source]) -> str:
    """What was decided, and how to take it back."""
    says = right.claim.statement if right else conflict.view.says
    undo = " ".join(f"--undo {each.id}" for each in sources)
    return f"{clean(says).rstrip('.')}: so it is  (kgmem review conflicts {undo})"


def rival_date(fact: Fact, rival: Rival) -> str:
    """When a rival would hold, in words."""
    from kgmem.recall.wording import when

    return when(_as_fact(fact, rival))


def conflict_view(conflict: Conflict) -> RenderableType:
    """What is believed, and what is said in its place, each with dates, place and words."""
    from rich.console import Group
    from rich.text import Text

    from kgmem.recall.wording import when

    fact = conflict.view.fact
    head = Text.assemble((clean(conflict.view.subject.name), "bold"), f"  {fact.predicate.replace('_', ' ').lower()}")
    keys = {rival.id: key for key, rival in _keys(conflict).items()}
    parts = [head, Text(), *_value("a", "believed", conflict.view.target, when(fact), conflict.view.evidence)]
    for rival in conflict.rivals:
        date = rival_date(fact, rival)
        parts += _value(keys.get(rival.id, " "), "said too", rival.target, date, rival.evidence)
    return Group(*parts)


def _value(key: str, label: str, target: str, date: str, evidence: Sequence[Evidence]) -> Iterator[Text]:
    from rich.text import Text

    yield Text.assemble((f"{key} ", "bold"), (f" {label:9} ", "cyan"), (clean(target), "bold"), f"  {date}")
    for each in evidence[:_PLACES]:
        where = place(each.root, each.path, each.line, kind=each.kind, block=each.block)
        written = each.occurred.shown
        yield Text.assemble(
            " " * 13, where, f"  “{one_line(each.quote, _QUOTED)}”", (f"  {written}" if written else "", "dim")
        )
    if len(evidence) > _PLACES:
        yield Text(f"{' ' * 13}and {len(evidence) - _PLACES} more", "dim")
