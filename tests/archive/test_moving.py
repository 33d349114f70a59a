"""A memory whose old texts are outside does all that it did, and says what it needs where they cannot be had."""

import json
import os
import shutil
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY, Notes

from kgmem.archive.moving import bring_back, moved_to, put_away
from kgmem.archive.tidying import tidy
from kgmem.checkup import check_up
from kgmem.errors import ArchiveError, StoreLockedError
from kgmem.extraction.ontology import load_ontology
from kgmem.memory import Memory
from kgmem.model import OPEN
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.archive import State
from kgmem.store.copying import copy, measure
from kgmem.store.loading import HalfCopy
from kgmem.store.volumes import places, reading, volume
from kgmem.store.volumes.volume import BODY_BYTES

CANARY = "zyqxwvu"
FILL = "So much was to be said of rivers and of wine on that day. " * 5


def mira(place, more=""):
    return f"---\ntype: person\nworks_at: {place}\n---\n{FILL}{more}\n"


@pytest.fixture
def notes(tmp_path):
    """Two notes of three revisions each; the second of Mira's holds a word that no other has."""
    notes = Notes(tmp_path)
    for now, place, more in ((MONDAY, "Nord", ""), (TUESDAY, "Sud", CANARY), (WEDNESDAY, "Ost", "")):
        notes.write({"Mira.md": mira(place, more), "Jon.md": f"{FILL}Jon was in {place}.\n"}).ingest(now)
    return notes


def silent(_stage, _done, _total):
    pass


@contextmanager
def archive(notes):
    with notes.store(WEDNESDAY) as store:
        yield store.archive()


def away(notes, base=None):
    with archive(notes) as kept:
        return put_away(kept, str(base or kept.beside()), OPEN, silent)


def files(notes):
    """The files of the folder beside the memory."""
    return sorted(Path(notes.url.removeprefix("sqlite:///")).parent.glob("memory.db.archive/*/*"))


def shelves(notes):
    with archive(notes) as kept:
        return kept.shelves()


def back(notes, act):
    """Take something back."""
    with notes.store(WEDNESDAY) as store:
        return act(Memory(store, load_ontology()).back, store)


def complaints(notes):
    with notes.store(WEDNESDAY) as store:
        return [line for check in check_up(store, load_ontology()) for line in check.examples]


def test_beside_the_memory_is_a_folder_of_its_own(notes):
    moved = away(notes)
    assert (moved.bodies, moved.volumes) == (4, 1)
    (file,) = files(notes)
    assert moved.url == str(file.parent)
    assert complaints(notes) == []


def test_a_memory_and_its_archive_can_be_moved_together(notes, tmp_path):
    before = notes.dump()
    away(notes)
    there = tmp_path / "elsewhere"
    there.mkdir()
    for each in ("memory.db", "memory.db.archive"):
        shutil.move(tmp_path / each, there / each)
    notes.url = f"sqlite:///{there / 'memory.db'}"
    reading.forget_volumes()
    assert notes.dump() == before


def test_a_second_run_uses_the_same_folder(notes):
    away(notes)
    notes.write({"Mira.md": mira("West")}).ingest(WEDNESDAY)
    assert away(notes).bodies == 1
    assert len({file.parent for file in files(notes)}) == 1
    assert len(files(notes)) == 2


def test_many_bodies_make_many_volumes(notes, monkeypatch):
    assert 4 * len(FILL) < BODY_BYTES
    monkeypatch.setattr("kgmem.archive.moving.BODY_BYTES", 1)
    assert away(notes).volumes == 4
    assert len(files(notes)) == 4


def test_undo_brings_back_what_is_archived(notes):
    twin = notes.copy()
    for now, place, more in ((MONDAY, "Nord", ""), (TUESDAY, "Sud", CANARY), (WEDNESDAY, "Ost", "")):
        twin.write({"Mira.md": mira(place, more), "Jon.md": f"{FILL}Jon was in {place}.\n"}).ingest(now)
    away(notes)
    for each in (notes, twin):
        back(each, lambda b, _: b.undo(b.last(), Vault(each.vault)))  # noqa: B023 -- it is called at once
        back(each, lambda b, _: b.undo(b.last(), Vault(each.vault)))  # noqa: B023
    assert notes.facts() == twin.facts()
    assert len(notes.facts()) == 2
    assert {each.state for each in shelves(notes)} == {State.SPARE}
    assert complaints(notes) == []


