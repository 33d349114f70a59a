"""Text as the parsers want it: one kind of line end, no comments, blanks of equal length."""

from __future__ import annotations

import re

_NOT_NEWLINE = re.compile(r"[^\n]")
_RUN = re.compile(r"`+|\n[ \t]*(?=\n)")
_TOKEN = re.compile(r"^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*|(?P<run>`+)|%%|<!--", re.MULTILINE)


def plain(text: str) -> str:
    """The text without a byte order mark, each line ended by a line feed alone; the line numbers stay."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def blank(text: str) -> str:
    """Spaces in the place of everything but the line ends."""
    return _NOT_NEWLINE.sub(" ", text) if "\n" in text else " " * len(text)


def code_ends(text: str) -> dict[int, int]:
    """Where the code span ends that each run of backticks opens, by the start of the run.

    A span is closed by the next run of equal length in the same paragraph. Built from the right, in one
    pass: the search for a closing run would be quadratic in unclosed ones.
    """
    ends: dict[int, int] = {}
    nearest: dict[int, int] = {}
    for match in reversed(list(_RUN.finditer(text))):
        if match[0][0] == "\n":
            nearest.clear()
            continue
        length = match.end() - match.start()
        if length in nearest:
            ends[match.start()] = nearest[length]
        nearest[length] = match.end()
    return ends


def fence_end(text: str, start: int, marker: str) -> int:
    """The end of the fenced code whose first line ends at `start`; without a closing fence, of the text."""
    char = re.escape(marker[0])
    closing = re.compile(rf"^[ \t>]*{char}{{{len(marker)},}}[ \t]*$", re.MULTILINE)
    match = closing.search(text, start)
    return match.end() if match else len(text)


def without_comments(text: str) -> str:
    """The text with ``%% … %%`` and ``<!-- … -->`` blanked out, outside of code.

    A comment that is never closed is text: nothing is lost by a stray mark.
    """
    if "%%" not in text and "<!--" not in text:
        return text
    ends = code_ends(text)
    pieces: list[str] = []
    done = at = 0
    closed = {"%%": True, "<!--": True}
    while match := _TOKEN.search(text, at):
        at = match.end()
        if match["fence"]:
            at = fence_end(text, at, match["fence"])
        elif match["run"]:
            at = ends.get(match.start(), at)
        elif closed[match[0]]:
            closing = "%%" if match[0] == "%%" else "-->"
            end = text.find(closing, at)
            if end < 0:
                closed[match[0]] = False
                continue
            at = end + len(closing)
            pieces += (text[done : match.start()], blank(text[match.start() : at]))
            done = at
    return "".join((*pieces, text[done:]))
