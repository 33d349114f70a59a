"""Two entities become one, and two again, and nothing of either is lost."""

import json

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes
from ingestion.test_taking_back import back, undo

from kgmem.checkup import check_up
from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.ingestion.identity import Identity
from kgmem.memory import Memory
from kgmem.model import DecisionKind
from kgmem.sources.obsidian import Vault

FILES = {
    "Robert Keane.md": "---\ntype: person\nworks_at: [[Acme]] (since 2019)\naliases: [Rob]\n---\nPlays chess.\n",
    "Bob Keane.md": "---\ntype: person\nlives_in: Cork (since 2020)\n---\nSings.\n",
    "Log.md": "Met [[Bob Keane]] and [[Robert Keane]]. Then [[Bobby]] left.\n\nRob and Bob Keane agree.\n",
    "Jon.md": "---\nfriends: [[Bob Keane]]\n---\n",
}


@pytest.fixture
def notes(tmp_path):
    home = Notes(tmp_path).write(FILES)
    home.ingest(MONDAY)
    return home


def identity_of_the_merge(notes):
    with notes.store() as store:
        return next(each.id for each in store.decisions() if each.kind is DecisionKind.SAME)


def decide(notes, do, now=TUESDAY, *, checked=True):
    with notes.store(now) as store:
        identity = Memory(store, load_ontology()).identity(lambda _root, kind: Vault(notes.vault, kind=kind))
        done = do(identity)
        assert not checked or [check for check in check_up(store, load_ontology()) if not check.ok] == []
        return done


def entity(notes, name):
    (card,) = notes.called(name)
    return card.entity.id


def merge(notes, one, other, *, checked=True, **options):
    a, b = entity(notes, one), entity(notes, other)
    return decide(notes, lambda identity: identity.merge(a, b, **options), checked=checked)


def state(notes):
    """What is there now: everything but the log, closed rows, and who first noted a thing when."""
    tables = {"alias", "mention", "link", "source"}
    rows = [json.loads(line) for line in notes.dump()]
    kept = sorted(json.dumps(row) for row in rows if row["table"] in tables)
    return kept, notes.facts(links=True), notes.entities(), sorted(map(str, (card.entity for card in notes.cards())))


def test_all_that_was_said_of_two_is_said_of_one(notes):
    done = merge(notes, "Robert Keane", "Bob Keane")
    name = done.kept.name
    assert name in {"Robert Keane", "Bob Keane"}
    assert [fact for fact in notes.facts() if fact.startswith(name)] == [
        f"{name} | LIVES_IN | Cork | since 2020",
        f"{name} | WORKS_AT | Acme | since 2019",
    ]
    assert entity(notes, "Rob") == entity(notes, "Bob Keane") == entity(notes, "Robert Keane") == done.kept.id
    assert notes.mentioned_in("Bob Keane") == ["Bob Keane.md", "Jon.md", "Log.md", "Robert Keane.md"]


def test_a_merge_taken_back_leaves_nothing_behind(notes):
    before = state(notes)
    done = merge(notes, "Robert Keane", "Bob Keane")
    assert state(notes) != before
    decide(notes, lambda identity: identity.unmerge(done.decision.id))
    assert state(notes) == before


def test_a_name_without_a_note_becomes_a_name_of_one_with_a_note(notes):
    before = state(notes)
    done = merge(notes, "Bobby", "Robert Keane")
    assert done.kept.name == "Robert Keane"
    assert entity(notes, "Bobby") == entity(notes, "Robert Keane")
    assert "Log > Robert Keane" in notes.links()
    assert "Bobby" not in notes.entities()
    decide(notes, lambda identity: identity.unmerge(done.decision.id))
    assert state(notes) == before


