import pytest

from kgmem.errors import NotFoundError
from kgmem.recall.names import find_entity
from kgmem.recall.question import find_names


def named(store, question):
    """(what the question says, the name of what it means) for each name in it."""
    found = find_names(store, question)
    names = store.entities([each.entities[0] for each in found])
    return [(each.text, names[each.entities[0]].name) for each in found]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what do I know about Mira", [("Mira", "Mira")]),
        ("What do I know about Mira Castel?", [("Mira Castel", "Mira")]),
        ("who is MIRA", [("MIRA", "Mira")]),
        ("Mira's coat", [("Mira's", "Mira")]),
        ("tell me about “Mira”!", [("Mira", "Mira")]),
        ("has Bo met Mira Castel at Nord", [("Bo", "Bo"), ("Mira Castel", "Mira"), ("Nord", "Nord")]),
        ("the weather in New York", [("New York", "New York")]),
        ("the weather in York", [("York", "York")]),
        ("米拉在哪里工作？", [("米拉", "Mira")]),
        ("what is the meaning of life", []),
        ("", []),
        ("?!", []),
    ],
)
def test_names_in_a_question(store, question, found):
    assert named(store, question) == found


def test_the_words_found_stand_where_they_are_said_to(store):
    question = "has Bo met Mira Castel?"
    assert [question[each.start : each.end] for each in find_names(store, question)] == ["Bo", "Mira Castel?"]


def test_homonyms_are_all_found(store):
    (both,) = find_names(store, "Ann Berg")
    assert len(both.entities) == 2
    assert len(find_entity(store, "ann  berg")) == 2


def test_an_id_is_a_name(store):
    (mira,) = find_entity(store, "Mira")
    assert [card.entity for card in find_entity(store, mira.entity.id)] == [mira.entity]


def test_what_is_near_an_unknown_name_is_suggested(store):
    with pytest.raises(NotFoundError) as error:
        find_entity(store, "Castel")
    assert (error.value.message, error.value.hint) == ("nothing here is called 'Castel'", "did you mean Mira?")


@pytest.mark.parametrize("name", ["Zzyzx", "", "0123456789abcdef"])
def test_without_anything_near_the_list_is_named(store, name):
    with pytest.raises(NotFoundError) as error:
        find_entity(store, name)
    assert error.value.hint == "`kgmem entities` lists what is here"
