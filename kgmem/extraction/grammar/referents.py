"""What a word of a sentence refers to: a name, the owner of the memory, what the note is about, or a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kgmem.extraction.grammar.frames import Slot
from kgmem.extraction.grammar.passage import Named, Passage, Types
from kgmem.extraction.grammar.phrases import role_at, value_at
from kgmem.extraction.grammar.tree import Tree
from kgmem.extraction.grammar.words import (
    FIRST_PERSON,
    FIRST_POSSESSIVE,
    GROUPS,
    KINDS,
    NAMED_OF,
    ORGANIZATIONS,
    PERSONAL,
    POSSESSIVE,
    RELATIVE,
)
from kgmem.extraction.ontology import Rank, Typing
from kgmem.extraction.proposal import Ref
from kgmem.extraction.relations.claims import expected
from kgmem.extraction.relations.words import OPENERS
from kgmem.model import AliasKind, EntityType
from kgmem.resolution.names import name_key
from kgmem.resolution.persons import is_given_name

_PERSON: Final = frozenset({EntityType.PERSON})
_LOCATION: Final = frozenset({EntityType.LOCATION})
_NAMED_BY_CAPITALS: Final = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION})
_ORGANIZATION: Final = frozenset({EntityType.ORGANIZATION})
_INDEFINITE: Final = frozenset({"a", "an", "another", "any", "some", "every", "each", "no"})
_OF: Final = frozenset({"of"})
_INSIDE: Final = ("compound", "nmod", "amod", "nummod")
_PAIR: Final = 2
_LONGEST_REGION: Final = 3
_HOUSES: Final = frozenset(
    "university bank institute ministry museum college school department bureau house order church academy council"
    " society union league club court office board society association faculty republic kingdom isle bay gulf cape"
    " city".split()
)
"""A name that one of these begins goes on after "of": University of Vienna."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a claim; with neither `ref` nor `value` it is what the note is about."""

    name: str
    ref: Ref | None = None
    value: str | None = None
    span: tuple[int, int] | None = None
    """Where a name stands that no mention tells of yet."""
    known: bool = False
    """A link, or a name that the memory knows."""
    pronoun: bool = False
    doubtful: bool = False
    """Only a note can vouch that it is of a type that is meant."""
    at: int = -1

    @property
    def key(self) -> str:
        """The same for two that are one."""
        return name_key(self.name) if self.value is None else f"= {self.value.casefold()}"


