"""A model that writes text, piece by piece, at a server that a person named."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Final, Protocol

from kgmem.errors import ModelError
from kgmem.served import Server, address_of, key_for

NONE: Final = "none"
"""The name of no model."""


class Chat(Protocol):
    """Writes an answer to a prompt. Making one asks nobody."""

    model: str

    @property
    def tokens(self) -> int:
        """What all answers so far took, as the server counts them; 0 where it does not say."""

    def answer(self, rules: str, prompt: str) -> Iterator[str]:
        """The text, in pieces, as they come.

        Raises:
            kgmem.errors.ConfigurationError: a key is refused, or the model is unknown.
            kgmem.errors.ModelError: the server gives no answer, stops within one, or one that is no use.
        """


@dataclass(frozen=True, slots=True)
class LlmSettings:
    """Which model, and where. Without a model nothing is asked and nothing is sent."""

    model: str | None = None
    url: str | None = None
    """The base of an OpenAI-compatible server; else `OPENAI_BASE_URL`, else OpenAI's own."""
    timeout: float = 20.0
    """Seconds to wait for the next piece."""
    longest_wait: float = 60.0
    """Seconds to wait for all of an answer."""
    longest: int = 500
    """Tokens of an answer, at most."""

    @property
    def named(self) -> str | None:
        """The model that is named, if one is."""
        return None if self.model == NONE else self.model or None


def find_chat(settings: LlmSettings, environ: Mapping[str, str] = os.environ) -> Chat | None:
    """The model that the settings name; None if they name none.

    Raises:
        ConfigurationError: the settings say too little, or there is no client to ask with.
    """
    if settings.named is None:
        return None
    url = address_of(settings.url, environ)
    key = key_for(url, settings.named, environ)
    server = Server("model", url, key, timeout=settings.timeout, retries=0)
    return ServedChat(settings.named, server, longest=settings.longest)


def server_of(settings: LlmSettings, environ: Mapping[str, str] = os.environ) -> str | None:
    """The address that questions and passages are sent to under these settings; None if they stay here."""
    return None if settings.named is None else address_of(settings.url, environ)


class ServedChat:
    """See `Chat`."""

    def __init__(self, model: str, server: Server, *, longest: int) -> None:
        self.model = model
        self.tokens = 0
        self._server = server
        self._longest = longest

    def answer(self, rules: str, prompt: str) -> Iterator[str]:
        """See `Chat.answer`."""
        from openai import APIError, OpenAIError

        try:
            stream = self._server.client.chat.completions.create(
                model=self.model,
                messages=[{"role": "system", "content": rules}, {"role": "user", "content": prompt}],
                temperature=0,
                max_tokens=self._longest,
                stream=True,
                stream_options={"include_usage": True},
            )
            with closing(stream):
                for chunk in stream:
                    if chunk.usage is not None:
                        self.tokens += chunk.usage.total_tokens
                    yield from (choice.delta.content or "" for choice in chunk.choices[:1])
        except APIError as error:
            raise self._server.explain(error, self.model) from error
        except (OpenAIError, ValueError, AttributeError, TypeError) as error:  # what is no stream of the protocol
            raise ModelError(
                f"{self._server.where} sends nothing of use", "is it a server and a model that chats?"
            ) from error
