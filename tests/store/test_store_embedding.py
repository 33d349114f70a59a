"""Vectors that follow the texts: what lacks one, equal texts, and a second model beside the first."""

from dataclasses import replace

import pytest
from store.samples import (
    DIRECTS,
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
    SLOT,
    TRIP,
    fact_of,
    mention,
    passage,
    rewritten,
)

from kgmem.errors import StoreError
from kgmem.model import LINKS_TO, Instant, identify
from kgmem.store.changes import ChangeSet, Erasure, Vector
from kgmem.store.vector_store import Unembedded, VectorModel

KINDS = ("passage", "fact", "entity")
EAST, NORTH, WEST = (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)
HASH = identify("Mira", "Life > Work", "Mira directs Château Nord")


def lacking(store, model="m", kinds=KINDS):
    return {each.id: each.texts for kind in kinds for each in store.without_vectors(kind, model)}


def fill(store, model="m", values=EAST):
    """Give everything that lacks a vector of a model the same one."""
    for kind in KINDS:
        made = [Vector(kind, each.id, model, values, each.hash) for each in store.without_vectors(kind, model)]
        assert store.put_vectors(made) == len(made)


def near(store, values, kind="passage", **times):
    return [hit.id for hit in store.nearest(kind, values, 9, **times)]


def test_all_that_is_live_lacks_a_vector_until_it_has_one(store, commit):
    commit(store, FIRST)
    assert lacking(store) == {
        INTRO.id: ("Mira", "Life > Work", "Mira directs Château Nord"),
        HOME.id: ("Mira", "", "Mira lives in Paris"),
        DIRECTS_FACT.id: ("Mira works at Château Nord.",),
        MIRA.id: ("Mira", "Individual"),
        NORD.id: ("Château Nord", "Organization"),
        PARIS.id: ("Paris", "Location"),
    }
    assert store.missing_vectors("m") == {"passage": 2, "fact": 1, "entity": 3}
    store.declare_vectors("m", 2)
    assert store.put_vectors([Vector("passage", INTRO.id, "m", EAST, HASH)]) == 1
    assert lacking(store).keys() == {HOME.id, DIRECTS_FACT.id, MIRA.id, NORD.id, PARIS.id}
    fill(store)
    assert store.missing_vectors("m") == {"passage": 0, "fact": 0, "entity": 0}
    assert store.stats().counts["vectors"] == 6


def test_what_is_read_later_lacks_one_and_what_is_gone_does_not(store, commit):
    store.declare_vectors("m", 2)
    commit(store, FIRST)
    fill(store)
    commit(store, rewritten("Mira sails", mentions=()), SECOND)
    sails = passage(MIRA_MD, "Mira sails")
    assert lacking(store).keys() >= {sails.id, TRIP.id}
    commit(store, ChangeSet("remove", removed=LOG_MD.id), ChangeSet("close", closed=(DIRECTS_FACT.id,)))
    assert lacking(store, kinds=["passage", "fact"]) == {sails.id: ("Mira", "", "Mira sails")}
    commit(store, replace(FIRST, opened=()))
    assert lacking(store, kinds=["passage"]) == {}


def test_bare_links_need_no_vector(store, commit):
    link = replace(DIRECTS, id=identify("link"), predicate=LINKS_TO)
    linked = replace(fact_of(link, slot=identify("slot of it")), predicate=LINKS_TO)
    commit(store, replace(FIRST, claims=((SLOT, DIRECTS), (linked.slot, link)), opened=(DIRECTS_FACT, linked)))
    assert lacking(store, kinds=["fact"]).keys() == {DIRECTS_FACT.id}


def test_a_vector_of_what_says_something_else_by_now_is_not_kept(store, commit):
    store.declare_vectors("m", 2)
    commit(store, FIRST)
    late = [
        Vector("passage", INTRO.id, "m", EAST, identify("what it never said")),
        Vector("passage", identify("gone"), "m", EAST, HASH),
        Vector("passage", HOME.id, "m", EAST, None),
        Vector("entity", PARIS.id, "m", EAST, identify("Paris", "Location")),
    ]
    assert store.put_vectors(late) == 1
    assert store.stats().counts["vectors"] == 1
    assert near(store, EAST, "entity") == [PARIS.id]


