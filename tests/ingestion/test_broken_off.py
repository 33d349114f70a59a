"""An ingest that is killed anywhere is done by the next one: who a name means does not depend on where it ended."""

import pytest
from cli.transcripts import speak
from ingestion.notes import TUESDAY, WEDNESDAY, Notes

from kgmem.checkup import check_up
from kgmem.extraction.ontology import load_ontology
from kgmem.ingestion.intake import Intake
from kgmem.recall.names import find_entity

BY_TEXT = {"A.md": "Zed Quux works at Nordwind Energy.\n", "C.md": "Zed Quux lives in Lyon.\n"}
LINKED = {"B.md": "Dinner with [[Zed Quux]].\n", "D.md": "[[Zed Quux]] rang.\n"}
UNLINKED = {"B.md": "Dinner with Zed.\n", "D.md": "Somebody rang.\n"}


class Killed(BaseException):
    """What no handler of ours catches."""


def killed(notes, after, now):
    """An ingest that ends when so many sources are taken in, or before names are looked after."""
    taken = iter(range(after))
    take_in = vars(Intake)["_take_in"]

    def take_some(intake, *work):
        if next(taken, None) is None:
            raise Killed
        take_in(intake, *work)

    def stop(*_):
        raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Intake, "_take_in", take_some)
        patch.setattr(Intake, "_look_after_names", stop)
        with pytest.raises(Killed):
            notes.ingest(now)


def known(notes):
    """Everything that is believed, and who is who."""
    return notes.facts(links=True), [(card.entity, card.mentions, card.sources) for card in notes.cards()]


def complaints(notes):
    with notes.store() as store:
        return [check.name for check in check_up(store, load_ontology()) if not check.ok]


@pytest.mark.parametrize("after", range(5))
def test_the_first_ingest_may_be_killed_anywhere(notes, after):
    notes.write(BY_TEXT | LINKED)
    killed(notes, after, TUESDAY)
    assert complaints(notes) == []
    with notes.store() as store:
        assert bool(store.relinked()) == (after > 1)
    notes.ingest(WEDNESDAY)
    fresh = notes.copy()
    fresh.ingest(WEDNESDAY)
    assert known(notes) == known(fresh)
    assert complaints(notes) == []
    with notes.store() as store:
        (one,) = find_entity(store, "Zed Quux")
    assert one.sources == 4


@pytest.mark.parametrize("after", range(3))
@pytest.mark.parametrize(("before", "then"), [(UNLINKED, LINKED), (LINKED, UNLINKED)], ids=("linked", "unlinked"))
def test_a_later_ingest_may_be_killed_anywhere(notes, after, before, then):
    notes.write(BY_TEXT | before).ingest()
    notes.write(then)
    killed(notes, after, TUESDAY)
    notes.ingest(WEDNESDAY)
    fresh = notes.copy()
    fresh.ingest(WEDNESDAY)
    assert known(notes) == known(fresh)
    assert complaints(notes) == []


def test_a_note_that_is_gone_may_be_the_last_that_linked(tmp_path):
    notes = Notes(tmp_path)
    notes.write(BY_TEXT | {"B.md": LINKED["B.md"]}).ingest()
    notes.remove("B.md")
    killed(notes, 9, TUESDAY)
    notes.ingest(WEDNESDAY)
    fresh = notes.copy()
    fresh.ingest(WEDNESDAY)
    assert notes.facts(links=True) == fresh.facts(links=True)


def test_doctor_tells_of_it(notes, monkeypatch):
    notes.write(BY_TEXT | LINKED)
    killed(notes, 9, TUESDAY)
    monkeypatch.setenv("KGMEM_STORE", notes.url)
    told = "an ingest was broken off before it was done: the next `kgmem ingest` goes on with it\n"
    code, out, err = speak(["doctor"])
    assert (code, "BAD" in out, err) == (0, False, told)
    notes.ingest(WEDNESDAY)
    assert speak(["doctor"])[2] == ""
