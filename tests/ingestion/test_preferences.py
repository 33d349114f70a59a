"""What the owner prefers over several notes, in any order of arrival; and that what others say ends nothing."""

import itertools
from datetime import date

import pytest
from ingestion.notes import MONDAY, TUESDAY, Notes

from kgmem.extraction.entities import Recognizer
from kgmem.extraction.ontology import favourite, load_ontology
from kgmem.memory import Memory
from kgmem.model import EntityType, Moment
from kgmem.recall.answer import ask
from kgmem.sources.obsidian import Vault

MINE = load_ontology(owner="Mia Berg")


class Read(Notes):
    """Notes whose sentences are read by their grammar."""

    def ingest(self, now=MONDAY):
        with self.store(now) as store:
            return Memory(store, self._ontology, Recognizer()).ingest(Vault(self.vault))


@pytest.fixture
def believed(tmp_path):
    """Facts of notes, dated by their names, each taken in before the next."""
    if not Recognizer.available():
        pytest.skip("needs kgmem[nlp]")
    numbers = itertools.count()

    def read(texts, order=None):
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        notes = Read(folder, ontology=MINE)
        for at, day in enumerate(order or texts):
            notes.write({f"{day}.md": texts[day]}).ingest(MONDAY if at == 0 else TUESDAY)
        return notes.facts()

    return read


def was(preference):
    return f"Mia Berg | {preference} | noted 2024-01-01, until 2024-03-01, by a later note"


TEAS = {"2024-01-01": "My favourite tea is Assam.", "2024-03-01": "My favorite tea is Sencha."}


@pytest.mark.parametrize("order", [None, ["2024-03-01", "2024-01-01"]])
def test_of_each_kind_one_is_preferred(believed, order):
    assert believed(TEAS, order) == [
        was("FAVOURITE_TEA | Assam"),
        "Mia Berg | FAVOURITE_TEA | Sencha | noted 2024-03-01",
    ]


@pytest.mark.parametrize("order", [None, ["2024-03-01", "2024-01-01"]])
def test_another_kind_competes_with_none(believed, order):
    texts = {"2024-01-01": TEAS["2024-01-01"], "2024-03-01": "My favourite city is Lyon."}
    assert believed(texts, order) == [
        "Mia Berg | FAVOURITE_CITY | Lyon | noted 2024-03-01",
        "Mia Berg | FAVOURITE_TEA | Assam | noted 2024-01-01",
    ]


@pytest.mark.parametrize("order", [None, ["2024-03-01", "2024-01-01"]])
def test_of_a_pair_the_later_one_is_preferred(believed, order):
    texts = {"2024-01-01": "I prefer tea over coffee.", "2024-03-01": "I prefer coffee to tea."}
    assert believed(texts, order) == [
        "Mia Berg | PREFERS | coffee | noted 2024-03-01",
        was("PREFERS | tea"),
    ]


def test_what_is_preferred_less_may_be_liked(believed):
    texts = {"2024-01-01": "I like coffee.", "2024-03-01": "I prefer tea over coffee."}
    assert believed(texts) == [
        "Mia Berg | LIKES | coffee | noted 2024-01-01",
        "Mia Berg | PREFERS | tea | noted 2024-03-01",
    ]


def test_who_stopped_drinking_coffee_likes_it_no_more_and_denies_nothing(believed):
    liked = {"2024-01-01": "I love coffee."}
    assert believed({**liked, "2024-03-01": "I stopped drinking coffee."}) == [was("LIKES | coffee")]
    assert believed({"2024-03-01": "I stopped drinking coffee."}) == []
    assert believed({**liked, "2023-03-01": "I stopped drinking coffee."}) == [
        "Mia Berg | LIKES | coffee | noted 2024-01-01"
    ]


def test_who_stopped_drinking_coffee_prefers_it_no_more(believed):
    texts = {"2024-01-01": "I now prefer coffee over tea.", "2024-03-01": "I stopped drinking coffee."}
    assert believed(texts) == [was("PREFERS | coffee")]


def test_preferences_that_state_no_kind_do_not_compete(believed):
    texts = {"2024-01-01": "I prefer tea.", "2024-03-01": "I prefer Vim now."}
    assert believed(texts) == [
        "Mia Berg | PREFERS | Vim | noted 2024-03-01",
        "Mia Berg | PREFERS | tea | noted 2024-01-01",
    ]


def test_a_switch_ends_one_and_begins_the_other(believed):
    texts = {"2024-01-01": "I prefer butter.", "2024-03-01": "I switched from butter to margarine."}
    assert believed(texts) == [
        was("PREFERS | butter"),
        "Mia Berg | PREFERS | margarine | noted 2024-03-01",
    ]


def test_a_topic_may_be_stated_beside_it(believed):
    texts = {"2024-01-01": "I prefer Ubuntu as a desktop.", "2024-03-01": "I prefer Fedora as a desktop."}
    assert believed(texts) == [
        "Mia Berg | FAVOURITE_DESKTOP | Fedora | noted 2024-03-01",
        was("FAVOURITE_DESKTOP | Ubuntu"),
    ]


def test_a_property_has_the_same_slot():
    assert favourite("programming language").name == "FAVOURITE_PROGRAMMING_LANGUAGE"
    assert MINE.read("favorite tea", EntityType.PERSON).predicate == favourite("tea")
    assert MINE.rule("FAVOURITE_TEA").single
    assert MINE.statement("FAVOURITE_TEA", "Mia", "Assam") == "The favourite tea of Mia is Assam."


@pytest.mark.parametrize("question", ["What do I prefer?", "What is my favourite tea?", "What is my favorite tea?"])
def test_it_can_be_asked(tmp_path, question):
    if not Recognizer.available():
        pytest.skip("needs kgmem[nlp]")
    notes = Read(tmp_path, ontology=MINE).write({f"{day}.md": text for day, text in TEAS.items()})
    notes.ingest()
    with notes.store(TUESDAY) as store:
        reply = ask(store, question, now=Moment.day(date(2024, 4, 1)).first, owner="Mia Berg", ontology=MINE)
    assert reply.text == "The favourite tea of Mia Berg is Sencha (noted 2024-03-01)."


def test_what_others_say_ends_nothing(believed):
    texts = {"2024-01-01": "Ana works at Siemens.", "2024-03-01": "Bo said that Ana works at Bosch."}
    assert believed(texts) == [
        "Ana | WORKS_AT | Siemens | noted 2024-01-01",
        "Bo | SAYS | Ana works at Bosch. | date unknown",
    ]
