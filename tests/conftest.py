"""What holds for all tests: servers for the whole run, of Neo4j and of a small model, started when a test asks first.

How long a property takes says nothing on a busy machine.
"""

import os
import signal
from contextlib import ExitStack

import pytest
from hypothesis import settings
from llm.small_model import NoModelError, serving_a_model
from store.neo4j_server import NoServerError, running

os.environ["KGMEM_EMBEDDING"] = "none"  # the packaged model takes a second: who tests with vectors says so
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell has its background jobs, and their children, ignore it
    signal.signal(signal.SIGINT, signal.default_int_handler)
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory):
    """The server; without one these tests are skipped, unless `KGMEM_REQUIRE_NEO4J` says that they must run."""
    pytest.importorskip("neo4j")
    with ExitStack() as stack:
        try:
            server = stack.enter_context(running(tmp_path_factory.mktemp("neo4j")))
        except NoServerError as error:
            if os.environ.get("KGMEM_REQUIRE_NEO4J"):
                raise
            pytest.skip(f"no Neo4j server to test with: {error}")
        held = {name: os.environ.get(name) for name in ("NEO4J_USERNAME", "NEO4J_PASSWORD")}
        os.environ |= {"NEO4J_USERNAME": server.user, "NEO4J_PASSWORD": server.password}
        yield server
        for name, value in held.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@pytest.fixture(scope="session")
def small_model():
    """The address of a real model that writes what it likes; skipped where it is not installed."""
    yield from _model()


@pytest.fixture(scope="session")
def citing_model():
    """The address of the same model, which may only choose where Mira lives: it is too small to cite of itself."""
    yield from _model('root ::= "Mira lives in " [A-Z] [a-z]+ " [1]."')


def _model(grammar=""):
    with ExitStack() as stack:
        try:
            address = stack.enter_context(serving_a_model(grammar))
        except NoModelError as error:
            pytest.skip(f"no model to test with: {error}")
        yield address


@pytest.fixture(scope="session")
def graphs(neo4j_server):
    from store.graphs import graphs_on

    yield from graphs_on(neo4j_server)


@pytest.fixture
def graph(graphs):
    """A part of the server that is this test's own."""
    from store.graphs import Graph

    own = Graph(graphs)
    yield own
    own.wipe()
