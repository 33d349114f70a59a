"""Two generations side by side: what only one of them believes, and what both believe of other times or otherwise."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from kgmem.model import Fact, Id
from kgmem.store.protocol import FactQuery, Store

Pair = tuple[Fact | None, Fact | None]
"""(what is believed now, what would be)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a promotion would change of what is believed, in the order of subjects, predicates and dates."""

    added: tuple[Fact, ...]
    lost: tuple[Fact, ...]
    changed: tuple[tuple[Fact, Fact], ...]
    """(as it is, as it would be): of the same subject, predicate and object or value."""


def compare(current: Store, coming: Store) -> Comparison:
    """Compare what two generations believe now."""
    pairs = list(_pairs(current.facts(FactQuery())[1], coming.facts(FactQuery())[1]))
    return Comparison(
        added=tuple(new for old, new in pairs if old is None and new is not None),
        lost=tuple(old for old, new in pairs if new is None and old is not None),
        changed=tuple((old, new) for old, new in pairs if old is not None and new is not None),
    )


def _pairs(before: Iterable[Fact], after: Iterable[Fact]) -> Iterator[Pair]:
    """What differs; what is believed of the same thing in several periods is paired in their order."""
    olds, news = _by_what(before), _by_what(after)
    for what in dict.fromkeys((*olds, *news)):
        old, new = olds.get(what, []), news.get(what, [])
        same = {_content(each) for each in old} & {_content(each) for each in new}
        yield from zip_longest(*([each for each in some if _content(each) not in same] for some in (old, new)))


def _by_what(facts: Iterable[Fact]) -> dict[tuple[Id, str, str | None, str | None], Sequence[Fact]]:
    found: dict[tuple[Id, str, str | None, str | None], list[Fact]] = defaultdict(list)
    for fact in facts:
        found[fact.subject, fact.predicate, fact.object, fact.value].append(fact)
    return {what: sorted(some, key=lambda fact: (fact.holds_from, fact.id)) for what, some in found.items()}


def _content(fact: Fact) -> object:
    """What a person reads of it. Evidence and confidence may differ beneath it."""
    return fact.statement, fact.valid, fact.holds_from, fact.holds_to
