"""Index keys of an entity: two that are worth comparing share at least one, and few others do.

Each key starts with a letter for its kind, so that keys of different kinds never meet. What agrees only by a value
that identifies, or by a single name in some context, is found by that value or context.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice
from typing import Final

from kgmem.resolution.context import identifies
from kgmem.resolution.forms import acronyms, as_acronym, content_words, legal_parts, squeeze, squeezed
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import PersonName, initial_of, long_forms, parse_person, skeleton
from kgmem.resolution.profile import Profile
from kgmem.resolution.things import LONG

_NAMES: Final = 3
"""Names of one entity that are indexed in all ways; each of the others by the name alone."""
_CONTEXTS: Final = 3
_TELLING: Final = 4
"""The longest words of a long name; any two of them are a key."""
_PLACES: Final = ("BORN_ON", "EMAIL", "PHONE", "ADDRESS", "BORN_IN", "WORKS_AT", "LIVES_IN")
"""Predicates that, with an initial, find whom a single name or two initials may mean; the most telling first."""


def blocks(profile: Profile) -> frozenset[str]:
    """The index keys of an entity, about a dozen for one name.

    A type that nobody is sure of may turn out to be another: both manners of names are indexed then.
    """
    keys = {f"n:{squeezed(name) or name_key(name)}" for name in profile.names}
    for name in profile.names[:_NAMES]:
        if profile.person or not profile.sure:
            keys.update(_person_keys(parse_person(name), profile))
        if not profile.person:
            keys.update(_thing_keys(name))
    keys.update(
        f"v:{predicate}:{value}"
        for predicate, values in profile.facts.items()
        for value in values
        if identifies(predicate, value)
    )
    return frozenset(keys)


def _person_keys(name: PersonName, profile: Profile) -> Iterator[str]:
    given, family = name.given[0] if name.given else "", name.family
    if name.whole or not (given or family):
        return
    if name.bare:
        yield f"f:{family or given}"
    else:
        yield from (f"o:{'|'.join(sorted((given, part)))}" for part in (family, *name.given[1:]))
        yield f"g:{given}|{initial_of(family)}"
        if len(family) > 1:
            yield from (f"f:{part}" for part in {family, *family.split("-")} if part)
            yield from _typo_keys(family, given)
    initials = {initial_of(each) for each in (given, family, *long_forms(given)) if each}
    for place in islice(_contexts(profile), _CONTEXTS):
        yield from (f"c:{place}|{initial}" for initial in initials)


def _typo_keys(family: str, given: str) -> Iterator[str]:
    """One slip in a family name of five letters or more leaves its start, its end, its middle or its sounds."""
    sounds = skeleton(family)
    yield f"s:{sounds[0]}{''.join(sorted(sounds[1:]))}|{given}"
    yield f"x:{family[:3]}|{given}"
    yield f"y:{family[-3:]}|{given}"
    yield f"z:{family[:2]}{family[-2:]}|{given}"


def _contexts(profile: Profile) -> Iterator[str]:
    values = (f"{place}:{value}" for place in _PLACES for value in sorted(profile.facts.get(place, ())))
    # Ids are hashes, so that the first of them in order are a fair sample that two entities agree on.
    return chain(values, sorted(profile.neighbours))


def _thing_keys(name: str) -> Iterator[str]:
    core, _ = legal_parts(name)
    if core:
        yield f"l:{squeeze(core)}"
    if letters := as_acronym(name):
        yield f"a:{letters}"
    found = sorted(content_words(name))
    if len(found) < LONG:
        yield from (f"a:{letters}" for letters in acronyms(name))
    if len(found) < 2:  # noqa: PLR2004
        return
    yield f"w:{' '.join(found)}"
    if len(found) < LONG:
        for at, word in enumerate(found):
            others = " ".join((*found[:at], *found[at + 1 :]))
            yield f"t:{others}|{word[0]}"
            yield f"u:{others}|{word[-1]}"
    else:
        longest = sorted(sorted(set(found)), key=len, reverse=True)[:_TELLING]
        yield from (f"p:{' '.join(sorted(pair))}" for pair in combinations(longest, 2))
