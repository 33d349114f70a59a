"""A walk over ties that are written here, and what it is worth in numbers that can be worked out by hand."""

from math import log

import pytest

from kgmem.recall.graph import walk, weight_of
from kgmem.recall.weights import GraphWeights
from kgmem.store.graph import Tie

EXACT = GraphWeights(damping=0.5, own=3.0, words=0.0, least=0.0, rounds=60, most=10)


class Ties:
    """A graph of some ties, which counts how often it is asked."""

    def __init__(self, *ties):
        self.asked = 0
        self._ties = ties

    def ties(self, *, passages=(), entities=(), most, valid=None, known=None):  # noqa: ARG002 -- as a store's
        self.asked += 1
        return tuple(tie for tie in self._ties if tie.passage in passages or tie.entity in entities)


def tie(passage, entity, named=1, *, own=False):
    return Tie(passage, entity, own, named)


PAIR = Ties(tie("p", "e"))


def test_the_rarer_and_the_own_entity_say_more():
    assert weight_of(tie("p", "e", 8), EXACT) == pytest.approx(1 / log(9.5))
    assert weight_of(tie("p", "e", 8, own=True), EXACT) == pytest.approx(3 / log(9.5))


def test_a_passage_gets_what_arrives_and_comes_back():
    # e keeps 1/2 of 1, p of the other half keeps 1/4, e 1/8, p 1/16 …: 1/4 / (1 - 1/4)
    assert walk(PAIR, {"e": 1.0}, {}, weights=EXACT) == pytest.approx({"p": 1 / 3})
    assert walk(PAIR, {}, {"p": 1.0}, weights=EXACT) == pytest.approx({"p": 2 / 3})


def test_own_passages_get_three_times_as_much():
    graph = Ties(tie("own", "e", own=True), tie("other", "e"))
    found = walk(graph, {"e": 1.0}, {}, weights=EXACT)
    assert found["own"] / found["other"] == pytest.approx(3.0)


def test_passages_whose_words_fit_are_preferred():
    graph = Ties(tie("fits", "e"), tie("half", "e"), tie("not", "e"))
    weights = GraphWeights(damping=0.5, words=2.0, least=0.0, rounds=60)
    found = walk(graph, {"e": 1.0}, {}, weights=weights, words={"fits": 1.0, "half": 0.5})
    assert [found[each] / found["not"] for each in ("fits", "half")] == pytest.approx([3.0, 2.0])


def test_the_second_hop_is_reached_and_what_hangs_on_nothing_is_not():
    graph = Ties(tie("film", "Billy", own=True), tie("film", "Stephen"), tie("man", "Stephen", own=True), tie("x", "y"))
    found = walk(graph, {"Billy": 1.0}, {}, weights=EXACT)
    assert found.keys() == {"film", "man"}
    assert found["film"] > found["man"] > 0


def test_the_walk_stops_where_little_is_left():
    chain = Ties(tie("1", "a"), tie("1", "b"), tie("2", "b"), tie("2", "c"), tie("3", "c"))
    weights = GraphWeights(damping=0.5, least=0.1, rounds=60)
    # 1/2 arrives at 1, of which 1/8 each goes on to a and b; of that 1/32 would come to 2, and 1/32 back to 1
    assert walk(chain, {"a": 1.0}, {}, weights=weights).keys() == {"1"}


def test_it_asks_once_a_round_and_never_twice_for_the_same():
    graph = Ties(tie("1", "a"), tie("1", "b"), tie("2", "b"))
    walk(graph, {"a": 1.0}, {}, weights=EXACT)
    assert graph.asked == 4  # for a, for 1, for b, for 2


def test_no_seeds_no_walk():
    graph = Ties(tie("p", "e"))
    assert walk(graph, {}, {}, weights=EXACT) == {}
    assert graph.asked == 0


def test_seeds_without_ties_settle_where_they_are():
    assert walk(Ties(), {"e": 0.5}, {"p": 0.5}, weights=EXACT) == {"p": 0.25}
