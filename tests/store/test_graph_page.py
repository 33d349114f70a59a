"""The questions on the page about the graph have answers."""

import re
from pathlib import Path

import pytest
from store.samples import FIRST
from store.test_store_neo4j import CHANGE

from kgmem.store import open_store

PAGE = (Path(__file__).parents[2] / "docs" / "neo4j.md").read_text("utf-8")
QUERIES = re.findall(r"^```cypher\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.neo4j
def test_every_question_is_answered(graph, commit):
    store = open_store(graph.url, graph.group())
    commit(store, FIRST, CHANGE)
    mentioned, believed, written, replaced, connected = (store.cypher(query, 10)[1] for query in QUERIES)
    assert mentioned[0] == ["Mira", 3]
    assert [path["nodes"][-1]["properties"]["name"] for (path,) in believed] == ["Paris"]
    assert written == [["Mira works at Paris.", "Flew to Paris with Mimi", "log.md"]]
    assert replaced == [["Mira works at Château Nord.", "2015", "Mira works at Paris.", "2020"]]
    assert connected == []
    store.close()
