"""A watch on real folders, with the events of the system or by looking: what is done there ends in the memory."""

import logging
import os
import shutil
import time

import pytest
from watching.watched import QUICK, Watched, write

from kgmem.errors import StoreLockedError, TurnTakenError
from kgmem.model import Counts, Report
from kgmem.watching import Changed, Scanned, Started, Timing, Trouble, Waiting
from kgmem.watching.watchers import NoEventsError


@pytest.fixture
def vault(tmp_path):
    folder = tmp_path / "vault"
    write(folder / "Mira.md", "---\ntype: person\n---\nworks_at:: [[Nord]]\n")
    write(folder / "Nord.md", "A mill.\n")
    return folder


@pytest.fixture(params=["events", "polling"])
def watched(request, tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault, polling=request.param == "polling") as watching:
        yield watching


def named(paths, root):
    return [path.relative_to(root).as_posix() for path in paths]


def test_a_watch_begins_with_a_full_scan(watched, vault):
    assert watched.happenings[0] == Started(((str(vault), watched.places[0].how),))
    assert watched.happenings[1].report.counts == Counts(added=2)
    assert ("Mira", "WORKS_AT", "Nord") in watched.facts()


def test_what_is_written_changed_moved_and_deleted_is_known(watched, vault):
    write(vault / "deep" / "down" / "New.md", "[[Mira]] came.\n")
    assert watched.see(Changed).paths == ("deep/down/New.md",)
    write(vault / "Mira.md", "---\ntype: person\n---\nworks_at:: [[Sud]]\n")
    assert watched.see(Changed).report.counts == Counts(changed=1, unchanged=2)
    (vault / "Nord.md").rename(vault / "deep" / "Nord.md")
    assert watched.see(Changed).report.counts == Counts(moved=1, unchanged=2)
    (vault / "deep" / "down" / "New.md").unlink()
    assert watched.see(Changed).report.counts == Counts(removed=1, unchanged=2)
    assert watched.sources() == ["Mira.md", "deep/Nord.md"]
    assert [fact for fact in watched.facts() if fact[1] == "WORKS_AT"] == [("Mira", "WORKS_AT", "Sud")]


def test_a_folder_that_is_renamed_moves_its_notes(watched, vault):
    for number in range(5):
        write(vault / "before" / f"Note {number}.md", f"the {number}th\n")
    watched.changed(*(f"before/Note {number}.md" for number in range(5)))
    (vault / "before").rename(vault / "after")
    assert watched.see(Changed).report.counts == Counts(moved=5, unchanged=2)


def test_a_folder_that_comes_from_outside_and_one_that_leaves(watched, vault, tmp_path):
    write(tmp_path / "outside" / "sub" / "Guest.md", "Hello.\n")
    (tmp_path / "outside").rename(vault / "inside")
    assert watched.see(Changed).paths == ("inside/sub/Guest.md",)
    (vault / "inside").rename(tmp_path / "outside")
    assert watched.see(Changed).report.counts == Counts(removed=1, unchanged=2)


def replaced(note, text):
    """As VS Code and most others save: a temporary file takes the place of the note."""
    partial = write(note.with_name(f".{note.name}.tmp"), text)
    partial.replace(note)


def as_vim(note, text):
    probe = note.with_name("4913")
    write(probe, "")
    probe.unlink()
    backup = note.with_name(f"{note.name}~")
    note.rename(backup)
    write(note, text)
    backup.unlink()


def truncated(note, text):
    with note.open("w", encoding="utf-8") as file:
        for letter in text:
            file.write(letter)
            file.flush()


@pytest.mark.parametrize("save", [replaced, as_vim, truncated])
def test_however_an_editor_saves_it_is_one_change(tmp_path, vault, save):
    with Watched(tmp_path / "memory.db", vault) as watched:
        save(vault / "Nord.md", "A larger mill.\n")
        changed = watched.see(Changed)
        assert (changed.paths, changed.report.counts) == (("Nord.md",), Counts(changed=1, unchanged=1))
        time.sleep(1)
    assert sum(isinstance(each, Changed) for each in watched.happenings) == 1


def test_reading_and_what_is_no_note_wakes_nobody(tmp_path, vault):
    write(vault / ".kgmemignore", "private/\n")
    with Watched(tmp_path / "memory.db", vault) as watched:
        for _ in range(3):
            (vault / "Mira.md").read_text("utf-8")
            list(vault.iterdir())
        for name in (
            ".git/objects/ab.md", ".obsidian/workspace.json", ".trash/Old.md", "private/Diary.md", "image.png",
            "~$Mira.md",
            "Mira.md.swp", "Mira.sync-conflict-20260102-030405-ABCDEFG.md", "Mira (conflicted copy 2026-01-02).md",
        ):  # fmt: skip
            write(vault / name, "nothing to read\n")
        time.sleep(10 * QUICK.settle)
        assert watched.watch.scans == 1
        write(vault / "Last.md", "This is.\n")
        assert watched.see(Changed).paths == ("Last.md",)


