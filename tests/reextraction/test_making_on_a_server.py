"""On a server a memory is drawn again as it is in a file, line for line."""

from contextlib import closing
from datetime import datetime

import pytest
from ingestion.notes import MONDAY, TUESDAY, WEDNESDAY
from reextraction.again import Again, ontology_with

from kgmem.memory import Memory
from kgmem.model import identify, to_instant
from kgmem.sources.obsidian import Vault
from kgmem.store import open_store
from kgmem.store.conversations import Message, MessageQuery

pytestmark = pytest.mark.neo4j
FIRST = {"Mira.md": "works_at:: [[Nord]] (2015 – 2020)\n\nowes:: [[Sud]]\n", "Nord.md": "---\ntype: company\n---\n"}
THEN = {"Mira.md": "works_at:: [[Sud]] (since 2021)\n\nowes:: [[Sud]]\n"}


class OnAServer(Again):
    """The same memory on a server, beside the one in a file."""

    def __init__(self, notes, graph, ontology):
        super().__init__(notes, ontology)
        self._url, self._group = graph.url, graph.group

    def open(self, group="default", **options):
        now = options.pop("now", datetime.fromisoformat(WEDNESDAY))
        return open_store(self._url, group if " " in group else self._group(group), now=now, **options)

    def ingest(self, now):
        with closing(self.open(now=datetime.fromisoformat(now))) as store:
            Memory(store, Again(self.notes).means.ontology).ingest(Vault(self.notes.vault))


def test_a_memory_on_a_server_is_drawn_again(notes, graph):
    ontology = ontology_with(notes.vault.parent, "predicates:\n  IN_DEBT_TO: {names: [owes]}\n")
    here, there = Again(notes, ontology), OnAServer(notes, graph, ontology)
    for files, now in ((FIRST, MONDAY), (THEN, TUESDAY)):
        notes.write(files).ingest(now)
        there.ingest(now)
    before = there.dump()
    assert sorted(before) == sorted(here.dump())
    with closing(there.open()) as store:
        making = there.making(store)
        made = making.make()
        asked = Message("default", to_instant(datetime.fromisoformat(WEDNESDAY)), "Who?", identify("who"))
        store.conversations().add(asked)
        making.promote(made)
        assert store.conversations().messages(MessageQuery())[0] == 1
    here.promote()
    asked_lines = ('"table":"conversation"', '"table":"message"')
    drawn = [line for line in there.dump() if not any(each in line for each in asked_lines)]
    assert sorted(drawn) == sorted(here.dump())
    assert [line for line in there.dump("default~1") if not any(each in line for each in asked_lines)] == before
    with closing(there.open()) as store:
        assert [each.number for each in there.making(store).prune()] == [1]
    assert there.generations() == ["[2]"]
