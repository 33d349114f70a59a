"""Entities by name: exactly, or what is near."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from kgmem.errors import NotFoundError
from kgmem.model import CORRECTION, AliasKind, Id, Instant
from kgmem.resolution.names import name_key
from kgmem.store.protocol import EntityCard, EntityQuery, Naming, Scope, Store

EDGES = "\"'“”‘’«»„()[]{}<>?!.,;:…。，？！、；："
"""Punctuation around a name that is no part of it."""
_SPELLED = 5_000
"""Names, the most mentioned first, that a misspelt one is compared with."""
_STRENGTH = {kind: strength for strength, kind in enumerate(AliasKind)}


def find_entity(store: Store, name: str) -> tuple[EntityCard, ...]:
    """The entities of that name, alias or id; homonyms give several, best first.

    Raises:
        NotFoundError: nothing has that name; the hint names what is near.
    """
    ids = named_exactly(store, name)
    if not ids and re.fullmatch(r"[0-9a-f]{16}", name):
        ids = tuple(store.entities([name]))
    cards = cards_of(store, ids)
    if not cards:
        near = _near(store, name)
        hint = f"did you mean {', '.join(near)}?" if near else "`kgmem entities` lists what is here"
        raise NotFoundError(f"nothing here is called {name!r}", hint)
    return cards


def named_exactly(store: Store, name: str) -> tuple[Id, ...]:
    """The entities that bear a name or alias, best first."""
    keys = keys_of(name)
    return best_first(keys, store.namings(keys, strongest=True))


def _near(store: Store, name: str) -> list[str]:
    """Names that share a word with one that nothing has, or are spelled almost like it."""
    from difflib import get_close_matches

    sharing = [card.entity.name for card in cards_of(store, [hit.id for hit in store.search(Scope.ENTITIES, name, 3)])]
    _, known = store.cards(EntityQuery(limit=_SPELLED))
    keys = {name_key(card.entity.name): card.entity.name for card in known}
    alike = [keys[key] for key in get_close_matches(name_key(name), keys, 3, 0.75)]
    return list(dict.fromkeys((*alike, *sharing)))[:4]


def cards_of(
    store: Store, ids: Sequence[Id], *, valid: tuple[int, int] | None = None, known: Instant | None = None
) -> tuple[EntityCard, ...]:
    """The cards of entities, in the order of their ids; counted over what the two axes leave."""
    if not ids:
        return ()
    _, cards = list_cards(store, EntityQuery(ids=tuple(ids), hidden=True, valid=valid, known=known))
    order = {entity: place for place, entity in enumerate(ids)}
    return tuple(sorted(cards, key=lambda card: order[card.entity.id]))


def list_cards(store: Store, query: EntityQuery) -> tuple[int, tuple[EntityCard, ...]]:
    """What `Store.cards` gives, counted over notes: a person's corrections are none."""
    total, cards = store.cards(query)
    said = _in_corrections(store, query.known)
    if not said:
        return total, cards
    counted = [_less(card, said.get(card.entity.id, Counter())) for card in cards]
    if query.sort in {"mentions", "sources"}:
        counted.sort(key=lambda card: -card.mentions if query.sort == "mentions" else -card.sources)
    return total, tuple(counted)


def _in_corrections(store: Store, known: Instant | None) -> dict[Id, Counter[Id]]:
    """Of each entity that corrections name, how often each of them does."""
    said: dict[Id, Counter[Id]] = {}
    for kind, root, _ in store.roots():
        for source in store.sources(root) if kind == CORRECTION else ():
            standing = {passage.id for passage in store.passages_of(source.id, known=known)}
            for mention in store.mentions_in(source.id):
                if mention.passage in standing:
                    said.setdefault(mention.entity, Counter())[source.id] += 1
    return said


def _less(card: EntityCard, said: Counter[Id]) -> EntityCard:
    mentions, sources = max(card.mentions - said.total(), 0), max(card.sources - len(said), 0)
    return replace(card, mentions=mentions, sources=sources)


def keys_of(text: str) -> tuple[str, ...]:
    """The keys that a stretch of text may be a name under: as it stands, without punctuation, without a possessive."""
    bare = text.strip(EDGES)
    if bare.count("(") > bare.count(")"):
        bare += ")"  # which belongs to the name, unlike what stands around it
    plain = bare[:-2] if bare.endswith(("'s", "’s")) else bare
    elided = bare[2:] if bare.startswith(("l'", "l’", "d'", "d’")) else bare  # "l'Institut Garonne"
    return tuple(dict.fromkeys(key for key in map(name_key, (text, bare, plain, elided)) if key))


def best_first(keys: Sequence[str], found: Mapping[str, Sequence[Naming]]) -> tuple[Id, ...]:
    """The entities that own any of some keys: those that bear it as a title first, then as an alias."""
    owners = [naming for key in keys for naming in found.get(key, ())]
    ranked = sorted(owners, key=lambda n: (_STRENGTH[n.alias.kind], n.alias.type_rank, n.entity.id))
    return tuple(dict.fromkeys(naming.entity.id for naming in ranked))
