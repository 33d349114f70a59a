"""The ontology: predicates with their rules, and the words that say what type a thing is.

Read from YAML: ours ships beside this module, packs and a person's own files of the same form add to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from kgmem.beliefs import Rule
from kgmem.errors import ConfigurationError
from kgmem.extraction.policy import Merging
from kgmem.model import Basis, Bound, EntityType
from kgmem.sources.document import Head, Property

_WORD_BREAKS = re.compile(r"[\s_-]+")
_NOT_IN_NAME = re.compile(r"\W+")
FAVOURITE = "FAVOURITE_"
"""Begins the predicates of preferences that have a topic."""
TELLINGS = ("says", "starts", "ends", "yields")
ENTRIES = (
    "phrase",
    "one",
    "symmetric",
    "timeless",
    "domain",
    "range",
    "names",
    "inverse",
    "asked",
    *TELLINGS,
    "opposite",
    "not",
    "extends",
    "replaces",
)
"""What may stand under a predicate. The last two say how a pack means one that is there already."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How sentences say a predicate: "works at", "{o} employs {s}"; `tells` is says, starts, ends or yields."""

    text: str
    tells: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """What a predicate means."""

    name: str
    phrase: str
    one: bool = False
    symmetric: bool = False
    timeless: bool = False
    """What makes it true does not begin with the note that says it: who is whose child, who wrote a book."""
    domain: tuple[EntityType, ...] = ()
    range: tuple[EntityType, ...] = ()
    names: frozenset[str] = frozenset()
    inverse: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    """Words of questions that ask for the object; no property or heading says it with them."""
    wordings: tuple[Wording, ...] = ()
    without: frozenset[str] = frozenset()
    """Subtypes that the object of a sentence cannot be."""
    opposite: str | None = None
    """The predicate that no longer holds of an object when this one does."""

    @property
    def rule(self) -> Rule:
        """What beliefs need to know of it."""
        return Rule(single=self.one)

    def said(self, when: Bound) -> Bound:
        """The date that a claim of it takes from a note of that date: of what is timeless one that only orders."""
        return hidden(when) if self.timeless else when

    def statement(self, subject: str, target: str) -> str:
        """A sentence that says it."""
        return self.phrase.replace("{s}", subject).replace("{o}", target).rstrip(".") + "."


class Rank(IntEnum):
    """What a type rests on, from the best evidence to none."""

    SAID = 0
    """A property of the note names it."""
    INFOBOX = 1
    """The note has the properties of one."""
    TAG = 2
    FOLDER = 3
    """Also a daily note's name."""
    RANGE = 4
    """A predicate takes nothing else at that end."""
    GUESS = 5
    """A named-entity recognizer's."""
    LIKELY = 6
    """The likeliest of several that a predicate takes."""
    NOTE = 8
    """It has a note, and nothing says more."""
    NONE = 9


@dataclass(frozen=True, slots=True)
class Typing:
    """A type that something is said to have."""

    type: EntityType
    subtype: str | None
    rank: int
    """A `Rank`, or one as the store kept it."""


UNTYPED = Typing(EntityType.OBJECT, None, Rank.NONE)
NOTE = Typing(EntityType.OBJECT, "Note", Rank.NOTE)
DAY = Typing(EntityType.EVENT, "Day", Rank.FOLDER)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a property key means for a subject: a predicate, perhaps said from the object's side."""

    predicate: Predicate
    flipped: bool = False
    known: bool = True
    """The ontology knows it; else the key itself is the predicate."""


def hidden(when: Bound) -> Bound:
    """A date that orders claims, and is shown to nobody."""
    return Bound(when.moment, Basis.FILE) if when.moment else when


def plain(words: str) -> str:
    """A key or heading as the ontology spells it: lower case, single spaces."""
    return _WORD_BREAKS.sub(" ", words.strip().strip(":")).casefold().strip()


