"""What a batch announces, and a transaction expects, changes no answer."""

import pytest
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    SLOT,
    alias,
    rewritten,
)

from kgmem.model import AliasKind, Id, identify
from kgmem.resolution.names import name_key
from kgmem.store.changes import ChangeSet, Ending, EndKind
from kgmem.store.protocol import Coming

NAMES = ((name_key("Château Nord"), NORD.id), ("paris", PARIS.id), ("paris", MIRA.id))
BOTH = (MIRA_MD, LOG_MD)
STEPS = (
    FIRST,
    SECOND,
    rewritten("moved away", aliases=(alias(MIRA_MD, PARIS, kind=AliasKind.LINK),)),
    ChangeSet("removed", removed=LOG_MD.id),
    rewritten("nothing", mentions=(), aliases=(), endings=(Ending(DIRECTS.id, EndKind.WITHDRAWN),)),
    ChangeSet("closed", closed=(DIRECTS_FACT.id,)),
    SECOND,
)


def told(store) -> dict[str, object]:
    """What a writer asks of a store."""
    ids: tuple[Id, ...] = (MIRA.id, NORD.id, PARIS.id)
    return {
        "episodes": [store.episode(each.id) for each in BOTH],
        "aliases": [set(store.aliases_from(each.id)) for each in BOTH],
        "asserted": [store.asserted(each.id) for each in BOTH],
        "linked": store.linked(NAMES),
        "taken": [store.claims_taken(each.id, [DIRECTS.id, identify("none")]) for each in BOTH],
        "claims": store.claims(slots=[SLOT]),
        "facts": store.open_facts([SLOT]),
        "entities": store.entities(ids),
        "names": {one: set(aliases) for one, aliases in store.aliases_of(ids).items()},
    }


def without_times(answers):
    """Answers of two groups, whose transactions were recorded at different instants."""
    return [
        {
            **each,
            "episodes": [one and (one.id, one.body) for one in each["episodes"]],
            "asserted": [[claim.id for _, claim in claims] for claims in each["asserted"]],
            "claims": {slot: [claim.id for claim in claims] for slot, claims in each["claims"].items()},
            "facts": {slot: [(fact.id, fact.evidence) for fact in facts] for slot, facts in each["facts"].items()},
        }
        for each in answers
    ]


def announced(store, coming):
    """The answers before each step, and after the last: in one batch."""
    answers = []
    with store.batch(coming) as batch:
        for each in STEPS:
            with store.writing() as transaction:
                transaction.expect((MIRA.id, NORD.id, PARIS.id), (MIRA.id, PARIS.id))
                answers.append(told(store))
                transaction.commit(each)
    assert batch.kept
    return [*answers, told(store)]


def plain(store):
    answers = []
    for each in STEPS:
        answers.append(told(store))
        with store.writing() as transaction:
            transaction.commit(each)
    return [*answers, told(store)]


COMING = (None, Coming((MIRA_MD.id,), NAMES[:1]), Coming(tuple(each.id for each in BOTH), NAMES))


@pytest.mark.parametrize("coming", COMING, ids=("nothing", "half", "all"))
def test_what_is_announced_changes_no_answer(place, coming):
    answers = without_times(plain(place.open("one")))
    assert without_times(announced(place.open("two"), coming)) == answers
    assert [each["linked"] for each in answers] == [
        set(),
        {name_key("Château Nord")},
        {name_key("Château Nord"), "paris"},
        {"paris"},
        {"paris"},
        set(),
        set(),
        {"paris"},
    ]
    assert [bool(each["asserted"][0]) for each in answers] == [False, True, True, True, True, False, False, False]
    assert [bool(each["taken"][0]) for each in answers] == [False] + [True] * 7
