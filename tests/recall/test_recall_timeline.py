from datetime import date

import pytest
from ingestion.notes import MONDAY, TUESDAY, Notes

from kgmem.model import Moment
from kgmem.recall.history import find_ever, history
from kgmem.recall.timeline import Scale, timeline

PERSON = "---\ntype: person\n---\n"
NOW = Moment.parse("2026-03-05").first


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


def drawn(notes, name="Mira", **options):
    with notes.store() as store:
        return timeline(store, find_ever(store, name)[0].entity, now=NOW, **options)


def test_an_interrupted_stay_has_two_bars_with_the_ends_that_follow(notes):
    notes.write({"Mira.md": PERSON + "lives_in:: Bonn (2010 – 2020)\nlives_in:: Ulm (2012 – 2014)\n"}).ingest()
    (part,) = drawn(notes).parts
    bars = [(row.name, bar.label, bar.start, bar.past) for row in part.rows for bar in row.bars]
    assert bars == [
        ("Bonn", "2010 – 2012", day("2010"), day("2012")),
        ("Bonn", "2015 – 2020", day("2015"), day("2021")),
        ("Ulm", "2012 – 2014", day("2012"), day("2015")),
    ]


def day(text):
    return Moment.parse(text).first


def scale(first, past):
    return Scale(day(first), day(past))


def rows(picture):
    return [(part.predicate, row.name, [bar.label for bar in row.bars]) for part in picture.parts for row in part.rows]


def test_one_row_for_each_value_of_a_slot(notes):
    notes.write(
        {
            "Mira.md": PERSON + "works_at:: [[Nord]] (2010 – 2012)\nworks_at:: [[Sud]] (2013 – 2014)\n"
            "works_at:: [[Nord]] (since 2015)\nknows:: [[Bo]]\n"
        }
    ).ingest()
    assert rows(drawn(notes)) == [
        ("knows", "Bo", ["date unknown"]),
        ("works at", "Nord", ["2010 – 2012", "since 2015"]),
        ("works at", "Sud", ["2013 – 2014"]),
    ]


def test_a_bar_has_the_ends_that_a_person_may_see(notes):
    notes.write(
        {
            "Mira.md": PERSON + "works_at:: [[Nord]] (2015 – 2023-03)\nmember of:: [[Club]] (until 2019)\n"
            "lives_in:: [[Paris]] (since 2020-05-06)\nknows:: [[Bo]]\n"
        }
    ).ingest()
    ends = {row.name: (bar.start, bar.past, bar.goes_on) for part in drawn(notes).parts for row in part.rows
            for bar in row.bars}  # fmt: skip
    assert ends == {
        "Nord": (day("2015"), day("2023-04"), False),
        "Club": (None, day("2020"), False),
        "Paris": (day("2020-05-06"), None, True),
        "Bo": (None, None, True),
    }


