"""The transcripts again, with the memory on a Neo4j server."""

import neo4j
import pytest
from cli.test_transcripts import FILES
from cli.transcripts import Transcript

pytestmark = pytest.mark.neo4j

ELSEWHERE = [file for file in FILES if "memory.db" not in file.read_text("utf-8")]
"""Those that do not speak of a file of the memory."""


@pytest.fixture
def empty_server(neo4j_server):
    """The server with nothing on it: the groups of transcripts have names of their own."""
    if not neo4j_server.own:
        pytest.skip("only a server of the tests' own may be emptied")
    with neo4j.GraphDatabase.driver(neo4j_server.url, auth=(neo4j_server.user, neo4j_server.password)) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
    return neo4j_server


@pytest.mark.parametrize("file", ELSEWHERE, ids=lambda file: file.stem)
def test_the_program_says_the_same_on_a_server(file, alone, empty_server, monkeypatch):
    monkeypatch.setenv("KGMEM_STORE", empty_server.url)
    Transcript(alone).play(file.read_text("utf-8"))
