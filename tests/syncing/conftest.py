"""A memory that is kept in step with Readwise, in either store."""

import pytest
from store.conftest import Place
from syncing.shelf import Shelf


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def shelf(request, tmp_path):
    if request.param == "sqlite":
        place = Place(f"sqlite:///{tmp_path / 'memory.db'}")
    else:
        graph = request.getfixturevalue("graph")
        place = Place(graph.url, graph.group)
    yield Shelf(place)
    place.close()
