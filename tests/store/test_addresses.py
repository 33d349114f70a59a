"""URLs of Neo4j servers: no server is needed to read them."""

import pytest

from kgmem.errors import StoreUnreachableError
from kgmem.model import Entity, EntityType
from kgmem.store import holds_password, open_store, without_password

neo4j = pytest.importorskip("neo4j")

from kgmem.store.neo4j.address import read_address  # noqa: E402 -- after it is known to be installed
from kgmem.store.neo4j.keys import labels_of, lookup, search_label  # noqa: E402


@pytest.mark.parametrize(
    ("url", "uri", "shown"),
    [
        ("neo4j://host", "neo4j://host", "neo4j://host"),
        ("neo4j+s://x.databases.neo4j.io", "neo4j+s://x.databases.neo4j.io", "neo4j+s://x.databases.neo4j.io"),
        ("bolt://ann:s3cret@host:7688", "bolt://host:7688", "bolt://host:7688"),
        ("neo4j://host:7687/notes", "neo4j://host:7687", "neo4j://host:7687/notes"),
        ("neo4j://host?policy=eu", "neo4j://host?policy=eu", "neo4j://host"),
        ("bolt+ssc://[::1]:7687", "bolt+ssc://[::1]:7687", "bolt+ssc://[::1]:7687"),
    ],
)
def test_a_url_of_a_server(url, uri, shown):
    address = read_address(url, {})
    assert (address.uri, address.shown) == (uri, shown)


def test_what_the_url_does_not_say_stands_in_the_environment():
    environ = {"NEO4J_USERNAME": "bo", "NEO4J_PASSWORD": "pw", "NEO4J_DATABASE": "db"}
    address = read_address("neo4j://host", environ)
    assert (address.user, address.password, address.database) == ("bo", "pw", "db")
    address = read_address("neo4j://ann:p%40ss@host/notes", environ)
    assert (address.user, address.password, address.database) == ("ann", "p@ss", "notes")
    address = read_address("neo4j://host", {})
    assert (address.user, address.password, address.database) == ("neo4j", None, None)


def test_a_password_is_not_in_what_is_printed():
    address = read_address("bolt://ann:s3cret@host", {})
    assert "s3cret" not in repr(address) + address.shown + address.uri


SPOILT = [
    "neo4j://host?password=s3cret",
    "neo4j://host#s3cret",
    "neo4j://ann:s3#cret@host",
    "neo4j://ann:s3/cret@host",
    "neo4j:/ann:s3cret@host",
    "Bolt+S:ann:s3cret@host",
]


@pytest.mark.parametrize("url", SPOILT)
def test_a_password_that_spoils_a_url_is_not_printed(url):
    with pytest.raises(StoreUnreachableError) as caught:
        open_store(url, "g")
    assert "cret" not in caught.value.message + caught.value.hint + without_password(url)


def test_only_the_url_of_a_server_holds_a_password():
    assert holds_password("NEO4J+S://ann:s3cret@host")
    assert not holds_password("neo4j://host")
    assert not holds_password("sqlite:////home/a@b/memory.db")


@pytest.mark.parametrize("url", ["neo4j://", "bolt://:7687", "neo4j://host:port", "neo4j://ann:s3cret@:7687"])
def test_a_url_without_a_host_is_refused(url):
    with pytest.raises(StoreUnreachableError, match="no host") as caught:
        open_store(url, "g")
    assert "s3cret" not in caught.value.message


@pytest.mark.parametrize(
    ("url", "printed"),
    [
        ("neo4j://ann:s3cret@host:7687/db", "neo4j://host:7687/db"),
        ("bolt://host", "bolt://host"),
        ("NEO4J://ann:s3/cr@et@host/db?policy=eu", "NEO4J://host/db"),
        ("sqlite:////home/a@b/memory.db", "sqlite:////home/a@b/memory.db"),
        ("/home/a@b/memory.db", "/home/a@b/memory.db"),
    ],
)
def test_a_url_is_printed_without_who_asks(url, printed):
    assert without_password(url) == printed


def test_a_scheme_that_no_store_has_does_not_show_what_follows():
    with pytest.raises(StoreUnreachableError) as caught:
        open_store("postgres://ann:s3cret@host", "g")
    assert "s3cret" not in caught.value.message


@pytest.mark.parametrize(
    ("subtype", "labels"),
    [
        (None, ["Person"]),
        ("Individual", ["Person", "Individual"]),
        ("research lab", ["Person", "ResearchLab"]),
        ("Wissenschaftler:in `x` {y}", ["Person", "WissenschaftlerInXY"]),
        ("研究者", ["Person", "研究者"]),
        ("Fact", ["Person", "Fact_"]),
        ("event", ["Person", "Event_"]),
        ("!?", ["Person"]),
    ],
)
def test_labels_of_an_entity(subtype, labels):
    assert labels_of(Entity("0" * 16, "x", EntityType.PERSON, subtype)) == labels


def test_groups_of_like_names_have_labels_of_their_own():
    names = ["home", "Home", "ho me", "home!", "日記"]
    assert len({search_label(name) for name in names}) == len(names)
    assert all(search_label(name).replace("_", "").isalnum() for name in names)


def test_an_index_takes_the_start_of_a_long_text():
    assert lookup("short") == "short"
    assert len(lookup("ß" * 5000).encode()) == 2000
