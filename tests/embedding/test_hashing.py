"""Keys that near vectors share, against the formula on vectors of known cosine."""

import math
import random

import pytest

from kgmem.embedding.hashing import share_probability, vector_keys

DIMENSION = 384


def dice(seed):
    return random.Random(seed)  # noqa: S311 - the same draws each time, and no secret


def direction(generator):
    values = [generator.gauss(0, 1) for _ in range(DIMENSION)]
    length = math.hypot(*values)
    return [value / length for value in values]


def pair(generator, cosine):
    """Two unit vectors at exactly that cosine."""
    one, other = direction(generator), direction(generator)
    along = sum(a * b for a, b in zip(one, other, strict=True))
    across = [b - along * a for a, b in zip(one, other, strict=True)]
    length = math.hypot(*across)
    sine = math.sqrt(1 - cosine * cosine)
    return one, [cosine * a + sine * b / length for a, b in zip(one, across, strict=True)]


@pytest.mark.parametrize(
    ("cosine", "tables", "bits", "probability"),
    [(1.0, 46, 12, 1.0), (0.5, 1, 1, 2 / 3), (0.5, 1, 2, 4 / 9), (0.0, 2, 1, 3 / 4), (-1.0, 46, 12, 0.0)],
)
def test_the_formula(cosine, tables, bits, probability):
    assert share_probability(cosine, tables, bits) == pytest.approx(probability)


def test_by_default_what_is_alike_shares_a_key_and_what_is_not_seldom():
    assert share_probability(0.8) >= 0.95
    assert share_probability(0.3) <= 0.1
    assert share_probability(0.0) <= 0.012


@pytest.mark.parametrize("cosine", [0.9, 0.8, 0.6, 0.3, 0.0])
def test_vectors_share_keys_as_often_as_the_formula_says(cosine):
    generator = dice(f"cosine {cosine}")
    pairs = 1000
    found = 0
    for _ in range(pairs):
        one, other = pair(generator, cosine)
        found += not set(vector_keys(one)).isdisjoint(vector_keys(other))
    expected = share_probability(cosine)
    deviation = math.sqrt(expected * (1 - expected) / pairs)
    assert abs(found / pairs - expected) <= 4 * deviation + 1 / pairs


def test_keys_never_change():
    values = [(place + 1 if place % 3 else -place - 1) / 2400 for place in range(256)]
    assert vector_keys(values, tables=3, bits=16) == ("v:00:2187", "v:01:5726", "v:02:1778")
    assert vector_keys(values, tables=2, bits=12) == ("v:00:187", "v:01:726")


def test_more_tables_only_add_keys():
    values = direction(dice(1))
    assert vector_keys(values, tables=9)[:5] == vector_keys(values, tables=5)


def test_the_opposite_vector_lies_on_every_other_side():
    values = direction(dice(2))
    for key, opposite in zip(vector_keys(values), vector_keys([-value for value in values]), strict=True):
        assert key[:5] == opposite[:5]
        assert int(key[5:], 16) + int(opposite[5:], 16) == 0xFFF


def test_what_rounding_leaves_of_a_vector_has_its_keys():
    values = direction(dice(3))
    assert vector_keys(values) == vector_keys([value + 1e-12 for value in values])
