"""Whom a short or shared name means, by what is near it."""

import pytest

from kgmem.resolution.profile import Census
from kgmem.resolution.settle import Candidate, Here, Place, may_call, settle

DAY = 86_400
FEW = Census(1000)


def place(source, folder="v/Home", day=None, about=None, *, daily=False):
    return Place(source, folder, None if day is None else day * DAY, about, daily)


def here(folder="v/Work", day=None, *, named=(), linking=(), in_folder=0.02, links=0.01, daily=False):
    return Here(
        place("here", folder, day, "topic", daily=daily), frozenset(named), frozenset(linking), in_folder, links
    )


def anna(name="Berg", *places, neighbours=(), known=True):
    return Candidate(f"id {name}", f"Anna {name}", places, frozenset(neighbours), known=known)


def likely(where, *candidates):
    return {each.entity: round(each.probability, 2) for each in settle(where, candidates, FEW)}


def test_nobody_who_is_near_in_no_way():
    assert likely(here(), anna("Berg", place("far")), anna("Roth", place("away"))) == {"id Berg": 0, "id Roth": 0}


def test_one_whom_a_linked_note_of_the_same_folder_names_is_meant():
    found = likely(here(linking=["a"]), anna("Berg", place("a", "v/Work")), anna("Roth", place("b")))
    assert found["id Berg"] > 0.95
    assert found["id Roth"] < 0.05


def test_two_who_are_equally_near_leave_it_open():
    where = here(linking=["a", "b"])
    found = likely(where, anna("Berg", place("a", "v/Work")), anna("Roth", place("b", "v/Work")))
    assert found["id Berg"] == found["id Roth"] <= 0.5


def test_a_folder_that_holds_half_of_all_notes_says_little():
    one = anna("Berg", place("a", "v/Work"))
    assert likely(here(in_folder=0.5), one)["id Berg"] < likely(here(in_folder=0.01), one)["id Berg"]


def test_who_is_named_everywhere_is_near_by_chance():
    once, often = anna("Berg", place("a", "v/Work")), anna("Berg", *(place(f"{n}", "v/Work") for n in range(40)))
    weights = [
        sum(reason.weight for reason in settle(here(in_folder=0.1), [each], FEW)[0].reasons) for each in (once, often)
    ]
    assert weights[1] < weights[0]


@pytest.mark.parametrize(
    ("days", "daily", "most"), [(3, True, 0.95), (3, False, 0.6), (20, False, 0.35), (100, False, 0.25)]
)
def test_the_nearer_in_time_the_likelier_and_daily_notes_most(days, daily, most):
    where = here("v/Days", 1000, daily=daily, in_folder=0.99)
    found = likely(where, anna("Berg", place("a", "v/Days", 1000 + days, daily=daily)))["id Berg"]
    assert most - 0.3 < found <= most


def test_what_both_are_connected_with_counts_the_rarer_the_more():
    one = anna("Berg", neighbours=["halden"])
    many = Census(1000, {"near:halden": 400})
    rare = settle(here(named=["halden"]), [one], FEW)[0].probability
    assert settle(here(named=["halden"]), [one], many)[0].probability < rare


def test_a_person_whom_a_recognizer_guessed_is_less_likely():
    places = [place("a", "v/Work")]
    known, guessed = (likely(here(linking=["a"]), anna("Berg", *places, known=sure)) for sure in (True, False))
    assert guessed["id Berg"] < known["id Berg"]


@pytest.mark.parametrize(
    ("short", "full", "may"),
    [
        ("Anna", "Anna Berg", True),
        ("Berg", "Anna Berg", True),
        ("Dr. Berg", "Anna Berg", True),
        ("anna", "Berg, Anna", True),
        ("Ann", "Anna Berg", False),
        ("Anna Berg", "Anna Berg", False),
        ("Anna", "Anna", False),
        ("李", "李明", False),
    ],
)
def test_a_single_name_may_be_the_given_or_the_family_name(short, full, may):
    assert may_call(short, full) is may
