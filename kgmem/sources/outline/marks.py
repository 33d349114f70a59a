"""What stands in an outline for its program alone: macros, queries, drawers, properties nobody wrote."""

from __future__ import annotations

import re

from kgmem.sources.obsidian.text import blank, code_ends, fence_end, without_comments

UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
BLOCK_ID = re.compile(r"^[ \t]*(?:-[ \t]+)?id::[ \t]*(?P<id>[\w-]{6,64})[ \t]*$", re.MULTILINE)

_OWN = (
    r"id|collapsed|created-at|updated-at|heading|background-color|query-[\w-]+|card-[\w-]+|logseq\.[\w.-]+|"
    r"hl-[\w-]+|ls-type|file|file-path|exclude-from-graph-view|filters|public|icon"
)
_TOKEN = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(?P<fence>`{3,}|~{3,})[^\n]*|(?P<run>`+)|(?P<macro>\{\{)"
    r"|^[ \t]*:(?P<drawer>LOGBOOK):[ \t]*$|^[ \t]*(?:-[ \t]+)?(?P<query>#\+BEGIN_QUERY)\b"
    rf"|^[ \t]*(?:-[ \t]+)?(?P<own>(?:{_OWN})::[^\n]*)",
    re.MULTILINE,
)
_MARK = re.compile(r"\{\{(?:\[\[)?(?:TODO|DONE)(?:\]\])?\}\}")
_CLOZE = re.compile(r"\{\{(?:\[\[)?cloze(?:\]\])?[: ]+", re.IGNORECASE)
_BRACES = re.compile(r"[{}]|\n[ \t]*-[ \t]")
_ENDS = {"drawer": ":END:", "query": "#+END_QUERY"}


def reading(source: str) -> str:
    """A plain text of the same length and lines with that blanked out, outside of code, and comments too."""
    ends, macros = code_ends(source), _Macros(source)
    pieces: list[str] = []
    done = at = 0
    while match := _TOKEN.search(source, at):
        at = match.end()
        if match["fence"]:
            at = fence_end(source, at, match["fence"])
            continue
        if match["run"]:
            at = ends.get(match.start(), at)
            continue
        for start, end in _spans(source, match, macros):
            pieces += (source[done:start], blank(source[start:end]))
            done = at = end
    return without_comments("".join((*pieces, source[done:])))


def _spans(source: str, match: re.Match[str], macros: _Macros) -> list[tuple[int, int]]:
    """What is to be blanked out of what starts there."""
    kind = match.lastgroup or ""
    start = match.start(kind)
    if kind == "own":
        return [match.span(kind)]
    if kind == "macro":
        end = 0 if _MARK.match(source, start) else macros.end(start)
        words = _CLOZE.match(source, start) if end else None
        return [(start, words.end()), (end - 2, end)] if words else [(start, end)] if end else []
    end = source.find(_ENDS[kind], match.end())
    return [(start - (kind == "drawer"), end + len(_ENDS[kind]))] if end >= 0 else []


class _Macros:
    """Where macros end, by a table that is built in one pass: a search for each would be quadratic in unclosed ones."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._ends: dict[int, int] = {}
        self._barren = -1
        """Up to here nothing closes a macro on its line."""
        opened: list[int] = []
        for mark in _BRACES.finditer(source):
            if mark[0] == "{":
                opened.append(mark.start())
            elif mark[0] != "}":
                opened.clear()
            elif opened:
                self._ends[opened.pop()] = mark.end()

    def end(self, start: int) -> int:
        """Where the macro that opens at `start` is closed, in its bullet, or 0.

        Where braces do not pair the first ``}}`` of the line closes it.
        """
        end = self._ends.get(start, 0)
        if end and self._source[end - 2 : end] == "}}":
            return end
        if start < self._barren:
            return 0
        line = self._source.find("\n", start)
        line = len(self._source) if line < 0 else line
        end = self._source.find("}}", start, line)
        if end < 0:
            self._barren = line
            return 0
        return end + 2
