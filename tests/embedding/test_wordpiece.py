"""Text in pieces: the algorithm on a vocabulary of ten, and BERT's own."""

import hashlib
from importlib import resources

import pytest

from kgmem.embedding.wordpiece import WordPiece, bert, words

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##in", "##s", ",", "p"]
UNKNOWN, CLS, SEP, PLAY, ING, S, COMMA, P = 1, 2, 3, 4, 5, 7, 8, 9


@pytest.fixture
def ten():
    return WordPiece({piece: number for number, piece in enumerate(PIECES)})


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("play", [PLAY]),
        ("Playing, plays", [PLAY, ING, COMMA, PLAY, S]),
        ("p,p", [P, COMMA, P]),
        ("playful", [UNKNOWN]),
        ("ing", [UNKNOWN]),
        ("[SEP]", [UNKNOWN, UNKNOWN, UNKNOWN]),
        ("", []),
        ("p" * 101, [UNKNOWN]),
    ],
)
def test_the_longest_piece_comes_first_and_a_word_is_known_as_a_whole_or_not_at_all(ten, text, inside):
    assert ten.encode(text, 256) == (CLS, *inside, SEP)


def test_what_is_too_long_is_cut_off_between_the_markers(ten):
    assert ten.encode("play " * 1000, 6) == (CLS, PLAY, PLAY, PLAY, PLAY, SEP)
    assert ten.encode("p playing", 4) == (CLS, P, PLAY, SEP)


def test_of_a_text_without_end_only_the_start_is_read(ten):
    assert ten.encode(" " * 10_000 + "play", 4) == (CLS, SEP)


@pytest.mark.parametrize(
    ("text", "spelt"),
    [
        ("Château Nord", ["chateau", "nord"]),
        ("İstanbul, ΟΔΟΣ", ["istanbul", ",", "οδοσ"]),
        ("don't—stop", ["don", "'", "t", "—", "stop"]),
        ("東京tower", ["東", "京", "tower"]),
        ("a$b c\u00a0d\te\r\nf", ["a", "$", "b", "c", "d", "e", "f"]),
        ("zero\u200bwidth \ufffd\x00x\ud800", ["zerowidth", "x"]),
        ("«Ünïcode»", ["«", "unicode", "»"]),
        ("𠀀b", ["𠀀", "b"]),
    ],
)
def test_words_are_spelt_as_the_vocabulary_spells_them(text, spelt):
    assert list(words(text)) == spelt


def test_the_vocabulary_is_the_published_one():
    file = resources.files("kgmem.embedding").joinpath("vocabulary", "bert-base-uncased.txt")
    published = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == published


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("hello world", (101, 7592, 2088, 102)),
        ("Hello, World!", (101, 7592, 1010, 2088, 999, 102)),
        ("", (101, 102)),
    ],
)
def test_ids_are_the_line_numbers_of_the_vocabulary(text, ids):
    assert bert().encode(text, 256) == ids
