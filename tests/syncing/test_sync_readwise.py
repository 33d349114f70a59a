"""A memory follows what a person does at Readwise."""

import json
from datetime import timedelta

import pytest
from syncing.readwise import MORNING, book, highlight, lending
from syncing.shelf import after

from kgmem.errors import ConfigurationError, SourceError
from kgmem.model import Instant, Replayed
from kgmem.sources.readwise.shelf import ROOT
from kgmem.syncing import Mark

WHEAT = highlight(11, "Wheat domesticated us.")
MONEY = highlight(12, "Money is trust.")
SILENCE = highlight(21, "Silence is a source of strength.")
LATER = "2026-03-02T12:30:00Z"


def sapiens(*highlights, **more):
    return book(1, "Sapiens", *(dict(each) for each in highlights or (WHEAT, MONEY)), **more)


def tao(**more):
    return book(2, "Tao Te Ching", dict(SILENCE), author="Lao Tzu", **more)


def test_books_come_in_by_the_page(shelf):
    with lending(sapiens(), tao(), size=1) as library:
        assert shelf.sync(library) == (2, 0, 0, 0)
    assert [each.get("pageCursor") for each in library.asked] == [None, "1"]
    assert shelf.texts() == {
        "1/Sapiens": ["Wheat domesticated us.", "Money is trust."],
        "2/Tao Te Ching": ["Silence is a source of strength."],
    }
    assert "Sapiens is by Yuval Noah Harari." in shelf.facts()


