"""Where a body is that is not in the file. Apart from `archive`, for every search reads this module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kgmem.store.archive import Pointer

BESIDE: Final = "./"
"""How the URL of a folder beside the file begins."""
POINTER: Final = "v.url, v.name, a.digest"
"""Columns of `pointer_of`."""
WHERE: Final = "LEFT JOIN archived a ON a.episode = e.nr LEFT JOIN volume v ON v.nr = a.volume"
"""What brings them, beside ``episode e``."""


def pointer_of(row: Any, file: Path) -> Pointer | None:
    """The pointer of a row of `POINTER`, if it has one."""
    url, name, digest = row
    if url is None:
        return None
    from kgmem.store.archive import Pointer

    return Pointer(shown(url, file), name, digest)


def shown(url: str, file: Path) -> str:
    """A URL as it was given, whatever is beside the file now."""
    return str(file.parent / url.removeprefix(BESIDE)) if url.startswith(BESIDE) else url
