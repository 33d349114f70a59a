"""The folders of the user's, on every system. A job that the system starts may have no home for them."""

from __future__ import annotations

from pathlib import Path

from kgmem.errors import ConfigurationError


def data_folder() -> Path:
    """Where a memory is kept if nobody says where. Raises ConfigurationError: there is no home."""
    import platformdirs

    try:
        return at_home(platformdirs.user_data_path("kgmem", appauthor=False), "--store")
    except RuntimeError:
        raise _homeless("--store") from None


def state_folder() -> Path:
    """What outlasts a run and is no knowledge. Raises ConfigurationError: there is no home."""
    import platformdirs

    try:
        return at_home(platformdirs.user_state_path("kgmem", appauthor=False), "XDG_STATE_HOME")
    except RuntimeError:
        raise _homeless("XDG_STATE_HOME") from None


def at_home(folder: Path, otherwise: str) -> Path:
    """A folder, if a library found a home for it. Raises ConfigurationError, which says what helps: it found none."""
    if not folder.is_absolute():
        raise _homeless(otherwise)
    return folder


def _homeless(otherwise: str) -> ConfigurationError:
    return ConfigurationError("no home folder is known to keep things in", f"set HOME, or {otherwise}")
