"""A real model reads notes: it is understood, and what it makes up is not believed."""

from ingestion.notes import Notes

from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.batching import Bounds
from kgmem.llm.chat import LlmSettings
from kgmem.llm.settings import Extract
from kgmem.llm.spending import Limits, Spent
from kgmem.llm.structured import find_structured
from kgmem.memory import Memory
from kgmem.sources.obsidian import Vault

FEW = Ontology(
    {"predicates": {"WORKS_AT": {"phrase": "{s} works at {o}", "domain": ["Person"], "range": ["Organization"]}}}
)
"""A short list of predicates, for a long question takes a small machine a minute."""


def test_a_small_model_is_asked_and_only_what_stands_in_the_note_is_believed(tmp_path, small_model, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    notes = Notes(tmp_path, ontology=FEW).write({"Log.md": "[[Mira]] runs the cellar at [[Sud]].\n"})
    notes.ingest()
    model = find_structured(LlmSettings("smollm2", small_model, timeout=120), {})
    vault = Vault(notes.vault)
    vault.scan({})
    with notes.store() as store:
        outcome = Memory(store, FEW).read_by_model(
            [vault], model, Extract.ALL, Spent(Limits(calls=2)), bounds=Bounds(reply=120)
        )
        claims = [claim for some in store.claims().values() for claim in some if claim.rung == "llm"]
        names = {each.name for each in store.entities(c.object for c in claims).values()}
        kept = store.spending()
    assert outcome.trouble is None
    assert 1 <= outcome.spent.calls <= 2
    assert outcome.spent.tokens_in > 300
    assert (len(kept), len(outcome.problems)) in {(1, 0), (0, 1)}
    assert outcome.passages + outcome.left == 1
    assert names <= {"Mira", "Sud"}
