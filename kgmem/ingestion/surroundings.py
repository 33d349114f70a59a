"""What the store knows around a name that leaves open whom it means: see `kgmem.resolution.settle`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from kgmem.extraction.lexicon import Lexicon
from kgmem.extraction.marks import NOT_PROSE, is_free, link_spans
from kgmem.extraction.ontology import Ontology
from kgmem.ingestion.profiles import Bearers, Profiles, trait_key
from kgmem.model import AliasKind, DecisionKind, EntityType, Id, Moment, Source, unique
from kgmem.resolution.directory import named_entity
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name, parse_person
from kgmem.resolution.profile import Profile, name_trait
from kgmem.resolution.same import Same
from kgmem.resolution.settle import Candidate, Here, Meaning, Place, may_call, settle
from kgmem.store.protocol import Store

_DAILY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_WORD: Final = re.compile(r"\w+(?:[-'’.]\w+)*")
_LONGEST: Final = 4
"""Words of a name that is looked for in a text."""
_CROWD = 100
"""Somebody's namesakes: of so many no context tells one from the others."""
_PLACES = 60
"""Notes that name a candidate, at most; the newest of them."""


@dataclass(frozen=True, slots=True)
class LooseName:
    """A name in a source that does not say by itself whom it means."""

    source: Id
    key: str
    name: str
    """As written there."""
    shared: bool = False
    """Several own it; else it is the given or the family name of somebody, or of nobody known."""


