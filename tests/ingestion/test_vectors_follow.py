"""Vectors follow the texts: nothing is embedded twice, and whatever ends it early, what is made is kept."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ingestion.notes import TUESDAY, WEDNESDAY, Notes
from ingestion.test_erasing import erase

import kgmem
from kgmem.embedding.embedder import unit
from kgmem.errors import ModelError, StoreError
from kgmem.ingestion.embedding import embed, reembed
from kgmem.store.sqlite.packing import pack_floats
from kgmem.store.sqlite.write_vectors import slot
from kgmem.store.vector_store import VectorModel

VAULT = {
    "Mira.md": "---\ntype: person\nworks_at: Nord (since 2015)\n---\nMira sails.\n\nShe bakes bread.\n",
    "Log.md": "Met [[Mira]] at the harbour.\n",
}
TEXTS = {
    "Mira works at Nord.",
    "Mira, Individual",
    "Nord, Organization",
    "Mira\nMira sails.",
    "Mira\nShe bakes bread.",
    "Log\nMet [[Mira]] at the harbour.",
}


@dataclass
class Letters:
    """How often letters stand in a text, beside a constant; it remembers what it was asked."""

    model: str = "letters"
    dimension: int = 4
    stops: dict[int, BaseException] = field(default_factory=dict)
    """What happens instead of giving the vector of so many texts."""
    asked: list[str] = field(default_factory=list)

    def embed(self, texts):
        for text in texts:
            if len(self.asked) in self.stops:
                raise self.stops[len(self.asked)]
            self.asked.append(text)
            counts = [text.count(letter) for letter in "abcdefgh"[: self.dimension - 1]]
            yield unit([1.0, *map(float, counts)])


@pytest.fixture
def notes(tmp_path):
    notes = Notes(tmp_path).write(VAULT)
    notes.ingest()
    return notes


def test_everything_is_embedded_once_and_found(notes):
    letters = Letters()
    with notes.store() as store:
        outcome = embed(store, letters)
        assert store.vector_model() == VectorModel("letters", 4)
        (hit,) = store.nearest("passage", next(Letters().embed(["Mira\nShe bakes bread."])), 1)
        assert hit.score == pytest.approx(1)
        assert store.placed([hit.id])[hit.id].passage.text == "She bakes bread."
    assert set(letters.asked) >= TEXTS
    assert len(letters.asked) == len(set(letters.asked)) == sum(outcome.made.values())
    assert (outcome.model, outcome.reused, outcome.left, outcome.trouble) == ("letters", 0, 0, None)


def test_what_did_not_change_keeps_its_vector(notes):
    with notes.store() as store:
        embed(store, Letters())
    before = notes.dump()
    later = Letters()
    with notes.store() as store:
        assert embed(store, later).made == {}
    assert (later.asked, notes.dump()) == ([], before)
    notes.write({"Log.md": "Met [[Mira]] at the harbour.\n\nIt rained.\n"}).ingest(TUESDAY)
    with notes.store(TUESDAY) as store:
        assert embed(store, later).left == 0
    assert later.asked == ["Log\nIt rained."]


def test_equal_texts_share_a_vector_across_groups_and_a_note_that_comes_back(notes):
    with notes.store() as store:
        embed(store, Letters())
    other = Notes(notes.vault.parent, "other")
    other.ingest()
    again = Letters()
    with other.store() as store:
        outcome = embed(store, again)
        assert len(store.nearest("passage", (1.0, 0, 0, 0), 9)) == 7
    assert (again.asked, outcome.left) == ([], 0)
    assert outcome.reused == store_size(notes)
    notes.remove("Log.md").ingest(TUESDAY)
    notes.write({"Log.md": VAULT["Log.md"]}).ingest(WEDNESDAY)
    with notes.store(WEDNESDAY) as store:
        assert embed(store, again).left == 0
    assert again.asked == []


def store_size(notes):
    with notes.store() as store:
        return store.stats().counts["vectors"]


def test_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on(notes):
    stopped = Letters(stops={3: KeyboardInterrupt()})
    with notes.store() as store:
        outcome = embed(store, stopped)
    assert outcome.interrupted
    assert store_size(notes) == 3 == sum(outcome.made.values())
    rest = Letters()
    with notes.store() as store:
        assert embed(store, rest).left == 0
    assert not set(rest.asked) & set(stopped.asked)
    assert len(rest.asked) == outcome.left


def test_a_server_that_fails_keeps_what_is_done_and_says_why(notes):
    with notes.store() as store:
        outcome = embed(store, Letters(stops={2: ModelError("no answer", "wait")}))
    assert (outcome.trouble.message, store_size(notes)) == ("no answer", 2)


def test_progress_goes_up_to_all(notes):
    told = []
    with notes.store() as store:
        embed(store, Letters(), lambda done, total, kind: told.append((done, total, kind)))
    assert told[-1][:2] == (store_size(notes), store_size(notes))
    assert [kind for _, _, kind in told] == ["fact", "entity", "passage"]


def test_another_model_is_refused_with_what_helps(notes):
    with notes.store() as store:
        embed(store, Letters())
        with pytest.raises(StoreError, match="are of letters, and words is set") as caught:
            embed(store, Letters("words"))
    assert "kgmem reembed" in caught.value.hint


def test_a_new_model_is_used_once_all_is_made(notes):
    with notes.store() as store:
        embed(store, Letters())
        outcome = reembed(store, Letters("words", 6, stops={2: KeyboardInterrupt()}))
        assert outcome.interrupted
        assert (store.vector_model(), store.coming_model()) == (VectorModel("letters", 4), VectorModel("words", 6))
        assert len(store.nearest("passage", (1.0, 0, 0, 0), 9)) == 7
        rest = Letters("words", 6)
        assert reembed(store, rest).left == 0
        assert len(rest.asked) == store_size(notes) - 2
        assert (store.vector_model(), store.coming_model()) == (VectorModel("words", 6), None)
        assert len(store.nearest("passage", (1.0, 0, 0, 0, 0, 0), 9)) == 7


def test_the_first_vectors_may_be_made_by_reembedding(notes):
    with notes.store() as store:
        reembed(store, Letters())
        assert store.vector_model() == VectorModel("letters", 4)
        assert reembed(store, Letters()).made == {}


KILLED = """
import os, signal, sys
from ingestion.test_vectors_follow import Letters
from kgmem.ingestion.embedding import reembed
from kgmem.store import open_store

