"""Keys that the keyring of the system holds, under the name of kgmem and of the host that they open."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from kgmem.errors import ConfigurationError

_SERVICE: Final = "kgmem"


def has_keyring() -> bool:
    """Whether the package that speaks to keyrings is installed."""
    return find_spec("keyring") is not None


def kept_key(host: str) -> str:
    """The key for a host; empty without one, and where no keyring can be asked."""
    if not has_keyring():
        return ""
    keyring: Any = import_module("keyring")
    try:
        return (keyring.get_password(_SERVICE, host) or "").strip()
    except keyring.errors.KeyringError:  # nobody is logged in, or no keyring runs: as if there were none
        return ""


def keep_key(host: str, key: str) -> None:
    """Put the key for a host into the keyring, and nowhere else.

    Raises:
        ConfigurationError: there is no keyring, or it is locked.
    """
    if not has_keyring():
        raise ConfigurationError("the keyring package is not installed", "pip install 'kgmem[keyring]'")
    keyring: Any = import_module("keyring")
    try:
        keyring.set_password(_SERVICE, host, key)
    except keyring.errors.KeyringError as error:
        raise ConfigurationError(f"the keyring takes no key: {type(error).__name__}", "is it unlocked?") from error
