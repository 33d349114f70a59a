"""What speaks for and against two entities being one besides their names: facts, neighbours, sources, sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kgmem.model import Id, Moment
from kgmem.resolution.forms import legal_parts, squeeze
from kgmem.resolution.profile import Profile, Rarity, fact_trait, neighbour_trait, share

IDENTIFYING: Final = frozenset({"BORN_ON", "EMAIL", "PHONE"})
"""Predicates whose values hardly two persons share."""
_LASTING: Final = frozenset({"BORN_ON", "DIED_ON", "HAPPENED_ON", "PUBLISHED_ON"})
"""Predicates that hold one date for ever: two values of them are not a change."""
_VALUE: Final = 0.005
"""The share of entities that a value is taken to have until a memory is large enough to tell."""
_IDENTIFYING_VALUE: Final = 0.0005
_NEIGHBOUR: Final = 0.02
_NEARLY: Final = 2.5
_TELLS: Final = 4.0
"""The log-odds from which a value that should identify is rare enough to do so."""
_DATE: Final = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_DAY: Final = 10
"""Characters of a date to the day."""


class Item(NamedTuple):
    """One thing that speaks for or against, in log-odds, with the entities that it is about."""

    weight: float
    text: str
    entities: tuple[Id, ...] = ()


@dataclass(slots=True)
class Context:
    """All of it, and what follows for the rules of `score`."""

    items: list[Item] = field(default_factory=list)
    support: float = 0.0
    """Log-odds of shared facts and neighbours, less what conflicts."""
    some: bool = False
    """Something is shared, be it only a source."""
    identified: bool = False
    """A value that hardly two persons share is shared."""
    changed: bool = False
    """A single-valued fact differs."""
    clash: bool = False
    """One that never changes differs."""
    apart: bool = False
    """They stand side by side in one sentence by different names, or a fact connects them: mostly two things."""
    born: bool = False
    """The date of birth is the same as far as it is given, or a slip apart."""
    shared_facts: int = 0
    """How many predicates have a value in common."""

    def add(self, weight: float, text: str, entities: tuple[Id, ...] = ()) -> None:
        """Take in something that speaks for (above 0) or against (below)."""
        self.items.append(Item(weight, text, entities))

    @property
    def weight(self) -> float:
        """The sum, in log-odds."""
        return sum(item.weight for item in self.items)

    @property
    def against(self) -> float:
        """What speaks against, in log-odds of 0 and more."""
        return -sum(min(item.weight, 0.0) for item in self.items)


def compare_contexts(a: Profile, b: Profile, rarity: Rarity) -> Context:
    """Everything that is known of both, compared."""
    context = Context()
    _facts(a, b, rarity, context)
    _neighbours(a, b, rarity, context)
    context.some = context.support > 0
    _sources(a, b, context)
    _apart(a, b, context)
    if a.subtype and b.subtype and a.type is b.type:
        same = a.subtype == b.subtype
        context.add(
            0.3 if same else -0.3,
            f"both are {a.subtype}"
            if same
            else f"{min(a.subtype, b.subtype)} and {max(a.subtype, b.subtype)} are two kinds",
        )
    return context


def _apart(a: Profile, b: Profile, context: Context) -> None:
    if (b.id in a.together or a.id in b.together) and not _called_the_same(a, b):
        context.apart = True
        context.add(-3.0, "they are named side by side in one sentence")
    if b.id in a.neighbours or a.id in b.neighbours:
        context.apart = True
        context.add(-2.0, "they are connected with each other")


def _called_the_same(a: Profile, b: Profile) -> bool:
    """Whether it is one thing that a sentence may well name twice, if in two ways; two persons it would tell apart."""
    if not (a.names and b.names) or a.person or b.person:
        return False
    one, other = (squeeze(legal_parts(each.names[0])[0]) for each in (a, b))
    return one != "" and one == other


def _facts(a: Profile, b: Profile, rarity: Rarity, context: Context) -> None:
    agreeing: list[Item] = []
    person = a.person or b.person
    for predicate in sorted(a.facts.keys() & b.facts.keys()):
        ones, others = a.facts[predicate], b.facts[predicate]
        if not ones or not others:
            continue
        found = _agreeing(predicate, ones, others, rarity, context, person=person)
        found = found or _nearly_agreeing(predicate, ones, others, person=person)
        if found:
            agreeing += found
            context.born |= predicate == "BORN_ON"
        elif predicate in a.single or predicate in b.single:
            _conflict(predicate, ones, others, context)
    for item in _damped(agreeing, 0.1):
        context.items.append(item)
        context.support += item.weight


def _agreeing(
    predicate: str, ones: frozenset[str], others: frozenset[str], rarity: Rarity, context: Context, *, person: bool
) -> list[Item]:
    shared = sorted(ones & others)
    items = [Item(_value_weight(predicate, value, rarity), _shared(predicate, value)) for value in shared]
    if items:
        context.shared_facts += 1
        context.identified |= any(
            item.weight >= _TELLS and identifies(predicate, value) for item, value in zip(items, shared, strict=True)
        )
        if all(item.weight < _NEARLY for item in items):
            # A value that all have in common must not hide one that says more.
            items += _nearly_agreeing(predicate, ones, others, person=person)
    return items


def _nearly_agreeing(predicate: str, ones: frozenset[str], others: frozenset[str], *, person: bool) -> list[Item]:
    near = next(_nearly(ones, others, person=person), None)
    return [Item(_NEARLY, f"{_said(predicate)} {near[0]} and {near[1]} nearly agree")] if near else []


def _shared(predicate: str, value: str) -> str:
    """In words, what two have in common; of a predicate that is told from its object, as in "WORKS_AT of"."""
    if predicate.endswith(" of"):
        return f"{value} {_said(predicate.removesuffix(' of'))} both"
    return f"both {_said(predicate)} {value}"


def _said(predicate: str) -> str:
    return predicate.replace("_", " ").lower()


def _conflict(predicate: str, ones: frozenset[str], others: frozenset[str], context: Context) -> None:
    lasting = predicate in _LASTING and all(_is_date(value) for value in (*ones, *others))
    weight = -6.0 if lasting else -1.0
    low, high = sorted((min(ones), min(others)))
    context.add(weight, f"{_said(predicate)} {low} and {high} conflict")
    context.support += weight
    context.changed = True
    context.clash |= lasting


def _is_date(value: str) -> bool:
    """Whether there is such a date: what no calendar has is a slip, and contradicts nothing."""
    try:
        Moment.parse(value)
    except ValueError:
        return False
    return True


def _value_weight(predicate: str, value: str, rarity: Rarity) -> float:
    typical = _IDENTIFYING_VALUE if predicate in IDENTIFYING else _VALUE
    return min(max(math.log(0.7 / share(rarity, fact_trait(predicate, value), typical)), 0.1), 7.0)


def identifies(predicate: str, value: str) -> bool:
    """Whether hardly two persons share a value. The first of January mostly stands for a year."""
    if predicate not in IDENTIFYING:
        return False
    return predicate != "BORN_ON" or (len(value) >= _DAY and not value.endswith("-01-01"))


def _nearly(ones: Iterable[str], others: Iterable[str], *, person: bool) -> Iterator[tuple[str, str]]:
    """Pairs of values of which one says less than the other, or is a slip: dates of a person one digit apart."""
    for one in sorted(ones):
        for other in sorted(others):
            low, high = sorted((one, other))
            if low == high:
                continue
            if _DATE.fullmatch(low) and _DATE.fullmatch(high):
                if high.startswith(low) or (person and _one_slip(low, high)):
                    yield low, high
            elif set(low.split()) <= set(high.split()) or set(high.split()) <= set(low.split()):
                yield low, high


def _one_slip(one: str, other: str) -> bool:
    """Whether two days are one digit apart, or day and month swapped."""
    if len(one) != _DAY or len(other) != _DAY:
        return False
    swapped = one[:4] == other[:4] and one[5:7] == other[8:] and one[8:] == other[5:7]
    return swapped or sum(left != right for left, right in zip(one, other, strict=True)) == 1


def _damped(items: list[Item], floor: float, first: float = 1.0) -> Iterator[Item]:
    """The items from the strongest on, each counting a tenth less than the one before, as they depend on each other.

    Weights only shrink by rank, so one more item never lowers the sum.
    """
    for rank, item in enumerate(sorted(items, key=lambda item: (-item.weight, item.text))):
        yield item._replace(weight=item.weight * max(first - 0.1 * rank, floor))


def neighbour_weight(rarity: Rarity, neighbour: Id) -> float:
    """What being connected with the same entity says, in log-odds of 0 and more: the rarer the more."""
    return max(math.log(0.5 / share(rarity, neighbour_trait(neighbour), _NEIGHBOUR)), 0.0)


def _neighbours(a: Profile, b: Profile, rarity: Rarity, context: Context) -> None:
    shared = (a.neighbours & b.neighbours) - {a.id, b.id}
    if not shared:
        return
    weights = [(min(neighbour_weight(rarity, each), 2.5), each) for each in shared]
    ordered = sorted(weights, key=lambda pair: (-pair[0], pair[1]))
    total = sum(item.weight for item in _damped([Item(weight, each) for weight, each in ordered], 0.05, first=0.6))
    count = len(shared)
    text = "both are connected with the same entity" if count == 1 else f"both are connected with {count} same entities"
    total = min(total, 5.0)
    context.add(total, text, tuple(each for _, each in ordered))
    context.support += total


def _sources(a: Profile, b: Profile, context: Context) -> None:
    if shared := len(a.sources & b.sources):
        context.some = True
        context.add(min(0.6 * shared, 1.2), "one note names both" if shared == 1 else f"{shared} notes name both")
