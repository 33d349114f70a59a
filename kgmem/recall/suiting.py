"""Whether a fact tells what a question word asks for: who is no year, where is no person, when is no undated fact."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from kgmem.model import EntityType, Id
from kgmem.recall.clauses import Understood
from kgmem.recall.facts import FactView
from kgmem.recall.kinds import Kind
from kgmem.recall.wording import NO_DATE, when

_FIGURE: Final = re.compile(r"\W*\d[\d\s.,:/%-]*\w{0,3}|true|false|yes|no", re.IGNORECASE)
"""A value that is a date, a number or a truth."""
_YEAR: Final = re.compile(r"\b\d{4}\b")


def suited(found: Understood) -> Understood:
    """What is understood, with only the facts that tell what its kind asks for.

    A type that nobody stated may be wrong, so only what surely is none is left out.
    """
    tells = _TELLS.get(found.kind)
    if tells is None or not found.facts:
        return found
    kept = tuple(fact for fact in found.facts if tells(fact, found.about))
    return found if len(kept) == len(found.facts) else replace(found, facts=kept, past=found.past and bool(kept))


def _told(fact: FactView, about: Collection[Id]) -> tuple[str, EntityType | None]:
    """(name or value, type) of what stands at the end of a fact that was not known."""
    if fact.fact.object in about and fact.fact.subject not in about:
        return fact.subject.name, fact.subject.type
    return fact.target, fact.object.type if fact.object else None


def _tells_who(fact: FactView, about: Collection[Id]) -> bool:
    told, kind = _told(fact, about)
    return _FIGURE.fullmatch(told) is None and kind not in {EntityType.LOCATION, EntityType.EVENT}


def _tells_where(fact: FactView, about: Collection[Id]) -> bool:
    told, kind = _told(fact, about)
    return _FIGURE.fullmatch(told) is None and kind is not EntityType.PERSON


def _tells_when(fact: FactView, _about: Collection[Id]) -> bool:
    return when(fact.fact) != NO_DATE or _YEAR.search(fact.target) is not None


_TELLS: Final[dict[Kind, Callable[[FactView, Collection[Id]], bool]]] = {
    Kind.WHO: _tells_who,
    Kind.WHERE: _tells_where,
    Kind.WHEN: _tells_when,
}