def test_undo_without_its_text_changes_nothing(notes):
    away(notes)
    before = [line for line in notes.dump() if '"table":"tx"' in line]
    (file,) = files(notes)
    kept = file.read_bytes()
    file.unlink()
    reading.forget_volumes()
    with pytest.raises(ArchiveError, match="which is not there") as failed:
        back(notes, lambda b, _: b.undo(b.last(), Vault(notes.vault)))
    assert str(file) in failed.value.message
    assert "--moved-to" in failed.value.hint
    file.write_bytes(kept)
    assert [line for line in notes.dump() if '"table":"tx"' in line] == before


@pytest.mark.parametrize("damage", ["cut", "another byte", "nothing", "a folder"])
def test_a_tampered_file_is_an_error_and_a_line_of_the_doctor(notes, damage):
    away(notes)
    (file,) = files(notes)
    content = file.read_bytes()
    file.unlink()
    if damage == "a folder":
        file.mkdir()
    else:
        changed = {"cut": content[:-9], "another byte": content[:-1] + bytes([content[-1] ^ 1]), "nothing": b""}
        file.write_bytes(changed[damage])
    reading.forget_volumes()
    with pytest.raises(ArchiveError, match=str(file)):
        notes.dump()
    (line,) = complaints(notes)
    assert str(file) in line
    assert notes.ingest(WEDNESDAY).counts.unchanged == 2


def test_a_quick_look_sees_a_file_that_is_cut_and_not_a_byte_within(notes):
    away(notes)
    (file,) = files(notes)
    content = file.read_bytes()
    looks = {}
    for name, changed in (("cut", content[:-9]), ("byte", content[:-1] + bytes([content[-1] ^ 1]))):
        file.write_bytes(changed)
        reading.forget_volumes()
        with notes.store(WEDNESDAY) as store:
            for quick in (False, True):
                looks[name, quick] = all(check.ok for check in check_up(store, load_ontology(), quick=quick))
    assert looks == {("cut", False): False, ("cut", True): False, ("byte", False): False, ("byte", True): True}


def erase(notes):
    def do(b, store):
        source = store.source("Mira.md")
        b.forget(source, Vault(notes.vault))
        return b.erase(source)

    return back(notes, do)


def words_in(notes):
    """All texts that the volumes hold."""
    found = []
    for file in files(notes):
        held = places.open_place(str(file.parent)).read(file.name)
        whole = reading.Volume(file.name, held)
        found += [whole.body(digest) for digest in sorted(whole.digests)]
    return found


def test_erasing_leaves_nothing_in_a_volume(notes):
    away(notes)
    assert any(CANARY in text for text in words_in(notes))
    assert erase(notes)
    assert words_in(notes) != []
    assert not any(CANARY in text or "works_at" in text for text in words_in(notes))
    assert complaints(notes) == []
    with notes.store() as store:
        assert store.episodes(store.source("Jon.md").id)[0].body == f"{FILL}Jon was in Nord.\n"


def test_what_cannot_be_erased_now_is_remembered(notes, monkeypatch):
    pytest.importorskip("fsspec")
    away(notes, "memory://bucket/kgmem")
    files_of = places.Remote.read

    def unreachable(*_):
        raise ArchiveError("memory://bucket cannot be read: no route to host")

    monkeypatch.setattr(places.Remote, "read", unreachable)
    reading.forget_volumes()
    assert not erase(notes)
    assert {each.state for each in shelves(notes)} == {State.TAINTED}
    assert any("kgmem archive" in line for line in complaints(notes))
    monkeypatch.setattr(places.Remote, "read", files_of)
    with archive(notes) as kept:
        assert tidy(kept).rewritten == 1
    assert complaints(notes) == []
    assert {each.state for each in shelves(notes)} == {State.KEPT}


def test_a_reader_finds_a_text_whose_volume_was_written_anew_meanwhile(notes):
    away(notes)
    with notes.store() as store:
        jon = store.episodes(store.source("Jon.md").id)
        erase(notes)
        assert [each.body for each in jon][1] == f"{FILL}Jon was in Sud.\n"


def test_a_text_whose_volume_is_damaged_is_found_in_another_one_of_the_place(notes):
    away(notes)
    (file,) = files(notes)
    second = volume.make([mira("Nord"), f"{FILL}Jon was in Nord.\n"])
    places.open_place(str(file.parent)).write(*second)
    (file.parent / f"{'0' * 32}.kgmem-volume").write_bytes(b"no volume")
    file.write_bytes(b"no volume either")
    reading.forget_volumes()
    with notes.store() as store:
        first, other, _ = store.episodes(store.source("Mira.md").id)
        assert first.body == mira("Nord")
        with pytest.raises(ArchiveError, match=f"{file}, which is damaged"):
            _ = other.body


