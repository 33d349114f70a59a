from dataclasses import replace

import pytest

from kgmem.model import ALWAYS, FOREVER, UNKNOWN, Basis, Bound, Fact, Moment, Period
from kgmem.recall.wording import place_words, when


def bound(text, basis=Basis.STATED):
    return Bound(Moment.parse(text), basis) if text else UNKNOWN


def fact(start=UNKNOWN, end=UNKNOWN, *, ended=False):
    return Fact(
        id="f", slot="s", subject="a", predicate="P", object=None, value="v", statement="", valid=Period(start, end),
        holds_from=ALWAYS, holds_to=0 if ended else FOREVER, confidence=1.0, evidence=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (bound("2015"), bound("2023-03"), "2015 – 2023-03"),
        (bound("2021"), bound("2021"), "2021"),
        (bound("2023-04"), UNKNOWN, "since 2023-04"),
        (UNKNOWN, bound("2008"), "until 2008"),
        (UNKNOWN, UNKNOWN, "date unknown"),
        (bound("2024-05-02", Basis.NOTE), UNKNOWN, "noted 2024-05-02"),
        (bound("2024-05-02", Basis.FILE), UNKNOWN, "date unknown"),
        (bound("2024-05-02", Basis.FILE), bound("2025-01-01", Basis.FILE), "date unknown"),
        (UNKNOWN, bound("2026-03-03", Basis.OBSERVED), "until an edit seen 2026-03-03"),
        (bound("2026-03-03", Basis.OBSERVED), UNKNOWN, "since an edit seen 2026-03-03"),
        (bound("2024-01-01", Basis.NOTE), bound("2025-01-01", Basis.NOTE),
         "noted 2024-01-01, until 2025-01-01, by a later note"),
        (bound("2015"), bound("2025-01-01", Basis.NOTE), "since 2015, until 2025-01-01, by a later note"),
    ],
)  # fmt: skip
def test_dates_in_words(start, end, words):
    assert when(fact(start, end)) == words


@pytest.mark.parametrize(
    ("first", "past", "words"),
    [
        ("2015", "2021", "2015 – 2020"),
        ("2015-03", "2021", "2015-03 – 2020"),
        ("2015-03-02", "2021-05-10", "2015-03-02 – 2021-05-09"),
        ("2015", "2016", "2015"),
    ],
)
def test_ends_where_other_values_cut_are_exact(first, past, words):
    cut = replace(fact(), holds_from=Moment.parse(first).first, holds_to=Moment.parse(past).first)
    assert when(cut) == words
    stated = replace(cut, valid=Period(UNKNOWN, bound("2020-12")), holds_to=Moment.parse("2021").first)
    assert when(stated) == f"{Moment.parse(first)} – 2020-12"


def test_what_follows_an_end_has_no_start_that_anybody_stated():
    assert when(replace(fact(), holds_from=Moment.parse("2021").first)) == "date unknown"
    filed = replace(fact(bound("2021-01-01", Basis.FILE), bound("2023")), holds_from=Moment.parse("2021").first)
    assert when(filed) == "until 2023"


def test_a_correction_is_named_by_its_day():
    assert place_words("correction of 2026-03-06T10:00:00Z", 1, kind="correction") == "your correction of 2026-03-06"
    assert place_words("a/b.md", 3, kind="obsidian") == "a/b.md:3"


def test_an_end_without_a_date_to_show_is_still_an_end():
    assert when(fact(bound("2015"), bound("2025-01-01", Basis.FILE), ended=True)) == "since 2015, ended, date unknown"
    assert when(fact(ended=True)) == "ended, date unknown"
