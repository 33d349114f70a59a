"""Whatever is asked, there is an answer or a message, and nothing steers the terminal."""

import json
import os
import re
import subprocess
import sys

import pytest
from cli.transcripts import speak

STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
FOUND = "Mira lives in Avignon (since 2023-05)."
NOTES = {
    "Mira.md": "---\ntype: person\nlives_in: Avignon (since 2023-05)\n---\nMira keeps bees.\n",
    "Trip \x1b[31m.md": "The bees \x1b[2Jof \x9b31m Avignon \u202e\x07\x08 hum.\n\x1b]0;title\x07 \x00\n",
}
NOTHING_TO_FIND = [
    "?", '"', '""', '"unclosed', "*", "NEAR(", "AND OR NOT", "/regex/", "~", "^", "+", "-", "&&", "||",
    "!", "((((", "()", "\\", "%", "_", "';DROP TABLE fact;--", "\x00", "\x1b", "\x07", "\ud800", "\U0001f600",
    "(" * 5000, '"' * 5000, "* " * 5000, "AND " * 2500, "0" * 10_000, "米" * 10_000,
]  # fmt: skip
ABOUT_BEES = [
    '"bees"', "bees*", "NEAR(bees hum, 3)", "bees AND NOT", "body:bees", "^bees", "bees~2", "/bees/", "[bees TO hum]",
    "{bees TO hum}", "+bees -hum", "bees^4", "(bees", "bees\x00", "\u202ebees", "\udc80 bees", "bees " * 2000,
]  # fmt: skip


@pytest.fixture(params=["file", pytest.param("server", marks=pytest.mark.neo4j)])
def memory(request, alone, monkeypatch):
    if request.param == "server":
        graph = request.getfixturevalue("graph")
        monkeypatch.setenv("KGMEM_STORE", graph.url)
        monkeypatch.setenv("KGMEM_GROUP", graph.group())
    (alone / "vault").mkdir()
    for path, text in NOTES.items():
        (alone / "vault" / path).write_text(text, encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone


def asked(*words):
    code, out, err = speak(list(words))
    assert not STEERING.search(out + err), repr(out + err)
    return code, out, err


@pytest.mark.usefixtures("memory")
def test_nothing_to_look_for():
    for question in NOTHING_TO_FIND:
        assert asked("ask", question, "--private", "--quiet") == (0, "Not in your notes.\n", ""), repr(question[:20])
        assert asked("search", question) == (0, "Not in your notes.\n", ""), repr(question[:20])
        assert asked("context", question) == (0, "Not in your notes.\n", ""), repr(question[:20])


@pytest.mark.usefixtures("memory")
def test_words_that_only_join_others_ask_for_nothing_and_can_be_searched():
    for command in (["ask", "--private", "--quiet"], ["context"]):
        assert asked(*command, "what is of the and") == (0, "Not in your notes.\n", "")
    assert "of" in asked("search", "of the")[1].split("bees ")[1]


@pytest.mark.usefixtures("memory")
def test_signs_of_a_search_language_are_only_signs():
    for question in ABOUT_BEES:
        assert "Mira keeps bees." in asked("search", question)[1], question[:20]
        assert "Mira keeps bees." in asked("context", question)[1], question[:20]
        said = json.loads(asked("ask", question, "--json")[1])
        assert "Mira keeps bees." in {each["text"] for each in said["passages"]}, question[:20]


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("question", ["où habite Mira", "Wo wohnt Mira?", "¿Dónde vive Mira?", "Mira住在哪里"])
def test_a_question_in_another_language_is_answered_by_its_names(question):
    code, out, _ = asked("ask", question)
    assert code == 0
    assert "Mira keeps bees." in out


@pytest.mark.usefixtures("memory")
def test_what_is_empty_is_told_so():
    for command in ("ask", "context"):
        code, out, err = asked(command, " \n ")
        assert (code, out) == (1, "")
        assert err.startswith("kgmem: the question is empty\n")


@pytest.mark.usefixtures("memory")
def test_what_looks_like_an_option_goes_after_dashes():
    assert asked("search", "-bees") == (
        2, "", "kgmem: No such option '-b'.\n  words that begin with a dash go after --\n",
    )  # fmt: skip
    assert "Mira keeps bees." in asked("search", "--", "-bees")[1]


@pytest.mark.usefixtures("memory")
def test_what_a_note_says_is_whole_in_json_and_steers_nothing():
    said = asked("ask", "bees hum", "--json")[1]
    assert "\\u009b31m" in said
    assert any("\x9b31m" in each["text"] for each in json.loads(said)["passages"])


@pytest.mark.parametrize("command", ["ask", "search", "context", "why", "conversations"])
def test_where_nothing_was_ever_read(command, alone):
    words = [command, "Mira"] if command in {"ask", "search", "context"} else [command]
    code, out, err = asked(*words)
    assert (code, out) == (1, "")
    assert err.startswith("kgmem: there is no memory here yet")
    assert not (alone.parent / "memory.db").exists()


def test_where_there_is_no_note(alone):
    (alone / "vault").mkdir()
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    why = "this memory holds no notes yet: kgmem ingest PATH\n"
    for command in ("ask", "context"):
        assert asked(command, "Mira") == (0, "Not in your notes.\n", why)
    assert asked("search", "Mira") == (0, "Not in your notes.\n", "")


@pytest.mark.parametrize("tokens", ["0", "-1"])
@pytest.mark.usefixtures("memory")
def test_a_budget_that_holds_nothing_is_no_budget(tokens):
    code, out, err = asked("context", "Mira", "--tokens", tokens)
    assert (code, out) == (2, "")
    assert "--tokens" in err


@pytest.mark.usefixtures("memory")
def test_a_context_keeps_to_its_budget():
    everything = json.loads(asked("context", "Mira", "--tokens", "9" * 20, "--json")[1])
    assert everything["left_out"] == 0
    assert [each["kind"] for each in everything["items"]][:2] == ["fact", "passage"]
    for tokens in range(1, everything["tokens"] + 1):
        said = json.loads(asked("context", "Mira", "--tokens", str(tokens), "--json")[1])
        assert said["tokens"] <= tokens
        assert len(said["items"]) + said["left_out"] == len(everything["items"])
    assert said["items"] == everything["items"]


@pytest.mark.usefixtures("memory")
def test_a_context_is_the_same_in_every_process(request):
    environ = {**os.environ, "PYTHONPATH": str(request.config.rootpath), "PYTHONIOENCODING": "utf-8"}
    words = [sys.executable, "-m", "kgmem", "context", "what do I know about Mira and the bees", "--tokens", "60"]
    told = {
        subprocess.run(words, env=environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "2")
    }
    assert len(told) == 1
    assert told.pop().decode().splitlines()[0] == "- Mira lives in Avignon (since 2023-05). [Mira.md:3]"
