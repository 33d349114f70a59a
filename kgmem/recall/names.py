"""Names in a question, and the entities they may mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgmem.errors import NotFoundError
from kgmem.model import AliasKind, Id
from kgmem.resolution.names import name_key
from kgmem.store.protocol import EntityCard, EntityQuery, Naming, Scope, Store

_FRAME = re.compile(
    r"^\s*(?:what\s+(?:do|did)\s+(?:i|we)\s+(?:know|write|say|believe|note|have)\s+(?:about|on|of)"
    r"|what\s+(?:is|are|was|were)\s+known\s+about|(?:tell|remind)\s+me\s+(?:about|of)|everything\s+about"
    r"|who\s+(?:is|was|are|were)|what\s+(?:is|was|are|were))\s+(?P<focus>.+?)[\s?!.。？！]*$",
    re.IGNORECASE | re.DOTALL,
)
_TOKEN = re.compile(r"\S+")
_EDGES = "\"'“”‘’«»„()[]{}<>?!.,;:…。，？！、；："
_POSSESSIVE = re.compile(r"['’]s$")
_UNSPACED = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff]{2,}")
_LONGEST = 16
"""Words in a name, at most."""
_READ = 400
"""Words of a question that are looked at."""
_SPELLED = 5_000
"""Names, the most mentioned first, that a misspelt one is compared with."""
_SMALL = frozenset(
    """a about all am an and any are as at be been before by can could did do does for from had has have he her him his
    how i if in is it its know known last long many may me more most much my new no not now of old on or our own said
    say she should since so some still tell than that the their them then there they this to under until up us was we
    were what when where which while who whom whose why will with work worked works would you your""".split()
)
_STRENGTH = {kind: strength for strength, kind in enumerate(AliasKind)}


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


def find_entity(store: Store, name: str) -> tuple[EntityCard, ...]:
    """The entities of that name, alias or id; homonyms give several, best first.

    Raises:
        NotFoundError: nothing has that name; the hint names what is near.
    """
    found = _look_up(store, [_Window(0, len(name), name)])
    ids = found[0].entities if found else ()
    if not ids and re.fullmatch(r"[0-9a-f]{16}", name):
        ids = tuple(store.entities([name]))
    cards = cards_of(store, ids)
    if not cards:
        near = _near(store, name)
        hint = f"did you mean {', '.join(near)}?" if near else "`kgmem entities` lists what is here"
        raise NotFoundError(f"nothing here is called {name!r}", hint)
    return cards


def _near(store: Store, name: str) -> list[str]:
    """Names that share a word with one that nothing has, or are spelled almost like it."""
    from difflib import get_close_matches

    sharing = [card.entity.name for card in cards_of(store, [hit.id for hit in store.search(Scope.ENTITIES, name, 3)])]
    _, known = store.cards(EntityQuery(limit=_SPELLED))
    keys = {name_key(card.entity.name): card.entity.name for card in known}
    alike = [keys[key] for key in get_close_matches(name_key(name), keys, 3, 0.75)]
    return list(dict.fromkeys((*alike, *sharing)))[:4]


def cards_of(store: Store, ids: Sequence[Id]) -> tuple[EntityCard, ...]:
    """The cards of entities, in the order of their ids."""
    if not ids:
        return ()
    _, cards = store.cards(EntityQuery(ids=tuple(ids), hidden=True))
    order = {entity: place for place, entity in enumerate(ids)}
    return tuple(sorted(cards, key=lambda card: order[card.entity.id]))


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
            if first != last or name_key(text.strip(_EDGES)) not in _SMALL:
                yield _Window(start, end, text)
    for run in list(_UNSPACED.finditer(question))[:8]:
        text = run[0][:32]
        for start in range(len(text)):
            for end in range(start + 2, len(text) + 1):
                yield _Window(run.start() + start, run.start() + end, text[start:end])


def _look_up(store: Store, windows: Sequence[_Window]) -> tuple[Named, ...]:
    keys = {window: _keys(window.text) for window in windows}
    found = store.namings({key for each in keys.values() for key in each})
    named: list[Named] = []
    for window in sorted(windows, key=lambda window: (window.start - window.end, window.start)):
        owners = [naming for key in keys[window] for naming in found.get(key, ())]
        if owners and all(window.end <= each.start or each.end <= window.start for each in named):
            named.append(Named(window.start, window.end, window.text.strip(_EDGES), _ranked(owners)))
    return tuple(sorted(named, key=lambda each: each.start))


def _keys(text: str) -> tuple[str, ...]:
    """A stretch as it stands, without the punctuation around it, and without a possessive."""
    bare = text.strip(_EDGES)
    return tuple(dict.fromkeys(key for key in map(name_key, (text, bare, _POSSESSIVE.sub("", bare))) if key))


def _ranked(owners: Sequence[Naming]) -> tuple[Id, ...]:
    ranked = sorted(owners, key=lambda n: (_STRENGTH[n.alias.kind], n.alias.type_rank, n.entity.id))
    return tuple(dict.fromkeys(naming.entity.id for naming in ranked))
