"""What a watch does once all is quiet: vectors at once, a model later, and neither while something changes."""

import pytest
from llm.scripted import chatting, claims
from watching.watched import QUICK, Watched, write

from kgmem.cli import watch_taking
from kgmem.cli.by_model import asking
from kgmem.cli.output import Output
from kgmem.cli.session import Session
from kgmem.cli.watch_taking import SOON, Keeper
from kgmem.errors import ModelError
from kgmem.llm.settings import Extract
from kgmem.sources.obsidian import Vault
from kgmem.watching import Changed, Trouble

ROW = {
    "subject": "Mira", "predicate": "WORKS_AT", "object": "Sud", "start": "Since March 2023",
    "quote": "the cellar at Sud has been in the hands of Mira",
}  # fmt: skip


class Tiny:
    """An embedder that finds all texts alike."""

    model = "tiny"
    dimension = 2

    def __init__(self):
        self.texts = []

    def embed(self, texts):
        for text in texts:
            self.texts.append(text)
            yield (1.0, 0.0)


class Broken(Tiny):
    def embed(self, _texts):
        raise ModelError("no answer", "start it")
        yield


@pytest.fixture
def vault(tmp_path):
    write(tmp_path / "vault" / "Mira.md", "Mira likes wine.\n\nMira likes tea.\n")
    return tmp_path / "vault"


@pytest.fixture
def keeper(tmp_path, monkeypatch):
    session = Session(Output(quiet=True), str(tmp_path / "memory.db"))

    def make(embedder):
        monkeypatch.setattr(Session, "embedder", lambda _: embedder)
        return Keeper(session, lambda *_: None, nlp=False, embeddings=True)

    return make


def missing(keeper_session):
    with keeper_session.reading() as store:
        return sum(store.missing_vectors("tiny").values())


def test_vectors_give_way_and_go_on(vault, keeper, tmp_path):
    embedder = Tiny()
    keeping = keeper(embedder)
    keeping.take_in(Vault(vault), lambda *_: True, lambda *_: None)
    session = Session(Output(quiet=True), str(tmp_path / "memory.db"))
    every = missing(session)
    assert every > 1
    assert keeping.follow(lambda: True) == SOON
    assert (missing(session), len(embedder.texts)) == (every - 1, 1)
    assert keeping.follow(lambda: False) is None
    assert missing(session) == 0


def test_vectors_that_cannot_be_made_are_told_once_and_the_watch_goes_on(vault, keeper, tmp_path):
    with Watched(tmp_path / "memory.db", vault, taking=keeper(Broken())) as watched:
        assert watched.see(Trouble).problem.message.endswith("vectors are missing: no answer")
        write(vault / "New.md", "Something else.\n")
        watched.see(Changed)
        assert len(watched.troubles()) == 1


def test_a_model_is_asked_once_all_is_quiet(vault, tmp_path, monkeypatch):
    pytest.importorskip("openai")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(watch_taking, "MODEL_QUIET", QUICK.quiet)
    write(
        vault / "Mira.md",
        "---\ntype: person\n---\nSince March 2023 the cellar at [[Sud]] has been in the hands of Mira.\n",
    )
    with chatting(claims(ROW)) as script:
        write(tmp_path / "c.toml", f'[llm]\nmodel = "small"\nurl = "{script.url}"\n')
        session = Session(Output(quiet=True), str(tmp_path / "memory.db"), None, tmp_path / "c.toml")
        what = asking(session, Extract.NEEDED)
        keeping = Keeper(session, lambda *_: None, nlp=False, embeddings=False, asking=what)
        with Watched(tmp_path / "memory.db", vault, taking=keeping) as watched:
            watched.until(lambda: ("Mira", "WORKS_AT", "Sud") in watched.facts())
        assert len(script.asked) == 1