def test_our_own_pages_are_no_notes(tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault) as watched:
        write(vault / "pages" / ".kgmem-manifest.json", "{}")
        write(vault / "pages" / "People" / "Mira.md", "A page.\n")
        write(vault / "Last.md", "This is a note.\n")
        watched.changed("Last.md")
    assert watched.sources() == ["Last.md", "Mira.md", "Nord.md"]


def test_rules_that_change_count_from_then_on(watched, vault):
    write(vault / "private" / "Diary.md", "Dear diary.\n")
    watched.changed("private/Diary.md")
    write(vault / ".kgmemignore", "private/\n")
    write(vault / "Last.md", "And.\n")
    watched.changed("Last.md", "private/Diary.md")
    assert "private/Diary.md" not in watched.sources()


def test_a_thousand_files_at_once_are_a_few_batches(tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault, timing=Timing(settle=0.3, quiet=0.1)) as watched:
        for number in range(1000):
            write(vault / "many" / f"{number}.md", f"number {number}\n")
        watched.changed(*(f"many/{number}.md" for number in range(1000)))
        assert watched.watch.scans < 20
    assert len(watched.sources()) == 1002


def test_several_folders_are_told_apart(tmp_path, vault):
    other = tmp_path / "other"
    write(other / "Jon.md", "Hello.\n")
    with Watched(tmp_path / "memory.db", vault, other) as watched:
        write(other / "Zoe.md", "Hi.\n")
        assert watched.see(Changed).root == str(other)
        write(vault / "Zed.md", "Ho.\n")
        assert watched.see(Changed).root == str(vault)


def test_a_folder_behind_a_symbolic_link_is_watched_too(tmp_path, vault):
    shared = tmp_path / "shared"
    write(shared / "Plan.md", "One.\n")
    (vault / "ours").symlink_to(shared)
    (vault / "round").symlink_to(vault)
    with Watched(tmp_path / "memory.db", vault) as watched:
        write(shared / "Plan.md", "Two of them.\n")
        assert watched.see(Changed).paths == ("ours/Plan.md",)


def test_a_watched_folder_may_itself_be_a_symbolic_link(tmp_path, vault):
    (tmp_path / "link").symlink_to(vault)
    with Watched(tmp_path / "memory.db", tmp_path / "link") as watched:
        write(vault / "Nord.md", "Another mill.\n")
        assert watched.see(Changed).paths == ("Nord.md",)


# -- what goes wrong


def test_a_folder_that_is_away_is_waited_for_and_nothing_is_removed(watched, vault, tmp_path):
    vault.rename(tmp_path / "unmounted")
    assert watched.see(Waiting).root == str(vault)
    assert watched.sources() == ["Mira.md", "Nord.md"]
    write(tmp_path / "unmounted" / "Late.md", "While away.\n")
    (tmp_path / "unmounted").rename(vault)
    assert watched.see(Scanned).report.counts == Counts(added=1, unchanged=2)
    write(vault / "Later.md", "And on.\n")
    watched.changed("Later.md")
    assert sum(isinstance(each, Waiting) for each in watched.happenings) == 1


def test_an_empty_place_where_a_disk_was_is_no_vault_without_notes(watched, vault, tmp_path):
    away = tmp_path / "unmounted"
    vault.rename(away)
    vault.mkdir()
    watched.see(Waiting, message="none of the 2 known notes is there")
    assert watched.sources() == ["Mira.md", "Nord.md"]
    vault.rmdir()
    away.rename(vault)
    watched.see(Scanned)
    write(vault / "Later.md", "And on.\n")
    watched.changed("Later.md")


def test_many_that_are_gone_are_kept_and_all_else_goes_in(watched, vault):
    for number in range(8):
        write(vault / f"{number}.md", f"number {number}\n")
    watched.changed(*(f"{number}.md" for number in range(8)))
    for number in range(4):
        (vault / f"{number}.md").unlink()
    while not (trouble := watched.see(Trouble).problem).message.startswith("4 of 10 "):
        assert trouble.kind == "many-gone"  # a busy machine may see three of them first
    assert trouble.message == "4 of 10 known notes are gone from the folder and are kept; all else goes in"
    assert trouble.hint == f"if they really are gone: kgmem ingest {vault} --yes"
    write(vault / "New.md", "And on.\n")
    watched.changed("New.md")
    assert "0.md" in watched.sources()
    told = [each.problem.message for each in watched.happenings if isinstance(each, Trouble)]
    assert len({each.split(" of ")[0] for each in told}) == len(told)
    for number in range(4):
        write(vault / f"{number}.md", f"number {number}\n")
    write(vault / "Newer.md", "And on.\n")
    watched.changed("Newer.md")


def test_somebody_may_say_that_many_are_gone(tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault, all_gone=True) as watched:
        (vault / "Mira.md").unlink()
        (vault / "Nord.md").unlink()
        watched.changed("Mira.md", "Nord.md")
    assert watched.sources() == []


