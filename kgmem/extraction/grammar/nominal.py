"""Frames of nouns: "Bo is the founder of Acme", "Bo, founder of Acme", "Acme's founder Bo", "my sister Ana".

A noun frame has a holder, who is it, and mostly a complement, of whom or of what.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from kgmem.extraction.grammar.filling import Found
from kgmem.extraction.grammar.frames import Frame, Slot
from kgmem.extraction.grammar.matching import Matcher, fullest
from kgmem.extraction.grammar.referents import End
from kgmem.extraction.grammar.stance import Stance
from kgmem.extraction.grammar.words import APPOINTING, BECOMING, FIRST_POSSESSIVE, OFFICES, OVER, POSSESSIVE, UNCLEAR
from kgmem.model import EntityType
from kgmem.resolution.persons import is_given_name

_SAID: Final = Stance("present")
_NOBODY: Final = frozenset({"no", "any", "every", "each", "some", "another", "either", "neither", "which", "what"})
_BY: Final = frozenset({"by"})
_AT: Final = frozenset({"at"})
_PAIR: Final = 2
_ADDRESSES: Final = frozenset({"Doctor", "Captain", "Coach", "Nurse", "Officer", "Official"})
_QUALITIES: Final = frozenset({"official", "chief", "lead", "head"})
"""Right before another word, these say what kind of a thing it is, unless somebody bears that word as a name."""
_NAMING: Final = frozenset({"call", "name"})


class _Holder(NamedTuple):
    """Who has a role: the head of the phrase, and what says so."""

    at: int
    verb: int | None = None
    """None of an apposition."""
    begins: bool = False
    ends: tuple[End, ...] | None = None


class Nouns:
    """Finds what nouns say of those who are them."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._tree = matcher.tree
        self._referents = matcher.referents

    def find(self) -> Iterator[Found]:
        """The noun frames that the sentence fills."""
        for at, word in enumerate(self._tree.words):
            if not word.tag.startswith("NN"):
                continue
            frames = self._matcher.frames.nouns.get(word.lemma, ()) or self._matcher.frames.nouns.get(
                word.text.lower(), ()
            )
            if frames and not self._is_address(at) and (over := self._is_over(at)) is not None:
                found = [
                    each
                    for holder in self._holders(at)
                    for frame in frames
                    if (each := self._of(at, frame, holder, over=over))
                ]
                yield from fullest(found)

    def _is_address(self, at: int) -> bool:
        """Whether a word tells no trade before a name: "Doctor Watson", "Official Guide"."""
        word = self._tree.words[at]
        if word.dep not in {"compound", "nmod"} or word.head != at + 1:
            return False
        quality = word.text.lower() in _QUALITIES and not is_given_name(self._tree.words[at + 1].text.casefold())
        return word.text in _ADDRESSES or quality

    def _is_over(self, at: int) -> bool | None:
        """Whether a role is a former one; None where it is nobody's, or only perhaps somebody's."""
        words = self._tree.words
        before = {
            words[each].text.lower() for each in self._tree.of(at, "amod", "compound", "nmod", "det", "advmod", "punct")
        }
        before |= {words[down].text.lower() for each in self._tree.of(at, "amod") for down in self._tree.children[each]}
        before |= {words[each].text.lower() for each in range(max(0, at - 2), at) if words[each].text.lower() in OVER}
        if before & _NOBODY or (before & UNCLEAR and words[at].lemma != "friend"):
            return None
        return bool(before & OVER) or self._was_then(at)

    def _was_then(self, at: int) -> bool:
        """Whether "at that time" stands beside a role: a parser may hang it on the name."""
        tree, words = self._tree, self._tree.words
        places = (at, words[at].head) if words[at].dep == "appos" else (at,)
        times = [each for place in places for each in tree.after(place, _AT) if words[each].lemma == "time"]
        return any(tree.lemmas(each, "det") & {"the", "that"} for each in times)

    # -- who has the role

    def _holders(self, at: int) -> Iterator[_Holder]:
        """Whom a noun is said of: by a verb, else by what stands beside it."""
        tree, word = self._tree, self._tree.words[at]
        by_verb = self._by_verb(at)
        if by_verb is not None:
            yield by_verb
            return
        if word.dep == "pobj" and tree.head(at).lemma in {"as", "to"}:
            yield from self._as(tree.head(at).head, tree.head(at).lemma)
        if word.dep in {"nsubj", "nsubjpass"}:
            if tree.head(at).lemma == "be":
                yield from (_Holder(each, word.head) for each in tree.of(word.head, "attr"))
            yield from (_Holder(each) for each in tree.of(word.head, "nsubj", "nsubjpass") if each == at + 1)
        if word.dep == "conj":
            yield from self._joined(at)
        yield from (_Holder(each) for each in self.beside(at))

    def _by_verb(self, at: int) -> _Holder | None:
        """Who is, becomes or was made it."""
        tree, word, head = self._tree, self._tree.words[at], self._tree.head(at)
        if word.dep not in {"attr", "oprd", "dobj", "acomp"}:
            return None
        made = head.lemma in APPOINTING and tree.is_passive(word.head)
        if head.lemma not in {"be", *BECOMING} and not made:
            return None
        subject = tree.subject(word.head)
        return None if subject is None else _Holder(subject, word.head, begins=made or head.lemma in BECOMING)

    def _as(self, verb: int, leads: str) -> Iterator[_Holder]:
        """Who "serves as", "was hired as" or "was promoted to" it."""
        tree = self._tree
        subject = tree.subject(verb) if tree.is_verb(verb) else None
        lemma = tree.words[verb].lemma
        if subject is None or (leads == "to" and lemma != "promote"):
            return
        if lemma in {"serve", "work", "act"}:
            yield _Holder(subject, verb)
        elif lemma in {"join", "start", "begin"} or (lemma in APPOINTING and tree.is_passive(verb)):
            yield _Holder(subject, verb, begins=True)

    def _joined(self, at: int) -> Iterator[_Holder]:
        """Of "the founder and head of Acme", whoever the first noun is said of."""
        first = self._tree.words[at].head
        if self._tree.words[first].tag.startswith("NN") and not self._tree.words[first].tag.startswith("NNP"):
            yield from self._holders(first)

    def beside(self, at: int) -> Iterator[int]:
        """The names that stand beside a noun, and are who it is."""
        tree, words = self._tree, self._tree.words
        word = words[at]
        if word.dep in {"appos", "compound", "nmod"}:
            yield word.head
            # "Bo Li, D-Ohio, chairman of": a parser may take the second name for whom the role is of.
            if tree.head(at).dep in {"appos", "npadvmod"}:
                yield tree.head(at).head
        yield from tree.of(at, "appos")
        for each in tree.of(at, "acl"):
            if words[each].lemma in _NAMING:
                yield from tree.of(each, "oprd", "attr", "dobj")
        for prep in tree.of(at, "prep"):
            for governed in tree.of(prep, "pobj"):
                # A parser takes "Bo Li" for what "Acme" is called in "the CEO of Acme, Bo Li".
                yield from (each for each in tree.of(governed, "appos") if words[each].start > words[at].end)

    def _is_somebody(self, at: int) -> bool:
        """Whether a name beside a role may be a person's: of "D-Ohio" nobody is."""
        named = self._referents.name_of(at)
        return named is None or (not named.text.isupper() and "-" not in named.text[:2] and not self._after_dash(at))

    def _may_have_role(self, at: int) -> bool:
        """Whether a name looks like a person's: that "Soulbound is an interesting mechanic" gives it no trade."""
        named = self._referents.name_of(at)
        if named is None or EntityType.PERSON in named.types or is_given_name(named.text.split()[0].casefold()):
            return True
        return not named.known and " " in named.text

    def _is_somebodys(self, at: int) -> bool:
        """Whether a noun belongs to a person: "Martin's manager", "my teacher"."""
        words = self._tree.words
        named = [(each, self._referents.name_of(each)) for each in self._tree.of(at, "poss")]
        return any(
            words[each].tag == "PRP$" or (name is not None and EntityType.PERSON in name.types) for each, name in named
        )

    def _after_dash(self, at: int) -> bool:
        words = self._tree.words
        return at > 0 and words[at - 1].text == "-" and words[at - 1].end == words[at].start

    # -- of whom

    def _of(self, at: int, frame: Frame, holder: _Holder, *, over: bool) -> Found | None:
        if frame.takes_role and not frame.rest and self._tree.words[at].tag == "NNS":
            return None  # nobody is "interns"
        stance = _SAID if holder.verb is None else self._matcher.stance(holder.verb)
        who = [] if stance is None or stance.aspect == "denied" else self._who(frame, holder, stance)
        if frame.takes_role and not frame.rest and not self._may_have_role(holder.at):
            who = [replace(each, doubtful=True) for each in who]
        # Whose manager she is tells no office.
        if stance is None or not who or (frame.takes_role and not frame.rest and self._is_somebodys(at)):
            return None
        fills: dict[str, tuple[End, ...]] = {frame.first.letter: tuple(who)}
        if frame.takes_role and (text := self._referents.role(at, self._matcher.frames.roles)) is not None:
            fills["r"] = (text,)
        for slot in frame.rest:
            ends = self._complement(at, frame, slot, holder, stance)
            if found := tuple(each for each in ends if each.key not in {one.key for one in who}):
                fills[slot.letter] = found
        mutual = frame.mutual and len(who) == _PAIR and holder.verb is not None
        if not mutual and (len(fills) == 1 or any(slot.letter not in fills for slot in frame.rest)):
            return None
        tells = "starts" if holder.begins and frame.tells == "says" else frame.tells
        where, places, apposed = (at, {at}, True) if holder.verb is None else (holder.verb, {at, holder.verb}, False)
        return Found(frame, where, frozenset(places), fills, stance, tells, over, apposed, weight=10 * len(fills))

    def _who(self, frame: Frame, holder: _Holder, stance: Stance) -> list[End]:
        """Who is it; beside a noun stands a name, never "she"."""
        types, doubt = frame.types(frame.first.letter), frame.first.doubt or _lenient(frame)
        found = self._referents.ends(holder.at, types, doubt, stance.speaker)
        if holder.verb is not None:
            return found
        nobody = types == (EntityType.PERSON,) and not self._is_somebody(holder.at)
        return [] if nobody else [each for each in found if not each.pronoun]

    def _complement(self, at: int, frame: Frame, slot: Slot, holder: _Holder, stance: Stance) -> list[End]:
        """Of whom or of what: as a possessive, after "of", or before the noun."""
        words = self._tree.words
        types = frame.types(slot.letter)
        around = () if holder.verb is None else self._tree.after(holder.verb, slot.leads - {"of"})
        for each in (*self._possessors(at, slot, holder), *self._tree.after(at, slot.leads), *around):
            own = words[each].text.lower() in POSSESSIVE | FIRST_POSSESSIVE and EntityType.PERSON not in types
            if each == holder.at or own:
                continue
            if ends := self._referents.ends(each, types, slot.doubt or _lenient(frame), stance.speaker):
                return [end for end in ends if end.key != self._key(holder.at)]
        return self._before(at, types, holder, stance) if "of" in slot.leads else []

    def _possessors(self, at: int, slot: Slot, holder: _Holder) -> list[int]:
        """Whose it is: "Acme's founder", "Dora Kent's novel" and "my sister", which may hang on the name beside it."""
        tree, words = self._tree, self._tree.words
        own = tree.of(at, "poss")
        if slot.leads == _BY:
            return [each for each in own if words[each].tag.startswith("NNP")]
        if "of" not in slot.leads:
            return []
        if not own and holder.verb is None and words[holder.at].start > words[at].start:
            own = tree.of(holder.at, "poss")
        if words[at].dep == "conj":
            own += tree.of(words[at].head, "poss")
        return [tree.antecedent(each) for each in own]

    def _before(self, at: int, types: tuple[EntityType, ...], holder: _Holder, stance: Stance) -> list[End]:
        """The name right before a noun: "Acme CEO Bo Li"."""
        words = self._tree.words
        if EntityType.PERSON in types:
            return []
        doubt = "*" if words[at].lemma in OFFICES else "?"
        for each in (*self._tree.of(at, "compound", "nmod"), *self._compounds_beside(at, holder)):
            if each != holder.at and words[each].tag.startswith("NNP"):
                ends = self._referents.ends(each, types, doubt, stance.speaker)
                if ends and not ends[0].doubtful:
                    return ends
        return []

    def _compounds_beside(self, at: int, holder: _Holder) -> list[int]:
        """The names before a noun that stands itself before one: "Acme CEO Bo Li"."""
        tree = self._tree
        if holder.verb is not None or tree.words[at].head != holder.at:
            return []
        return [each for each in tree.of(holder.at, "compound", "nmod") if each < at]

    def _key(self, at: int) -> str:
        named = self._referents.name_of(at)
        return "" if named is None else named.text.casefold()


