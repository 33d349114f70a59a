"""What a person does to notes between two ingests, and what the memory then believes."""

from datetime import datetime, timedelta

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.errors import UserError
from kgmem.model import Counts, to_instant
from kgmem.store.protocol import FactQuery

PERSON = "---\ntype: person\n"


def known(at):
    """What was believed an hour after."""
    return FactQuery(known=to_instant(datetime.fromisoformat(at) + timedelta(hours=1)))


def history(notes, predicate):
    return notes.facts(FactQuery(predicate=predicate, versions=True))


def test_an_edited_property_ends_on_the_day_that_the_edit_was_seen(notes):
    notes.write({"Mira.md": PERSON + "phone: 111\n---\n"}).ingest()
    notes.write({"Mira.md": PERSON + "phone: 222\n---\n"})
    report = notes.ingest(TUESDAY)
    assert (report.counts, report.facts_opened, report.facts_closed) == (Counts(changed=1), 2, 1)
    assert notes.facts() == [
        "Mira | PHONE | 111 | until an edit seen 2026-03-03",
        "Mira | PHONE | 222 | since an edit seen 2026-03-03",
    ]
    assert notes.facts(known(MONDAY)) == ["Mira | PHONE | 111 | date unknown"]
    assert history(notes, "PHONE") == [
        "Mira | PHONE | 111 | date unknown",
        "Mira | PHONE | 111 | until an edit seen 2026-03-03",
        "Mira | PHONE | 222 | since an edit seen 2026-03-03",
    ]


def test_an_edited_date_is_a_correction(notes):
    notes.write({"Mira.md": PERSON + "employer: Nord (since 2014)\n---\n"}).ingest()
    notes.write({"Mira.md": PERSON + "employer: Nord (since 2015)\n---\n"}).ingest(TUESDAY)
    assert notes.facts() == ["Mira | WORKS_AT | Nord | since 2015"]
    assert notes.facts(known(MONDAY)) == ["Mira | WORKS_AT | Nord | since 2014"]


def test_a_stated_change_ends_the_old_value_on_its_own_date(notes):
    notes.write({"Mira.md": PERSON + "employer: Nord (since 2015)\n---\n"}).ingest()
    notes.write({"Mira.md": PERSON + "employer: Sud (since 2023-04)\n---\n"}).ingest(TUESDAY)
    assert notes.facts() == ["Mira | WORKS_AT | Nord | 2015 – 2023-04", "Mira | WORKS_AT | Sud | since 2023-04"]


def test_a_deleted_property_is_withdrawn(notes):
    notes.write({"Mira.md": PERSON + "phone: 111\nborn: 1985\n---\n"}).ingest()
    notes.write({"Mira.md": PERSON + "born: 1985\n---\n"}).ingest(TUESDAY)
    assert notes.facts() == ["Mira | BORN_ON | 1985 | date unknown"]
    assert history(notes, "PHONE") == ["Mira | PHONE | 111 | date unknown"]


def friends(facts):
    """Whoever is a friend of Mira; the relation has no direction."""
    return sorted(name for fact in facts for name in fact.split(" | ")[::2] if name != "Mira")


def test_an_item_taken_from_a_list_is_withdrawn_and_the_others_stay(notes):
    notes.write({"Mira.md": PERSON + "friends:\n  - Ann\n  - Bo\n  - Cy\n---\n"}).ingest()
    report = notes.write({"Mira.md": PERSON + "friends:\n  - Ann\n  - Cy\n---\n"}).ingest(TUESDAY)
    assert (report.facts_opened, report.facts_closed) == (0, 1)
    assert friends(notes.facts()) == ["Ann", "Cy"]
    assert friends(notes.facts(known(MONDAY))) == ["Ann", "Bo", "Cy"]


def test_a_deleted_sentence_withdraws_its_link_and_a_moved_one_does_not(notes):
    notes.write({"Log.md": "Lunch with [[Mira]].\n\nDinner with [[Bo]].\n"}).ingest()
    report = notes.write({"Log.md": "A new first line.\n\nDinner with [[Bo]].\n"}).ingest(TUESDAY)
    assert (report.facts_opened, report.facts_closed) == (0, 1)
    assert notes.links() == ["Log > Bo"]
    assert "Mira" not in notes.entities()


