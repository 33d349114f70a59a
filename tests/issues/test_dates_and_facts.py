"""Public reports about dates and facts that change, each taken the whole way from a vault to what is believed."""

import os
import time
from datetime import date

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.extraction.ontology import load_ontology
from kgmem.model import Moment, day_of
from kgmem.recall.facts import find_facts
from kgmem.store.protocol import FactQuery


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


@pytest.fixture
def mine(tmp_path):
    """The notes of Mia."""
    return Notes(tmp_path, ontology=load_ontology(owner="Mia"))


def on(day):
    moment = Moment.parse(day)
    return moment.first, moment.past


def only(notes, predicate):
    """The one fact of a predicate."""
    with notes.store() as store:
        (view,) = find_facts(store, FactQuery(predicate=predicate))[1]
    return view


def held(notes, day, predicate=None):
    """What is believed to hold on a day, without its dates."""
    lines = notes.facts(FactQuery(valid=on(day), predicate=predicate))
    return [line.rsplit(" | ", 1)[0] for line in lines]


def test_graphiti_1377_an_old_export_speaks_of_its_own_time(mine):
    mine.write({"chat.md": "---\ndate: 2019-04-02\n---\nI work at Acme.\n"}).ingest()
    assert mine.facts() == ["Mia | WORKS_AT | Acme | noted 2019-04-02"]
    assert day_of(only(mine, "WORKS_AT").fact.recorded_at) == date(2026, 3, 2)


def test_graphiti_1377_nobody_is_i_where_no_owner_is_named(notes):
    notes.write({"chat.md": "---\ndate: 2019-04-02\n---\nI work at Acme.\n"}).ingest()
    assert notes.facts() == []


