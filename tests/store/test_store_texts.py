"""Sources, episodes and passages."""

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
    bound,
    episode,
    passage,
    rewritten,
)

from kgmem.errors import InvariantError
from kgmem.model import OPEN, UNKNOWN, Basis, identify
from kgmem.store.changes import ChangeSet
from kgmem.store.protocol import Placed


def test_a_source_comes_back_as_it_was_written(store, commit):
    commit(store, FIRST, SECOND)
    assert list(store.sources()) == [MIRA_MD, LOG_MD]
    assert list(store.sources("/vault")) == [MIRA_MD, LOG_MD]
    assert list(store.sources("/other")) == []
    assert store.roots() == (("obsidian", "/vault", 2),)


def test_a_source_is_found_by_id_and_by_path(store, commit):
    commit(store, FIRST)
    assert store.source(MIRA_MD.id) == MIRA_MD
    assert store.source("People/Mira.md") == MIRA_MD
    assert store.source("people/mira.md") is None


def test_a_path_that_two_folders_have_names_no_source(store, commit):
    other = replace(MIRA_MD, id=identify("other"), root="/second", entity=None)
    commit(store, FIRST, ChangeSet("ingest", source=other))
    assert store.source("People/Mira.md") is None
    assert store.source(other.id) == other


def test_sources_about_an_entity(store, commit):
    commit(store, FIRST, SECOND)
    assert store.sources_about(MIRA.id) == (MIRA_MD,)
    assert store.sources_about(PARIS.id) == ()


def test_an_episode_is_current_from_its_transaction_on(store, commit):
    at = commit(store, FIRST)
    assert store.episode(MIRA_MD.id) == replace(MIRA_1, recorded_at=at, closed_at=OPEN)
    assert store.episode(LOG_MD.id) is None


def test_passages_keep_their_order_and_lines(store, commit):
    commit(store, FIRST)
    assert store.passages_of(MIRA_MD.id) == (INTRO, HOME)


def test_a_text_that_stands_twice_is_a_passage_twice(store, commit):
    twice = (replace(HOME, first_line=1, last_line=1), INTRO, replace(HOME, first_line=9, last_line=9))
    commit(store, replace(FIRST, passages=twice))
    assert store.passages_of(MIRA_MD.id) == twice
    assert store.placed([HOME.id])[HOME.id].passage.first_line == 1


def test_a_revision_keeps_a_passage_and_moves_its_lines(store, commit):
    commit(store, FIRST)
    lower = replace(HOME, first_line=40, last_line=41)
    again = episode(MIRA_MD, "second", bound("2024-06-01"))
    commit(store, replace(FIRST, episode=again, passages=(lower,), mentions=None, claims=(), opened=()))
    assert store.passages_of(MIRA_MD.id) == (lower,)
    assert store.episode(MIRA_MD.id).id == again.id
    assert store.placed([INTRO.id, HOME.id]) == {
        HOME.id: Placed(lower, "/vault", "People/Mira.md", "Mira", bound("2024-06-01"))
    }


def test_a_note_that_goes_back_to_an_earlier_text(store, commit):
    commit(store, FIRST, rewritten("other"))
    assert store.passages_of(MIRA_MD.id) == (passage(MIRA_MD, "other"),)
    at = commit(store, FIRST)
    assert store.passages_of(MIRA_MD.id) == (INTRO, HOME)
    assert store.episode(MIRA_MD.id) == replace(MIRA_1, recorded_at=at)


def test_a_new_reading_of_the_same_episode_replaces_its_passages(store, commit):
    commit(store, FIRST)
    whole = passage(MIRA_MD, "Mira directs Château Nord. Mira lives in Paris", 12)
    commit(store, ChangeSet("reread", source=MIRA_MD, passages=(HOME, whole)))
    assert store.passages_of(MIRA_MD.id) == (HOME, whole)
    assert store.evidence([FIRST.claims[0][1].id])[FIRST.claims[0][1].id].line == 13


def test_an_empty_note_has_an_episode_and_no_passages(store, commit):
    commit(store, FIRST, ChangeSet("ingest", source=MIRA_MD, episode=episode(MIRA_MD, "")))
    assert store.passages_of(MIRA_MD.id) == ()
    assert store.episode(MIRA_MD.id).body == ""


