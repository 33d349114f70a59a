"""The rules of the fold, each as a small story."""

import pytest
from beliefs.claims import claim, shown

from kgmem.beliefs import Rule, believe
from kgmem.model import FOREVER, Basis, Moment

SINGLE, MANY = Rule(single=True), Rule(single=False)


def test_a_later_world_date_is_a_change():
    nord, sud = claim("Nord", "2015"), claim("Sud", "2023-04")
    assert shown(believe([nord, sud], SINGLE)) == [("Nord", "2015", "2023-04"), ("Sud", "2023-04", None)]


def test_an_older_claim_that_arrives_later_never_overwrites_the_present():
    initech = claim("Initech", on="2026-01-10", recorded=1)
    acme = claim("Acme", on="2024-02-01", recorded=2)
    assert shown(believe([initech, acme], SINGLE)) == [
        ("Acme", "2024-02-01", "2026-01-10"),
        ("Initech", "2026-01-10", None),
    ]


def test_equal_world_dates_keep_the_later_recorded_and_list_the_other_as_rival():
    first, second = claim("Acme", "2019", recorded=1), claim("Beta", "2019", recorded=2)
    (belief,) = believe([first, second], SINGLE)
    assert (belief.value, belief.rivals) == ("Beta", (first.id,))


def test_values_of_a_multi_valued_slot_do_not_retire_one_another():
    assert shown(believe([claim("Acme", "2015")], MANY)) == [("Acme", "2015", None)]


def test_the_same_value_in_two_separate_periods_is_two_intervals():
    twice = [claim("Acme", "2010", "2012"), claim("Acme", "2018", "2020")]
    for rule in (SINGLE, MANY):
        assert shown(believe(twice, rule)) == [("Acme", "2010", "2012"), ("Acme", "2018", "2020")]


def test_a_value_that_returns_is_two_intervals():
    there_and_back = [claim("A", on="2019-01-01"), claim("B", on="2020-01-01"), claim("A", on="2022-01-01")]
    assert shown(believe(there_and_back, SINGLE)) == [
        ("A", "2019-01-01", "2020-01-01"),
        ("B", "2020-01-01", "2022-01-01"),
        ("A", "2022-01-01", None),
    ]


def test_a_stated_end_includes_its_whole_period():
    (belief,) = believe([claim("Acme", "2019-03", "2021")], MANY)
    assert (belief.holds_from, belief.holds_to) == (Moment.parse("2019-03-01").first, Moment.parse("2022-01-01").first)


def test_an_ending_closes_what_was_open():
    (belief,) = believe([claim("Acme", "2015"), claim("Acme", end="2023-04", ends=True)], SINGLE)
    assert shown([belief]) == [("Acme", "2015", "2023-04")]
    assert len(belief.evidence) == 2


def test_an_ending_alone_tells_that_it_held_until_then():
    assert shown(believe([claim("Acme", end="2023-04", ends=True)], MANY)) == [("Acme", None, "2023-04")]


def test_an_ending_without_a_value_ends_whatever_held():
    left = claim(None, end="2020", ends=True)
    assert shown(believe([claim("Acme", "2015"), left], SINGLE)) == [("Acme", "2015", "2020")]


def test_no_longer_ends_at_the_date_of_the_note_that_says_so():
    (belief,) = believe([claim("choir", "2019"), claim("choir", on="2023-05-02", ends=True)], MANY)
    assert belief.holds_to == Moment.parse("2023-05-02").first


def test_what_is_said_again_after_an_ending_starts_a_new_interval():
    story = [
        claim("choir", on="2019-01-01"),
        claim("choir", on="2021-01-01", ends=True),
        claim("choir", on="2022-01-01"),
    ]
    assert shown(believe(story, MANY)) == [("choir", "2019-01-01", "2021-01-01"), ("choir", "2022-01-01", None)]


def test_an_inverted_period_supersedes_nothing():
    assert shown(believe([claim("Acme", "2015"), claim("Beta", "2026", "2020")], SINGLE)) == [("Acme", "2015", None)]


def test_a_replaced_undated_value_ends_where_the_edit_was_seen():
    old = claim("Acme", replaced="2026-03-20")
    new = claim("Beta", on="2026-03-20", basis=Basis.OBSERVED)
    assert shown(believe([old, new], SINGLE)) == [("Acme", None, "2026-03-20"), ("Beta", "2026-03-20", None)]


