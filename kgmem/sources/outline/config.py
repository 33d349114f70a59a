"""The few settings of a Logseq graph that say how its pages are named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_SKIPPED = re.compile(r';[^\n]*|"(?:[^"\\]|\\.)*"')
_SETTING = re.compile(r':journal/(?P<key>page-title-format|file-name-format)\s+"(?P<value>(?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class GraphSettings:
    """How the pages of days are named."""

    title_format: str = "MMM do, yyyy"
    file_format: str = "yyyy_MM_dd"


def read_config(folder: Path) -> GraphSettings:
    """The settings of a graph; what cannot be read is as Logseq has it where nothing is set."""
    try:
        text = (folder / "logseq" / "config.edn").read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError):
        return GraphSettings()
    found = dict(_settings(text))
    default = GraphSettings()
    return GraphSettings(
        found.get("page-title-format") or default.title_format, found.get("file-name-format") or default.file_format
    )


def _settings(text: str) -> list[tuple[str, str]]:
    """The settings that stand outside of comments and of other settings' texts."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(text):
        if match := _SETTING.match(text, at):
            found.append((match["key"], match["value"]))
        elif not (match := _SKIPPED.match(text, at)):
            at += 1
            continue
        at = match.end()
    return found
