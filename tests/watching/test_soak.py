"""Somebody changes notes at random while a watch runs: in the end the memory is that of a fresh ingest."""

import random
import time

from watching.watched import Watched, current_facts, write

from kgmem.checkup import check_up
from kgmem.cli.output import Output
from kgmem.cli.session import Session
from kgmem.cli.watch_taking import Keeper
from kgmem.extraction.ontology import load_ontology
from kgmem.sources.obsidian import Vault

PEOPLE = ("Mira", "Jon", "Zoe", "Abe")
PLACES = ("Nord", "Sud", "Port")
EDITS = 200


class Desk:
    """A folder, and somebody who cannot leave it alone."""

    def __init__(self, vault, seed):
        self.vault = vault
        self.chance = random.Random(seed)  # noqa: S311 - nothing secret hangs on it
        self.bin = []
        for number in range(24):
            write(vault / f"area {number % 4}" / f"Note {number}.md", self.text(number))

    def text(self, number):
        who, where = self.chance.choice(PEOPLE), self.chance.choice(PLACES)
        return f"---\nnumber: {number}\n---\n[[{who}]] was in [[{where}]] for the {number}th time.\n"

    def edit(self, number):
        note = self.chance.choice(sorted(self.vault.rglob("*.md")))
        return getattr(
            self, self.chance.choice(("save", "save", "swap", "rename", "move", "folder", "delete", "restore"))
        )(note, number)

    def save(self, note, number):
        write(note, self.text(number))

    def swap(self, note, number):
        write(note.with_name(f".{note.name}.tmp"), self.text(number)).replace(note)

    def rename(self, note, number):
        note.rename(note.with_name(f"Note {1000 + number}.md"))

    def move(self, note, number):
        place = self.vault / f"area {number % 4}"
        place.mkdir(exist_ok=True)
        if not (place / note.name).exists():
            note.rename(place / note.name)

    def folder(self, note, number):
        note.parent.rename(self.vault / f"area {number + 4}")

    def delete(self, note, _number):
        if len(list(self.vault.rglob("*.md"))) > 12:
            self.bin.append((note, note.read_text("utf-8")))
            note.unlink()

    def restore(self, _note, _number):
        if self.bin:
            write(*self.bin.pop())


def test_after_two_hundred_changes_the_memory_is_that_of_a_fresh_ingest(tmp_path):
    desk = Desk(tmp_path / "vault", seed=9)
    with Watched(tmp_path / "memory.db", desk.vault, all_gone=True) as watched:
        for number in range(EDITS):
            desk.edit(number)
            time.sleep(desk.chance.choice((0.0, 0.0, 0.02, 0.1)))
        write(desk.vault / "Last.md", "[[Mira]] closes the door.\n")
        watched.changed("Last.md")
        there = sorted(path.relative_to(desk.vault).as_posix() for path in desk.vault.rglob("*.md"))
        watched.until(lambda: watched.sources() == there)
    assert watched.troubles() == []
    fresh = Session(Output(quiet=True), f"sqlite:///{tmp_path / 'fresh.db'}")
    Keeper(fresh, lambda *_: None, nlp=False, embeddings=False).take_in(
        Vault(desk.vault), lambda *_: True, lambda *_: None
    )
    assert current_facts(watched.session) == current_facts(fresh)
    with watched.session.reading() as store:
        assert [check.name for check in check_up(store, load_ontology()) if not check.ok] == []