def test_a_removed_note_takes_its_facts_and_a_restored_one_brings_them_back(notes):
    files = {"Mira.md": PERSON + "phone: 111\n---\nSees [[Bo]].\n", "Bo.md": "x", "Cy.md": "Met [[Mira]].\n"}
    notes.write(files).ingest()
    before = notes.facts(), notes.links(), notes.entities()
    (card,) = notes.called("Mira")
    assert notes.remove("Mira.md").ingest(TUESDAY).counts == Counts(removed=1, unchanged=2)
    assert (notes.facts(), notes.links()) == ([], ["Cy > Mira"])
    assert notes.facts(known(MONDAY)) == ["Mira | PHONE | 111 | date unknown"]
    assert notes.write({"Mira.md": files["Mira.md"]}).ingest(WEDNESDAY).counts.added == 1
    assert (notes.facts(), notes.links(), notes.entities()) == before
    assert [each.entity.id for each in notes.called("Mira")] == [card.entity.id]


def test_a_new_note_takes_over_the_links_that_waited_for_it(notes):
    notes.write({"A.md": "Met [[Mira Castel]].\n", "B.md": "Mira Castel again.\n"}).ingest()
    assert notes.links() == ["A > Mira Castel"]
    (stranger,) = notes.called("Mira Castel")
    assert (stranger.entity.type, stranger.sources) == ("Object", 1)
    notes.write({"People/Mira Castel.md": PERSON + "---\n"}).ingest(TUESDAY)
    (card,) = notes.called("Mira Castel")
    assert (card.entity.type, card.sources) == ("Person", 3)
    assert notes.links() == ["A > Mira Castel"]
    assert notes.mentioned_in("Mira Castel") == ["A.md", "B.md", "People/Mira Castel.md"]


def test_a_new_alias_makes_old_mentions_of_it_resolve(notes):
    notes.write({"Mira.md": PERSON + "---\n", "Log.md": "Lunch with Mimi Castel.\n", "Other.md": "x"}).ingest()
    assert notes.mentioned_in("Mira") == ["Mira.md"]
    report = notes.write({"Mira.md": PERSON + "aliases: [Mimi Castel]\n---\n"}).ingest(TUESDAY)
    assert report.counts == Counts(changed=1, unchanged=2)
    assert notes.mentioned_in("Mira") == ["Log.md", "Mira.md"]
    notes.write({"Mira.md": PERSON + "---\n"}).ingest(WEDNESDAY)
    assert notes.mentioned_in("Mira") == ["Mira.md"]


def test_a_renamed_note_keeps_its_identity_and_is_found_by_its_new_name(notes):
    notes.write({"Mira.md": PERSON + "phone: 111\n---\n", "A.md": "Met [[Mira]].\n", "B.md": "Met [[Mira Nord]].\n"})
    notes.ingest()
    (card,) = notes.called("Mira")
    report = notes.move("Mira.md", "People/Mira Nord.md").ingest(TUESDAY)
    assert report.counts == Counts(moved=1, unchanged=2)
    (renamed,) = notes.called("Mira Nord")
    assert renamed.entity.id == card.entity.id
    assert history(notes, "PHONE") == ["Mira Nord | PHONE | 111 | date unknown"]
    assert notes.mentioned_in("Mira Nord") == ["B.md", "People/Mira Nord.md"]
    notes.write({"A.md": "Met [[Mira Nord]].\n"}).ingest(WEDNESDAY)
    assert notes.links() == ["A > Mira Nord", "B > Mira Nord"]
    assert notes.mentioned_in("Mira Nord") == ["A.md", "B.md", "People/Mira Nord.md"]


def test_a_note_that_is_renamed_and_edited_keeps_its_identity_by_its_own_id(notes):
    notes.write({"Mira.md": PERSON + "id: m1\nphone: 111\n---\n"}).ingest()
    (card,) = notes.called("Mira")
    notes.remove("Mira.md").write({"Mira Nord.md": PERSON + "id: m1\nphone: 222\n---\n"})
    assert notes.ingest(TUESDAY).counts == Counts(moved=1)
    assert notes.called("Mira Nord")[0].entity.id == card.entity.id
    assert notes.facts() == [
        "Mira Nord | PHONE | 111 | until an edit seen 2026-03-03",
        "Mira Nord | PHONE | 222 | since an edit seen 2026-03-03",
    ]


