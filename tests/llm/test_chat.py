"""A model at a server: what is sent, what comes back in pieces, and what is said when it is no use."""

import json
import socket
import threading
from importlib.util import find_spec

import pytest
from embedding.servers import serving, slow

from kgmem import served
from kgmem.errors import ConfigurationError, ModelError
from kgmem.llm.chat import NONE, LlmSettings, find_chat, server_of

needs_client = pytest.mark.skipif(find_spec("openai") is None, reason="kgmem[openai] is not installed")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def written(*pieces, tokens=None):
    """The body of an answer that comes in pieces, as events."""
    chunks = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    if tokens is not None:
        chunks.append({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": tokens}})
    shape = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "small"}
    events = [f"data: {json.dumps(shape | chunk)}\n\n" for chunk in chunks]
    return ("".join(events) + "data: [DONE]\n\n").encode()


def chat_at(url, **settings):
    chat = find_chat(LlmSettings("small", url, **settings), {})
    assert chat is not None
    return chat


@needs_client
def test_a_question_goes_out_and_pieces_come_back():
    with serving((200, written("Mira lives ", "in Avignon [1].", tokens=41))) as server:
        chat = chat_at(server.url)
        assert "".join(chat.answer("Cite.", "Where?")) == "Mira lives in Avignon [1]."
        assert "".join(chat.answer("Cite.", "Who?")) == "Mira lives in Avignon [1]."
    assert chat.tokens == 82
    asked = server.asked[0]
    assert asked["messages"] == [{"role": "system", "content": "Cite."}, {"role": "user", "content": "Where?"}]
    assert (asked["model"], asked["temperature"], asked["stream"], asked["max_tokens"]) == ("small", 0, True, 500)


def test_without_a_name_there_is_no_model():
    environ = {"OPENAI_API_KEY": "secret", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    assert find_chat(LlmSettings(), environ) is find_chat(LlmSettings(NONE), environ) is None
    assert server_of(LlmSettings(), environ) is None
    assert server_of(LlmSettings("small"), environ) == "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("url", "environ", "message"),
    [
        (None, {}, "no key to ask OpenAI for small with"),
        ("localhost:11434", {}, "no address of a server"),
        ("http://127.0.0.1:9/v1", {"OPENAI_API_KEY": "a\nb"}, "characters that no key has"),
    ],
)
def test_settings_that_say_too_little(url, environ, message):
    with pytest.raises(ConfigurationError, match=message):
        find_chat(LlmSettings("small", url), environ)


def test_a_model_takes_the_client(monkeypatch):
    monkeypatch.setattr(served, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match="openai package"):
        find_chat(LlmSettings("small", "http://127.0.0.1:9/v1"), {})


@needs_client
@pytest.mark.parametrize(
    ("turn", "kind", "message"),
    [
        ((401, b'{"error": {"message": "no"}}'), ConfigurationError, "refuses the key"),
        ((404, b'{"error": {"message": "no"}}'), ConfigurationError, "knows no model small"),
        ((500, b"oh"), ModelError, "the model server http://127.0.0.1"),
        ((200, b"data: {nonsense\n\n"), ModelError, "sends nothing of use"),
        ((200, b'data: {"choices": 5}\n\n'), ModelError, "sends nothing of use"),
        ((200, b'data: {"error": {"message": "overloaded"}}\n\n'), ModelError, "overloaded"),
    ],
)
def test_a_server_that_is_no_use(turn, kind, message):
    with serving(turn) as server, pytest.raises(kind, match=message):
        list(chat_at(server.url).answer("Cite.", "Where?"))


@needs_client
def test_a_server_that_takes_too_long():
    with serving(slow(1.0)) as server, pytest.raises(ModelError, match="gives no answer in time"):
        list(chat_at(server.url, timeout=0.1).answer("Cite.", "Where?"))


@needs_client
def test_a_server_that_is_not_there():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://ann:s3cret@127.0.0.1:{held.getsockname()[1]}/v1"
        with pytest.raises(ModelError, match="cannot be reached") as refused:
            list(chat_at(url).answer("Cite.", "Where?"))
    assert "s3cret" not in refused.value.message


@needs_client
def test_an_answer_that_breaks_off():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def speak_half():
            asking, _ = server.accept()
            with asking:
                asking.recv(65_536)
                asking.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + written("Mira lives")[:-14])

        speaker = threading.Thread(target=speak_half)
        speaker.start()
        pieces = chat_at(f"http://127.0.0.1:{server.getsockname()[1]}/v1").answer("Cite.", "Where?")
        assert next(pieces) == "Mira lives"
        with pytest.raises(ModelError, match="the model server http"):
            list(pieces)
        speaker.join()
