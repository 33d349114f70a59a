"""A memory is read again, and again, while another process takes notes in and asks: nothing is lost, on either side."""

import multiprocessing
from contextlib import closing
from datetime import datetime

from ingestion.notes import WEDNESDAY, Notes
from reextraction.again import Again

from kgmem.checkup import check_up
from kgmem.errors import StoreLockedError
from kgmem.model import identify, to_instant
from kgmem.store.conversations import Message, MessageQuery

_ROUNDS = 12


def live(folder, opened, over):
    """Take in a note, ask something, and begin again."""
    notes = Notes(folder)
    for number in range(_ROUNDS):
        notes.write({f"Note {number}.md": f"owes:: [[Note {number - 1}]]\n", "Log.md": f"mood:: {number}\n"})
        notes.ingest(WEDNESDAY)
        with closing(Again(notes).open(readonly=True)) as store:
            at = to_instant(datetime.fromisoformat(WEDNESDAY))
            store.conversations().add(Message("default", at, f"Question {number}?", identify(number)))
        opened.set()
    over.set()


def test_who_writes_and_asks_meanwhile_loses_nothing(tmp_path):
    notes = Notes(tmp_path)
    notes.write({"Mira.md": "owes:: [[Nord]]\n"}).ingest(WEDNESDAY)
    context = multiprocessing.get_context("spawn")
    opened, over = context.Event(), context.Event()
    other = context.Process(target=live, args=(tmp_path, opened, over))
    other.start()
    assert opened.wait(60)
    promoted = 0
    while not over.is_set() or not promoted:
        try:
            Again(notes, version=str(promoted)).promote()
        except StoreLockedError:
            continue
        promoted += 1
    other.join()
    assert other.exitcode == 0
    again = Again(notes)
    with closing(again.open()) as store:
        assert [check.name for check in check_up(store, again.means.ontology) if not check.ok] == []
        assert len(list(store.sources())) == _ROUNDS + 2
        total, asked = store.conversations().messages(MessageQuery())
        assert (total, asked[0].question) == (_ROUNDS, f"Question {_ROUNDS - 1}?")
    report = notes.ingest(WEDNESDAY)
    assert (report.counts.added, report.counts.changed, report.counts.unchanged) == (0, 0, _ROUNDS + 2)
    assert notes.facts() == sorted(
        [f"Note {n} | OWES | Note {n - 1} | date unknown" for n in range(_ROUNDS)]
        + ["Mira | OWES | Nord | date unknown", *(each for each in notes.facts() if "MOOD" in each)]
    )
