"""A timeline as one HTML page: bars over world time, a slider over recorded time, and a table of every version.

The page loads nothing and may load nothing: its own policy forbids it. Without scripts it shows every version.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from kgmem.export.picture import MARK, markup
from kgmem.model import OPEN, Instant
from kgmem.recall.history import believed, cause_words, minute
from kgmem.recall.timeline import Bar, Timeline, value_name
from kgmem.recall.wording import place_words
from kgmem.store.protocol import Evidence

_TICKS: Final = 6

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1f2430; --soft: #596273; --paper: #fff; --line: #d9dee7; --bar: #2f7d4f;
  --past: #6b7485; --doubt: #b26a00; --head: #245a9c; --mark: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a3acbd; --paper: #161a22; --line: #323a49;
  --bar: #63c08a; --past: #97a1b3; --doubt: #f0b357; --head: #8ab8f2; --mark: #ff8a80; } }
* { box-sizing: border-box; }
body { font: 16px/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; color: var(--ink);
  background: var(--paper); max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; color: var(--head); margin: 1.1rem 0 .2rem; }
p { margin: .25rem 0; } .soft, small { color: var(--soft); } small { font-size: .85rem; }
.when { position: sticky; top: 0; z-index: 2; background: var(--paper); padding: .75rem 0;
  border-bottom: 1px solid var(--line); }
.when label { display: block; font-weight: 600; } .when input { width: 100%; height: 2rem; accent-color: var(--head); }
output { display: block; min-height: 1.5em; }
:focus-visible { outline: 3px solid var(--head); outline-offset: 2px; }
ol { list-style: none; margin: 0; padding: 0; } li { padding: .35rem 0; }
.said { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.track, .axis { position: relative; height: 1rem; margin-top: .15rem;
  background: linear-gradient(var(--line), var(--line)) center / 100% 1px no-repeat; }
.axis { height: 3rem; background: none; font-size: .85rem; color: var(--soft); }
.axis span { position: absolute; top: 1.5rem; transform: translateX(-50%); white-space: nowrap; }
.axis .mark { top: 0; color: var(--mark); }
.track i { position: absolute; inset: -.4rem auto -.4rem; border-left: 1px dashed var(--mark); }
.bar { position: absolute; top: .1rem; height: .8rem; min-width: 4px;
  background: var(--bar); border: 2px solid var(--bar); }
.disputed { background: repeating-linear-gradient(45deg, var(--doubt) 0 4px, transparent 4px 8px);
  border-color: var(--doubt); }
.closed { top: .3rem; height: .4rem; background: var(--past); border-color: var(--past); }
.before { clip-path: polygon(0 50%, 9px 0, 100% 0, 100% 100%, 9px 100%); }
.after { clip-path: polygon(0 0, calc(100% - 9px) 0, 100% 50%, calc(100% - 9px) 100%, 0 100%); }
.before.after { clip-path: polygon(0 50%, 9px 0, calc(100% - 9px) 0, 100% 50%, calc(100% - 9px) 100%, 9px 100%); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; min-width: 6.5rem;
  border-top: 1px solid var(--line); }
@media (forced-colors: active) { .bar { forced-color-adjust: none; } }
"""

_SCRIPT: Final = """
"use strict";
const slider = document.getElementById("instant");
if (slider) {
  const names = slider.dataset.names.split("|");
  const told = document.getElementById("told");
  const rows = [...document.querySelectorAll("li[data-from]")];
  const parts = [...document.querySelectorAll("section[data-part]")];
  const show = () => {
    const at = Number(slider.value);
    let count = 0;
    for (const row of rows) {
      row.hidden = !(Number(row.dataset.from) <= at && at < Number(row.dataset.to));
      count += row.hidden ? 0 : 1;
    }
    for (const part of parts) part.hidden = !part.querySelector("li:not([hidden])");
    slider.setAttribute("aria-valuetext", names[at] + " UTC");
    told.textContent = names[at] + " UTC: " + (count === 1 ? "1 belief" : count + " beliefs");
  };
  slider.addEventListener("input", show);
  document.getElementById("when").hidden = false;
  show();
}
"""


def timeline_html(timeline: Timeline, mark: str) -> str:
    """The page as the text of an HTML file.

    Args:
        timeline: what to show.
        mark: names the world instant that is marked: ``now``, or a date.
    """
    name = markup(timeline.entity.name)
    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        f"script-src 'sha256-{b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()}'"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<!-- {MARK} -->
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}: timeline</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>{name}</h1>
<p class="soft">{timeline.entity.type.value}. World time runs across; a thin bar was given up later.
Recorded times are in UTC.</p>
</header>
<main>
{_slider(timeline)}
{"".join(_chart(timeline, mark))}
<h2 id="versions">All versions</h2>
{_table(timeline)}
</main>
<script>{_SCRIPT}</script>
</body>
</html>
"""


def _slider(timeline: Timeline) -> str:
    """Nothing where there is only one state; hidden where no script moves it.

    It stands at the last instant with any belief, for what is given up is still to be seen.
    """
    names = [minute(at) for at in timeline.instants]
    if len(names) <= 1:
        return ""
    last = len(names) - 1
    start = max((at for at in range(last + 1) if _believes(timeline, timeline.instants[at])), default=last)
    return f"""<div class="when" id="when" hidden>
