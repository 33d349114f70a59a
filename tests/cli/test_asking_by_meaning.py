"""`kgmem ask` with an embedding server that fails: the words still find, a note says why, and nobody waits long."""

import json
from importlib.util import find_spec

import pytest
from cli.transcripts import speak
from embedding.servers import answer, serving, slow

from kgmem.embedding import embedder

pytestmark = pytest.mark.skipif(find_spec("openai") is None, reason="kgmem[openai] is not installed")
BY_WORDS = "found by its words alone: "


@pytest.fixture
def memory(alone, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "KGMEM_EMBEDDING"):
        monkeypatch.delenv(name, raising=False)
    (alone / "vault").mkdir()
    (alone / "vault" / "Hives.md").write_text("Bees sting when it thunders.\n", encoding="utf-8")
    with serving(lambda asked: (200, answer(*[[1.0, 2.0, 2.0]] * len(asked["input"])))) as server:
        configure(alone, server)
        assert speak(["ingest", "vault", "--no-nlp", "--quiet", "--config", "c.toml"])[0] == 0
        assert server.asked
    return alone


def configure(folder, server):
    (folder / "c.toml").write_text(f'[embedding]\nmodel = "small"\nurl = "{server.url}"\n', encoding="utf-8")


def ask(memory, server, *words):
    configure(memory, server)
    return speak(["ask", "sting in thunder and bees", "--config", "c.toml", *words])


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        ((200, answer([1.0, 2.0])), "a question of 2 dimensions does not fit this group's vectors: small with 3"),
        ((200, answer([1.0, 2.0, 2.0], [1.0, 2.0, 2.0])), "sends nothing of use: 2 vectors for 1 texts"),
        ((200, b'{"data": [{"index": 0, "embedding": [NaN, 1, 1]}]}'), "sends nothing of use"),
        ((200, b'{"data": [{"index": 0, "embedding": [null, 1, 1]}]}'), "sends nothing of use"),
        ((200, b"<html>Please log in</html>"), "sends nothing of use"),
        ((200, b""), "sends nothing of use"),
        ((401, b'{"error": {"message": "no"}}'), "refuses the key"),
        ((429, b'{"error": {"message": "later"}}'), "takes no more requests now"),
        ((500, b"<html>\x1b[31mboom</html>"), "fails: "),
    ],
)
def test_words_find_what_meaning_cannot(memory, turn, says):
    with serving(turn) as server:
        code, out, err = ask(memory, server)
        assert len(server.asked) == 1
    assert code == 0
    assert "Bees sting when it thunders." in out
    (note,) = err.splitlines()
    assert note.startswith(BY_WORDS)
    assert says in note
    assert "\x1b" not in note


def test_a_server_that_hangs_is_asked_once(memory, monkeypatch):
    monkeypatch.setattr(embedder, "_QUESTION_SECONDS", 0.1)
    with serving(slow(1.0)) as server:
        code, out, err = ask(memory, server, "--as-of", "2026")  # which searches twice
        assert len(server.asked) == 1
    assert (code, "Bees sting" in out) == (0, True)
    assert err.startswith(BY_WORDS)
    assert "gives no answer in time" in err


def test_scripts_and_why_are_told_too(memory):
    with serving((401, b"{}")) as server:
        said = json.loads(ask(memory, server, "--json")[1])
    (note,) = said["notes"]
    assert note.startswith(BY_WORDS)
    assert note.endswith("refuses the key")
    assert "refuses the key" in speak(["why"])[1]