def test_keeping_vectors_is_no_transaction(store, commit):
    store.declare_vectors("m", 2)
    last = commit(store, FIRST)
    fill(store)
    assert [each.recorded_at for each in store.transactions()] == [last]
    assert store.stats().last_recorded == last


def test_a_vector_of_a_third_model_is_not_kept(store, commit):
    store.declare_vectors("m", 2)
    commit(store, FIRST)
    for wrong in (Vector("passage", INTRO.id, "x", EAST, HASH), Vector("passage", INTRO.id, "m", (1.0,), HASH)):
        with pytest.raises(StoreError, match="does not fit"):
            store.put_vectors([wrong])
    assert store.stats().counts["vectors"] == 0


def test_what_is_called_something_else_loses_its_vector(store, commit):
    store.declare_vectors("m", 2)
    commit(store, FIRST)
    fill(store)
    commit(store, ChangeSet("ingest", entities=(replace(PARIS, name="Paname"),)))
    assert lacking(store) == {PARIS.id: ("Paname", "Location")}
    commit(store, ChangeSet("move", source=replace(MIRA_MD, title="Mira Lang")))
    assert lacking(store, kinds=["passage"])[HOME.id] == ("Mira Lang", "", "Mira lives in Paris")
    assert near(store, EAST, "fact") == [DIRECTS_FACT.id]
    assert near(store, EAST) == []


def test_an_equal_text_is_known_in_any_group(place, store, commit):
    other = place.open("other")
    for each in (store, other):
        each.declare_vectors("m", 2)
        commit(each, FIRST)
    store.put_vectors([Vector("passage", INTRO.id, "m", NORTH, HASH)])
    assert other.embedded("m", [HASH, identify("x")]) == {HASH: NORTH}
    assert other.embedded("other model", [HASH]) == {}
    assert near(other, NORTH) == []


def test_the_hash_comes_back_with_the_vector(store, commit):
    store.declare_vectors("m", 2)
    commit(store, FIRST)
    made = Vector("passage", INTRO.id, "m", NORTH, HASH)
    store.put_vectors([made])
    assert list(store.vectors("passage")) == [made]
    assert Unembedded("passage", INTRO.id, ("Mira", "Life > Work", "Mira directs Château Nord")).hash == HASH


# -- a second model


@pytest.fixture
def both(store, commit):
    """A memory with vectors of two dimensions, and those of three dimensions coming."""
    store.declare_vectors("m", 2)
    commit(store, FIRST)
    fill(store)
    store.prepare_vectors("n", 3)
    return store


def test_the_present_model_answers_until_the_switch(both):
    assert (both.vector_model(), both.coming_model()) == (VectorModel("m", 2), VectorModel("n", 3))
    assert both.missing_vectors("n") == {"passage": 2, "fact": 1, "entity": 3}
    fill(both, "n", (0.0, 0.0, 1.0))
    assert set(near(both, EAST)) == {INTRO.id, HOME.id}
    assert [each.model for each in both.vectors("passage")] == ["m", "m"]
    assert '"n"' not in "".join(both.dump())
    assert both.strange_vectors() == ()
    both.switch_vectors()
    assert (both.vector_model(), both.coming_model()) == (VectorModel("n", 3), None)
    assert set(near(both, (0.0, 0.0, 1.0))) == {INTRO.id, HOME.id}
    assert [each.values for each in both.vectors("entity")] == [(0.0, 0.0, 1.0)] * 3
    assert both.stats().counts["vectors"] == 6
    assert '"m"' not in "".join(both.dump())
    assert both.strange_vectors() == ()


