"""What one ingest has to do, and the names it does it with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from kgmem.errors import InvariantError
from kgmem.extraction.ontology import Ontology, Rank, Typing
from kgmem.model import CORRECTION, AliasKind, Decision, EntityType, Episode, Id, Instant, Source, identify
from kgmem.resolution.directory import Anchor, Directory, named_entity
from kgmem.resolution.names import name_key
from kgmem.resolution.same import Same
from kgmem.resolution.variants import variants, without_brackets
from kgmem.sources.document import Found, Head, Scan, Seen
from kgmem.sources.naming import TALK, called, file_of, is_book
from kgmem.store.protocol import Store

if TYPE_CHECKING:
    from kgmem.extraction.lexicon import Lexicon


_SPELLED = (EntityType.PERSON, EntityType.ORGANIZATION)
"""Types of what may be spelled in several ways that mean the same."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person decided about a source: it is recorded in the transaction that carries it out."""

    kind: str
    decided: tuple[Decision, ...] = ()
    retracted: tuple[Id, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """One source to read: from its file, or (replayed) again from the episode that the memory holds."""

    source: Source
    kind: str
    """added, changed, moved, replayed; or what a person asked for."""
    typing: Typing
    episode: Episode | None = None
    """Read this instead of the file."""
    back_to: Instant | None = None
    """Claim what was claimed before that instant, and not what the text comes to now."""
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What a note calls itself: equal cards mean that nobody else needs to look again."""

    path: str
    """Empty for what another root is about: known by name, never by path."""
    anchor: Anchor
    names: frozenset[str]

    @property
    def near(self) -> frozenset[str]:
        """Other spellings of its names that mean the same; of a person whose title tells namesakes apart, none bare."""
        typing = self.anchor.typing
        sure = typing.rank <= Rank.FOLDER
        found: set[str] = set()
        for name in self.names:
            if sure and typing.type in _SPELLED:
                found.update(variants(name, typing.type))
            if not (sure and typing.type is EntityType.PERSON):
                found.update(without_brackets(name))
        return frozenset(found)


@dataclass(frozen=True)
class Plan:
    """What to read, in order, and what is gone. The names to read it with are put in order when it is read."""

    work: tuple[Work, ...]
    removed: tuple[Source, ...]
    touched: tuple[Source, ...]
    """Content as before; only size or time of the file differ."""
    cards: tuple[Card, ...] = ()
    """What every source calls itself once this is done."""
    same: Same | None = None

    @cached_property
    def directory(self) -> Directory:
        """Who a name, or the path of a note, stands for."""
        names = ((name_key(name), card.anchor) for card in self.cards for name in sorted(card.names))
        near = ((name_key(name), card.anchor) for card in self.cards for name in sorted(card.near))
        notes = {card.path: card.anchor for card in self.cards if card.path}
        here = {anchor.entity for anchor in notes.values()}
        elsewhere = frozenset(card.anchor.entity for card in self.cards) - here
        return Directory(notes, names, self.same, near, elsewhere)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The names to look for in prose."""
        from kgmem.extraction.lexicon import Lexicon

        names = (name for card in self.cards for name in sorted(card.names | card.near))
        return Lexicon((name, name_key(name)) for name in names)


def stem(path: str, title: str = "") -> str:
    """The name by which links call a note; a conversation is called by its title alone, and never what it speaks of."""
    return title if title.startswith(TALK) and file_of(path) is not None else called(path)


def born(root: str, path: str, salt: object = None) -> Id:
    """The id of a source that is first met at a path."""
    return identify("source", salt, PurePosixPath(root).name, path)


def natural_entity(source: Id, uid: str | None) -> Id:
    """What a source is about, if nobody decided otherwise: itself, or the book whose id it carries."""
    return identify("entity", uid if is_book(uid) else source)


def seen_of(source: Source) -> Seen:
    """What a scan is to know of a source."""
    return Seen(source.id, source.path, source.size, source.mtime_ns, source.hash, source.uid)


def names_of(head: Head) -> Iterator[tuple[str, AliasKind]]:
    """Every name that a note gives to what it is about."""
    yield head.title, AliasKind.TITLE
    by_path = head.name or stem(head.path, head.title)
    if name_key(by_path) != name_key(head.title):
        yield by_path, AliasKind.LINK
    for alias in head.aliases:
        yield alias, AliasKind.ALIAS


def half_done(store: Store, ontology: Callable[[], Ontology]) -> Iterator[tuple[str, str]]:
    """(root, name) of each name that notes still use as before a decision on who is who: see `Planner.unsettled`."""
    for kind, root, _ in store.roots():
        if kind != CORRECTION:
            yield from ((root, name) for name in sorted(Planner(store, ontology, root, kind).unsettled()))


class Planner:
    """Turns a scan into a plan: identities for what is new, and what changed names mean for other sources."""

    def __init__(
        self, store: Store, ontology: Callable[[], Ontology], root: str, kind: str, same: Same | None = None
    ) -> None:
        """Args: `ontology` gives it where there is something to read; `same` is what is decided, if not as stored."""
        self._store = store
        self._ontology = ontology
        self._root = root
        self._kind = kind
        every = tuple(store.sources())  # read once: another process may be writing
        self._known = {source.id: source for source in every if source.root == root}
        self._same = Same(store.decisions()) if same is None else same
        self._taken = {source.id for source in every}

    def seen(self) -> Mapping[str, Seen]:
        """What the memory knows of the root's sources, by path."""
        return {each.path: seen_of(each) for each in self._known.values()}

    def unsettled(self) -> frozenset[str]:
        """Names that sources still use as before a decision on who is who: it was broken off before it was done."""
        if not (self._same or self._same.parted):
            return frozenset()
        parted = {each.entity: each for each in self._same.parted if each.entity}
        rows = self._store.aliases_of({*self._same.gone, *parted})
        names = {alias.name for entity in self._same.gone for alias in rows.get(entity, ())}
        for entity, decision in parted.items():
            notes = {source.id for source in self._store.sources_about(entity)}
            own = {alias.key for alias in rows.get(entity, ()) if alias.source in notes}
            for alias in rows.get(entity, ()):
                own_ids = {named_entity(alias.key), named_entity(alias.key, alias.type)}
                natural = set() if entity in own_ids else own_ids & set(decision.others)
                if natural and alias.key not in own and all(self._same[each] != entity for each in natural):
                    names.add(alias.name)
        about_others = (each for each in self._known.values() if each.entity and each.entity != self._about(each))
        return frozenset(names | {each.title for each in about_others})

    def reserve(self, sources: Iterable[Id]) -> None:
        """Give no new source the id of one of these: it is out of the memory, and its file may stand somewhere."""
        self._taken.update(sources)

    def revive(self, source: Source) -> None:
        """Count a source that is gone among the known ones: the scan to come brings it back."""
        self._known[source.id] = source

    def plan(
        self, scan: Scan, *, reread: bool = False, renamed: AbstractSet[str] = frozenset(), relinked: bool = False
    ) -> Plan:
        """The work that a scan makes.

        Args:
            scan: what is new.
            reread: read all others again too.
            renamed: names that from now on may mean somebody else.
            relinked: whether names are to be looked after even if nothing else is to be done.
        """
        if not (scan.added or scan.changed or scan.moved or scan.removed or reread or renamed or relinked):
            return Plan((), (), self._touched(scan, busy=frozenset()))
        ontology = self._ontology()
        before = self._cards()
        after = {name: self._meant(name, card) for name, card in before.items()}
        work: list[Work] = []
        born = ((self._born(found.path), found, "added") for found in scan.added)
        changed = ((self._known[seen.id], found, "changed") for seen, found in scan.changed)
        moved = ((self._known[seen.id], found, "moved") for seen, found in scan.moved)
        for source, found, kind in chain(born, changed, moved):
            now = self._as_found(source, found)
            typing = ontology.type_of(found.head, PurePosixPath(found.path).parent.parts, daily=found.daily)
            after[now.id] = card_of(now, found.head, typing)
            work.append(Work(now, kind, typing))
        removed = tuple(self._known[seen.id] for seen in scan.removed)
        for source in removed:
            del after[source.id]
        busy = {each.source.id for each in work}
        work = (
            self._replays(before, after, busy, renamed, every=reread) + work
        )  # first: what a new name means is found once, when it is new
        return Plan(
            work=tuple(work),
            removed=removed,
            touched=self._touched(scan, busy | {source.id for source in removed}),
            cards=(*after.values(), *self._elsewhere()),
            same=self._same,
        )

    def again(self, verdicts: Mapping[Id, Verdict]) -> Plan:
        """Sources to read again as they stand, each with what is decided of it."""
        after = {name: self._meant(name, card) for name, card in self._cards().items()}
        work = (
            replace(self._replay(source, after), verdict=verdict)
            for source, verdict in sorted(verdicts.items())
            if source in after
        )
        return Plan(tuple(work), (), (), (*after.values(), *self._elsewhere()), self._same)

    # -- identities

    def _about(self, source: Source) -> Id:
        """The entity that a source is about, by all that was decided."""
        return self._same[natural_entity(source.id, source.uid)]

    def _meant(self, source: Id, card: Card) -> Card:
        """The card of a source, if it is about somebody else from now on."""
        about = self._about(self._known[source])
        return card if card.anchor.entity == about else replace(card, anchor=replace(card.anchor, entity=about))

    def _born(self, path: str) -> Source:
        """A new source. Its id comes from its first path; one that another source has is passed by."""
        for salt in chain((None, self._root), range(2, 1_000_000)):
            name = born(self._root, path, salt)
            if name not in self._taken:
                self._taken.add(name)
                return Source(name, self._kind, self._root, path, "")
        raise InvariantError(f"no id is free for {path}")

    def _as_found(self, source: Source, found: Found) -> Source:
        now = replace(
            source,
            kind=self._kind,
            path=found.path,
            title=found.head.title,
            uid=found.head.uid,
            size=found.size,
            mtime_ns=found.mtime_ns,
            hash=found.hash,
        )
        return replace(now, entity=self._about(now))

    def _touched(self, scan: Scan, busy: AbstractSet[Id]) -> tuple[Source, ...]:
        """Sources whose file has another size or time, or whose folder is taken for another kind; content as before."""
        seen = {each.id: each for each in scan.touched}
        touched = [
            replace(self._known[name], kind=self._kind, size=each.size, mtime_ns=each.mtime_ns)
            for name, each in seen.items()
        ]
        rest = (each for name, each in self._known.items() if name not in seen and name not in busy)
        return (*touched, *(replace(each, kind=self._kind) for each in rest if each.kind != self._kind))

    # -- names

    def _cards(self) -> dict[Id, Card]:
        """The known sources of the root as they call themselves until now."""
        own: dict[Id, set[str]] = {}
        titles: dict[Id, Anchor] = {}
        for naming in self._store.anchors():
            alias = naming.alias
            own.setdefault(alias.source, set()).add(alias.name)
            if alias.kind is AliasKind.TITLE:
                typing = Typing(alias.type, alias.subtype, alias.type_rank)
                titles[alias.source] = Anchor(naming.entity.id, alias.name, typing)
        self._others = {source: (titles[source], frozenset(own[source])) for source in titles}
        cards = {}
        for source in self._known.values():
            if source.id in self._others:
                anchor, names = self._others.pop(source.id)
                cards[source.id] = Card(source.path, anchor, names | {stem(source.path, anchor.name)})
        return cards

    def _elsewhere(self) -> Iterable[Card]:
        """What other roots are about."""
        return (Card("", anchor, names) for anchor, names in self._others.values())

    def _replays(
        self,
        before: Mapping[Id, Card],
        after: Mapping[Id, Card],
        busy: AbstractSet[Id],
        renamed: AbstractSet[str],
        *,
        every: bool,
    ) -> list[Work]:
        """Sources that did not change, in which a name now means something else."""
        changed = {card for source in {*before, *after} for card in _difference(before.get(source), after.get(source))}
        waiting = after.keys() - busy
        if not waiting or not (changed or renamed or every):
            return []
        concerned = {*changed, *(card for card in after.values() if renamed and card.names & renamed)}
        names = {name for card in concerned for name in card.near} | renamed
        names |= {name for card in changed for name in card.names}
        named = waiting if every else self._store.sources_naming({name_key(name) for name in names}, names)
        moved = {name for name in waiting if name in before and before[name].anchor != after[name].anchor}
        return [self._replay(source, after) for source in sorted((named | moved) & waiting)]

    def _replay(self, source: Id, cards: Mapping[Id, Card]) -> Work:
        own = replace(self._known[source], entity=self._about(self._known[source]))
        return Work(own, "replayed", cards[source].anchor.typing)


def card_of(source: Source, head: Head, typing: Typing) -> Card:
    """What a source calls itself, by its head and what it is taken for."""
    names = frozenset(name for name, _ in names_of(head)) | {stem(source.path, head.title)}
    return Card(source.path, Anchor(source.entity or "", head.title, typing), names)


def _difference(before: Card | None, after: Card | None) -> Iterator[Card]:
    """The cards whose names need to be looked for: all of both if more than a name changed."""
    if before == after:
        return
    if before and after and (before.path, before.anchor) == (after.path, after.anchor):
        yield replace(after, names=before.names ^ after.names)
        return
    yield from (card for card in (before, after) if card is not None)
