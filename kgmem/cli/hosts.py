"""What leaves this machine, and where to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kgmem.config import Config

_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def host_of(url: str) -> str | None:
    """The host that a store, or a model, is asked at; None for a file. Raises ValueError: it is no URL."""
    from urllib.parse import urlsplit

    if url.startswith("sqlite:") or "://" not in url:
        return None
    parts = urlsplit(url)
    if "@" in parts.path + parts.query + parts.fragment:
        raise ValueError("a password that is not written as it must be in a URL")
    return parts.hostname


def is_here(host: str | None) -> bool:
    """Whether what is sent to a host stays on this machine."""
    return host is None or host in _HERE


def told(config: Config) -> str:
    """What is sent to which host; never a user or a password."""
    from kgmem.embedding.embedder import EmbeddingSettings, server_of
    from kgmem.llm.chat import LlmSettings
    from kgmem.llm.chat import server_of as chat_of
    from kgmem.llm.settings import Extract

    chat = chat_of(LlmSettings(config.llm_model, config.llm_url))
    servers = {
        "all of the memory": config.store,
        "names and passages, to be embedded,": server_of(
            EmbeddingSettings(config.embedding_model, config.embedding_url, config.embedding_dimension)
        ),
        "questions, and what answers them,": chat,
        "texts of old notes, archived,": config.archive,
        "passages, to be read,": chat if config.llm_reading.extract is not Extract.NONE else None,
    }
    sent = []
    for what, url in servers.items():
        try:
            host = host_of(url or "")
        except ValueError:
            host = "a server whose address cannot be read"
        if host is not None:
            sent.append(f"{what} to {host}{', which is this machine' if is_here(host) else ''}")
    return "; ".join(sent) or "none: nothing leaves this machine"
