"""`kgmem ask` with a model of a server: its words stand as far as the notes carry them, and the rest without it."""

import json
from importlib.util import find_spec

import pytest
from cli.transcripts import speak
from embedding.servers import serving
from llm.test_chat import written

pytestmark = pytest.mark.skipif(find_spec("openai") is None, reason="kgmem[openai] is not installed")
NOTE = "---\ntype: person\nlives_in: Avignon (since 2023-05)\n---\nMira keeps bees.\n"


@pytest.fixture
def memory(alone, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (alone / "vault").mkdir()
    (alone / "vault" / "Mira.md").write_text(NOTE, encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone


def ask(memory, server, *words):
    (memory / "c.toml").write_text(f'[llm]\nmodel = "small"\nurl = "{server.url}"\n', encoding="utf-8")
    return speak(["ask", "where does Mira live", "--config", "c.toml", *words])


def test_a_model_words_the_answer_and_cites(memory):
    with serving(
        (200, written("Since 2023-05 Mira has lived ", "in Avignon [1]. She owes Karl 900 euros [1]."))
    ) as server:
        code, out, err = ask(memory, server)
    assert code == 0
    assert out.splitlines()[:2] == [
        "Since 2023-05 Mira has lived in Avignon [1].",
        "[1] Mira lives in Avignon (since 2023-05). [Mira.md:3]",
    ]
    assert "Karl" not in out
    assert err == "one sentence of small left out: your notes do not carry what is said there\n"
    prompt = server.asked[0]["messages"][1]["content"]
    assert "[1] - Mira lives in Avignon (since 2023-05). [Mira.md:3]\n" in prompt
    assert prompt.endswith("Question: where does Mira live")
    assert "in Avignon [1]" in speak(["why"])[1]


def test_what_was_found_stands_if_the_model_fails(memory):
    with serving((500, b"oh")) as server:
        code, out, err = ask(memory, server)
    assert code == 0
    assert out.splitlines()[0] == "Mira lives in Avignon (since 2023-05)."
    assert "what stands here was found without it" in err


def test_what_was_found_stands_if_the_model_makes_everything_up(memory):
    with serving((200, written("Mira lives in Lyon [1]."))) as server:
        code, out, _ = ask(memory, server)
    assert (code, out.splitlines()[0]) == (0, "Mira lives in Avignon (since 2023-05).")


def test_a_model_may_find_nothing(memory):
    with serving((200, written("Not in your notes."))) as server:
        assert ask(memory, server)[1].splitlines()[0] == "Not in your notes."


def test_no_model_is_asked_where_none_is_wanted(memory):
    with serving((200, written("Mira lives in Avignon [1]."))) as server:
        code, out, err = ask(memory, server, "--no-llm")
    assert (code, out.splitlines()[0], err, server.asked) == (0, "Mira lives in Avignon (since 2023-05).", "", [])


def test_the_form_for_scripts(memory):
    with serving((200, written("Mira lives in Avignon [1]. Karl, too.", tokens=41))) as server:
        said = json.loads(ask(memory, server, "--json")[1])
    assert said["answer"] == "Mira lives in Avignon [1]."
    assert said["model"] == {
        "name": "small",
        "cited": [{"number": 1, "line": "- Mira lives in Avignon (since 2023-05). [Mira.md:3]"}],
        "left_out": ["Karl, too."],
    }
    assert (said["trace"]["model"], said["trace"]["tokens"]) == ("small", 41)


def test_config_says_where_questions_go(memory):
    (memory / "c.toml").write_text('[llm]\nmodel = "m"\nurl = "https://u:s3cret@models.example.org/v1"\n')
    out = speak(["config", "--config", "c.toml"])[1]
    assert out.splitlines()[-1] == "network   questions, and what answers them, to models.example.org"
