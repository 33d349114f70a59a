"""What was taken in is taken back, with everything that rested on it."""

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.checkup import check_up
from kgmem.errors import UserError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault

NORD = "---\ntype: person\nworks_at: Château Nord (since 2015)\n---\n[[Jon]] came by.\n"
SUD = "---\ntype: person\nworks_at: Château Sud (since 2023-04)\n---\n[[Jon]] went away.\n"
NORD_ONLY = ["Mira | WORKS_AT | Château Nord | since 2015"]


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


def back(notes, do, now=WEDNESDAY):
    """Take something back, and check every invariant after it."""
    with notes.store(now) as store:
        done = do(Memory(store, load_ontology()).back, store)
        assert [check for check in check_up(store, load_ontology()) if not check.ok] == []
        return done


def forget(notes, path, now=WEDNESDAY):
    return back(notes, lambda b, store: b.forget(store.source(path), Vault(notes.vault)), now)


def restore(notes, path):
    def do(b, _store):
        ((_, source),) = [pair for pair in b.forgotten() if pair[1].path == path]
        return b.restore(source, Vault(notes.vault))

    return back(notes, do)


def undo(notes):
    return back(notes, lambda b, _store: b.undo(b.last(), Vault(notes.vault)))


def test_a_forgotten_source_is_believed_no_more_and_its_past_stays(notes):
    notes.write({"Mira.md": NORD, "Jon.md": "---\nlives_in: Lyon\n---\n"}).ingest(MONDAY)
    forget(notes, "Mira.md", TUESDAY)
    assert notes.facts(links=True) == ["Jon | LIVES_IN | Lyon | date unknown"]
    assert "Mira" not in notes.entities()
    assert notes.facts_known("2026-03-02") == ["Jon | LIVES_IN | Lyon | date unknown", *NORD_ONLY]


def test_what_is_forgotten_stays_out_though_its_file_stays_changes_and_moves(notes):
    notes.write({"Mira.md": NORD, "Jon.md": "x\n"}).ingest(MONDAY)
    forget(notes, "Mira.md")
    for _ in range(2):
        report = notes.ingest(WEDNESDAY)
        assert (report.counts.added, report.counts.changed, report.counts.unchanged) == (0, 0, 1)
    notes.write({"Mira.md": SUD}).ingest(WEDNESDAY)
    notes.move("Mira.md", "Old/Mira.md").ingest(WEDNESDAY)
    notes.write({"Old/Mira.md": NORD}).ingest(WEDNESDAY, reread=True)
    assert notes.facts(links=True) == []


def test_names_of_a_forgotten_source_mean_no_more_than_themselves(notes):
    notes.write({"Mira.md": NORD, "Log.md": "Met [[Mira]].\n"}).ingest(MONDAY)
    forget(notes, "Mira.md")
    assert notes.links() == ["Log > Mira"]
    (mira,) = notes.called("Mira")
    fresh = notes.copy().remove("Mira.md")
    fresh.ingest(MONDAY)
    assert [card.entity for card in fresh.called("Mira")] == [mira.entity]


def test_a_forgotten_source_comes_back_as_it_was(notes):
    notes.write({"Mira.md": NORD, "Log.md": "Met [[Mira]].\n"}).ingest(MONDAY)
    before = notes.facts(links=True)
    forget(notes, "Mira.md")
    restore(notes, "Mira.md")
    assert notes.facts(links=True) == before
    report = notes.ingest(WEDNESDAY)
    assert (report.counts.added, report.counts.changed, report.counts.unchanged) == (0, 0, 2)
    with pytest.raises(UserError, match="not forgotten"):
        back(notes, lambda b, store: b.restore(store.source("Mira.md"), Vault(notes.vault)))


def test_a_bad_edit_is_forgotten_and_what_it_replaced_holds_again(notes):
    notes.write({"Mira.md": NORD, "Jon.md": "x\n"}).ingest(MONDAY)
    before = notes.facts(links=True)
    notes.write({"Mira.md": SUD}).ingest(TUESDAY)
    assert notes.facts() == [
        "Mira | WORKS_AT | Château Nord | 2015 – 2023-04",
        "Mira | WORKS_AT | Château Sud | since 2023-04",
    ]

    def forget_edit(b, store):
        source = store.source("Mira.md")
        return b.forget_episode(source, store.episode(source.id).id, Vault(notes.vault))

    back(notes, forget_edit)
    assert notes.facts(links=True) == before
    assert notes.ingest(WEDNESDAY).counts.changed == 0
    assert notes.facts(links=True) == before
    notes.write({"Mira.md": SUD + "\nAnd more.\n"}).ingest(WEDNESDAY)
    assert "Mira | WORKS_AT | Château Sud | since 2023-04" in notes.facts()


def test_an_episode_in_the_middle_leaves_what_came_after_it(notes):
    notes.write({"Mira.md": "---\nlives_in: Lyon\nmood: calm\n---\n"}).ingest(MONDAY)
    notes.write({"Mira.md": "---\nlives_in: Oslo\nmood: calm\n---\n"}).ingest(TUESDAY)
    notes.write({"Mira.md": "---\nlives_in: Riga\nmood: cross\n---\n"}).ingest(WEDNESDAY)

    def forget_middle(b, store):
        source = store.source("Mira.md")
        return b.forget_episode(source, store.episodes(source.id)[1].id, Vault(notes.vault))

    back(notes, forget_middle)
    assert notes.facts() == [
        "Mira | LIVES_IN | Lyon | until an edit seen 2026-03-04",
        "Mira | LIVES_IN | Riga | since an edit seen 2026-03-04",
        "Mira | MOOD | calm | until an edit seen 2026-03-04",
        "Mira | MOOD | cross | since an edit seen 2026-03-04",
    ]