def test_nothing_new_is_one_request(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        library.asked.clear()
        assert shelf.sync(library, 3) == (0, 0, 0, 0)
    assert library.asked == [
        {"path": "/api/v2/export/", "includeDeleted": "true", "updatedAfter": "2026-03-02T08:50:00+00:00"}
    ]


def test_what_comes_again_changes_nothing(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        before = list(shelf.store(9).dump())
        assert shelf.sync(library, full=True) == (0, 0, 0, 2)
    assert list(shelf.store(9).dump()) == before


def test_a_changed_highlight_comes_alone_and_the_others_stay(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        library.change(12, LATER, text="Money is the most universal trust.", note="So is a promise.")
        assert shelf.sync(library, 4) == (0, 1, 0, 0)
    assert shelf.texts()["1/Sapiens"] == ["Wheat domesticated us.", "Money is the most universal trust."]
    assert "\nSo is a promise.\n" in shelf.bodies()["1/Sapiens"]
    assert len(shelf.store(9).episodes(shelf.store(9).source("1/Sapiens").id)) == 2


def test_a_new_highlight_is_put_where_it_stands_in_the_book(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        library.books[0]["highlights"].append(highlight(5, "Fictions bind us.", location=3, updated=LATER))
        assert shelf.sync(library, 4) == (0, 1, 0, 0)
    assert shelf.texts()["1/Sapiens"] == ["Fictions bind us.", "Wheat domesticated us.", "Money is trust."]


@pytest.mark.parametrize(
    "gone", [{"is_deleted": True}, {"is_discard": True}, {"tags": [{"id": 1, "name": ".discard"}]}]
)
def test_what_is_deleted_or_thrown_away_is_withdrawn(shelf, gone):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        assert shelf.finds("wheat domesticated") == 1
        library.change(11, LATER, **gone)
        assert shelf.sync(library, 4) == (0, 1, 0, 0)
    assert shelf.texts()["1/Sapiens"] == ["Money is trust."]
    assert shelf.finds("wheat domesticated") == 0


def test_what_is_taken_back_comes_back(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library)
        library.change(11, LATER, is_discard=True)
        shelf.sync(library, 4)
        library.change(11, "2026-03-02T14:00:00Z", is_discard=False)
        shelf.sync(library, 6)
    assert shelf.texts()["1/Sapiens"] == ["Wheat domesticated us.", "Money is trust."]


def test_a_deleted_book_is_removed_though_it_is_all_there_is(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        for one in library.books:
            one["is_deleted"] = True
        library.change(11, LATER)
        library.change(21, LATER)
        assert shelf.sync(library, 4) == (0, 0, 2, 0)
    assert shelf.bodies() == {}
    assert shelf.facts() == []


def test_a_book_of_which_nothing_is_left_is_a_book_still(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        library.change(21, LATER, is_deleted=True)
        assert shelf.sync(library, 4) == (0, 1, 0, 0)
        library.books[1]["highlights"].append(highlight(22, "Water wins.", updated="2026-03-02T13:30:00Z"))
        assert shelf.sync(library, 5) == (0, 1, 0, 0)
    assert shelf.texts()["2/Tao Te Ching"] == ["Water wins."]


def test_a_book_that_comes_back_comes_back_whole_at_the_latest_with_full(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        library.books[0]["is_deleted"] = True
        library.change(11, LATER)
        assert shelf.sync(library, 4) == (0, 0, 1, 0)
        library.books[0]["is_deleted"] = False
        library.change(11, "2026-03-02T14:00:00Z")
        assert shelf.sync(library, 6) == (1, 0, 0, 0)
        shelf.sync(library, 7, full=True)
    assert shelf.texts()["1/Sapiens"] == ["Wheat domesticated us.", "Money is trust."]


def test_a_title_put_right_is_the_same_source(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library)
        before = shelf.store(9).source("1/Sapiens").id
        library.books[0]["title"] = "Sapiens: A Brief History"
        library.change(11, LATER)
        assert shelf.sync(library, 4) == (0, 1, 0, 0)
    (now,) = shelf.store(9).sources(ROOT)
    assert (now.id, now.title) == (before, "Sapiens: A Brief History")


def test_in_parts_or_at_once_is_the_same(shelf):
    with lending(sapiens(), tao()) as library:
        shelf.sync(library)
        library.change(12, LATER, text="Trust.")
        shelf.sync(library, 4)
        library.books[1]["highlights"].append(highlight(22, "Water wins.", updated="2026-03-02T13:30:00Z"))
        library.change(11, "2026-03-02T13:40:00Z", is_deleted=True)
        shelf.sync(library, 5)
        shelf.sync(library, 6, group="fresh")
    assert shelf.bodies() == shelf.bodies("fresh")
    assert shelf.facts() == shelf.facts("fresh")


def test_a_book_that_comes_on_two_pages_is_one(shelf):
    with lending(sapiens(WHEAT), sapiens(MONEY), size=1) as library:
        shelf.sync(library)
        assert len(library.asked) == 2
    assert shelf.texts() == {"1/Sapiens": ["Wheat domesticated us.", "Money is trust."]}


def test_a_book_that_comes_twice_on_a_page_is_one(shelf):
    with lending(sapiens(WHEAT), sapiens(MONEY)) as library:
        shelf.sync(library)
    assert shelf.texts() == {"1/Sapiens": ["Wheat domesticated us.", "Money is trust."]}


def test_books_without_an_id_go_by_their_titles(shelf):
    with lending(book(None, "Sapiens", dict(WHEAT)), book(None, "Walden", dict(SILENCE))) as library:
        assert shelf.sync(library) == (2, 0, 0, 0)
        assert shelf.sync(library, 1, full=True) == (0, 0, 0, 2)
    assert shelf.texts() == {
        "Sapiens": ["Wheat domesticated us."],
        "Walden": ["Silence is a source of strength."],
    }


def test_two_books_of_one_title_stay_two(shelf):
    with lending(book(1, "Walden", dict(WHEAT)), book(2, "Walden", dict(MONEY), author="B. F. Skinner")) as library:
        assert shelf.sync(library) == (2, 0, 0, 0)
    assert sorted(shelf.texts()) == ["1/Walden", "2/Walden"]


def test_nothing_is_done_in_a_dry_run(shelf):
    with lending(sapiens(), tao(), size=1) as library:
        assert shelf.sync(library, dry_run=True) == (2, 0, 0, 0)
    assert shelf.bodies() == {}
    assert shelf.store(9).replayed(ROOT) is None


# -- how far


def test_the_mark_is_a_little_before_the_first_page_was_asked_for(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library)
    assert shelf.mark() == Mark(since=after(minutes=-10))


def test_a_clock_that_runs_ahead_passes_nothing_over(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library, clock=MORNING - timedelta(days=400))
        assert shelf.mark().since == after(hours=-9600, minutes=-10)
        shelf.sync(library, 1, clock=MORNING + timedelta(days=400))
        assert shelf.mark().since == after(hours=1, minutes=-10)


def test_a_clock_that_falls_back_asks_for_nothing_twice(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library, 5)
        library.now = MORNING
        shelf.sync(library, 5, clock=MORNING - timedelta(days=400))
    assert shelf.mark().since == after(hours=5, minutes=-10)


def test_without_the_services_clock_the_mark_stays(shelf):
    body = json.dumps({"results": [], "nextPageCursor": None}).encode()
    with lending(sapiens()) as library:
        shelf.sync(library)
        library.troubles = [(200, {"Content-Length": str(len(body)), "Date": "never"}, body)]
        shelf.sync(library, 4)
    assert shelf.mark() == Mark(since=after(minutes=-10))


def test_who_is_stopped_between_two_pages_goes_on_there(shelf):
    with lending(sapiens(), tao(), size=1, troubles=[None, (401, {}, b"")]) as library:
        with pytest.raises(ConfigurationError):
            shelf.sync(library)
        assert list(shelf.texts()) == ["1/Sapiens"]
        assert shelf.mark() == Mark(until=after(minutes=-10), cursor="1")
        library.asked.clear()
        assert shelf.sync(library, 2) == (1, 0, 0, 0)
    assert [each.get("pageCursor") for each in library.asked] == ["1", None]
    assert shelf.mark() == Mark(since=after(hours=2, minutes=-10))


def test_what_changed_while_a_sync_was_broken_off_is_seen_by_the_next(shelf):
    with lending(sapiens(), tao(), size=1, troubles=[None, (401, {}, b"")]) as library:
        with pytest.raises(ConfigurationError):
            shelf.sync(library)
        library.change(11, "2026-03-02T10:00:00Z", text="Wheat made us.")
        assert shelf.sync(library, 2) == (1, 1, 0, 0)
    assert shelf.texts()["1/Sapiens"] == ["Wheat made us.", "Money is trust."]


def test_a_cursor_that_is_no_longer_known_starts_again(shelf):
    told = []
    with lending(sapiens(), tao(), size=1) as library:
        shelf.store().mark_replayed(ROOT, Mark(cursor="old", until=after()).kept())
        library.troubles = [(404, {}, b"")]
        assert shelf.sync(library, told=told) == (2, 0, 0, 0)
    assert [each.get("pageCursor") for each in library.asked] == ["old", None, "1"]
    assert told == ["Readwise no longer knows where the last sync stopped: what is new is asked for from its beginning"]


def test_a_service_that_knows_none_of_its_pages_is_given_up(shelf):
    with lending(sapiens(), tao(), size=1) as library:
        library.troubles = [None, (400, {}, b""), None, (400, {}, b"")]
        with pytest.raises(SourceError, match="pages that it does not have"):
            shelf.sync(library)


def test_full_asks_for_everything(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library)
        library.books.append(tao())
        assert shelf.sync(library, 5) == (0, 0, 0, 0)
        assert shelf.sync(library, 6, full=True) == (1, 0, 0, 1)
    assert "updatedAfter" not in library.asked[-1]


def test_each_group_has_a_mark_of_its_own(shelf):
    with lending(sapiens()) as library:
        shelf.sync(library)
        assert shelf.sync(library, 1, group="yours") == (1, 0, 0, 0)


@pytest.mark.parametrize("text", ["", "abc", "7", "null", "[1]", "[1,2,3]", '{"a": 1}'])
def test_a_mark_that_cannot_be_read_asks_for_everything(text):
    assert Mark.read(Replayed(text, Instant(5))) == Mark()


# -- what Readwise would not send


def test_what_is_no_book_is_said_and_hides_nothing(shelf):
    with lending(sapiens()) as library:
        library.books += [{"title": "nothing marked"}, tao()]
        library.size = 9
        assert shelf.sync(library) == (2, 0, 0, 0)
    assert shelf.problems == ["Readwise gives something that is no book"]


def test_strange_letters_stand_in_no_way(shelf):
    odd = highlight(11, "half \ud83d a face\x00, and \u202eback")
    with lending(book(1, "A/B: \ud800 #1 [[x]]", odd, author="N\x00one")) as library:
        assert shelf.sync(library) == (1, 0, 0, 0)
        assert shelf.sync(library, 1, full=True) == (0, 0, 0, 1)
    assert list(shelf.bodies()) == ["1/A-B: ? #1 [[x]]"]
