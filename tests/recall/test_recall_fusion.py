import pytest

from kgmem.recall.diversity import choose
from kgmem.recall.fusion import add, best_first, by_rank, normalise


def test_scores_are_brought_to_one_range():
    assert normalise({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert normalise({"a": 7.0, "b": 7.0}) == {"a": 1.0, "b": 1.0}
    assert normalise({}) == {}


def test_arms_are_added_by_their_weights():
    assert add([(1.0, {"a": 1, "b": 3}), (0.5, {"b": 0, "c": 9}), (0.0, {"d": 5})]) == {"a": 0.0, "b": 1.0, "c": 0.5}


def test_ranks_are_added():
    assert by_rank([["a", "b"], ["b"]]) == {"a": 1 / 61, "b": 1 / 62 + 1 / 61}
    assert by_rank([]) == {}


def test_equal_scores_are_in_the_order_of_ids():
    assert best_first({"b": 1.0, "a": 1.0, "c": 2.0}) == ["c", "a", "b"]


TEXTS = {
    "wine": "the cellar holds three crates of red wine",
    "copy": "The cellar holds three crates of red wine!",
    "part": "the cellar holds three crates of rope and tar",
    "other": "Bo mended the roof in May",
}


def test_what_repeats_a_better_passage_comes_last():
    scores = {"wine": 1.0, "copy": 0.9, "part": 0.5, "other": 0.3}
    # the copy shares all its rows of three words with the first, the part 4 of 7: 0.5 * 3 / 7 is less than 0.3
    assert choose(scores, TEXTS, 4) == ("wine", "other", "part", "copy")
    assert choose(scores, TEXTS, 2) == ("wine", "other")


def test_what_is_different_does_not_outrank_what_is_much_better():
    assert choose({"wine": 1.0, "part": 0.5, "other": 0.2}, TEXTS, 3) == ("wine", "part", "other")


@pytest.mark.parametrize("texts", [{"a": "", "b": ""}, {"a": "one", "b": "one"}, {"a": "…", "b": "…"}])
def test_short_texts_are_compared_whole(texts):
    assert choose({"a": 1.0, "b": 0.5}, texts, 2) == ("a", "b")


def test_none_of_nothing():
    assert choose({}, {}, 3) == ()
