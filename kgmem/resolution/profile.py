"""What resolution knows of one entity, and how rare what it knows is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType, Id
from kgmem.resolution.forms import words
from kgmem.resolution.persons import parse_person

_TYPICAL: Final = 1000
"""Entities that a memory is taken to hold besides its own: shares from a small one are no evidence yet."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One entity as it is compared with another: its names and everything around it."""

    id: Id
    type: EntityType
    type_rank: int = Rank.NONE
    """A `kgmem.extraction.ontology.Rank`: what the type rests on, low is sure."""
    subtype: str | None = None
    names: tuple[str, ...] = ()
    """As written, the best first."""
    facts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Predicate to the keys of its values and of the names of its objects."""
    single: frozenset[str] = frozenset()
    """Which of these predicates hold one value at a time."""
    neighbours: frozenset[Id] = frozenset()
    """Entities that share facts or passages with it."""
    sources: frozenset[Id] = frozenset()
    """Where it is mentioned."""
    anchored: bool = False
    """A note of its own is about it: who writes two notes may mean two things, and is asked."""
    together: frozenset[Id] = frozenset()
    """Entities named beside it in one sentence: mostly other things than it."""

    @property
    def person(self) -> bool:
        """Whether its type is Person."""
        return self.type is EntityType.PERSON

    @property
    def sure(self) -> bool:
        """Whether a person, a property, a tag or a folder said the type, or a predicate takes no other."""
        return self.type_rank <= Rank.RANGE


def name_trait(part: str) -> str:
    """The trait of having a word in one's name."""
    return f"name:{part}"


def fact_trait(predicate: str, value: str) -> str:
    """The trait of a value of a predicate."""
    return f"fact:{predicate}:{value}"


def neighbour_trait(entity: Id) -> str:
    """The trait of being a neighbour of an entity."""
    return f"near:{entity}"


def traits(profile: Profile) -> Iterator[str]:
    """Everything about a profile whose rarity `score` asks for, each once."""
    parts: set[str] = set()
    for name in profile.names:
        parsed = parse_person(name) if profile.person else None
        parts.update((*parsed.given, parsed.family) if parsed else words(name))
    yield from (name_trait(part) for part in parts if part)
    yield from (fact_trait(predicate, value) for predicate, values in profile.facts.items() for value in values)
    yield from (neighbour_trait(each) for each in profile.neighbours)


class Rarity(Protocol):
    """How many entities bear a trait; those that are compared may be among them."""

    @property
    def total(self) -> int:
        """How many entities there are."""

    def bearers(self, trait: str) -> int:
        """How many of them have the trait: see `name_trait`, `fact_trait` and `neighbour_trait`."""


@dataclass(frozen=True, slots=True)
class Census:
    """A `Rarity` from counts at hand; an empty one knows of nothing, and takes all as typical."""

    total: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> Census:
        """Count the traits of profiles."""
        each = [tuple(traits(profile)) for profile in profiles]
        return cls(len(each), Counter(trait for found in each for trait in found))

    def bearers(self, trait: str) -> int:
        """How many have the trait."""
        return self.counts.get(trait, 0)


def share(rarity: Rarity, trait: str, typical: float) -> float:
    """The share of other entities that bear a trait, drawn towards a typical one in a small memory; above 0."""
    others = max(rarity.bearers(trait) - 2, 0)
    return (others + typical * _TYPICAL) / (rarity.total + _TYPICAL)


def population(rarity: Rarity) -> int:
    """How many entities one may be, as `share` counts them."""
    return rarity.total + _TYPICAL
