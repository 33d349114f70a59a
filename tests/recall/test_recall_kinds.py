import pytest

from kgmem.recall.kinds import Kind, read_kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who owns Nord?", Kind.WHO),
        ("to whom does Mira report", Kind.WHO),
        ("Which person owns Nord?", Kind.WHO),
        ("When did Mira leave?", Kind.WHEN),
        ("since when does she live there", Kind.WHEN),
        ("In what year was Nord founded?", Kind.WHEN),
        ("How old is Mira?", Kind.WHEN),
        ("How long has Mira lived here?", Kind.WHEN),
        ("Where's Mira?", Kind.WHERE),
        ("In which city does Mira live?", Kind.WHERE),
        ("How many children has she?", Kind.HOW_MANY),
        ("for how many people", Kind.HOW_MANY),
        ("What do I know about Mira?", Kind.KNOWN),
        ("tell me about Mira", Kind.KNOWN),
        ("what do my notes say about Mira?", Kind.KNOWN),
        ("What changed about Mira?", Kind.CHANGED),
        ("what's new since March", Kind.CHANGED),
        ("Does Mira own Nord?", Kind.YES_NO),
        ("Isn't Mira in Nord?", Kind.YES_NO),
        ("What is the role of Mira?", Kind.WHICH),
        ("Which company hired Mira?", Kind.WHICH),
        ("Why did Mira leave?", Kind.OPEN),
        ("Will Mira leave?", Kind.OPEN),
        ("Mira", Kind.WORDS),
        ("whoever", Kind.WORDS),
        ("Wo wohnt Mira?", Kind.WORDS),
        ("", Kind.WORDS),
    ],
)
def test_the_first_words_say_the_kind(question, kind):
    assert read_kind(question).kind is kind


def test_the_rest_begins_with_a_noun_that_is_asked_for():
    asked = read_kind("Which company hired Mira?")
    assert "Which company hired Mira?"[asked.rest :] == "company hired Mira?"


def test_a_preposition_before_the_question_word_is_kept():
    assert read_kind("At which company does Mira work?").preposition == "at"
    assert read_kind("Which company does Mira work at?").preposition == ""


def test_a_place_that_is_asked_for_is_known():
    assert read_kind("In which country do I live?").noun == "country"