def test_it_outlives_edits_and_reading_again(notes):
    done = merge(notes, "Robert Keane", "Bob Keane")
    notes.write({"Log.md": "Saw [[Bob Keane]] today.\n", "New.md": "[[Robert Keane]] and Bob Keane again.\n"})
    notes.write({"Bob Keane.md": FILES["Bob Keane.md"] + "Still sings.\n"}).ingest(WEDNESDAY)
    notes.ingest(WEDNESDAY, reread=True)
    assert notes.mentioned_in("Bob Keane") == [
        "Bob Keane.md", "Jon.md", "Log.md", "New.md", "Robert Keane.md",
    ]  # fmt: skip
    assert entity(notes, "Robert Keane") == done.kept.id


def test_the_past_stays_two(notes):
    merge(notes, "Robert Keane", "Bob Keane")
    assert notes.facts_known("2026-03-02") == [
        "Bob Keane | LIVES_IN | Cork | since 2020",
        "Jon | FRIENDS | Bob Keane | date unknown",
        "Robert Keane | WORKS_AT | Acme | since 2019",
    ]


def test_those_that_were_said_to_be_two_are_not_merged(notes):
    one, other = entity(notes, "Robert Keane"), entity(notes, "Bob Keane")
    said = decide(notes, lambda identity: identity.keep_apart(one, other))
    with pytest.raises(UserError, match="said to be two"):
        merge(notes, "Robert Keane", "Bob Keane")
    merge(notes, "Bobby", "Robert Keane")
    with pytest.raises(UserError, match="said to be two"):
        merge(notes, "Bobby", "Bob Keane")
    assert decide(notes, lambda identity: identity.merge(one, other, dry_run=True, sure=True)).warnings == (
        "Robert Keane and Bob Keane were said to be two",
    )
    decide(notes, lambda identity: identity.let_together(said.id))
    merge(notes, "Bobby", "Bob Keane")
    assert entity(notes, "Bobby") == entity(notes, "Bob Keane") == entity(notes, "Robert Keane")


def test_what_is_one_is_not_merged_again_nor_kept_apart(notes):
    merge(notes, "Robert Keane", "Bob Keane")
    with pytest.raises(UserError, match="one already"):
        merge(notes, "Robert Keane", "Rob")


def test_a_dry_run_changes_nothing(notes):
    before = notes.dump()
    assert merge(notes, "Robert Keane", "Bob Keane", dry_run=True).sources == 2
    assert notes.dump() == before


@pytest.mark.parametrize(("one", "other"), [("Robert Keane", "Bob Keane"), ("Bobby", "Robert Keane")])
def test_a_merge_or_its_end_that_was_broken_off_is_done_by_the_next_ingest(notes, one, other):
    before = state(notes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Identity, "_read_again", lambda *_: None)
        merge(notes, one, other, checked=False)
    assert state(notes) == before
    notes.ingest(WEDNESDAY)
    assert entity(notes, one) == entity(notes, other)
    merged = state(notes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Identity, "_read_again", lambda *_: None)
        undone = identity_of_the_merge(notes)
        decide(notes, lambda identity: identity.unmerge(undone), WEDNESDAY, checked=False)
    assert state(notes) == merged
    notes.ingest(WEDNESDAY)
    assert state(notes) == before
    again = notes.dump()
    notes.ingest(WEDNESDAY)
    assert notes.dump() == again


def test_a_decision_on_who_is_who_is_not_passed_over_by_undo(notes):
    done = merge(notes, "Robert Keane", "Bob Keane")
    with pytest.raises(UserError, match="who is who"):
        undo(notes)
    decide(notes, lambda identity: identity.unmerge(done.decision.id), WEDNESDAY)
    assert undo(notes).what.kind == "added"


def test_a_person_and_a_company_are_one_only_if_that_is_meant(notes):
    notes.write({"Acme.md": "---\ntype: company\n---\n"}).ingest(TUESDAY)
    with pytest.raises(UserError, match="Organization"):
        merge(notes, "Robert Keane", "Acme")
    merge(notes, "Robert Keane", "Acme", sure=True)


