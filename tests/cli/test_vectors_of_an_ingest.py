"""`kgmem ingest` and `kgmem reembed` with a server of vectors."""

import json

import pytest
from cli.transcripts import speak
from embedding.servers import answer, serving

NOTE = "---\ntype: person\nworks_at: Nord (since 2015)\n---\nMira sails.\n"


def by_length(request):
    return 200, answer(*([1.0, len(text) / 10] for text in request["input"]))


def wider(request):
    return 200, answer(*([1.0, 0.0, len(text) / 10] for text in request["input"]))


@pytest.fixture
def here(alone, monkeypatch):
    """A vault, and how to name a server of a model in the configuration."""
    pytest.importorskip("openai")
    monkeypatch.delenv("KGMEM_EMBEDDING", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (alone / "vault").mkdir()
    (alone / "vault" / "Mira.md").write_text(NOTE)

    def configure(model, url="http://127.0.0.1:9/v1"):
        (alone / "c.toml").write_text(f'[nlp]\nmodel = "none"\n[embedding]\nmodel = "{model}"\nurl = "{url}"\n')

    return configure


def run(*words):
    return speak(["--config", "c.toml", *words])


def embedding_of(out):
    return json.loads(out)["embedding"]


def test_an_ingest_embeds_what_is_new_and_says_how_fast(here):
    with serving(by_length) as server:
        here("small", server.url)
        code, out, _ = run("ingest", "vault", "--json")
        told = embedding_of(out)
        assert code == 0
        assert (told["model"], told["facts"], told["entities"], told["passages"]) == ("small", 1, 2, 4)
        assert (told["reused"], told["left"], told["error"]) == (0, 0, None)
        assert told["passages_per_second"] > 0
        assert 0 < told["share"] < 1
        asked = len(server.asked)
        code, out, err = run("ingest", "vault", "--verbose")
        assert (code, "embedded" in err, len(server.asked)) == (0, False, asked)
    assert json.loads(run("stats", "--json")[1])["counts"]["vectors"] == 7


def test_nothing_is_embedded_where_that_is_switched_off(here):
    with serving(by_length) as server:
        here("small", server.url)
        assert embedding_of(run("ingest", "vault", "--no-embeddings", "--json")[1]) is None
        assert embedding_of(run("ingest", "vault", "--dry-run", "--json")[1]) is None
        here("none")
        assert embedding_of(run("ingest", "vault", "--json")[1]) is None
    assert server.asked == []


def test_a_server_that_fails_is_a_note_and_the_notes_are_there(here):
    with serving((400, b"{}")) as server:
        here("small", server.url)
        code, out, err = run("ingest", "vault")
    assert code == 0
    assert "1 added" in out
    assert f"no vectors were made: the embedding server {server.url} fails" in err
    assert "Mira sails." in run("search", "sails")[1]
    with serving((400, b"{}")) as server:
        here("small", server.url)
        assert run("ingest", "vault", "--strict")[0] == 3


def test_another_model_is_a_note_until_all_is_embedded_anew(here):
    with serving(by_length) as server:
        here("small", server.url)
        run("ingest", "vault")
    with serving(wider) as server:
        here("large", server.url)
        code, _, err = run("ingest", "vault")
        assert (code, server.asked) == (0, [])
        assert "the vectors of this memory are of small, and large is set (`kgmem reembed` makes them anew)" in err
        code, out, _ = run("reembed")
        assert code == 0
        assert out.startswith("embedded with large: 4 passages, 1 fact, 2 entities")
        code, out, _ = run("reembed", "--json")
        assert {"before": "large", "passages": 0, "left": 0}.items() <= json.loads(out).items()
        here("small", server.url)
        assert json.loads(run("reembed", "--model", "larger", "--json")[1])["before"] == "large"


def test_a_new_model_whose_server_fails_changes_nothing(here):
    with serving(by_length) as server:
        here("small", server.url)
        run("ingest", "vault")
    with serving((400, b"{}")) as server:
        here("large", server.url)
        code, _, err = run("reembed")
    assert (code, "fails" in err) == (1, True)
    assert json.loads(run("stats", "--json")[1])["counts"]["vectors"] == 7


def test_there_is_nothing_to_embed_anew_with(here):
    here("none")
    code, _, err = run("reembed")
    assert code == 1
    assert "no model is installed or set that makes vectors" in err


@pytest.mark.usefixtures("alone")
def test_a_mistyped_model_sends_nothing_anywhere(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    code, out, err = speak(["reembed", "--model", "all-MiniLM"])
    assert (code, out) == (1, "")
    assert err.startswith("kgmem: no server is named that runs all-MiniLM\n")