<label for="instant">As believed on</label>
<input type="range" id="instant" min="0" max="{last}" value="{start}" step="1" data-names="{"|".join(names)}">
<output id="told" for="instant" aria-live="polite"></output>
</div>"""


def _believes(timeline: Timeline, at: Instant) -> bool:
    """Whether anything was believed when the minute of an instant was over."""
    return any(
        minute(bar.version.fact.recorded_at) <= minute(at) and (
            bar.version.fact.closed_at >= OPEN or minute(at) < minute(bar.version.fact.closed_at)
        )
        for part in timeline.parts
        for bar in part.versions
    )  # fmt: skip


def _chart(timeline: Timeline, mark: str) -> Iterator[str]:
    if not timeline.parts:
        yield "<p>Nothing is known of it.</p>"
    if timeline.scale:
        ticks = [f'<span style="left:{share:.2%}">{label}</span>' for share, label in timeline.scale.ticks(_TICKS)]
        if _marked(timeline):
            at = timeline.scale.share(timeline.now)
            ticks.append(f'<span class="mark" style="left:{at:.2%}">{markup(mark)}</span>')
        yield f'<div class="axis" aria-hidden="true">{"".join(ticks)}</div>\n'
    places = {minute(at): place for place, at in enumerate(timeline.instants)}
    for predicate, parts in groupby(timeline.parts, key=lambda part: part.predicate):
        yield f"<section data-part><h3>{markup(predicate)}</h3>\n<ol>\n"
        for bar in (bar for part in parts for bar in part.versions):
            yield _item(timeline, bar, places)
        yield "</ol></section>\n"


def _item(timeline: Timeline, bar: Bar, places: dict[str, int]) -> str:
    fact = bar.version.fact
    since = places[minute(fact.recorded_at)]
    until = len(places) if fact.closed_at >= OPEN else places[minute(fact.closed_at)]
    said = (
        f'<div class="said"><strong>{markup(value_name(bar, timeline.entity))}</strong> <span>{bar.label}</span> '
        f"<small>{believed(fact)}</small></div>"
    )
    return f'<li data-from="{since}" data-to="{until}">{said}{_track(timeline, bar)}</li>\n'


def _track(timeline: Timeline, bar: Bar) -> str:
    scale = timeline.scale
    if scale is None or not bar.dated:
        return ""
    start, past = scale.extent(bar)
    kinds = {
        "bar": True,
        "disputed": bar.disputed,
        "closed": bar.version.fact.closed_at < OPEN,
        "before": bar.start is None,
        "after": bar.past is None and bar.goes_on,
    }
    classes = " ".join(kind for kind, applies in kinds.items() if applies)
    line = f'<i style="left:{scale.share(timeline.now):.2%}"></i>' if _marked(timeline) else ""
    drawn = f'<b class="{classes}" style="left:{start:.2%};width:{past - start:.2%}"></b>'
    return f'<div class="track" aria-hidden="true">{line}{drawn}</div>'


def _marked(timeline: Timeline) -> bool:
    return timeline.scale is not None and timeline.scale.first <= timeline.now < timeline.scale.past


def _table(timeline: Timeline) -> str:
    rows = "\n".join(
        f'<tr><th scope="row">{markup(part.predicate)}</th><td>{markup(value_name(bar, timeline.entity))}</td>'
        f"<td>{bar.label}</td><td>{believed(bar.version.fact)}{_cause(bar)}</td>"
        f"<td>{'<br>'.join(map(_place, bar.version.places))}</td></tr>"
        for part in timeline.parts
        for bar in part.versions
    )
    return f"""<div class="wide" role="region" aria-labelledby="versions" tabindex="0">
<table>
<caption>Every version of every belief, the first recorded first.</caption>
<thead><tr><th scope="col">What</th><th scope="col">Value</th><th scope="col">When it held</th>
<th scope="col">When it was believed</th><th scope="col">Where it was written</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>"""


def _cause(bar: Bar) -> str:
    cause = bar.version.closed_by
    return f", until {markup(cause_words(cause))}" if cause else ""


def _place(evidence: Evidence) -> str:
    gone = "" if evidence.live else " (no longer there)"
    where = place_words(evidence.path, evidence.line, kind=evidence.kind)
    return f"{markup(where)}{gone}: “{markup(evidence.quote)}”"
