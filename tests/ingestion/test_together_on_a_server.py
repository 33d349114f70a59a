"""Two processes write into one group of a Neo4j server at once."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import closing
from itertools import pairwise

import pytest
from ingestion.notes import Notes

from kgmem.checkup import check_up
from kgmem.extraction.ontology import load_ontology
from kgmem.store import open_store

pytestmark = pytest.mark.neo4j

WORK = {f"{number:02}.md": f"---\ntype: person\nphone: {number}\n---\nMet [[00]] and [[Bo]].\n" for number in range(25)}
HOME = {f"n{number:02}.md": "Lunch with [[Mira]] and [[Bo]].\n" for number in range(25)}


@pytest.fixture
def folders(tmp_path):
    """Two vaults that both name Bo, whom no note is about."""
    found = []
    for name, files in (("work", WORK), ("home", {**HOME, "Mira.md": "---\ntype: person\nphone: 1\n---\n"})):
        (tmp_path / name).mkdir()
        found.append(Notes(tmp_path / name).write(files).vault)
    return found


@pytest.fixture
def environ(request, graph, tmp_path):
    return {
        **{name: value for name, value in os.environ.items() if name != "KGMEM_NOW"},
        "PYTHONPATH": str(request.config.rootpath),
        "KGMEM_STORE": graph.url,
        "KGMEM_GROUP": graph.group(),
        "XDG_CONFIG_HOME": str(tmp_path),
    }


def ingest(environ, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "kgmem", "ingest", str(folder), "--no-nlp", "--json"],
        env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def finished(process):
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, b"")
    return {name: count for name, count in json.loads(out).items() if name in {"added", "changed", "unchanged"}}


def test_two_ingests_of_two_folders_into_one_group(graph, folders, environ):
    running = [ingest(environ, folder) for folder in folders]
    assert [finished(process) for process in running] == [
        {"added": 25, "changed": 0, "unchanged": 0},
        {"added": 26, "changed": 0, "unchanged": 0},
    ]
    with closing(open_store(graph.url, graph.group())) as store:
        lines = [json.loads(line) for line in store.dump()]
        assert [check.name for check in check_up(store, load_ontology()) if not check.ok] == []
    instants = [line["recorded_at"] for line in lines if line["table"] == "tx"]
    assert all(before < after for before, after in pairwise(instants))
    assert len([line for line in lines if line["table"] == "source"]) == 51
    names = {line["id"]: line["name"] for line in lines if line["table"] == "entity"}
    assert len(names) == len(set(names.values())) == 52
    mentions = Counter(names[line["entity"]] for line in lines if line["table"] == "mention")
    assert (mentions["Bo"], mentions["Mira"]) == (50, 26)
    phones = [line["value"] for line in lines if line["table"] == "fact" and line["predicate"] == "PHONE"]
    assert sorted(phones) == sorted(["1", *map(str, range(25))])
    assert [finished(ingest(environ, folder))["unchanged"] for folder in folders] == [25, 26]
    with closing(open_store(graph.url, graph.group())) as store:
        assert [json.loads(line) for line in store.dump()] == lines


def test_two_ingests_of_one_folder_double_nothing(graph, folders, environ):
    running = [ingest(environ, folders[0]) for _ in range(2)]
    assert sum(finished(process)["added"] for process in running) >= 25
    with closing(open_store(graph.url, graph.group())) as store:
        assert store.stats().counts["sources"] == 25
        assert store.stats().counts["episodes"] == 25
        assert [check.name for check in check_up(store, load_ontology()) if not check.ok] == []
    assert finished(ingest(environ, folders[0])) == {"added": 0, "changed": 0, "unchanged": 25}