def test_two_notes_of_one_name_stay_two(notes):
    notes.write({"Work/Ann.md": PERSON + "phone: 1\n---\n", "Home/Ann.md": PERSON + "phone: 2\n---\n"}).ingest()
    assert len(notes.called("Ann")) == 2
    assert len({card.entity.id for card in notes.called("Ann")}) == 2
    assert notes.facts() == ["Ann | PHONE | 1 | date unknown", "Ann | PHONE | 2 | date unknown"]


def test_a_bare_name_that_two_notes_own_is_no_mention_unless_the_note_links_to_one(notes):
    notes.write({
        "Work/Ann Berg.md": PERSON + "---\n", "Home/Ann Berg.md": PERSON + "---\n",
        "A.md": "Ann Berg called.\n", "B.md": "[[Work/Ann Berg]] came. Ann Berg stayed.\n",
    }).ingest()  # fmt: skip
    assert sorted((card.sources, card.mentions) for card in notes.called("Ann Berg")) == [(1, 1), (2, 3)]


def test_the_type_of_a_note_changes(notes):
    notes.write({"Nord.md": "---\ntype: person\nowner: Ann\n---\n", "Log.md": "Met [[Nord]].\n"}).ingest()
    (card,) = notes.called("Nord")
    assert notes.facts() == ["Nord | OWNER | Ann | date unknown"]
    notes.write({"Nord.md": "---\ntype: company\nowner: Ann\n---\n"}).ingest(TUESDAY)
    (changed,) = notes.called("Nord")
    assert (changed.entity.id, changed.entity.type) == (card.entity.id, "Organization")
    assert notes.facts() == ["Nord | OWNED_BY | Ann | date unknown"]


def test_a_type_that_is_taken_away_is_gone(notes):
    notes.write({"Nord.md": "---\ntype: company\n---\n"}).ingest()
    notes.write({"Nord.md": "Just a note.\n"}).ingest(TUESDAY)
    assert [card.entity.type for card in notes.called("Nord")] == ["Object"]


def test_many_notes_gone_at_once_need_a_yes(notes):
    notes.write({f"{number}.md": "x" for number in range(10)}).ingest()
    notes.remove("1.md", "2.md")
    assert notes.ingest(TUESDAY).counts.removed == 2
    notes.remove("3.md", "4.md")
    asked = []
    with pytest.raises(UserError, match="2 of 8 known sources are gone"):
        notes.ingest(WEDNESDAY, confirm=lambda *counts: asked.append(counts))
    assert asked == [(2, 8)]
    assert notes.entities().keys() >= {"3", "4"}


def test_groups_do_not_see_each_other(notes, tmp_path):
    mine = notes.write({"Mira.md": PERSON + "phone: 1\n---\n"})
    mine.ingest()
    theirs = Notes(tmp_path, "theirs")
    assert (theirs.facts(), theirs.entities()) == ([], {})
    before = mine.dump()
    theirs.write({"Mira.md": PERSON + "phone: 2\n---\n"}).ingest(TUESDAY)
    assert theirs.facts() == ["Mira | PHONE | 2 | date unknown"]
    assert mine.facts() == ["Mira | PHONE | 1 | date unknown"]
    assert mine.dump() == before


def test_what_is_written_again_after_it_was_deleted_is_believed_again(notes):
    with_phone = {"Mira.md": PERSON + "phone: 111\n---\n"}
    notes.write(with_phone).ingest()
    notes.write({"Mira.md": PERSON + "born: 1985\n---\n"}).ingest(TUESDAY)
    notes.write(with_phone).ingest(WEDNESDAY)
    assert notes.facts() == ["Mira | PHONE | 111 | date unknown"]
    assert notes.facts(known(TUESDAY)) == ["Mira | BORN_ON | 1985 | date unknown"]


def test_a_name_that_changes_hands_and_comes_back(notes):
    notes.write({"Log.md": "Met [[Mira]].\n", "Mira.md": PERSON + "---\n"}).ingest()
    (card,) = notes.called("Mira")
    notes.move("Mira.md", "Mira Castel.md").ingest(TUESDAY)
    assert [each.entity.id for each in notes.called("Mira") if each.sources] != [card.entity.id]
    notes.move("Mira Castel.md", "Mira.md").ingest(WEDNESDAY)
    assert [each.entity.id for each in notes.called("Mira") if each.sources] == [card.entity.id]
    assert notes.links() == ["Log > Mira"]
