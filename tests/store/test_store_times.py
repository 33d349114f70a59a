"""Reads of another time than now: what stood and was believed at an instant, and what was not yet written of a period.

The note about Mira is of 2024-05-01, the travel log of 2023-11.
"""

from dataclasses import replace

import pytest
from store.samples import (
    DIRECTS_FACT,
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

from kgmem.model import FOREVER, UNKNOWN, Basis, Bound, Instant, Moment
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import EntityQuery, FactQuery, Scope

SAILS = passage(MIRA_MD, "Mira sails")


def year(number):
    moment = Moment.year(number)
    return moment.first, moment.past


def until(text):
    return -FOREVER, Moment.parse(text).past


@pytest.fixture
def found(store):
    def search(text, scope=Scope.EPISODES, limit=10, **times):
        return [hit.id for hit in store.search(scope, text, limit, **times)]

    return search


@pytest.fixture
def cards(store):
    def names(**query):
        total, found = store.cards(EntityQuery(sort="name", **query))
        assert total == len(found)
        return [(card.entity.name, card.mentions, card.sources) for card in found]

    return names


def test_a_passage_is_found_as_of_when_it_stood(store, commit, found):
    first = commit(store, FIRST)
    second = commit(store, rewritten("Mira sails"))
    third = commit(store, FIRST)
    assert found("directs", known=Instant(first - 1)) == []
    assert found("directs", known=first) == found("directs", known=third) == [INTRO.id]
    assert found("directs", known=second) == []
    assert [found("sails", known=at) for at in (first, second, third)] == [[], [SAILS.id], []]
    assert (found("directs"), found("sails")) == ([INTRO.id], [])


def test_a_removed_note_is_found_before_it_went(store, commit, found):
    stood = commit(store, FIRST, SECOND)
    gone = commit(store, ChangeSet("remove", removed=LOG_MD.id))
    assert found("flew", known=stood) == [TRIP.id]
    assert found("flew", known=gone) == found("flew") == []


def test_what_is_gone_takes_no_place_from_what_is_live(store, commit, found):
    for number in range(30):
        commit(store, rewritten(f"quartz quartz quartz {number}", LOG_MD))
    commit(store, rewritten("of quartz there is little", LOG_MD))
    assert found("quartz", limit=1) == [passage(LOG_MD, "of quartz there is little").id]
    assert found("quartz", limit=5) == [passage(LOG_MD, "of quartz there is little").id]


def test_each_instant_has_its_own_limit_full(store, commit, found):
    instants = [commit(store, rewritten(f"quartz {number}", LOG_MD)) for number in range(5)]
    assert [found("quartz", limit=1, known=at) for at in instants] == [
        [passage(LOG_MD, f"quartz {number}").id] for number in range(5)
    ]


def test_a_fact_is_found_while_it_was_believed_and_where_it_held(store, commit, found):
    opened = commit(store, FIRST)
    closed = commit(store, ChangeSet("ingest", closed=(DIRECTS_FACT.id,)))
    assert found("works", Scope.FACTS, known=opened) == [DIRECTS_FACT.id]
    assert found("works", Scope.FACTS, known=closed) == found("works", Scope.FACTS) == []
    assert found("works", Scope.FACTS, known=opened, valid=year(2014)) == []
    assert found("works", Scope.FACTS, known=opened, valid=year(2015)) == [DIRECTS_FACT.id]


def test_a_search_finds_the_facts_that_the_same_times_give(store, commit, found):
    opened = commit(store, FIRST)
    closed = commit(store, ChangeSet("ingest", closed=(DIRECTS_FACT.id,)))
    for known in (Instant(opened - 1), opened, closed, None):
        for valid in (year(2014), year(2015), None):
            _, facts = store.facts(FactQuery(known=known, valid=valid))
            assert found("works", Scope.FACTS, known=known, valid=valid) == [fact.id for fact in facts]


@pytest.mark.parametrize(
    ("occurred", "found_in"),
    [
        (bound("2024"), [2024, 2025]),
        (bound("2024-05-01"), [2024, 2025]),
        (bound("2024-05-01T10:00:00Z", Basis.STATED), [2024, 2025]),
        (Bound(Moment(Moment.year(2024).first + 5, Moment.year(2024).past, Moment.year(2024).precision), Basis.NOTE),
         [2024, 2025]),
        (bound("2024-05-01", Basis.OBSERVED), [2024, 2025]),
        (bound("2024-05-01", Basis.FILE), [2023, 2024, 2025]),
        (Bound(Moment(Moment.year(2024).first + 5, Moment.year(2024).past, Moment.year(2024).precision), Basis.FILE),
         [2023, 2024, 2025]),
        (UNKNOWN, [2023, 2024, 2025]),
    ],
)  # fmt: skip
def test_a_passage_is_left_out_of_a_period_before_its_note_was_written(store, commit, found, occurred, found_in):
    commit(store, rewritten("Mira sails", LOG_MD, occurred))
    assert [number for number in (2023, 2024, 2025) if found("sails", valid=year(number))] == found_in


def test_an_entity_is_found_where_such_a_passage_mentions_it(store, commit, found):
    commit(store, SECOND_WITH_ENTITIES)
    stood = commit(store, FIRST)
    assert found("nord mira paris", Scope.ENTITIES, valid=year(2022)) == []
    assert set(found("nord mira paris", Scope.ENTITIES, valid=year(2023))) == {MIRA.id, PARIS.id}
    assert set(found("nord mira paris", Scope.ENTITIES, valid=year(2024))) == {MIRA.id, PARIS.id, NORD.id}
    commit(store, rewritten("elsewhere"), ChangeSet("remove", removed=LOG_MD.id))
    assert found("nord mira paris", Scope.ENTITIES) == []
    assert set(found("nord mira paris", Scope.ENTITIES, known=stood)) == {MIRA.id, PARIS.id, NORD.id}
    assert set(found("paris", Scope.ENTITIES, known=stood, valid=year(2023))) == {PARIS.id}


SECOND_WITH_ENTITIES = replace(SECOND, entities=(MIRA, PARIS))


def test_cards_count_what_stood_then(store, commit, cards):
    first = commit(store, FIRST)
    both = commit(store, SECOND)
    commit(store, rewritten("Paris again", mentions=(mention(passage(MIRA_MD, "Paris again"), PARIS),)))
    assert cards() == [("Mira", 1, 1), ("Paris", 2, 2)]
    assert cards(known=first) == [("Château Nord", 1, 1), ("Mira", 2, 1), ("Paris", 1, 1)]
    assert cards(known=both) == [("Château Nord", 1, 1), ("Mira", 3, 2), ("Paris", 2, 2)]
    assert cards(known=both, valid=year(2023)) == [("Mira", 1, 1), ("Paris", 1, 1)]
    assert cards(known=both, valid=year(2022)) == []
    assert cards(known=Instant(first - 1), hidden=True) == [("Château Nord", 0, 0), ("Mira", 0, 0), ("Paris", 0, 0)]
    assert cards(known=both, valid=year(2023), ids=(NORD.id, MIRA.id), hidden=True) == [
        ("Château Nord", 0, 0),
        ("Mira", 1, 1),
    ]


def test_a_card_says_when_it_was_seen_up_to_then(store, commit):
    both = commit(store, FIRST, SECOND)
    commit(store, rewritten("elsewhere"))
    _, (card,) = store.cards(EntityQuery(ids=(MIRA.id,), known=both))
    assert (card.first_seen.shown, card.last_seen.shown) == ("2023-11", "2024-05-01")
    _, (card,) = store.cards(EntityQuery(ids=(MIRA.id,), known=both, valid=until("2023-12")))
    assert (card.first_seen.shown, card.last_seen.shown) == ("2023-11", "2023-11")


def test_mentions_and_neighbours_of_then(store, commit):
    first = commit(store, FIRST)
    both = commit(store, SECOND)
    commit(store, rewritten("elsewhere"), ChangeSet("ingest", closed=(DIRECTS_FACT.id,)))

    def mentioned(**times):
        total, mentions = store.mentions_of(MIRA.id, 10, **times)
        assert total == len(mentions)
        return [each.passage for each in mentions]

    def near(**times):
        _, neighbours = store.neighbours(MIRA.id, 10, **times)
        return [(each.entity.name, each.facts, each.passages) for each in neighbours]

    assert mentioned() == [TRIP.id]
    assert set(mentioned(known=first)) == {INTRO.id, HOME.id}
    assert mentioned(known=both)[-1] == TRIP.id
    assert mentioned(known=both, valid=year(2023)) == [TRIP.id]
    assert near() == [("Paris", 0, 1)]
    assert near(known=first) == [("Château Nord", 1, 1), ("Paris", 0, 1)]
    assert near(known=both) == [("Château Nord", 1, 1), ("Paris", 0, 2)]
    assert near(known=both, valid=year(2014)) == []
    assert near(known=both, valid=year(2023)) == [("Château Nord", 1, 0), ("Paris", 0, 1)]


def test_passages_stand_where_they_stood(store, commit):
    first = commit(store, FIRST)
    moved = replace(
        FIRST,
        episode=replace(episode(MIRA_MD, "longer"), occurred=bound("2025")),
        passages=(replace(HOME, first_line=40, last_line=41),),
        mentions=(),
    )
    second = commit(store, moved)
    gone = commit(store, ChangeSet("remove", removed=MIRA_MD.id))
    assert [(each.id, each.first_line) for each in store.passages_of(MIRA_MD.id, known=first)] == [
        (INTRO.id, 12),
        (HOME.id, 14),
    ]
    assert [(each.id, each.first_line) for each in store.passages_of(MIRA_MD.id, known=second)] == [(HOME.id, 40)]
    assert store.passages_of(MIRA_MD.id, known=gone) == store.passages_of(MIRA_MD.id) == ()

    def placed(known):
        found = store.placed([INTRO.id, HOME.id], known=known)
        return {key: (each.path, each.passage.first_line, each.occurred.shown) for key, each in found.items()}

    path = "People/Mira.md"
    assert placed(first) == {INTRO.id: (path, 12, "2024-05-01"), HOME.id: (path, 14, "2024-05-01")}
    assert placed(second) == {HOME.id: (path, 40, "2025")}
    assert placed(gone) == placed(None) == {}
    assert [each.path for each in store.sources_about(MIRA.id, known=second)] == [path]
    assert store.sources_about(MIRA.id, known=gone) == store.sources_about(MIRA.id, known=Instant(first - 1)) == ()


def test_as_of_the_last_instant_everything_is_as_it_is_now(store, commit, found):
    """Also where an episode was read again and gave other passages."""
    commit(store, FIRST, SECOND)
    last = commit(store, replace(FIRST, passages=(HOME,), mentions=(mention(HOME, MIRA), mention(HOME, PARIS))))
    assert found("mira") == found("mira", known=last)
    assert found("directs") == found("directs", known=last) == []
    assert store.cards(EntityQuery()) == store.cards(EntityQuery(known=last))
    assert store.mentions_of(MIRA.id, 9) == store.mentions_of(MIRA.id, 9, known=last)
    assert store.neighbours(MIRA.id, 9) == store.neighbours(MIRA.id, 9, known=last)
    assert store.passages_of(MIRA_MD.id) == store.passages_of(MIRA_MD.id, known=last)
    assert store.placed([HOME.id, TRIP.id]) == store.placed([HOME.id, TRIP.id], known=last)


def test_a_passage_that_comes_back_is_found_once_and_under_the_new_title(store, commit, found):
    commit(store, FIRST, rewritten("Mira sails"), replace(FIRST, source=replace(MIRA_MD, title="Castel")))
    assert found("directs") == [INTRO.id]
    assert found("castel directs")[0] == INTRO.id
    assert found("castel", limit=10).count(INTRO.id) == 1


def test_words_of_former_passages_name_no_source(store, commit):
    commit(store, FIRST, rewritten("Mira sails"))
    assert store.sources_naming([], ["directs"]) == frozenset()
    assert store.sources_naming([], ["sails"]) == {MIRA_MD.id}