def test_facts_of_others_are_named_by_their_subject(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\n"}).ingest()
    assert rows(drawn(notes, "Nord")) == [("… works at Nord", "Mira", ["since 2015"])]


def test_the_picture_of_another_time(notes):
    notes.write(
        {"Mira.md": PERSON + "works_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)\n"}
    ).ingest(MONDAY)
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\n"}).ingest(TUESDAY)
    with notes.store() as store:
        monday = store.transactions()[0].recorded_at
    in_2016 = (day("2016"), day("2017"))
    assert rows(drawn(notes)) == [("works at", "Nord", ["since 2015"])]
    assert rows(drawn(notes, known=monday)) == [
        ("works at", "Nord", ["2015 – 2023-03"]),
        ("works at", "Sud", ["since 2023-04"]),
    ]
    assert rows(drawn(notes, known=monday, valid=in_2016)) == [("works at", "Nord", ["2015 – 2023-03"])]
    assert drawn(notes, valid=in_2016).now == day("2016")


def test_versions_and_the_instants_at_which_they_began_or_ended(notes):
    notes.write({"Mira.md": PERSON + "phone:: 1\nknows:: [[Bo]]\n"}).ingest(MONDAY)
    notes.write({"Mira.md": PERSON + "knows:: [[Bo]]\n"}).ingest(TUESDAY)
    picture = drawn(notes)
    assert [(part.predicate, len(part.rows), len(part.versions)) for part in picture.parts] == [
        ("knows", 1, 1),
        ("phone", 0, 1),
    ]
    as_json = picture.as_json()
    assert as_json["instants"] == ["2026-03-02T10:00:00Z", "2026-03-03T10:00:00Z"]


def test_only_what_was_believed_in_several_ways_is_revised(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\nknows:: [[Bo]] (since 2016)\n"}).ingest(MONDAY)
    notes.write(
        {"Mira.md": PERSON + "works_at:: [[Nord]] (since 2014)\nknows:: [[Bo]] (since 2016)\n"}
    ).ingest(TUESDAY)  # fmt: skip
    assert {part.predicate: part.revised for part in drawn(notes).parts} == {"knows": False, "works at": True}


def test_a_version_that_did_not_outlive_its_minute_is_not_drawn(notes):
    notes.write({
        "Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\n",
        "Sud.md": "---\ntype: company\n---\nemployees:: [[Mira]] (since 2020)\n",
    }).ingest(MONDAY)  # fmt: skip
    with notes.store() as store:
        (slot,) = history(store, find_ever(store, "Mira")[0].entity.id)
    assert [each.view.target for each in slot.versions] == ["Nord", "Nord", "Sud"]
    (part,) = drawn(notes).parts
    assert [(bar.version.view.target, bar.label) for bar in part.versions] == [
        ("Nord", "2015 – 2020"),
        ("Sud", "since 2020"),
    ]
    assert not part.revised


def test_nothing_dated_needs_no_scale(notes):
    notes.write({"Mira.md": PERSON + "knows:: [[Bo]]\n"}).ingest()
    assert drawn(notes).scale is None


def test_a_scale_holds_all_ends_with_a_margin_and_now_only_if_something_goes_on(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (1810 – 1819)\n"}).ingest(MONDAY)
    past = drawn(notes).scale
    assert past.first < day("1810") < day("1820") < past.past < day("1821")
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 1810)\n"}).ingest(TUESDAY)
    assert drawn(notes).scale.past > NOW


def test_where_a_second_lies():
    span = scale("2001-01-01", "2001-01-11")
    assert span.share(day("2001-01-01")) == 0.0
    assert span.share(day("2001-01-06")) == 0.5
    assert span.share(day("2001-01-11")) == 1.0
    assert (span.share(day("1900")), span.share(day("2100"))) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("first", "past", "most", "labels"),
    [
        ("2026-03-01", "2026-03-05", 4, ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]),
        ("2025-12-15", "2026-03-15", 3, ["2026-01", "2026-02", "2026-03"]),
        ("2019-06", "2022-02", 3, ["2020", "2021", "2022"]),
        ("2009-06", "2026-05", 4, ["2010", "2015", "2020", "2025"]),
        ("0050", "2026", 4, ["0500", "1000", "1500", "2000"]),
    ],
)
def test_ticks_are_round_dates(first, past, most, labels):
    assert [label for _, label in scale(first, past).ticks(most)] == labels


@pytest.mark.parametrize(
    ("first", "past"), [("0001-01-02", "0001-02-01"), ("9998-05", "9999-12-31"), ("0001-01-02", "9999-12-31")]
)
def test_ticks_at_the_ends_of_the_calendar(first, past):
    ticks = scale(first, past).ticks(5)
    assert 0 < len(ticks) <= 6
    assert [share for share, _ in ticks] == sorted(share for share, _ in ticks)


def test_the_latest_dates_fit(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 9999-12-30)\n"}).ingest()
    span = drawn(notes).scale
    assert span.past == date.max.toordinal() * 86_400
