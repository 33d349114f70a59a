"""`[log]` of the configuration: a file that remembers what the commands did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kgmem.errors import ConfigurationError

KEYS: Final = ("file", "level", "size", "keep")
LEVELS: Final = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class LogSettings:
    """Where, and how much of it."""

    file: Path
    level: str = "info"
    """One of `LEVELS`: every command that begins too, every one that ends, problems, or failures alone."""
    size: int = 1_000_000
    """Bytes of a file before the next one is begun."""
    keep: int = 5
    """How many older files stay."""


def read_log_settings(file: Path, table: Mapping[str, Any]) -> LogSettings | None:
    """What a configuration says; None if it names no file. A relative one is beside the configuration.

    Raises:
        ConfigurationError: a value means nothing.
    """
    where, level = table.get("file"), table.get("level", "info")
    if where is not None and (not isinstance(where, str) or not where):
        raise ConfigurationError(f"log.file in {file} is no path: {where!r}", 'write file = "~/kgmem.log"')
    if level not in LEVELS:
        raise ConfigurationError(f"log.level in {file} is none: {level!r}", f"known: {', '.join(LEVELS)}")
    numbers = {key: table[key] for key in ("size", "keep") if key in table}
    for key, value in numbers.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ConfigurationError(f"log.{key} in {file} is not a whole number from 1 on: {value!r}")
    return LogSettings(file.parent / Path(where).expanduser(), level, **numbers) if where else None
