"""Vectors from a server: what is sent, what comes back, and what is said when it is no use."""

import json
import socket
from importlib.util import find_spec

import pytest
from embedding.servers import answer, serving, slow

from kgmem.embedding.embedder import EmbeddingSettings, find_embedder
from kgmem.embedding.endpoint import Endpoint, rows
from kgmem.errors import ConfigurationError, ModelError

needs_client = pytest.mark.skipif(find_spec("openai") is None, reason="kgmem[openai] is not installed")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def asking():
    return lambda url, **options: Endpoint("small", url, **{"retries": 0} | options)


@needs_client
def test_texts_go_out_and_unit_vectors_come_back_in_order(asking):
    with serving((200, answer([3.0, 4.0], [0.0, 2.0]))) as server:
        embedder = asking(server.url, key="secret")
        assert list(embedder.embed(["one", "two", "one"])) == [(0.6, 0.8), (0.0, 1.0), (0.6, 0.8)]
        assert embedder.dimension == 2
    (request,) = server.asked
    assert request == {"path": "/v1/embeddings", "model": "small", "input": ["one", "two"], "encoding_format": "float"}
    assert server.keys == ["Bearer secret"]


@needs_client
def test_the_server_is_asked_for_the_dimension_only_if_nothing_told_it(asking):
    with serving((200, answer([1.0, 0.0, 0.0]))) as server:
        embedder = asking(server.url)
        assert embedder.dimension == embedder.dimension == 3
        assert [request["input"] for request in server.asked] == [["."]]
        assert asking(server.url, dimension=3).dimension == 3
        assert len(server.asked) == 1


@needs_client
def test_a_dimension_that_was_asked_for_is_sent_and_insisted_on(asking):
    with serving((200, answer([1.0, 0.0, 0.0]))) as server:
        with pytest.raises(ModelError, match="vectors of 3 components, not of 2"):
            list(asking(server.url, dimension=2).embed(["one"]))
        assert server.asked[0]["dimensions"] == 2


@needs_client
def test_a_dimension_that_changes_is_no_use_and_what_came_before_stands(asking):
    with serving((200, answer(*[[1.0, 0.0]] * 32)), (200, answer([1.0, 0.0, 0.0]))) as server:
        vectors = asking(server.url).embed([str(number) for number in range(33)])
        assert [next(vectors) for _ in range(32)] == [(1.0, 0.0)] * 32
        with pytest.raises(ModelError, match="vectors of 3 components, not of 2"):
            next(vectors)


@needs_client
def test_blank_and_endless_texts_are_sent_as_any_server_takes_them(asking):
    with serving((200, answer([1.0, 0.0], [0.0, 1.0], [1.0, 0.0]))) as server:
        list(asking(server.url).embed([" \n", "x" * 9000, "half \ud83d"]))
        assert server.asked[0]["input"] == [".", "x" * 8000, "half ?"]


@needs_client
@pytest.mark.parametrize(
    ("status", "error", "message", "hint"),
    [
        (401, ConfigurationError, "refuses the key", "OPENAI_API_KEY"),
        (403, ConfigurationError, "refuses the key", "OPENAI_API_KEY"),
        (404, ConfigurationError, "knows no model small", "check the name"),
        (429, ModelError, "takes no more requests now", "wait a little"),
        (500, ModelError, "fails: .*500.*overloaded", ""),
        (400, ModelError, "fails: .*400.*overloaded", ""),
    ],
)
def test_a_refusal_says_what_helps(asking, status, error, message, hint):
    with serving((status, b'{"error": {"message": "overloaded"}}')) as server:
        with pytest.raises(error, match=message) as refused:
            list(asking(server.url).embed(["one"]))
        assert server.url in refused.value.message
        assert hint in refused.value.hint


@needs_client
def test_a_server_that_is_busy_for_a_moment_is_asked_again():
    with serving((429, b"{}"), (503, b"{}"), (200, answer([0.0, 5.0]))) as server:
        assert list(Endpoint("small", server.url).embed(["one"])) == [(0.0, 1.0)]
        assert len(server.asked) == 3


@needs_client
def test_a_busy_server_is_asked_only_once_for_the_sake_of_a_question():
    with serving((429, b"{}"), (200, answer([0.0, 5.0]))) as server:
        embedder = find_embedder(EmbeddingSettings("small", server.url, few=True), {})
        with pytest.raises(ModelError, match="takes no more requests now"):
            list(embedder.embed(["one"]))
        assert len(server.asked) == 1


@needs_client
def test_a_server_that_does_not_answer_in_time_is_given_up(asking):
    with serving(slow(0.5)) as server, pytest.raises(ModelError, match="gives no answer in time"):
        list(asking(server.url, timeout=0.05).embed(["one"]))


@needs_client
def test_a_server_that_is_not_there_cannot_be_reached(asking):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelError, match="cannot be reached"):
            list(asking(url).embed(["one"]))


@needs_client
def test_a_password_in_an_address_is_not_shown(asking):
    with serving((404, b"{}")) as server, pytest.raises(ConfigurationError) as refused:
        list(asking(server.url.replace("//", "//mira:sesame@")).embed(["one"]))
    assert refused.value.message == f"the embedding server {server.url} knows no model small"


@needs_client
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"<html>Welcome</html>", "no list of vectors"),
        (b"{}", "no list of vectors"),
        (answer(), "0 vectors for 1 texts"),
        (answer([1.0], [1.0]), "2 vectors for 1 texts"),
        (answer([0.0, 0.0]), "a vector without a direction"),
        (b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}', "a vector without a direction"),
        (b'{"data": [{"index": 0, "embedding": [1e999, 1]}]}', "a vector without a direction"),
        (b'{"data": [{"index": 0, "embedding": []}]}', "a vector without a direction"),
    ],
)
def test_an_answer_that_is_no_use_is_said_to_be(asking, body, message):
    with serving((200, body)) as server, pytest.raises(ModelError, match=message):
        list(asking(server.url).embed(["one"]))


@pytest.mark.parametrize(
    "data",
    [
        "text",
        [1],
        [{"index": 0}],
        [{"index": "first", "embedding": [1]}],
        [{"index": 0, "embedding": "AACAPw=="}],
        [{"index": 0, "embedding": [10**400]}],
    ],
)
def test_only_lists_of_numbers_are_vectors(data):
    with pytest.raises(ValueError, match="no list of vectors"):
        rows(json.dumps({"data": data}).encode(), 1)
