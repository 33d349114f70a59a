"""Vectors from an OpenAI-compatible server, local or not: only for a person who named its model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kgmem.embedding.embedder import readable, unit
from kgmem.errors import ConfigurationError, ModelError, UserError

if TYPE_CHECKING:
    from openai import APIError, OpenAI

_BATCH: Final = 32
_LONGEST: Final = 8_000
"""Code points sent of a text: even where each is a piece of its own, common models (8,191 pieces) can read them."""
_RETRIES: Final = 2
"""How often a request is made again that met a busy or failing server, a little later each time."""
_NO_KEY: Final = "none"
"""Local servers ask for no key, and the client insists on one."""
_SHOWN: Final = 200
"""Code points shown of what a server says."""
_TROUBLES: Final[dict[str, tuple[type[UserError], str, str]]] = {
    "APITimeoutError": (ModelError, "gives no answer in time", "is it busy, or still loading the model?"),
    "APIConnectionError": (ModelError, "cannot be reached", "is it running, and is its address right?"),
    "AuthenticationError": (ConfigurationError, "refuses the key", "check OPENAI_API_KEY"),
    "PermissionDeniedError": (ConfigurationError, "refuses the key", "check OPENAI_API_KEY"),
    "NotFoundError": (ConfigurationError, "knows no model {model}", "check the name of the model, and the address"),
    "RateLimitError": (ModelError, "takes no more requests now", "wait a little and try again, or check the account"),
}
"""By the client's error: what it means to a person, and what helps."""


class Endpoint:
    """Embeds by asking a server for `model` at `url`, with `key` if it wants one.

    `dimension` asks for so many components; without it the server is asked once how many there are. `timeout` is in
    seconds, for each answer.
    """

    def __init__(
        self, model: str, url: str, key: str | None = None, *, dimension: int | None = None, timeout: float = 20.0
    ) -> None:
        self.model = model
        self.url = url
        self._key = key
        self._asked = dimension
        self._known = dimension
        self._timeout = timeout

    @property
    def dimension(self) -> int:
        """How many components a vector has; asks the server if nothing has told yet.

        Raises:
            UserError: as `embed` does.
        """
        if self._known is None:
            return len(self._vectors([readable("")])[0])
        return self._known

    def embed(self, texts: Sequence[str]) -> Iterator[tuple[float, ...]]:
        """The vector of each text, in order, of its first 8,000 code points.

        Raises:
            ConfigurationError: the server refuses the key or the model.
            ModelError: it gives no answer, or one that is no use.
        """
        for start in range(0, len(texts), _BATCH):
            asked = [readable(text)[:_LONGEST] for text in texts[start : start + _BATCH]]
            different = list(dict.fromkeys(asked))
            vectors = dict(zip(different, self._vectors(different), strict=True))
            yield from (vectors[text] for text in asked)

    def _vectors(self, texts: list[str]) -> list[tuple[float, ...]]:
        try:
            vectors = [unit(row) for row in rows(self._answer(texts), len(texts))]
        except ValueError as error:
            raise ModelError(
                f"{self._where} sends nothing of use: {error}", "is it a server and a model for embeddings?"
            ) from None
        for vector in vectors:
            self._known = self._known or len(vector)
            if len(vector) != self._known:
                raise ModelError(
                    f"{self._where} gives vectors of {len(vector)} components, not of {self._known}",
                    "it runs another model, or cannot give so few: check its name and the dimension",
                )
        return vectors

    def _answer(self, texts: list[str]) -> bytes:
        from openai import APIError, omit

        try:
            answer = self._client.embeddings.with_raw_response.create(
                model=self.model,
                input=texts,
                encoding_format="float",
                dimensions=omit if self._asked is None else self._asked,
            )
        except APIError as error:
            raise self._explain(error) from error
        return answer.content

    @property
    def _where(self) -> str:
        """The server as it may be shown: some addresses hold a password."""
        return f"the embedding server {re.sub('//[^/@]*@', '//', self.url)}"

    @cached_property
    def _client(self) -> OpenAI:
        from openai import OpenAI

        return OpenAI(base_url=self.url, api_key=self._key or _NO_KEY, timeout=self._timeout, max_retries=_RETRIES)

    def _explain(self, error: APIError) -> UserError:
        """What a person can do about it; the client's most special error says most."""
        for kind in type(error).__mro__:
            if kind.__name__ in _TROUBLES:
                made, says, hint = _TROUBLES[kind.__name__]
                return made(f"{self._where} {says.format(model=self.model)}", hint)
        return ModelError(f"{self._where} fails: {error.message[:_SHOWN]}")


def rows(body: bytes, count: int) -> list[list[float]]:
    """The vectors in the answer of a server, in the order of the texts.

    Raises:
        ValueError: it is not an answer for so many texts.
    """
    try:
        data = json.loads(body)["data"]
        found = {int(each["index"]): [float(value) for value in each["embedding"]] for each in data}
    except (ValueError, KeyError, TypeError, OverflowError):
        raise ValueError("no list of vectors") from None
    if sorted(found) != list(range(count)):
        raise ValueError(f"{len(found)} vectors for {count} texts")
    return [found[number] for number in range(count)]
