"""What a question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgmem.model import Id
from kgmem.recall.names import EDGES, best_first, keys_of
from kgmem.resolution.names import name_key
from kgmem.store.protocol import Store

_FRAME = re.compile(
    r"^\s*(?:what\s+(?:do|did)\s+(?:i|we)\s+(?:know|write|say|believe|note|have)\s+(?:about|on|of)"
    r"|what\s+(?:is|are|was|were)\s+known\s+about|(?:tell|remind)\s+me\s+(?:about|of)|everything\s+about"
    r"|who\s+(?:is|was|are|were)|what\s+(?:is|was|are|were))\s+(?P<focus>.+?)[\s?!.。？！]*$",
    re.IGNORECASE | re.DOTALL,
)
_TOKEN = re.compile(r"\S+")
_UNSPACED = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff]{2,}")
_LONGEST = 16
"""Words in a name, at most."""
_READ = 400
"""Words of a question that are looked at."""
_SMALL = frozenset(
    """a about all am an and any are as at be been before by can could did do does for from had has have he her him his
    how i if in is it its know known last long many may me more most much my new no not now of old on or our own said
    say she should since so some still tell than that the their them then there they this to under until up us was we
    were what when where which while who whom whose why will with work worked works would you your""".split()
)


@dataclass(frozen=True, slots=True)
class Named:
    """A stretch of a question that names something; homonyms give several entities."""

    start: int
    end: int
    text: str
    entities: tuple[Id, ...]
    """Best first: those that bear the name as a title, then as an alias."""


def find_names(store: Store, question: str) -> tuple[Named, ...]:
    """The known names in a question: the longest ones, left to right, none within another."""
    framed = _FRAME.match(question)
    if framed:
        whole = _look_up(store, [_Window(framed.start("focus"), framed.end("focus"), framed["focus"])])
        if whole:
            return whole
    return _look_up(store, list(_windows(question)))


@dataclass(frozen=True, slots=True)
class _Window:
    start: int
    end: int
    text: str


def _windows(question: str) -> Iterator[_Window]:
    """Every stretch that could be a name."""
    tokens = [match.span() for match in _TOKEN.finditer(question)][:_READ]
    for first in range(len(tokens)):
        for last in range(first, min(first + _LONGEST, len(tokens))):
            start, end = tokens[first][0], tokens[last][1]
            text = question[start:end]
            if first != last or name_key(text.strip(EDGES)) not in _SMALL:
                yield _Window(start, end, text)
    for run in list(_UNSPACED.finditer(question))[:8]:
        text = run[0][:32]
        for start in range(len(text)):
            for end in range(start + 2, len(text) + 1):
                yield _Window(run.start() + start, run.start() + end, text[start:end])


def _look_up(store: Store, windows: Sequence[_Window]) -> tuple[Named, ...]:
    keys = {window: keys_of(window.text) for window in windows}
    found = store.namings({key for each in keys.values() for key in each})
    named: list[Named] = []
    for window in sorted(windows, key=lambda window: (window.start - window.end, window.start)):
        entities = best_first(keys[window], found)
        if entities and all(window.end <= each.start or each.end <= window.start for each in named):
            named.append(Named(window.start, window.end, window.text.strip(EDGES), entities))
    return tuple(sorted(named, key=lambda each: each.start))
