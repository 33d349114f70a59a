"""Words that are alike and meant to differ."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgmem.extraction.ontology import Rank
from kgmem.model import EntityType
from kgmem.resolution.bands import Band, Bands
from kgmem.resolution.opposites import is_prefix, opposed
from kgmem.resolution.profile import Census, Profile
from kgmem.resolution.score import score

COMMON = {"facts": {"TOPIC": frozenset({"learning"})}, "neighbours": frozenset({"mira", "otto"})}


def band(one, other):
    a, b = (
        Profile(mark, EntityType.OBJECT, Rank.SAID, None, (name,), **COMMON)
        for mark, name in (("a", one), ("b", other))
    )
    return Bands().of(score(a, b, Census()).score)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Supervised learning", "Unsupervised learning"),
        ("Linear models", "Nonlinear models"),
        ("Symmetric ciphers", "Asymmetric ciphers"),
        ("Prenatal nutrition", "Postnatal nutrition"),
        ("Microeconomics course", "Macroeconomics course"),
        ("Intermolecular forces", "Intramolecular forces"),
        ("Hyperthermia ward", "Hypothermia ward"),
        ("Northeastern railway", "Northwestern railway"),
        ("Inclusion criteria", "Exclusion criteria"),
        ("Ascending colon", "Descending colon"),
        ("Overexposure chart", "Underexposure chart"),
    ],
)
def test_a_prefix_or_opposite_makes_another_thing(one, other):
    assert band(one, other) is Band.NEW
    assert band(f"A handbook of {one} in rural clinics", f"A handbook of {other} in rural clinics") is Band.NEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Minutes of the harbour board, first quarter", "Minutes of the harbour board, second quarter"),
        ("Report of the harbour board for January", "Report of the harbour board for February"),
        ("Walks along the northern shore of Olo", "Walks along the southern shore of Olo"),
        ("Notes on linear flow in narrow pipes", "Notes on non-linear flow in narrow pipes"),
    ],
)
def test_another_word_of_a_kind_makes_another_title(one, other):
    assert band(one, other) is Band.NEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Supervised learning", "Supervized learning"),
        ("Unsupervised learning", "Unsupervisde learning"),
        ("Notes on turbulent flow in narrow pipes", "Notes on turbulnet flow in narrow pipes"),
    ],
)
def test_a_slip_is_still_a_slip(one, other):
    assert band(one, other) is not Band.NEW


def test_words_of_one_kind():
    assert all(opposed(*pair) for pair in combinations(("north", "south", "east", "west"), 2))
    assert not opposed("north", "second")
    assert not opposed("nation", "donation")
    assert not opposed("cranel", "cranelr")
    assert [is_prefix(word) for word in ("non", "post", "over", "learning")] == [True, True, False, False]


@given(st.text(alphabet="abdeinoprstux", max_size=9), st.text(alphabet="abdeinoprstux", max_size=9))
def test_both_ways_and_never_a_word_and_itself(one, other):
    assert opposed(one, other) == opposed(other, one)
    assert not opposed(one, one)
