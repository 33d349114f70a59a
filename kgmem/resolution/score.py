"""Whether two entities are one: a probability, with the reasons for and against that a person reads.

The frame is Fellegi and Sunter's: the odds of any two entities being one, times how much likelier each thing that
is known of both would be if they were. Independence is an assumption, so rules bound what each kind of agreement of
names can lead to: below which score it never falls while nothing conflicts, above which it never rises by itself,
and what support lets it rise further. Bounds only widen with support: evidence that agrees never lowers a score.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from kgmem.model import EntityType, Id
from kgmem.resolution.agreement import Agreement, Kind
from kgmem.resolution.context import Context, compare_contexts
from kgmem.resolution.forms import content_words, differ_in_code, is_typo, plain_key, squeezed, words
from kgmem.resolution.names import name_key
from kgmem.resolution.people import compare_people
from kgmem.resolution.persons import is_given_name, strip_title
from kgmem.resolution.profile import Profile, Rarity, population
from kgmem.resolution.things import compare_things, differ_on_purpose

_OTHER_NAME: Final = 2.5
_NAMES: Final = 8
"""Names of one entity that are compared: who has more has the best ones first."""
_ASKED: Final = 0.94
"""The most that a person is still asked about."""
_COSTS: Final = 0.01
"""What a log-odds against takes from the most that a person is asked about: who is asked sees doubts last."""
_LEAST_ASKED: Final = 0.85
_NOT_ASKED: Final = 0.84
"""The most that nobody is asked about."""
_SURE: Final = 0.999
MEANT: Final = 0.8
"""The cosine from which two names mean nearly the same."""
_OUTWEIGHS: Final = 2.0
"""Log-odds of support, less the conflicts, with which a fact that differs is taken as one that changed."""
_MUCH: Final = 10.0
"""Log-odds of support that hardly two persons of one family name have by chance."""
_NEVER: Final = -30.0
"""The log-odds of what rules out that two entities are one."""
_VERY_MUCH: Final = 10.5
"""The same where the date of birth is not known: more than one household shares in a small memory."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that speaks for two entities being one (weight above 0) or against it (below), in log-odds."""

    text: str
    weight: float
    entities: tuple[Id, ...] = ()
    """What it is about, if that is other entities: who shows it can name them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be thought of two entities."""

    score: float
    """The probability that they are one, in [0, 1]."""
    reasons: tuple[Reason, ...] = ()
    """The strongest first."""


class Rule(NamedTuple):
    """What a kind of agreement can lead to."""

    floor: float
    """Never less while nothing conflicts."""
    alone: float
    """Never more without support."""
    needs: float
    """Log-odds of support from which it may rise above `alone`."""
    most: float = _SURE
    """Never more with it."""
    supported: float = 0.0
    """Never less with `well` log-odds of support, while nothing conflicts."""
    well: float = 0.0


_RULES: Final = {
    Kind.SAME: Rule(0.96, _SURE, 0),
    Kind.LEGAL_FORM: Rule(0.955, _SURE, 0),
    Kind.SPELLED: Rule(0.86, _ASKED, 2),
    Kind.OTHER_FORM: Rule(0.85, _ASKED, 0, most=_ASKED),
    Kind.ALIAS: Rule(0.88, _ASKED, 2),
    Kind.ACRONYM: Rule(0.86, _ASKED, 4),
    Kind.SHORT_ACRONYM: Rule(0.0, _NOT_ASKED, 2, most=_ASKED),
    Kind.WORDED: Rule(0.0, _ASKED, 3),
    Kind.MEANT: Rule(0.85, 0.88, 4, most=_ASKED),
    Kind.MISTYPED: Rule(0.0, _ASKED, 0, most=_ASKED),
    Kind.SAME_PERSON: Rule(0.86, _ASKED, 2),
    Kind.LONE_NAME: Rule(0.85, _ASKED, 0, most=_ASKED),
    Kind.VARIANT: Rule(0.0, _ASKED, 0, supported=0.85),
    Kind.SLIP: Rule(0.0, _NOT_ASKED, 0, most=_ASKED, supported=0.85),
    Kind.BARE: Rule(0.0, _NOT_ASKED, 0, most=_ASKED, supported=0.85, well=6),
    Kind.OTHER_PERSON: Rule(0.0, 0.5, 0, most=_ASKED),
}