class Referents:
    """What the words of one sentence refer to."""

    def __init__(self, tree: Tree, passage: Passage) -> None:
        self._tree = tree
        self._passage = passage
        self._whom = passage.whom

    def ends(self, at: int, types: Sequence[EntityType], doubt: str = "", speaker: int | None = None) -> list[End]:
        """What a phrase refers to, each of those that "and" joins; nothing if one of them cannot be told.

        Args:
            at: the head of the phrase.
            types: what may be meant; empty for anything.
            doubt: as of a `Slot`; "+" if it is of these types whatever a guess takes it for.
            speaker: whom "I" means, if somebody else speaks.
        """
        found: list[End | None] = []
        past = 0
        for each in self._several(at):
            if self._tree.words[each].start < past:
                continue  # the region of a place: "Cambridge, Massachusetts"
            end = self.end(each, types, doubt, speaker)
            past = end.span[1] if end is not None and end.span is not None and end.ref is not None else past
            found.append(end)
        sure = [each for each in found if each is not None]
        return (
            list({each.key: each for each in sure}.values())
            if len(sure) == len(found)
            else sure[:1]
            if found[0]
            else []
        )

    def _several(self, at: int) -> list[int]:
        """The heads that "and" joins to one; of "my parents, Ida and Kurt" the names."""
        heads = self._tree.conjuncts(at)
        beside = self._tree.of(at, "appos")
        plain = len(heads) == 1 and len(beside) == 1 and self._tree.words[at].tag in {"NN", "NNS"}
        return self._tree.conjuncts(beside[0]) if plain and self.name_of(beside[0]) else heads

    def end(self, at: int, types: Sequence[EntityType], doubt: str = "", speaker: int | None = None) -> End | None:
        """What one word refers to, if that may be of these types."""
        word = self._tree.words[at]
        lemma = word.text.lower()
        if lemma in FIRST_PERSON | FIRST_POSSESSIVE:
            if EntityType.PERSON not in types and types:
                return None
            if word.elided and self._whom.type is EntityType.PERSON:
                return End(self._whom.title, pronoun=True, at=at)
            return self._owner(at) if speaker is None else self.end(speaker, types)
        if lemma in PERSONAL | POSSESSIVE:
            return self._again(at, _PERSON) if EntityType.PERSON in types else None
        if (lemma in {"it", "its"} or self._is_the_company(at)) and EntityType.ORGANIZATION in types:
            return self._again(at, _ORGANIZATION)
        named = self.name_of(at)
        if named is not None and tuple(types) == (EntityType.LOCATION,):
            named = self._with_region(named, at)
        return None if named is None else self._fitting(named, at, types, doubt)

    def _owner(self, at: int) -> End | None:
        owner = self._whom.owner
        if owner is None:
            return None
        word = self._tree.words[at]
        ref = Ref(owner, AliasKind.TEXT, None, Typing(EntityType.PERSON, None, Rank.RANGE))
        return End(owner, ref, span=(word.start, word.end), known=True, at=at)

    def may_leave_out(self, slot: Slot) -> bool:
        """Whether "Met Ana in Oslo" speaks of what the note is about, or of its writer in a note about nobody."""
        if self._whom.type is EntityType.PERSON:
            return True
        title = self._whom.title.split()
        about_nobody = self._whom.type in {None, EntityType.EVENT} and bool(title)
        return slot.optional and about_nobody and not is_given_name(title[0].casefold())

    def _is_the_company(self, at: int) -> bool:
        return self._tree.words[at].lemma in ORGANIZATIONS and "the" in self._tree.lemmas(at, "det")

    def _again(self, at: int, types: Types) -> End | None:
        """Who was named before, where only one can be meant; a note about somebody means that one."""
        start = self._tree.words[at].start
        gender = "f" if self._tree.words[at].text.lower() in {"she", "her"} else "m"
        if types == _PERSON and gender in self._passage.of_note:
            return End(self._whom.title, pronoun=True, at=at)
        found = self._passage.before(start, types)
        if found is not None:
            return replace(self._as_end(found, tuple(types), at), span=None, pronoun=True)
        ahead = self._ahead(at) if types == _PERSON and found is None else None
        if ahead is not None:
            return ahead
        if self._whom.type in types and not self._passage.anyone_before(start, types):
            if types == _PERSON:
                self._passage.of_note.add(gender)
            return End(self._whom.title, pronoun=True, at=at)
        return None

    def _ahead(self, at: int) -> End | None:
        """Who "she" is in "before she joined Acme, Lena studied": the subject that the clause waits for."""
        tree = self._tree
        verb = tree.words[at].head
        if tree.words[verb].dep != "advcl" or self._passage.anyone_before(tree.words[at].start, _PERSON):
            return None
        subject = tree.subject(tree.words[verb].head)
        named = None if subject is None or subject < at else self.name_of(subject)
        if named is None or not named.types & _PERSON or subject is None:
            return None
        return replace(self._as_end(named, tuple(_PERSON), subject), span=None, pronoun=True)

    # -- names

    def name_of(self, at: int, *, alone: bool = False) -> Named | None:
        """The name that a word is the head of, or that stands beside it: "the city of Lyon", "my sister Ana"."""
        words = self._tree.words
        word = words[at]
        if word.lemma in RELATIVE and word.tag.startswith("W"):
            return None
        if word.dep != "appos" and not _INDEFINITE.isdisjoint(self._tree.lemmas(at, "det")):
            return None  # "a Tesla" is not Tesla
        held = self._without_verb(self._passage.over(word.start, word.end), at)
        chunk = self._chunk(at)
        if held is not None and (held.known or chunk is None or chunk[0] >= held.start):
            return held
        if chunk is not None:
            start, end = chunk
            text = " ".join(self._passage.prose[start:end].split())
            types, _ = self._passage.shown.types(text, None)
            return Named(start, end, text, None, known=False, types=types)
        if alone:
            return None
        beside = self._tree.of(at, "appos")
        if word.lemma in KINDS:
            # "a networked thought tool" is not the note "networked thought".
            beside += [each for each in self._tree.of(at, "compound", "nmod") if not words[each].text.islower()]
        if word.dep == "appos" and word.tag == "NN":
            beside.append(word.head)
        if word.lemma in self._passage.roles:  # "the CEO of Acme, Bo Li", where a parser hangs the name on Acme
            beside += [each for of in self._tree.after(at, _OF) for each in self._tree.of(of, "appos")]
        if word.lemma in NAMED_OF:
            beside += self._tree.after(at, _OF)
        named = (self.name_of(each, alone=True) for each in beside)
        return next((each for each in named if each is not None), None)

    def _goes_on(self, named: Named, at: int) -> bool:
        """Whether a name only begins a longer phrase that a parser cut: "a networked thought note-taking tool"."""
        words = self._tree.words
        if not named.text.islower():
            return False
        after = next((each for each in range(at + 1, len(words)) if words[each].start >= named.end), None)
        if after is None or words[after].tag != "NN" or not words[after].text.islower() or words[at].head == after:
            return False
        gap = self._passage.prose[named.end : words[after].start]
        return not gap.strip() and "\n" not in gap

    def _without_verb(self, named: Named | None, at: int) -> Named | None:
        """A guessed name without the verb that a note begins with: "Finished Dora Kent"."""
        if named is None or self._goes_on(named, at):
            return None
        if named.known:
            return named
        start, past = named.start, named.end
        inside = [word for word in self._tree.words if start <= word.start and word.end <= past and not word.elided]
        if len(inside) < _PAIR or inside[0].tag not in {"VBD", "VBN", "VBG", "VB"} or inside[0].dep == "compound":
            return named
        text = self._passage.prose[inside[1].start : past]
        return Named(inside[1].start, past, text, None, known=False, types=self._passage.shown.types(text, None)[0])

    def _chunk(self, at: int) -> tuple[int, int] | None:
        """The span of the capitalised words that a proper noun is the head of."""
        words = self._tree.words
        if not self._is_proper(at):
            return None
        first = at
        while first > 0 and words[first - 1].head in range(first, at + 1) and self._belongs(first - 1):
            first -= 1
        if words[at].text.lower() in self._passage.roles or (words[at].text.isupper() and at == 0):
            return None
        last = at
        of = next((each for each in self._tree.of(at, "prep") if each == at + 1 and words[each].lemma == "of"), None)
        if of is not None and len(self._tree.of(of, "pobj")) == 1 and first == at:
            (pobj,) = self._tree.of(of, "pobj")
            if self._is_proper(pobj) and words[at].lemma in _HOUSES:
                last = pobj
        start, end = words[first].start, words[last].end
        if (words[first].text.lower() in OPENERS and first == last) or not self._passage.prose[start:end].strip():
            return None
        return start, end

    def _is_proper(self, at: int) -> bool:
        word = self._tree.words[at]
        if not word.text[0].isupper() or len(word.text) == 1:
            return False
        return word.tag in {"NNP", "NNPS"} or (at > 0 and word.tag in {"NN", "NNS", "JJ"})

    def _belongs(self, at: int) -> bool:
        word = self._tree.words[at]
        plain = word.text.lower() not in OPENERS and word.text.lower() not in self._passage.roles
        return word.text[0].isupper() and word.dep in _INSIDE and plain

    def _with_region(self, named: Named, at: int) -> Named:
        """Read "Niles, Ohio" where a place is named and the clause goes on."""
        tree = self._tree
        beside = [each for each in tree.of(at, "appos", "npadvmod", "conj") if tree.words[each].tag.startswith("NNP")]
        if named.known or not beside or tree.words[at].end != named.end:
            return named
        region = beside[0]
        last = max(tree.below(region))
        gap = self._passage.prose[named.end : tree.words[min(tree.below(region))].start]
        after = tree.words[last + 1].text if last + 1 < len(tree.words) else "."
        if gap.strip() != "," or after not in {".", ",", ";", "!", ")"} or last - at > _LONGEST_REGION:
            return named
        end = tree.words[last].end
        return named._replace(end=end, text=" ".join(self._passage.prose[named.start : end].split()), ref=None)

    def _fitting(self, named: Named, at: int, types: Sequence[EntityType], doubt: str) -> End | None:
        """A name as an end, unless something shows that it is of another type."""
        wanted = frozenset(types)
        if not _has_words(named, wanted, doubt):
            return None
        shown, sure = self._passage.shown.types(named.text, named.ref)
        if not shown and named.text.islower() and not wanted - _NAMED_BY_CAPITALS and wanted:
            return None  # the note "computing" is no company
        end = self._as_end(named, types, at)
        if not wanted or shown & wanted:
            return end
        if not shown:
            return replace(end, doubtful=doubt == "?")
        return end if not sure and _outweighs(named, shown, wanted, doubt) else None

    def _as_end(self, named: Named, types: Sequence[EntityType], at: int) -> End:
        ref = named.ref
        if ref is not None and ((ref.path == self._whom.path and ref.path) or self._is_note(named)):
            return End(self._whom.title, known=True, at=at)
        if ref is None and self._is_note(named):
            return End(self._whom.title, known=True, at=at)
        if ref is not None and named.known:
            if ref.kind is AliasKind.LINK:
                ref = replace(ref, typing=expected(types))
            return End(ref.name, ref, known=True, at=at)
        typing = expected(types)
        if named.types and typing.rank == Rank.LIKELY and named.types & set(types):
            typing = Typing(next(kind for kind in types if kind in named.types), None, Rank.GUESS)
        made = Ref(named.text, AliasKind.TEXT, None, typing)
        return End(made.name, made, span=(named.start, named.end), at=at)

    def _is_note(self, named: Named) -> bool:
        """Whether a note about Anna Berg means her by "Anna"."""
        title = set(self._whom.title.casefold().split())
        return self._whom.type is EntityType.PERSON and not named.known and set(named.text.casefold().split()) <= title

    # -- words

    def value(self, at: int) -> list[End]:
        """A few words that say what somebody likes, or the name that stands there; each of those that "and" joins."""
        return [end for each in self._tree.conjuncts(at) if (end := self._value(each)) is not None]

    def _value(self, at: int) -> End | None:
        named = self.name_of(at)
        if named is not None and named.known:
            return self._as_end(named, (), at)
        return self._as_text(value_at(self._tree, at), at)

    def role(self, at: int, roles: Iterable[str]) -> End | None:
        """A role as it is written: "senior software engineer"."""
        word = self._tree.words[at]
        if word.lemma not in roles and word.text.lower() not in roles:
            return None
        return self._as_text(role_at(self._tree, at, lambda each: bool(self._passage.over(each.start, each.end))), at)

    def _as_text(self, bounds: tuple[int, int] | None, at: int) -> End | None:
        if bounds is None:
            return None
        first, last = (self._tree.words[each] for each in bounds)
        text = " ".join(self._passage.prose[first.start : last.end].split())
        return End(text, None, text, at=at)


def _has_words(named: Named, wanted: Types, doubt: str) -> bool:
    """Whether a name has, or has not, the words that a slot asks for; and is known, if it asks for that."""
    words = set(named.text.casefold().split())
    if doubt.startswith(":"):
        return not words.isdisjoint(doubt[1:].split("|"))
    group = not words.isdisjoint(GROUPS)
    if group and doubt in {"?", "*"} and wanted == _ORGANIZATION:
        return False  # who joins a choir does not work there
    return group if doubt == "~" else named.known or doubt != "!"


def _outweighs(named: Named, shown: Types, wanted: Types, doubt: str) -> bool:
    """Whether what a frame says of a name outweighs a guess: a small model takes many a company for a place."""
    if doubt in {"?", "+"}:
        return doubt == "+"
    if doubt == "*":  # nobody joins a place
        return not wanted & (_PERSON | _LOCATION) and not shown & _PERSON
    given = is_given_name(named.text.split()[0].casefold())
    return not (wanted == _PERSON or (shown & _PERSON and given))
