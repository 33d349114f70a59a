"""A body is read back into the book it was made of, and what is new is laid over it."""

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from kgmem.sources.readwise import Book, Highlight, body_of
from kgmem.sources.readwise.book import line, prose
from kgmem.sources.readwise.merging import book_in, id_in, merged, path_of

WORDS = st.text(alphabet="ab >#-\\\n\u2028\x0b:,.1", max_size=12)
LINES = WORDS.map(line)
TEXTS = WORDS.map(prose)
SOME = st.lists(LINES.filter(lambda name: name and "," not in name), max_size=2, unique=True).map(tuple)
DAYS = st.sampled_from(["", "2020-01-02", "2020-01-02T10:00:00Z"])
HIGHLIGHTS = st.builds(
    Highlight,
    text=TEXTS, note=TEXTS, location=LINES, at=DAYS, color=LINES, tags=SOME, url=LINES, id=st.sampled_from("12345"),
)  # fmt: skip
BOOKS = st.builds(
    Book,
    title=LINES, authors=SOME, contributors=SOME, aliases=SOME, category=LINES, via=LINES, url=LINES, published=LINES,
    saved=DAYS, summary=TEXTS, note=TEXTS, tags=SOME, id=LINES, highlights=st.lists(HIGHLIGHTS, max_size=3).map(tuple),
)  # fmt: skip


@given(BOOKS)
def test_a_body_is_read_back_whole(book):
    assert body_of(book_in(body_of(book))) == body_of(book)


def test_whatever_a_book_says_is_in_its_body_and_read_back():
    said = {each.name: each.name for each in fields(Highlight)}
    highlight = Highlight(**said | {"tags": ("one", "two"), "discarded": False})
    told = {each.name: each.name for each in fields(Book)}
    lists = {"authors": ("A", "B"), "contributors": ("C (Foreword)",), "aliases": ("alias",), "tags": ("x", "y")}
    book = Book(**told | lists | {"deleted": False, "saved": "2020-01-02", "highlights": (highlight,)})
    assert book_in(body_of(book)) == book


@given(BOOKS)
def test_nothing_new_changes_nothing(book):
    before = book_in(body_of(book))
    assert body_of(merged(before, before)) == body_of(book)


def test_what_is_new_is_laid_over_what_is_there():
    one, two, three = (Highlight(text, id=text, note="n") for text in "abc")
    now = merged(Book("Old", highlights=(one, two)), Book("New", highlights=(three, Highlight("A", id="a"))))
    assert now == Book("New", highlights=(Highlight("A", id="a"), two, three))


def test_a_note_that_was_taken_away_is_gone():
    before = book_in(body_of(Book("T", highlights=(Highlight("a", id="1", note="mine"),))))
    assert "mine" not in body_of(merged(before, Book("T", highlights=(Highlight("a", id="1"),))))


def test_a_book_is_filed_below_its_id():
    path = path_of(Book("Either/Or: A Fragment", id="38211"))
    assert path == "38211/Either-Or: A Fragment"
    assert id_in(path) == "38211"
    assert id_in(path_of(Book("Sapiens"))) is None