def score(a: Profile, b: Profile, rarity: Rarity, *, alike: float | None = None) -> Verdict:
    """The probability that two entities are one; symmetric.

    Args:
        a: one entity.
        b: another one.
        rarity: how many entities bear a trait, of the whole memory.
        alike: the cosine of what their main names mean, in [-1, 1]; None if nobody knows.
    """
    if told_apart(a, b):
        return Verdict(
            0.0, (Reason(f"{min(a.names[0], b.names[0])} and {max(a.names[0], b.names[0])} differ in a code", _NEVER),)
        )
    context = compare_contexts(a, b, rarity)
    _types(a, b, context)
    _other_names(a, b, context)
    agreeing = (*agreements(a, b, rarity), *_meaning(a, b, alike))
    found = [(_probability(each, context, a, b, rarity), each) for each in agreeing]
    if not found:
        return Verdict(0.0, (Reason("no name of one agrees with a name of the other", _NEVER),))
    best, agreement = max(found, key=lambda pair: (pair[0], pair[1].weight, pair[1].text))
    reasons = [
        Reason(agreement.text, agreement.weight),
        *(Reason(item.text, item.weight, item.entities) for item in context.items),
    ]
    return Verdict(best, tuple(sorted(reasons, key=lambda reason: (-abs(reason.weight), reason.text))))


def told_apart(a: Profile, b: Profile) -> bool:
    """Whether the main names differ in a code, and neither entity bears the other's."""
    if not (a.names and b.names and _differ(a.names[0], b.names[0], person=a.person or b.person)):
        return False
    ones, others = {name_key(name) for name in a.names}, {name_key(name) for name in b.names}
    return name_key(a.names[0]) not in others and name_key(b.names[0]) not in ones


def _differ(one: str, other: str, *, person: bool) -> bool:
    if person:
        return differ_in_code(strip_title(one)[0], strip_title(other)[0], person=True)
    return differ_in_code(one, other)


def agreements(a: Profile, b: Profile, rarity: Rarity) -> Iterator[Agreement]:
    """Every way in which a name of one agrees with a name of the other.

    Where both types are guesses and differ, one of them is wrong: the names may agree as a person's or as a thing's.
    """
    organization = EntityType.ORGANIZATION in {a.type, b.type} and (a.type is b.type or not (a.sure and b.sure))
    for at, one in enumerate(a.names[:_NAMES]):
        for other_at, other in enumerate(b.names[:_NAMES]):
            person = a.person or b.person or (not (a.sure and b.sure) and _may_be_person(one, other))
            if _differ(one, other, person=person):
                continue
            low, high = sorted((one, other))
            if person and (found := compare_people(low, high, rarity)):
                yield found
            if person and (a.type is b.type or a.sure or b.sure or _may_be_person(one, other)):
                continue
            if found := compare_things(low, high, rarity, organization=organization, main=at == other_at == 0):
                yield found


def _meaning(a: Profile, b: Profile, alike: float | None) -> Iterator[Agreement]:
    """Names of things of one type that mean nearly the same.

    From a cosine of .8 on, of all-MiniLM-L6-v2, about seven of eight names that authors of notes linked to a title by
    other words meant that title: enough to ask a person, and never enough to decide.
    """
    if alike is None or alike < MEANT or a.person or b.person or a.type is not b.type:
        return
    one, other = sorted((a.names[0], b.names[0]))
    ones, others = set(content_words(one)), set(content_words(other))
    # What a name adds to another mostly makes it another thing, however near their meanings are: Apple Macintosh.
    adds = ones <= others or others <= ones or _is_spelled_on_purpose(one, other)
    if not adds and not _differ(one, other, person=False) and not differ_on_purpose(one, other):
        yield Agreement(Kind.MEANT, 10 * alike, f"{one} and {other} mean nearly the same")


