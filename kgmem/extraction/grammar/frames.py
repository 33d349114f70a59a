"""The frames of `patterns.yaml`, and of a person's own ontology: which words say a predicate, and where its ends are.

A frame is a line of words and slots, all verbs in their base form:

    work at|for o          the subject is {s} where none is written; "at" or "for" leads to {o}
    o hire s (as r)        a subject, a direct object, and what may be left out; the passive needs no frame of its own
    (s) meet o             the writer may leave the subject out: "Met Ana in Oslo"
    take +over s (from x)  a particle
    give 'birth to o       a word that must be the direct object
    be based in o          what somebody is: a participle or an adjective with its preposition
    founder of o           under `nouns`: a role: "is the founder of", "Bo, founder of", "Acme's founder Bo"
    r=ceo|cto of o         under `nouns`: one of these roles, which is claimed too; ``r of o`` is any of the ontology's

Slots are s, o, x (who or what gave way), r (a role), v (a few words), d (a date), a (anybody). A mark says how sure a
name must be: ``o?`` must be shown to be of a type that the predicate takes, ``o*`` must not be taken for anything else,
``o!`` must be a link or the name of a note, ``o~`` has a word for a group in it, ``o:school|lab`` one of these.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import chain
from typing import Any, Final, Literal

from kgmem.errors import ConfigurationError
from kgmem.extraction.grammar.parsing import LONGEST
from kgmem.extraction.grammar.words import CONSUMING, FAVOURITE, NO_OFFICE, PREPOSITIONS, ROLES_TOO, Span
from kgmem.extraction.ontology import Ontology, Predicate
from kgmem.extraction.relations.words import OPENERS
from kgmem.extraction.sentences import Sentences
from kgmem.model import EntityType

_TELLS: Final = ("says", "starts", "ends", "yields")
_SLOT: Final = re.compile(r"(?P<letter>[soxrvda])(?P<doubt>[?!~*]?|:[^\s?!~*]+)")
_PART: Final = re.compile(r"\((?P<inner>[^()]*)\)|(?P<plain>[^\s()]+)")
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_STANDING: Final = re.compile(r"\b(?:is|are) (?:in|near) [^\W\d_a-z]")
"""Of the frames of "be" only these words tell: "is" stands everywhere."""
_FIRST_WORD: Final = re.compile(r"\s*(?:[-*+•]\s+)?([A-Z][a-z]+)\s+(?!of\b)")
_FIRST_PERSON: Final = re.compile(r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b")
_VOWELS: Final = frozenset("aeiou")

Kind = Literal["verb", "state", "noun"]


@dataclass(frozen=True, slots=True)
class Slot:
    """An end of a claim, and the prepositions that lead to it; none lead to a subject or a direct object."""

    letter: str
    doubt: str = ""
    leads: frozenset[str] = frozenset()
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """How grammar says a predicate."""

    predicate: Predicate
    tells: str
    kind: Kind
    words: frozenset[str]
    """Lemmas of the verb or noun, or forms of the participle."""
    first: Slot
    """The subject, or who has the role."""
    rest: tuple[Slot, ...]
    particle: str = ""
    literal: frozenset[str] = frozenset()
    """Lemmas of which one must be the direct object."""
    takes_role: bool = False
    """A noun frame of a role, which is claimed as one too."""

    def types(self, letter: str) -> tuple[EntityType, ...]:
        """What may fill a slot; empty for anything."""
        return self.predicate.domain if letter == "s" else self.predicate.range

    @property
    def takes_words(self) -> bool:
        """Whether a few words fill it as well as a name."""
        return any(slot.letter == "v" for slot in self.rest)

    @property
    def dated(self) -> bool:
        """Whether a date is what it says."""
        return any(slot.letter == "d" for slot in self.rest)

    @property
    def has_object(self) -> bool:
        """Whether a verb has a direct object in it."""
        return any(not slot.leads and slot.letter != "d" for slot in self.rest)

    @property
    def mutual(self) -> bool:
        """Whether two subjects may be it to each other: "Ana and Bo are friends"."""
        return self.predicate.symmetric and self.first.letter == "s"


class Frames:
    """The frames of an ontology, by the words that give them away."""

    def __init__(self, ontology: Ontology) -> None:
        self.verbs: dict[str, list[Frame]] = defaultdict(list)
        self.states: dict[str, list[Frame]] = defaultdict(list)
        self.nouns: dict[str, list[Frame]] = defaultdict(list)
        self.roles = ontology.roles | ROLES_TOO
        ours = {name: entry for name, entry in _ours().items() if name in ontology.predicates}
        for name, entry in chain(ours.items(), ontology.grammar.items()):
            predicate = ontology.predicates.get(name)
            if predicate is None:
                message = f"the grammar has frames of {name}, which is no predicate"
                raise ConfigurationError(message, "add it under `predicates`")
            for frame in _frames(predicate, entry):
                self._add(frame)
        self.telling = Telling(self, ontology)

    def _add(self, frame: Frame) -> None:
        table = {"verb": self.verbs, "state": self.states, "noun": self.nouns}[frame.kind]
        for word in frame.words or self.roles - NO_OFFICE:
            table[word].append(frame)


@lru_cache(maxsize=4)
def frames_of(ontology: Ontology) -> Frames:
    """The frames of an ontology, made once.

    Raises:
        ConfigurationError: a frame cannot be read, or is of no predicate.
    """
    return Frames(ontology)


def telling_of(ontology: Ontology) -> Telling:
    """The words of an ontology for which a sentence is worth a parse."""
    return frames_of(ontology).telling


class Telling:
    """Finds the sentences that may say something, before anything is parsed: most say nothing, and parsing is dear."""

    def __init__(self, frames: Frames, ontology: Ontology) -> None:
        irregular = {verb[0]: verb for verb in ontology.verbs}
        self._forms: set[str] = set()
        self._pasts: set[str] = set()
        for lemma in frames.verbs:
            forms = irregular.get(lemma) or _forms(lemma)
            self._forms.update(forms)
            self._pasts.update((forms[2],) if lemma in irregular else (form for form in forms if form.endswith("ed")))
        for lemma in CONSUMING:
            self._forms.update(irregular.get(lemma) or _forms(lemma))
        self._forms.update(frames.states, FAVOURITE)
        valued = (
            {word for word, some in frames.verbs.items() for each in some if each.takes_words} | CONSUMING | {"stand"}
        )
        self._valued = {*FAVOURITE, *(form for word in valued for form in irregular.get(word) or _forms(word))}
        """Forms of words that need no name: "I love black coffee"."""
        for noun in frames.nouns:
            self._forms.update((noun, f"{noun}s", f"{noun[:-1]}ies"))

    def spans(self, prose: str) -> list[Span]:
        """The spans of the sentences of a text that hold a telling word, and a name or "I"."""
        words = {word.lower() for word in _WORD.findall(prose)}
        if self._forms.isdisjoint(words) and not _STANDING.search(prose):
            return []
        found = []
        at = 0
        for sentence in Sentences(prose):
            start, at = at, at + len(sentence)
            if len(sentence) <= LONGEST and self._tells(sentence):
                found.append((start, at, self._leaves_out_subject(sentence)))
        return found

    def _leaves_out_subject(self, sentence: str) -> bool:
        """Whether a sentence begins with what was done, and does not say by whom: "Met Ana in Oslo"."""
        first = _FIRST_WORD.match(sentence)
        return first is not None and first[1].lower() in self._pasts and " by " not in sentence

    def _tells(self, sentence: str) -> bool:
        words = _WORD.findall(sentence)
        if not words or (self._forms.isdisjoint(word.lower() for word in words) and not _STANDING.search(sentence)):
            return False
        named = words[0][0].isupper() and words[0].lower() not in OPENERS
        if named or any(word[0].isupper() and word != "I" for word in words[1:]):
            return True
        return _FIRST_PERSON.search(sentence) is not None and not self._valued.isdisjoint(map(str.lower, words))


# -- reading frames


def _ours() -> Mapping[str, Any]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = resources.files("kgmem.extraction.grammar").joinpath("patterns.yaml").read_text("utf-8")
    data: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are the safe ones
    return data


def _frames(predicate: Predicate, entry: Mapping[str, Iterable[str]]) -> Iterator[Frame]:
    for key, lines in entry.items():
        if key not in (*_TELLS, "nouns"):
            raise ConfigurationError(
                f"the grammar of {predicate.name} has an unknown entry {key!r}",
                f"entries are {', '.join(_TELLS)}, nouns",
            )
        for line in lines:
            yield _frame(predicate, key, str(line))


def _frame(predicate: Predicate, key: str, line: str) -> Frame:
    parts = [
        (part, match["inner"] is not None)
        for match in _PART.finditer(line)
        for part in (match["inner"] or match["plain"]).split()
    ]
    first, parts = _subject(parts)
    if not parts:
        raise ConfigurationError(f"the grammar of {predicate.name} has the frame {line!r}", "it has no verb or noun")
    state = parts[0][0] == "be" and len(parts) > 1 and parts[1][0].split("|")[0] not in PREPOSITIONS
    kind: Kind = "noun" if key == "nouns" else "state" if state else "verb"
    parts = parts[kind == "state" :]
    role, _, listed = parts[0][0].partition("=")
    takes_role = kind == "noun" and role == "r"
    words = frozenset(listed.split("|") if listed else () if takes_role else role.split("|"))
    rest = _slots(predicate, line, parts[1:])
    marked = {each[0]: each[1:] for each in rest if isinstance(each, str)}
    tells = ("starts" if predicate.timeless else "says") if key == "nouns" else key
    return Frame(
        predicate, tells, kind, words, first,
        tuple(each for each in rest if isinstance(each, Slot)),
        particle=marked.get("+", ""),
        literal=frozenset(marked["'"].split("|")) if "'" in marked else frozenset(),
        takes_role=takes_role,
    )  # fmt: skip


def _subject(parts: list[tuple[str, bool]]) -> tuple[Slot, list[tuple[str, bool]]]:
    """The slot before the verb, which is {s} where none is written; a noun frame may begin with {r} itself."""
    match = _SLOT.fullmatch(parts[0][0]) if parts else None
    if match is None or match["letter"] in "rd":
        return Slot("s"), parts
    return Slot(match["letter"], match["doubt"], optional=parts[0][1]), parts[1:]


def _slots(predicate: Predicate, line: str, parts: Sequence[tuple[str, bool]]) -> list[Slot | str]:
    found: list[Slot | str] = []
    leads: frozenset[str] = frozenset()
    for part, optional in parts:
        if part[0] in "+'":
            found.append(part)
        elif match := _SLOT.fullmatch(part):
            found.append(Slot(match["letter"], match["doubt"], leads, optional))
            leads = frozenset()
        elif leads:
            raise ConfigurationError(
                f"the grammar of {predicate.name} has the frame {line!r}", f"no slot stands after {min(leads)!r}"
            )
        else:
            leads = frozenset(part.split("|"))
    return found


def _forms(base: str) -> tuple[str, ...]:
    """The forms of a regular verb; some of them do not exist, and match nothing."""
    last = base[-1]
    stem = base[:-1] if last == "e" else base
    if last == "y" and base[-2:-1] not in _VOWELS:
        return (base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing")
    return (base, f"{base}s", f"{base}es", f"{stem}ed", f"{stem}ing", f"{base}{last}ed", f"{base}{last}ing")
