"""One more value in a list of the configuration, with every other line, and every comment, as a person wrote it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from kgmem.config import TEMPLATE
from kgmem.errors import ConfigurationError

_SECTION: Final = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]\s*(?:#.*)?")


def add_to_list(path: Path, section: str, key: str, value: str) -> bool:
    """Add a value to a list of a configuration that can be read; one that is not there is made.

    Returns:
        Whether it was added; False if it was in the list.

    Raises:
        ConfigurationError: the file is written in a way that only a person can add to, or cannot be written.
    """
    old = path.read_text("utf-8") if path.exists() else TEMPLATE
    held = tomllib.loads(old).get(section, {})
    values = list(held.get(key, [])) if isinstance(held, dict) else []
    if value in values:
        return False
    wanted = [*values, value]
    new = _with_list(old, section, key, wanted)
    if new is None or not _says(new, section, key, wanted, old):
        raise ConfigurationError(
            f"{path} is written in a way that only you can add to", f"write {written(section, key, wanted)}"
        )
    _replace(path, new)
    return True


def written(section: str, key: str, values: Sequence[str]) -> str:
    """The lines that say it, in one."""
    return f"{_line(key, values)} under [{section}]"


def _line(key: str, values: Sequence[str]) -> str:
    return f"{key} = {json.dumps(list(values), ensure_ascii=False)}"


def _with_list(text: str, section: str, key: str, values: Sequence[str]) -> str | None:
    """The text with the list in it; None where the section, or the list, is not written the plain way."""
    lines = text.splitlines()
    data = tomllib.loads(text)
    starts = [at for at, line in enumerate(lines) if (head := _SECTION.fullmatch(line)) and head["name"] == section]
    if section not in data and not starts:
        return "\n".join([*lines, *([""] if lines else []), f"[{section}]", _line(key, values), ""])
    if len(starts) != 1 or not isinstance(data[section], dict):
        return None
    first = starts[0] + 1
    past = next((at for at in range(first, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    at = next((at for at in range(first, past) if re.match(rf"\s*{re.escape(key)}\s*=", lines[at])), None)
    if at is None:
        lines.insert(first, _line(key, values))
    elif "#" in lines[at]:
        return None
    else:
        lines[at] = _line(key, values)
    return "\n".join([*lines, ""])


def _says(text: str, section: str, key: str, values: Sequence[str], old: str) -> bool:
    """Whether a text is TOML that says all that the old one says, and the list."""
    before: dict[str, Any] = tomllib.loads(old)
    try:
        after = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return after == {**before, section: {**before.get(section, {}), key: list(values)}}


def _replace(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_text(text, encoding="utf-8")
        if path.exists():
            fresh.chmod(path.stat().st_mode & 0o777)
        os.replace(fresh, path.resolve())  # noqa: PTH105 - of a link, what it leads to
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from error
