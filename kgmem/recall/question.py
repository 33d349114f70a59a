"""What a question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgmem.model import EntityType, Id, Instant
from kgmem.recall.names import EDGES, best_first, keys_of
from kgmem.resolution.names import name_key
from kgmem.store.protocol import Scope, Store

_FRAME = re.compile(
    r"^\s*(?:what\s+(?:do|did)\s+(?:i|we)\s+(?:know|write|say|believe|note|have)\s+(?:about|on|of)"
    r"|what\s+(?:is|are|was|were)\s+known\s+about|(?:tell|remind)\s+me\s+(?:about|of)|everything\s+about"
    r"|who\s+(?:is|was|are|were)|what\s+(?:is|was|are|were))\s+(?P<focus>.+?)[\s?!.。？！]*$",
    re.IGNORECASE | re.DOTALL,
)
SCRIPTS = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff"
"""Written without spaces: a name in another script may stand within them."""
_TOKEN = re.compile(rf"[{SCRIPTS}]+|[^\s{SCRIPTS}]+")
_UNSPACED = re.compile(f"[{SCRIPTS}]{{2,}}")
_LONGEST = 16
"""Words in a name, at most."""
_GONE = 10
"""Names of former things that a question is compared with, the nearest first."""
_BEARERS = 3
"""People who may share a first or last name, for it to mean them."""
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


def find_names(store: Store, question: str, *, known: Instant | None = None) -> tuple[Named, ...]:
    """The known names in a question: the longest ones, left to right, none within another.

    With a recorded instant also the names of what was known then, and of which no note speaks any more.
    """
    framed = _FRAME.match(question)
    if framed:
        whole = _look_up(store, [_Window(framed.start("focus"), framed.end("focus"), framed["focus"])])
        if whole:
            return whole
    named = _look_up(store, list(_windows(question)))
    named = _with_parts(store, question, named)
    return named if known is None else _with_gone(store, question, named, known)


def _with_parts(store: Store, question: str, named: tuple[Named, ...]) -> tuple[Named, ...]:
    """Also the first or last names of people whose whole names are known: "Robert" for Robert Keane.

    Only of few people, and of a word that stands alone: what is beside another name may be the name of a stranger.
    """
    found = list(named)
    tokens = [(match.start(), match[0].strip(EDGES)) for match in _TOKEN.finditer(question)][:_READ]
    for place, (start, text) in enumerate(tokens):
        beside = [tokens[other][1] for other in (place - 1, place + 1) if 0 < other < len(tokens)]
        word = text.removesuffix("'s").removesuffix("’s")
        if not word.istitle() or any(each.istitle() for each in beside) or not _may_be_name(word, place):
            continue
        begin = question.index(text, start)
        if any(each.start <= begin < each.end for each in named):
            continue
        people = _people(store, name_key(word))
        if people:
            found.append(Named(begin, begin + len(text), text, people))
    return tuple(sorted(found, key=lambda each: each.start))


def _people(store: Store, key: str) -> tuple[Id, ...]:
    """Those whose name begins or ends with a word, if they are few."""
    hits = store.search(Scope.ENTITIES, key, _BEARERS * 4)
    entities = store.entities([hit.id for hit in hits])
    found = [
        hit.id
        for hit in hits
        if (each := entities.get(hit.id)) is not None
        and each.type is EntityType.PERSON
        and key in (words := name_key(each.name).split())[:: max(1, len(words) - 1)]
    ]
    return tuple(found) if len(found) <= _BEARERS else ()


def _with_gone(store: Store, question: str, named: Sequence[Named], known: Instant) -> tuple[Named, ...]:
    """Names by the words of the search index, which keeps those that were; each must stand in the question whole."""
    hits = store.search(Scope.ENTITIES, question, _GONE, known=known)
    gone = store.entities([hit.id for hit in hits]).values()
    found = list(named)
    for entity in sorted(gone, key=lambda entity: -len(entity.name)):
        match = re.search(rf"(?<!\w){re.escape(entity.name)}(?!\w)", question, re.IGNORECASE)
        if match and all(match.end() <= each.start or each.end <= match.start() for each in found):
            found.append(Named(match.start(), match.end(), match[0], (entity.id,)))
    return tuple(sorted(found, key=lambda each: each.start))


def _may_be_name(word: str, place: int) -> bool:
    """Whether a word that stands alone is looked up: May and Will are people where a capital letter says so."""
    return name_key(word) not in _SMALL or (place > 0 and len(word) > 1 and word.istitle())


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
            if first != last or _may_be_name(text.strip(EDGES), first):
                yield _Window(start, end, text)
    for run in list(_UNSPACED.finditer(question))[:8]:
        text = run[0][:32]
        for start in range(len(text)):
            for end in range(start + 2, len(text) + 1):
                yield _Window(run.start() + start, run.start() + end, text[start:end])


def _look_up(store: Store, windows: Sequence[_Window]) -> tuple[Named, ...]:
    keys = {window: keys_of(window.text) for window in windows}
    found = store.namings({key for each in keys.values() for key in each}, strongest=True)
    named: list[Named] = []
    for window in sorted(windows, key=lambda window: (window.start - window.end, window.start)):
        entities = best_first(keys[window], found)
        if entities and all(window.end <= each.start or each.end <= window.start for each in named):
            named.append(Named(window.start, window.end, window.text.strip(EDGES), entities))
    return tuple(sorted(named, key=lambda each: each.start))
