"""The sentence that holds a span."""

import pytest

from kgmem.extraction.sentences import Sentences


@pytest.mark.parametrize(
    ("text", "word", "sentence"),
    [
        ("First one. Then Mira came! Then home.", "Mira", "Then Mira came!"),
        ("Dr. Chen met Mira. Bo left.", "Mira", "Dr. Chen met Mira."),
        ("a friend of   Nora  . We met.", "Nora", "a friend of Nora."),
        ("- one\n- Mira is two\n- three", "Mira", "- Mira is two"),
        ("今天见了米拉。明天回家。", "米拉", "今天见了米拉。"),
        ("version 1.10 of Mira", "Mira", "version 1.10 of Mira"),
        ("", "", ""),
    ],
)
def test_the_sentence_around_a_word(text, word, sentence):
    start = text.find(word)
    assert Sentences(text).around(start, start + len(word)) == sentence
