"""Bodies outside of the store: what may go, what points to it, and what becomes of it when that changes."""

from dataclasses import replace

import pytest
from store.samples import FIRST, LOG_MD, MIRA_MD, SECOND, episode, rewritten

from kgmem.archive.checking import unreadable
from kgmem.archive.files import bodies_of
from kgmem.archive.moving import bring_back, put_away
from kgmem.archive.tidying import tidy
from kgmem.errors import ArchiveError
from kgmem.model import OPEN
from kgmem.store.archive import Pointer, State
from kgmem.store.changes import ChangeSet, Erasure
from kgmem.store.loading import HalfCopy
from kgmem.store.volumes.volume import digest_of

LONG, LONGER = "Mira directs Nord. " * 20, "Mira lives in Paris. " * 20
ALL = OPEN
"""A time before which everything was recorded."""


def silent(_stage, _done, _total):
    pass


@pytest.fixture
def held(store, commit):
    """One note with three revisions, of which the first two are superseded, and one that is gone."""
    commit(store, FIRST, SECOND, rewritten(LONG), rewritten(LONGER), rewritten("Now it is short."))
    commit(store, rewritten(LONG + "log", LOG_MD), ChangeSet("remove", removed=LOG_MD.id))
    return store


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "archive"


def away(store, folder):
    return put_away(store.archive(), str(folder), ALL, silent)


def files(folder):
    return sorted(each for each in folder.rglob("*") if each.is_file())


def states(store):
    return [each.state for each in store.archive().shelves()]


def texts(store, source=MIRA_MD):
    return [each.body for each in store.episodes(source.id)]


def test_what_is_not_current_and_longer_than_a_pointer_may_go(held):
    old = held.archive().old(ALL, 10**6)
    assert sorted(each.body for each in old) == sorted([LONG, LONG + "log", LONGER])
    assert held.archive().waiting(ALL) == (3, len(LONG) + len(LONG + "log") + len(LONGER))


def test_what_was_recorded_later_stays(held):
    first, second, *_ = held.episodes(MIRA_MD.id)
    third = held.episodes(MIRA_MD.id)[2]
    assert second.body == LONG
    assert [each.episode for each in held.archive().old(third.recorded_at, 10**6)] == [second.id]
    assert held.archive().old(first.recorded_at, 10**6) == ()


def test_few_bytes_are_one_body_at_a_time(held):
    assert len(held.archive().old(ALL, 1)) == 1


def test_a_memory_says_the_same_with_its_old_bodies_outside(held, folder):
    before, dump = texts(held), list(held.dump())
    moved = away(held, folder)
    assert (moved.bodies, moved.bytes, moved.volumes) == (3, len(LONG) * 2 + 3 + len(LONGER), 1)
    assert held.archive().waiting(ALL) == (0, 0)
    assert [isinstance(each.text, Pointer) for each in held.episodes(MIRA_MD.id)] == [False, True, True, False]
    assert texts(held) == before
    assert list(held.dump()) == dump
    assert states(held) == [State.KEPT]
    assert list(unreadable(held)) == list(unreadable(held, quick=True)) == []


def test_it_ticks_no_clock(held, folder):
    before = held.transactions()
    away(held, folder)
    assert held.transactions() == before


def test_again_there_is_nothing_to_do(held, folder):
    away(held, folder)
    made = files(folder)
    assert away(held, folder).bodies == 0
    assert files(folder) == made


def test_all_of_it_comes_back(held, folder):
    before = texts(held)
    away(held, folder)
    assert bring_back(held.archive(), silent).bodies == 3
    assert [each.text for each in held.episodes(MIRA_MD.id)] == before
    assert files(folder) == []
    assert held.archive().shelves() == ()


def test_a_body_that_is_current_again_is_in_the_store_again(held, folder, commit):
    away(held, folder)
    commit(held, rewritten(LONG))
    assert held.episode(MIRA_MD.id).text == LONG
    assert states(held) == [State.SPARE]
    assert list(unreadable(held)) == []
    assert tidy(held.archive()).rewritten == 1
    (shelf,) = held.archive().shelves()
    assert shelf.digests == {digest_of(LONGER), digest_of(LONG + "log")}
    assert [each.name for each in files(folder)] == [shelf.name]


def erasure(store, source, episode=None):
    made = store.claims_ever(source.id, episode)
    return Erasure(source.id, episode, tuple(claim for _, claim in made), tuple(slot for slot, _ in made), ())


def test_what_is_erased_is_written_out_of_its_volume(held, folder):
    away(held, folder)
    before = files(folder)
    held.erase(erasure(held, LOG_MD))
    assert states(held) == [State.TAINTED]
    assert [line for line in unreadable(held) if "erased" in line] != []
    assert tidy(held.archive()).rewritten == 1
    (shelf,) = held.archive().shelves()
    assert (shelf.state, shelf.digests) == (State.KEPT, {digest_of(LONG), digest_of(LONGER)})
    assert files(folder) != before
    assert bodies_of(shelf) == {digest_of(LONG): LONG, digest_of(LONGER): LONGER}


def test_a_volume_of_which_all_is_erased_goes(held, folder):
    away(held, folder)
    held.erase(erasure(held, LOG_MD))
    held.erase(erasure(held, MIRA_MD))
    assert tidy(held.archive()).removed == 1
    assert files(folder) == []
    assert held.archive().shelves() == ()


