"""Where a Neo4j server is, and who asks: a URL, with the rest from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from kgmem.errors import StoreUnreachableError

SCHEMES: Final = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})
_DEFAULT_USER: Final = "neo4j"
_WRITE_IT: Final = "write it like neo4j://host:7687; in a password there, # is %23, / is %2F, ? is %3F and @ is %40"


@dataclass(frozen=True, slots=True)
class Address:
    """A server, a database in it, and credentials. Only `shown` is ever printed."""

    uri: str
    """What the driver connects to: no user, no database."""
    shown: str
    """The URL of the store as a person may see it."""
    user: str
    password: str | None = field(repr=False)
    """None for a server that asks for none."""
    database: str | None
    """None for the user's home database."""


def read_address(url: str, environ: Mapping[str, str] = os.environ) -> Address:
    """Read ``neo4j://host:port/database``; ``?policy=…`` is a routing policy of a cluster.

    What the URL does not say stands in `NEO4J_USERNAME`, `NEO4J_PASSWORD` and `NEO4J_DATABASE`.

    Raises:
        StoreUnreachableError: it names no host.
    """
    parts = urlsplit(url)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in SCHEMES or "@" in parts.path + parts.query + parts.fragment:
        shown = url.rpartition("@")[2] if "@" in url else url
        raise StoreUnreachableError(f"no host can be read from {shown}", _WRITE_IT)
    if parts.fragment or any(name != "policy" for name, _ in parse_qsl(parts.query, keep_blank_values=True)):
        raise StoreUnreachableError(
            f"{parts.scheme}://{host} is followed by what means nothing in the address of a store",
            "NEO4J_USERNAME and NEO4J_PASSWORD say who asks",
        )
    where = f"[{host}]" if ":" in host else host
    where = where if port is None else f"{where}:{port}"
    database = unquote(parts.path.strip("/")) or environ.get("NEO4J_DATABASE") or None
    named = f"/{database}" if database else ""
    return Address(
        uri=urlunsplit((parts.scheme, where, "", parts.query, "")),
        shown=f"{parts.scheme}://{where}{named}",
        user=unquote(parts.username or "") or environ.get("NEO4J_USERNAME") or _DEFAULT_USER,
        password=unquote(parts.password) if parts.password is not None else environ.get("NEO4J_PASSWORD") or None,
        database=database,
    )
