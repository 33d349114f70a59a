"""Which transactions may be of one ingest, by their kinds and times alone."""

from kgmem.model import Instant
from kgmem.reextraction.log import Entry
from kgmem.reextraction.runs import ends_of_runs, instants


def entries(*kinds, pauses=()):
    """Transactions a microsecond apart, but for three seconds before those places."""
    at, found = 0, []
    for place, kind in enumerate(kinds):
        at += 3_000_000 if place in pauses else 1
        found.append(Entry(Instant(at), kind, "s"))
    return found


def test_an_ingest_is_one_run_in_the_order_of_its_work():
    whole = entries("replayed", "added", "added", "changed", "moved", "removed", "replayed")
    assert ends_of_runs(whole) == [6] * 7


def test_what_an_ingest_does_not_do_after_the_other_begins_a_run():
    assert ends_of_runs(entries("changed", "added")) == [0, 1]
    assert ends_of_runs(entries("added", "replayed", "added")) == [0, 2, 2]
    assert ends_of_runs(entries("removed", "correction", "added")) == [0, 1, 2]


def test_a_pause_ends_a_run():
    assert ends_of_runs(entries("added", "added", "added", pauses=(2,))) == [1, 1, 2]


def test_what_a_person_asks_for_goes_on_with_the_readings_that_follow():
    assert ends_of_runs(entries("undo", "replayed", "replayed")) == [2, 2, 2]
    assert ends_of_runs(entries("undo", "replayed", "added")) == [0, 2, 2]
    assert ends_of_runs(entries("forget", "replayed", "forget")) == [1, 1, 2]


def test_the_end_of_a_run_is_tried_first_and_near_it_all_between():
    run = entries(*["added"] * 15)
    assert list(instants(run, 12, 14)) == [15, 14, 13]
    assert list(instants(run, 1, 14)) == [15]