def test_a_move_keeps_everything_and_changes_the_path(store, commit):
    commit(store, FIRST)
    moved = replace(MIRA_MD, path="Friends/Mira L.md", title="Mira L")
    commit(store, ChangeSet("move", source=moved))
    assert store.source(MIRA_MD.id) == moved
    assert store.source("People/Mira.md") is None
    assert store.placed([INTRO.id])[INTRO.id] == Placed(
        INTRO, "/vault", "Friends/Mira L.md", "Mira L", bound("2024-05-01")
    )


def test_a_removed_source_is_in_nothing_that_is_live(store, commit):
    commit(store, FIRST, SECOND, ChangeSet("remove", removed=MIRA_MD.id))
    assert list(store.sources()) == [LOG_MD]
    assert store.source(MIRA_MD.id) is None
    assert store.source("People/Mira.md") is None
    assert store.sources_about(MIRA.id) == ()
    assert store.roots() == (("obsidian", "/vault", 1),)
    assert store.episode(MIRA_MD.id) is None
    assert store.passages_of(MIRA_MD.id) == ()
    assert store.placed([INTRO.id, TRIP.id]).keys() == {TRIP.id}
    assert store.aliases_from(MIRA_MD.id) == ()
    assert store.namings(["mira", "mimi"]) == {}


def test_a_removed_source_that_returns_is_live_again(store, commit):
    commit(store, FIRST, ChangeSet("remove", removed=MIRA_MD.id))
    later = replace(MIRA_1, occurred=bound("2024-07-01", Basis.FILE))
    at = commit(store, replace(FIRST, episode=later, claims=(), opened=()))
    assert list(store.sources()) == [MIRA_MD]
    assert store.episode(MIRA_MD.id) == replace(later, recorded_at=at)
    assert store.passages_of(MIRA_MD.id) == (INTRO, HOME)


def test_new_times_of_a_file_are_no_transaction(store, commit):
    commit(store, FIRST)
    before = list(store.dump())
    touched = replace(MIRA_MD, size=81, mtime_ns=99)
    store.restat([touched])
    assert store.source(MIRA_MD.id) == touched
    assert list(store.dump()) == before
    commit(store, ChangeSet("ingest", source=replace(touched, mtime_ns=100)))
    assert store.source(MIRA_MD.id).mtime_ns == 100
    assert list(store.dump()) == before


def test_sources_naming_finds_links_aliases_and_words(store, commit):
    commit(store, FIRST, SECOND)
    assert store.sources_naming(["château nord"]) == {MIRA_MD.id}
    assert store.sources_naming(["mimi"]) == {MIRA_MD.id}
    assert store.sources_naming([], ["Mimi"]) == {LOG_MD.id}
    assert store.sources_naming([], ["lives in paris"]) == {MIRA_MD.id}
    assert store.sources_naming([], ["Nord Mira"]) == frozenset()
    assert store.sources_naming(["nobody"], ["nobody", ""]) == frozenset()


def test_sources_naming_finds_a_name_without_letters(store, commit):
    commit(store, FIRST, rewritten("a 🦊 ran by"))
    assert store.sources_naming([], ["🦊"]) == {MIRA_MD.id}
    assert store.sources_naming([], ["🐻"]) == frozenset()


@pytest.mark.parametrize(
    "changes",
    [
        ChangeSet("ingest", episode=MIRA_1),
        ChangeSet("ingest", source=replace(MIRA_MD, entity=identify("nobody"))),
        ChangeSet("ingest", removed=MIRA_MD.id),
        ChangeSet("ingest", links=(("a", True),)),
        ChangeSet("ingest", source=LOG_MD, passages=(TRIP,)),
        replace(SECOND, entities=()),
        replace(FIRST, entities=(MIRA, NORD)),
        replace(FIRST, passages=(INTRO,)),
        replace(FIRST, source=replace(MIRA_MD, id="not an id")),
        replace(FIRST, episode=replace(MIRA_1, text="half \ud83d of a pair")),
    ],
)
def test_a_set_that_refers_to_nothing_is_refused_whole(store, changes):
    with pytest.raises(InvariantError), store.writing() as transaction:
        transaction.commit(changes)
    assert list(store.sources()) == []
    assert store.stats().counts["entities"] == 0


def test_an_episode_is_never_edited(store, commit):
    commit(store, FIRST)
    with pytest.raises(InvariantError):
        commit(store, ChangeSet("ingest", source=MIRA_MD, episode=replace(MIRA_1, hash="another")))


def test_a_source_without_a_date_is_placed_without_one(store, commit):
    commit(store, replace(SECOND, entities=(MIRA, PARIS), episode=replace(LOG_1, occurred=UNKNOWN)))
    assert store.placed([TRIP.id])[TRIP.id].occurred == UNKNOWN
