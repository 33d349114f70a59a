"""Likings that no frame says: a favourite, and what somebody stopped eating or does not drink.

A preference is never a negative fact: who no longer drinks coffee no longer likes it, if that ever was known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from kgmem.extraction.grammar.filling import Found
from kgmem.extraction.grammar.frames import Frame, Slot
from kgmem.extraction.grammar.matching import Matcher
from kgmem.extraction.grammar.phrases import value_at
from kgmem.extraction.grammar.referents import End
from kgmem.extraction.grammar.stance import Stance
from kgmem.extraction.grammar.words import CONSUMING, FAVOURITE
from kgmem.extraction.ontology import Ontology, favourite, is_favourite
from kgmem.extraction.proposal import ClaimProposal
from kgmem.model import EntityType
from kgmem.resolution.names import name_key

_PERSON: Final = (EntityType.PERSON,)
_GIVEN_UP: Final = ("LIKES", "PREFERS")
"""What ends, if it was so, of what somebody no longer consumes."""


def without_vaguer(claims: Sequence[ClaimProposal]) -> list[ClaimProposal]:
    """Claims of phrases and grammar, but for preferences of which only the other rung found the topic."""
    exact = {_of_whom(claim) for claim in claims if is_favourite(claim.predicate)}
    return [claim for claim in claims if claim.predicate != "PREFERS" or _of_whom(claim) not in exact]


def _of_whom(claim: ClaimProposal) -> tuple[object, ...]:
    subject = claim.subject and name_key(claim.subject.name)
    return claim.block, claim.line, subject, name_key(claim.object.name if claim.object else claim.value or "")


def likings(matcher: Matcher, ontology: Ontology) -> Iterator[Found]:
    """What the sentence says somebody prefers, or no longer consumes."""
    for at, word in enumerate(matcher.tree.words):
        if word.lemma in FAVOURITE and word.dep in {"amod", "compound"} and "PREFERS" in ontology.predicates:
            kind = _kind(matcher, word.head)
            predicate = ontology.predicates["PREFERS"] if kind is None else favourite(kind)
            yield from _favourite(matcher, word.head, Frame(
                predicate, "says", "noun", FAVOURITE, Slot("s"), (Slot("v"),)
            ))  # fmt: skip
        elif word.lemma == "stand" and "DISLIKES" in ontology.predicates:
            yield from _cannot_stand(matcher, at, Frame(
                ontology.predicates["DISLIKES"], "says", "verb", frozenset({"stand"}), Slot("s"), (Slot("v"),)
            ))  # fmt: skip
        elif word.lemma in CONSUMING and word.tag.startswith("VB"):
            for name in filter(ontology.predicates.__contains__, _GIVEN_UP):
                yield from _given_up(matcher, at, Frame(
                    ontology.predicates[name], "yields", "verb", CONSUMING, Slot("s"), (Slot("v"),)
                ))  # fmt: skip


def _cannot_stand(matcher: Matcher, at: int, frame: Frame) -> Iterator[Found]:
    """Read "I can't stand coriander", which nothing but its "can" makes a mere possibility."""
    tree = matcher.tree
    subject = tree.subject(at)
    unable = bool(tree.of(at, "neg")) and bool(tree.lemmas(at, "aux") & {"can", "ca"})
    if subject is None or not unable or tree.words[at].dep != "ROOT":
        return
    who = matcher.referents.ends(subject, _PERSON)
    what = [end for each in tree.objects(at) for end in matcher.referents.value(each)]
    if who and what:
        yield Found(frame, at, matcher.places(at), {"s": tuple(who), "v": tuple(what)}, Stance("present"), "says")


def with_topic(matcher: Matcher, found: Iterable[Found]) -> Iterator[Found]:
    """Give a preference the topic that its clause states: "prefers Vim as an editor"."""
    for each in found:
        kind = _stated_kind(matcher, each.at) if each.frame.predicate.name == "PREFERS" else None
        predicate = each.frame.predicate if kind is None else favourite(kind)
        yield replace(each, frame=replace(each.frame, predicate=predicate))


def _stated_kind(matcher: Matcher, at: int) -> str | None:
    kinds = (_kind(matcher, each) for each in matcher.tree.after(at, frozenset({"as"})))
    return next((kind for kind in kinds if kind is not None), None)


def _kind(matcher: Matcher, at: int) -> str | None:
    """The kind of thing that a noun names: "tea", "programming language"; None where it names none."""
    words = matcher.tree.words
    bounds = value_at(matcher.tree, at)
    if bounds is None or not words[at].tag.startswith("NN"):
        return None
    kept = [word for word in words[bounds[0] : bounds[1] + 1] if word.lemma not in FAVOURITE]
    text = " ".join([*(word.text for word in kept[:-1]), kept[-1].lemma]) if kept else ""
    return text.lower() or None


def _favourite(matcher: Matcher, at: int, frame: Frame) -> Iterator[Found]:
    """Read "my favourite editor is Vim" and "Vim is my favourite editor"."""
    tree = matcher.tree
    word, verb = tree.words[at], tree.words[at].head
    called = tree.words[verb]
    if word.dep == "nsubj" and called.tag == "VBG" and called.text[0].isupper() and tree.lemmas(verb, "aux") == {"be"}:
        # A parser takes "Darjeeling" for a verb.
        yield from _of_owners(matcher, at, frame, verb, [End(called.text, None, called.text, at=verb)])
        return
    if tree.words[verb].lemma != "be" or word.dep not in {"nsubj", "attr"}:
        return
    others = tree.of(verb, "attr", "acomp") if word.dep == "nsubj" else tree.of(verb, "nsubj")
    yield from _of_owners(
        matcher, at, frame, verb, [end for each in others if each != at for end in matcher.referents.value(each)]
    )


def _of_owners(matcher: Matcher, at: int, frame: Frame, verb: int, what: Sequence[End]) -> Iterator[Found]:
    stance = matcher.stance(verb)
    for owner in matcher.tree.of(at, "poss"):
        who = matcher.referents.ends(owner, _PERSON)
        if who and what and stance is not None:
            yield Found(frame, verb, frozenset({verb}), {"s": tuple(who), "v": tuple(what)}, stance, "says")


def _given_up(matcher: Matcher, at: int, frame: Frame) -> Iterator[Found]:
    """Read "stopped drinking coffee", "no longer eats meat" and "does not smoke"."""
    tree = matcher.tree
    stance, subject = matcher.stance(at), tree.subject(at)
    if stance is None or subject is None or stance.aspect not in {"ended", "denied", "used"}:
        return
    who = matcher.referents.ends(subject, _PERSON, speaker=stance.speaker)
    what = [end for each in tree.objects(at) for end in matcher.referents.value(each)]
    past = tree.words[at].tag == "VB" and any(tree.words[each].tag == "VBD" for each in tree.of(at, "aux"))
    if who and what and not past:
        ended = replace(stance, aspect="past")
        places = matcher.places(at)
        yield Found(frame, at, places, {"s": tuple(who), "v": tuple(what)}, ended, "yields")
