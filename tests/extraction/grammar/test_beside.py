"""What names tell beside each other."""

import pytest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Seattle-based Microsoft hired Bo Li.", "Microsoft | LOCATED_IN | Seattle"),
        ("We met John Smith of Siemens.", "John Smith | WORKS_AT | Siemens"),
        ("Ana Berg lives in Lyon, France.", "Lyon | LOCATED_IN | France"),
    ],
)
def test_told(said, text, expected):
    assert expected in said(text)


@pytest.mark.parametrize(
    "text",
    ["Ana Berg visited France, Germany and Italy.", "We met in Oslo, Paris, Norway and Lyon.", "We met Bo of Bonn."],
)
def test_untold(said, text):
    assert not [each for each in said(text) if "LOCATED_IN" in each or "WORKS_AT" in each]
