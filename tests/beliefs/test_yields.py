"""What ends a value only if it held."""

from dataclasses import replace

import pytest
from beliefs.claims import claim, shown

from kgmem.beliefs import Rule, believe
from kgmem.model import FOREVER, Basis, ClaimKind

SINGLE, MANY = Rule(single=True), Rule(single=False)


def yields(value, **options):
    return replace(claim(value, ends=True, **options), kind=ClaimKind.YIELDS)


@pytest.mark.parametrize("rule", [SINGLE, MANY])
def test_it_ends_what_held(rule):
    assert shown(believe([claim("tea", "2020"), yields("tea", on="2023-05-01")], rule)) == [
        ("tea", "2020", "2023-05-01")
    ]


@pytest.mark.parametrize("rule", [SINGLE, MANY])
def test_it_does_not_tell_that_anything_held(rule):
    assert believe([yields("tea", on="2023-05-01")], rule) == ()


def test_a_value_without_a_date_yields_to_what_was_said_later():
    old = claim("tea", on="2023-01-01", basis=Basis.FILE)
    (belief,) = believe([old, yields("tea", on="2023-05-01")], MANY)
    assert (belief.valid.start.shown, belief.valid.end.shown) == (None, "2023-05-01")


def test_a_value_without_a_date_does_not_yield_to_what_was_said_before():
    new = claim("tea", on="2023-06-01", basis=Basis.FILE)
    (belief,) = believe([new, yields("tea", on="2023-05-01")], MANY)
    assert belief.holds_to == FOREVER