class Ontology:
    """Predicates by name and by what people call them; types by the words that say them."""

    def __init__(
        self, data: Mapping[str, Any], owner: str | None = None, origins: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self.data = data
        """All of it, as it was read."""
        self.owner = owner
        """Whom "I" means; None if nobody said."""
        self.origins = dict(origins or {})
        """The packs that each predicate comes from; see `extraction.packs`."""
        self.merging = Merging()
        """What decides where rungs disagree of what a predicate means."""
        self.tales = data.get("tales") is True
        """Whether what is told of a book's or a game's people is claimed too."""
        self.roles = frozenset(plain(str(each)) for each in data.get("roles", ()))
        """What a person may be: the last word of a role in a sentence."""
        self.apart = tuple(frozenset(plain(str(word)) for word in words) for words in data.get("apart", ()))
        """Nouns of one predicate that say different things of somebody: mother, father."""
        self.verbs = tuple(tuple(str(form) for form in forms) for forms in data.get("verbs", ()))
        """Irregular verbs: take, takes, took, taken, taking."""
        self.grammar: Mapping[str, Mapping[str, list[str]]] = data.get("grammar", {})
        """Frames of a person's own by predicate, beside those of `extraction.grammar`."""
        self.telling = {
            EntityType(kind): frozenset(" ".join(str(word).casefold().split()) for word in words)
            for kind, words in data.get("telling", {}).items()
        }
        """What names give away: whole ones, and "… city", "lake …"."""
        self.predicates = {name: predicate_of(name, entry or {}) for name, entry in data.get("predicates", {}).items()}
        self._by_name: dict[str, list[Reading]] = {}
        for predicate in self.predicates.values():
            for name in predicate.names:
                self._by_name.setdefault(name, []).append(Reading(predicate))
            for name in predicate.inverse:
                self._by_name.setdefault(name, []).append(Reading(predicate, flipped=True))
        self._types = {
            str(word).casefold(): (EntityType(kind), subtype)
            for kind, subtypes in data.get("types", {}).items()
            for subtype, words in subtypes.items()
            for word in words
        }
        self._infobox = [
            (EntityType(kind.split("/")[0]), kind.split("/")[1], frozenset(plain(key) for key in keys))
            for kind, sets in data.get("infobox", {}).items()
            for keys in sets
        ]
        self._type_keys = frozenset(plain(each) for each in data.get("type_properties", ()))
        self._ignored = tuple(plain(each) for each in data.get("ignored_properties", ()))

    def subtypes(self) -> dict[EntityType, list[str]]:
        """The subtypes that words say, by their type, each once and in the order of the ontology."""
        found: dict[EntityType, dict[str, None]] = {}
        for kind, subtype in self._types.values():
            found.setdefault(kind, {})[subtype] = None
        return {kind: list(names) for kind, names in found.items()}

    def rule(self, predicate: str) -> Rule:
        """The rule of a predicate; one that is not known is multi-valued."""
        known = self.predicates.get(predicate)
        return known.rule if known else Rule(single=is_favourite(predicate))

    def statement(self, predicate: str, subject: str, target: str) -> str:
        """A sentence that says it, also with a predicate that a person coined."""
        known = self.predicates.get(predicate) or _own_predicate(plain(predicate))
        return known.statement(subject, target)

    def read(self, key: str, subject: EntityType) -> Reading | None:
        """What a property or a heading means on a note about a `subject`; None if it speaks of the note alone."""
        name = plain(key)
        if not name or name in self._type_keys:
            return None
        if known := self.named(name, subject):
            return known
        if any(fnmatchcase(name, ignored) for ignored in self._ignored):
            return None
        return Reading(_own_predicate(name), known=False)

    def named(self, name: str, subject: EntityType) -> Reading | None:
        """The predicate that people call `name`, if the ontology has one for such a subject."""
        for reading in self._by_name.get(plain(name), ()):
            own = reading.predicate.range if reading.flipped else reading.predicate.domain
            if not own or subject in own:
                return reading
        return None

    def type_of(self, head: Head, folders: Iterable[str], *, daily: bool = False) -> Typing:
        """The type of what a note is about: from its properties, tags and folders, in this order."""
        return next(self._typings(head, folders, daily=daily), NOTE)

    def _typings(self, head: Head, folders: Iterable[str], *, daily: bool) -> Iterator[Typing]:
        keys = {plain(each.key): each for each in head.properties}
        said = [word for key in sorted(self._type_keys & keys.keys()) for word in _words(keys[key])]
        yield from self._named_types(said, Rank.SAID)
        if daily:
            yield DAY
        yield from (
            Typing(kind, subtype, Rank.INFOBOX) for kind, subtype, needed in self._infobox if needed <= keys.keys()
        )
        yield from self._named_types([part for tag in head.tags for part in reversed(tag.split("/"))], Rank.TAG)
        yield from self._named_types(reversed(list(folders)), Rank.FOLDER)

    def _named_types(self, words: Iterable[str], rank: Rank) -> Iterator[Typing]:
        yield from (Typing(*found, rank) for word in words if (found := self.type_named(word)))

    def type_named(self, word: str) -> tuple[EntityType, str] | None:
        """The type and subtype that a word says."""
        name = plain(word)
        return self._types.get(name) or self._types.get(_NOT_IN_NAME.sub(" ", name).strip())


def _words(said: Property) -> Iterable[str]:
    for value in said.values:
        yield from (link.shown.rsplit("/", 1)[-1] for link in value.links)
        yield value.text


def is_favourite(predicate: str) -> bool:
    """Whether a predicate says which of its kind somebody prefers: of each kind one."""
    return predicate.startswith(FAVOURITE)


def favourite(topic: str) -> Predicate:
    """The predicate of a preference with a topic, which is its slot: "favourite tea" is FAVOURITE_TEA."""
    kind = plain(topic)
    return Predicate(
        FAVOURITE + _NOT_IN_NAME.sub("_", kind).strip("_").upper(),
        phrase=f"The favourite {kind} of {{s}} is {{o}}",
        one=True,
        domain=(EntityType.PERSON,),
    )


def _own_predicate(name: str) -> Predicate:
    """A predicate that a person coined with a property of their own."""
    word, _, topic = name.partition(" ")
    if word in {"favourite", "favorite"} and topic:
        return favourite(topic)
    return Predicate(_NOT_IN_NAME.sub("_", name).strip("_").upper() or "HAS", phrase=f"{{s}} – {name}: {{o}}")


def predicate_of(name: str, entry: Mapping[str, Any]) -> Predicate:
    """A predicate from its entry. Raises ConfigurationError for an unknown entry, ValueError for an unknown type."""
    unknown = entry.keys() - set(ENTRIES)
    if unknown:
        raise ConfigurationError(
            f"predicate {name} of the ontology has an unknown entry {min(unknown)!r}",
            f"entries are {', '.join(ENTRIES)}",
        )
    return Predicate(
        name=name,
        phrase=entry.get("phrase", f"{{s}} {name.replace('_', ' ').lower()} {{o}}"),
        one=bool(entry.get("one")),
        symmetric=bool(entry.get("symmetric")),
        timeless=bool(entry.get("timeless")),
        domain=tuple(EntityType(kind) for kind in entry.get("domain", ())),
        range=tuple(EntityType(kind) for kind in entry.get("range", ())),
        names=frozenset(plain(str(each)) for each in entry.get("names", ())),
        inverse=frozenset(plain(str(each)) for each in entry.get("inverse", ())),
        asked=frozenset(plain(str(each)) for each in entry.get("asked", ())),
        wordings=tuple(Wording(str(text), tells) for tells in TELLINGS for text in entry.get(tells, ())),
        without=frozenset(entry.get("not", ())),
        opposite=entry.get("opposite"),
    )


def load_ontology(
    own: Path | None = None, owner: str | None = None, packs: Iterable[str] = (), files: Iterable[Path] = ()
) -> Ontology:
    """Our ontology, with packs and a person's own files on it.

    Args:
        own: a file that may change what ours says: an entry there replaces the entry of that name.
        owner: whom "I" means.
        packs: names of packs that ship.
        files: a person's own; they add, as packs do.

    Raises:
        ConfigurationError: a file cannot be read, or says what no ontology can.
        NotFoundError: no pack has that name.
    """
    from kgmem.extraction.packs import read_file, stack_soundly
    from kgmem.extraction.packs.stacking import lay_on

    stack = stack_soundly(packs, files)
    data, origins = stack.data, stack.origins
    if own is not None:
        over = read_file(own).data
        data = lay_on(data, over)
        origins = {**origins, **{name: (str(own),) for name in over.get("predicates") or ()}}
    try:
        return Ontology(data, owner, origins)
    except (ValueError, TypeError, AttributeError, IndexError) as error:
        raise ConfigurationError(
            f"the ontology {own} is not as it should be: {error}", f"kgmem ontology check {own}"
        ) from error
