"""A model that is asked for JSON: with a schema where its server takes one, in pieces, and stopped where it babbles."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol

from kgmem.errors import ConfigurationError, ModelBusyError, ModelError, ModelRefusalError
from kgmem.llm.chat import LlmSettings
from kgmem.served import Server, address_of, key_for

if TYPE_CHECKING:
    from openai import APIStatusError
    from openai.types.chat import ChatCompletionChunk

Message = Mapping[str, str]
"""``role`` and ``content``."""

_TRIES: Final = 3
"""Times that a busy or failing server is asked for one thing."""
_PATIENCE_SECONDS: Final = 60.0
"""Who is told to wait longer than this goes on without."""
_LOOKED_BACK: Final = 200
_SAID_AGAIN: Final = 4
"""So many times the same so many code points: nothing new will come."""
_TOKEN: Final = 4
"""Bytes of a token, where the server does not count: a rule of thumb for English."""


class Cut(StrEnum):
    """Why a reply ends before its end."""

    LENGTH = "length"
    REPETITION = "repetition"
    CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply, and what it took."""

    text: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cut: Cut | None = None


class Structured(Protocol):
    """Replies to messages in JSON. Making one asks nobody."""

    model: str

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any], longest: int) -> Completion:
        """What the model replies.

        Args:
            messages: of the conversation so far.
            schema: of the JSON, for servers that hold a model to it.
            longest: tokens of the reply, at most.

        Raises:
            kgmem.errors.ConfigurationError: a key is refused, or the model is unknown.
            kgmem.errors.ModelBusyError: the server takes no more requests for a while.
            kgmem.errors.ModelRefusalError: it does not take this one.
            kgmem.errors.ModelError: it gives no answer, or one that is no use.
        """


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is: four bytes to one."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _TOKEN)


def find_structured(settings: LlmSettings, environ: Mapping[str, str] = os.environ) -> Structured:
    """The model that the settings name.

    Raises:
        ConfigurationError: they name none, or say too little, or there is no client to ask with.
    """
    if settings.named is None:
        raise ConfigurationError("no model is set that could read notes", "write model under [llm]; see `kgmem init`")
    url = address_of(settings.url, environ)
    server = Server("model", url, key_for(url, settings.named, environ), timeout=settings.timeout, retries=0)
    return ServedStructured(settings.named, server)


_TEMPERED: Final[Mapping[str, Any]] = {"temperature": 0, "stream_options": {"include_usage": True}}


def _forms(schema: Mapping[str, Any], longest: int) -> Iterator[dict[str, Any]]:
    """What is asked for beside the messages, from the most to the least: servers differ in what they take."""
    held = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    yield {**_TEMPERED, "max_tokens": longest, "response_format": held, "stream": True}
    yield {**_TEMPERED, "max_tokens": longest, "stream": True}
    yield {"max_completion_tokens": longest, "response_format": held, "stream": True}  # OpenAI's reasoning models
    yield {"max_tokens": longest, "stream": False}


@dataclass(slots=True)
class _Reading:
    """A reply on its way."""

    text: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    ended: str | None = None
    cut: Cut | None = None
    chunks: int = 0
    looked: int = field(default=0)

    def babbles(self) -> bool:
        """Whether its end was said many times before; looked for a few times only, for that reads all of it."""
        if len(self.text) < self.looked + _LOOKED_BACK * _SAID_AGAIN:
            return False
        self.looked = len(self.text)
        return self.text.count(self.text[-_LOOKED_BACK:]) >= _SAID_AGAIN


