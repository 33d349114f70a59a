"""Whatever a person does at Readwise, and wherever a sync is broken off: in the end it is as one sync of everything."""

from contextlib import suppress
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from store.conftest import Place
from syncing.readwise import book, highlight, lending
from syncing.shelf import Shelf

from kgmem.errors import SourceError

BOOKS, A_BOOK = 3, 3
BROKEN_OFF = (418, {"Content-Length": "0"}, b"")
EXPIRED = (404, {"Content-Length": "0"}, b"")

NUMBERS = st.integers(0, BOOKS * A_BOOK - 1)
EVENTS = st.one_of(
    st.tuples(st.just("text"), NUMBERS, st.sampled_from(["One.", "Two\nlines.", "> quoted", "- a list", ""])),
    st.tuples(st.just("note"), NUMBERS, st.sampled_from(["", "Mine.", "# Mine", "a\n\nb"])),
    st.tuples(st.just("is_deleted"), NUMBERS, st.booleans()),
    st.tuples(st.just("is_discard"), NUMBERS, st.booleans()),
    st.tuples(st.just("title"), NUMBERS, st.sampled_from(["On Sleep", "On Food"])),
    st.tuples(st.just("new"), NUMBERS, st.none()),
    st.tuples(st.just("sync"), st.none(), st.none()),
    st.tuples(st.just("broken off"), st.integers(0, 3), st.none()),
    st.tuples(st.just("expired"), st.none(), st.none()),
)


@settings(max_examples=25)
@given(st.lists(EVENTS, max_size=14))
def test_in_parts_or_at_once_is_the_same(events):
    with TemporaryDirectory() as folder, lending(size=1) as library:
        place = Place(f"sqlite:///{folder}/memory.db")
        shelf = Shelf(place)
        library.books = [
            book(number, f"Book {number}", *(highlight(A_BOOK * number + nr, f"Words {nr}.") for nr in range(A_BOOK)))
            for number in range(BOOKS)
        ]
        for hour, event in enumerate(events, 1):
            _happens(shelf, library, hour, *event)
        library.troubles.clear()
        shelf.sync(library, 50)
        shelf.sync(library, 50, group="fresh")
        bodies, fresh = shelf.bodies(), shelf.bodies("fresh")
        place.close()
    assert {path.split("/")[0]: body for path, body in bodies.items()} == {
        path.split("/")[0]: body for path, body in fresh.items()
    }


def _happens(shelf, library, hour, *event):
    what, number, value = event
    at = f"2026-03-02T{9 + hour:02}:00:00Z" if hour < 15 else "2026-03-03T00:00:00Z"
    if what in {"sync", "broken off", "expired"}:
        library.troubles = [None] * number + [BROKEN_OFF] if what == "broken off" else []
        library.troubles += [EXPIRED] if what == "expired" else []
        with suppress(SourceError):  # broken off, or the first page itself is refused
            shelf.sync(library, hour)
    elif what == "title":
        library.books[number // A_BOOK]["title"] = value
        library.change(number, at)
    elif what == "new":
        one = library.books[number // A_BOOK]["highlights"]
        one.append(highlight(100 + hour, f"New {hour}.", updated=at, location=100 + hour))
    else:
        library.change(number, at, **{what: value})
