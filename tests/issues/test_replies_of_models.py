"""Public reports about what models reply, from a server's words to what the memory believes."""

import json

import pytest
from ingestion.notes import Notes
from ingestion.readers import read
from llm.scripted import Turn, chatting, claims, passages_in

from kgmem.ingestion.batching import Bounds
from kgmem.llm.chat import LlmSettings
from kgmem.llm.structured import find_structured

ROW = {"subject": "Mira", "predicate": "WORKS_AT", "object": "Sud", "quote": "Mira runs the cellar at Sud"}
ONE = ["Mira | WORKS_AT | Sud | date unknown"]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def notes(tmp_path):
    notes = Notes(tmp_path).write({"Log.md": "[[Mira]] runs the cellar at [[Sud]].\n"})
    notes.ingest()
    return notes


def ask(notes, script, **how):
    return read(notes, find_structured(LlmSettings("small", script.url, timeout=5.0), {}), **how)


def test_graphiti_627_a_thought_before_the_fenced_reply(notes):
    with chatting(f"<think>Who {{runs}} what? [1]</think>\n```json\n{claims(ROW)}\n```") as script:
        assert ask(notes, script).spent.calls == 1
    assert notes.facts() == ONE


def test_graphiti_796_a_bare_list_with_other_names_for_its_fields(notes):
    row = {"entity_name": "Mira", "relation_type": "WORKS_AT", "target_entity_name": "Sud", "evidence": ROW["quote"]}
    with chatting(json.dumps([row])) as script:
        assert ask(notes, script).spent.calls == 1
    assert notes.facts() == ONE


def test_graphiti_868_the_schema_comes_back(notes):
    schema = json.dumps({"type": "object", "properties": {"claims": {"type": "array"}}, "required": ["claims"]})
    with chatting(schema, claims(ROW)) as script:
        assert ask(notes, script).spent.calls == 2
    assert "it repeats the schema, and holds no claims" in script.asked[1]["messages"][-1]["content"]
    assert notes.facts() == ONE


def test_graphiti_760_thousands_of_tokens_of_repetition_cut_in_the_middle(notes):
    before = notes.dump()
    babble = '{"claims": [' + f"{json.dumps(ROW | {'passage': 1})}, " * 300 + '{"passage": 1, "subj'
    with chatting(Turn(babble, ended="length", pieces=60)) as script:
        outcome = ask(notes, script)
    (problem,) = outcome.problems
    assert (problem.path, problem.line, problem.kind, outcome.left) == ("Log.md", 1, "truncated", 1)
    assert notes.dump() == before
    with chatting(claims(ROW)) as script:
        assert ask(notes, script).passages == 1
    assert notes.facts() == ONE


def test_graphiti_290_too_many_requests_at_the_fifth_of_twelve_notes(tmp_path):
    notes = Notes(tmp_path).write({f"{n:02}.md": f"[[Ann {n:02}]] runs [[Mill {n:02}]].\n" for n in range(12)})
    notes.ingest()

    def reply(request):
        number = passages_in(request)[0][4:6]
        return claims((f"Ann {number}", "LEADS", f"Mill {number}", f"Ann {number} runs Mill {number}"))

    busy = Turn("too many requests", status=429, headers={"Retry-After": "3600"})
    with chatting(*[reply] * 4, busy) as script:
        outcome = ask(notes, script, bounds=Bounds(1))
    assert (outcome.passages, outcome.left, len(notes.facts())) == (4, 8, 4)
    assert "takes no more requests now" in outcome.trouble.message
    assert "wait 3600 seconds" in outcome.trouble.hint
    with chatting(reply) as script:
        assert ask(notes, script, bounds=Bounds(1)).passages == 8
    assert len(script.asked) == 8
    assert len(notes.facts()) == 12


def test_graphiti_819_what_each_note_took_is_known(notes):
    with chatting(Turn(claims(ROW), usage=(321, 45))) as script:
        ask(notes, script)
    with notes.store() as store:
        (spending,) = store.spending()
    assert (spending.path, spending.tokens_in, spending.tokens_out) == ("Log.md", 321, 45)
