"""`kgmem ask` with a real model: what it makes up is not shown, and what the notes carry is, with its lines."""

import json

import pytest
from cli.transcripts import speak

from kgmem.llm import patience
from kgmem.recall.phrasing import cites

FOUND = "Mira lives in Avignon (since 2023-05)."


@pytest.fixture
def memory(alone, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(patience, "SOON", 60.0)  # a busy machine takes its time
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (alone / "vault").mkdir()
    note = "---\ntype: person\nlives_in: Avignon (since 2023-05)\n---\nMira keeps bees.\n"
    (alone / "vault" / "Mira.md").write_text(note, encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone


def ask(memory, address, question, *words):
    (memory / "c.toml").write_text(f'[llm]\nmodel = "smollm2"\nurl = "{address}"\n', encoding="utf-8")
    return speak(["ask", question, "--config", "c.toml", *words])


def test_a_sentence_that_the_notes_carry_is_shown_with_its_line(memory, citing_model):
    code, out, err = ask(memory, citing_model, "where does Mira live")
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == ["Mira lives in Avignon [1].", f"[1] {FOUND} [Mira.md:3]"]
    assert "Mira lives in Avignon [1]." in speak(["why"])[1]


def test_what_a_model_writes_without_citing_it_is_not_shown(memory, small_model):
    code, out, _ = ask(memory, small_model, "what does Mira keep", "--json")
    said = json.loads(out)
    assert code == 0
    if said["model"] is None:
        assert said["answer"] == "Your notes say: “Mira keeps bees.” (Mira.md:5)"
    else:
        lines = {each["number"]: each["line"] for each in said["model"]["cited"]}
        assert lines
        assert set(cites(said["answer"])) == lines.keys()
