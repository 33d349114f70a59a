"""Entities, aliases, mentions and what is counted from them."""

from dataclasses import replace

import pytest
from store.samples import (
    FIRST,
    HOME,
    INTRO,
    LOG_1,
    LOG_MD,
    MIRA,
    MIRA_1,
    MIRA_MD,
    NORD,
    PARIS,
    SECOND,
    TRIP,
    alias,
    bound,
    mention,
    passage,
    rewritten,
)

from kgmem.model import UNKNOWN, AliasKind, Basis, EntityType, identify
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import EntityQuery, Neighbour

ALL = EntityQuery()


def cards(store, **query):
    total, found = store.cards(EntityQuery(**query))
    return total, [(card.entity.name, card.mentions, card.sources) for card in found]


def test_entities_by_id(store, commit):
    commit(store, FIRST)
    assert store.entities([MIRA.id, NORD.id, identify("nobody"), "nonsense"]) == {MIRA.id: MIRA, NORD.id: NORD}


def test_an_entity_is_named_anew(store, commit):
    commit(store, FIRST)
    renamed = replace(MIRA, name="Mira Lund", subtype="Chemist", type=EntityType.OBJECT, type_rank=2)
    commit(store, ChangeSet("ingest", entities=(renamed,)))
    assert store.entities([MIRA.id]) == {MIRA.id: renamed}


def test_namings_are_by_key_with_their_entity(store, commit):
    commit(store, FIRST, SECOND)
    found = store.namings(["mimi", "paris", "nobody"])
    assert found.keys() == {"mimi", "paris"}
    assert [(each.alias, each.entity) for each in found["mimi"]] == [
        (alias(MIRA_MD, MIRA, "Mimi", AliasKind.ALIAS), MIRA)
    ]
    assert [each.alias for each in found["paris"]] == [alias(LOG_MD, PARIS, kind=AliasKind.LINK)]


def test_names_that_a_link_gives(store, commit):
    commit(store, FIRST, SECOND)
    assert store.linked([("mimi", MIRA.id), ("paris", PARIS.id), ("paris", MIRA.id), ("nobody", PARIS.id)]) == {"paris"}
    commit(store, ChangeSet("remove", removed=LOG_MD.id))
    assert store.linked([("paris", PARIS.id)]) == frozenset()


def test_two_entities_may_have_one_name(store, commit):
    other = replace(MIRA, id=identify("Mira the cat"), name="Mira the cat")
    commit(store, FIRST, replace(SECOND, entities=(other,), aliases=(alias(LOG_MD, other, "Mira"),)))
    assert {each.entity.id for each in store.namings(["mira"])["mira"]} == {MIRA.id, other.id}


def test_the_strongest_alias_of_each_entity_by_key(store, commit):
    other = replace(MIRA, id=identify("another mira"))
    links = tuple(alias(LOG_MD, one, "Mira", AliasKind.LINK) for one in (MIRA, other))
    commit(store, FIRST, replace(SECOND, entities=(*SECOND.entities, other), aliases=links))
    found = store.namings(["mira", "nobody"], strongest=True)
    kinds = {(each.entity.id, each.alias.kind) for each in found["mira"]}
    assert kinds == {(MIRA.id, AliasKind.TITLE), (other.id, AliasKind.LINK)}
    assert found.keys() == {"mira"}
    assert len(store.namings(["mira"])["mira"]) == 3


def test_a_card_has_one_alias_of_each_name(store, commit):
    commit(store, FIRST, replace(SECOND, aliases=(alias(LOG_MD, MIRA, kind=AliasKind.LINK),)))
    _, (card,) = store.cards(EntityQuery(ids=(MIRA.id,)))
    assert sorted(each.name for each in card.aliases) == ["Mimi", "Mira"]
    assert len(store.aliases_of([MIRA.id])[MIRA.id]) == 3


def test_anchors_are_titles_and_aliases_of_what_sources_are_about(store, commit):
    commit(store, FIRST, replace(SECOND, aliases=(alias(LOG_MD, MIRA, "Mimi", AliasKind.LINK), alias(LOG_MD, PARIS))))
    assert {(each.alias.name, each.entity.id) for each in store.anchors()} == {("Mira", MIRA.id), ("Mimi", MIRA.id)}
    commit(store, ChangeSet("remove", removed=MIRA_MD.id))
    assert list(store.anchors()) == []


def test_aliases_of_an_entity_and_of_a_source(store, commit):
    commit(store, FIRST, SECOND)
    assert set(store.aliases_of([MIRA.id])[MIRA.id]) == {
        alias(MIRA_MD, MIRA),
        alias(MIRA_MD, MIRA, "Mimi", AliasKind.ALIAS),
    }
    assert store.aliases_from(LOG_MD.id) == (alias(LOG_MD, PARIS, kind=AliasKind.LINK),)
    commit(store, replace(FIRST, aliases=(alias(MIRA_MD, MIRA),)))
    assert store.aliases_from(MIRA_MD.id) == (alias(MIRA_MD, MIRA),)
    assert store.aliases_of([NORD.id]) == {}


def test_none_leaves_mentions_aliases_and_links_as_they_are(store, commit):
    commit(store, FIRST, replace(FIRST, mentions=None, aliases=None, links=None))
    assert cards(store)[0] == 3
    assert len(store.aliases_from(MIRA_MD.id)) == 3
    assert store.sources_naming(["château nord"]) == {MIRA_MD.id}


