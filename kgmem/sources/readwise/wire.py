"""One request to a service that wants a token: asked for JSON, patiently, and of nobody else.

The standard library does it: there is one GET, and what makes a client large, following redirects, is what must not
be done here. A token goes to the address that a person named, and never on to where that sends.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from ssl import SSLCertVerificationError
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from kgmem import __version__
from kgmem.errors import ConfigurationError, SourceError, UserError

_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SILENCE: Final = 30.0
"""Seconds in which something must come."""
_WHOLE: Final = 300.0
"""Seconds in which an answer must be there whole."""
_MOST: Final = 64_000_000
"""Bytes of an answer."""
_PIECE: Final = 1 << 16
_TRIES: Final = 5
"""Times that a failing service is asked, 1, 2, 4 and 8 s apart."""
_PATIENCE: Final = 600.0
"""Seconds that one request may wait, all in all, where the service says how long."""
_BUSY: Final = 30.0
"""Seconds to wait for a service that is busy and does not say how long."""
_GOES_ON: Final = "what came is kept: the same command goes on from there"

Tell = Callable[[str], None]
"""Told why nothing happens for a while."""


class Answer(NamedTuple):
    """What the service said."""

    status: int
    """2xx; or 400, 404, 410 where it knows no such thing: then there is no data."""
    data: Any
    at: datetime | None
    """When, by the service's own clock."""


class _AgainError(Exception):
    """Asking again may help: after so many seconds, if the service says so."""

    def __init__(self, because: UserError, after: float | None = None) -> None:
        super().__init__(because.message)
        self.because = because
        self.after = after


