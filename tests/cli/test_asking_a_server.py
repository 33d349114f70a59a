"""`kgmem cypher` and `kgmem ask` against a real server."""

import json
import os
import sys

import pytest
from cli.transcripts import speak

pytestmark = pytest.mark.neo4j


@pytest.fixture
def memory(alone, graph, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", graph.url)
    monkeypatch.setenv("KGMEM_GROUP", graph.group())
    (alone / "vault").mkdir()
    note = "---\ntype: person\nlives_in: Lyon\n---\nMet [[Anna]].\n"
    (alone / "vault" / "Mira.md").write_text(note, encoding="utf-8")
    assert speak(["ingest", "vault", "--no-nlp", "--quiet"])[0] == 0
    return alone


NAMES = "MATCH (e:Entity {group: $group}) RETURN e.name AS name, labels(e)[0] AS label ORDER BY name"


@pytest.mark.usefixtures("memory")
def test_a_table_and_its_limit():
    assert speak(["cypher", NAMES]) == (0, "name  label\nAnna  Entity\nLyon  Entity\nMira  Entity\n", "")
    assert speak(["cypher", NAMES, "--limit", "1"]) == (
        0,
        "name  label\nAnna  Entity\n",
        "showing the first 1, there are more; --limit shows more\n",
    )


@pytest.mark.usefixtures("memory")
def test_nodes_relationships_and_dates_are_json():
    query = (
        "MATCH path = (:Person {group: $group})-[r:RELATED_TO {predicate: 'LIVES_IN'}]->(b)"
        " RETURN b AS b, r AS r, path, date('2026-03-02') AS day, point({x: 1, y: 2}) AS point,"
        " {at: [time('10:00')]} AS m"
    )
    code, out, err = speak(["cypher", query, "--json"])
    assert (code, err) == (0, "")
    said = json.loads(out)
    assert said["columns"] == ["b", "r", "path", "day", "point", "m"]
    ((node, tie, path, *rest),) = said["rows"]
    assert (node["properties"]["name"], "Location" in node["labels"]) == ("Lyon", True)
    assert (tie["type"], tie["properties"]["predicate"]) == ("RELATED_TO", "LIVES_IN")
    assert [each["properties"]["name"] for each in path["nodes"]] == ["Mira", "Lyon"]
    assert path["relationships"] == [tie]
    assert rest == ["2026-03-02", {"srid": 7203, "coordinates": [1.0, 2.0]}, {"at": ["10:00:00.000000000+00:00"]}]


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("query", ["CREATE (:Fact)", "MATCH (n) DETACH DELETE n", "CREATE INDEX x FOR (n:X) ON (n.x)"])
def test_a_query_that_would_write_is_refused(query):
    assert speak(["cypher", query]) == (
        1,
        "",
        "kgmem: this would write, and a question can only read\n  kgmem --help lists what changes a memory\n",
    )
    assert speak(["cypher", NAMES])[1].count("\n") == 4


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line", "no files or other hosts"),
        ("profile LOAD CSV FROM 'http://127.0.0.1:1/x' AS line RETURN line", "no files or other hosts"),
        ("CALL db.clearQueryCaches()", "this would write"),
        ("TERMINATE TRANSACTIONS 'neo4j-transaction-1'", "this would write"),
        ("RETURN 1 / 0", "has no answer to this: / by zero"),
    ],
)
def test_a_query_reads_the_graph_and_nothing_else(query, said):
    code, out, err = speak(["cypher", query])
    assert (code, out) == (1, "")
    assert said in err


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("query", ["CALL db.labels()", "SHOW INDEXES", "PROFILE RETURN 1 AS n"])
def test_what_reads_is_answered(query):
    code, out, err = speak(["cypher", query, "--json"])
    assert (code, err) == (0, "")
    assert json.loads(out)["rows"]


@pytest.mark.usefixtures("memory")
def test_a_memory_is_not_copied_onto_itself_however_its_server_is_called(graph):
    other = graph.url.replace("127.0.0.1", "localhost")
    assert other != graph.url
    code, out, err = speak(["copy", "--to", f"{other}/neo4j"])
    assert (code, out) == (1, "")
    assert "the copy would be the memory itself" in err


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
@pytest.mark.usefixtures("memory")
def test_a_terminal_is_asked_for_the_password_that_nobody_set(request):
    from cli.terminal import Terminal

    environ = {name: value for name, value in os.environ.items() if name != "NEO4J_PASSWORD"}
    environ |= {"PYTHONPATH": str(request.config.rootpath), "NO_COLOR": "1"}
    with Terminal("entities", environ=environ) as terminal:
        terminal.press(f"{os.environ['NEO4J_PASSWORD']}\r", "Password of the server: ")
        assert terminal.end() == 0
    assert "Mira" in terminal.screen
    assert os.environ["NEO4J_PASSWORD"] not in terminal.screen
    with Terminal("entities", environ=environ) as terminal:
        terminal.press("wrong\r", "Password of the server: ")
        assert terminal.end() == 1
    assert "does not let neo4j in" in terminal.screen


@pytest.mark.usefixtures("memory")
def test_a_query_that_is_no_cypher_is_refused():
    code, out, err = speak(["cypher", "SELECT 1"])
    assert (code, out) == (1, "")
    assert "does not understand this: Invalid input 'SELECT'" in err
    assert err.endswith("  docs/neo4j.md says what is in the graph\n")


@pytest.mark.usefixtures("memory")
def test_sql_is_for_files(graph):
    assert speak(["sql", "SELECT 1"]) == (1, "", f"kgmem: {graph.url} is not a SQLite store\n  kgmem cypher\n")


@pytest.mark.usefixtures("memory")
def test_an_answer_is_kept_and_heeded():
    first = json.loads(speak(["ask", "where does Mira live", "--json"])[1])
    assert first["answer"] == "Mira lives in Lyon (date unknown)."
    assert speak(["feedback", "down"])[0] == 0
    again = json.loads(speak(["ask", "Where did Mira live?", "--json"])[1])
    assert [each["id"] for each in again["asked_before"]] == [first["trace"]["id"]]
    assert again["answer"] == "Nothing else in your notes answers this."
    told = json.loads(speak(["why", first["trace"]["id"][:8], "--json"])[1])
    assert told["trace"]["steps"][-1]["hits"][0]["text"] == "Mira lives in Lyon."
    assert [each["name"] for each in told["trace"]["touched"]] == ["Mira", "Lyon"]
    assert json.loads(speak(["conversations", "--json"])[1])["conversations"][0]["messages"] == 2
