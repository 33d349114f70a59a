"""A thought as a source: what it is called, what its body says, and what is no thought."""

from datetime import date

import pytest

from kgmem.errors import UserError
from kgmem.model import Basis, EntityType, Moment
from kgmem.sources.captures import LONGEST, Said, captures, composed, date_in, decoded, name_of, numbered, readable
from kgmem.sources.document import About, SourceSettings

DAY = Moment.day(date(2026, 3, 2))
MONTH = Moment.month(2026, 3)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Lunch with Ida", "Lunch with Ida"),
        ("- [ ] Call [[People/Ida Berg|Ida]] #todo", "Call Ida"),
        ("## Plans for *May*: a/b", "Plans for May a b"),
        ("\n---\n\nSecond line counts", "Second line counts"),
        ("See draft.canvas", "See draft canvas"),
        ("Read notes.md.", "Read notes md"),
        ("👍", "Capture"),
        ("one two three four five six seven eight nine ten eleven", "one two three four five six seven eight nine ten"),
        ("---\nmood: good\n---\nA walk", "A walk"),
    ],
)
def test_its_name_is_its_first_words(text, name):
    assert name_of(text, DAY) == f"2026-03-02 {name}"


def test_a_second_one_of_a_name_gets_a_number():
    assert [numbered("2026-03-02 Tea", each) for each in (1, 2)] == ["2026-03-02 Tea", "2026-03-02 Tea (2)"]


def test_what_its_name_says_its_body_does_not_repeat():
    assert composed("Lunch with Ida", Said(DAY)) == "Lunch with Ida"
    assert composed("Lunch with Ida", Said(MONTH, ("food",))) == (
        "---\ndate: 2026-03\ntags:\n  - food\n---\nLunch with Ida"
    )


def test_properties_of_its_own_are_kept():
    assert composed("---\nmood: good\n---\nLunch", Said(DAY, ("#food",))) == (
        "---\ntags:\n  - food\nmood: good\n---\nLunch"
    )
    with pytest.raises(UserError, match="states tags there"):
        composed("---\ntags: food\n---\nLunch", Said(DAY, ("food",)))


@pytest.mark.parametrize("tag", ["a b", "", "#", "1984", "-x"])
def test_what_is_no_tag(tag):
    with pytest.raises(UserError, match="is no tag"):
        composed("Lunch", Said(DAY, (tag,)))


def test_it_reads_again_as_it_was_said():
    said = Said(MONTH, ("food",), About("Ida Berg", EntityType.PERSON))
    body = composed("Likes [[Oysters]]. #sea\nmood:: good", said)
    document = captures().parse("2026-03 Likes Oysters", body, mtime_ns=-1)
    assert document.occurred.moment == MONTH
    assert document.occurred.basis is Basis.NOTE
    assert document.about == About("Ida Berg", EntityType.PERSON)
    assert document.head.tags == ("food",)
    assert [each.key for each in document.head.properties] == ["date", "tags"]
    (text,) = [block for block in document.blocks if block.kind == "paragraph"]
    assert ([link.target for link in text.links], text.tags, text.fields[0].key) == (["Oysters"], ("sea",), "mood")
    assert text.first_line == 8


def test_a_text_may_state_its_own_date():
    assert date_in("---\ndate: 2024-05-01\n---\nx", SourceSettings()) == Moment.day(date(2024, 5, 1))
    assert date_in("date: 2024-05-01", SourceSettings()) is None


def test_what_steers_a_terminal_is_no_part_of_it():
    assert readable("\x1b[31mred\x1b[0m \x00and\x07 \x1b]0;title\x07plain\r\n\n") == "red and plain"


@pytest.mark.parametrize("text", ["", " \n\t\n", "\x00\x1b[0m"])
def test_nothing_is_no_thought(text):
    with pytest.raises(UserError, match="nothing to remember"):
        readable(text)


def test_a_book_is_no_thought():
    assert readable("x" * LONGEST) == "x" * LONGEST
    with pytest.raises(UserError, match="1,000,001 characters"):
        readable("x" * (LONGEST + 1))


def test_a_pipe_may_be_wide():
    assert decoded("Café".encode()) == "Café"
    assert decoded("Café".encode("utf-16")) == "Café"
    with pytest.raises(UserError, match="byte 4 cannot be read"):
        decoded("Café".encode("latin-1"))
