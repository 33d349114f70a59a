"""Readwise itself: its highlights by the page, as its v2 export hands them out.

https://readwise.io/api_deets describes it: 20 requests a minute, a page of whole books each, `updatedAfter` for what is
new since then (a book then bears its changed highlights alone), `includeDeleted` for what is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from kgmem.errors import ConfigurationError, SourceError
from kgmem.kept_keys import has_keyring, keep_key, kept_key
from kgmem.sources.readwise.wire import Wire, address_of

URL: Final = "https://readwise.io/api/v2"
NAME: Final = "Readwise"
_FINE: Final = range(200, 300)
_IS_URL_RIGHT: Final = "is `url` under [readwise] in the configuration right?"
_TOKENS: Final = "https://readwise.io/access_token"


@dataclass(frozen=True, slots=True)
class Page:
    """Some books, with a part of their highlights or all."""

    books: tuple[Any, ...]
    """As they came: `kgmem.sources.readwise.books_of` reads them."""
    cursor: str | None
    """Where the next page begins; None for the last one."""
    count: int
    """Books of all pages; 0 if Readwise does not say."""
    at: datetime | None
    """When it was asked for, by the clock of Readwise; None if it does not say."""


class Readwise:
    """Asks for pages."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    @property
    def requests(self) -> int:
        """How often Readwise was asked."""
        return self._wire.requests

    def check(self) -> None:
        """See whether the token opens it.

        Raises:
            ConfigurationError: it does not.
            SourceError: nobody says.
        """
        if self._wire.get("auth/", {}).status not in _FINE:
            raise SourceError(f"{NAME} does not say whether the token is right", _IS_URL_RIGHT)

    def page(self, since: datetime | None, cursor: str | None) -> Page | None:
        """The page at a cursor, of what changed since; None if the cursor is of no use any more.

        Raises:
            ConfigurationError: the token is refused.
            SourceError: no answer, or none of any use.
        """
        query = {"includeDeleted": "true"}
        if since is not None:
            query["updatedAfter"] = since.isoformat()
        if cursor is not None:
            query["pageCursor"] = cursor
        status, data, at = self._wire.get("export/", query)
        if status not in _FINE and cursor is not None:
            return None
        books = data.get("results") if isinstance(data, dict) else None
        if not isinstance(books, list):
            raise SourceError(f"{NAME} gives no list of books", _IS_URL_RIGHT)
        following = data.get("nextPageCursor")
        if following is not None and str(following) == cursor:
            raise SourceError(f"{NAME} gives the same page again and again")
        count = data.get("count")
        return Page(
            books=tuple(books),
            cursor=None if following in (None, "") else str(following),
            count=count if isinstance(count, int) else 0,
            at=at,
        )


def token_for(url: str, environ: Mapping[str, str]) -> str:
    """The token: from `READWISE_TOKEN`, else from the keyring.

    Raises:
        ConfigurationError: there is none, or it is spoilt.
    """
    token = environ.get("READWISE_TOKEN", "").strip() or kept_key(_host(url))
    if not token:
        kept = ", or `kgmem sync readwise --login` keeps it in the keyring" if has_keyring() else ""
        raise ConfigurationError(
            f"there is no token for {NAME}", f"take it from {_TOKENS} and set READWISE_TOKEN{kept}"
        )
    return usable(token)


def usable(token: str) -> str:
    """The token, if it can be one: what is copied brings spaces, and what is no token brings more.

    Raises:
        ConfigurationError: it cannot.
    """
    token = token.strip().removeprefix("Token ").strip()
    if not (token and token.isascii() and token.isprintable() and " " not in token):
        raise ConfigurationError("that is no token", f"copy it anew from {_TOKENS}")
    return token


def keep_token(url: str, token: str) -> None:
    """Put the token into the keyring. Raises as `keep_key`."""
    keep_key(_host(url), token)


def _host(url: str) -> str:
    return urlsplit(address_of(url)).hostname or ""
