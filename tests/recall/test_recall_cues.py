import pytest

from kgmem.extraction.ontology import Ontology, load_ontology
from kgmem.recall.cues import Cues, fitting


@pytest.fixture(scope="module")
def cues():
    return Cues(load_ontology())


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        (("live", "lives", "lived", "living"), "liv"),
        (("marry", "marries", "married"), "mar"),
        (("write", "wrote", "written"), "writ"),
        (("stop", "stopped", "stopping"), "stop"),
        (("Mira's", "mira"), "mira"),
    ],
)
def test_the_forms_of_a_word_have_one_stem(cues, words, stem):
    assert {cues.stem(word) for word in words} == {stem}


@pytest.mark.parametrize(
    ("noun", "predicate", "end"),
    [
        ("employer", "WORKS_AT", "s"),
        ("employees", "WORKS_AT", "o"),
        ("manager", "REPORTS_TO", "s"),
        ("sister", "SIBLING_OF", "either"),
        ("father", "PARENT_OF", "o"),
        ("founder", "FOUNDED", "o"),
    ],
)
def test_a_noun_asks_for_the_other_end(cues, noun, predicate, end):
    first = cues.nouns([noun])[0]
    assert (first.predicate, first.first) == (predicate, end)


def test_a_noun_is_no_verb(cues):
    assert cues.knows_noun(["employer"])
    assert not cues.knows_noun(["employs"])
    assert {cue.predicate for cue in cues.verbs("employs")} == {"WORKS_AT"}


@pytest.mark.parametrize(
    ("verb", "following", "predicate"),
    [
        ("work", ["at"], "WORKS_AT"),
        ("work", ["on"], "WORKS_ON"),
        ("works", ["with"], "COLLEAGUE_OF"),
        ("moved", ["to"], "LIVES_IN"),
        ("leads", [], "LED_BY"),
    ],
)
def test_a_preposition_says_which_verb_is_meant(cues, verb, following, predicate):
    assert next(fitting(cues.verbs(verb), following)).predicate == predicate


def test_an_active_verb_of_a_phrase_in_the_passive_has_its_ends_the_other_way():
    cues = Cues(Ontology({"predicates": {"GUARDED_BY": {"says": ["is guarded by"]}}}))
    assert [(cue.first, cue.copular) for cue in cues.verbs("guards")] == [("s", True), ("o", False)]


def test_nouns_of_one_predicate_are_kept_apart(cues):
    assert cues.apart("mothers") == {"father"}
    assert cues.apart("employer") == frozenset()
