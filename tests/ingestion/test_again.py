"""Doing it twice changes nothing, and the order of arrival is no matter."""

from itertools import permutations

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Faltering, Notes

from kgmem.errors import UserError
from kgmem.model import Counts
from kgmem.sources.obsidian import Vault

VAULT = {
    "Mira.md": "---\ntype: person\naliases: [Mira Castel]\nowner: Bo\n---\nworks_at:: [[Nord]] (2015 – 2023-03)\n",
    "Nord.md": "---\ntype: company\n---\nMira Castel made the wine. See [[Sud]].\n",
    "2024-05-01.md": "works_at of [[Mira Castel]] is now [[Sud]].\n\n- [[Bo]] called\n",
    "Log.md": "---\ndate: 2023-04-02\n---\nBo met Mira, and [[Nord]] was closed.\n",
}
FACTS = [
    "Mira | OWNER | Bo | date unknown",
    "Mira | WORKS_AT | Nord | 2015 – 2023-03",
]


def test_a_second_ingest_changes_nothing(notes):
    first = notes.write(VAULT).ingest()
    assert first.counts == Counts(added=4)
    assert notes.facts() == FACTS
    before = notes.dump()
    second = notes.ingest(TUESDAY)
    assert second.counts == Counts(unchanged=4)
    assert (second.facts_opened, second.facts_closed) == (0, 0)
    assert notes.dump() == before


def test_a_touch_without_a_change_changes_nothing(notes):
    notes.write(VAULT).ingest()
    before = notes.dump()
    assert notes.write(VAULT).ingest(TUESDAY).counts == Counts(unchanged=4)
    assert notes.dump() == before


def test_two_memories_of_one_vault_are_equal(tmp_path):
    dumps = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        notes = Notes(tmp_path / name).write(VAULT)
        notes.ingest()
        dumps.append([row.replace(str(tmp_path / name), "") for row in notes.dump()])
    assert dumps[0] == dumps[1]


def test_a_dry_run_says_and_does_nothing(notes):
    notes.write(VAULT).ingest()
    before = notes.dump()
    notes.write({"New.md": "x", "Nord.md": "changed"}).move("Log.md", "Old/Log.md").remove("2024-05-01.md")
    report = notes.ingest(TUESDAY, dry_run=True)
    assert report.counts == Counts(added=1, changed=1, moved=1, removed=1, unchanged=1)
    assert notes.dump() == before


def seen(notes: Notes) -> tuple[list[str], list[str], list[tuple[str, str, int, int]]]:
    """Facts, links and entities, without anything that tells when they were read."""
    cards = [(card.entity.name, card.entity.type.value, card.mentions, card.sources) for card in notes.cards()]
    return notes.facts(), notes.links(), sorted(cards)


def test_the_order_in_which_notes_arrive_does_not_matter(tmp_path):
    together = Notes(tmp_path).write(VAULT)
    together.ingest()
    wanted = seen(together)
    assert wanted[0] == FACTS
    assert wanted[1] == [
        "2024-05-01 > Bo", "2024-05-01 > Mira", "2024-05-01 > Sud", "Log > Nord", "Nord > Sud",
    ]  # fmt: skip
    for number, order in enumerate(permutations(VAULT)):
        (tmp_path / str(number)).mkdir()
        notes = Notes(tmp_path / str(number))
        for path in order:
            notes.write({path: VAULT[path]}).ingest()
        assert seen(notes) == wanted, order


def test_the_later_world_date_wins_whatever_comes_first(tmp_path):
    files = {
        "Initech.md": "---\ntype: company\nemployees: Alice (since 2026)\n---\n",
        "Acme.md": "---\ntype: company\nemployees: Alice (since 2024)\n---\n",
        "Alice.md": "---\ntype: person\nemployer: Hooli (since 2019)\n---\n",
    }
    for number, order in enumerate(permutations(files)):
        (tmp_path / str(number)).mkdir()
        notes = Notes(tmp_path / str(number))
        for path in order:
            notes.write({path: files[path]}).ingest()
        assert notes.facts() == [
            "Alice | WORKS_AT | Acme | 2024 – 2026",
            "Alice | WORKS_AT | Hooli | 2019 – 2024",
            "Alice | WORKS_AT | Initech | since 2026",
        ], order


@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_a_run_that_was_stopped_and_the_next_make_the_same_memory(tmp_path, stop_after):
    (tmp_path / "whole").mkdir()
    whole = Notes(tmp_path / "whole").write(VAULT)
    whole.ingest()
    (tmp_path / "stopped").mkdir()
    stopped = Notes(tmp_path / "stopped").write(VAULT)

    def stop(done: int, _total: int, _path: str) -> None:
        if done == stop_after:
            raise KeyboardInterrupt

    report = stopped.ingest(progress=stop)
    assert (report.interrupted, report.counts.added) == (True, stop_after)
    assert sum(card.mentions > 0 for card in stopped.cards()) == len(stopped.cards())
    assert stopped.ingest().counts == Counts(added=4 - stop_after, unchanged=stop_after)
    assert logical(stopped, tmp_path / "stopped") == logical(whole, tmp_path / "whole")


def logical(notes, folder):
    return seen(notes), sorted(
        row.replace(str(folder), "") for row in notes.dump() if row.startswith(('{"table":"passage"', '{"table":"ment'))
    )


def test_a_file_that_vanishes_while_it_is_read_is_a_problem(notes):
    report = notes.write(VAULT).ingest(reader=Faltering(notes.vault, "Nord.md"))
    assert report.counts == Counts(added=3)
    assert [(problem.path, problem.kind) for problem in report.problems] == [("Nord.md", "unreadable")]
    assert "Mira | WORKS_AT | Nord | 2015 – 2023-03" in notes.facts()
    assert notes.ingest(TUESDAY).counts == Counts(added=1, unchanged=3)
    assert notes.facts() == FACTS


def test_a_changed_file_that_vanishes_while_it_is_read_keeps_what_was_known(notes):
    notes.write(VAULT).ingest()
    notes.write({"Mira.md": "---\ntype: person\n---\n"})
    notes.ingest(TUESDAY, reader=Faltering(notes.vault, "Mira.md"))
    assert notes.facts() == FACTS
    assert notes.ingest(WEDNESDAY).counts == Counts(changed=1, unchanged=3)
    assert notes.facts() == []


def test_a_folder_that_was_moved_is_the_same_folder_if_somebody_says_so(tmp_path):
    notes = Notes(tmp_path).write({"Mira.md": "works_at:: [[Nord]]\n", "Nord.md": "x\n", "Log.md": "[[Mira]]\n"})
    notes.ingest(MONDAY)
    before = notes.facts(links=True)
    moved = tmp_path / "moved"
    notes.vault.rename(moved)
    with pytest.raises(UserError, match="holds its notes"):
        notes.ingest(TUESDAY, reader=Vault(moved))
    report = notes.ingest(TUESDAY, reader=Vault(moved), moved=lambda _before, _after: True)
    assert (report.counts.added, report.counts.unchanged) == (0, 3)
    assert notes.facts(links=True) == before
    with notes.store() as store:
        assert store.roots() == (("text", moved.as_posix(), 3),)


def test_a_copy_of_a_folder_that_is_still_there_is_another_folder(tmp_path):
    notes = Notes(tmp_path).write({"Mira.md": "works_at:: [[Nord]]\n"})
    notes.ingest(MONDAY)
    copy = notes.copy()
    assert notes.ingest(TUESDAY, reader=Vault(copy.vault)).counts.added == 1