def test_undo_goes_back_step_by_step(notes):
    notes.write({"Mira.md": NORD}).ingest(MONDAY)
    states = [[], notes.facts()]
    notes.write({"Mira.md": SUD}).ingest(TUESDAY)
    states.append(notes.facts())
    notes.remove("Mira.md").ingest(WEDNESDAY)
    kinds = []
    while states:
        kinds.append(undo(notes).what.kind)
        assert notes.facts() == states.pop()
    assert kinds == ["removed", "changed", "added"]
    with pytest.raises(UserError, match="nothing left"):
        undo(notes)


def test_what_was_undone_stays_out_until_it_changes(notes):
    notes.write({"Mira.md": NORD}).ingest(MONDAY)
    undo(notes)
    assert notes.ingest(WEDNESDAY).counts.added == 0
    notes.write({"Mira.md": SUD}).ingest(WEDNESDAY)
    assert notes.facts() == ["Mira | WORKS_AT | Château Sud | since 2023-04"]


def test_undoing_that_something_was_forgotten(notes):
    notes.write({"Mira.md": NORD}).ingest(MONDAY)
    forget(notes, "Mira.md")
    assert undo(notes).what.kind == "forget"
    assert notes.facts() == NORD_ONLY
    forget(notes, "Mira.md")
    restore(notes, "Mira.md")
    assert undo(notes).what.kind == "restore"
    assert notes.facts() == []
    assert notes.ingest(WEDNESDAY).counts.added == 0


def test_forgetting_the_first_episode_leaves_what_came_after_it(notes):
    notes.write({"Mira.md": "lives_in:: Ulm\n"}).ingest(MONDAY)
    notes.write({"Mira.md": "lives_in:: Bonn (since 2015)\n"}).ingest(TUESDAY)

    def forget_first(b, store):
        source = store.source("Mira.md")
        return b.forget_episode(source, store.episodes(source.id)[0].id, Vault(notes.vault))

    back(notes, forget_first)
    assert notes.facts() == ["Mira | LIVES_IN | Bonn | since 2015"]
    assert notes.ingest(WEDNESDAY).counts.changed == 0
    assert notes.facts() == ["Mira | LIVES_IN | Bonn | since 2015"]


def test_a_source_that_is_gone_can_still_be_forgotten_and_erased(notes):
    notes.write({"Mira.md": NORD, "Jon.md": "x\n"}).ingest(MONDAY)
    notes.move("Mira.md", "Old.md").ingest(TUESDAY)
    notes.remove("Old.md").ingest(TUESDAY)

    def erase(b, _store):
        source, episode = b.find("Mira.md")
        assert (source.path, episode) == ("Old.md", None)
        b.forget(source, Vault(notes.vault))
        return b.erase(source)

    back(notes, erase)
    assert b"Nord" not in b"".join(file.read_bytes() for file in notes.vault.parent.glob("memory.db*"))
    notes.write({"Old.md": NORD}).ingest(WEDNESDAY)
    assert notes.facts() == []


def test_what_is_forgotten_is_not_forgotten_again(notes):
    notes.write({"Mira.md": NORD}).ingest(MONDAY)
    forget(notes, "Mira.md")
    with pytest.raises(UserError, match="already"):
        back(notes, lambda b, _store: b.forget(b.find("Mira.md")[0], Vault(notes.vault)))


def test_an_undone_source_can_be_forgotten(notes):
    notes.write({"Mira.md": NORD}).ingest(MONDAY)
    undo(notes)
    back(notes, lambda b, _store: b.forget(b.find("Mira.md")[0], Vault(notes.vault)))
    notes.write({"Mira.md": SUD}).ingest(WEDNESDAY)
    assert notes.facts() == []


def test_an_erased_source_stays_out_under_all_its_names(notes):
    notes.write({"Mira.md": NORD, "Jon.md": "x\n"}).ingest(MONDAY)
    notes.move("Mira.md", "New.md").ingest(TUESDAY)

    def erase(b, store):
        source = store.source("New.md")
        b.forget(source, Vault(notes.vault))
        return b.erase(source)

    back(notes, erase)
    assert notes.ingest(WEDNESDAY).counts.added == 0
    notes.move("New.md", "Newer.md").ingest(WEDNESDAY)
    assert notes.facts() == []
    with pytest.raises(UserError, match="erase something"):
        undo(notes)


def test_what_is_undated_and_contradicts_is_decided_as_before_when_it_comes_back(notes):
    notes.write({"Mira.md": "works_at:: [[Nord]]\n\nworks_at:: [[Sud]]\n"}).ingest(MONDAY)
    notes.write({"Nord.md": "---\ntype: company\nemployees: [[Mira]]\n---\n"}).ingest(TUESDAY)
    before = notes.facts()
    for _ in range(3):
        forget(notes, "Mira.md")
        restore(notes, "Mira.md")
        assert notes.facts() == before
