"""`kgmem config` says what leaves the machine, and where to."""

import pytest
from cli.transcripts import speak


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("memory.db", "none: nothing leaves this machine"),
        ("neo4j+s://me:secret@db.example.org:7687/notes", "all of the memory to db.example.org"),
        ("bolt://localhost", "all of the memory to localhost, which is this machine"),
        ("neo4j://[::1]:7687", "all of the memory to ::1, which is this machine"),
        ("neo4j://me:se/cret#secret@db", "all of the memory to a server whose address cannot be read"),
        ("neo4j://[x", "all of the memory to a server whose address cannot be read"),
    ],
)
def test_where_the_memory_goes(store, said, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", store)
    code, out, _ = speak(["config"])
    assert code == 0
    assert out.splitlines()[-1] == f"network   {said}"
    assert "secret" not in out


@pytest.mark.usefixtures("alone")
def test_where_texts_go_to_be_embedded(alone, monkeypatch):
    monkeypatch.delenv("KGMEM_EMBEDDING", raising=False)
    (alone / "c.toml").write_text('[embedding]\nmodel = "nomic"\nurl = "https://u:secret@models.example.org/v1"\n')
    asked = ["config", "--config", "c.toml", "--store"]
    both = "all of the memory to db.example.org; names and passages, to be embedded, to models.example.org"
    assert speak([*asked, "neo4j://db.example.org"])[1].splitlines()[-1] == f"network   {both}"
    (alone / "c.toml").write_text('[embedding]\nmodel = "text-embedding-3-small"\n')
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    assert "names and passages, to be embedded, to api.openai.com" in speak([*asked, "memory.db"])[1]
    (alone / "c.toml").write_text('[embedding]\nmodel = "none"\n')
    assert "none: nothing leaves this machine" in speak([*asked, "memory.db"])[1]