class Surroundings:
    """Reads what is near a loose name, and weighs it. What many names have in common is read once."""

    def __init__(self, store: Store, ontology: Ontology, *, whole: bool) -> None:
        """Args: `whole` if all sources are looked at: names are then read once, and not for each source."""
        self._store = store
        self._whole = whole
        self._owners: dict[str, tuple[Id, ...]] = {}
        self._profiles = Profiles(store, ontology)
        self._rarity = Bearers(store)
        decisions = store.decisions()
        self.same = Same(decisions)
        self._taken = {
            (each.source, each.entity) for each in decisions if each.holds and each.kind is DecisionKind.TAKEN
        }
        self._candidates: dict[Id, Candidate | None] = {}

    # -- loose names

    def in_source(self, source: Id) -> Iterator[LooseName]:
        """The loose names of a source, of which nobody said whom they mean."""
        said = self.same.meant(source)
        found = {each.key: each for each in (*self._short(source), *self._shared(source))}
        yield from (each for key, each in sorted(found.items()) if key not in said)

    def using(self, word: str) -> Iterator[LooseName]:
        """Where a single name stands for itself."""
        key = name_key(word)
        ids = (named_entity(key), named_entity(key, EntityType.PERSON))
        named = self._store.passages_naming(ids)
        names = {each.name for rows in self._store.aliases_of(ids).values() for each in rows}
        if names:
            for source in sorted({source for places in named.values() for source in places.values()}):
                if key not in self.same.meant(source):
                    yield LooseName(source, key, min(names))

    def _short(self, source: Id) -> Iterator[LooseName]:
        """Single names of persons that no note is about, and that no link calls so."""
        rows = [
            alias
            for alias in self._store.aliases_from(source)
            if alias.kind in (AliasKind.TEXT, AliasKind.PROPERTY)
            and alias.entity in {named_entity(alias.key), named_entity(alias.key, EntityType.PERSON)}
            and (alias.type is EntityType.PERSON or is_given_name(alias.key))
            and parse_person(alias.name).bare
        ]
        linked = self._store.linked((alias.key, alias.entity) for alias in rows)
        yield from (LooseName(source, each.key, each.name) for each in rows if each.key not in linked)

    def _shared(self, source: Id) -> Iterator[LooseName]:
        """Names that several own, where the text means none of them for sure."""
        passages = [each for each in self._store.passages_of(source) if each.kind not in NOT_PROSE]
        names = self._everywhere if self._whole else self._several(_phrases(each.text for each in passages))
        if not len(names):
            return
        taken: dict[Id, list[tuple[int, int]]] = defaultdict(list)
        for mention in self._store.mentions_in(source):
            taken[mention.passage].append((mention.start, mention.end))
        for passage in passages:
            for span in names.find(passage.text):
                if is_free(span.start, span.end, taken[passage.id], link_spans(passage.text)):
                    yield LooseName(source, span.key, span.surface, shared=True)

    @cached_property
    def _everywhere(self) -> Lexicon:
        return self._several({naming.alias.key for naming in self._store.anchors()})

    def _several(self, keys: Iterable[str]) -> Lexicon:
        """Of some names those that several own, or that a person may have who is in no note."""
        written = {}
        for key, namings in self._store.namings(keys).items():
            owned = [each for each in namings if each.alias.kind in (AliasKind.TITLE, AliasKind.ALIAS)]
            owners = unique(each.entity.id for each in owned)
            if len(owners) > 1 or (owners and is_given_name(key)):
                self._owners[key] = owners
                written[key] = owned[0].alias.name
        return Lexicon((name, key) for key, name in written.items())

    # -- whom they may mean

    def meanings(self, loose: LooseName) -> tuple[Meaning, ...]:
        """Whom a loose name may mean, the likeliest first; without those that somebody ruled out."""
        ruled_out = self.same.not_meant(loose.source, loose.key)
        asked = [each for each in self.candidates(loose) if each not in ruled_out]
        known = [found for each in asked if (found := self._candidate(each)) is not None]
        here = self._here(loose) if known else None
        return settle(here, known, self._rarity) if here is not None else ()

    def candidates(self, loose: LooseName) -> tuple[Id, ...]:
        """Who owns the name, or has it as given or family name."""
        if loose.key not in self._owners:
            self._several([loose.key])
        if owners := self._owners.setdefault(loose.key, ()):
            return owners
        parsed = parse_person(loose.name)
        key = trait_key(name_trait(parsed.single))
        bearing = self._store.blocked([key]).get(key, ())
        if len(bearing) > _CROWD:
            return ()
        profiles = self._profiles.of(bearing)
        return tuple(
            one
            for one, profile in profiles.items()
            if _is_person(profile)
            and one not in self.same.gone
            and any(may_call(loose.name, name) for name in profile.names)
        )

    def _candidate(self, entity: Id) -> Candidate | None:
        if entity not in self._candidates:
            profile = self._profiles.of([entity]).get(entity)
            self._candidates[entity] = None if profile is None else self._as_candidate(profile)
        return self._candidates[entity]

    def _as_candidate(self, profile: Profile) -> Candidate:
        places = tuple(self._places(profile.id))
        known = profile.anchored or profile.sure
        return Candidate(profile.id, profile.names[0], places, profile.neighbours, known=known)

    def _places(self, entity: Id) -> Iterator[Place]:
        """The notes that name somebody by more than a rule's word."""
        named = self._store.passages_naming([entity]).get(entity, {})
        first = {source: passage for passage, source in named.items() if (source, entity) not in self._taken}
        placed = self._store.placed(first.values())
        found = []
        for source, passage in first.items():
            row, where = self._sources.get(source), placed.get(passage)
            if row is not None and where is not None:
                moment = where.occurred.moment if where.occurred.shown else None
                found.append(_place(row, moment))
        yield from sorted(found, key=lambda each: (-(each.when or 0), each.source))[:_PLACES]

    def _here(self, loose: LooseName) -> Here | None:
        row = self._sources.get(loose.source)
        if row is None:
            return None
        mentions = self._store.mentions_in(loose.source)
        named = frozenset(each.entity for each in mentions if name_key(each.surface) != loose.key)
        placed = self._store.placed([mentions[0].passage]).values() if mentions else ()
        moment = next((each.occurred.moment for each in placed if each.occurred.shown), None)
        linking = self._store.passages_naming([row.entity]).get(row.entity, {}) if row.entity else {}
        place = _place(row, moment)
        others = named - {row.entity} if row.entity else named
        linked = {*linking.values(), *self._about(others)} - {loose.source}
        return Here(
            place,
            others,
            frozenset(linking.values()) - {loose.source},
            self._folders[row.root, place.folder] / len(self._sources) if place.folder else 1.0,
            max(len(linked), 1) / len(self._sources),
        )

    def _about(self, entities: AbstractSet[Id]) -> Iterator[Id]:
        """The sources that are about some entities."""
        return (source for entity in entities for source in self._by_entity.get(entity, ()))

    @cached_property
    def _by_entity(self) -> Mapping[Id, Sequence[Id]]:
        found: dict[Id, list[Id]] = defaultdict(list)
        for source in self._sources.values():
            if source.entity:
                found[source.entity].append(source.id)
        return found

    @cached_property
    def _sources(self) -> Mapping[Id, Source]:
        return {source.id: source for source in self._store.sources()}

    @cached_property
    def _folders(self) -> Counter[tuple[str, str]]:
        return Counter((source.root, _folder(source)) for source in self._sources.values())


def _place(source: Source, moment: Moment | None) -> Place:
    daily = _DAILY.match(PurePosixPath(source.path).name) is not None
    return Place(source.id, _folder(source), moment.first if moment else None, source.entity, daily)


def _folder(source: Source) -> str:
    parent = PurePosixPath(source.path).parent.as_posix()
    return "" if parent == "." else f"{source.root}/{parent}"


def _phrases(texts: Iterable[str]) -> set[str]:
    """What may be a name in some texts, as keys: up to four words in a row, of which one begins as a name does."""
    found = set()
    for text in texts:
        words = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
        for first in range(len(words)):
            for last in range(first, min(first + _LONGEST, len(words))):
                if any(not word[0].islower() for word, _, _ in words[first : last + 1]):
                    found.add(name_key(text[words[first][1] : words[last][2]]))
    return found


def _is_person(profile: Profile) -> bool:
    """Whether somebody is a person beyond a guess: guessers take "Cloud Run" for one."""
    return profile.person and (profile.sure or any(is_given_name(_given(name)) for name in profile.names))


def _given(name: str) -> str:
    return "".join(parse_person(name).given[:1])


def words_of(name: str) -> Iterable[str]:
    """The single names by which somebody with a full name may be called."""
    parsed = parse_person(name)
    return () if parsed.bare or parsed.whole else dict.fromkeys((parsed.given[0], parsed.family))
