"""A timeline as one SVG file: world time across, recorded time down. It loads nothing and reads without colours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from kgmem.export.picture import MARK, cut, markup
from kgmem.model import OPEN
from kgmem.recall.history import believed
from kgmem.recall.timeline import Bar, Scale, Timeline, value_name
from kgmem.recall.wording import place_words

_WIDTH: Final = 960
_EDGE: Final = 24
_PLOT: Final = 340
"""Where world time begins."""
_PLOT_WIDTH: Final = _WIDTH - _EDGE - _PLOT
_HEAD: Final = 92
_HEADING: Final = 34
_LANE: Final = 46
_BAR: Final = 12
_ARROW: Final = 9
_LEAST: Final = 4
"""Pixels of the shortest bar."""
_NAME_CELLS: Final = 34
_TITLE_CELLS: Final = 80
_TICKS: Final = 7
_LABEL_PIXELS: Final = 6.4
"""Of one letter of a label, at most: an estimate, for nothing measures text here."""

_STYLE: Final = """
text { font: 13px system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; fill: #1f2430;
  paint-order: stroke; stroke: #ffffff; stroke-width: 3px; }
.paper { fill: #ffffff; } .title { font-size: 18px; font-weight: 600; } .name { font-weight: 600; }
.heading { font-weight: 600; fill: #245a9c; } .small { font-size: 12px; fill: #596273; }
.grid { stroke: #d9dee7; } .mark { stroke: #b3261e; stroke-dasharray: 3 3; } .marked { fill: #b3261e; font-size: 12px; }
.bar { fill: #2f7d4f; stroke: #2f7d4f; stroke-width: 1.5; }
.disputed { fill: #b26a00; stroke: #b26a00; }
.closed { fill: none; stroke: #6b7485; stroke-dasharray: 5 3; }
.closed.disputed { fill: none; }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ef; stroke: #161a22; } .paper { fill: #161a22; } .heading { fill: #8ab8f2; } .small { fill: #a3acbd; }
.grid { stroke: #323a49; } .mark { stroke: #ff8a80; } .marked { fill: #ff8a80; }
.bar { fill: #63c08a; stroke: #63c08a; } .closed { fill: none; stroke: #97a1b3; }
.disputed { fill: #f0b357; stroke: #f0b357; } .closed.disputed { fill: none; }
}
"""


def timeline_svg(timeline: Timeline, mark: str) -> str:
    """The picture as the text of an SVG file.

    Args:
        timeline: what to draw.
        mark: names the world instant that is marked: ``now``, or a date.
    """
    lanes, height = _lanes(timeline)
    name = markup(timeline.entity.name)
    body = "\n".join([*_grid(timeline, mark, height), *lanes])
    return f"""<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" \
viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">
<!-- {MARK} -->
<title id="title">{name}: what held when, and when it was believed</title>
<desc id="desc">{markup(_description(timeline))}</desc>
<style>{_STYLE}</style>
<rect class="paper" width="{_WIDTH}" height="{height}"/>
<text class="title" x="{_EDGE}" y="34">{markup(cut(timeline.entity.name, _TITLE_CELLS))}</text>
<text class="small" x="{_EDGE}" y="54">World time across; recorded time down, in UTC.</text>
{body}
</svg>
"""


def _description(timeline: Timeline) -> str:
    """All that the picture shows, in words."""
    said = [
        f"{part.predicate}: {value_name(bar, timeline.entity)}, {bar.label}, {believed(bar.version.fact)}."
        for part in timeline.parts
        for bar in part.versions
    ]
    return " ".join(said) or "Nothing is known of it."


def _lanes(timeline: Timeline) -> tuple[list[str], int]:
    """The headings and lanes with the y where they end."""
    y = _HEAD
    drawn: list[str] = []
    for predicate, parts in groupby(timeline.parts, key=lambda part: part.predicate):
        text = markup(cut(predicate, _TITLE_CELLS))
        drawn.append(f'<text class="heading" x="{_EDGE}" y="{y + _HEADING - 12}">{text}</text>')
        y += _HEADING
        for bar in (bar for part in parts for bar in part.versions):
            drawn += _lane(timeline, bar, y)
            y += _LANE
    if not timeline.parts:
        drawn.append(f'<text x="{_EDGE}" y="{y}">Nothing is known of it.</text>')
    return drawn, y + _EDGE


def _lane(timeline: Timeline, bar: Bar, y: int) -> Iterator[str]:
    fact = bar.version.fact
    places = ", ".join(place_words(each.path, each.line, kind=each.kind) for each in bar.version.places)
    yield f"<g><title>{markup(f'{fact.statement} {bar.label}; {believed(fact)}; {places}')}</title>"
    name = cut(value_name(bar, timeline.entity), _NAME_CELLS)
    yield f'<text class="name" x="{_EDGE + 12}" y="{y + 16}">{markup(name)}</text>'
    yield f'<text class="small" x="{_EDGE + 12}" y="{y + 33}">{believed(fact)}</text>'
    if timeline.scale is None or not bar.dated:
        yield f'<text class="small" x="{_PLOT}" y="{y + 22}">{bar.label}</text></g>'
        return
    left, right = _pixels(timeline.scale, bar)
    at, anchor = _label_place(left, right, bar.label)
    yield f'<text class="small" x="{at:.1f}" y="{y + 13}" text-anchor="{anchor}">{bar.label}</text>'
    yield f"{_shape(bar, left, right, y + 20)}</g>"


def _pixels(scale: Scale, bar: Bar) -> tuple[float, float]:
    start, past = scale.extent(bar)
    left = _PLOT + start * _PLOT_WIDTH
    return left, max(_PLOT + past * _PLOT_WIDTH, left + _LEAST)


def _label_place(left: float, right: float, label: str) -> tuple[float, str]:
    """At the start of its bar, or at its end where it would run off the picture."""
    runs_off = left + len(label) * _LABEL_PIXELS > _WIDTH - _EDGE
    return (right, "end") if runs_off else (left, "start")


def _shape(bar: Bar, left: float, right: float, y: int) -> str:
    """A box; an open end is an arrow, an end that nobody knows a question mark."""
    middle, bottom = y + _BAR / 2, y + _BAR
    points = [(left, y)] if bar.start is not None else [(left, middle), (left + _ARROW, y)]
    opens = bar.past is None and bar.goes_on
    points += (
        [(right - _ARROW, y), (right, middle), (right - _ARROW, bottom)] if opens else [(right, y), (right, bottom)]
    )
    points += [(left, bottom)] if bar.start is not None else [(left + _ARROW, bottom)]
    kinds = ["bar", *(["disputed"] if bar.disputed else []), *(["closed"] if bar.version.fact.closed_at < OPEN else [])]
    outline = " ".join(f"{x:.1f},{at:g}" for x, at in points)
    unknown = bar.past is None and not bar.goes_on
    question = f'<text class="small" x="{right + 3:.1f}" y="{y + 11}">?</text>' if unknown else ""
    return f'<polygon class="{" ".join(kinds)}" points="{outline}"/>{question}'


def _grid(timeline: Timeline, mark: str, height: int) -> Iterator[str]:
    scale, bottom = timeline.scale, height - _EDGE
    if scale is None:
        return
    for share, label in scale.ticks(_TICKS):
        x = _PLOT + share * _PLOT_WIDTH
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_HEAD - 4}" y2="{bottom}"/>'
        yield f'<text class="small" x="{x:.1f}" y="{_HEAD - 10}" text-anchor="middle">{label}</text>'
    if scale.first <= timeline.now < scale.past:
        x = _PLOT + scale.share(timeline.now) * _PLOT_WIDTH
        yield f'<line class="mark" x1="{x:.1f}" x2="{x:.1f}" y1="{_HEAD - 22}" y2="{bottom}"/>'
        yield f'<text class="marked" x="{x:.1f}" y="{_HEAD - 26}" text-anchor="middle">{markup(mark)}</text>'