class Deadly(Letters):
    def embed(self, texts):
        for number, values in enumerate(super().embed(texts)):
            if number == 1 and store.missing_vectors("words")["fact"] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            yield values

store = open_store(sys.argv[1], "default")
reembed(store, Deadly("words", 6))
"""


def test_a_process_killed_while_it_reembeds_leaves_the_old_vectors_and_is_gone_on_with(notes):
    with notes.store() as store:
        embed(store, Letters())
    tests = Path(__file__).parents[1]
    path = os.pathsep.join([str(tests), str(Path(kgmem.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, notes.url], env={**os.environ, "PYTHONPATH": path}, check=False
    )
    assert done.returncode == -signal.SIGKILL
    with notes.store() as store:
        assert store.vector_model() == VectorModel("letters", 4)
        assert len(store.nearest("passage", (1.0, 0, 0, 0), 9)) == 7
        assert store.strange_vectors() == ()
        rest = Letters("words", 6)
        reembed(store, rest)
        assert store.vector_model() == VectorModel("words", 6)
    assert 0 < len(rest.asked) < store_size(notes)


def test_an_erased_text_leaves_neither_its_vector_nor_its_codes(notes):
    with notes.store() as store:
        embed(store, Letters())
    values = next(Letters().embed(["Mira\nShe bakes bread."]))
    codes = slot(0, values)[16:]
    traces = (pack_floats(values), codes)
    with_codes = [trace in notes_bytes(notes) for trace in traces]
    assert with_codes == [True, True]
    assert erase(notes, "Mira.md")
    assert [trace in notes_bytes(notes) for trace in traces] == [False, False]


def notes_bytes(notes):
    return b"".join(file.read_bytes() for file in notes.vault.parent.glob("memory.db*"))