def test_a_bad_note_is_told_once_and_again_when_it_changed(watched, vault):
    (vault / "Bad.md").write_bytes(b"caf\xe9\n")
    assert watched.see(Trouble).problem.kind == "encoding"
    write(vault / "Other.md", "Fine.\n")
    watched.changed("Other.md")
    assert watched.troubles() == [("Bad.md", "encoding")]
    write(vault / "Bad.md", "café\n")
    watched.changed("Bad.md")
    (vault / "Bad.md").write_bytes(b"caf\xe9\n")
    assert watched.see(Trouble).problem.path == "Bad.md"


class Failing:
    """A memory that somebody else writes to, for a while."""

    def __init__(self, errors):
        self.errors = list(errors)
        self.taken = 0

    def take_in(self, reader, _confirm, _progress):
        reader.scan({})
        if self.errors:
            raise self.errors.pop(0)
        self.taken += 1
        return Report(Counts(added=1), 1, 0, 0, 0)

    def follow(self, _enough):
        return None


def test_what_goes_wrong_is_told_once_and_tried_again(tmp_path, vault):
    locked = [StoreLockedError("somebody is writing", "wait") for _ in range(3)]
    taking = Failing([*locked, OSError(5, "Input/output error")])
    with Watched(tmp_path / "memory.db", vault, taking=taking, timing=Timing(heartbeat=0.1, retry=0.01)) as watched:
        assert [kind for _, kind in watched.troubles()] == ["StoreLockedError", "OSError"]
    assert taking.taken == 1


def test_another_command_at_work_is_no_fault_and_is_waited_for(tmp_path, vault):
    taking = Failing(TurnTakenError("process 7 is at work", "wait", {}) for _ in range(3))
    with Watched(tmp_path / "memory.db", vault, taking=taking, timing=Timing(heartbeat=0.1, retry=0.01)) as watched:
        told = [each for each in watched.happenings if isinstance(each, Waiting)]
    assert [each.message for each in told] == ["process 7 is at work"]
    assert (watched.troubles(), taking.taken) == ([], 1)


def test_where_the_system_can_watch_no_more_it_is_looked(tmp_path, vault, monkeypatch):
    def refuse(*_):
        raise NoEventsError("the system can watch no more folders")

    monkeypatch.setattr("kgmem.watching.place.Events", refuse)
    with Watched(tmp_path / "memory.db", vault) as watched:
        assert watched.troubles() == [("", "polling")]
        assert watched.happenings[0] == Started(((str(vault), "polling"),))
        write(vault / "New.md", "Seen.\n")
        watched.changed("New.md")


def test_a_drive_of_another_machine_is_looked_through(tmp_path, vault, monkeypatch):
    monkeypatch.setattr("kgmem.watching.place.is_remote", lambda folder: folder == str(vault))
    with Watched(tmp_path / "memory.db", vault) as watched:
        assert watched.happenings[0] == Started(((str(vault), "polling"),))


def test_where_events_were_lost_everything_is_looked_at(tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault) as watched:
        before = len(watched.happenings)
        logging.getLogger("watchdog.observers").warning("events were lost")
        watched.until(lambda: watched.watch.scans > 1)
        assert watched.happenings[before:] == []


def test_a_clock_that_goes_back_is_told_and_the_watch_goes_on(tmp_path, vault, monkeypatch):
    with Watched(tmp_path / "memory.db", vault) as watched:
        now = time.time
        monkeypatch.setattr("kgmem.watching.watch.time.time", lambda: now() - 3600)
        trouble = watched.see(Trouble).problem
        assert trouble.kind == "clock"
        assert trouble.message.startswith("the clock went back by 3,")
        write(vault / "New.md", "And on.\n")
        watched.changed("New.md")


def test_a_note_that_is_written_all_the_time_keeps_no_other_waiting(tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault, timing=Timing(settle=0.5, patience=0.6)) as watched:
        write(vault / "Quiet.md", "Once.\n")
        log = vault / "Nord.md"
        until = time.monotonic() + 60
        while not any(isinstance(each, Changed) for each in watched.happenings):
            assert time.monotonic() < until
            with log.open("a", encoding="utf-8") as file:
                file.write("again\n")
            time.sleep(0.05)
        assert watched.see(Changed).paths == ("Quiet.md",)
        assert watched.see(Changed).paths == ("Nord.md",)


def test_a_folder_that_may_not_be_read_is_waited_for(tmp_path, vault, monkeypatch):
    with Watched(tmp_path / "memory.db", vault) as watched:
        real = os.scandir

        def refuse(folder="."):
            if str(folder) == str(vault):
                raise PermissionError(13, "Permission denied")
            return real(folder)

        monkeypatch.setattr("os.scandir", refuse)
        watched.see(Waiting)
        monkeypatch.undo()
        watched.see(Scanned)
    assert watched.sources() == ["Mira.md", "Nord.md"]


def test_a_vault_that_is_deleted_for_good_is_waited_for(watched, vault):
    shutil.rmtree(vault)
    watched.see(Waiting)
    assert watched.sources() == ["Mira.md", "Nord.md"]


def test_nothing_is_scanned_while_nothing_happens(tmp_path, vault):
    with Watched(tmp_path / "memory.db", vault) as watched:
        time.sleep(10 * QUICK.heartbeat)
        assert watched.watch.scans == 1
