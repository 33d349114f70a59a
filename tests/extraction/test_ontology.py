"""The ontology, ours and a person's own."""

import pytest

from kgmem.errors import ConfigurationError
from kgmem.extraction.ontology import Ontology, load_ontology, plain
from kgmem.model import EntityType


@pytest.mark.parametrize(
    ("key", "subject", "predicate", "flipped"),
    [
        ("works_at", EntityType.PERSON, "WORKS_AT", False),
        ("Works-At", EntityType.PERSON, "WORKS_AT", False),
        ("employees", EntityType.ORGANIZATION, "WORKS_AT", True),
        ("author", EntityType.OBJECT, "WRITTEN_BY", False),
        ("location", EntityType.PERSON, "LIVES_IN", False),
        ("location", EntityType.EVENT, "LOCATED_IN", False),
        ("lead", EntityType.OBJECT, "LED_BY", False),
    ],
)
def test_a_key_means_a_predicate_that_fits_its_subject(key, subject, predicate, flipped):
    reading = load_ontology().read(key, subject)
    assert (reading.predicate.name, reading.flipped, reading.known) == (predicate, flipped, True)


def test_a_key_that_nobody_defined_is_its_own_multi_valued_predicate():
    reading = load_ontology().read("Wine cellar (m²)", EntityType.LOCATION)
    assert (reading.predicate.name, reading.predicate.one, reading.known) == ("WINE_CELLAR_M²", False, False)
    assert load_ontology().rule("WINE_CELLAR_M²").single is False


def test_a_person_can_add_and_replace(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text(
        "predicates:\n  TASTES_OF: {phrase: '{s} tastes of {o}', names: [taste]}\n"
        "  RATING: {phrase: '{s}: {o} points', names: [points]}\n"
        "types:\n  Object:\n    Wine: [vin]\n",
        encoding="utf-8",
    )
    ontology = load_ontology(own)
    assert ontology.read("taste", EntityType.OBJECT).predicate.statement("It", "plums") == "It tastes of plums."
    assert ontology.rule("RATING").single is False
    assert ontology.type_named("Vin") == (EntityType.OBJECT, "Wine")
    assert ontology.rule("WORKS_AT").single is True


@pytest.mark.parametrize(
    "text",
    [
        "- a list",
        "predicates: {A: {frase: x}}",
        "predicates: {A: {domain: [Robot]}}",
        "types: {Robot: {X: [y]}}",
        "a: [",
        "types: 3",
    ],
)
def test_an_ontology_that_means_nothing_is_a_clear_error(tmp_path, text):
    own = tmp_path / "own.yaml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        load_ontology(own)


def test_a_missing_ontology_is_a_clear_error(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_ontology(tmp_path / "none.yaml")


def test_keys_compare_without_case_dashes_and_colons():
    assert plain(" Works_At: ") == plain("works-at") == "works at"


def test_every_phrase_names_its_subject_and_object():
    for predicate in load_ontology().predicates.values():
        assert "{s}" in predicate.phrase
        assert "{o}" in predicate.phrase


def test_words_of_questions_are_no_keys():
    ontology = Ontology({"predicates": {"EMAIL": {"names": ["email"], "asked": ["mail address"]}}})
    assert ontology.predicates["EMAIL"].asked == {"mail address"}
    assert ontology.named("mail address", EntityType.PERSON) is None


def test_nouns_that_say_different_things_are_kept_apart():
    assert Ontology({"apart": [["Mother", "father"], ["son", "daughter"]]}).apart == (
        {"mother", "father"},
        {"son", "daughter"},
    )
