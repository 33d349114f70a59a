"""What every picture needs: text that is safe in markup, and a file written whole, over nothing of others."""

from __future__ import annotations

import html
import re
import secrets
from pathlib import Path
from typing import Final
from unicodedata import east_asian_width

from kgmem.errors import UserError

MARK: Final = "Made by kgmem timeline."
"""Stands in every picture: only a file that has it is written over."""
_HEAD_BYTES: Final = 2048
_UNSAFE: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""What XML forbids, and what turns the direction of the text around it."""


def markup(text: str) -> str:
    """Text from a note as text of SVG or HTML, in an attribute too; on one line."""
    return html.escape(" ".join(_UNSAFE.sub("", text).split()), quote=True)


def cut(text: str, cells: int) -> str:
    """Text that is at most so many cells wide, a letter of Chinese, Japanese or Korean being two."""
    line = " ".join(text.split())
    room = cells
    for at, letter in enumerate(line):
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return f"{line[: max(at - 1, 0)].rstrip()}…"
    return line


def save(file: Path, text: str) -> None:
    """Write a picture, whole or not at all.

    Raises:
        UserError: the file is not a picture of ours, or it cannot be written.
    """
    if _is_of_others(file):
        raise UserError(f"{file} is there already, and is no timeline", "name another file")
    temporary = file.parent / f".kgmem-{secrets.token_hex(6)}.tmp"
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(file)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UserError(f"{file} cannot be written: {error.strerror or error}", "name another file") from error


def _is_of_others(file: Path) -> bool:
    if file.is_symlink():
        return True
    try:
        with file.open("rb") as kept:
            return MARK.encode() not in kept.read(_HEAD_BYTES)
    except FileNotFoundError:
        return False
    except OSError:
        return True