def test_what_came_back_before_it_was_erased_is_written_out_too(held, folder, commit):
    away(held, folder)
    commit(held, rewritten(LONG), rewritten("And changed again."))
    again = next(each for each in held.episodes(MIRA_MD.id) if each.body == LONG)
    held.erase(erasure(held, MIRA_MD, again.id))
    assert states(held) == [State.TAINTED]
    tidy(held.archive())
    (shelf,) = held.archive().shelves()
    assert digest_of(LONG) not in shelf.digests


def test_nothing_is_kept_in_a_volume_that_is_no_longer_to_be_written(held):
    archive = held.archive()
    (one, *_) = archive.old(ALL, 1)
    archive.begin("/somewhere", "v1", 10)
    assert archive.doom("v1")
    assert not archive.keep("v1", {one.episode: digest_of(one.body)})
    archive.drop("v1")
    assert archive.shelves() == ()


def test_of_two_who_move_the_same_body_one_is_late(held):
    archive = held.archive()
    (one, *_) = archive.old(ALL, 1)
    for name in ("v1", "v2"):
        archive.begin("/somewhere", name, 10)
    assert archive.keep("v1", {one.episode: digest_of(one.body)})
    assert not archive.keep("v2", {one.episode: digest_of(one.body)})
    assert [(each.name, each.state, len(each.digests)) for each in archive.shelves()] == [
        ("v1", State.KEPT, 1),
        ("v2", State.BEGUN, 0),
    ]
    assert not archive.doom("v1")


def test_the_current_body_does_not_go(held):
    now = held.episode(MIRA_MD.id)
    held.archive().begin("/somewhere", "v1", 10)
    assert not held.archive().keep("v1", {now.id: digest_of(now.body)})


def test_only_the_very_bodies_of_a_volume_are_taken_over_or_brought_back(held):
    archive = held.archive()
    (one, *_) = archive.old(ALL, 1)
    digest = digest_of(one.body)
    archive.begin("/somewhere", "v1", 10)
    archive.keep("v1", {one.episode: digest})
    assert archive.bring_back("v1", {}) is None
    assert archive.bring_back("v1", {digest: one.body}) == 1
    assert archive.bring_back("v1", {digest: one.body}) is None
    assert [each.state for each in archive.shelves()] == [State.DOOMED]


def test_a_volume_that_is_not_there_fails_only_who_reads_it(held, folder):
    away(held, folder)
    (file,) = files(folder)
    file.unlink()
    assert [each.is_blank for each in held.episodes(MIRA_MD.id)] == [False] * 4
    assert held.episode(MIRA_MD.id).body == "Now it is short."
    assert len(held.passages_of(MIRA_MD.id)) == 1
    with pytest.raises(ArchiveError, match="which is not there"):
        texts(held)
    (line,) = unreadable(held)
    assert str(file) in line
    assert len(bring_back(held.archive(), silent).problems) == 1
    assert states(held) == [State.KEPT]


def test_the_volumes_of_a_generation_that_is_dropped_are_left_to_the_one_that_answers(held, place, folder):
    made = held.generations().make()
    other = place.open(f"default~{made.number}", unfinished=True)
    half = other.loader().begin(HalfCopy("x", "y"))
    other.loader().end(other.loader().load(list(held.dump()), half))
    assert list(other.dump()) == list(held.dump())
    assert away(other, folder).bodies == 3
    assert states(held) == []
    held.generations().drop(made.number)
    assert states(held) == [State.DOOMED]
    assert tidy(held.archive()).removed == 1
    assert files(folder) == []


def test_groups_have_folders_of_their_own(held, place, commit, folder):
    other = place.open("other")
    commit(other, FIRST, rewritten(LONG), rewritten("Now it is short."))
    away(held, folder)
    away(other, folder)
    assert len({each.parent for each in files(folder)}) == 2
    bring_back(other.archive(), silent)
    assert len(files(folder)) == 1
    assert texts(held)[1] == LONG


def test_a_copy_has_the_bodies_themselves(held, place, folder):
    away(held, folder)
    other = place.open("other", unfinished=True)
    half = other.loader().begin(HalfCopy("x", "y"))
    other.loader().end(other.loader().load(list(held.dump()), half))
    (file,) = files(folder)
    file.unlink()
    assert [each.body for each in other.episodes(MIRA_MD.id)][1:3] == [LONG, LONGER]


def test_the_same_text_of_two_sources_lies_in_a_volume_once(store, commit, folder):
    sources = [replace(LOG_MD, id=f"{number:016x}", path=f"{number}.md") for number in range(1, 4)]
    for each in sources:
        commit(store, rewritten(LONG, each), rewritten("Now it is short.", each))
    assert away(store, folder).bodies == 3
    (shelf,) = store.archive().shelves()
    assert shelf.digests == {digest_of(LONG)}
    store.erase(erasure(store, sources[0]))
    tidy(store.archive())
    assert texts(store, sources[1])[0] == LONG
    assert bring_back(store.archive(), silent).bodies == 2


def test_episodes_know_whether_they_say_nothing():
    assert episode(MIRA_MD, " \n").is_blank
    assert not episode(MIRA_MD, "x").is_blank
