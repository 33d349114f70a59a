"""What a walk asks: which passages and entities hang together.

Mira.md, of 2024-05-01, is about Mira: INTRO names Mira and Nord, HOME names Mira and Paris. The travel log, of 2023-11,
is about nobody: TRIP names Paris and Mira.
"""

from dataclasses import replace

from store.samples import (
    FIRST,
    HOME,
    INTRO,
    LOG_MD,
    MIRA,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    TRIP,
    bound,
    episode,
    mention,
    passage,
    rewritten,
)

from kgmem.model import FOREVER, Moment, identify
from kgmem.store.changes import ChangeSet
from kgmem.store.graph import Tie

SAILS = passage(MIRA_MD, "She sails")


def ties(store, *, passages=(), entities=(), most=10, **times):
    found = store.graph().ties(
        passages=[each.id for each in passages], entities=[each.id for each in entities], most=most, **times
    )
    assert len(found) == len({(tie.passage, tie.entity) for tie in found})
    return set(found)


def tie(where, entity, named, *, own=False):
    return Tie(where.id, entity.id, own, named)


def test_a_passage_is_tied_to_what_it_names_and_to_what_its_source_is_about(store, commit):
    commit(store, FIRST, SECOND)
    assert ties(store, passages=[HOME, TRIP]) == {
        tie(HOME, MIRA, 3, own=True), tie(HOME, PARIS, 2), tie(TRIP, PARIS, 2), tie(TRIP, MIRA, 3),
    }  # fmt: skip


def test_a_passage_need_not_name_what_its_source_is_about(store, commit):
    commit(store, FIRST, rewritten("She sails"))
    assert ties(store, passages=[SAILS]) == {tie(SAILS, MIRA, 2, own=True)}
    assert ties(store, entities=[MIRA]) == {tie(SAILS, MIRA, 2, own=True)}


def test_an_entity_is_tied_to_its_own_passages_and_to_those_that_name_it(store, commit):
    commit(store, FIRST, SECOND)
    assert ties(store, entities=[MIRA, NORD]) == {
        tie(INTRO, MIRA, 3, own=True), tie(HOME, MIRA, 3, own=True), tie(TRIP, MIRA, 3), tie(INTRO, NORD, 1),
    }  # fmt: skip


def test_both_ways_at_once_give_each_tie_once(store, commit):
    commit(store, FIRST, SECOND)
    assert ties(store, passages=[INTRO], entities=[NORD]) == {tie(INTRO, MIRA, 3, own=True), tie(INTRO, NORD, 1)}


def test_an_entity_that_many_passages_name_leads_to_its_own_alone(store, commit):
    commit(store, FIRST, SECOND)
    assert ties(store, entities=[MIRA, PARIS], most=1) == {tie(INTRO, MIRA, 2, own=True), tie(HOME, MIRA, 2, own=True)}
    assert ties(store, entities=[PARIS], most=2) == {tie(HOME, PARIS, 2), tie(TRIP, PARIS, 2)}
    assert ties(store, passages=[TRIP], most=1) == {tie(TRIP, PARIS, 2), tie(TRIP, MIRA, 2)}


def test_a_name_that_stands_twice_in_a_passage_counts_once(store, commit):
    twice = replace(mention(TRIP, PARIS), start=0, end=4)
    commit(store, FIRST, replace(SECOND, mentions=(*SECOND.mentions, twice)))
    assert ties(store, entities=[PARIS]) == {tie(HOME, PARIS, 2), tie(TRIP, PARIS, 2)}


def test_what_no_longer_stands_ties_nothing_but_was_said(store, commit):
    commit(store, FIRST, SECOND, ChangeSet("remove", removed=LOG_MD.id))
    assert ties(store, passages=[TRIP]) == set()
    assert ties(store, entities=[PARIS]) == {tie(HOME, PARIS, 2)}


def test_ties_are_as_of_a_recorded_instant(store, commit):
    first = commit(store, FIRST)
    second = commit(store, rewritten("She sails"))
    assert ties(store, entities=[MIRA], known=first) == {tie(INTRO, MIRA, 2, own=True), tie(HOME, MIRA, 2, own=True)}
    assert ties(store, entities=[MIRA], known=second) == {tie(SAILS, MIRA, 2, own=True)}
    assert ties(store, passages=[INTRO], known=second) == set()
    assert ties(store, passages=[INTRO], known=first) == {tie(INTRO, MIRA, 2, own=True), tie(INTRO, NORD, 1)}


def test_ties_are_of_notes_that_were_written_by_the_end_of_a_period(store, commit):
    commit(store, FIRST, SECOND)
    until_2023 = (-FOREVER, Moment.year(2023).past)
    assert ties(store, entities=[MIRA, PARIS], valid=until_2023) == {tie(TRIP, MIRA, 3), tie(TRIP, PARIS, 2)}
    assert ties(store, passages=[HOME], valid=until_2023) == set()


def test_nothing_is_tied_to_what_is_not_there(store, commit):
    assert ties(store, entities=[MIRA], passages=[HOME]) == set()
    commit(store, FIRST)
    assert store.graph().ties(passages=[identify("gone"), "nonsense"], entities=["nonsense"], most=5) == ()


def test_how_often_words_were_said(store, commit):
    commit(store, FIRST, SECOND)
    said = store.graph().said(["Paris", "flew to PARIS", "paris flew", "Mira", "zzyzx", "…"], 10)
    assert said == {"Paris": 2, "flew to PARIS": 1, "paris flew": 0, "Mira": 2, "zzyzx": 0}
    assert store.graph().said(["Paris"], 1) == {"Paris": 1}


def test_words_of_what_is_gone_were_said_too(store, commit):
    later = passage(LOG_MD, "Home again")
    commit(store, FIRST, SECOND, replace(
        SECOND, episode=episode(LOG_MD, "Home again", bound("2023-12")), passages=(later,), mentions=(), claims=()
    ))  # fmt: skip
    assert store.graph().said(["flew", "home again"], 10) == {"flew": 1, "home again": 1}


def test_nothing_was_said_where_nothing_was_written(store):
    assert set(store.graph().said(["Paris"], 10).values()) <= {0}
