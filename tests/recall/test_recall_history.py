import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.errors import NotFoundError
from kgmem.model import Instant
from kgmem.recall.history import believed, cause_words, difference, find_ever, history, minute
from kgmem.recall.wording import when

PERSON = "---\ntype: person\n---\n"
BEFORE_ALL = Instant(0)


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


def versions(notes, name, **options):
    """``target | when | believed | what ended that`` of every version, slot by slot."""
    with notes.store() as store:
        found = history(store, find_ever(store, name)[0].entity.id, **options)
    return [[shown(version) for version in slot.versions] for slot in found]


def shown(version):
    ended = cause_words(version.closed_by) if version.closed_by else ""
    return f"{version.view.target} | {when(version.fact)} | {believed(version.fact)} | {ended}"


def changes(notes, since, until=None):
    with notes.store() as store:
        found = difference(store, since, until)

    def say(some):
        return [f"{each.view.says} {when(each.fact)}" for each in some]

    return (
        say(found.learned),
        [(say(each.before), say(each.after)) for each in found.changed],
        say(found.dropped),
    )


def log(notes):
    with notes.store() as store:
        return [each.recorded_at for each in store.transactions()]


def test_a_change_a_correction_and_a_retraction_are_versions(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\n"}).ingest(MONDAY)
    notes.write(
        {"Mira.md": PERSON + "works_at:: [[Nord]] (2015 – 2023-03)\nworks_at:: [[Sud]] (since 2023-04)\n"}
    ).ingest(TUESDAY)
    notes.remove("Mira.md").ingest(WEDNESDAY)
    assert versions(notes, "Mira") == [
        [
            "Nord | since 2015 | believed 2026-03-02 10:00 – 2026-03-03 10:00 | Mira.md was changed",
            "Nord | 2015 – 2023-03 | believed 2026-03-03 10:00 – 2026-03-04 10:00 | Mira.md was removed",
            "Sud | since 2023-04 | believed 2026-03-03 10:00 – 2026-03-04 10:00 | Mira.md was removed",
        ]
    ]


def test_history_as_it_stood_knows_no_later_end(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\n"}).ingest(MONDAY)
    (first,) = log(notes)
    notes.remove("Mira.md").ingest(TUESDAY)
    expected = "Nord | since 2015 | believed since 2026-03-02 10:00 | "
    assert versions(notes, "Mira", known=first) == [[expected]]
    assert versions(notes, "Mira", known=Instant(first - 1)) == []


def test_slots_stand_by_predicate_the_own_ones_first_and_bare_links_are_left_out(notes):
    notes.write({
        "Mira.md": PERSON + "knows:: [[Cy]]\nknows:: [[Bo]]\nlives_in:: [[Paris]]\n\nSee [[Nord]].\n",
        "Ann.md": PERSON + "reports to:: [[Mira]]\n",
    }).ingest()  # fmt: skip
    with notes.store() as store:
        mira = find_ever(store, "Mira")[0].entity.id
        found = history(store, mira)
        links = history(store, mira, predicate="LINKS_TO")
    assert [(slot.subject.name, slot.predicate, slot.versions[0].view.target) for slot in found] == [
        ("Mira", "KNOWS", "Bo"),
        ("Mira", "KNOWS", "Cy"),
        ("Mira", "LIVES_IN", "Paris"),
        ("Ann", "REPORTS_TO", "Mira"),
    ]
    assert {slot.predicate for slot in links} == {"LINKS_TO"}


def test_evidence_says_whether_its_words_still_stand(notes):
    notes.write({"Mira.md": PERSON + "phone:: 111\nknows:: [[Bo]]\n"}).ingest(MONDAY)
    notes.write({"Mira.md": PERSON + "A line.\nphone:: 1112\nknows:: [[Bo]]\n"}).ingest(TUESDAY)
    with notes.store() as store:
        found = history(store, find_ever(store, "Mira")[0].entity.id)
    places = {(e.quote, e.line, e.live) for slot in found for v in slot.versions for e in v.places}
    assert places == {("knows:: [[Bo]]", 6, True), ("phone:: 1112", 5, True), ("phone:: 111", 4, False)}


def test_what_no_note_speaks_of_any_more_can_still_be_asked_for(notes):
    notes.write({"Mira.md": PERSON + "phone:: 111\n", "Bo.md": PERSON}).ingest(MONDAY)
    notes.remove("Mira.md").ingest(TUESDAY)
    with notes.store() as store:
        (gone,) = find_ever(store, "mira")
        assert (gone.entity.name, gone.mentions) == ("Mira", 0)
        assert find_ever(store, gone.entity.id) == (gone,)
        with pytest.raises(NotFoundError):
            find_ever(store, "Nobody")


def test_a_name_that_stands_for_itself_again_has_the_past_of_its_note(notes):
    notes.write({"Mira.md": PERSON + "phone:: 111\n", "Bo.md": PERSON + "knows:: [[Mira]]\n"}).ingest(MONDAY)
    notes.remove("Mira.md").ingest(TUESDAY)
    with notes.store() as store:
        (now,) = find_ever(store, "Mira")
        assert now.mentions > 0
        phone, knows = sorted(history(store, now.entity.id), key=lambda slot: slot.predicate, reverse=True)
    assert [(each.fact.value, each.closed_by.kind) for each in phone.versions] == [("111", "removed")]
    assert [(each.view.target, each.closed_by) for each in knows.versions] == [("Bo", None)]


def test_the_json_of_a_version_names_what_closed_it(notes):
    notes.write({"Mira.md": PERSON + "phone:: 111\n"}).ingest(MONDAY)
    notes.remove("Mira.md").ingest(TUESDAY)
    with notes.store() as store:
        (slot,) = history(store, find_ever(store, "Mira")[0].entity.id)
    (version,) = slot.as_json()["versions"]
    assert version["closed_by"] == {"kind": "removed", "source": "Mira.md", "recorded_at": "2026-03-03T10:00:00Z"}
    assert version["evidence"] == [
        {"source": "Mira.md", "line": 4, "quote": "phone:: 111", "rung": "structure", "agreed": [],
         "confidence": 1.0, "live": False}
    ]  # fmt: skip


def test_what_was_learned_changed_and_dropped(notes):
    notes.write({
        "Mira.md": PERSON + "works_at:: [[Nord]] (since 2015)\n",
        "Bo.md": PERSON + "phone:: 1\n",
    }).ingest(MONDAY)  # fmt: skip
    between = log(notes)[-1]
    notes.write({"Mira.md": PERSON + "works_at:: [[Sud]] (since 2015)\nemail:: m@x.org\n"}).remove("Bo.md")
    notes.ingest(TUESDAY)
    assert changes(notes, between) == (
        ["The email of Mira is m@x.org. date unknown"],
        [(["Mira works at Nord. since 2015"], ["Mira works at Sud. since 2015"])],
        ["The phone of Bo is 1. date unknown"],
    )
    assert changes(notes, BEFORE_ALL, between) == (
        ["The phone of Bo is 1. date unknown", "Mira works at Nord. since 2015"],
        [],
        [],
    )


def test_only_net_changes_are_told(notes):
    notes.write({"Mira.md": PERSON + "phone:: 1\n"}).ingest(MONDAY)
    first = log(notes)[-1]
    notes.write({"Mira.md": PERSON + "phone:: 1\nemail:: m@x.org\n"}).ingest(TUESDAY)
    notes.write({"Mira.md": PERSON + "phone:: 1\n"}).ingest(WEDNESDAY)
    assert changes(notes, first) == ([], [], [])
    assert changes(notes, BEFORE_ALL) == (["The phone of Mira is 1. date unknown"], [], [])


def test_a_backfilled_value_beside_what_stays_is_learned(notes):
    notes.write({"Mira.md": PERSON + "works_at:: [[Sud]] (since 2023-04)\n"}).ingest(MONDAY)
    first = log(notes)[-1]
    notes.write({"Old.md": "The old days: [[Mira]].\n"}).ingest(TUESDAY)
    notes.write(
        {"Mira.md": PERSON + "works_at:: [[Sud]] (since 2023-04)\nworks_at:: [[Nord]] (2015 – 2023-03)\n"}
    ).ingest(WEDNESDAY)
    assert changes(notes, first) == (["Mira works at Nord. 2015 – 2023-03"], [], [])


def test_a_new_name_alone_is_no_change(notes):
    notes.write({"Mira.md": PERSON + "phone:: 1\n"}).ingest(MONDAY)
    first = log(notes)[-1]
    notes.move("Mira.md", "Mira Castel.md").ingest(TUESDAY)
    assert changes(notes, first) == ([], [], [])
    assert len(log(notes)) == 2


def test_a_difference_as_json_is_bounded_and_counts_all(notes):
    notes.write({"Mira.md": PERSON + "email:: a@x.org\nphone:: 1\nshoe size:: 41\n"}).ingest(MONDAY)
    with notes.store() as store:
        found = difference(store, BEFORE_ALL, limit=2).as_json()
    assert found["total"] == {"learned": 3, "changed": 0, "dropped": 0}
    assert [fact["value"] for fact in found["learned"]] == ["a@x.org", "1"]


def test_recorded_time_in_words():
    assert minute(Instant(1_772_445_600_000_000)) == "2026-03-02 10:00"
