"""The store contract runs against every store: a factory each, which opens one memory as often as it is asked."""

from datetime import UTC, datetime, timedelta

import pytest

from kgmem.store import open_store

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Place:
    """One memory; handles on it are closed at the end of the test. `group` names a group of its own."""

    def __init__(self, url, group=str):
        self.url = url
        self.group = group
        self._handles = []

    def open(self, group="default", *, now=None, readonly=False, unfinished=False):
        store = open_store(self.url, self.group(group), now=now, readonly=readonly, unfinished=unfinished)
        self._handles.append(store)
        return store

    def at(self, hours, group="default"):
        """A handle whose clock stands so many hours after noon."""
        return self.open(group, now=NOON + timedelta(hours=hours))

    def close(self):
        for handle in self._handles:
            handle.close()


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def place(request, tmp_path):
    if request.param == "sqlite":
        here = Place(f"sqlite:///{tmp_path / 'memory' / 'kgmem.db'}")
    else:
        graph = request.getfixturevalue("graph")
        here = Place(graph.url, graph.group)
    yield here
    here.close()


@pytest.fixture
def store(place):
    return place.open()


@pytest.fixture
def commit():
    """Write change sets, each in a transaction of its own; gives the recorded instant of the last."""

    def write(store, *changes):
        for each in changes:
            with store.writing() as transaction:
                transaction.commit(each)
        return transaction.recorded_at

    return write