def test_back_again(both, commit):
    fill(both, "n", (0.0, 0.0, 1.0))
    both.switch_vectors()
    both.prepare_vectors("m", 2)
    assert both.missing_vectors("m") == {"passage": 2, "fact": 1, "entity": 3}
    fill(both, "m", NORTH)
    both.switch_vectors()
    assert set(near(both, NORTH)) == {INTRO.id, HOME.id}
    commit(both, rewritten("Mira sails"))
    assert near(both, NORTH) == []


def test_there_is_no_switch_while_one_is_missing(both, commit):
    fill(both, "n", (0.0, 0.0, 1.0))
    commit(both, SECOND)
    with pytest.raises(StoreError, match="vectors of n are not made yet"):
        both.switch_vectors()
    fill(both, "n", (0.0, 0.0, 1.0))
    both.switch_vectors()
    with pytest.raises(StoreError, match="no vectors of another model"):
        both.switch_vectors()


def test_what_has_a_vector_and_is_of_the_past_is_to_have_one_of_the_new_model(both, commit):
    then = both.transactions()[-1].recorded_at
    commit(both, rewritten("Mira sails", mentions=()))
    assert {INTRO.id, HOME.id} <= lacking(both, "n").keys()
    fill(both, "n", (0.0, 0.0, 1.0))
    both.switch_vectors()
    assert set(near(both, (0.0, 0.0, 1.0), known=then)) == {INTRO.id, HOME.id}


def test_to_prepare_the_same_again_goes_on_and_another_begins_anew(both):
    fill(both, "n", (0.0, 0.0, 1.0))
    both.prepare_vectors("n", 3)
    assert sum(both.missing_vectors("n").values()) == 0
    both.prepare_vectors("o", 1)
    assert both.coming_model() == VectorModel("o", 1)
    assert sum(both.missing_vectors("o").values()) == 6
    both.prepare_vectors("m", 2)
    assert both.coming_model() is None
    assert set(near(both, EAST)) == {INTRO.id, HOME.id}
    assert both.strange_vectors() == ()


def test_what_cannot_be_prepared(store):
    with pytest.raises(StoreError, match="declares no vectors"):
        store.prepare_vectors("n", 3)
    store.declare_vectors("m", 2)
    with pytest.raises(StoreError, match="m with 2 dimensions already"):
        store.prepare_vectors("m", 3)


def test_coming_vectors_follow_what_happens_meanwhile(both, commit):
    fill(both, "n", (0.0, 0.0, 1.0))
    commit(both, ChangeSet("ingest", entities=(replace(PARIS, name="Paname"),)))
    commit(both, ChangeSet("close", closed=(DIRECTS_FACT.id,)))
    assert lacking(both, "n").keys() == {PARIS.id}
    fill(both, "n", (0.0, 0.0, 1.0))
    both.switch_vectors()
    up = (0.0, 0.0, 1.0)
    assert (near(both, up, "fact"), set(near(both, up, "entity"))) == ([], {MIRA.id, NORD.id, PARIS.id})


def test_erasing_takes_the_vectors_of_both_models(both, commit):
    fill(both, "n", (0.0, 0.0, 1.0))
    commit(both, ChangeSet("forget", removed=MIRA_MD.id))
    both.erase(Erasure(MIRA_MD.id, None, (DIRECTS.id,), (SLOT,), ((Instant(9), (), (), ()),)))
    assert both.stats().counts["vectors"] == 0
    assert both.embedded("m", [HASH]) == both.embedded("n", [HASH]) == {}
    assert both.strange_vectors() == ()


def test_another_group_keeps_its_own(place, both, commit):
    other = place.open("other")
    other.declare_vectors("m", 2)
    commit(other, FIRST)
    fill(other)
    fill(both, "n", (0.0, 0.0, 1.0))
    both.switch_vectors()
    assert other.vector_model() == VectorModel("m", 2)
    assert set(near(other, EAST)) == {INTRO.id, HOME.id}


def test_an_entity_that_is_no_longer_mentioned_lacks_nothing(store, commit):
    commit(store, FIRST, replace(FIRST, mentions=(mention(HOME, MIRA),)))
    assert lacking(store, kinds=["entity"]).keys() == {MIRA.id}
