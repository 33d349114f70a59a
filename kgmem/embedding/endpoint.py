"""Vectors from an OpenAI-compatible server, local or not: only for a person who named its model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from kgmem.embedding.embedder import readable, unit
from kgmem.errors import ModelError
from kgmem.served import Server

_BATCH: Final = 32
_LONGEST: Final = 8_000
"""Code points sent of a text: even where each is a piece of its own, common models (8,191 pieces) can read them."""


class Endpoint:
    """Embeds by asking a server for `model` at `url`, with `key` if it wants one.

    `dimension` asks for so many components; without it the server is asked once how many there are. `timeout` is in
    seconds, for each answer; a request that met a busy or failing server is made again `retries` times, a little later
    each time.
    """

    def __init__(
        self,
        model: str,
        url: str,
        key: str | None = None,
        *,
        dimension: int | None = None,
        timeout: float = 20.0,
        retries: int = 2,
    ) -> None:
        self.model = model
        self.url = url
        self._asked = dimension
        self._known = dimension
        self._server = Server("embedding", url, key, timeout=timeout, retries=retries)

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
                f"{self._server.where} sends nothing of use: {error}", "is it a server and a model for embeddings?"
            ) from None
        for vector in vectors:
            self._known = self._known or len(vector)
            if len(vector) != self._known:
                raise ModelError(
                    f"{self._server.where} gives vectors of {len(vector)} components, not of {self._known}",
                    "it runs another model, or cannot give so few: check its name and the dimension",
                )
        return vectors

    def _answer(self, texts: list[str]) -> bytes:
        from openai import APIError, omit

        try:
            answer = self._server.client.embeddings.with_raw_response.create(
                model=self.model,
                input=texts,
                encoding_format="float",
                dimensions=omit if self._asked is None else self._asked,
            )
        except APIError as error:
            raise self._server.explain(error, self.model) from error
        return answer.content


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
