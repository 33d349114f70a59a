"""A timeline on a terminal: world time across as bars of characters, recorded time down.

Everything is told by shapes and words, never by colour alone. Where the terminal does not know the shapes, plain
ASCII stands in for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from kgmem.cli.output import clean
from kgmem.model import OPEN
from kgmem.recall.history import believed
from kgmem.recall.timeline import value_name

if TYPE_CHECKING:
    from rich.console import Console

    from kgmem.recall.timeline import Bar, Part, Scale, Timeline

_NARROW: Final = 72
"""Columns below which a bar stands on a line of its own."""
_TICK: Final = 12
"""Columns that a tick and its label want."""
_NAME_SHARE: Final = 0.28
_LABEL_SHARE: Final = 0.36


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that bars are made of."""

    start: str = "├"
    end: str = "┤"
    before: str = "◀"
    after: str = "▶"
    line: str = "━"
    disputed: str = "╍"
    brief: str = "◆"
    unknown: str = "?"
    mark: str = "┊"


_PLAIN: Final = Glyphs("[", "]", "<", ">", "=", "~", "#", "?", ":")
_ASCII: Final = str.maketrans({"–": "-", "…": "..."})


@dataclass(frozen=True, slots=True)
class Line:
    """A name, its bars, and when in words."""

    name: str
    bars: tuple[Bar, ...]


class Drawing:
    """One timeline on one console."""

    def __init__(self, console: Console, timeline: Timeline, width: int, mark: str) -> None:
        """Args: `width` in columns; `mark` names the world instant that is marked, ``now`` or a date."""
        self._console = console
        self._timeline = timeline
        self._width = width
        self._mark = mark
        self._glyphs = Glyphs() if _knows(console.encoding) else _PLAIN
        lines = [line for part in timeline.parts for line in self._lines(part.versions)]
        name = max((cell_len(self._say(line.name)) for line in lines), default=0)
        label = max((cell_len(each) for line in lines for each in self._labels(line)), default=0)
        self._stacked = width < _NARROW
        self._name = min(name, int(width * _NAME_SHARE))
        self._label = min(label, int(width * _LABEL_SHARE))
        self._bar = width - 4 if self._stacked else width - self._name - self._label - 8

    def show(self) -> None:
        """What is believed; then, where it was believed otherwise before, every version of it."""
        self._axis()
        for predicate, parts in groupby(self._timeline.parts, key=lambda part: part.predicate):
            rows = [Line(row.name, row.bars) for part in parts for row in part.rows]
            if rows:
                self._heading(predicate)
                self._draw(rows)
        revised = [part for part in self._timeline.parts if part.revised]
        if not revised:
            return
        self._console.print()
        self._print(Text.assemble(("As believed", "bold"), ("  the past of these beliefs, in UTC", "dim")))
        self._axis()
        for predicate, parts in groupby(revised, key=lambda part: part.predicate):
            self._heading(predicate)
            for words, bars in groupby(_versions(parts), key=lambda bar: believed(bar.version.fact)):
                self._print(Text(f"  {self._say(words)}", "dim"))
                self._draw(list(self._lines(bars)))

    def _lines(self, bars: Iterable[Bar]) -> Iterable[Line]:
        for name, group in groupby(bars, key=lambda bar: value_name(bar, self._timeline.entity)):
            yield Line(name, tuple(group))

    def _labels(self, line: Line) -> list[str]:
        return [self._say(bar.label) for bar in line.bars]

    def _say(self, text: str) -> str:
        line = " ".join(clean(text).split())
        return line.translate(_ASCII) if self._glyphs is _PLAIN else line

    def _heading(self, predicate: str) -> None:
        self._print(Text(self._say(predicate), "cyan"))

    def _print(self, text: Text) -> None:
        self._console.print(text, width=self._width)

    def _draw(self, lines: Sequence[Line]) -> None:
        if self._stacked:
            for line in lines:
                for bar, label in zip(line.bars, self._labels(line), strict=True):
                    words = Text.assemble(self._say(line.name), "  ", (label, "dim"))
                    self._console.print(Padding(words, (0, 0, 0, 4)), width=self._width)
                    if self._timeline.scale and bar.dated:
                        self._print(Text.assemble("    ", self._bars(self._timeline.scale, [bar])))
            return
        table = self._table()
        for line in lines:
            drawn = self._bars(self._timeline.scale, line.bars) if self._timeline.scale else Text()
            table.add_row("", Text(self._say(line.name)), drawn, Text("\n".join(self._labels(line))))
        self._console.print(table, width=self._width)

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=3)
        table.add_column(width=self._name, overflow="fold")
        table.add_column(width=self._bar if self._timeline.scale else 1, no_wrap=True)
        table.add_column(overflow="fold")
        return table

    def _axis(self) -> None:
        """Labels that begin at the column of their date; what is marked comes before a tick in its way."""
        scale = self._timeline.scale
        if scale is None:
            return
        marks = [(scale.share(self._timeline.now), self._mark)] if self._marked(scale) else []
        cells = [" "] * self._bar
        for share, label in (*marks, *scale.ticks(max(self._bar // _TICK, 2))):
            at = min(self._column(share), self._bar - len(label))
            if at >= 0 and all(cell == " " for cell in cells[max(at - 1, 0) : at + len(label) + 1]):
                cells[at : at + len(label)] = label
        line = Text("".join(cells).rstrip(), "dim")
        self._console.print(Padding(line, (0, 0, 0, 4 if self._stacked else self._name + 5)), width=self._width)

    def _marked(self, scale: Scale) -> bool:
        return scale.first <= self._timeline.now < scale.past

    def _column(self, share: float) -> int:
        return min(int(share * self._bar), self._bar - 1)

    def _bars(self, scale: Scale, bars: Iterable[Bar]) -> Text:
        text = Text(" " * self._bar, no_wrap=True)
        cells = [" "] * self._bar
        if self._marked(scale):
            cells[self._column(scale.share(self._timeline.now))] = self._glyphs.mark
        styles: list[tuple[str, int, int]] = []
        for bar in bars:
            if bar.dated:
                first, last = self._span(scale, bar)
                cells[first : last + 1] = self._shape(bar, last - first + 1)
                styles.append((_style(bar), first, last + 1))
        text = Text("".join(cells), no_wrap=True)
        for style, first, past in styles:
            text.stylize(style, first, past)
        return text

    def _span(self, scale: Scale, bar: Bar) -> tuple[int, int]:
        """The first and the last column of a bar: the last is the one that its last second lies in."""
        start, past = scale.extent(bar)
        first = self._column(start)
        last = self._column(past) if bar.past is None else self._column(scale.share(bar.past - 1))
        return first, max(first, last)

    def _shape(self, bar: Bar, length: int) -> str:
        glyphs = self._glyphs
        left = glyphs.before if bar.start is None else glyphs.start
        right = glyphs.end if bar.past is not None else glyphs.after if bar.goes_on else glyphs.unknown
        if length == 1:
            return glyphs.brief if bar.start is not None and bar.past is not None else right
        return left + (glyphs.disputed if bar.disputed else glyphs.line) * (length - 2) + right


def _versions(parts: Iterable[Part]) -> Iterable[Bar]:
    return (bar for part in parts for bar in part.versions)


def _style(bar: Bar) -> str:
    if bar.version.fact.closed_at < OPEN:
        return "dim"
    return "yellow" if bar.disputed else "green"


def _knows(encoding: str) -> bool:
    """Whether an encoding has the characters of a drawing."""
    try:
        "├┤◀▶━╍◆┊–…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
