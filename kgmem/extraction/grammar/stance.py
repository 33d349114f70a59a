"""Whether a clause is said to be so, by whom, and what its verb tells of time.

What is only wished, planned, asked, denied or supposed is no stance. What somebody else says has a speaker.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from kgmem.extraction.grammar.tree import Tree
from kgmem.extraction.grammar.words import (
    AFTER_DOING,
    BACKGROUND,
    BEGINNING,
    CARRYING_ON,
    ENDING,
    HEDGING,
    HYPOTHETICAL,
    KNOWING,
    SAYING,
    THINKING,
)

Aspect = Literal["present", "past", "perfect", "begun", "ended", "used", "denied"]
_AUXILIARIES: Final = ("aux", "auxpass")
_ANYMORE: Final = frozenset({"anymore", "longer", "more"})
_TENSES: Final[dict[str, Aspect]] = {"VBD": "past", "VBZ": "present", "VBP": "present", "VBN": "past"}
_MODAL: Final = "MD"
_DEEPEST: Final = 12


@dataclass(frozen=True, slots=True)
class Stance:
    """How a clause is said."""

    aspect: Aspect
    progressive: bool = False
    """"is working": with a date ahead it is a plan."""
    speaker: int | None = None
    """Who says so, if it is not the writer."""
    background: bool = False
    """It was known already: "since she joined Acme"."""


def stance_of(tree: Tree, at: int, depth: int = 0) -> Stance | None:
    """How the clause of a verb is said; None if it is not said to be so, nor plainly that it is not."""
    if depth > _DEEPEST or _is_doubted(tree, at):
        return None
    own = _own_aspect(tree, at)
    above = _context(tree, at, depth)
    if above is None:
        return None
    aspect = own or above.aspect
    turned = _turned(tree, at, aspect)
    word = tree.words[at]
    progressive = word.tag == "VBG" and bool(tree.of(at, "aux"))
    if word.dep == "xcomp" and above.aspect in {"begun", "ended", "used"}:
        turned = above.aspect
    return replace(above, aspect=turned, progressive=progressive)


def _is_doubted(tree: Tree, at: int) -> bool:
    """Whether "may", "perhaps" or the order of a wish stands there."""
    words = tree.words
    helpers = tree.of(at, *_AUXILIARIES)
    if any(words[each].tag == _MODAL for each in helpers):
        return True
    around = [*tree.of(at, "advmod", "neg", "amod"), *(down for each in helpers for down in tree.of(each, "advmod"))]
    if any(words[each].lemma in HEDGING for each in around):
        return True
    subjects = tree.of(at, "nsubj", "nsubjpass")
    inverted = bool(helpers) and bool(subjects) and helpers[0] < subjects[0] and words[helpers[0]].lemma != "to"
    return inverted and words[subjects[0]].lemma not in {"who", "which", "that"}


def _own_aspect(tree: Tree, at: int) -> Aspect | None:
    """What the forms of a verb and its auxiliaries tell; None if it has no tense of its own."""
    words = tree.words
    helpers = [words[each] for each in tree.of(at, *_AUXILIARIES)]
    word = words[at]
    for helper in helpers:
        if helper.lemma in {"have", "'ve", "has", "had"}:
            return "past" if helper.tag == "VBD" else "perfect"
    finite = next((helper for helper in helpers if helper.tag in {"VBD", "VBZ", "VBP"}), None)
    if finite is not None:
        return _TENSES[finite.tag]
    if word.tag == "VB" and not helpers and word.dep == "conj" and tree.head(at).tag in {"VBD", "VBN", "VBZ", "VBP"}:
        return "present"  # "got married and have a daughter"
    if helpers or word.tag in {"VB", "VBG"}:
        return None
    if word.tag == "VBN" and word.dep == "acl":
        return "present"
    return _TENSES.get(word.tag)


def _turned(tree: Tree, at: int, aspect: Aspect) -> Aspect:
    """The aspect after "not", "no longer" and "not anymore"."""
    words = tree.words
    adverbs = {words[each].lemma for each in tree.of(at, "advmod", "neg", "npadvmod")}
    below = {words[down].lemma for each in tree.of(at, "advmod", "neg") for down in tree.children[each]}
    denied = bool(tree.of(at, "neg")) or bool(adverbs & {"not", "never"}) or ("no" in below and "long" in adverbs)
    if not denied and not any(words[each].lemma in {"not", "n't"} for each in tree.children[at]):
        return aspect
    if (adverbs | below) & {*_ANYMORE, "long"} and aspect in {"present", "perfect", "past"}:
        return "ended"
    return "denied"


def _asserted(tree: Tree, at: int, depth: int) -> Stance | None:
    """The stance of a clause above another, unless it is denied."""
    stance = stance_of(tree, at, depth + 1)
    return None if stance is None or stance.aspect == "denied" else stance


def _context(tree: Tree, at: int, depth: int) -> Stance | None:
    """What the words above a clause make of it."""
    word = tree.words[at]
    mark = tree.lemmas(at, "mark") | {
        tree.words[each].lemma for each in tree.of(at, "advmod") if tree.words[each].tag == "WRB"
    }
    present = _own_aspect(tree, at) in {"present", None}
    if word.dep in {"advcl", "ccomp", "conj", "ROOT", "dep"} and _supposes(mark, present=present):
        return None
    quoting = _quoted_by(tree, at)
    if quoting is None:
        quoting = _according_to(tree, at)
    if quoting is not None:
        return Stance("present", speaker=quoting)
    if word.head == at:
        return Stance("present") if word.tag != "VB" or tree.of(at, "nsubj", "nsubjpass", "aux") else None
    return _governed(tree, at, mark, depth)


def _supposes(mark: set[str], *, present: bool) -> bool:
    if not mark.isdisjoint(HYPOTHETICAL):
        return True
    return present and not mark.isdisjoint({"when", "before", "after", "as"} - {"as"})


def _governed(tree: Tree, at: int, mark: set[str], depth: int) -> Stance | None:
    word = tree.words[at]
    up = word.head
    if word.dep in {"relcl", "acl"}:
        return Stance("present") if word.tag != "VB" and not _is_any(tree, up) else None
    if word.dep == "pcomp":
        return _done(tree, up, depth)
    if not tree.is_verb(up):
        return None
    if word.dep == "xcomp":
        return _continued(tree, at, up, depth)
    if word.dep == "advcl":
        return _beside(tree, at, mark, depth)
    above = {"ccomp": _reported, "parataxis": _asserted, "dep": _asserted}.get(word.dep)
    return _joined(tree, at, up, depth) if word.dep == "conj" else above(tree, up, depth) if above else None


def _done(tree: Tree, up: int, depth: int) -> Stance | None:
    """What was done before the rest: "after leaving Acme"."""
    over = next((each for each in tree.above(up) if tree.is_verb(each)), None)
    above = None if tree.words[up].lemma not in AFTER_DOING or over is None else _asserted(tree, over, depth)
    return None if above is None or above.aspect == "ended" else replace(above, aspect="past", background=True)


def _beside(tree: Tree, at: int, mark: set[str], depth: int) -> Stance | None:
    """A clause beside another: "because Ana works at Acme, …" is so whatever is made of it."""
    above = _asserted(tree, tree.words[at].head, depth)
    if above is not None:
        return replace(above, aspect="past" if above.aspect == "ended" else above.aspect, background=bool(mark))
    if any(tree.words[each].lemma in HEDGING for each in tree.of(tree.words[at].head, "advmod")):
        return None  # "perhaps it broke after Bo left" is all invented
    free = bool(mark & BACKGROUND) and bool(tree.of(at, "nsubj", "nsubjpass")) and "before" not in mark
    return Stance("present", background=True) if free else None


def _is_any(tree: Tree, at: int) -> bool:
    """Whether "anyone who works at Acme" speaks of nobody."""
    return tree.words[at].lemma in {"anyone", "anybody", "someone", "somebody", "everyone", "people", "one", "nobody"}


def _reported(tree: Tree, up: int, depth: int) -> Stance | None:
    """What is known or said by somebody, "that Ana works at Acme"."""
    lemma = tree.words[up].lemma
    if lemma not in SAYING | KNOWING | THINKING:
        return None
    above = _asserted(tree, up, depth)
    if above is None or above.aspect == "ended":
        return None
    if lemma in KNOWING:
        return replace(above, aspect="present", background=True)
    speaker = tree.subject(up)
    if lemma in THINKING and (speaker is None or tree.words[speaker].text != "I"):
        return None
    return None if speaker is None else Stance("present", speaker=speaker)


def _continued(tree: Tree, at: int, up: int, depth: int) -> Stance | None:
    """What is begun, stopped or gone on with: "started working", "used to work"."""
    lemma = tree.words[up].lemma
    to = "to" in tree.lemmas(at, "aux")
    if lemma not in BEGINNING | ENDING | CARRYING_ON and not (lemma in {"use", "used"} and to):
        return None
    if lemma in ENDING and to:
        return None  # "stopped to work"
    above = _asserted(tree, up, depth)
    if above is None or above.aspect == "ended":
        return above if above is not None and lemma in CARRYING_ON else None
    if lemma in {"use", "used"}:
        return replace(above, aspect="used")
    if lemma in BEGINNING:
        return replace(above, aspect="begun") if above.aspect != "present" else None
    return replace(above, aspect="ended") if lemma in ENDING else above


def _joined(tree: Tree, at: int, up: int, depth: int) -> Stance | None:
    """What "and" joins to another verb: with a subject of its own it shares only what stands above both."""
    if "or" in tree.lemmas(up, "cc"):
        return None
    if tree.of(at, "nsubj", "nsubjpass"):
        return _context(tree, up, depth + 1)
    own = tree.of(at, *_AUXILIARIES)
    if own or tree.words[at].tag in {"VBD", "VBZ", "VBP"}:
        return _context(tree, up, depth + 1)
    return _asserted(tree, up, depth)


def _according_to(tree: Tree, at: int) -> int | None:
    """Whom "according to Tom" names."""
    for each in tree.of(at, "prep"):
        if tree.words[each].lemma in {"accord", "according"}:
            governed = [pobj for to in tree.of(each, "prep") for pobj in tree.of(to, "pobj")]
            return governed[0] if governed else each
    return None


def _quoted_by(tree: Tree, at: int) -> int | None:
    """Who says a clause that "she said" follows."""
    for each in tree.of(at, "parataxis", "ccomp", "dep"):
        if tree.words[each].lemma in SAYING and (each > at or tree.words[each].dep == "parataxis"):
            complement = list(tree.of(each, "ccomp", "xcomp", "dobj"))
            if not complement:
                return tree.subject(each)
    return None
