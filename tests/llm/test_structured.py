"""A model that is asked for JSON: what is sent, what is taken of what comes back, and what ends the asking."""

import json
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from llm.scripted import Turn, chatting, claims

from kgmem.errors import ConfigurationError, ModelBusyError, ModelError, ModelRefusalError
from kgmem.llm.chat import LlmSettings
from kgmem.llm.spending import Limits, Price, Spent, price_of
from kgmem.llm.structured import Cut, ServedStructured, estimate_tokens, find_structured
from kgmem.served import Server

pytest.importorskip("openai")

MESSAGES = [{"role": "system", "content": "List."}, {"role": "user", "content": "Mira works at Nord."}]
SCHEMA = {"type": "object", "properties": {"claims": {"type": "array"}}}
ONE = claims(("Mira", "WORKS_AT", "Nord", "Mira works at Nord"))


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


class Model:
    """A model at a server; the waits between its tries are written down, and pass at once."""

    def __init__(self, script, key=None, timeout=5.0):
        self.slept = []
        self._model = ServedStructured(
            "small", Server("model", script.url, key, timeout=timeout, retries=0), self.slept.append
        )

    def ask(self, longest=300):
        return self._model.complete(MESSAGES, SCHEMA, longest)


def test_a_question_goes_out_with_a_schema_and_without_tools():
    with chatting(ONE) as script:
        done = Model(script).ask()
    assert (done.text, done.tokens_in, done.tokens_out, done.cut) == (ONE, 100, 20, None)
    (asked,) = script.asked
    assert asked["messages"] == MESSAGES
    assert (asked["model"], asked["temperature"], asked["max_tokens"], asked["stream"]) == ("small", 0, 300, True)
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert not {"tools", "tool_choice", "functions"} & set(asked)


def test_a_server_that_takes_no_schema_is_asked_without_and_remembered():
    def picky(request):
        return Turn("no response_format", status=400) if "response_format" in request else Turn(ONE)

    with chatting(picky) as script:
        model = Model(script)
        assert model.ask().text == model.ask().text == ONE
    assert ["response_format" in asked for asked in script.asked] == [True, False, False]


def test_a_server_that_takes_no_temperature_is_asked_without():
    def reasoning(request):
        taken = "temperature" not in request and "max_tokens" not in request
        return Turn(ONE) if taken else Turn("unsupported", status=400)

    with chatting(reasoning) as script:
        assert Model(script).ask().text == ONE
    assert script.asked[-1]["max_completion_tokens"] == 300


