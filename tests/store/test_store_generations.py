"""Generations: which of them a group is, who follows when that changes, and what goes with one that is dropped."""

import json
from dataclasses import replace

import pytest
from store.samples import FIRST, MIRA, SECOND

from kgmem.errors import NotFoundError, StoreError, StoreLockedError
from kgmem.store import generations
from kgmem.store.changes import ChangeSet
from kgmem.store.conversations import Message, MessageQuery
from kgmem.store.generations import Generation, Holder, waiting_of
from kgmem.store.loading import HalfCopy
from kgmem.store.protocol import FactQuery, Scope

HALF = HalfCopy("the group default", "d1")
RENAMED = ChangeSet("merge", entities=(replace(MIRA, name="Mira Berg"),))


@pytest.fixture
def held(place, commit):
    """A group in which something stands, with its clock at noon."""
    store = place.at(0)
    commit(store, FIRST, SECOND)
    return store


def filled(place, store, group="default"):
    """A generation of a group with the same rows."""
    made = store.generations().make()
    target = place.open(f"{group}~{made.number}", unfinished=True)
    half = target.loader().begin(HALF)
    target.loader().end(target.loader().load(list(store.dump()), half))
    return made, target


def always():
    return True


def test_a_group_begins_without_generations(held):
    assert held.generations().every() == ()


def test_a_generation_is_made_beside_the_group(place, held):
    before = list(held.dump())
    made = held.generations().make()
    name = place.group("default")
    assert made == Generation(2, f"{name}~2")
    assert held.generations().every() == (Generation(1, f"{name}~1", current=True), made)
    assert held.generations().make() == made
    assert list(held.dump()) == before
    assert list(place.open("default~1").dump()) == before
    assert place.open("default~2").transactions() == ()


def test_what_it_was_made_of_is_kept_until_it_is_made_again(held):
    made = held.generations().make()
    held.generations().complete(made.number, "digest")
    assert held.generations().every()[1] == replace(made, made_of="digest")
    held.generations().make()
    assert held.generations().every()[1] == made


def test_a_promoted_generation_is_the_group(place, held, commit):
    made, _ = filled(place, held)
    assert held.generations().promote(made.number, always)
    assert [(each.current, each.before) for each in held.generations().every()] == [(False, True), (True, False)]
    commit(place.at(1), RENAMED)
    assert place.open().entities([MIRA.id])[MIRA.id].name == "Mira Berg"
    assert place.open("default~2").entities([MIRA.id])[MIRA.id].name == "Mira Berg"
    assert place.open("default~1").entities([MIRA.id])[MIRA.id].name == "Mira"
    assert [hit.id for hit in place.open(readonly=True).search(Scope.ENTITIES, "Berg", 9)] == [MIRA.id]


def test_who_writes_follows_with_the_next_transaction(place, held, commit):
    made, _ = filled(place, held)
    place.open().generations().promote(made.number, always)
    commit(held, RENAMED)
    assert held.entities([MIRA.id])[MIRA.id].name == "Mira Berg"
    assert place.open("default~1").entities([MIRA.id])[MIRA.id].name == "Mira"
    with held.batch():
        commit(held, ChangeSet("merge", entities=(replace(MIRA, name="M"),)))
    assert place.open("default~2").entities([MIRA.id])[MIRA.id].name == "M"


def test_a_question_is_kept_in_the_generation_that_answers(place, held):
    asking = place.open(readonly=True)
    made, _ = filled(place, held)
    held.generations().promote(made.number, always)
    asking.conversations().add(Message("default", held.transactions()[-1].recorded_at, "Where?", MIRA.id))
    assert place.open("default~2").conversations().messages(MessageQuery())[0] == 1
    assert place.open("default~1").conversations().messages(MessageQuery())[0] == 0


def test_a_promotion_asks_while_nobody_writes_and_may_be_refused(place, held, commit):
    made, _ = filled(place, held)
    asked = []

    def never():
        asked.append(list(held.dump()) == list(place.open("default~1").dump()))
        return False

    assert not held.generations().promote(made.number, never)
    assert asked == [True]
    assert held.generations().every()[0].current
    commit(held, RENAMED)
    assert place.open("default~1").entities([MIRA.id])[MIRA.id].name == "Mira Berg"


