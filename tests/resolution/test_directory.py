"""Who a reference means, by exact name and alias."""

import pytest

from kgmem.extraction.ontology import NOTE, UNTYPED, Typing
from kgmem.extraction.proposal import Ref
from kgmem.model import AliasKind, EntityType
from kgmem.resolution.directory import Anchor, Directory, named_entity
from kgmem.resolution.names import name_key

PERSON = Typing(EntityType.PERSON, None, 0)
PLACE = Typing(EntityType.LOCATION, None, 0)
GUESS = Typing(EntityType.PERSON, None, 5)
NOBODY = frozenset()


def directory(*owners):
    """(entity, name, typing, other names…)."""
    anchors = [Anchor(entity, name, typing) for entity, name, typing, *_ in owners]
    names = [
        (name_key(each), anchor)
        for anchor, (_, name, _, *more) in zip(anchors, owners, strict=True)
        for each in (name, *more)
    ]
    return Directory({f"{anchor.name}.md": anchor for anchor in anchors}, names)


def who(known, name, kind=AliasKind.TEXT, *, typing=UNTYPED, path=None, linked=NOBODY, link_keys=NOBODY):
    found = known.resolve(Ref(name, kind, path, typing), frozenset(linked), frozenset(link_keys))
    return found and found.entity


MIRA = directory(("m", "Mira Halden", PERSON, "Mira", "米拉"))


@pytest.mark.parametrize("name", ["Mira Halden", "mira  halden", "MIRA", "米拉"])
def test_a_name_or_alias_that_one_note_owns_means_that_note(name):
    assert who(MIRA, name) == "m"


def test_a_link_means_the_note_it_resolves_to_whatever_it_is_called():
    two = directory(("a", "Ada", PERSON), ("b", "Bo", PERSON, "Ada"))
    assert who(two, "Ada", AliasKind.LINK, path="Bo.md") == "b"


def test_a_type_that_was_said_must_agree():
    assert who(MIRA, "Mira", AliasKind.PROPERTY, typing=Typing(EntityType.ORGANIZATION, None, 4)) == named_entity(
        "mira", EntityType.ORGANIZATION
    )
    assert who(MIRA, "Mira", AliasKind.TEXT, typing=Typing(EntityType.ORGANIZATION, None, 5)) == "m"


def test_two_owners_leave_a_text_open_unless_one_is_linked():
    two = directory(("a", "Jonas Weber", PERSON), ("b", "Jonas Weber", PERSON))
    assert who(two, "Jonas Weber") is None
    assert who(two, "Jonas Weber", linked={"b"}) == "b"


def test_a_name_that_nobody_owns_stands_for_itself_within_its_type():
    assert who(MIRA, "Chris", typing=GUESS) == named_entity("chris", EntityType.PERSON)
    assert who(MIRA, "Chris", typing=Typing(EntityType.OBJECT, None, 5)) == named_entity("chris", EntityType.OBJECT)


def test_a_name_that_some_note_links_to_is_that_link():
    assert who(MIRA, "Chris", AliasKind.LINK) == named_entity("chris")
    assert who(MIRA, "Chris", typing=GUESS, link_keys={"chris"}) == named_entity("chris")


def test_a_weak_type_gives_way():
    note = directory(("n", "Acme", NOTE))
    assert who(note, "Acme", AliasKind.PROPERTY, typing=Typing(EntityType.ORGANIZATION, None, 4)) == "n"


@pytest.mark.parametrize(
    ("one", "other"), [("C++", "C#"), ("Müller", "Muller"), ("Иван", "Анна"), ("SR-2023-052", "SR-2023-053")]
)
def test_names_that_differ_in_a_sign_digit_or_script_are_different(one, other):
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", " alice "), ("Müller", "Mu\u0308ller"), ("STRASSE", "straße"), ("New  York", "new york")],
)
def test_names_that_differ_in_case_space_or_normal_form_are_equal(one, other):
    assert name_key(one) == name_key(other)


def test_the_title_of_a_note_of_the_folder_means_it_whoever_is_called_so_elsewhere():
    clara, duarte, carl = (Anchor(each, name, PERSON) for each, name in (("c", "Clara"), ("d", "Clara D."), ("k", "K")))
    names = [("clara", clara), ("clara", duarte), ("carlo", carl), ("carlo", duarte)]
    together = Directory({}, names)
    apart = Directory({}, names, elsewhere=frozenset({"d"}))
    assert (who(together, "Clara"), who(apart, "Clara")) == (None, "c")
    assert who(apart, "Clara", linked={"d"}) == "c"
    assert who(apart, "Carlo") is None
