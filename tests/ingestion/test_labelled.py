"""Labels of a person's own, from the notes of a vault to facts, with recorded answers of the network."""

from pathlib import Path

import pytest

from kgmem.checkup import check_up
from kgmem.explain import explain, find_note
from kgmem.extraction.gliner.labelling import Labeller
from kgmem.extraction.gliner.settings import read_gliner_settings
from kgmem.extraction.gliner.spans import Labelled, LabelledRelation, LabelledSpan
from kgmem.extraction.ontology import load_ontology
from kgmem.extraction.policy import Merging, Strategy
from kgmem.memory import Memory
from kgmem.model import Instant
from kgmem.recall.facts import find_facts
from kgmem.sources.obsidian import Vault
from kgmem.store.protocol import FactQuery

SETTINGS = read_gliner_settings(
    Path("kgmem.toml"),
    {
        "model": "folder",
        "labels": {"person": "Person", "company": "Organization", "grape": "Object/Grape"},
        "relations": {"works for": "WORKS_AT"},
    },
)


class Recorded:
    """Finds the words that it was told of: {words: label}, and (head, label, tail, score)."""

    relates = True

    def __init__(self, names, relations=()):
        self._names = names
        self._relations = relations

    def read(self, texts, _labels, _relations, *, threshold, batch):
        assert (threshold, batch) == (0.5, 8)
        named = self._names.items()
        return [
            Labelled(
                tuple(LabelledSpan(*place(text, each), label, 0.9) for each, label in named if each in text),
                tuple(
                    LabelledRelation(place(text, head), place(text, tail), label, score)
                    for head, label, tail, score in self._relations
                    if head in text and tail in text
                ),
            )
            for text in texts
        ]  # fmt: skip


def place(text, words):
    at = text.find(words)
    return at, at + len(words)


class Reading:
    """A vault that is read with a network, and with an ontology of one's own choice of strategies."""

    def __init__(self, notes, network, merging=None):
        self.notes = notes
        self.labeller = Labeller(SETTINGS, network)
        self.ontology = load_ontology()
        self.ontology.merging = merging or Merging()

    def ingest(self, **options):
        with self.notes.store() as store:
            report = Memory(store, self.ontology, labeller=self.labeller).ingest(Vault(self.notes.vault), **options)
            assert [check.name for check in check_up(store, self.ontology) if not check.ok] == []
            return report

    def account(self, name):
        with self.notes.store() as store:
            vault = Vault(self.notes.vault)
            note = find_note(store, name, self.notes.vault)
            return explain(store, self.ontology, vault, note, now=Instant(0), labeller=self.labeller)

    def facts(self, predicate="WORKS_AT"):
        with self.notes.store() as store:
            return [each.as_json() for each in find_facts(store, FactQuery(predicate=predicate))[1]]


def test_names_of_a_kind_of_ones_own_become_entities_with_their_subtype(notes):
    notes.write({"Day.md": "We opened a Riesling."})
    reading = Reading(notes, Recorded({"Riesling": "grape"}))
    reading.ingest()
    (card,) = notes.called("Riesling")
    assert (card.entity.type.value, card.entity.subtype) == ("Object", "Grape")
    with notes.store() as store:
        assert "gliner" in store.rungs()


def test_two_rungs_that_agree_are_told_with_the_fact(notes):
    notes.write({"Day.md": "Ada Berg works at Nord Systems."})
    names = {"Ada Berg": "person", "Nord Systems": "company"}
    reading = Reading(notes, Recorded(names, [("Ada Berg", "works for", "Nord Systems", 0.75)]))
    reading.ingest()
    (fact,) = reading.facts()
    assert (fact["statement"], fact["confidence"]) == ("Ada Berg works at Nord Systems.", 0.95)
    (evidence,) = fact["evidence"]
    assert (evidence["rung"], evidence["agreed"], evidence["confidence"]) == ("sentences", ["gliner"], 0.95)


def test_reading_again_changes_nothing(notes):
    notes.write({"Day.md": "Ada Berg helps out at Nord Systems."})
    reading = Reading(notes, Recorded({"Ada Berg": "person"}, [("Ada Berg", "works for", "Nord Systems", 0.75)]))
    reading.ingest()
    before = notes.dump()
    report = reading.ingest(reread=True)
    assert (report.facts_opened, report.facts_closed) == (0, 0)
    assert [line for line in notes.dump() if line not in before] == []
    (fact,) = reading.facts()
    assert fact["evidence"][0]["rung"] == "gliner"


@pytest.mark.parametrize(("strategy", "kept"), [(Strategy.AGREEMENT, "Nord"), (Strategy.CONFIDENCE, "Sud Winery")])
def test_an_account_tells_what_was_left_out_and_why(notes, strategy, kept):
    notes.write({"Day.md": "It rained.\n\nAda Berg works at Nord with Sud Winery."})
    names = {"Ada Berg": "person", "Nord": "company", "Sud Winery": "company"}
    network = Recorded(names, [("Ada Berg", "works for", "Sud Winery", 0.9)])
    reading = Reading(notes, network, Merging(strategy))
    reading.ingest()
    (dropped,) = reading.account("Day").dropped
    winner, loser = ("sentences", "gliner") if kept == "Nord" else ("gliner", "sentences")
    assert (dropped.predicate, dropped.line, dropped.rungs) == ("WORKS_AT", 3, (loser,))
    assert dropped.why == f"{winner} says otherwise ({strategy})"
    assert dropped.as_json()["rung"] == loser
    assert [each["object"]["name"] for each in reading.facts()] == [kept]


def test_what_is_not_sure_enough_is_told_as_left_out(notes):
    notes.write({"Day.md": "Ada Berg works at Nord."})
    reading = Reading(notes, Recorded({}), Merging(min_confidence=0.9))
    reading.ingest()
    assert reading.facts() == []
    assert [(each.statement, each.why) for each in reading.account("Day").dropped] == [
        ("Ada Berg works at Nord.", "0.80 is less than 0.90")
    ]
