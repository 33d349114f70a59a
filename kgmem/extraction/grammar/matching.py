"""Frames of verbs and of states on a parsed sentence, with their slots filled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kgmem.extraction.grammar.filling import Filling, Found
from kgmem.extraction.grammar.frames import Frame, Frames
from kgmem.extraction.grammar.referents import Referents
from kgmem.extraction.grammar.stance import Stance, stance_of
from kgmem.extraction.grammar.tree import Tree
from kgmem.extraction.grammar.words import OUTINGS
from kgmem.model import EntityType

_BE: Final = frozenset({"be", "get", "become", "'s", "'re", "'m"})
_BY: Final = frozenset({"by"})
_FOR: Final = frozenset({"for"})


class Matcher:
    """Finds the frames that a sentence fills."""

    def __init__(self, tree: Tree, referents: Referents, frames: Frames) -> None:
        self.tree = tree
        self.referents = referents
        self.frames = frames
        self._stances: dict[int, Stance | None] = {}

    def stance(self, at: int) -> Stance | None:
        """How the clause of a verb is said, worked out once."""
        if at not in self._stances:
            self._stances[at] = stance_of(self.tree, at)
        return self._stances[at]

    def verbs(self) -> Iterator[Found]:
        """What the verbs, participles and adjectives of the sentence say; of the frames of a verb the fullest ones."""
        for at, word in enumerate(self.tree.words):
            finite = word.tag.startswith("VB") and word.dep not in {"aux", "auxpass"} and not self._is_titled(at)
            verbs = self.frames.verbs.get(word.lemma, ()) if finite else ()
            states = self.frames.states.get(word.text.lower(), ())
            tried = (*(self._verb(at, frame) for frame in verbs), *(self._state(at, frame) for frame in states))
            yield from fullest(found for found in tried if found is not None)

    # -- verbs

    def _verb(self, at: int, frame: Frame) -> Found | None:
        tree = self.tree
        stance = self.stance(at)
        particle = self._particle(at, frame.particle)
        if stance is None or not self._suits(at, frame, stance, particle):
            return None
        passive = tree.is_passive(at)
        if self._hangs_on_another(at):
            return None
        doer = next(iter(tree.after(at, _BY)), None) if passive else tree.subject(at)
        filling = Filling(tree, self.referents, self.frames.roles, frame, stance)
        if doer is not None and tree.words[doer].elided and not self.referents.may_leave_out(frame.first):
            return None
        if frame.first.letter != "a" and (doer is None or not filling.put(frame.first, doer)):
            return None
        if not filling.fill_all(at, self._direct(at, frame, passive=passive), particle) or not filling.is_complete:
            return None
        reduced = tree.words[at].dep == "acl" and tree.words[at].tag == "VBN"
        return Found(
            frame, at, self.places(at), filling.fills, stance, frame.tells, apposed=reduced, weight=filling.weight
        )

    def _hangs_on_another(self, at: int) -> bool:
        """Whether a second participle is said of what the first one is: "Excerpted from Dune, written by Bo Li"."""
        tree, words = self.tree, self.tree.words
        over = words[at].head
        if (
            words[at].dep != "acl"
            or words[over].dep != "pobj"
            or not any(word.text == "," for word in words[over + 1 : at])
        ):
            return False
        verb = tree.head(over).head
        return words[verb].tag == "VBN" and words[verb].dep == "ROOT" and not tree.of(verb, "nsubjpass", "nsubj")

    def _is_titled(self, at: int) -> bool:
        """Whether a capital makes a verb part of a title: "The Unseen Reviewed by Bo Li"."""
        words = self.tree.words
        return at > 0 and words[at].text.istitle() and not words[0].elided and words[at - 1].text[0].isalpha()

    def _suits(self, at: int, frame: Frame, stance: Stance, particle: int | None) -> bool:
        """Whether a verb has what its frame needs, and nothing that makes it say something else."""
        tree = self.tree
        if tree.words[at].lemma == "be" and (stance.aspect != "present" or tree.of(at, "acomp", "attr")):
            return False  # who was in Bonn was there, and what "is common in Bonn" may be anywhere
        if tree.words[at].lemma == "use" and self._is_one_use(at, stance):
            return False
        if frame.particle and particle is None:
            return False
        if frame.literal:
            return not frame.literal.isdisjoint(self._object_words(at))
        if not frame.has_object and (tree.is_passive(at) or (frame.tells != "says" and tree.of(at, "dobj"))):
            return False  # "left the keys at"
        company = frame.predicate.range == (EntityType.PERSON,)
        return frame.tells == "says" or company or not self._is_outing(at)

    def _is_one_use(self, at: int, stance: Stance) -> bool:
        """Whether "used the act to win" tells of one deed, or "a proof using it" hangs on whatever stands before."""
        tree = self.tree
        deed = [each for each in tree.of(at, "xcomp", "advcl") if "to" in tree.lemmas(each, "aux")]
        return (stance.aspect == "past" and bool(deed)) or (tree.words[at].tag == "VBG" and tree.words[at].dep == "acl")

    def _particle(self, at: int, particle: str) -> int | None:
        words = self.tree.words
        return next((each for each in self.tree.children[at] if words[each].text.lower() == particle), None)

    def _object_words(self, at: int) -> set[str]:
        words, found = self.tree.words, self.tree.of(at, "dobj", "acomp", "attr", "oprd")
        return {words[each].lemma for each in found} | {words[each].text.lower() for each in found}

    def _direct(self, at: int, frame: Frame, *, passive: bool) -> list[int]:
        """What a verb is done to; what one likes may be done itself, "hiking"."""
        tree = self.tree
        subject = tree.subject(at) if passive else None
        doings = [each for each in tree.of(at, "xcomp") if tree.words[each].tag == "VBG"] if frame.takes_words else []
        return [*(tree.objects(at) if subject is None else [subject]), *doings]

    def _is_outing(self, at: int) -> bool:
        """Whether somebody only came along or went away: "joined Bo for lunch", "left Bonn for the weekend"."""
        return any(self.tree.words[each].lemma in OUTINGS for each in self.tree.after(at, _FOR))

    def places(self, at: int) -> frozenset[int]:
        """A verb and those that only begin, end or go on with it; "married in 2010 and divorced" shares none."""
        words, found = self.tree.words, [at]
        while words[found[-1]].dep == "xcomp" and self.tree.is_verb(words[found[-1]].head):
            found.append(words[found[-1]].head)
        return frozenset(found)

    # -- states

    def _state(self, at: int, frame: Frame) -> Found | None:
        """What somebody is: "is based in", "got married to", "born in Lyon, Ana …"."""
        verb = self._verb_of_state(at)
        stance = None if verb is None else self.stance(verb)
        subject = None if verb is None else self.tree.subject(verb)
        if verb is None or stance is None or subject is None or (frame.dated and self.tree.of(at, "agent")):
            return None  # "founded by Bo in 1999" says when he did it
        filling = Filling(self.tree, self.referents, self.frames.roles, frame, stance)
        if (
            not filling.put(frame.first, subject)
            or not filling.fill_all(at, self.tree.objects(at), also=verb)
            or not filling.is_complete
        ):
            return None
        begins = frame.tells == "says" and self.tree.words[verb].lemma in {"get", "become"}
        tells = "starts" if begins else frame.tells
        return Found(frame, verb, self.places(verb) | {at}, filling.fills, stance, tells, weight=filling.weight)

    def _verb_of_state(self, at: int) -> int | None:
        """The verb that a participle or an adjective stands with, or the participle itself."""
        tree, word = self.tree, self.tree.words[at]
        if word.dep in {"acomp", "attr", "oprd", "xcomp", "dobj"} and tree.head(at).lemma in _BE:
            return word.head
        participle = word.tag in {"VBN", "VBD"}
        return at if participle and (tree.of(at, "auxpass") or word.dep in {"acl", "conj", "advcl"}) else None


def fullest(candidates: Iterable[Found]) -> Iterator[Found]:
    """Of each predicate the frame that says most, and of different ones those that are sure before the open."""
    best: dict[tuple[str, str], Found] = {}
    for each in candidates:
        key = (each.frame.predicate.name, each.tells)
        if key not in best or best[key].weight < each.weight:
            best[key] = each
    sure = [_ends(each) for each in best.values() if not _is_open(each)]
    # The same words mean one predicate for sure, and another one only perhaps.
    yield from (each for each in best.values() if not _is_open(each) or _ends(each) not in sure)


def _is_open(found: Found) -> bool:
    return any(end.doubtful for some in found.fills.values() for end in some)


def _ends(found: Found) -> set[str]:
    return {end.key for some in found.fills.values() for end in some}