def _lenient(frame: Frame) -> str:
    """Whose sister a name is, that is somebody's, whatever a guess takes it for."""
    return "+" if frame.predicate.domain == frame.predicate.range == (EntityType.PERSON,) else ""


def having(matcher: Matcher) -> Iterator[Found]:
    """Who has whom: "Ana has a brother, Bo", "Ana has two sons, Bo and Cy"."""
    tree = matcher.tree
    nouns = Nouns(matcher)
    for at, word in enumerate(tree.words):
        if word.dep != "dobj" or tree.head(at).lemma != "have" or not word.tag.startswith("NN"):
            continue
        verb = word.head
        stance, owner = matcher.stance(verb), tree.subject(verb)
        if stance is None or stance.aspect not in {"present", "perfect"} or owner is None:
            continue
        for frame in matcher.frames.nouns.get(word.lemma, ()):
            if len(frame.rest) != 1 or frame.predicate.domain[:1] != (EntityType.PERSON,):
                continue
            slot = frame.rest[0]
            of = matcher.referents.ends(owner, frame.types(slot.letter), slot.doubt, stance.speaker)
            for each in nouns.beside(at):
                who = matcher.referents.ends(each, frame.types(frame.first.letter), frame.first.doubt)
                if of and who:
                    fills = {frame.first.letter: tuple(who), slot.letter: tuple(of)}
                    yield Found(frame, verb, frozenset({verb, at}), fills, replace(stance), frame.tells, apposed=True)
                    break