def test_statewave_115_today_is_the_day_of_the_note(notes):
    notes.write({"2026-05-16.md": "Today we met at the lake.\n"}).ingest()
    assert notes.facts() == []
    (card,) = notes.cards()
    assert (card.entity.type.value, card.first_seen.shown) == ("Event", "2026-05-16")


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Tokyo"])
def test_daily_note_calendar_59_a_day_is_a_day_in_every_zone(notes, zone, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        notes.write({"A.md": "---\ncreated: 2025-01-01\n---\nBo lives in Rome.\n"}).ingest()
        assert notes.facts() == ["Bo | LIVES_IN | Rome | noted 2025-01-01"]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_zk_382_the_time_of_a_file_dates_no_fact(notes):
    notes.write({"A.md": "Bo lives in Rome.\n"})
    os.utime(notes.vault / "A.md", (1_706_054_400, 1_706_054_400))  # 2024-01-24
    notes.ingest()
    before = only(notes, "LIVES_IN")
    (evidence,) = before.evidence
    assert (str(evidence.occurred.moment), evidence.occurred.basis.value) == ("2024-01-24", "file")
    assert notes.facts() == ["Bo | LIVES_IN | Rome | date unknown"]
    os.utime(notes.vault / "A.md", (1_780_000_000, 1_780_000_000))
    notes.ingest(TUESDAY)
    assert only(notes, "LIVES_IN").fact == before.fact


def test_graphiti_1841_who_moved_away_no_longer_lives_there(notes):
    notes.write({
        "2021-01-10.md": "Kiran lives in Whitefield.\n",
        "2021-06-10.md": "Kiran moved from Whitefield to Electronic City in March 2021.\n",
    }).ingest()  # fmt: skip
    assert held(notes, "2021-02-01") == ["Kiran | LIVES_IN | Whitefield"]
    assert held(notes, "2026-01-01") == ["Kiran | LIVES_IN | Electronic City"]


def test_graphiti_1841_a_project_is_left_like_a_place(notes):
    notes.write({
        "2021-01-10.md": "Kiran is on project Apollo.\n",
        "2021-06-10.md": "Kiran moved from project Apollo to Zeus.\n",
    }).ingest()  # fmt: skip
    assert held(notes, "2021-02-01") == ["Kiran | WORKS_ON | Apollo"]
    assert held(notes, "2026-01-01") == ["Kiran | WORKS_ON | Zeus"]


def test_graphiti_1728_other_things_that_somebody_does_end_no_office(notes):
    notes.write({
        "2024-01-10.md": "Dee is CTO at Acme.\n",
        "2025-01-10.md": "Dee administers Acme's GitHub org.\n",
        "2025-02-10.md": "Dee imposed an audit rule.\n",
    }).ingest()  # fmt: skip
    assert notes.facts() == ["Dee | ROLE | CTO | noted 2024-01-10", "Dee | WORKS_AT | Acme | noted 2024-01-10"]


def test_graphiti_1729_what_uses_one_thing_may_be_used_by_another(notes):
    notes.write({
        "2024-01-10.md": "[[A]] uses [[B]].\n",
        "2025-01-10.md": "[[B]] uses [[C]].\n",
    }).ingest()  # fmt: skip
    assert held(notes, "2026-01-01") == ["A | USES | B", "B | USES | C"]


@pytest.mark.parametrize("order", [("2026-01-05", "2024-01-05"), ("2024-01-05", "2026-01-05")])
def test_khora_1144_the_order_of_arrival_decides_nothing(notes, order):
    said = {"2026-01-05": "Alice works at Initech.\n", "2024-01-05": "Alice works at Acme.\n"}
    for day, now in zip(order, (MONDAY, TUESDAY), strict=True):
        notes.write({f"{day}.md": said[day]}).ingest(now)
    assert held(notes, "2026-11-01") == ["Alice | WORKS_AT | Initech"]
    assert held(notes, "2024-06-01") == ["Alice | WORKS_AT | Acme"]


def test_mem0_4536_love_ends_where_hate_begins(mine):
    mine.write({"2025-01-10.md": "I love Chinese food.\n"}).ingest()
    mine.write({"2025-03-10.md": "I hate Chinese food.\n"}).ingest(TUESDAY)
    assert mine.facts() == [
        "Mia | DISLIKES | Chinese food | noted 2025-03-10",
        "Mia | LIKES | Chinese food | noted 2025-01-10, until 2025-03-10, by a later note",
    ]
    assert held(mine, "2025-02-01") == ["Mia | LIKES | Chinese food"]
    assert held(mine, "2025-04-01") == ["Mia | DISLIKES | Chinese food"]


def test_mem0_4536_who_hates_a_thing_need_not_have_loved_it(mine):
    mine.write({"2025-03-10.md": "I hate Chinese food.\n"}).ingest()
    assert mine.facts() == ["Mia | DISLIKES | Chinese food | noted 2025-03-10"]


def test_mem0_1674_the_same_sentence_twice_is_one_fact_from_two_notes(notes):
    text = "Ann works at Acme since 2019.\n"
    notes.write({"A.md": text}).ingest()
    notes.write({"B.md": text}).ingest(TUESDAY)
    assert notes.facts() == ["Ann | WORKS_AT | Acme | since 2019"]
    assert [each.path for each in only(notes, "WORKS_AT").evidence] == ["A.md", "B.md"]
    notes.remove("A.md").ingest(WEDNESDAY)
    assert notes.facts() == ["Ann | WORKS_AT | Acme | since 2019"]


def test_agent_memory_a_similar_name_is_another_fact(notes):
    notes.write({"A.md": "Ann has worked at Acme since 2019.\n"}).ingest()
    notes.write({"B.md": "Ann joined Acme Labs in 2023.\n"}).ingest(TUESDAY)
    assert notes.facts() == ["Ann | WORKS_AT | Acme Labs | since 2023", "Ann | WORKS_AT | Acme | 2019 – 2023"]
    assert held(notes, "2020-05-01") == ["Ann | WORKS_AT | Acme"]


def test_remnic_713_what_holds_in_the_evening_is_one_answer(notes):
    notes.write({
        "Ann.md": "---\ntype: person\nworks_at:\n"
        "  - Acme (2019-01-01 – 2026-03-01)\n  - Initech (since 2026-03-02)\n---\n"
    }).ingest("2026-03-03T00:00:00+00:00")  # fmt: skip
    evening = Moment.parse("2026-03-02T18:00:00Z")
    lines = notes.facts(FactQuery(valid=(evening.first, evening.past)))
    assert lines == ["Ann | WORKS_AT | Initech | since 2026-03-02"]


def test_agent_memory_a_fact_without_a_date_is_not_of_today(notes):
    notes.write({"A.md": "Ann works at Acme.\n"}).ingest()
    assert notes.facts() == ["Ann | WORKS_AT | Acme | date unknown"]
    valid = only(notes, "WORKS_AT").fact.valid
    assert (valid.start.moment, valid.end.moment) == (None, None)


def test_who_left_no_longer_works_there_though_nothing_else_tells_what_it_is(notes):
    notes.write({"2024-01-08.md": "Ada joined Acme in 2010. Ada left Acme in 2019.\n"}).ingest()
    assert notes.facts() == ["Ada | WORKS_AT | Acme | 2010 – 2019"]


@pytest.mark.parametrize("order", [("2020-01-08", "2021-01-08"), ("2021-01-08", "2020-01-08")])
def test_who_left_a_place_no_longer_lives_there_in_either_order(notes, order):
    said = {"2020-01-08": "Ada lives in Little Pond.\n", "2021-01-08": "Ada left Little Pond in May 2020.\n"}
    for day, now in zip(order, (MONDAY, TUESDAY), strict=True):
        notes.write({f"{day}.md": said[day]}).ingest(now)
    assert notes.facts() == ["Ada | LIVES_IN | Little Pond | noted 2020-01-08, until 2020-05"]


def test_who_leaves_what_nobody_spoke_of_leaves_no_trace(notes):
    notes.write({"2024-01-08.md": "Ada left Acme in 2019.\n"}).ingest()
    assert notes.facts() == []
    assert "Acme" not in notes.entities()


@pytest.mark.parametrize("known", ["Acme", "Initech"])
def test_from_one_company_to_another_is_no_change_of_home(notes, known):
    notes.write({
        f"{known}.md": "---\ntype: company\n---\n",
        "2024-01-08.md": "Ada moved from Acme to Initech in 2020.\n",
    }).ingest()  # fmt: skip
    assert held(notes, "2022-01-01") == ["Ada | WORKS_AT | Initech"]
    assert {"Ada", "Acme", "Initech"} <= notes.entities().keys()
    assert notes.facts(FactQuery(predicate="LIVES_IN")) == []


def test_where_nothing_tells_what_two_names_are_nobody_moved(notes):
    notes.write({"2024-01-08.md": "Ada moved from Acme to Initech in 2020.\n"}).ingest()
    assert notes.facts() == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("project", ["Apollo | LED_BY | Ada | since 2023-03-10"]), ("person", [])],
)
def test_only_what_a_note_says_to_be_led_is_taken_over(notes, kind, expected):
    notes.write({
        "Apollo.md": f"---\ntype: {kind}\n---\n",
        "2024-01-08.md": "Ada took over Apollo on 10 March 2023.\n",
    }).ingest()  # fmt: skip
    assert notes.facts() == expected


def test_a_date_that_cannot_be_read_is_a_problem_and_dates_nothing(notes):
    report = notes.write({"2024-01-08.md": "Ada joined Acme on 03/04/2019.\n"}).ingest()
    assert notes.facts() == ["Ada | WORKS_AT | Acme | date unknown"]
    assert [(each.path, each.line, each.kind) for each in report.problems] == [("2024-01-08.md", 1, "date")]


def test_whose_child_somebody_is_does_not_begin_with_the_note(notes):
    notes.write({"2024-01-08.md": "Ada is the son of Bo.\n"}).ingest()
    assert notes.facts() == ["Bo | PARENT_OF | Ada | date unknown"]


@pytest.mark.parametrize(("path", "text"), [("2023-02-30.md", "x\n"), ("A.md", "---\ndate: 0360\n---\nx\n")])
def test_a_note_is_not_dated_by_a_day_that_cannot_be(notes, path, text):
    report = notes.write({path: text}).ingest()
    assert [(each.path, each.kind) for each in report.problems] == [(path, "date")]
