"""Where results, notes and errors go: results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Part = str | tuple[str, str]
"""Words of a line; the second of two is their style."""

_CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Control characters and direction overrides: text from a note never steers the terminal."""

_UNFOLDED = 10_000
"""Columns of what is no terminal."""
_WIDEST = 60
"""Columns of such a table that one cell can make all others wait for: a long one is longer, and pads none."""


def clean(text: str) -> str:
    """Text that came from outside, safe to print."""
    return text if text.isprintable() else re.sub(_CONTROLS, "", text)


def one_line(text: str, width: int = 160) -> str:
    """Text on one line, cut at a word where it is longer than `width` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else f"{line[:width].rsplit(' ', 1)[0].rstrip()} …"


def note_uri(root: str, path: str, *, kind: str = "obsidian", block: str | None = None, heading: str = "") -> str:
    """A link that opens a note where it stands; for a book in a file, the file."""
    from urllib.parse import quote

    from kgmem.sources.naming import file_of

    if (file := file_of(path)) is not None:
        path, kind = file, ""
    if kind != "obsidian":
        return (PurePath(root) / path).as_uri() if PurePath(root).is_absolute() else ""
    place = f"#^{block}" if block else f"#{heading.rsplit(' > ', 1)[-1]}" if heading else ""
    return f"obsidian://open?vault={quote(PurePath(root).name, safe='')}&file={quote(path + place, safe='')}"


@dataclass(frozen=True, slots=True)
class Output:
    """How this run talks."""

    as_json: bool = False
    quiet: bool = False
    verbose: bool = False

    def json(self, data: Any) -> None:
        """The result, for programs; what stdout does not know, or would steer a terminal, is escaped: none is lost."""
        unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
        text = json.dumps(data, ensure_ascii=not unicode, indent=2)
        sys.stdout.write(re.sub(_CONTROLS, lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")

    def json_line(self, data: Any) -> None:
        """One object of a stream of results, on a line of its own, shown at once."""
        unicode = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
        text = json.dumps(data, ensure_ascii=not unicode)
        sys.stdout.write(re.sub(_CONTROLS, lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")
        sys.stdout.flush()

    def console(self) -> Console:
        """The result, for people; lines are only folded where there is a terminal to fold them for."""
        from rich.console import Console

        return Console(highlight=False, width=None if sys.stdout.isatty() else _UNFOLDED)

    def line(self, *parts: Part) -> None:
        """A line of the result. Where nothing shows a style Rich, which is slow to start, is not started."""
        if _is_styled():
            from rich.text import Text

            self.console().print(Text.assemble(*parts))
        else:
            sys.stdout.write(f"{_bare(parts).rstrip()}\n")

    def table(self, rows: Iterable[Sequence[Sequence[Part]]]) -> None:
        """Rows of the result in columns, two spaces apart; all but the first are folded where they are too wide."""
        if _is_styled():
            self.console().print(_grid(rows))
        else:
            sys.stdout.writelines(f"{line.rstrip()}\n" for line in _aligned([[_bare(c) for c in row] for row in rows]))

    def flush(self) -> None:
        """Show what is there of the result, to whoever reads it, before more is waited for."""
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Something worth knowing that is not the result."""
        if not self.quiet:
            sys.stderr.write(f"{clean(text)}\n")

    def warn(self, text: str) -> None:
        """Something that is wrong and stopped nothing: it is said to who wants quiet too."""
        sys.stderr.write(f"{clean(text)}\n")

    def error(self, message: str, hint: str = "", *, kind: str = "error", **more: Any) -> None:
        """Why it could not be done, and what helps; with JSON the hint, and `more`, stand in the object alone."""
        sys.stderr.write(f"kgmem: {clean(message)}\n" + (f"  {clean(hint)}\n" if hint and not self.as_json else ""))
        if self.as_json:
            self.json({"error": {"kind": kind, "message": message, "hint": hint, **more}})


def place(
    root: str, path: str, line: int | None, *, kind: str = "obsidian", block: str | None = None
) -> tuple[str, str]:
    """``note.md:12`` with the style of a link that opens it: a part of `Output.line` or of a Rich text.

    A person's correction is no note, and nothing opens it.
    """
    if kind == "correction":
        from kgmem.recall.wording import place_words

        return clean(place_words(path, line, kind=kind)), "dim"
    uri = note_uri(root, path, kind=kind, block=block)
    return clean(path if line is None else f"{path}:{line}"), f"dim link {uri}" if uri else "dim"


def _is_styled() -> bool:
    """Whether somebody sees colours and links."""
    return sys.stdout.isatty() or bool(os.environ.get("FORCE_COLOR"))


def _bare(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else part[0] for part in parts).expandtabs()


def _grid(rows: Iterable[Sequence[Sequence[Part]]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    for number, row in enumerate(rows):
        for column in range(0 if number else len(row)):
            grid.add_column(no_wrap=not column, overflow="fold" if column else "ellipsis")
        grid.add_row(*(Text.assemble(*cell) for cell in row))
    return grid


def _aligned(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """The lines of rows of cells; a cell may have several. One that is very long does not pad the others."""
    lines = [cells for row in rows for cells in zip_longest(*(cell.split("\n") for cell in row), fillvalue="")]
    widths = [min(max(map(_columns, column)), _WIDEST) for column in zip(*lines, strict=True)]
    for cells in lines:
        yield "  ".join(cell + " " * (wide - _columns(cell)) for cell, wide in zip(cells, widths, strict=True))


def _columns(text: str) -> int:
    """How wide a terminal shows a text."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
