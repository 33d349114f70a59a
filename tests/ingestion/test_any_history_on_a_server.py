"""Any sequence of edits, with the memory on a Neo4j server: every promise holds there too."""

from contextlib import contextmanager

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from ingestion.test_any_history import ONTOLOGY, WITHOUT_SHRINKING, History

from kgmem.memory import Memory
from kgmem.store import open_store


@pytest.mark.neo4j
def test_any_history_on_a_server(graphs):
    class OnAServer(History):
        def __init__(self):
            super().__init__()
            self.groups = {}

        @contextmanager
        def memory(self, name="memory.db"):
            if name not in self.groups:
                self.groups[name] = graphs.take()
            store = open_store(graphs.server.url, self.groups[name], now=self.now)
            try:
                yield Memory(store, ONTOLOGY)
            finally:
                store.close()

        def teardown(self):
            super().teardown()
            graphs.give_back(list(self.groups.values()))

    few = settings(max_examples=3, stateful_step_count=6, deadline=None, phases=WITHOUT_SHRINKING)
    run_state_machine_as_test(OnAServer, settings=few)
