"""A server that speaks OpenAI's protocol, on this machine or not: only one that a person named a model of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from kgmem.errors import ConfigurationError, ModelError, UserError
from kgmem.kept_keys import has_keyring, kept_key

if TYPE_CHECKING:
    from openai import APIError, OpenAI

_OPENAI: Final = "https://api.openai.com/v1"
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


class Server:
    """A client of a server at `url`, for one `purpose`, with `key` if it wants one.

    `timeout` is in seconds, for each answer; a request that met a busy or failing server is made again `retries` times,
    a little later each time.
    """

    def __init__(self, purpose: str, url: str, key: str | None, *, timeout: float, retries: int) -> None:
        self.purpose = purpose
        self.url = url
        self._key = key
        self._timeout = timeout
        self._retries = retries

    @property
    def where(self) -> str:
        """The server as it may be shown: some addresses hold a password."""
        return f"the {self.purpose} server {re.sub('//[^/@]*@', '//', self.url)}"

    @cached_property
    def client(self) -> OpenAI:
        """The client; making it asks nobody."""
        from openai import OpenAI

        return OpenAI(base_url=self.url, api_key=self._key or _NO_KEY, timeout=self._timeout, max_retries=self._retries)

    def explain(self, error: APIError, model: str) -> UserError:
        """What a person can do about it; the client's most special error says most."""
        for kind in type(error).__mro__:
            if kind.__name__ in _TROUBLES:
                made, says, hint = _TROUBLES[kind.__name__]
                return made(f"{self.where} {says.format(model=model)}", hint)
        return ModelError(f"{self.where} fails: {self._without_key(error.message)[:_SHOWN]}")

    def _without_key(self, text: str) -> str:
        """What a server says, should it repeat the key."""
        return text.replace(self._key, "…") if self._key else text


def address_of(url: str | None, environ: Mapping[str, str]) -> str:
    """The base of the server that is asked: the one that is set, else `OPENAI_BASE_URL`, else OpenAI's own."""
    return url or environ.get("OPENAI_BASE_URL") or _OPENAI


def key_for(url: str, model: str, environ: Mapping[str, str]) -> str | None:
    """The key to ask a server with; None for one that may want none.

    Raises:
        ConfigurationError: the address is none, the key is missing or spoilt, or there is no client to ask with.
    """
    if not _is_address(url):
        raise ConfigurationError(f"this is no address of a server: {url}", "write it like http://localhost:11434/v1")
    key = environ.get("OPENAI_API_KEY", "").strip() or kept_key(urlsplit(url).hostname or "")
    if not key and url == _OPENAI:
        kept = ", or `keyring set kgmem api.openai.com`" if has_keyring() else ""
        raise ConfigurationError(f"there is no key to ask OpenAI for {model} with", f"set OPENAI_API_KEY{kept}")
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError("OPENAI_API_KEY holds characters that no key has", "copy it anew")
    if find_spec("openai") is None:
        raise ConfigurationError(f"to ask a server for {model} takes the openai package", "pip install 'kgmem[openai]'")
    return key or None


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
