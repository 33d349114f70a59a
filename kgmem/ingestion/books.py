"""A book and a person's own note of it are one: by title, where nothing says otherwise.

Exports name a book by title and author, and so agree on it by themselves; a note gives only its title. That they are
one is a decision like any other: it is recorded, `kgmem unmerge` takes it back, and it is not made again then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from kgmem.extraction.ontology import Rank
from kgmem.ingestion.identity import Identity
from kgmem.model import Entity, EntityType, Id, Source
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name
from kgmem.resolution.same import Same
from kgmem.sources.naming import folded, is_book
from kgmem.store.protocol import FactQuery, Store

_BY: Final = "WRITTEN_BY"
_BECAUSE: Final = "a note and a book of one title"
_BECAUSE_TITLE: Final = "two books of one title, of which one names no author"
_BECAUSE_HIGHLIGHT: Final = "one author, one title but for a subtitle, and a highlight in common"
_TELLING: Final = 20
"""Letters from which a highlight is hardly in two books of one author."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A book, and what may be it."""

    book: Id
    other: Id
    title: str
    why: str


Pairs = Iterator[_Pair]


def unite(store: Store, identity: Identity) -> int:
    """Make one of every book and the one note of its title; gives how many that are new."""
    found = _unite(store, identity, _of_books)
    return found + _unite(store, identity, _of_notes)


def _unite(store: Store, identity: Identity, pairs_of: Callable[[Store, list[Source], AbstractSet[Id]], Pairs]) -> int:
    sources = [source for source in store.sources() if source.entity]
    books = {source.entity or "" for source in sources if is_book(source.uid)}
    if not books:
        return 0
    same = Same(store.decisions())
    pairs = [
        pair
        for pair in pairs_of(store, sources, books)
        if not same.are_distinct(pair.book, pair.other) and not same.were_parted(pair.book, pair.other)
    ]
    identity.unite((pair.book, pair.other, pair.why) for pair in pairs)
    return len(pairs)


def _of_notes(store: Store, sources: list[Source], books: AbstractSet[Id]) -> Iterator[_Pair]:
    """Each book with the one note of its title."""
    pairs = list(_of_one_title(sources, books))
    known = store.entities({entity for pair in pairs for entity in (pair.book, pair.other)})
    yield from (pair for pair in pairs if _may_be_one(pair, known) and _agree_on_author(store, pair))


def _of_books(store: Store, sources: list[Source], books: AbstractSet[Id]) -> Iterator[_Pair]:
    """Books that exporters name otherwise: one without the author, or without a subtitle and with a highlight of it."""
    whole, short = _titled(sources, books), _titled(sources, books, shortened=True)
    for key, named in sorted(whole.items()):
        longer = short.get(key, set()) - named
        if len(named) == 2:  # noqa: PLR2004 - a pair
            one, other = sorted(named, key=lambda book: (not _authors(store, book), book))
            if _authors(store, one) and not _authors(store, other):
                yield _Pair(one, other, key, _BECAUSE_TITLE)
        elif len(named) == len(longer) == 1:
            one, other = *longer, *named
            if _authors(store, one) & _authors(store, other) and _highlights(store, one) & _highlights(store, other):
                yield _Pair(one, other, key, _BECAUSE_HIGHLIGHT)


def _highlights(store: Store, book: Id) -> frozenset[str]:
    """What was marked in a book, as it is compared."""
    passages = (each for source in store.sources_about(book) for each in store.passages_of(source.id))
    return frozenset(folded(each.text) for each in passages if each.kind == "highlight" and len(each.text) >= _TELLING)


def _of_one_title(sources: list[Source], books: AbstractSet[Id]) -> Iterator[_Pair]:
    """Each book with the only other thing of its title; without its subtitle where no other book begins so."""
    whole, short = _titled(sources, books), _titled(sources, books, shortened=True)
    others: dict[Id, dict[Id, str]] = {}
    for source in sources:
        entity, key = source.entity or "", name_key(source.title)
        named = (whole.get(key, set()) - {entity}) or (short.get(key, set()) - {entity})
        if entity not in books and len(named) == 1:
            others.setdefault(next(iter(named)), {})[entity] = source.title
    for book, found in sorted(others.items()):
        if len(found) == 1:
            yield _Pair(book, *next(iter(found.items())), _BECAUSE)


def _titled(sources: list[Source], books: AbstractSet[Id], *, shortened: bool = False) -> Mapping[str, set[Id]]:
    """The books of each title, by its key."""
    found: dict[str, set[Id]] = {}
    for source in sources:
        if source.entity is not None and source.entity in books and is_book(source.uid):
            title = source.title.partition(": ")[0] if shortened else source.title
            found.setdefault(name_key(title), set()).add(source.entity)
    return found


def _may_be_one(pair: _Pair, known: Mapping[Id, Entity]) -> bool:
    """Whether nothing that is known of the two says that the other is no book; a bare given name says nothing."""
    book, other = known.get(pair.book), known.get(pair.other)
    if book is None or other is None:
        return False
    if other.type_rank > Rank.FOLDER:
        return not is_given_name(name_key(pair.title))
    return other.type is EntityType.OBJECT and (book.type_rank > Rank.FOLDER or other.subtype == book.subtype)


def _agree_on_author(store: Store, pair: _Pair) -> bool:
    one, other = (_authors(store, entity) for entity in (pair.book, pair.other))
    return not one or not other or not one.isdisjoint(other)


def _authors(store: Store, entity: Id) -> frozenset[str | None]:
    _, facts = store.facts(FactQuery(subject=entity, predicate=_BY))
    return frozenset(fact.object or fact.value for fact in facts)