class Wire:
    """Asks one service."""

    def __init__(
        self,
        name: str,
        base: str,
        token: str,
        *,
        tell: Tell | None = None,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        """Ask nobody yet.

        Args:
            name: what people call the service.
            base: its address, as `address_of` gives it.
            token: what opens it. It is in no error.
            tell: told of every wait.
            sleep: waits so many seconds; without it, by the clock.
        """
        self.name = name
        self._base = base
        self._token = token
        self._tell = tell or (lambda _why: None)
        self._sleep = sleep or _sleep
        self._opener = _opener(base)
        self.requests = 0

    def get(self, path: str, query: Mapping[str, str]) -> Answer:
        """Ask for one thing below the base.

        Raises:
            ConfigurationError: the token is refused.
            SourceError: no answer, or none of any use.
        """
        url = f"{self._base}{path}?{urlencode(query)}" if query else f"{self._base}{path}"
        waited, tried = 0.0, 0
        while True:
            tried += 1
            try:
                return self._ask(url)
            except _AgainError as again:
                pause = max(2.0 ** (tried - 1), again.after or 0.0)
                if waited + pause > _PATIENCE or (again.after is None and tried >= _TRIES):
                    raise again.because from None
            self._tell(f"{self.name} is asked again in {_told(pause)}")
            self._sleep(pause)
            waited += pause

    def _ask(self, url: str) -> Answer:
        request = Request(url, headers={"Accept": "application/json", "User-Agent": f"kgmem/{__version__}"})  # noqa: S310 - see `address_of`
        request.add_unredirected_header("Authorization", f"Token {self._token}")
        self.requests += 1
        try:
            with self._opener.open(request, timeout=_SILENCE) as response:
                return self._read(response)
        except HTTPError as error:
            with closing(error):
                return self._refused(error.code, error.headers)
        except URLError as error:
            raise self._unreachable(error.reason) from None
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from None

    def _read(self, response: HTTPResponse) -> Answer:
        body, at = self._body(response), _date(response.headers)
        if not body:
            return Answer(response.status, None, at)
        try:
            return Answer(response.status, json.loads(body), at)
        except RecursionError:
            raise self._useless("what no service of its kind says") from None
        except ValueError:
            if "html" in response.headers.get_content_type() or body.lstrip()[:1] == b"<":
                raise self._useless("a web page and no data") from None
            raise _AgainError(self._useless("data that is cut off, or damaged")) from None

    def _body(self, response: HTTPResponse) -> bytes:
        """All of it: `HTTPResponse.read` takes a piece that ends too early for the last one."""
        pieces, size, until = [], 0, time.monotonic() + _WHOLE
        while piece := response.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > _MOST:
                raise self._useless(f"more than {_MOST:,} bytes at once")
            if time.monotonic() > until:
                raise _AgainError(SourceError(f"{self.name} answers too slowly", _GOES_ON))
        told = response.headers.get("Content-Length", "")
        if told.isdecimal() and size < int(told):
            raise _AgainError(self._useless("data that is cut off"))
        return b"".join(pieces)

    def _refused(self, status: int, headers: Message) -> Answer:
        if status in {400, 404, 410}:
            return Answer(status, None, _date(headers))
        if status in {401, 403}:
            raise ConfigurationError(
                f"{self.name} refuses the token",
                "take one from https://readwise.io/access_token: READWISE_TOKEN, or `kgmem sync readwise --login`",
            )
        if status == 429:  # noqa: PLR2004 - too many requests
            after = _wait(headers, _BUSY)
            raise _AgainError(SourceError(f"{self.name} takes no more requests for {_told(after)}", _GOES_ON), after)
        if status >= 500 or status == 408:  # noqa: PLR2004 - the service is at fault, or slow
            after = _wait(headers, None)
            raise _AgainError(SourceError(f"{self.name} fails ({status})", _GOES_ON), after)
        if 300 <= status < 400:  # noqa: PLR2004 - a redirect
            host = _host(headers.get("Location", "")) or "another address"
            raise SourceError(
                f"{self.name} sends to {host}, and a token goes nowhere else",
                "is `url` under [readwise] in the configuration right?",
            )
        raise SourceError(f"{self.name} refuses the request ({status})")

    def _unreachable(self, reason: object) -> Exception:
        """What it is; a certificate that is none gets no better by asking again."""
        if isinstance(reason, SSLCertVerificationError):
            return SourceError(
                f"{self.name} shows a certificate that this machine does not trust: {reason.verify_message}",
                "are the machine's clock and certificates right?",
            )
        why = "gives no answer in time" if isinstance(reason, TimeoutError) else "cannot be reached"
        return _AgainError(SourceError(f"{self.name} {why}", f"is there a network? {_GOES_ON}"))

    def _useless(self, what: str) -> SourceError:
        hint = "is there a page to sign in to this network? " if what.startswith("a web page") else ""
        return SourceError(f"{self.name} gives {what}", f"{hint}{_GOES_ON}")


def address_of(url: str) -> str:
    """The base of a service, which ends in a slash.

    Raises:
        ConfigurationError: it is none, or a token would go there for all to read.
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError:
        port, host = 0, None
    if not host or port == 0 or parts.query or parts.fragment or "@" in parts.netloc or not url.isascii():
        raise ConfigurationError(
            "url under [readwise] is no address", 'write it like url = "https://readwise.io/api/v2"'
        )
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _HERE):
        raise ConfigurationError(f"a token goes to {host} by https alone", "write url under [readwise] with https://")
    return url.rstrip("/") + "/"


def _opener(base: str) -> OpenerDirector:
    """What opens http and https and follows nothing; no proxy hears what goes to this machine."""
    here = _host(base) in _HERE
    opener = OpenerDirector()
    proxies = ProxyHandler({}) if here else ProxyHandler()
    for handler in (proxies, HTTPHandler(), HTTPSHandler(), HTTPErrorProcessor(), HTTPDefaultErrorHandler()):
        opener.add_handler(handler)
    return opener


def _sleep(seconds: float) -> None:
    """Wait in short pieces: a Ctrl-C that comes just before a wait is only noticed after it."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, 0.5))


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _date(headers: Message) -> datetime | None:
    return _instant(headers.get("Date", ""))


def _instant(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _wait(headers: Message, untold: float | None) -> float | None:
    """Seconds to wait, from a number or a date; `untold` where the service says nothing that can be read."""
    text = headers.get("Retry-After", "").strip()
    if text.isdecimal() and text.isascii():
        return float(text[:9])
    moment = _instant(text)
    return untold if moment is None else max(0.0, (moment - (_date(headers) or datetime.now(UTC))).total_seconds())


def _told(seconds: float | None) -> str:
    whole = max(1, round(seconds or 0))
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if whole >= 2 * size:
            return f"{round(whole / size)} {unit}"
    return "1 second" if whole == 1 else f"{whole} seconds"