def test_a_server_that_does_not_stream_is_asked_for_the_whole():
    message = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": ONE}}
    body = json.dumps(
        {"id": "1", "object": "chat.completion", "created": 0, "model": "small", "choices": [message],
         "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}}
    ).encode()  # fmt: skip
    with chatting(Turn(body=body, kind="application/json")) as script:
        done = Model(script).ask()
    assert (done.text, done.tokens_in, done.tokens_out, done.cut) == (ONE, 7, 3, None)
    assert script.asked[-1]["stream"] is False


def test_what_no_form_helps_with_is_refused():
    refusal = pytest.raises(ModelRefusalError, match="context is too long")
    with chatting(Turn("the context is too long", status=400)) as script, refusal:
        Model(script).ask()
    assert len(script.asked) == 4


def test_tokens_are_guessed_where_the_server_does_not_count():
    with chatting(Turn(ONE, usage=None)) as script:
        done = Model(script).ask()
    assert (done.tokens_in, done.tokens_out) == (6, -(-len(ONE) // 4))
    assert (estimate_tokens(""), estimate_tokens("abcde"), estimate_tokens("été")) == (0, 2, 2)


@pytest.mark.parametrize(
    ("turn", "cut"),
    [
        (Turn(ONE[:40], ended="length"), Cut.LENGTH),
        (Turn(ONE[:40], ended=None), Cut.CONNECTION),
        (Turn(ONE[:40], ended=None, cut=True), Cut.CONNECTION),
    ],
)
def test_a_reply_that_ends_in_the_middle_is_known_to(turn, cut):
    with chatting(turn) as script:
        done = Model(script).ask()
    assert (done.text, done.cut) == (ONE[:40], cut)


def test_a_model_that_babbles_is_stopped():
    row = json.dumps({"subject": "Mira", "predicate": "WORKS_AT", "object": "Nord", "quote": "Mira works at Nord"})
    with chatting(Turn('{"claims": [' + f"{row}, " * 400, pieces=50, ended="length")) as script:
        done = Model(script).ask()
    assert done.cut is Cut.REPETITION
    assert len(done.text) < 3000


def test_a_busy_server_is_asked_again_when_it_said():
    with chatting(Turn("busy", status=429, headers={"Retry-After": "7"}), ONE) as script:
        model = Model(script)
        assert model.ask().text == ONE
    assert model.slept == [7.0]


def test_a_server_that_fails_is_asked_twice_more():
    with chatting(Turn("oh", status=500), Turn("oh", status=503), ONE) as script:
        model = Model(script)
        assert model.ask().text == ONE
    assert model.slept == [2.0, 4.0]
    with chatting(Turn("oh", status=500)) as script, pytest.raises(ModelError, match=r"fails: .*oh"):
        Model(script).ask()
    assert len(script.asked) == 3


def test_a_server_that_wants_to_be_left_alone_for_long_is():
    later = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    for wait in ("3600", later):
        with chatting(Turn("busy", status=429, headers={"Retry-After": wait})) as script:
            model = Model(script)
            with pytest.raises(ModelBusyError, match="takes no more requests now") as refused:
                model.ask()
        assert model.slept == []
        assert len(script.asked) == 1
        assert "wait 3600 seconds" in refused.value.hint or "wait 7" in refused.value.hint


def test_a_server_that_never_says_how_long_is_given_up():
    with chatting(Turn("busy", status=429)) as script:
        model = Model(script)
        with pytest.raises(ModelBusyError):
            model.ask()
    assert (model.slept, len(script.asked)) == ([2.0, 4.0], 3)


@pytest.mark.parametrize(
    ("turn", "kind", "message"),
    [
        (Turn("no", status=401), ConfigurationError, "refuses the key"),
        (Turn("no", status=403), ConfigurationError, "refuses the key"),
        (Turn("no", status=404), ConfigurationError, "knows no model small"),
        (Turn(body=b"<html>welcome</html>", kind="text/html"), ModelError, "sends nothing of use"),
        (Turn(body=b"data: {nonsense\n\n"), ModelError, "sends nothing of use"),
        (Turn(body=b'data: {"choices": 5}\n\n'), ModelError, "sends nothing of use"),
        (Turn(body=b'data: {"error": {"message": "overloaded"}}\n\n'), ModelError, "overloaded"),
    ],
)
def test_a_server_that_is_no_use(turn, kind, message):
    with chatting(turn) as script, pytest.raises(kind, match=message):
        Model(script).ask()


def test_a_server_that_takes_too_long():
    with chatting(Turn(ONE, wait=1.0)) as script, pytest.raises(ModelError, match="gives no answer in time"):
        Model(script, timeout=0.1).ask()


def test_a_server_that_is_not_there():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://ann:s3cret@127.0.0.1:{held.getsockname()[1]}/v1"
        model = find_structured(LlmSettings("small", url), {})
        with pytest.raises(ModelError, match="cannot be reached") as refused:
            model.complete(MESSAGES, SCHEMA, 10)
    assert "s3cret" not in refused.value.message


def test_a_key_that_a_server_repeats_is_shown_to_nobody():
    told = Turn("the key sk-secret-1 is over its quota", status=500)
    with chatting(told) as script, pytest.raises(ModelError, match="the key … is over its quota") as refused:
        Model(script, "sk-secret-1").ask()
    assert script.keys[0] == "Bearer sk-secret-1"
    assert "sk-secret-1" not in f"{refused.value} {refused.value.hint}"


def test_limits_stop_before_the_call_that_goes_beyond_them():
    spent = Spent(Limits(calls=2, tokens=1000, money=1.0), Price(100.0, 1000.0))
    assert spent.stopped_by(500, 100) is None
    assert spent.stopped_by(900, 101) == "1,000 tokens"
    spent.add(500, 100)
    assert (spent.tokens, spent.money) == (600, pytest.approx(0.15))
    assert Spent(Limits(money=0.1), Price(100.0, 1000.0)).stopped_by(500, 100) == "0.1 of money"
    spent.add(1, 1)
    assert spent.stopped_by(0, 0) == "2 calls"
    assert Spent(Limits(calls=None)).stopped_by(10**9, 10**9) is None


def test_a_price_is_of_a_model_or_of_all_others():
    prices = {"small": Price(1.0, 2.0), "*": Price(3.0, 4.0)}
    assert price_of("small", prices) == Price(1.0, 2.0)
    assert price_of("large", prices) == Price(3.0, 4.0)
    assert price_of("large", {"small": Price(1.0, 2.0)}) is None