def test_back_and_forth(place, held):
    made, _ = filled(place, held)
    held.generations().promote(made.number, always)
    held.generations().promote(1, always)
    assert [(each.current, each.before) for each in held.generations().every()] == [(True, False), (False, True)]
    held.generations().promote(1, always)
    assert [(each.current, each.before) for each in held.generations().every()] == [(True, False), (False, True)]


def test_a_new_generation_never_takes_the_place_of_one_that_answered(place, held):
    made, _ = filled(place, held)
    held.generations().promote(made.number, always)
    held.generations().promote(1, always)
    assert held.generations().make().number == 3


def test_what_answered_once_never_waits_again(held):
    there = held.generations()
    for number in (2, 3):
        assert there.make().number == number
        there.promote(number, always)
    there.promote(2, always)
    assert waiting_of(there.every()) is None
    assert there.make().number == 4
    assert waiting_of(there.every()).number == 4
    there.promote(4, always)
    there.promote(2, always)
    assert [(each.number, each.current, each.before) for each in there.every()] == [
        (1, False, False), (2, True, False), (3, False, False), (4, False, True)
    ]  # fmt: skip
    assert waiting_of(there.every()) is None
    assert there.make().number == 5


def test_a_dropped_generation_leaves_nothing_and_the_others_as_they_were(place, held):
    made, target = filled(place, held)
    target.declare_vectors("m", 2)
    neighbour = place.open("default~2-not")
    before, name = list(held.dump()), place.group("default")
    target.close()
    held.generations().drop(made.number)
    assert held.generations().every() == (Generation(1, f"{name}~1", current=True),)
    assert list(held.dump()) == before
    assert held.verify() == neighbour.verify() == ()
    assert [hit.id for hit in held.search(Scope.ENTITIES, "Mira", 9)] == [MIRA.id]
    assert held.generations().make() == made
    with pytest.raises(NotFoundError, match=r"no generation .*~7"):
        held.generations().drop(7)
    with pytest.raises(NotFoundError, match=r"no generation .*~7"):
        held.generations().promote(7, always)


def test_the_first_generation_can_be_dropped_too(place, held, commit):
    made, _ = filled(place, held)
    before = list(held.dump())
    held.generations().promote(made.number, always)
    with pytest.raises(StoreError, match="is the generation that answers"):
        held.generations().drop(made.number)
    held.generations().drop(1)
    assert [each.number for each in held.generations().every()] == [2]
    assert list(place.open().dump()) == before
    commit(place.at(1), RENAMED)
    assert [hit.id for hit in place.open().search(Scope.ENTITIES, "Berg", 9)] == [MIRA.id]
    assert place.open("default~1", readonly=True).facts(FactQuery())[0] == 0
    assert held.generations().make().number == 3


def test_a_group_is_not_made_under_the_name_of_a_generation(place):
    with pytest.raises(NotFoundError, match=r"no generation .*~5"):
        place.open("default~5")
    assert place.open("default~", unfinished=True).transactions() == ()


def test_half_a_generation_is_not_opened_by_mistake(place, held):
    made = held.generations().make()
    place.open(f"default~{made.number}", unfinished=True).loader().begin(HALF)
    with pytest.raises(StoreError, match="half a copy") as caught:
        place.open("default~2")
    assert caught.value.hint == "the same `kgmem reextract` again completes it"
    assert [line for line in held.dump() if json.loads(line)["table"] == "tx"] != []


def test_one_process_makes_a_generation_at_a_time(place, held, monkeypatch):
    held.generations().hold()
    held.generations().hold()
    monkeypatch.setattr(generations, "this_process", lambda now: Holder(1, "elsewhere", now))
    monkeypatch.setattr("os.getpid", lambda: 1)
    with pytest.raises(StoreLockedError, match=r"process \d+ on .* is re-extracting the group "):
        place.open().generations().hold()
    place.open().generations().let_go()
    monkeypatch.undo()
    held.generations().let_go()
    place.open().generations().hold()


def test_who_ended_or_fell_silent_holds_nothing():
    gone = Holder(2**22 + 1, generations.this_process(0).host, seen=1000)
    assert gone.is_gone(1001)
    assert not Holder(1, "elsewhere", seen=1000).is_gone(4600)
    assert Holder(1, "elsewhere", seen=1000).is_gone(4601)
    assert not generations.this_process(1000).is_gone(87_400)
    assert generations.this_process(1000).is_gone(87_401)