def _is_spelled_on_purpose(one: str, other: str) -> bool:
    """Whether a name goes on where the other ends, or is a slip away, and no plural: letters tell them apart."""
    low, high = sorted((squeezed(one), squeezed(other)), key=len)
    if high in {f"{low}s", f"{low}es"}:
        return False
    return high.startswith(low) or high.endswith(low) or is_typo(low, high, ends=True)


def _may_be_person(one: str, other: str) -> bool:
    """Whether both are given names alone, which many bear: where nobody said a type, they are taken for people's."""
    return is_given_name(plain_key(one)) and is_given_name(plain_key(other))


def _types(a: Profile, b: Profile, context: Context) -> None:
    if a.type is not b.type:
        low, high = sorted((a.type.value, b.type.value))
        sure = a.sure and b.sure
        context.add(
            -5.0 if sure else -1.0, f"one is {low}, the other {high}" if sure else f"{low} and {high} are guesses"
        )


def _other_names(a: Profile, b: Profile, context: Context) -> None:
    """Two names in common that have no word in common are two agreements, not one."""
    ones = {name_key(name) for name in a.names[:_NAMES]}
    shared = sorted(ones & {name_key(name) for name in b.names[:_NAMES]})
    if any(set(words(one)).isdisjoint(words(other)) for one, other in combinations(shared, 2)):
        context.add(_OTHER_NAME, f"both are called {' and '.join(shared)}")
        context.support += _OTHER_NAME


def _probability(agreement: Agreement, context: Context, a: Profile, b: Profile, rarity: Rarity) -> float:
    logit = agreement.weight + context.weight - math.log(population(rarity))
    likely = 1 / (1 + math.exp(-logit))
    floor, ceiling = _bounds(agreement.kind, context, a, b)
    return min(max(likely, floor), ceiling)


def _bounds(kind: Kind, context: Context, a: Profile, b: Profile) -> tuple[float, float]:
    """The lowest and the highest score that an agreement can lead to in its context."""
    rule = _RULES[kind]
    supported = context.some if kind is Kind.BARE else context.support > 0 and context.support >= rule.needs
    floor = max(rule.floor, rule.supported if supported and context.support >= rule.well else 0.0)
    ceiling = rule.most if supported and _proved(kind, context) else rule.alone
    if context.clash or (a.type is not b.type and a.sure and b.sure):
        floor, ceiling = 0.0, min(ceiling, _ASKED)
    if context.changed or a.type is not b.type:
        floor = min(floor, _ASKED)
        ceiling = ceiling if context.support >= _OUTWEIGHS else min(ceiling, _ASKED)
    if a.anchored and b.anchored:
        floor, ceiling = min(floor, _ASKED), min(ceiling, _ASKED)
    if context.apart:
        floor, ceiling = min(floor, _ASKED), min(ceiling, _ASKED)
    if ceiling == _ASKED:
        ceiling = max(_LEAST_ASKED, floor if floor < _ASKED else 0.0, round(_ASKED - _COSTS * context.against, 4))
    return min(floor, ceiling), ceiling


def _proved(kind: Kind, context: Context) -> bool:
    """Whether the context holds what this kind of agreement needs besides some support."""
    if kind is Kind.VARIANT:
        return context.identified or (context.born and context.support >= _MUCH)
    if kind is Kind.OTHER_PERSON:
        known = context.born or (context.shared_facts > 1 and context.support >= _VERY_MUCH)
        return not context.apart and (context.identified or (known and context.support >= _MUCH))
    return True