def test_cards_count_live_mentions_and_their_sources(store, commit):
    commit(store, FIRST, SECOND)
    assert cards(store) == (3, [("Mira", 3, 2), ("Paris", 2, 2), ("Château Nord", 1, 1)])
    assert cards(store, limit=1) == (3, [("Mira", 3, 2)])
    assert cards(store, limit=1, offset=2) == (3, [("Château Nord", 1, 1)])
    assert cards(store, type=EntityType.LOCATION) == (1, [("Paris", 2, 2)])
    assert cards(store, ids=(NORD.id, MIRA.id), sort="name") == (2, [("Château Nord", 1, 1), ("Mira", 3, 2)])
    assert cards(store, ids=()) == (0, [])


def test_a_mention_of_a_dead_passage_counts_no_more(store, commit):
    commit(store, FIRST, SECOND)
    commit(store, replace(FIRST, passages=(HOME,), mentions=(mention(HOME, MIRA), mention(HOME, PARIS))))
    assert cards(store) == (2, [("Mira", 2, 2), ("Paris", 2, 2)])
    assert cards(store, hidden=True) == (3, [("Mira", 2, 2), ("Paris", 2, 2), ("Château Nord", 0, 0)])


def test_mentions_are_replaced(store, commit):
    commit(store, FIRST, replace(FIRST, mentions=(mention(HOME, PARIS),)))
    assert cards(store) == (1, [("Paris", 1, 1)])


def test_cards_show_the_aliases_and_the_world_dates_of_the_sources(store, commit):
    commit(store, FIRST, SECOND)
    _, found = store.cards(EntityQuery(ids=(MIRA.id,)))
    assert set(found[0].aliases) == set(store.aliases_of([MIRA.id])[MIRA.id])
    assert (found[0].first_seen, found[0].last_seen) == (bound("2023-11"), bound("2024-05-01"))


def test_a_files_time_never_wins_over_a_date(store, commit):
    by_file = bound("1999-01-01", Basis.FILE)
    commit(store, FIRST, replace(SECOND, episode=replace(LOG_1, occurred=by_file)))
    _, (paris,) = store.cards(EntityQuery(ids=(PARIS.id,)))
    assert (paris.first_seen, paris.last_seen) == (bound("2024-05-01"), bound("2024-05-01"))
    commit(store, ChangeSet("remove", removed=MIRA_MD.id))
    _, (paris,) = store.cards(EntityQuery(ids=(PARIS.id,)))
    assert (paris.first_seen, paris.last_seen) == (by_file, by_file)


def test_an_entity_of_undated_sources_was_seen_at_no_known_time(store, commit):
    commit(store, replace(FIRST, episode=replace(MIRA_1, occurred=UNKNOWN)))
    _, (card,) = store.cards(EntityQuery(ids=(NORD.id,)))
    assert (card.first_seen, card.last_seen) == (UNKNOWN, UNKNOWN)


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("mentions", ["Mira", "Paris", "Château Nord"]),
        ("sources", ["Mira", "Paris", "Château Nord"]),
        ("name", ["Château Nord", "Mira", "Paris"]),
        ("first_seen", ["Mira", "Paris", "Château Nord"]),
        ("last_seen", ["Château Nord", "Mira", "Paris"]),
    ],
)
def test_cards_are_sorted(store, commit, sort, names):
    commit(store, FIRST, SECOND)
    assert [card.entity.name for card in store.cards(EntityQuery(sort=sort))[1]] == names


def test_there_is_no_other_order(store):
    with pytest.raises(ValueError, match="colour"):
        store.cards(EntityQuery(sort="colour"))


def test_neighbours_by_facts_then_passages_then_name(store, commit):
    commit(store, FIRST, SECOND)
    assert store.neighbours(MIRA.id, 10) == (2, (Neighbour(NORD, 1, 1), Neighbour(PARIS, 0, 2)))
    assert store.neighbours(MIRA.id, 1) == (2, (Neighbour(NORD, 1, 1),))
    assert store.neighbours(NORD.id, 10) == (1, (Neighbour(MIRA, 1, 1),))
    assert store.neighbours(identify("nobody"), 10) == (0, ())


def test_a_closed_fact_and_a_dead_passage_make_no_neighbour(store, commit):
    commit(store, FIRST)
    commit(store, replace(rewritten("nothing", mentions=()), closed=(FIRST.opened[0].id,)))
    assert store.neighbours(MIRA.id, 10) == (0, ())


def test_mentions_newest_source_first(store, commit):
    commit(store, FIRST, SECOND)
    total, found = store.mentions_of(MIRA.id, 2)
    assert total == 3
    assert set(found) == {mention(INTRO, MIRA), mention(HOME, MIRA)}
    assert store.mentions_of(MIRA.id, 9)[1][2] == mention(TRIP, MIRA, "Mimi")
    assert store.mentions_of(identify("nobody"), 9) == (0, ())


def test_mentions_in_a_source_are_in_the_order_of_its_text(store, commit):
    commit(store, FIRST, SECOND)
    first, second = mention(INTRO, MIRA), mention(INTRO, NORD)
    assert store.mentions_in(MIRA_MD.id) == (first, second, mention(HOME, MIRA), mention(HOME, PARIS))
    assert store.mentions_in(identify("nowhere")) == ()
    commit(store, rewritten("Paris", mentions=(mention(passage(MIRA_MD, "Paris"), PARIS),)))
    assert store.mentions_in(MIRA_MD.id) == (mention(passage(MIRA_MD, "Paris"), PARIS),)
    commit(store, ChangeSet("remove", removed=MIRA_MD.id))
    assert store.mentions_in(MIRA_MD.id) == ()