def test_a_copy_holds_the_texts(notes, tmp_path):
    before = notes.dump()
    away(notes)
    other = Notes.__new__(Notes)
    other.url, other.group = f"sqlite:///{tmp_path / 'other.db'}", "default"
    with notes.store() as store, other.store() as target:
        copy(store, target, measure(store, silent), silent)
    (file,) = files(notes)
    file.unlink()
    assert other.dump() == before


def test_a_place_that_gives_back_something_else_keeps_nothing(notes, monkeypatch):
    before = notes.dump()
    monkeypatch.setattr(places.Folder, "write", lambda *_: None)
    with pytest.raises(ArchiveError, match="which is not there"):
        away(notes)
    assert notes.dump() == before
    assert shelves(notes) == ()
    monkeypatch.undo()
    assert away(notes).bodies == 4


def test_what_a_place_neither_takes_nor_gives_up_is_removed_by_the_next_run(notes, monkeypatch):
    def unwritable(*_):
        raise ArchiveError("it cannot be written")

    with monkeypatch.context() as patch:
        for each in ("write", "remove"):
            patch.setattr(places.Folder, each, unwritable)
        with pytest.raises(ArchiveError):
            away(notes)
    assert [each.state for each in shelves(notes)] == [State.DOOMED]
    moved = away(notes)
    assert (moved.tidied.removed, moved.bodies) == (1, 4)


def test_a_disk_that_is_full_keeps_all_in_the_store(notes, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    before = notes.dump()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveError, match="No space left on device"):
        away(notes)
    monkeypatch.undo()
    assert notes.dump() == before
    assert files(notes) == []


def test_who_is_always_late_gives_way(notes, monkeypatch):
    with archive(notes) as kept:
        monkeypatch.setattr(type(kept), "keep", lambda *_: False)
        with pytest.raises(StoreLockedError):
            put_away(kept, str(kept.beside()), OPEN, silent)
    assert files(notes) == []


def test_an_archive_that_was_moved_is_found_again(notes, tmp_path):
    before = notes.dump()
    away(notes, tmp_path / "old")
    shutil.move(tmp_path / "old", tmp_path / "new")
    reading.forget_volumes()
    with archive(notes) as kept:
        assert moved_to(kept, str(tmp_path / "nowhere"))[0] == 0
        assert moved_to(kept, str(tmp_path / "new")) == (1, ())
    assert notes.dump() == before
    assert complaints(notes) == []


def test_one_volume_that_is_lost_keeps_no_other_from_coming_back(notes, monkeypatch):
    monkeypatch.setattr("kgmem.archive.moving.BODY_BYTES", 1)
    away(notes)
    files(notes)[0].unlink()
    reading.forget_volumes()
    with archive(notes) as kept:
        moved = bring_back(kept, silent)
    assert (moved.bodies, len(moved.problems)) == (3, 1)
    assert [each.state for each in shelves(notes)] == [State.KEPT]


def test_room_is_given_back_to_the_disk(notes, tmp_path):
    text = "".join(f"{number * 7919 % 100_003} " for number in range(100_000))
    for edit in range(4):
        notes.write({"Long.md": f"{edit}\n\n{text}"}).ingest(WEDNESDAY)
    file = tmp_path / "memory.db"
    with archive(notes) as kept:
        kept.shrink()
        before = file.stat().st_size
        put_away(kept, str(kept.beside()), OPEN, silent)
        assert kept.shrink()
    assert file.stat().st_size < before - 3 * len(text) + 100_000


def test_the_present_is_in_no_volume(notes):
    away(notes)
    assert not any("Ost" in text for text in words_in(notes))
    lines = [json.loads(line) for line in notes.dump() if '"table":"episode"' in line]
    assert sum("Ost" in line["body"] for line in lines) == 2


def test_erasing_reaches_the_volumes_of_every_generation(notes):
    away(notes)
    with notes.store(WEDNESDAY) as store:
        generations = store.generations()
        generations.hold()
        made = generations.make()
        other = open_store(notes.url, made.group, now=datetime.fromisoformat(WEDNESDAY), unfinished=True)
        with closing(other) as coming:
            half = coming.loader().begin(HalfCopy("x", "y"))
            coming.loader().end(coming.loader().load(list(store.dump()), half))
        generations.complete(made.number, "now")
        assert generations.promote(made.number, lambda: True)
        generations.let_go()
    away(notes)
    assert len(files(notes)) == 2
    assert sum(CANARY in text for text in words_in(notes)) == 2
    with notes.store(WEDNESDAY) as store:
        memory = Memory(store, load_ontology())
        source = store.source("Mira.md")
        memory.back.forget(source, Vault(notes.vault))
        assert memory.erase(source, None, Vault(notes.vault), lambda name: open_store(notes.url, name))
    assert len(files(notes)) == 2
    assert not any(CANARY in text for text in words_in(notes))
    assert complaints(notes) == []
