"""The log of transactions, and what changed between two of them."""

from dataclasses import replace

import pytest
from store.samples import (
    DIRECTS,
    DIRECTS_FACT,
    FIRST,
    LOG_1,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    SECOND,
    SLOT,
    TRIP,
    fact_of,
    works_at,
)

from kgmem.model import Instant
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import FactQuery, Transacted

ELSEWHERE = works_at(TRIP, LOG_1, "Sud", "2020")
ELSEWHERE_FACT = fact_of(ELSEWHERE)
CHANGE = replace(SECOND, claims=((SLOT, ELSEWHERE),), closed=(DIRECTS_FACT.id,), opened=(ELSEWHERE_FACT,))


@pytest.fixture
def written(store, commit):
    """(store, the instants of: Nord believed, Sud in its place, nothing any more)."""
    first = commit(store, FIRST)
    second = commit(store, CHANGE)
    third = commit(store, ChangeSet("removed", removed=LOG_MD.id, closed=(ELSEWHERE_FACT.id,)))
    return store, first, second, third


def test_the_log_tells_what_was_written_when_and_about_which_source(written):
    store, first, second, third = written
    assert store.transactions() == (
        Transacted(first, "ingest", MIRA_MD),
        Transacted(second, "ingest", LOG_MD),
        Transacted(third, "removed", LOG_MD),
    )


def test_both_ends_of_a_stretch_of_the_log_are_in_it(written):
    store, first, second, third = written

    def instants(*span):
        return [each.recorded_at for each in store.transactions(*span)]

    assert instants(first, second) == [first, second]
    assert instants(second) == [second, third]
    assert instants(None, first) == [first]
    assert instants(second, second) == [second]
    assert instants(Instant(second + 1), Instant(third - 1)) == []
    assert instants(third, first) == []


def test_a_transaction_about_no_source_has_none(store, commit):
    at = commit(store, ChangeSet("merge", entities=(MIRA,)))
    assert store.transactions() == (Transacted(at, "merge", None),)


def test_a_source_of_the_log_is_as_it_is_now(store, commit):
    first = commit(store, FIRST)
    moved = replace(MIRA_MD, path="Old/Mira.md")
    second = commit(store, ChangeSet("moved", source=moved))
    assert store.transactions() == (Transacted(first, "ingest", moved), Transacted(second, "moved", moved))


def test_what_says_nothing_new_is_not_in_the_log(store, commit):
    first = commit(store, FIRST)
    commit(store, FIRST)
    assert [each.recorded_at for each in store.transactions()] == [first]


def test_another_group_has_a_log_of_its_own(place, commit):
    commit(place.open("work"), FIRST)
    assert place.open("home").transactions() == ()
    assert place.open("new", readonly=True).transactions() == ()


def test_versions_that_began_or_ended_in_a_stretch_of_recorded_time(written):
    store, first, second, third = written

    def changed(since, until):
        total, facts = store.facts(FactQuery(changed=(Instant(since), Instant(until))))
        assert total == len(facts)
        return [fact.id for fact in facts]

    both = [DIRECTS_FACT.id, ELSEWHERE_FACT.id]
    assert changed(first - 1, third) == both
    assert changed(first - 1, first) == [DIRECTS_FACT.id]
    assert changed(first, second) == both
    assert changed(second, third) == [ELSEWHERE_FACT.id]
    assert changed(first, second - 1) == []
    assert changed(third, third + 1) == []


def test_changed_facts_obey_the_other_conditions_too(written):
    store, first, _, third = written
    span = (Instant(first - 1), third)

    def changed(**query):
        return [fact.id for fact in store.facts(FactQuery(changed=span, **query))[1]]

    assert changed(about=(NORD.id,)) == [DIRECTS_FACT.id]
    assert changed(predicate="LIVES_IN") == []
    assert changed(known=first) == [DIRECTS_FACT.id, ELSEWHERE_FACT.id]
    assert changed(limit=1) == [DIRECTS_FACT.id]


def test_evidence_of_changed_facts_is_that_of_the_instant_asked_for(store, commit):
    agreeing = works_at(TRIP, LOG_1, NORD, "2015")
    first = commit(store, FIRST)
    resting = (DIRECTS_FACT.id, tuple(sorted((DIRECTS.id, agreeing.id))))
    commit(store, replace(SECOND, claims=((SLOT, agreeing),), supported=(resting,)))
    span = (Instant(first - 1), first)
    assert store.facts(FactQuery(changed=span, known=first))[1][0].evidence == (DIRECTS.id,)
    assert set(store.facts(FactQuery(changed=span))[1][0].evidence) == {DIRECTS.id, agreeing.id}