class ServedStructured:
    """See `Structured`."""

    def __init__(self, model: str, server: Server, sleep: Callable[[float], None] = time.sleep) -> None:
        self.model = model
        self._server = server
        self._sleep = sleep
        self._form = 0
        """The first form of a request that the server did not refuse."""

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any], longest: int) -> Completion:
        """See `Structured.complete`."""
        began = time.perf_counter()
        forms = list(_forms(schema, longest))
        reading = self._first_taken(messages, forms)
        said = "".join(message["content"] for message in messages)
        cut = reading.cut or (Cut.LENGTH if reading.ended == "length" else None)
        if cut is None and reading.ended is None:
            cut = Cut.CONNECTION
        return Completion(
            reading.text,
            reading.tokens_in or estimate_tokens(said),
            reading.tokens_out or estimate_tokens(reading.text),
            time.perf_counter() - began,
            cut,
        )

    def _first_taken(self, messages: Sequence[Message], forms: Sequence[Mapping[str, Any]]) -> _Reading:
        """The reply to the first form that the server takes; it is remembered."""
        from openai import BadRequestError, UnprocessableEntityError

        for place in range(self._form, len(forms)):
            try:
                reading = self._ask(messages, forms[place])
            except (BadRequestError, UnprocessableEntityError) as error:
                if place == len(forms) - 1:
                    told = self._server.explain(error, self.model)
                    raise ModelRefusalError(told.message, told.hint) from error
                continue
            if reading.chunks or place == len(forms) - 1:
                self._form = place
                return reading
        raise self._no_use()

    def _ask(self, messages: Sequence[Message], form: Mapping[str, Any]) -> _Reading:
        """One reply; a busy or failing server is asked again after a while."""
        from httpx import HTTPError, TimeoutException
        from openai import APIError, APIStatusError, BadRequestError, OpenAIError, UnprocessableEntityError

        for left in reversed(range(_TRIES)):
            try:
                return self._read(messages, form)
            except (BadRequestError, UnprocessableEntityError):
                raise
            except APIStatusError as error:
                self._wait_for(error, left, _TRIES - left)
            except APIError as error:
                raise self._server.explain(error, self.model) from error
            except TimeoutException as error:
                raise ModelError(f"{self._server.where} gives no answer in time", "is it busy?") from error
            except HTTPError as error:
                raise ModelError(f"{self._server.where} breaks off", "is it still running?") from error
            except (OpenAIError, ValueError, AttributeError, TypeError, IndexError) as error:
                raise self._no_use() from error
        raise self._no_use()

    def _wait_for(self, error: APIStatusError, left: int, tried: int) -> None:
        """Wait until the server may take a request again.

        Raises:
            ModelBusyError: that takes too long, or was done often enough.
            UserError: waiting would not help.
        """
        told = self._server.explain(error, self.model)
        busy = error.status_code in {408, 409, 425, 429} or error.status_code >= 500  # noqa: PLR2004
        if not busy:
            raise told from error
        asked = _retry_after(error.response.headers)
        seconds = float(2**tried) if asked is None else asked
        if left and seconds <= _PATIENCE_SECONDS:
            self._sleep(seconds)
            return
        if error.status_code != 429:  # noqa: PLR2004
            raise told from error
        when = "wait a little" if asked is None else f"wait {asked:.0f} seconds"
        raise ModelBusyError(told.message, f"{when}, or check the account; the same command goes on") from error

    def _read(self, messages: Sequence[Message], form: Mapping[str, Any]) -> _Reading:
        from httpx import HTTPError, TimeoutException
        from openai import APIConnectionError, APITimeoutError

        client: Any = self._server.client.chat.completions
        reply = client.create(model=self.model, messages=list(messages), **form)
        if not form["stream"]:
            return _whole(reply)
        reading = _Reading()
        with closing(reply):
            try:
                for chunk in reply:
                    _take(reading, chunk)
                    if reading.babbles():
                        reading.cut = Cut.REPETITION
                        break
            except (TimeoutException, APITimeoutError):
                raise
            except (HTTPError, APIConnectionError):  # older clients let the first one through
                if not reading.text:
                    raise
                reading.cut = Cut.CONNECTION
        return reading

    def _no_use(self) -> ModelError:
        return ModelError(f"{self._server.where} sends nothing of use", "is it a server and a model that chats?")


def _take(reading: _Reading, chunk: ChatCompletionChunk) -> None:
    reading.chunks += 1
    if chunk.usage is not None:
        reading.tokens_in, reading.tokens_out = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
    for choice in chunk.choices[:1]:
        reading.text += choice.delta.content or ""
        reading.ended = choice.finish_reason or reading.ended


def _whole(reply: Any) -> _Reading:
    """A reply that came at once. Raises AttributeError or TypeError for what is none: a page of HTML is text."""
    choice = reply.choices[0]
    reading = _Reading(choice.message.content or "", ended=choice.finish_reason or "stop", chunks=1)
    if reply.usage is not None:
        reading.tokens_in, reading.tokens_out = reply.usage.prompt_tokens, reply.usage.completion_tokens
    return reading


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server wants to be left alone: a number, or an HTTP date (RFC 9110, 10.2.3)."""
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    if said := headers.get("retry-after-ms"):
        try:
            return max(0.0, float(said) / 1000)
        except ValueError:
            pass
    said = headers.get("retry-after")
    if said is None:
        return None
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
