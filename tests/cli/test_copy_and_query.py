import os
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest
from cli.transcripts import speak

from kgmem.errors import UserError
from kgmem.store import copying, open_store
from kgmem.store.sqlite.load import SqliteLoader

if sys.platform == "win32":
    pytest.skip("there is no pseudo-terminal", allow_module_level=True)
from cli.terminal import Terminal


@pytest.fixture
def memory(alone, monkeypatch):
    """A memory of one note, which a copy takes some chunks for."""
    monkeypatch.setattr(copying, "_CHUNK", 5)
    (alone / "vault").mkdir()
    (alone / "vault" / "Mira.md").write_text("---\nworks_at: Nord\n---\nMira met [[Anna]].\n", encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone


@pytest.fixture
def stopped(memory, monkeypatch):
    """The folder, in which a copy was stopped at its third chunk."""
    load, chunks = SqliteLoader.load, []

    def stopping(self, lines, half):
        chunks.append(lines)
        if len(chunks) == 3:
            raise KeyboardInterrupt
        return load(self, lines, half)

    with monkeypatch.context() as patch:
        patch.setattr(SqliteLoader, "load", stopping)
        said = speak(["copy", "--to", "copy.db"])
    assert said == (1, "", "stopped: what was copied is kept; the same command again goes on\n")
    return memory


@pytest.fixture
def environ(request):
    """The environment of a program of its own."""
    return {**os.environ, "PYTHONPATH": str(request.config.rootpath), "NO_COLOR": "1"}


@pytest.mark.parametrize(
    "command", ["stats --store neo4j://ann:s3cret@127.0.0.1:1", "copy --to bolt://ann:s3cret@127.0.0.1:1"]
)
@pytest.mark.usefixtures("memory")
def test_a_password_is_not_taken_from_a_command(command):
    code, out, err = speak(command.split())
    assert (code, out) == (1, "")
    assert err.splitlines() == [
        "kgmem: a password in a command stays in the history of the shell",
        "  set NEO4J_PASSWORD, or write it into the configuration",
    ]


def test_a_memory_is_not_copied_onto_itself_through_a_link(memory, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", str(memory / "one.db"))
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    (memory / "two.db").symlink_to(memory / "one.db")
    code, out, err = speak(["copy", "--to", str(memory / "two.db")])
    assert (code, out) == (1, "")
    assert "the copy would be the memory itself" in err


@pytest.mark.parametrize("command", ["stats", "doctor", "entities", "sql SELECT(1)", "ingest vault", "undo"])
def test_half_a_copy_says_so_to_every_command(stopped, command):
    code, out, err = speak([*command.split(), "--store", "copy.db"])
    assert (code, out) == (1, "")
    said, hint = err.splitlines()[-2:]
    assert said.startswith(
        f"kgmem: the group default in sqlite://{stopped}/copy.db is half a copy of the group default"
    )
    assert said.endswith("memory.db: 10 lines of it are in")
    assert hint == "  the same `kgmem copy` again completes it"


def test_a_copy_that_was_stopped_goes_on(stopped):
    code, out, _ = speak(["copy", "--to", "copy.db"])
    assert code == 0
    assert out.endswith("lines of the dump are equal, 10 of them were there already\n")
    assert speak(["facts", "--store", str(stopped / "copy.db")]) == speak(["facts"])


def test_half_a_copy_gives_way_to_another_memory_only_with_yes(stopped):
    (stopped / "vault" / "Other.md").write_text("Another note.\n", encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--group", "work"])[0] == 0
    again = ["copy", "--group", "work", "--to", "copy.db", "--to-group", "default"]
    code, _, err = speak(again)
    assert code == 1
    assert err.endswith("  --yes drops that, or name another group with --to-group\n")
    assert speak([*again, "--yes"])[0] == 0


def test_a_terminal_sees_the_bar_and_the_result(memory, environ):
    with Terminal("copy", "--to", str(memory / "copy.db"), environ=environ) as terminal:
        assert terminal.end() == 0
    assert "copying" in terminal.screen
    assert "29/29" in terminal.screen
    assert "1 source, 3 entities, 2 facts; all 29 lines of the dump" in " ".join(terminal.screen.split())
    with closing(open_store(str(memory / "copy.db"), "default", readonly=True)) as copy:
        assert copy.half_copy() is None


def test_a_terminal_is_asked_before_notes_leave_the_machine(memory, environ):
    with Terminal("copy", "--to", "neo4j://memory.invalid", environ=environ) as terminal:
        terminal.press("n\r", "Send all of your notes to memory.invalid? [y/N]: ")
        assert terminal.end() == 1
    assert terminal.screen.endswith("kgmem: stopped\n")
    assert sorted(each.name for each in memory.iterdir()) == ["vault"]


class Graph:
    """A store that can be asked in Cypher, with five rows."""

    url = "neo4j://localhost"
    asked: tuple[str, int] = ("", 0)

    def half_copy(self) -> None:
        return None

    def close(self) -> None:
        pass

    def cypher(self, query: str, limit: int) -> tuple[tuple[str, ...], Iterator[tuple[object, ...]]]:
        if not query.startswith("MATCH"):
            raise UserError("a query only reads")
        Graph.asked = query, limit
        return ("name", "node"), [(f"n{number}", {"a": [number, None]}) for number in range(5)][:limit]


@pytest.fixture
def graph(alone, monkeypatch):
    monkeypatch.setattr("kgmem.store.open_store", lambda *_, **__: Graph())
    return alone


@pytest.mark.usefixtures("graph")
def test_a_store_that_knows_cypher_answers():
    assert speak(["cypher", "MATCH (n) RETURN n.name AS name, n", "--limit", "2"]) == (
        0,
        "name  node\nn0    {'a': [0, None]}\nn1    {'a': [1, None]}\n",
        "showing the first 2, there are more; --limit shows more\n",
    )
    assert Graph.asked == ("MATCH (n) RETURN n.name AS name, n", 3)
    assert speak(["cypher", "MATCH (n) RETURN n", "--limit", "5"])[2] == ""
    assert '"a": [\n          4,\n          null' in speak(["cypher", "MATCH (n) RETURN n", "--json"])[1]


@pytest.mark.usefixtures("graph")
def test_a_store_that_knows_only_cypher_says_so():
    assert speak(["sql", "SELECT 1"]) == (1, "", "kgmem: neo4j://localhost is not a SQLite store\n  kgmem cypher\n")
    assert speak(["cypher", "CREATE (n)"]) == (1, "", "kgmem: a query only reads\n")