def test_what_was_erased_is_in_no_decision_either(notes):
    notes.write({"Zyx.md": "Met [[Zyxwv Keane]].\n"}).ingest(TUESDAY)
    merge(notes, "Robert Keane", "Zyxwv Keane", because="Zyxwv said so")

    def erase(b, store):
        source = store.source("Zyx.md")
        b.forget(source, Vault(notes.vault))
        return b.erase(source)

    back(notes, erase)
    assert b"Zyxwv" not in b"".join(file.read_bytes() for file in notes.vault.parent.glob("memory.db*"))


def test_a_half_done_merge_is_told_by_a_check_up(notes):
    with pytest.MonkeyPatch.context() as patch, notes.store(TUESDAY) as store:
        patch.setattr(Identity, "_read_again", lambda *_: None)
        identity = Memory(store, load_ontology()).identity(lambda _root, kind: Vault(notes.vault, kind=kind))
        identity.merge(entity(notes, "Robert Keane"), entity(notes, "Bob Keane"))
        (broken,) = (check for check in check_up(store, load_ontology()) if not check.ok)
    assert broken.name == "what was decided is carried out"
    notes.ingest(WEDNESDAY)
    with notes.store(WEDNESDAY) as store:
        assert all(check.ok for check in check_up(store, load_ontology()))


@pytest.mark.parametrize("gone", ["Bob Keane", "Robert Keane"])
def test_a_merge_outlives_the_note_of_either(notes, gone):
    done = merge(notes, "Robert Keane", "Bob Keane")
    notes.remove(f"{gone}.md").ingest(WEDNESDAY)
    (stays,) = {"Bob Keane", "Robert Keane"} - {gone}
    assert entity(notes, stays) == done.kept.id
    assert entity(notes, gone) == done.kept.id
    assert notes.mentioned_in(gone) == ["Jon.md", "Log.md", f"{stays}.md"] if stays > "Log" else [
        f"{stays}.md", "Jon.md", "Log.md",
    ]  # fmt: skip
    notes.write({f"{gone}.md": FILES[f"{gone}.md"]}).ingest(WEDNESDAY)
    assert entity(notes, gone) == entity(notes, stays) == done.kept.id
    decide(notes, lambda identity: identity.unmerge(done.decision.id), WEDNESDAY)
    assert entity(notes, gone) != entity(notes, stays)


def broken_off(notes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Identity, "_read_again", lambda *_: None)
        merge(notes, "Robert Keane", "Bob Keane", checked=False)


def test_the_same_merge_again_goes_on_where_it_was_broken_off(notes):
    one, other = entity(notes, "Robert Keane"), entity(notes, "Bob Keane")
    broken_off(notes)
    assert decide(notes, lambda identity: identity.merge(one, other)).sources == 2
    assert entity(notes, "Robert Keane") == entity(notes, "Bob Keane")


def test_resolve_does_what_was_broken_off_first(notes):
    broken_off(notes)
    with notes.store(TUESDAY) as store:
        Memory(store, load_ontology()).resolver(lambda _root, kind: Vault(notes.vault, kind=kind)).resolve()
    assert entity(notes, "Robert Keane") == entity(notes, "Bob Keane")


def test_two_that_no_note_is_about_are_two_again(tmp_path):
    notes = Notes(tmp_path)
    notes.write(
        {"Nord.md": "---\ntype: company\n---\nworks_at:: [[Sud]]\n", "Jon.md": "Lunch with [[Mira]].\n"}
    ).ingest()
    before = notes.facts(links=True), [card.entity for card in notes.cards()]
    done = merge(notes, "Mira", "Sud")
    decide(notes, lambda identity: identity.unmerge(done.decision.id), WEDNESDAY)
    assert (notes.facts(links=True), [card.entity for card in notes.cards()]) == before
    with notes.store() as store:
        assert [check.name for check in check_up(store, load_ontology()) if not check.ok] == []
