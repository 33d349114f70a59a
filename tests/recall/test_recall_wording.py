import pytest

from kgmem.model import ALWAYS, FOREVER, UNKNOWN, Basis, Bound, Fact, Moment, Period
from kgmem.recall.wording import when


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


def test_an_end_without_a_date_to_show_is_still_an_end():
    assert when(fact(bound("2015"), bound("2025-01-01", Basis.FILE), ended=True)) == "since 2015, ended, date unknown"
    assert when(fact(ended=True)) == "ended, date unknown"
