"""Where one question ends and a second begins."""

import pytest

from kgmem.recall.compound import halves


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("does Ada live in Bath and does Ben work at Acme", ("does Ada live in Bath", "does Ben work at Acme")),
        ("does ada live in bath and does ben work at acme", ("does ada live in bath", "does ben work at acme")),
        ("where does Ben work and does Ada live in Paris", ("where does Ben work", "does Ada live in Paris")),
        ("is Ada a baker and is Ben married", ("is Ada a baker", "is Ben married")),
        ("is Ada a baker but did Ben marry", ("is Ada a baker", "did Ben marry")),
        ("where does Ada live and is she married", ("where does Ada live", "is she married")),
        ("who lives in Bath and is married", ("who lives in Bath and is married", "")),
        ("who works at Acme and does pottery there", ("who works at Acme and does pottery there", "")),
        ("which inn is in Bath and was founded in 1990", ("which inn is in Bath and was founded in 1990", "")),
        ("wo wohnt Ada und wo arbeitet Ben?", ("wo wohnt Ada", "wo arbeitet Ben?")),
        ("où habite Ada et où travaille Ben ?", ("où habite Ada", "où travaille Ben ?")),
        ("¿Dónde vive Ada y dónde trabaja Ben?", ("¿Dónde vive Ada", "dónde trabaja Ben?")),
        ("¿Dónde vive Ada? ¿Quién es Ben?", ("¿Dónde vive Ada", "Quién es Ben?")),
        ("艾达住在哪里？本在哪里工作？", ("艾达住在哪里", "本在哪里工作")),
        ("was ist Acme und wo wohnt Ada", ("was ist Acme", "wo wohnt Ada")),
        ("wer ist Ada und Ben", ("wer ist Ada und Ben", "")),
        ("艾达住在哪里，是城市？", ("艾达住在哪里，是城市？", "")),
    ],
)
def test_a_second_question_begins_with_its_own_words(question, expected):
    assert halves(question) == expected