def test_a_value_replaced_at_its_own_start_was_never_true():
    old = claim("Acme", "2019", replaced="2019")
    assert shown(believe([old, claim("Beta", "2019")], SINGLE)) == [("Beta", "2019", None)]


def test_an_undated_claim_holds_with_an_open_start():
    (belief,) = believe([claim("Acme", on="2024-01-24", basis=Basis.FILE)], SINGLE)
    assert (belief.valid.start.shown, belief.holds_to) == (None, FOREVER)


def test_an_undated_claim_supports_the_latest_interval_of_its_value():
    dated, undated = claim("Sud", "2023-04"), claim("Sud", on="2026-01-01", basis=Basis.FILE)
    (belief,) = believe([claim("Nord", "2015"), dated, undated], SINGLE)[1:]
    assert belief.evidence == tuple(sorted([dated.id, undated.id]))


def test_an_undated_claim_does_not_overturn_a_stated_start():
    stale = claim("Nord", on="2026-06-01", basis=Basis.FILE)
    nord, sud = believe([claim("Nord", "2015", "2023-03"), claim("Sud", "2023-04"), stale], SINGLE)
    assert (nord.value, sud.value, sud.valid.end.shown) == ("Nord", "Sud", None)
    assert stale.id in nord.evidence


def test_an_undated_claim_of_another_value_disputes_a_stated_one():
    other = claim("Ost", on="2026-06-01", basis=Basis.FILE)
    (belief,) = believe([claim("Sud", "2023-04"), other], SINGLE)
    assert (belief.value, belief.rivals) == ("Sud", (other.id,))


def test_an_undated_claim_follows_what_an_older_note_noted_at_a_date_that_is_not_shown():
    noted = claim("Nord", on="2020-05-01")
    current = claim("Sud", on="2024-02-02", basis=Basis.FILE)
    assert shown(believe([noted, current], SINGLE)) == [("Nord", "2020-05-01", None), ("Sud", None, None)]
    assert believe([noted, current], SINGLE)[0].holds_to == Moment.parse("2024-02-02").first


def test_an_undated_claim_follows_a_closed_interval():
    assert shown(believe([claim("Nord", "2015", "2018"), claim("Sud")], SINGLE)) == [
        ("Nord", "2015", "2018"),
        ("Sud", None, None),
    ]


def test_two_undated_values_are_disputed_and_nothing_is_dated():
    older = claim("Nord", on="2020-01-01", basis=Basis.FILE)
    newer = claim("Sud", on="2024-01-01", basis=Basis.FILE)
    (belief,) = believe([older, newer], SINGLE)
    assert shown([belief]) == [("Sud", None, None)]
    assert belief.rivals == (older.id,)


def test_a_shorter_stated_period_interrupts_a_longer_one():
    story = [claim("A", "2015", "2025"), claim("B", "2018", "2020")]
    assert shown(believe(story, SINGLE)) == [("A", "2015", "2018"), ("B", "2018", "2020"), ("A", None, "2025")]


@pytest.mark.parametrize("rule", [SINGLE, MANY])
def test_nothing_said_nothing_believed(rule):
    assert believe([], rule) == ()


@pytest.mark.parametrize("rule", [SINGLE, MANY])
def test_what_was_said_during_a_stated_period_ends_with_it(rule):
    stay = claim("Garonne", "2024-09", "2025-08")
    noted, begun = claim("Garonne", on="2024-10-08"), claim("Garonne", "2024-09", on="2024-10-08")
    for said in (noted, begun):
        (belief,) = believe([stay, said], rule)
        assert shown([belief]) == [("Garonne", "2024-09", "2025-08")]
        assert len(belief.evidence) == 2


@pytest.mark.parametrize("rule", [SINGLE, MANY])
def test_what_was_said_after_a_stated_period_goes_on(rule):
    stay, later = claim("Garonne", "2024-09", "2025-08"), claim("Garonne", "2024-09", on="2025-10-01")
    assert shown(believe([stay, later], rule)) == [("Garonne", "2024-09", None)]


def test_an_ending_says_nothing_of_the_time_before_another_value():
    delta, left = claim("Delta", "2010", "2013"), claim("Orion", end="2014", ends=True)
    held = believe([delta, left], SINGLE)
    assert shown(held) == [("Delta", "2010", "2013"), ("Orion", None, "2014")]
    assert held[1].valid.start.basis is Basis.FILE
    assert held[1].holds_from == Moment.parse("2014").first
